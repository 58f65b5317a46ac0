"""The properties of a picture file that are known before its pixels are decoded."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from engine.toolkit.census import Census

_SRGB_PRIMARIES = frozenset({0, 1, 2})
_SRGB_TRANSFERS = frozenset({0, 1, 2, 6, 13, 14, 15})
"""Transfer characteristics of ITU-T H.273: sRGB, those of television, which programs show alike, and unspecified."""
_HIGH_RANGE = frozenset({16, 18})
"""PQ and HLG, by their numbers in ITU-T H.273."""
_PROFILE_MARK = slice(36, 40)
_USUAL_DPI = ((0, 10), (71, 73), (95, 97), (10_001, float("inf")))
"""Ranges of pixels per inch that are defaults of programs, or implausible."""


@dataclass
class Traits:
    """Counts of one file: `colours` are colour channels, `others` are further channels except alpha.

    `milliseconds` is the duration of all frames, in formats whose encoders merge equal frames.
    """

    frames: int = 1
    milliseconds: int = 0
    pages: int = 1
    colours: int = 3
    others: int = 0
    bits: int = 8
    clear: bool = False
    profiles: int = 0
    ranges: int = 0
    gains: int = 0
    exif: Counter[str] = field(default_factory=Counter)
    xmp: int = 0
    iptc: int = 0
    remarks: Counter[str] = field(default_factory=Counter)
    makers: Counter[str] = field(default_factory=Counter)
    dense: bool = False

    def census(self) -> Census:
        census = Census()
        for kind, count in (
            ("frames", self.frames),
            ("pages", self.pages),
            ("channels", self.colours + self.others),
            ("bits", self.bits),
            ("transparency", self.clear),
            ("profiles", bool(self.profiles)),
            ("ranges", bool(self.ranges)),
            ("gains", self.gains),
            ("xmp", bool(self.xmp)),
            ("iptc", bool(self.iptc)),
            ("resolutions", self.dense),
        ):
            if count:
                census.add(kind, int(count))
        for kind, found in (("exif", self.exif), ("remarks", self.remarks), ("makers", self.makers)):
            for label, count in found.items():
                census.add(kind, count, label=label)
        return census

    def note_profile(self, data: bytes) -> None:
        """Count an ICC profile, unless it is invalid or describes sRGB."""
        if data[_PROFILE_MARK] != b"acsp":
            return
        if b"sRGB" not in data[:4096].replace(b"\0", b""):
            self.profiles += 1

    def note_code_points(self, primaries: int, transfer: int) -> None:
        """Count colours described by code points of ITU-T H.273, unless these are sRGB's."""
        if primaries not in _SRGB_PRIMARIES or transfer not in _SRGB_TRANSFERS:
            self.profiles += 1
        self.ranges += transfer in _HIGH_RANGE

    def note_xmp(self, data: bytes) -> None:
        self.xmp += bool(data.strip(b"\0 \r\n\t"))

    def note_dpi(self, across: float, down: float) -> None:
        usual = any(low <= across <= high and low <= down <= high for low, high in _USUAL_DPI)
        self.dense = self.dense or (not usual and across >= 10 and down >= 10)


def has_colour(palette: bytes) -> bool:
    """Return whether a palette of RGB bytes has a colour other than grey."""
    return palette[0::3] != palette[1::3] or palette[1::3] != palette[2::3]
