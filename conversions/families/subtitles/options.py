"""What a conversion of subtitles is told: how the file is read, and when its subtitles are shown."""

from __future__ import annotations

from dataclasses import dataclass

from conversions.families.documents.options import EncodingOptions
from conversions.toolkit.options import option


@dataclass(frozen=True)
class Timing(EncodingOptions):
    """How the bytes are read, and how far the times are moved."""

    shift: float = option(
        0.0,
        "Seconds by which every subtitle is shown later; less than 0 for earlier.",
        minimum=-86_400,
        maximum=86_400,
        unit="s",
    )


@dataclass(frozen=True)
class FrameRate:
    """For files whose times are numbers of frames."""

    fps: float | None = option(
        None,
        "Frames per second of the video, such as 23.976. Left out, it is what the file says of itself, and 25 where "
        "the file counts none.",
        minimum=1,
        maximum=1_000,
        unit="/s",
    )


@dataclass(frozen=True)
class TextTimes:
    """What a plain text shows of the times."""

    times: bool = option(False, "Put the time at which a subtitle appears before its text.")
