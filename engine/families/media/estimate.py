"""Estimate how long a conversion takes, from measured rates, to refuse early what can't finish in time."""

from __future__ import annotations

import math
import resource
from collections.abc import Mapping
from typing import Any

from engine.families.media import program
from engine.families.media.streams import Stream
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

UNLIMITED = 160.0
"""Processor seconds a conversion may take if this process has no limit."""
_SAFE = 0.85
"""The share of the available time that may be planned for, as the table is right on average only."""

_DECODING: Mapping[str, float] = {"hevc": 0.006, "av1": 0.006, "vp9": 0.006, "prores": 0.012, "ffv1": 0.02}
"""Processor seconds to decode a megapixel, by codec; _DECODED for others."""
_DECODED = 0.005
_SCALED = 0.002
_ENCODING: Mapping[tuple[str, str], float] = {
    ("h264", "fast"): 0.02,
    ("h264", "medium"): 0.045,
    ("h264", "slow"): 0.085,
    ("hevc", "fast"): 0.025,
    ("hevc", "medium"): 0.06,
    ("hevc", "slow"): 0.16,
    ("vp9", "fast"): 0.12,
    ("vp9", "medium"): 0.15,
    ("vp9", "slow"): 0.25,
    ("av1", "fast"): 0.022,
    ("av1", "medium"): 0.045,
    ("av1", "slow"): 0.09,
    ("gif", "medium"): 0.04,
    ("apng", "medium"): 0.4,
    ("webp", "medium"): 0.11,
}
"""Processor seconds to encode a megapixel of noisy video, as measured by benchmarks/rows/media.py."""
SOUND = 0.02
"""Processor seconds to decode and encode a second of stereo sound with the slowest codecs."""
_HEIGHTS = (1_080, 720, 480, 360, 240, 144)


def budget() -> float:
    """The processor seconds that may be planned for."""
    soft, _ = resource.getrlimit(resource.RLIMIT_CPU)
    return (UNLIMITED if soft == resource.RLIM_INFINITY else float(soft)) * _SAFE * program.threads() / 2


def film(
    stream: Stream, seconds: float, codec: str, preset: str, size: tuple[int, int], rate: float, runs: int
) -> float:
    """The estimated processor seconds to re-encode a film, or only to decode it if the codec has no name."""
    read = stream.width * stream.height * (stream.rate or 25) * seconds / 1e6
    made = size[0] * size[1] * rate * seconds / 1e6
    work = _ENCODING.get((codec, preset)) or _ENCODING.get((codec, "medium"), 0.0)
    scaled = _SCALED * read if size != (stream.width, stream.height) else 0.0
    return runs * (read * _DECODING.get(stream.codec, _DECODED) + scaled + made * work)


def must_fit(work: float, *, seconds: float, height: int, copies: bool, options: Any) -> None:
    """Refuse work that would not finish in time, and suggest options that would. Raises OverLimit."""
    there = budget()
    if work <= there:
        return
    ways = ["videoCodec=copy"] if copies else []
    lower = [each for each in _HEIGHTS if each < height and work * (each / height) ** 2 <= there]
    if lower:
        ways.append(f"height={lower[0]}")
    end = math.floor(getattr(options, "trim_start", 0.0) + seconds * there / work)
    if end > getattr(options, "trim_start", 0.0):
        ways.append(f"trimEnd={end}")
    if getattr(options, "preset", "fast") != "fast":
        ways.append("preset=fast")
    raise OverLimit(
        "too_long",
        say(
            "This would take about {work} seconds, and the limit is {there}. To shorten it: {ways}.",
            work=round(work),
            there=round(there),
            ways=", or ".join(ways),
        ),
        ways,
    )
