"""Probing: what a file of sound or film holds, as ffmpeg says it, and how long it is."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from pathlib import Path

from conversions.families.media import program
from conversions.families.media.containers import CONTAINERS
from conversions.toolkit.failures import OverLimit, Unreadable

_STREAM = re.compile(
    r"^  Stream #0:(\d+)(?:\[0x[0-9a-f]+\])?(?:\(([^)]*)\))?: (Video|Audio|Subtitle|Data|Attachment): (\w+)(.*)$"
)
_DURATION = re.compile(r"^  Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)", re.MULTILINE)
_SIZE = re.compile(r"[ ,](\d{1,6})x(\d{1,6})[ ,\[]")
_RATE = re.compile(r", (\d+(?:\.\d+)?k?) fps")
_TBR = re.compile(r", (\d+(?:\.\d+)?k?) tbr")
_HERTZ = re.compile(r", (\d+) Hz(?:, ([^,]+))?(?:, ([a-z0-9]+))?")
_BITRATE = re.compile(r", (\d+) kb/s")
_CHAPTER = re.compile(r"^    Chapter #0:\d+:", re.MULTILINE)
_ROTATION = re.compile(r"displaymatrix: rotation of (-?\d+(?:\.\d+)?) degrees")
_TAG = r"^{}  (\w[\w .-]*?)\s*: "
_CHANNELS = {"mono": 1, "stereo": 2, "downmix": 2, "quad": 4, "hexagonal": 6, "octagonal": 8, "cube": 8}
_NO_TAGS = {
    "major_brand", "minor_version", "compatible_brands", "encoder", "creation_time", "handler_name", "vendor_id",
    "Duration", "Side data",
}  # fmt: skip
_TELLS_NO_LENGTH = ("aac", "amr", "mp3", "mpeg", "mpegts")


@dataclass(frozen=True)
class Stream:
    """One track: `number` is its place in the file, `kind` video, audio or subtitle, `codec` as ffmpeg calls it."""

    number: int
    kind: str
    codec: str
    language: str | None = None
    width: int = 0
    height: int = 0
    rate: float = 0.0
    pixels: str = ""
    hertz: int = 0
    channels: int = 0
    layout: str = ""
    samples: str = ""
    kilobits: int = 0
    cover: bool = False
    turned: float = 0.0
    readable: bool = True


@dataclass(frozen=True)
class Media:
    """What a file holds; `seconds` is its length, 0 where it says none."""

    seconds: float
    streams: tuple[Stream, ...]
    chapters: int = 0
    tags: tuple[str, ...] = ()
    demuxer: str = field(default="", compare=False)

    def first(self, kind: str) -> Stream | None:
        return next((each for each in self.streams if each.kind == kind and not each.cover and each.readable), None)

    def every(self, kind: str) -> tuple[Stream, ...]:
        return tuple(each for each in self.streams if each.kind == kind and not each.cover)

    @property
    def cover(self) -> Stream | None:
        return next((each for each in self.streams if each.cover), None)


def demuxer_of(source: Path) -> str:
    """What reads the file: what its extension says, but where files of one name differ in their first bytes."""
    name = CONTAINERS[source.suffix[1:]].demuxer
    with source.open("rb") as file:
        head = file.read(12)
    if name == "mpeg" and head[3:4] == b"\xb3":
        return "mpegvideo"
    return name


def probe(source: Path) -> Media:
    """What the file holds; raises Unreadable for one that is not what it is called, or has nothing to convert."""
    status = source.stat()
    return _probed(source, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=1)
def _probed(source: Path, changed: int, size: int) -> Media:
    demuxer = demuxer_of(source)
    opened = program.reading(demuxer, source.name)
    said = program.run(source.parent, opened, fails=True)
    streams, chapters, tags = _streams(said), len(_CHAPTER.findall(said)), _tags(said, demuxer)
    if not any(each.readable and each.kind in ("video", "audio") for each in streams):
        raise Unreadable(f"The file holds no sound or film that can be read: {program.reason(said)}.")
    if any(each.width * each.height > program.MOST_PIXELS for each in streams):
        raise OverLimit("memory", "The pictures are larger than 36 megapixels: nothing that plays films takes them.")
    seconds = _seconds(said)
    if seconds is None or demuxer in _TELLS_NO_LENGTH:
        measured = _measured(source, opened)
        seconds = measured or seconds or 0.0
    return Media(seconds, streams, chapters, tags, demuxer)


def _seconds(said: str) -> float | None:
    found = _DURATION.search(said)
    return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) if found else None


def _measured(source: Path, opened: list[str]) -> float:
    """The length that the packets have together, where the head of a file does not say it, or guesses."""
    reached = [0.0]

    def hear(done: float) -> None:
        reached[0] = max(reached[0], done)

    day = 86_400.0
    maps = ["-map", "0:a:0?", "-map", "0:V:0?"]
    program.run(source.parent, [*opened, *maps, "-c", "copy", "-f", "null", "-"], seconds=day, heard=hear, fails=True)
    return reached[0] * day


def _streams(said: str) -> tuple[Stream, ...]:
    found: list[Stream] = []
    for line in said.splitlines():
        if line.startswith(("Output #", "Stream mapping")):
            break
        told = _STREAM.match(line)
        if told:
            found.append(_stream(told))
        elif found and (turned := _ROTATION.search(line)):
            last = found[-1]
            found[-1] = Stream(**{**last.__dict__, "turned": float(turned[1])})
    return tuple(found)


def _stream(told: re.Match[str]) -> Stream:
    number, language, kind, codec, rest = int(told[1]), told[2], told[3].lower(), told[4], told[5] + " "
    bits = _BITRATE.search(rest)
    values: dict[str, object] = {"kilobits": int(bits[1]) if bits else 0}
    if kind == "video":
        size, rate = _SIZE.search(rest), _RATE.search(rest) or _TBR.search(rest)
        pixels = re.search(r", ([a-z][a-z0-9]+)(?:\(|,| )", rest)
        values |= {
            "width": int(size[1]) if size else 0,
            "height": int(size[2]) if size else 0,
            "rate": _number(rate[1]) if rate else 0.0,
            "pixels": pixels[1] if pixels else "",
            "cover": "(attached pic)" in rest,
            "readable": size is not None,
        }
    elif kind == "audio":
        hertz = _HERTZ.search(rest)
        layout = (hertz[2] or "").strip() if hertz else ""
        values |= {
            "hertz": int(hertz[1]) if hertz else 0,
            "channels": channels_of(layout),
            "layout": layout,
            "samples": (hertz[3] or "") if hertz else "",
            "readable": hertz is not None and int(hertz[1]) > 0,
        }
    return Stream(number, kind, codec, None if language in (None, "und") else language, **values)  # type: ignore[arg-type]


def channels_of(layout: str) -> int:
    """How many channels a layout has, such as 6 for `5.1(side)` or `6 channels`."""
    name = layout.partition("(")[0].strip()
    if name in _CHANNELS:
        return _CHANNELS[name]
    if counted := re.match(r"(\d+) channels", name):
        return int(counted[1])
    if re.fullmatch(r"\d+(\.\d+){1,2}", name):
        return sum(int(each) for each in name.split("."))
    return 0


def _number(text: str) -> float:
    return float(text[:-1]) * 1000 if text.endswith("k") else float(text)


def _tags(said: str, demuxer: str) -> tuple[str, ...]:
    """The names of what the file says of itself as a whole, which Ogg says with its first stream."""
    indent = "    " if demuxer == "ogg" else "  "
    head = re.split(r"\n  (?:Duration:|  Chapters:|Stream #0:(?!0))", said.partition(f"\n{indent}Metadata:\n")[2])[0]
    names = dict.fromkeys(each.strip() for each in re.findall(_TAG.format(indent), "\n" + head, re.MULTILINE))
    return tuple(each for each in names if each not in _NO_TAGS)
