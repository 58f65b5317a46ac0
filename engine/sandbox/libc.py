"""Calls of the C library that Python lacks."""

from __future__ import annotations

import ctypes
import errno
import os
from typing import NoReturn

libc = ctypes.CDLL(None, use_errno=True)
libc.prctl.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)
_with_the_lock = ctypes.PyDLL(None)

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_SET_NAME = 15
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38


def raise_errno(what: str) -> NoReturn:
    """Raise the OSError of the call that just failed."""
    number = ctypes.get_errno()
    raise OSError(number, f"{what}: {os.strerror(number)}")


def prctl(option: int, value: int = 0, other: int = 0) -> None:
    """Set an attribute of this process, see prctl(2); raises OSError if the kernel refuses."""
    if libc.prctl(option, value, other, 0, 0) < 0:
        raise_errno(f"prctl {option}")


def name(text: bytes) -> None:
    """Set the process name, of at most 15 bytes, for process listings."""
    buffer = ctypes.create_string_buffer(text)
    prctl(PR_SET_NAME, ctypes.addressof(buffer))


def threads() -> int:
    """The number of threads of this process, including those of libraries."""
    return len(os.listdir("/proc/self/task"))


def fork_of_one_thread() -> int:
    """Fork a process that has one of `threads`; raises OSError.

    os.fork makes modules reset their locks for threads that no longer exist in the child (`threading`, `logging`), and
    reseeds `random`: this costs 200 pages of memory and 0.25 ms per child. In a process with a single thread, that
    thread holds the interpreter's lock and no other.
    """
    pid: int = _with_the_lock.fork()
    if pid < 0:
        raise OSError(ctypes.get_errno() or errno.EAGAIN, "fork")
    return pid
