"""Timing: which part of a file is converted, and how long that is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conversions.families.media.probe import Media, probe
from conversions.toolkit.failures import InvalidOption

_SHORTEST = 0.01


@dataclass(frozen=True)
class Part:
    """The part from `start`, `seconds` of it (0: not known), of the input's own time; `whole` where nothing is cut."""

    start: float
    seconds: float
    whole: bool

    @property
    def end(self) -> float:
        return self.start + self.seconds


def part_of(media: Media, options: Any) -> Part:
    """The part that the options ask for; raises InvalidOption where there is nothing in it."""
    start, end = options.trim_start, options.trim_end
    if media.seconds and start >= media.seconds:
        raise InvalidOption("trimStart", f"The file is {media.seconds:.2f} seconds long.")
    if end is not None and end <= start + _SHORTEST:
        raise InvalidOption("trimEnd", "It has to be after trimStart.")
    last = media.seconds if end is None else min(end, media.seconds or end)
    return Part(
        start, max(0.0, last - start), start == 0 and (end is None or (bool(media.seconds) and end >= media.seconds))
    )


def seconds_of(source: Path, options: Any) -> float:
    """How many seconds of the file the options take on; see probe() and part_of() for what is raised."""
    media = probe(source)
    if hasattr(options, "every") and options.every is None and not options.contact_sheet:
        return 1.0  # one picture is as much work at any place of a film
    times = max(1, getattr(options, "loop", 1)) if hasattr(options, "video_codec") else 1
    return (part_of(media, options).seconds if hasattr(options, "trim_start") else media.seconds) * times
