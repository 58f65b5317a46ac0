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

OnLine = Callable[[str], None]
ENDED = b"ended="
"""The prefix of the last line from a launched program; the rest of that line is its exit status."""

_ERRORS = "stderr.txt"
_FIRST_BYTES, _LAST_BYTES = 1 << 20, 1 << 16
_LONGEST_LINE = 1 << 16


class Launcher:
    """The connection to the process that may start programs: requests are written to `requests`, and the standard
    output of a program is read from `output`."""

    def __init__(self, requests: BinaryIO, output: BinaryIO) -> None:
        self._requests, self._output = requests, output

    def run(self, program: str, arguments: Sequence[str], environment: Mapping[str, str], on_line: OnLine) -> int:
        request = {
            "program": program,
            "arguments": list(arguments),
            "environment": dict(environment),
            "stderr": _ERRORS,
        }
        self._requests.write(json.dumps(request).encode() + b"\n")
        self._requests.flush()
        for line in _lines(self._output):
            if line.startswith(ENDED):
                return int(line[len(ENDED) :])
            on_line(line.decode("utf-8", "replace"))
        raise ChildProcessError("the launcher is gone")


_launcher: list[Launcher] = []


def run_through(launcher: Launcher) -> None:
    """Run every program of this process through its launcher, the only process allowed to start them."""
    _launcher[:] = [launcher]


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(_LONGEST_LINE):
        yield line.rstrip(b"\r\n")


def run(
    program: str,
    arguments: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    on_line: OnLine = lambda line: None,
) -> tuple[int, str]:
    """Run a program in `folder` and return its exit status (negative: a signal) and the start and the end of its
    standard error.

    `on_line` is called with each line of its standard output as it arrives. Raises OverLimit if it exceeds the
    processor time of a job, and OSError if it would exceed the disk space of a job.
    """
    fixed = {"LANG": "C.UTF-8", "HOME": str(folder), "TZ": "UTC"} | dict(environment or {})
    captured = folder / _ERRORS
    if _launcher:
        status = _launcher[0].run(program, arguments, fixed, on_line)
    else:
        with captured.open("wb") as errors:
            status = _directly(program, arguments, folder, fixed, on_line, errors)
    with captured.open("rb") as file:
        start = file.read(_FIRST_BYTES)
        file.seek(max(len(start), captured.stat().st_size - _LAST_BYTES))
        text = (start + file.read(_LAST_BYTES)).decode("utf-8", "replace")
    captured.unlink()
    _judge(status)
    return status, text


def _directly(
    program: str, arguments: Sequence[str], folder: Path, environment: dict[str, str], on_line: OnLine, errors: BinaryIO
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
            on_line(line.decode("utf-8", "replace"))
        return process.wait()


def _judge(status: int) -> None:
    if status == -signal.SIGXCPU:
        raise OverLimit("timeout", "The conversion takes more processor time than allowed.")
    if status == -signal.SIGXFSZ:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
