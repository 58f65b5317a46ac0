"""Probe audio and video files with ffmpeg: streams and duration."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.families.media import packets, program
from engine.families.media.containers import CONTAINERS
from engine.families.media.packets import Packets
from engine.families.media.streams import Stream, streams_of
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say

_DURATION = re.compile(r"^  Duration: (\d{1,9}):(\d\d):(\d\d(?:\.\d+)?)", re.MULTILINE)
_CHAPTER = re.compile(r"^    Chapter #0:\d+:", re.MULTILINE)
_TAG = r"^{}  (\w[\w .-]*?)\s*: "
_NO_TAGS = {
    "major_brand", "minor_version", "compatible_brands", "encoder", "creation_time", "handler_name", "vendor_id",
    "duration", "side data",
}  # fmt: skip
"""What ffmpeg or a container says of the file itself; Matroska spells these names in capitals."""
_WITHOUT_DURATION = ("aac", "amr", "mpeg", "mpegts", "mpegvideo")
_GUESSED = re.compile(r"^\S[^\n]*Estimating duration from bitrate", re.MULTILINE)
_MISTAKEN = 2.0
"""How far the counted frame rate must exceed the declared one before it is used instead."""


_LISTED = "packets.txt"
_ALL = ("-map", "0:V?", "-map", "0:a?", "-c", "copy")
_COUNT = (*_ALL, "-f", "null", "-")
_LIST = (*_ALL, *program.QUEUE, "-fs", str(packets.MOST), "-f", "framecrc", f"file:{_LISTED}")
"""The arguments that make ffmpeg count the packets of all audio and video streams, and list them."""
_BEGIN = ("-map", "0:V?", "-map", "0:a?", "-t", "0.3", "-frames:v", "1", "-frames:a", "1", "-f", "null", "-")
"""Those that make it also decode the beginning of each, up to its first frame: a second run would take longer to start
than to decode."""
_MAPPED = re.compile(r"^  Stream #0:(\d+) -> #0:(\d+) \(copy\)$", re.MULTILINE)


@dataclass(frozen=True)
class Media:
    """The content of a file; `seconds` is the duration of its packets, `claimed` the declared one, if any."""

    seconds: float
    streams: tuple[Stream, ...]
    chapters: int = 0
    tags: tuple[str, ...] = ()
    demuxer: str = field(default="", compare=False)
    claimed: float | None = None
    error: str = field(default="", compare=False)
    decodes: bool = field(default=False, compare=False)
    """Whether the beginning of each audio and video stream was decoded, if that was tried."""

    @property
    def duration(self) -> float:
        """The seconds from the start of the first picture or sound to the end of the last one; `seconds` is until it is
        decoded."""
        every = [each.counted for each in self.streams if each.counted and each.counted.count]
        if not every:
            return self.seconds
        begins = max(0.0, min(each.begins for each in every))
        return max(each.ends for each in every) - begins

    def first(self, kind: str) -> Stream | None:
        return next((each for each in self.streams if each.kind == kind and not each.cover and each.readable), None)

    def every(self, kind: str) -> tuple[Stream, ...]:
        return tuple(each for each in self.streams if each.kind == kind and not each.cover)

    @property
    def cover(self) -> Stream | None:
        return next(iter(self.covers), None)

    @property
    def covers(self) -> tuple[Stream, ...]:
        return tuple(each for each in self.streams if each.cover)


def demuxer_of(source: Path) -> str:
    """The demuxer of a file: by extension, or by its first bytes for extensions with several formats."""
    name = CONTAINERS[source.suffix[1:]].demuxer
    with source.open("rb") as file:
        head = file.read(12)
    if name == "mpeg" and head[3:4] == b"\xb3":
        return "mpegvideo"
    return name


def probe(source: Path) -> Media:
    """Probe a file; raises Unreadable if it does not match its extension, or has nothing to convert."""
    status = source.stat()
    return _probed(source, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=1)
def _probed(source: Path, changed: int, size: int) -> Media:
    media = _read(source, demuxer_of(source))
    if not any(each.readable and each.kind in ("video", "audio") for each in media.streams):
        raise Unreadable(say("The file has no readable audio or video: {said}.", said=media.error), reason="empty")
    if any(each.width * each.height > program.MOST_PIXELS for each in media.streams):
        raise OverLimit("memory", "The frames are larger than 36 megapixels, which video players don't support.")
    return media


def written(target: Path, demuxer: str, *, decoding: bool = False) -> Media:
    """Read a result, and try to decode its beginning if `decoding`; it may have no streams at all."""
    status = target.stat()
    return _written(target, demuxer, decoding, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=1)
def _written(target: Path, demuxer: str, decoding: bool, changed: int, size: int) -> Media:
    return _read(target, demuxer, *(_BEGIN if decoding else ()))


def _read(path: Path, demuxer: str, *beside: str) -> Media:
    """Read the header of a file, and list its packets without decoding them: their times give the duration, whatever
    the header declares. `beside` are the arguments of another output of the same run."""
    opened = program.reading(demuxer, path.name, decoders=1)  # of one frame at most, for which another is no help
    level = "verbose" if beside else "info"
    counted = program.run(path.parent, [*opened, *_LIST, *beside], fails=True, level=level)
    listed = path.with_name(_LISTED)
    found: Mapping[int, Packets] = {}
    if listed.exists() and listed.stat().st_size >= packets.MOST:
        counted = program.run(path.parent, [*opened, *_COUNT, *beside], fails=True, level=level)
    else:
        found = packets.read(listed)
    listed.unlink(missing_ok=True)
    head = counted.log.partition("\nStream mapping:")[0]
    streams = streams_of(head)
    numbers = {int(source): int(written) for source, written in _MAPPED.findall(counted.log)}
    streams = tuple(replace(each, counted=found.get(numbers.get(each.number, -1))) for each in streams)
    claimed_seconds = _seconds(head)
    claimed = None if demuxer in _WITHOUT_DURATION or _GUESSED.search(head) else claimed_seconds
    ended = max((each.ends for each in found.values()), default=0.0)
    seconds = min(counted.seconds, ended or math.inf) or claimed_seconds or 0.0
    return Media(
        seconds,
        _counted(streams, counted, seconds),
        len(_CHAPTER.findall(head)),
        _tags(head, demuxer),
        demuxer,
        claimed,
        program.reason(head),
        bool(counted.decoded) and all(each.frames for each in counted.decoded),
    )


def _counted(streams: tuple[Stream, ...], counted: program.Run, seconds: float) -> tuple[Stream, ...]:
    """The streams, the first video stream with its actual frame rate if that is far from the declared one."""
    rate = counted.frames / seconds if seconds else 0.0
    first = next((each for each in streams if each.kind == "video" and not each.cover), None)
    if first is None or not 0 < first.rate * _MISTAKEN < rate:
        return streams
    return tuple(replace(each, rate=rate) if each is first else each for each in streams)


def _seconds(log: str) -> float | None:
    found = _DURATION.search(log)
    return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) if found else None


def _tags(log: str, demuxer: str) -> tuple[str, ...]:
    """The names of the file's tags, which Ogg stores in its first stream."""
    indent = "    " if demuxer == "ogg" else "  "
    head = re.split(r"\n  (?:Duration:|  Chapters:|Stream #0:(?!0))", log.partition(f"\n{indent}Metadata:\n")[2])[0]
    names = dict.fromkeys(each.strip() for each in re.findall(_TAG.format(indent), "\n" + head, re.MULTILINE))
    return tuple(each for each in names if each.lower() not in _NO_TAGS)
