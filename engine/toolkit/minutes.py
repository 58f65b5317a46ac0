"""Billable minutes of audio and video: each started minute counts."""

from __future__ import annotations

import math

PADDING = 0.3
"""Seconds beyond a full minute that are not billed, as codecs pad their frames with silence. The most is two frames of
AAC at the lowest sample rate: 2 x 1,024 / 8,000 = 0.256 s. A minute at 8,000 samples a second, encoded by ffmpeg, came
to 60.19 s in MP3 without a Xing header and 60.16 s in AAC in ADTS."""
MOST = 60 * 24 * 7
"""Maximum minutes of one file: a few hundred kilobytes can hold years of silence."""
_SECONDS = 60


def started_minutes(seconds: float) -> int:
    """The number of started minutes, at least one."""
    return max(1, math.ceil((seconds - PADDING) / _SECONDS))


def end_of(minutes: int) -> float:
    """The last second that this many minutes include."""
    return minutes * _SECONDS + PADDING
