"""Convert colour descriptions other than profiles (ITU-T H.273, PNG's gAMA and cHRM) to ICC profiles.

The curves of the profile map high dynamic range to that of ordinary screens.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable
from dataclasses import dataclass
from math import exp

HIGH_RANGE = frozenset({16, 18})
"""Transfer characteristics of PQ and HLG."""
_D65, _C, _E, _DCI = (0.3127, 0.329), (0.31, 0.316), (1 / 3, 1 / 3), (0.314, 0.351)
_SRGB_PLACES = (0.64, 0.33, 0.3, 0.6, 0.15, 0.06)
_PRIMARIES: dict[int, tuple[tuple[float, ...], tuple[float, float], str]] = {
    1: (_SRGB_PLACES, _D65, "Rec. 709"),
    4: ((0.67, 0.33, 0.21, 0.71, 0.14, 0.08), _C, "NTSC 1953"),
    5: ((0.64, 0.33, 0.29, 0.6, 0.15, 0.06), _D65, "Rec. 601 625"),
    6: ((0.63, 0.34, 0.31, 0.595, 0.155, 0.07), _D65, "Rec. 601 525"),
    7: ((0.63, 0.34, 0.31, 0.595, 0.155, 0.07), _D65, "SMPTE 240M"),
    8: ((0.681, 0.319, 0.243, 0.692, 0.145, 0.049), _C, "Film"),
    9: ((0.708, 0.292, 0.17, 0.797, 0.131, 0.046), _D65, "Rec. 2020"),
    10: ((1.0, 0.0, 0.0, 1.0, 0.0, 0.0), _E, "XYZ"),
    11: ((0.68, 0.32, 0.265, 0.69, 0.15, 0.06), _DCI, "DCI-P3"),
    12: ((0.68, 0.32, 0.265, 0.69, 0.15, 0.06), _D65, "Display P3"),
    22: ((0.63, 0.34, 0.295, 0.605, 0.155, 0.077), _D65, "EBU 3213"),
}
_UNSPECIFIED = 2
_LIKE_SRGB = frozenset({1, 2, 6, 11, 13, 14, 15})
"""Transfer characteristics that programs treat like sRGB's."""
_GAMMAS = {4: 2.2, 5: 2.8, 8: 1.0, 17: 2.6}
_RANGE_NAMES = {16: "PQ", 18: "HLG"}
_D50 = (0.9642, 1.0, 0.8249)
_BRADFORD = ((0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))
_WHITE_NITS, _PEAK_NITS = 203.0, 1000.0
_KNEE = 0.7
"""Share of white's luminance up to which shades are unchanged; brighter ones are compressed into the rest."""
_STEPS = 4096

Matrix = tuple[tuple[float, float, float], ...]


@dataclass(frozen=True)
class CodePoints:
    """Numbers of ITU-T H.273: `primaries` and `transfer`, as a cICP chunk or an nclx box has them."""

    primaries: int
    transfer: int

    @property
    def high_range(self) -> bool:
        return self.transfer in HIGH_RANGE

    def profile(self, *, grey: bool) -> bytes | None:
        """An ICC profile of this meaning; None if it is sRGB's or unknown."""
        primaries = 1 if self.primaries == _UNSPECIFIED else self.primaries
        if primaries not in _PRIMARIES or (primaries == 1 and self.transfer in _LIKE_SRGB):
            return None
        places, white, name = _PRIMARIES[primaries]
        if self.transfer in _LIKE_SRGB:
            curve = _srgb_curve()
        elif self.transfer in _GAMMAS:
            curve, name = _gamma_curve(_GAMMAS[self.transfer]), f"{name}, gamma {_GAMMAS[self.transfer]}"
        elif self.high_range:
            curve, name = _range_curve(self.transfer), f"{name} {_RANGE_NAMES[self.transfer]}"
        else:
            return None
        return _profile(name, curve, None if grey else places, white)


def chunk(points: CodePoints) -> tuple[bytes, bytes]:
    """The type and content of a PNG chunk for red, green and blue in the full range (PNG, third edition, 11.3.2.6)."""
    return b"cICP", bytes((points.primaries, points.transfer, 0, 1))


def of_gamma(gamma: float, places: tuple[float, ...] | None, *, grey: bool) -> bytes | None:
    """A profile for samples that were encoded with the exponent `gamma`, or None if they are sRGB's.

    `places` are x and y of white, red, green and blue.
    """
    white, primaries = ((places[0], places[1]), places[2:]) if places else (_D65, _SRGB_PLACES)
    usual = all(abs(a - b) < 0.01 for a, b in zip((*white, *primaries), (*_D65, *_SRGB_PLACES), strict=True))
    if not 0.05 <= gamma <= 20 or (usual and 0.43 <= gamma <= 0.48):
        return None
    return _profile(f"Gamma {1 / gamma:.3g}", _gamma_curve(1 / gamma), None if grey else primaries, white)


def _gamma_curve(gamma: float) -> bytes:
    return struct.pack(">4sIHHi", b"para", 0, 0, 0, round(gamma * 65_536))


def _srgb_curve() -> bytes:
    values = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
    return struct.pack(">4sIHH5i", b"para", 0, 3, 0, *(round(each * 65_536) for each in values))


@functools.cache
def _range_curve(transfer: int) -> bytes:
    light: Callable[[float], float] = _pq if transfer == 16 else _hlg
    found = []
    for step in range(_STEPS):
        shade = light(step / (_STEPS - 1)) / _WHITE_NITS
        if shade > _KNEE:
            shade = _KNEE + (1 - _KNEE) * (1 - exp((_KNEE - shade) / (1 - _KNEE)))
        found.append(round(65_535 * shade))
    return struct.pack(f">4sII{_STEPS}H", b"curv", 0, _STEPS, *found)


def _pq(sample: float) -> float:
    """The light of a sample in candelas a square metre (SMPTE ST 2084)."""
    root = sample ** (1 / 78.84375)
    return float(10_000 * (max(0.0, root - 0.8359375) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125))


def _hlg(sample: float) -> float:
    """The light of a sample on a screen of 1,000 candelas a square metre (ARIB STD-B67)."""
    scene = sample**2 / 3 if sample <= 0.5 else (exp((sample - 0.55991073) / 0.17883277) + 0.28466892) / 12
    return float(_PEAK_NITS * scene**1.2)


def _xyz(place: tuple[float, float]) -> tuple[float, float, float]:
    x, y = place
    return x / y if y else 0.0, 1.0 if y else 0.0, (1 - x - y) / y if y else 0.0


def _times(matrix: Matrix, vector: tuple[float, ...]) -> tuple[float, float, float]:
    a, b, c = (sum(one * other for one, other in zip(row, vector, strict=True)) for row in matrix)
    return a, b, c


def _inverse(m: Matrix) -> Matrix:
    (a, b, c), (d, e, f), (g, h, i) = m
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    rows = (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    )
    return tuple((x / det, y / det, z / det) for x, y, z in rows)


def _colorants(places: tuple[float, ...], white: tuple[float, float]) -> list[tuple[float, float, float]]:
    """The XYZ of the primaries, adapted to the white of profiles (Bradford, as ICC.1:2010, annex E)."""
    columns = [(x, y, 1 - x - y) for x, y in zip(places[::2], places[1::2], strict=True)]
    scales = _times(_inverse(tuple(zip(*columns, strict=True))), _xyz(white))
    cones, wanted = _times(_BRADFORD, _xyz(white)), _times(_BRADFORD, _D50)
    found = []
    for column, scale in zip(columns, scales, strict=True):
        seen = _times(_BRADFORD, tuple(each * scale for each in column))
        ratio = tuple(each * to / of for each, to, of in zip(seen, wanted, cones, strict=True))
        found.append(_times(_inverse(_BRADFORD), ratio))
    return found


def _profile(name: str, curve: bytes, places: tuple[float, ...] | None, white: tuple[float, float]) -> bytes | None:
    """Return a display profile (4.2) with one curve, in colour if `places` are given; None if these are invalid."""
    tags = {b"desc": _text(name), b"cprt": _text("No copyright"), b"wtpt": _number(_D50)}
    if places is None:
        tags[b"kTRC"] = curve
    else:
        try:
            colorants = _colorants(places, white)
        except ZeroDivisionError:  # primaries in one place
            return None
        if any(abs(each) > 3 for row in colorants for each in row):
            return None
        tags |= {kind: _number(each) for kind, each in zip((b"rXYZ", b"gXYZ", b"bXYZ"), colorants, strict=True)}
        tags |= dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), curve)
    table, body, at = b"", b"", 132 + 12 * len(tags)
    held: dict[bytes, int] = {}
    for kind, data in tags.items():
        if data not in held:
            held[data] = at + len(body)
            body += data + bytes(-len(data) % 4)
        table += struct.pack(">4sII", kind, held[data], len(data))
    head = struct.pack(
        ">I4sI4s4s4s12s4s4sIIIQI12s48x",
        at + len(body), b"", 0x04200000, b"mntr", b"GRAY" if places is None else b"RGB ", b"XYZ ",
        struct.pack(">6H", 2000, 1, 1, 0, 0, 0), b"acsp", b"", 0, 0, 0, 0, 0, _number(_D50)[8:],
    )  # fmt: skip
    return head + struct.pack(">I", len(tags)) + table + body


def _text(text: str) -> bytes:
    data = text.encode("utf-16-be")
    return struct.pack(">4sIII2s2sII", b"mluc", 0, 1, 12, b"en", b"US", len(data), 28) + data


def _number(values: tuple[float, ...]) -> bytes:
    return struct.pack(">4sI3i", b"XYZ ", 0, *(round(each * 65_536) for each in values))
