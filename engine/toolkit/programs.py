"""Run the program of an engine and read its output while it works."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from engine.toolkit.failures import OverLimit

Heard = Callable[[str], None]
ENDED = b"ended="
"""The prefix of the last line from a launched program; the rest of that line is its exit status."""

_ERRORS = "said.txt"
_MOST_SAID, _LAST_SAID = 1 << 20, 1 << 16
_LONGEST_LINE = 1 << 16


class Launching:
    """The connection to the process that may start programs: requests go to `ask`, and the standard output of a program
    arrives on `answers`."""

    def __init__(self, ask: BinaryIO, answers: BinaryIO) -> None:
        self._ask, self._answers = ask, answers

    def run(self, program: str, arguments: Sequence[str], environment: Mapping[str, str], hear: Heard) -> int:
        request = {
            "program": program,
            "arguments": list(arguments),
            "environment": dict(environment),
            "stderr": _ERRORS,
        }
        self._ask.write(json.dumps(request).encode() + b"\n")
        self._ask.flush()
        for line in _lines(self._answers):
            if line.startswith(ENDED):
                return int(line[len(ENDED) :])
            hear(line.decode("utf-8", "replace"))
        raise ChildProcessError("the launcher is gone")


_launching: list[Launching] = []


def through(launching: Launching) -> None:
    """Run every program of this process through another one, the only one allowed to start them."""
    _launching[:] = [launching]


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(_LONGEST_LINE):
        yield line.rstrip(b"\r\n")


def run(
    program: str,
    arguments: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    hear: Heard = lambda line: None,
) -> tuple[int, str]:
    """Run a program in `folder` and return its exit status (negative: a signal) and the start and the end of its
    standard error.

    `hear` is called with each line of its standard output as it arrives. Raises OverLimit if it exceeds the processor
    time of a job, and OSError if it would exceed the disk space of a job.
    """
    fixed = {"LANG": "C.UTF-8", "HOME": str(folder), "TZ": "UTC"} | dict(environment or {})
    captured = folder / _ERRORS
    if _launching:
        status = _launching[0].run(program, arguments, fixed, hear)
    else:
        with captured.open("wb") as errors:
            status = _directly(program, arguments, folder, fixed, hear, errors)
    with captured.open("rb") as file:
        start = file.read(_MOST_SAID)
        file.seek(max(len(start), captured.stat().st_size - _LAST_SAID))
        text = (start + file.read(_LAST_SAID)).decode("utf-8", "replace")
    captured.unlink()
    _judge(status)
    return status, text


def _directly(
    program: str, arguments: Sequence[str], folder: Path, environment: dict[str, str], hear: Heard, errors: BinaryIO
) -> int:
    with subprocess.Popen(
        [program, *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
    ) as process:
        assert process.stdout is not None
        for line in _lines(process.stdout):  # type: ignore[arg-type]
            hear(line.decode("utf-8", "replace"))
        return process.wait()


def _judge(status: int) -> None:
    if status == -signal.SIGXCPU:
        raise OverLimit("timeout", "The work takes more processor time than a conversion may.")
    if status == -signal.SIGXFSZ:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
