"""ffmpeg: a program of its own, told what it may read, and held to it."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from conversions.families.media.containers import DECODERS
from conversions.families.media.options import PROGRAM
from conversions.toolkit import programs
from conversions.toolkit.failures import OverLimit, Unreadable

MOST_STREAMS = 64
MOST_PIXELS = 36_000_000
"""Of one picture: 8K (7,680 x 4,320) and a little more."""
_LARGEST_BLOCK = 600_000_000
_LONGEST_NAME = 40
_OUT_OF_MEMORY = re.compile(r"Cannot allocate memory|malloc of size|Out of memory|failed to allocate", re.IGNORECASE)
_NO_ROOM = re.compile(r"No space left on device|File too large")


_UNOPENED = re.compile(r"Error while opening encoder")


class Refused(Unreadable):
    """An encoder does not take what it is asked for: such a rate, such a size."""


def threads() -> int:
    """How many threads the work may use: as many as there are processors, two at most."""
    return min(2, len(os.sched_getaffinity(0)))


def reading(demuxer: str, name: str, *before: str) -> list[str]:
    """The arguments that open one file, as this format and no other, and none that it may name."""
    allowed = ["-protocol_whitelist", "file,pipe", "-format_whitelist", demuxer, "-codec_whitelist", DECODERS]
    bounds = ["-max_streams", str(MOST_STREAMS), "-max_pixels", str(MOST_PIXELS), "-threads", str(threads())]
    # Packets of old formats may come without the time at which they are shown, and copies need it.
    before = ("-fflags", "+genpts", *before) if demuxer in ("mpeg", "mpegts", "mpegvideo", "avi") else before
    return [*before, *allowed, *bounds, "-f", demuxer, "-i", f"file:{name}"]


def run(
    folder: Path,
    arguments: Sequence[str],
    *,
    seconds: float | None = None,
    heard: Callable[[float], None] = lambda done: None,
    fails: bool = False,
) -> str:
    """Run ffmpeg in `folder`, and return what it said.

    `heard` is told how much of a work of `seconds` is done, from 0 to 1. Raises Unreadable for input that it can't read
    (unless it `fails` anyway), and OverLimit for what takes more memory or time than a conversion may.
    """
    if PROGRAM is None:
        raise FileNotFoundError("ffmpeg")

    def hear(line: str) -> None:
        name, _, value = line.partition("=")
        if name == "out_time_us" and seconds and value.lstrip("-").isdigit():
            heard(min(1.0, max(0.0, int(value) / 1e6 / seconds)))

    fixed = ["-hide_banner", "-nostdin", "-nostats", "-y", "-loglevel", "info", "-max_alloc", str(_LARGEST_BLOCK)]
    status, said = programs.run(PROGRAM, [*fixed, "-progress", "pipe:1", *arguments], folder=folder, hear=hear)
    if status and not fails:
        raise _failure(status, said)
    return said


def _failure(status: int, said: str) -> Exception:
    if _OUT_OF_MEMORY.search(said) or status == -9:
        return OverLimit("memory", "The file needs more memory than a conversion may take.")
    if _NO_ROOM.search(said):
        return OSError(errno.ENOSPC if "space" in said else errno.EFBIG, "there is no room for the result")
    if _UNOPENED.search(said):
        return Refused("The output can't be coded like this: choose other options of sound and size.")
    return Unreadable(f"The file can't be read to its end: {reason(said)}.")


_REASONS = (
    (re.compile(r"moov atom not found"), "its index is missing, as of a file that was cut off"),
    (re.compile(r"[Ee]ncrypt|DRM|decryption"), "it is encrypted"),
    (re.compile(r"not on whitelist"), "it is coded in a way that is not read here"),
)


def reason(said: str) -> str:
    """Why ffmpeg could not read a file, in words for whoever sent it: its own name files and places in its memory."""
    return next(
        (text for pattern, text in _REASONS if pattern.search(said)), "it is damaged, or not what its name says"
    )
