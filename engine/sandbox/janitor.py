"""The janitor: a small process beside each zygote that cleans up after its jobs, and after its own death."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import time
from collections.abc import Iterator
from typing import NoReturn

from engine.sandbox import groups, libc, trees

_PREFIX = "conversions-"
_YOUNG = 60
_PIPE_BYTES = 1 << 20
_AT_ONCE = 1 << 16
_REST = 0.02
"""Seconds between two reads of the zygote's messages."""


class Janitor:
    """The zygote's side: report folders and finished children.

    If the zygote is killed, the janitor kills the rest of its session, so that no program survives, and removes the
    folders with their content.
    """

    def __init__(self, pid: int, pipe: int) -> None:
        self.pid = pid
        self._pipe = pipe

    def folder_made(self, folder: str) -> None:
        """Register a folder; leftovers of other zygotes beside it are removed."""
        os.write(self._pipe, b"=%s\n" % os.fsencode(folder))

    def group_made(self, group: str) -> None:
        """Register the control group of all jobs, which is killed and removed after the zygote."""
        os.write(self._pipe, b"#%s\n" % os.fsencode(group))

    def child_ended(self, folder: str) -> None:
        """Report that all processes of a child have ended; its folder is removed soon, outside the zygote's time."""
        os.write(self._pipe, b"-%s\n" % os.fsencode(folder))


def start() -> Janitor:
    """Fork the janitor from a zygote that has imported nothing yet: it shares all memory this process has then."""
    reading, writing = os.pipe()
    with contextlib.suppress(OSError):
        # Cleaning up after one job may take long; the zygote must not block on reporting to it.
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
    grouped: list[str] = []
    rest = b""
    while received := os.read(3, _AT_ONCE):
        *lines, rest = (rest + received).split(b"\n")
        for line in lines:
            if line.startswith(b"="):
                folders.append(os.fsdecode(line[1:]))
                _sweep_beside(folders[-1])
                continue
            if line.startswith(b"#"):
                grouped.append(os.fsdecode(line[1:]))
                continue
            trees.remove(os.fsdecode(line[1:]))
        # Messages that arrive meanwhile are handled together: waking up for each job costs more than the work.
        time.sleep(_REST)
    os.close(3)
    # A killed process may write for a moment longer, and those files would stay.
    for _ in range(20):
        for group in grouped:
            groups.kill(group)
        _kill_session()
        gone = [*map(groups.remove, grouped), *map(trees.remove, folders)]
        if all(gone):
            break
        time.sleep(0.05)
    os._exit(0)


def _kill_session() -> None:
    """Kill all process groups of this session except its own: what is left of a zygote's jobs.

    The zygote's children may have been reaped by another process, and their ids reused. The session's id is not reused
    while this process belongs to it (setsid(2)).
    """
    session, own = os.getsid(0), os.getpgrp()
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getsid(pid) == session and (group := os.getpgid(pid)) != own:
                os.killpg(group, signal.SIGKILL)


def _sweep_beside(folder: str) -> None:
    """Sweep in a separate process that ends with this one, as there may be too much to wait for."""
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
    """A new folder for a zygote's jobs, and the descriptor of the lock that marks it as in use."""
    folder = os.path.join(parent, _PREFIX + os.urandom(8).hex())
    os.mkdir(folder, 0o700)
    os.chmod(folder, 0o711)  # noqa: S103  # children of another user must get through, not look around
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return folder, lock


def sweep(parent: str) -> None:
    """Remove the folders of dead zygotes of this user, except ones that were just created."""
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
