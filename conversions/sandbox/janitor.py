"""The janitor: a small process beside each zygote that kills and clears away whatever the zygote leaves behind."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from conversions.sandbox import libc, trees

_PREFIX = "conversions-"
_YOUNG = 60
_PIPE_BYTES = 1 << 20


@dataclass(frozen=True)
class Janitor:
    """The zygote's end: tell it of a child when it starts and when it is dead.

    Should the zygote itself be killed, the janitor kills the process groups of all children that were not reported
    dead, so that a program started by one of them does not live on, and removes the folders with everything in them.
    """

    pid: int
    pipe: int

    def child_started(self, group: int) -> None:
        os.write(self.pipe, b"+%d\n" % group)

    def child_ended(self, group: int, folder: str) -> None:
        """The group is gone; the folder is removed soon, outside the zygote's time."""
        os.write(self.pipe, b"-%d %s\n" % (group, os.fsencode(folder)))


def start(folders: Sequence[str]) -> Janitor:
    """Fork the janitor of a zygote's folders, which first has what earlier ones left beside them swept."""
    reading, writing = os.pipe()
    with contextlib.suppress(OSError):
        # One job may leave much to clear: the zygote must not wait for that with what it has to tell.
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    pid = os.fork()
    if not pid:
        try:
            os.close(writing)
            _serve(reading, folders)
        finally:
            os._exit(1)
    os.close(reading)
    return Janitor(pid, writing)


def _serve(pipe: int, folders: Sequence[str]) -> NoReturn:
    null = os.open(os.devnull, os.O_RDWR)
    for each in (0, 1, 2):
        os.dup2(null, each)
    os.dup2(pipe, 3)
    os.closerange(4, 1 << 16)
    _sweep_beside(folders)
    groups: set[int] = set()
    with open(3, "rb") as lines:
        for line in lines:
            number, _, done = line[1:].rstrip(b"\n").partition(b" ")
            if line.startswith(b"+"):
                groups.add(int(number))
            else:
                groups.discard(int(number))
                trees.remove(os.fsdecode(done))
    for group in groups:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
    # A killed process may write for a moment longer, and what it writes then would stay.
    for _ in range(20):
        gone = [trees.remove(folder) for folder in folders]
        if all(gone):
            break
        time.sleep(0.05)
    os._exit(0)


def _sweep_beside(folders: Sequence[str]) -> None:
    """Sweep in a process of its own, which ends with this one: what was left may be more than can be waited for."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    if os.fork():
        return
    try:
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.close(3)
        for folder in folders:
            sweep(os.path.dirname(folder))
    finally:
        os._exit(0)


def make_folder(parent: str) -> tuple[str, int]:
    """A new folder for a zygote's jobs, and the lock that says it is in use: held by a descriptor, for its life."""
    folder = tempfile.mkdtemp(prefix=_PREFIX, dir=parent)
    os.chmod(folder, 0o711)  # noqa: S103  # children of another user must get through, not look around
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return folder, lock


def sweep(parent: str) -> None:
    """Remove the folders of zygotes that are no more; those of this user only, and none just made."""
    for folder in _abandoned(parent):
        trees.remove(str(folder))


def _abandoned(parent: str) -> Iterator[Path]:
    for folder in Path(parent).glob(_PREFIX + "*"):
        with contextlib.suppress(OSError):
            status = folder.lstat()
            if status.st_uid != os.geteuid() or time.time() - status.st_ctime < _YOUNG:
                continue
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield folder
            finally:
                os.close(lock)
