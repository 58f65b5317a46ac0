"""The formats of subtitles, and their options: reading and timing."""

from __future__ import annotations

from dataclasses import dataclass

from engine.families.documents.options import EncodingOptions
from engine.toolkit.formats import ASS, SRT, SUB, TTML, VTT
from engine.toolkit.options import option

SUBTITLES = (SRT, VTT, ASS, SUB, TTML)


@dataclass(frozen=True)
class Timing(EncodingOptions):
    """The encoding of the file, and the shift of its times."""

    shift: float = option(
        0.0,
        "Seconds to delay all subtitles; negative values show them earlier.",
        minimum=-86_400,
        maximum=86_400,
        unit="s",
    )


@dataclass(frozen=True)
class FrameRate:
    """The frame rate, for files whose times are frame numbers."""

    fps: float | None = option(
        None,
        "Frames per second of the video, such as 23.976. If not given, the rate in the file, or 25 if it has none.",
        minimum=1,
        maximum=1_000,
        unit="/s",
    )


@dataclass(frozen=True)
class TextTimes:
    """The times shown in plain text."""

    times: bool = option(False, "Put the start time of each subtitle before its text.")
