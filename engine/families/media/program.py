"""Run ffmpeg, restricted in what it may read."""

from __future__ import annotations

import errno
import os
import re
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.families.media.containers import DECODERS
from engine.families.media.options import PROGRAM
from engine.toolkit import programs
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say

MOST_STREAMS = 64
MOST_PIXELS = 36_000_000
"""Pixels of one frame: slightly above 8K (7,680 x 4,320)."""
_LARGEST_BLOCK = 600_000_000
_OWN = r"^\S[^\n]*"
"""The start of a line in ffmpeg's own words: it indents the tags of a file."""
_OUT_OF_MEMORY = re.compile(
    _OWN + r"(?:Cannot allocate memory|malloc of size|Out of memory|failed to allocate)", re.IGNORECASE | re.MULTILINE
)
_ENDED_BY = {256 - number: number for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.ENOMEM)}
"""The exit statuses for errors of the system: the lowest byte of the negative number."""
_UNOPENED = re.compile(_OWN + r"Error while opening encoder", re.MULTILINE)
_DECODED = re.compile(
    r"^\[[^\n]*\]   Input stream #0:(\d+) \((\w+)\): (\d{1,12}) packets read \(\d+ bytes\); (\d{1,12}) frames decoded"
    r"(?:; (\d{1,12}) decode errors)?",
    re.MULTILINE,
)
QUEUE = ("-thread_queue_size", "32")
"""The number of packets queued for output if nothing is encoded: with ffmpeg's default of 8, an hour of film takes half
as much processor time again, as two threads wake each other for each packet."""


class Refused(Unreadable):
    """An encoder rejects its settings, such as a sample rate or a frame size."""


@dataclass(frozen=True)
class Decoded:
    """The result of decoding a stream: `number` is its index in the file, `errors` the packets that could not be
    decoded."""

    number: int
    kind: str
    packets: int
    frames: int
    errors: int


@dataclass(frozen=True)
class Run:
    """The output of a run, and the `seconds` and `frames` it wrote, counted by packet."""

    log: str
    seconds: float
    frames: int

    @property
    def decoded(self) -> tuple[Decoded, ...]:
        """The streams of the first input that were decoded."""
        head = self.log.rpartition("Input file #0 (")[2].partition("Input file #1 (")[0]
        return tuple(
            Decoded(int(number), kind, *(int(each or 0) for each in counts))
            for number, kind, *counts in _DECODED.findall(head)
        )


def threads() -> int:
    """The number of threads: one per processor, at most two."""
    return min(2, len(os.sched_getaffinity(0)))


def reading(demuxer: str, name: str, *before: str, decoders: int | None = None) -> list[str]:
    """The arguments that open one file in this format only, and no file that it references.

    `decoders` is the number of threads that decode a stream, if not `threads()`.
    """
    allowed = ["-protocol_whitelist", "file,pipe", "-format_whitelist", demuxer, "-codec_whitelist", DECODERS]
    bounds = [
        "-max_streams",
        str(MOST_STREAMS),
        "-max_pixels",
        str(MOST_PIXELS),
        "-threads",
        str(decoders or threads()),
    ]
    # Packets of old formats may lack presentation times, which stream copies require.
    before = ("-fflags", "+genpts", *before) if demuxer in ("mpeg", "mpegts", "mpegvideo", "avi") else before
    return [*before, *allowed, *bounds, "-f", demuxer, "-i", f"file:{name}"]


def run(
    folder: Path,
    arguments: Sequence[str],
    *,
    on_progress: Callable[[float], None] = lambda seconds: None,
    fails: bool = False,
    level: str = "verbose",
) -> Run:
    """Run ffmpeg in `folder`.

    `on_progress` receives the number of seconds written; `level` is how much ffmpeg says. Raises Unreadable for input
    it can't read (unless `fails`), and OverLimit for work that takes more memory or time than allowed.
    """
    if PROGRAM is None:
        raise FileNotFoundError("ffmpeg")

    counted = {"out_time_us": 0, "frame": 0}

    def on_line(line: str) -> None:
        name, _, value = line.partition("=")
        if name in counted and value.strip().isdigit():
            counted[name] = max(counted[name], int(value))
            on_progress(counted["out_time_us"] / 1e6)

    fixed = ["-hide_banner", "-nostdin", "-nostats", "-y", "-loglevel", level, "-max_alloc", str(_LARGEST_BLOCK)]
    status, log = programs.run(PROGRAM, [*fixed, "-progress", "pipe:1", *arguments], folder=folder, on_line=on_line)
    if status and not fails:
        raise _failure(status, log)
    return Run(log, counted["out_time_us"] / 1e6, counted["frame"])


def _failure(status: int, log: str) -> Exception:
    number = _ENDED_BY.get(status)
    if number not in (None, errno.ENOMEM):
        return OSError(number, "there is no room for the result")
    if number or status == -signal.SIGKILL or _OUT_OF_MEMORY.search(log):
        return OverLimit("memory", "The file needs more memory than a conversion can use.")
    if _UNOPENED.search(log):
        return Refused(
            say("The output can't be encoded with these options. Choose other audio and size options."),
            reason="unsupported_feature",
        )
    return Unreadable(say("The file can't be read to the end: {said}.", said=reason(log)), reason="damaged")


_REASONS = (
    (re.compile(_OWN + r"moov atom not found", re.MULTILINE), "its index is missing, as of a file that was cut off"),
    (re.compile(_OWN + r"(?:[Ee]ncrypt|DRM|decryption)", re.MULTILINE), "it is encrypted"),
    (re.compile(_OWN + r"not on whitelist", re.MULTILINE), "it is coded in a way that is not read here"),
)


def reason(log: str) -> str:
    """Why ffmpeg could not read a file, in words for the user: its own messages contain file names and addresses."""
    return next((text for pattern, text in _REASONS if pattern.search(log)), "it is damaged, or not what its name says")
