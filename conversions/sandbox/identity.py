"""Identity: the user id and the capabilities that a child gives up."""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Iterator
from pathlib import Path

from conversions.sandbox import libc

NOBODY = 65534
_CAPABILITY_VERSION_3 = 0x20080522
_PR_CAP_AMBIENT, _RAISE = 47, 2
CAP_DAC_READ_SEARCH = 2
CAP_SYS_PTRACE = 19


def user_of_children() -> int | None:
    """The user that children become: nobody where this is root, None (stay) where it is not or there is no nobody.

    There is none in a user namespace that maps root alone.
    """
    if os.geteuid():
        return None
    for line in Path("/proc/self/uid_map").read_text().splitlines():
        first, _, count = map(int, line.split())
        if first <= NOBODY < first + count:
            return NOBODY
    return None


def reachable(path: str, uid: int) -> bool:
    """Whether a process of user `uid`, and of the group of the same number, can enter every folder above `path`."""
    for folder in Path(os.path.realpath(path)).parents:
        status = folder.stat()
        bit = 0o100 if status.st_uid == uid else 0o010 if status.st_gid == uid else 0o001
        if not status.st_mode & bit:
            return False
    return True


def drop(uid: int | None, *, keep_search: bool) -> None:
    """Become user `uid` (None: stay who this is) with no groups and no capabilities.

    With `keep_search` one is kept, to search and read folders whatever their mode; only Landlock then decides what is
    read. Programs have it, too: what they read is beneath the same folders. Raises OSError where the kernel refuses.
    """
    if uid is not None:
        if keep_search:
            libc.prctl(libc.PR_SET_KEEPCAPS, 1)
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    kept = 1 << CAP_DAC_READ_SEARCH if keep_search else 0
    if libc.libc.capset(header, struct.pack("IIIIII", kept, kept, kept, 0, 0, 0)):
        libc.raise_errno("capset")
    if keep_search:
        libc.prctl(_PR_CAP_AMBIENT, _RAISE, CAP_DAC_READ_SEARCH)


@contextlib.contextmanager
def as_owner_of_files(uid: int) -> Iterator[None]:
    """Have this thread's reach to files, and to what /proc tells of processes, be that of user `uid` for a while.

    Changes nothing where this process may not (setfsuid(2) reports no failure).
    """
    user, group = os.geteuid(), os.getegid()
    libc.libc.setfsgid(uid)
    libc.libc.setfsuid(uid)
    try:
        yield
    finally:
        libc.libc.setfsuid(user)
        libc.libc.setfsgid(group)


def can_search() -> bool:
    """Whether this process itself has the capability that `keep_search` keeps."""
    return has_capability(CAP_DAC_READ_SEARCH)


def has_capability(number: int) -> bool:
    """Whether this process is permitted a capability (capabilities(7)) of a number below 32."""
    header = ctypes.create_string_buffer(struct.pack("Ii", _CAPABILITY_VERSION_3, 0))
    data = ctypes.create_string_buffer(24)
    if libc.libc.capget(header, data):
        return False
    permitted: int = struct.unpack("IIIIII", data.raw)[1]
    return bool(permitted & (1 << number))


def processes_of(uid: int) -> int:
    """How many processes and threads a user id has now; those that end meanwhile may or may not be counted."""
    count = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid == uid:
                    count += len(os.listdir(f"/proc/{entry.name}/task"))
            except OSError:
                continue
    return count
