"""Read the duration that a file declares, even if it is truncated."""

from __future__ import annotations

import re
import struct
from pathlib import Path

from engine.families.media import program
from engine.families.media.probe import Media
from engine.families.media.streams import Stream

_TAIL = 1 << 17
_PEAK = re.compile(r"^\[Parsed_astats_\d+ @ 0x[0-9a-f]+\] (?:Max|Min) level: (-?\d{1,9}\.\d+)", re.MULTILINE)
_ASF_FILE = bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365")
_UNKNOWN = (0, 0xFFFFFFFF)
_LEAST_ALPHA = re.compile(r"^lavfi\.signalstats\.YMIN=(\d{1,9}(?:\.\d+)?)$", re.MULTILINE)
_LISTED = "alpha.txt"
_OPAQUE = 250
"""Alpha, of 255, from which a frame is opaque; lossy codecs are not exact."""
_SAMPLED = "100"
"""Frames that are checked for transparency."""


def of_track(stream: Stream) -> float | None:
    """Return the duration in the tags of a track, in seconds."""
    return stream.declared_seconds


def seconds(source: Path, media: Media) -> float | None:
    """Return the seconds that the file declares in its header, last page or chunks; None if it declares none."""
    found = {"wav": _wave, "avi": _avi, "asf": _asf, "ogg": _ogg}.get(media.demuxer)
    by_structure = found(source, media) if found is not None else None
    # ffmpeg takes the duration of Ogg from its last page, including what is skipped at the beginning, and that of ASF
    # from a header which `_asf` judges: they are no promises.
    claimed = None if media.demuxer in ("asf", "ogg") else media.claimed
    return max((each for each in (claimed, by_structure) if each is not None), default=None)


def _wave(source: Path, media: Media) -> float | None:
    """RIFF: the size of the data chunk divided by the bytes per second."""
    size = source.stat().st_size
    with source.open("rb") as file:
        head = file.read(12)
        if head[:4] != b"RIFF":
            return None
        rate = 0
        while len(chunk := file.read(8)) == 8:
            name, length = chunk[:4], struct.unpack("<I", chunk[4:])[0]
            if name == b"data":
                told = not rate or length in _UNKNOWN or file.tell() + length <= size
                return None if told else length / rate
            start = file.tell()
            if name == b"fmt ":
                form = file.read(16)
                rate = struct.unpack("<I", form[8:12])[0] if len(form) == 16 else 0
            file.seek(start + length + length % 2)
    return None


def _avi(source: Path, media: Media) -> float | None:
    """AVIMAINHEADER: microseconds per frame times frames; used only if the file ends before its chunk does."""
    with source.open("rb") as file:
        head = file.read(1 << 16)
    at = head.find(b"avih")
    if at < 0 or len(head) < at + 28 or struct.unpack("<I", head[4:8])[0] + 8 <= source.stat().st_size:
        return None
    each, count = struct.unpack("<I", head[at + 8 : at + 12])[0], struct.unpack("<I", head[at + 24 : at + 28])[0]
    return float(each * count) / 1e6


def _asf(source: Path, media: Media) -> float | None:
    """File Properties Object: the play duration minus the preroll; only if the file is shorter than the object says.

    Of a whole file it is no promise: encoders state up to half a second more than they have written.
    """
    with source.open("rb") as file:
        head = file.read(1 << 16)
    at = head.find(_ASF_FILE)
    if at < 0 or len(head) < at + 92:
        return None
    (size,) = struct.unpack("<Q", head[at + 40 : at + 48])
    played, _, preroll, flags = struct.unpack("<QQQI", head[at + 64 : at + 92])
    if flags & 1 or size <= source.stat().st_size:  # a broadcast has no sizes
        return None
    return max(0.0, float(played) / 1e7 - float(preroll) / 1e3)


def _ogg(source: Path, media: Media) -> float | None:
    """The granule position of a truncated last page (RFC 3533, 6); only for audio, as video counts frames."""
    sound = media.first("audio")
    if sound is None or media.every("video") or not sound.hertz:
        return None
    size = source.stat().st_size
    with source.open("rb") as file:
        start = max(0, size - _TAIL)
        file.seek(start)
        tail = file.read()
    at = tail.rfind(b"OggS")
    if at < 0 or len(tail) < at + 27 or len(tail) < at + 27 + tail[at + 26]:
        return None
    whole = 27 + tail[at + 26] + sum(tail[at + 27 : at + 27 + tail[at + 26]])
    before = tail.rfind(b"OggS", 0, at)
    if at + whole <= len(tail) or before < 0:
        return None
    goes, went = (struct.unpack("<q", tail[each + 6 : each + 14])[0] for each in (at, before))
    rate = 48_000 if sound.codec == "opus" else sound.hertz
    return media.duration + max(0, goes - max(went, 0)) / rate if goes > 0 else None


def loudest(source: Path, demuxer: str, number: int) -> float:
    """The highest sample value of a track; 1 is full scale."""
    chain = "aformat=sample_fmts=flt,astats=measure_perchannel=none:measure_overall=Max_level+Min_level"
    command = [*program.reading(demuxer, source.name), "-map", f"0:{number}", "-af", chain, "-f", "null", "-"]
    log = program.run(source.parent, command, fails=True, level="info").log
    return max((abs(float(level)) for level in _PEAK.findall(log)), default=0.0)


def seen_through(source: Path, demuxer: str, number: int) -> bool:
    """Return whether any of the first frames of a track has transparent pixels."""
    chain = f"alphaextract,signalstats,metadata=mode=print:key=lavfi.signalstats.YMIN:file={_LISTED}"
    command = [*program.reading(demuxer, source.name), "-map", f"0:{number}", "-vf", chain, "-frames:v", _SAMPLED]
    program.run(source.parent, [*command, "-f", "null", "-"], fails=True, level="info")
    listed = source.with_name(_LISTED)
    found = _LEAST_ALPHA.findall(listed.read_text("utf-8")) if listed.exists() else []
    listed.unlink(missing_ok=True)
    return any(float(least) < _OPAQUE for least in found)
