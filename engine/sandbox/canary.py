"""The canary: a child that attempts everything forbidden, and the report of what succeeded."""

from __future__ import annotations

import ctypes
import errno
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass

from engine.sandbox.libc import libc, raise_errno
from engine.sandbox.limits import MEMORY_FOLDER

_PROGRAM = "/bin/true"


@dataclass(frozen=True)
class CanaryReport:
    """How the children of one profile are confined, and which attempts of the canary succeeded.

    `landlock` is the ABI version in use, 0 for none. `possible` names the attempts that succeeded and must not: `read`
    and `write` of a foreign file, `tcp`, `udp`, `unix` socket, `fork`, `exec`. `isolation` is what separates the
    processes of one job from those of others: a control group, a user id of its own, or nothing if all share one user.
    `problem` says why there is no report.
    """

    profile: str
    landlock: int = 0
    seccomp: bool = False
    possible: tuple[str, ...] = ()
    isolation: str = "unknown"
    problem: str | None = None

    @property
    def confined(self) -> bool:
        return self.problem is None and not self.possible


def probe(*, forks: bool) -> list[str]:
    """Attempt everything and return the names of what succeeded; `forks` means that starting a process is allowed."""
    attempts: dict[str, Callable[[], None]] = {
        "read": lambda: os.close(os.open("/etc/passwd", os.O_RDONLY)),
        "write": _write,
        "tcp": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).close(),
        "udp": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close(),
        "unix": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).close(),
        "fork": _fork,
        "exec": _exec,
    }
    possible = []
    for name, attempt in attempts.items():
        try:
            attempt()
        except OSError:
            continue
        if name != "fork" or not forks:
            possible.append(name)
    return possible


def _write() -> None:
    refused: OSError | None = None
    for folder in ("/tmp", MEMORY_FOLDER):  # noqa: S108
        path = f"{folder}/conversions-canary-{os.getpid()}"
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        except OSError as error:
            refused = error
        else:
            os.unlink(path)
            return
    if refused is not None:
        raise refused


def _fork() -> None:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


def _exec() -> None:
    """Execute a program, in a new process if possible, else with an unreadable argument list.

    If execve is permitted, the latter fails with EFAULT and leaves this process running.
    """
    try:
        child = os.fork()
    except OSError:
        libc.execve(_PROGRAM.encode(), ctypes.c_void_p(1), None)
        if ctypes.get_errno() == errno.EFAULT:
            return
        raise_errno("execve")
    if not child:
        try:
            os.execv(_PROGRAM, [_PROGRAM])  # noqa: S606
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if status:
        raise PermissionError
