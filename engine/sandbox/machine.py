"""The processors and memory available to this process, considering control groups, and memory pressure."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator
from pathlib import Path

_GROUPS = Path("/sys/fs/cgroup")
_LOOK_EVERY = 0.2
_PRESSED_ABOVE = 25.0
"""Per cent of the last ten seconds in which something waited for memory (`some avg10` in the kernel's
Documentation/accounting/psi.rst)."""
_NO_LIMIT = 1 << 60


def processors() -> float:
    """The number of processors this process may use, which a quota may reduce."""
    found = float(len(os.sched_getaffinity(0)))
    for group in _groups("cpu"):
        quota, period = _words(group / "cpu.max") or ["max", "100000"]
        if quota == "max":
            quota = (_words(group / "cpu.cfs_quota_us") or ["-1"])[0]
            period = (_words(group / "cpu.cfs_period_us") or ["100000"])[0]
        if int(quota) > 0 and int(period) > 0:
            found = min(found, int(quota) / int(period))
    return found


def memory() -> int:
    """Bytes of memory of the machine, or the limit of a control group."""
    return min([_of_machine("MemTotal"), *(limit for limit, _ in _limits())])


def available() -> int:
    """Bytes that can be allocated without reclaiming memory in use."""
    return min([_of_machine("MemAvailable"), *(limit - used for limit, used in _limits())])


class Shortage:
    """Whether one more job should wait because memory is short.

    `pressure` is the file that reports memory pressure, by default that of the control group or of the machine. It is
    read a few times a second at most.
    """

    def __init__(self, *, pressure: str | None = None) -> None:
        self._pressure = pressure or next((str(each) for each in _pressures() if each.exists()), None)
        self._looked_at = -math.inf
        self._pressed = False
        self._room = 0

    def must_wait(self, needed: int, *, left: int = 0) -> bool:
        """Whether a job that needs so many bytes, and should leave others, has to wait; else it counts as started."""
        now = time.monotonic()
        if now - self._looked_at >= _LOOK_EVERY:
            self._looked_at = now
            self._pressed = self._is_pressed()
            self._room = available()
        if self._pressed or self._room < needed + left:
            return True
        self._room -= needed
        return False

    def _is_pressed(self) -> bool:
        for line in _lines(Path(self._pressure)) if self._pressure else ():
            if line.startswith("some "):
                return float(line.split()[1].removeprefix("avg10=")) > _PRESSED_ABOVE
        return False


def _pressures() -> Iterator[Path]:
    for group in _groups("memory"):
        yield group / "memory.pressure"
    yield Path("/proc/pressure/memory")


def _limits() -> Iterator[tuple[int, int]]:
    """The limit of each control group above this process, and its usage that can't be reclaimed at once."""
    for group in _groups("memory"):
        for limit, used, given_back in (
            ("memory.max", "memory.current", "inactive_file"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        ):
            words = _words(group / limit)
            if words and words[0].isdigit() and int(words[0]) < _NO_LIMIT:
                now = int((_words(group / used) or ["0"])[0])
                for line in _lines(group / "memory.stat"):
                    if line.startswith(f"{given_back} "):
                        now -= int(line.split()[1])
                yield int(words[0]), max(now, 0)


def _groups(controller: str) -> Iterator[Path]:
    """The folders of this process's control groups, the innermost first (cgroups(7), both versions)."""
    for line in _lines(Path("/proc/self/cgroup")):
        _, controllers, name = line.split(":", 2)
        if controllers and controller not in controllers.split(","):
            continue
        root = _GROUPS / (controllers or ".")
        if not controllers and (_GROUPS / "unified").is_dir():  # both versions are mounted
            root = _GROUPS / "unified"
        # In a container the path is often that of the host, while the group is mounted at the root.
        for folder in (root / name.lstrip("/"), *(root / name.lstrip("/")).parents):
            if folder.is_dir():
                yield folder
            if folder == root:
                break


def _of_machine(name: str) -> int:
    for line in _lines(Path("/proc/meminfo")):
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    return _NO_LIMIT


def _words(path: Path) -> list[str]:
    lines = _lines(path)
    return lines[0].split() if lines else []


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
