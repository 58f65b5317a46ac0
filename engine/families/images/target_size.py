"""Find the best quality for a maximum file size, in a bounded number of attempts."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from pathlib import Path

from engine.families.images.coding import Coding, Movie
from engine.families.images.metadata import Metadata
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

SEARCHED = {"jpg", "webp", "avif", "heic"}
"""Formats with a quality setting."""

_SECONDS = {
    "jpg": {"fast": 0.03, "balanced": 0.03, "small": 0.08},
    "webp": {"fast": 0.06, "balanced": 0.12, "small": 0.35},
    "avif": {"fast": 0.08, "balanced": 0.12, "small": 0.4},
    "heic": {"fast": 0.13, "balanced": 0.3, "small": 0.8},
}
"""The approximate seconds per megapixel: the number of tries must not depend on the machine's load."""

_WORK = 14.0
_TRIES = 8
_CLOSE = 0.97
_SLOPE = 0.035
"""The typical growth of the logarithm of the size per step of the quality, until two sizes are known."""

Write = Callable[[Movie, Path, Coding, Metadata, Warn], None]


def search(write: Write, movie: Movie, target: Path, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    """Write `movie` with the best quality, at most `coding.quality`, that meets `coding.target_size` kilobytes.

    If none does, the smallest file stays, with a warning. Raises InvalidOption for a lossless coding.
    """
    if coding.lossless:
        raise InvalidOption(
            "targetSize", "Lossless pictures have no quality to lower. Turn off lossless or the target size."
        )
    assert coding.target_size is not None
    limit = coding.target_size * 1000
    best, attempt = target.with_name("best" + target.suffix), Warn()
    sizes: dict[int, int] = {}
    tries = _tries(movie, target.suffix[1:], coding)
    quality: int | None = coding.quality
    while quality is not None:
        write(movie, target, dataclasses.replace(coding, quality=quality), metadata, attempt)
        sizes[quality] = target.stat().st_size
        met = [each for each, size in sizes.items() if size <= limit]
        if (met and quality == max(met)) or (not met and sizes[quality] == min(sizes.values())):
            target.replace(best)
        quality = _next(sizes, limit, coding.quality, tries - len(sizes))
    best.replace(target)
    for each in attempt.warnings:
        warn(each.code, each.message)
    if target.stat().st_size > limit:
        warn(
            "SIZE_MISSED",
            say(
                "Even at the lowest quality, the file has {st_size} kilobytes instead of {target_size}. "
                "Set a smaller width.",
                st_size=math.ceil(target.stat().st_size / 1000),
                target_size=coding.target_size,
            ),
        )


def _tries(movie: Movie, format: str, coding: Coding) -> int:
    millions = sum(frame.width * frame.height for frame in movie.frames) / 1e6
    return max(3, min(_TRIES, int(_WORK / (millions * _SECONDS[format][coding.effort] + 0.001))))


def _next(sizes: dict[int, int], limit: int, most: int, left: int) -> int | None:
    """The quality to try next, or None if the best is found or `left` is 0; the last try is the lowest one."""
    low = max((each for each, size in sizes.items() if size <= limit), default=0)
    high = min((each for each, size in sizes.items() if size > limit and each > low), default=most + 1)
    if high - low <= 1 or (low and sizes[low] >= _CLOSE * limit) or left <= 0:
        return None
    if left == 1 and not low:
        return 1
    above = [each for each in sorted(sizes) if each >= high][:2]
    slope = _SLOPE
    if low:
        slope = (math.log(sizes[high]) - math.log(sizes[low])) / (high - low)
    elif len(above) == 2:
        slope = (math.log(sizes[above[1]]) - math.log(sizes[above[0]])) / (above[1] - above[0])
    guess = high - math.ceil((math.log(sizes[high]) - math.log(limit)) / max(slope, 0.001))
    # Interpolation alone can creep: a step is at least an eighth of the interval.
    edge = (high - low) // 8
    return (
        min(high - 1 - edge * bool(not low), max(low + 1 + edge * bool(low), guess))
        if low
        else max(1, min(high - 1, guess))
    )
