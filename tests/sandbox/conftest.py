"""Zygotes for tests: started with the tiny converters, ended with the test."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from engine.sandbox.answers import Answer
from engine.sandbox.client import Zygote
from engine.sandbox.limits import limits_for
from engine.toolkit.declaring import Profile

MakeZygote = Callable[..., Zygote]
TOLD_WITHIN = 45.0
"""Seconds after which something that must happen is said not to; far more than it takes on a busy machine."""


@pytest.fixture
def make_zygote() -> Iterator[MakeZygote]:
    made: list[Zygote] = []

    def make(profile: Profile = "text", *, weakened: dict[str, Any] | None = None, **limits: float) -> Zygote:
        modules = ("tests.sandbox.converters",)
        made.append(Zygote(profile, limits_for(profile, {profile: limits}), modules=modules, **(weakened or {})))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    shared = Zygote("text", limits_for("text"), modules=("tests.sandbox.converters",))
    yield shared
    shared.close()


@pytest.fixture
def source() -> Iterator[BinaryIO]:
    with tempfile.TemporaryFile() as file:
        file.write(b'{"a": 1}')
        file.flush()
        yield file


def good_job(zygote: Zygote) -> int:
    """Assert that the zygote converts, and return the process id that the job had."""
    with tempfile.TemporaryFile() as file:
        file.write(b"{}")
        file.flush()
        return int(read(zygote.convert("who", {}, file.fileno())))


def read(answer: Answer) -> bytes:
    with answer.output:
        return answer.output.read()


def eventually(condition: Callable[[], object]) -> bool:
    until = time.monotonic() + TOLD_WITHIN
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.02)
    return False


def has_tree(folder: str) -> bool:
    """Whether a job has left folders in one of the folders of a zygote's jobs."""
    for each in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            if any(entry.is_dir() for entry in os.scandir(os.path.join(folder, each))):
                return True
    return False


def has_input(folder: str) -> bool:
    """Whether a job has its input in one of the folders of a zygote's jobs."""
    return any(Path(folder).glob("*/input.*"))


def parent_of(pid: int) -> int:
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def children(pid: int) -> list[int]:
    """The living children of a process, oldest first: of a zygote, the janitor and then those who convert."""
    found = []
    for each in filter(str.isdigit, os.listdir("/proc")):
        try:
            if parent_of(int(each)) == pid and alive(int(each)):
                found.append((started(int(each)), int(each)))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return [pid for _, pid in sorted(found)]


def started(pid: int) -> int:
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[19])


def processes_of(pid: int) -> list[int]:
    """All living descendants of a process."""
    return [each for child in children(pid) for each in (child, *processes_of(child))]


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def name_of(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/comm") as file:
            return file.read().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def supervisors(folder: str) -> list[int]:
    """Those that listen in a folder or beneath it, by their command lines, which what they fork has, too."""
    found = []
    for each in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{each}/cmdline").read_text().split("\0")
            ours = any(word == folder or word.startswith(f"{folder}/sandbox-of-") for word in words)
            if ours and alive(int(each)) and name_of(int(each)) != "zygote":
                found.append(int(each))
    parents = {}
    for each in found:
        with contextlib.suppress(OSError):
            parents[each] = parent_of(each)
    return [each for each, parent in parents.items() if parent not in found]


def sandbox_of(service: int) -> list[int]:
    """The supervisor of a service whose folder of temporary files nobody else has, and all that it has started."""
    for each in Path(f"/proc/{service}/environ").read_text().split("\0"):
        if each.startswith("TMPDIR="):
            folder = os.path.realpath(each.removeprefix("TMPDIR="))
            return [pid for first in supervisors(folder) for pid in (first, *processes_of(first))]
    raise ValueError(service)
