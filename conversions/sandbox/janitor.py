"""The janitor: a small process beside each zygote that kills and clears away whatever the zygote leaves behind."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import time
from collections.abc import Iterator
from typing import NoReturn

from conversions.sandbox import libc, trees

_PREFIX = "conversions-"
_YOUNG = 60
_PIPE_BYTES = 1 << 20
_AT_ONCE = 1 << 16
_REST = 0.02
"""Seconds between two looks at what the zygote has to tell."""


class Janitor:
    """The zygote's end: tell it of a folder, and of a child when it starts and when it is dead.

    Should the zygote itself be killed, the janitor kills the process groups of all children that were not reported
    dead, so that a program started by one of them does not live on, and removes the folders with everything in them.
    """

    def __init__(self, pid: int, pipe: int) -> None:
        self.pid = pid
        self._pipe = pipe

    def folder_made(self, folder: str) -> None:
        """Its own now; and what others have left beside it is swept."""
        os.write(self._pipe, b"=%s\n" % os.fsencode(folder))

    def child_started(self, group: int) -> None:
        os.write(self._pipe, b"+%d\n" % group)

    def child_ended(self, group: int, folder: str) -> None:
        """The group is gone; the folder is removed soon, outside the zygote's time."""
        os.write(self._pipe, b"-%d %s\n" % (group, os.fsencode(folder)))


def start() -> Janitor:
    """Fork the janitor of a zygote that has not imported anything yet: all that this process has then is its, too."""
    reading, writing = os.pipe()
    with contextlib.suppress(OSError):
        # One job may leave much to clear: the zygote must not wait for that with what it has to tell.
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    pid = os.fork()
    if not pid:
        try:
            os.close(writing)
            for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(ignored, signal.SIG_IGN)
            _serve(reading)
        finally:
            os._exit(1)
    os.close(reading)
    return Janitor(pid, writing)


def _serve(pipe: int) -> NoReturn:
    null = os.open(os.devnull, os.O_RDWR)
    for each in (0, 1, 2):
        os.dup2(null, each)
    os.dup2(pipe, 3)
    os.closerange(4, 1 << 16)
    folders: list[str] = []
    groups: set[int] = set()
    rest = b""
    while told := os.read(3, _AT_ONCE):
        *lines, rest = (rest + told).split(b"\n")
        for line in lines:
            if line.startswith(b"="):
                folders.append(os.fsdecode(line[1:]))
                _sweep_beside(folders[-1])
                continue
            number, _, done = line[1:].partition(b" ")
            if line.startswith(b"+"):
                groups.add(int(number))
            else:
                groups.discard(int(number))
                trees.remove(os.fsdecode(done))
        # What is told meanwhile is done together: to be woken for each job costs more than to clear up after it.
        time.sleep(_REST)
    os.close(3)
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


def _sweep_beside(folder: str) -> None:
    """Sweep in a process of its own, which ends with this one: what was left may be more than can be waited for."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    if os.fork():
        return
    try:
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.close(3)
        sweep(os.path.dirname(folder))
    finally:
        os._exit(0)


def make_folder(parent: str) -> tuple[str, int]:
    """A new folder for a zygote's jobs, and the lock that says it is in use: held by a descriptor, for its life."""
    folder = os.path.join(parent, _PREFIX + os.urandom(8).hex())
    os.mkdir(folder, 0o700)
    os.chmod(folder, 0o711)  # noqa: S103  # children of another user must get through, not look around
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return folder, lock


def sweep(parent: str) -> None:
    """Remove the folders of zygotes that are no more; those of this user only, and none just made."""
    for folder in _abandoned(parent):
        trees.remove(folder)


def _abandoned(parent: str) -> Iterator[str]:
    for name in os.listdir(parent):
        if not name.startswith(_PREFIX):
            continue
        folder = os.path.join(parent, name)
        with contextlib.suppress(OSError):
            status = os.lstat(folder)
            if status.st_uid != os.geteuid() or time.time() - status.st_ctime < _YOUNG:
                continue
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield folder
            finally:
                os.close(lock)
