"""The part of a file to convert, and its duration."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.families.media.probe import Media, probe
from engine.toolkit import minutes
from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_SHORTEST = 0.01
_OVER = 1.0
"""Seconds by which a result may exceed the plan: codec padding and the duration of one frame."""


@dataclass(frozen=True)
class Part:
    """`seconds` (0: unknown) of the input from `start`, in input time; `whole` if nothing is cut."""

    start: float
    seconds: float
    whole: bool

    @property
    def end(self) -> float:
        return self.start + self.seconds


def part_of(media: Media, options: Any) -> Part:
    """The part the options select; raises InvalidOption if it is empty."""
    start, end = options.trim_start, options.trim_end
    if media.seconds and start >= media.seconds:
        raise InvalidOption("trimStart", say("The file is {seconds} seconds long.", seconds=f"{media.seconds:.2f}"))
    if end is not None and end <= start + _SHORTEST:
        raise InvalidOption("trimEnd", "It must be after trimStart.")
    last = media.seconds if end is None else min(end, media.seconds or end)
    return Part(
        start, max(0.0, last - start), start == 0 and (end is None or (bool(media.seconds) and end >= media.seconds))
    )


def played(part: Part, options: Any) -> float:
    """The output seconds that the options make of a part."""
    return float(part.seconds * getattr(options, "loop", 1) / options.speed)


def seconds_of(source: Path, options: Any) -> float:
    """The seconds to be written, or processed if the output has no duration. See probe() and part_of() for the errors
    raised."""
    media = probe(source)
    if hasattr(options, "every") and options.every is None and not options.contact_sheet:
        return 1.0  # extracting one frame costs the same anywhere in the film
    if not hasattr(options, "trim_start"):
        return media.seconds
    part = part_of(media, options)
    return played(part, options) if hasattr(options, "speed") else part.seconds


def last_second(planned: float) -> float:
    """The end of the last paid minute, after which nothing is written."""
    return minutes.end_of(minutes.started_minutes(planned))


def until_paid(planned: float) -> list[str]:
    """The arguments that end an output with the last paid minute."""
    return ["-t", f"{last_second(planned):.3f}"]


def report_minutes(written: float, warn: Warn) -> None:
    """Report the number of minutes written."""
    warn.detect(minutes=minutes.started_minutes(written))


def check_sound(written: float, planned: float, warn: Warn) -> None:
    """Detect packets with more audio than their timestamps cover, a sign of forgery.

    Raises Unreadable if such a file was copied, and warns if its audio was cut off at the paid minute.
    """
    if written - planned <= _OVER:
        return
    if written - last_second(planned) > _OVER:
        raise Unreadable("The file is damaged: it has more audio than its timestamps cover.", reason="damaged")
    if written > last_second(planned) - _OVER:
        warn(
            "CONTENT_DROPPED",
            say(
                "The audio timestamps cover {planned} seconds; audio beyond that was left out.",
                planned=round(planned),
            ),
        )
