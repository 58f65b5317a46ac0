"""Parse ffmpeg's report on each stream of a file."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from engine.families.media.packets import Packets

_STREAM = re.compile(
    r"^  Stream #0:(\d{1,4})(?:\[0x[0-9a-f]+\])?(?:\(([^)]*)\))?: (Video|Audio|Subtitle|Data|Attachment): (\w+)(.*)$"
)
_SIZE = re.compile(r"[ ,](\d{1,6})x(\d{1,6})[ ,\[]")
_RATE = re.compile(r", (\d{1,9}(?:\.\d+)?k?) fps")
_TBR = re.compile(r", (\d{1,9}(?:\.\d+)?k?) tbr")
_HERTZ = re.compile(r", (\d{1,9}) Hz(?:, ([^,]+))?(?:, ([a-z0-9]+(?: \(\d+ bit\))?))?")
_BITRATE = re.compile(r", (\d{1,9}) kb/s")
_ROTATION = re.compile(r"displaymatrix: rotation of (-?\d{1,9}(?:\.\d+)?) degrees")
_CHANNELS = {"mono": 1, "stereo": 2, "downmix": 2, "quad": 4, "hexagonal": 6, "octagonal": 8, "cube": 8}
_COLOURS = re.compile(r"^\((?:[^()]*, )?[\w-]+/[\w-]+/([\w-]+)")
HDR = ("smpte2084", "arib-std-b67")
"""The transfer functions of high dynamic range: PQ and HLG (ITU-R BT.2100)."""
_DURATION_TAG = re.compile(r"^      DURATION(?:-\w+)? *: (\d{1,6}):(\d\d):(\d\d(?:\.\d+)?)")
_ALPHA = re.compile(r"^      alpha_mode *: 1$", re.IGNORECASE)
_WOVEN = re.compile(r", (?:top|bottom) (?:coded )?first")
_CLEAR = re.compile(r"rgba|bgra|argb|abgr|yuva|gbrap|ya8|ya16|pal8")
_DEEP = re.compile(r"(?:p|gray|gbrp|gbrap|ya)(9|10|12|14|16)(?:le|be)$|(?:rgb|bgr)(48)|(?:rgba|bgra)(64)")


@dataclass(frozen=True)
class Stream:
    """One stream: `number` is its index in the file, `kind` video, audio or subtitle, `codec` ffmpeg's name.

    `declared_seconds` is the duration in its tags, `counted` its packets, `frame_rate` the frames per second that
    ffmpeg encodes it by. An `interlaced` stream may have a packet for each field. `titles` is a text track beside the
    pictures, in which QuickTime keeps the titles of chapters.
    """

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
    rotation: float = 0.0
    readable: bool = True
    transfer: str = ""
    layered: bool = False
    frame_rate: float = 0.0
    interlaced: bool = False
    titles: bool = False
    declared_seconds: float | None = None
    counted: Packets | None = None

    @property
    def clear(self) -> bool:
        """Whether the pictures can be transparent; `layered` means that a second video holds their opacity, as in
        VP9."""
        return self.layered or bool(_CLEAR.match(self.pixels))

    @property
    def depth(self) -> int:
        """The bits per colour of a pixel, or per sample of sound; 0 for codecs without a fixed number."""
        if self.kind == "video":
            found = _DEEP.search(self.pixels)
            bits = next((int(each) for each in found.groups() if each), 8) if found else 8
            return {48: 16, 64: 16}.get(bits, bits)
        if declared := re.search(r"\((\d+) bit\)", self.samples):
            return int(declared[1])
        kind = self.samples.partition(" ")[0].rstrip("p")
        return {"u8": 8, "s16": 16, "s32": 32, "flt": 24, "dbl": 53}.get(kind, 0)


def streams_of(log: str) -> tuple[Stream, ...]:
    found: list[Stream] = []
    for line in log.split("\n"):  # a tag may have other line separators
        if line.startswith("Output #"):
            break
        match = _STREAM.match(line)
        if match:
            found.append(_stream(match))
        elif found and (rotation := _ROTATION.search(line)):
            last = found[-1]
            found[-1] = replace(last, rotation=float(rotation[1]))
        elif found and (lasts := _DURATION_TAG.match(line)):
            found[-1] = replace(found[-1], declared_seconds=int(lasts[1]) * 3600 + int(lasts[2]) * 60 + float(lasts[3]))
        elif found and _ALPHA.match(line):
            found[-1] = replace(found[-1], layered=True)
    return tuple(found)


def _stream(match: re.Match[str]) -> Stream:
    number, language, kind, codec, rest = int(match[1]), match[2], match[3].lower(), match[4], match[5] + " "
    bits = _BITRATE.search(rest)
    values: dict[str, object] = {"kilobits": int(bits[1]) if bits else 0}
    if kind == "video":
        size, beat = _SIZE.search(rest), _TBR.search(rest)
        rate = _RATE.search(rest) or beat
        pixels = re.search(r", ([a-z][a-z0-9]+)(?=\(|,| )", rest)
        colours = _COLOURS.match(rest[pixels.end() :]) if pixels else None
        values |= {
            "width": int(size[1]) if size else 0,
            "height": int(size[2]) if size else 0,
            "rate": _number(rate[1]) if rate else 0.0,
            "frame_rate": _number(beat[1]) if beat else 0.0,
            "interlaced": bool(_WOVEN.search(rest)),
            "pixels": pixels[1] if pixels else "",
            "transfer": colours[1] if colours else "",
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
    elif kind == "data":
        values["titles"] = rest.startswith(" (text / ")
    return Stream(number, kind, codec, None if language in (None, "und") else language, **values)  # type: ignore[arg-type]


def channels_of(layout: str) -> int:
    """The number of channels of a layout, such as 6 for `5.1(side)` or `6 channels`."""
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
