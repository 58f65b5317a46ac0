"""Encoder settings for a quality, size and speed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.families.media import program
from engine.families.media.containers import VIDEO_ENCODERS
from engine.families.media.streams import Stream

TWICE = ("h264", "vp9")
"""Codecs that need two passes to reach a target size."""
_PACES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    # Half of x264's usual lookahead is as good, and saves 130 MB at 1080p.
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
    """The encoder and its speed."""
    found = ["-c:v", VIDEO_ENCODERS[codec], *_PACES[codec][options.preset]]
    if codec == "hevc":
        found += ["-x265-params", f"log-level=error:pools={program.threads()}:frame-threads=1"]
    elif codec == "vp9":
        found += ["-row-mt", "1"]
    elif codec == "av1":
        found += ["-svtav1-params", f"lp={program.threads()}"]
    return found


def quality(codec: str, options: Any) -> list[str]:
    """The requested quality, or the default."""
    value = min(_USUAL[codec] if options.crf is None else options.crf, _MOST[codec])
    return ["-crf", str(value), *(["-b:v", "0"] if codec == "vp9" else [])]


def rate(codec: str, bits: float) -> list[str]:
    """An average bit rate."""
    found = ["-b:v", f"{bits:.0f}"]
    if codec in ("h264", "hevc"):
        found += ["-maxrate", f"{bits * 2:.0f}", "-bufsize", f"{bits * 4:.0f}"]
    return found


def pixels(codec: str, stream: Stream) -> str:
    """The pixel format to write: one every player supports, with ten bits if the codec has them."""
    deep = "10" in stream.pixels or "12" in stream.pixels
    return "yuv420p10le" if deep and codec in ("hevc", "av1", "vp9") else "yuv420p"
