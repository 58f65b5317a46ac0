"""Control groups that limit the processes and memory of each job as a whole (cgroups(7), version 2).

Only a delegated group may be subdivided: systemd marks it (`Delegate=`), and with `DelegateSubgroup=` moves the service
into a subgroup, as a group with subgroups may not contain processes.
"""

from __future__ import annotations

import contextlib
import os

from engine.sandbox.limits import PROCESSES_BEYOND, Limits

ROOT = "/sys/fs/cgroup"
_PREFIX = "conversions-"
_CONTROLLERS = {"memory", "pids"}
_DELEGATED = ("cgroup.procs", "cgroup.subtree_control")
_MARKS = ("user.delegate", "trusted.delegate")
_BEYOND = 64 << 20
"""Bytes a job may use beyond the limit of its one process: to report running out of memory, and for its launcher."""


def delegated_group(root: str = ROOT, own: str | None = None) -> str | None:
    """The delegated group in which this process may create groups: the parent of its `own`, if it may be subdivided."""
    if own is None:
        own = _own_group()
    above = os.path.dirname(os.path.join(root, own.strip("/")))
    try:
        marked = any(_attribute(above, each) == b"1" for each in _MARKS)
        controllers = set(_read(above, "cgroup.controllers").split())
    except OSError:
        return None
    # To move a process, one must be able to write the `cgroup.procs` of what both its groups are in (cgroups(7)).
    ours = all(os.access(os.path.join(above, each), os.W_OK) for each in ("", *_DELEGATED))
    if not own.strip("/") or not marked or not controllers >= _CONTROLLERS or not ours:
        return None
    return above


class Groups:
    """The groups of a zygote's jobs, below a group of its own that its janitor removes."""

    def __init__(self, above: str) -> None:
        """Create that group; raises OSError if it can't be created."""
        _divide(above)
        self.folder = os.path.join(above, _PREFIX + os.urandom(8).hex())
        os.mkdir(self.folder, 0o700)
        try:
            _divide(self.folder)
        except OSError:
            os.rmdir(self.folder)
            raise
        self._left: list[str] = []

    def make(self, limits: Limits, *, in_memory: bool) -> str:
        """A group for one job; files `in_memory` count towards its memory."""
        self._left = [each for each in self._left if not remove(each)]
        group = os.path.join(self.folder, os.urandom(8).hex())
        os.mkdir(group, 0o700)
        self._bound(group, limits, in_memory=in_memory)
        return group

    def _bound(self, group: str, limits: Limits, *, in_memory: bool) -> None:
        memory = limits.memory + _BEYOND + (limits.scratch if in_memory else 0)
        # What is swapped out does not count towards `memory.max`. If the kernel kills one process of a job for lack of
        # memory, it kills all: the rest could not continue.
        values = {"pids.max": PROCESSES_BEYOND, "memory.max": memory, "memory.swap.max": 0, "memory.oom.group": 1}
        for name, value in values.items():
            _write(group, name, str(value))

    def end(self, group: str) -> bool:
        """Kill the remaining processes of a job, remove its group, and return whether it ran out of memory."""
        out_of_memory = _has_been_out_of_memory(group)
        kill(group)
        if not remove(group):
            self._left.append(group)  # killed processes stay in it for a moment
        return out_of_memory


def enter(procs: int) -> None:
    """Move this process into the group with this `cgroup.procs` descriptor."""
    os.write(procs, b"0")


def procs(group: str) -> int:
    """A descriptor to `enter` a group with."""
    return os.open(os.path.join(group, "cgroup.procs"), os.O_WRONLY | os.O_CLOEXEC)


def kill(group: str) -> None:
    """Kill all processes of a group and its subgroups at once."""
    with contextlib.suppress(OSError):  # before Linux 5.14; the process group is killed anyway
        _write(group, "cgroup.kill", "1")


def remove(group: str) -> bool:
    """Remove a group and its subgroups and return whether it is gone; a group with processes stays."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(group):
            if entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    os.rmdir(entry.path)
        os.rmdir(group)
    return not os.path.exists(group)


def _divide(group: str) -> None:
    """Enable controllers for subgroups; raises OSError if the group has processes or is not ours."""
    _write(group, "cgroup.subtree_control", " ".join(f"+{each}" for each in sorted(_CONTROLLERS)))


def _has_been_out_of_memory(group: str) -> bool:
    with contextlib.suppress(OSError):
        for line in _read(group, "memory.events").splitlines():
            name, _, count = line.partition(" ")
            if name == "oom_kill":
                return int(count) > 0
    return False


def _own_group() -> str:
    with contextlib.suppress(OSError):
        for line in _read("/proc/self", "cgroup").splitlines():
            if line.startswith("0::"):
                return line.removeprefix("0::")
    return ""


def _attribute(path: str, name: str) -> bytes:
    try:
        return os.getxattr(path, name)
    except OSError:
        return b""


def _read(folder: str, name: str) -> str:
    with open(os.path.join(folder, name)) as file:
        return file.read()


def _write(folder: str, name: str, text: str) -> None:
    """Write a group's setting, ignoring settings that this kernel does not have; raises OSError if it is refused.

    A controller that is not available is refused with the error of a setting that does not exist, ENOENT.
    """
    try:
        setting = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        os.write(setting, text.encode())
    finally:
        os.close(setting)
