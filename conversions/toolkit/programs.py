"""Programs: how a converter runs the program of its engine, and hears what it says while it works."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from conversions.toolkit.failures import OverLimit

Heard = Callable[[str], None]
ENDED = b"ended="
"""What begins the last line of a program that a launcher has run; the rest is its exit status."""

_SAID = "said.txt"
_MOST_SAID = 1 << 20
_LONGEST_LINE = 1 << 16


class Launching:
    """The way to the process that may start programs: requests go to `ask`, all that a program writes to its standard
    output comes from `answers`."""

    def __init__(self, ask: BinaryIO, answers: BinaryIO) -> None:
        self._ask, self._answers = ask, answers

    def run(self, program: str, arguments: Sequence[str], environment: Mapping[str, str], hear: Heard) -> int:
        request = {"program": program, "arguments": list(arguments), "environment": dict(environment), "said": _SAID}
        self._ask.write(json.dumps(request).encode() + b"\n")
        self._ask.flush()
        for line in _lines(self._answers):
            if line.startswith(ENDED):
                return int(line[len(ENDED) :])
            hear(line.decode("utf-8", "replace"))
        raise ChildProcessError("the launcher is gone")


_launching: list[Launching] = []


def through(launching: Launching) -> None:
    """Have every program of this process run by another one, which alone may start them."""
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
    """Run a program in `folder`, and return its exit status (less than 0: the signal that ended it) and what it wrote
    to its standard error, of a very long one the beginning.

    `hear` is called with each line of its standard output while it works. Raises OverLimit where it takes more
    processor time than a job may, and OSError where it would have written more than a job may.
    """
    fixed = {"LANG": "C.UTF-8", "HOME": str(folder), "TZ": "UTC"} | dict(environment or {})
    said = folder / _SAID
    if _launching:
        status = _launching[0].run(program, arguments, fixed, hear)
    else:
        with said.open("wb") as errors:
            status = _directly(program, arguments, folder, fixed, hear, errors)
    with said.open("rb") as file:
        text = file.read(_MOST_SAID).decode("utf-8", "replace")
    said.unlink()
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
