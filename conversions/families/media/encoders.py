"""Encoders of pictures: what each is told for a quality, a size and a pace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conversions.families.media import program
from conversions.families.media.containers import VIDEO_ENCODERS
from conversions.families.media.probe import Stream

TWICE = ("h264", "vp9")
"""Codecs whose encoders look at all of a film first where a size is asked for."""
_PACES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    # Half of the pictures that x264 looks ahead are as good, in 130 MB less at 1080p.
    "h264": {
        "fast": ("-preset", "veryfast"),
        "medium": ("-preset", "medium", "-rc-lookahead", "20"),
        "slow": ("-preset", "slow", "-rc-lookahead", "25"),
    },
    "hevc": {"fast": ("-preset", "ultrafast"), "medium": ("-preset", "fast"), "slow": ("-preset", "medium")},
    "vp9": {
        "fast": ("-deadline", "good", "-cpu-used", "8"),
        "medium": ("-deadline", "good", "-cpu-used", "5"),
        "slow": ("-deadline", "good", "-cpu-used", "3"),
    },
    "av1": {"fast": ("-preset", "12"), "medium": ("-preset", "9"), "slow": ("-preset", "7")},
}
_USUAL = {"h264": 23, "hevc": 28, "vp9": 31, "av1": 35}
_MOST = {"h264": 51, "hevc": 51, "vp9": 63, "av1": 63}


def arguments(codec: str, options: Any) -> list[str]:
    """The encoder and its pace."""
    found = ["-c:v", VIDEO_ENCODERS[codec], *_PACES[codec][options.preset]]
    if codec == "hevc":
        found += ["-x265-params", f"log-level=error:pools={program.threads()}:frame-threads=1"]
    elif codec == "vp9":
        found += ["-row-mt", "1"]
    elif codec == "av1":
        found += ["-svtav1-params", f"lp={program.threads()}"]
    return found


def quality(codec: str, options: Any) -> list[str]:
    """The quality that is asked for, or the usual one."""
    value = min(_USUAL[codec] if options.crf is None else options.crf, _MOST[codec])
    return ["-crf", str(value), *(["-b:v", "0"] if codec == "vp9" else [])]


def rate(codec: str, bits: float) -> list[str]:
    """So many bits a second on average."""
    found = ["-b:v", f"{bits:.0f}"]
    if codec in ("h264", "hevc"):
        found += ["-maxrate", f"{bits * 2:.0f}", "-bufsize", f"{bits * 4:.0f}"]
    return found


def pixels(codec: str, stream: Stream) -> str:
    """The layout of the pixels that is written: what every player takes, with ten bits where the codec has them."""
    deep = "10" in stream.pixels or "12" in stream.pixels
    return "yuv420p10le" if deep and codec in ("hevc", "av1", "vp9") else "yuv420p"
