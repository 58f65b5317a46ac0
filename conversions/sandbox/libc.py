"""The C library: the few calls that Python has no names for."""

from __future__ import annotations

import ctypes
import os
from typing import NoReturn

libc = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38


def raise_errno(what: str) -> NoReturn:
    """Raise the OSError of the call that just failed."""
    number = ctypes.get_errno()
    raise OSError(number, f"{what}: {os.strerror(number)}")


def prctl(option: int, value: object = 0, other: object = 0) -> None:
    """Set one of this process's attributes, see prctl(2); raises OSError where the kernel refuses."""
    zero = ctypes.c_ulong(0)
    given = [ctypes.c_ulong(each) if isinstance(each, int) else each for each in (value, other)]
    if libc.prctl(option, *given, zero, zero) < 0:
        raise_errno(f"prctl {option}")
