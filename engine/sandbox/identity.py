"""The user ids and capabilities of children."""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Iterator
from pathlib import Path

from engine.sandbox import libc

NOBODY = 65534
_MANY = range(0x70000000, 0x7FFFFFFF)
_FEW = range(60578, 61184)
"""User ids that no system assigns (systemd's UIDS-GIDS.md); user namespaces have the small range too."""
_CAPABILITY_VERSION_3 = 0x20080522
_PR_CAP_AMBIENT, _RAISE = 47, 2
CAP_DAC_READ_SEARCH = 2
CAP_SYS_PTRACE = 19


def users_of_children() -> range | None:
    """The users that children become: one each if there are enough ids, else nobody.

    None, to keep the current user, if this is not root, or is root of a user namespace with no other user.
    """
    if os.geteuid():
        return None
    everybody = range(NOBODY, NOBODY + 1)
    return next((each for each in (_MANY, _FEW, everybody) if _is_mapped(each)), None)


def draw(users: range) -> int:
    """One of these users that no process has; a random one if there are many."""
    taken = _users_with_processes() if len(users) <= len(_FEW) else set()
    free = [each for each in users if each not in taken] if taken else users
    return (free or users)[int.from_bytes(os.urandom(4), "big") % len(free or users)]


def _users_with_processes() -> set[int]:
    found = set()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                found.add(entry.stat().st_uid)
    return found


def _is_mapped(users: range) -> bool:
    """Whether all of these user ids, and the equal group ids, are mapped in this user namespace."""
    for name in ("uid_map", "gid_map"):
        lines = Path("/proc/self", name).read_text().splitlines()
        spans = [(first, first + count) for first, _, count in (map(int, line.split()) for line in lines)]
        if not any(first <= users[0] and users[-1] < end for first, end in spans):
            return False
    return True


def reachable(path: str, uid: int) -> bool:
    """Whether user `uid`, with the group of the same number, can enter every folder above `path`."""
    for folder in Path(os.path.realpath(path)).parents:
        status = folder.stat()
        bit = 0o100 if status.st_uid == uid else 0o010 if status.st_gid == uid else 0o001
        if not status.st_mode & bit:
            return False
    return True


def drop(uid: int | None, *, keep_search: bool) -> None:
    """Become user `uid` (None: keep the user) with no groups and no capabilities.

    `keep_search` keeps one capability, to search and read folders regardless of their mode, so that only Landlock
    decides what is readable. Programs inherit it and read below the same folders. Raises OSError if the kernel refuses.
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
    """Give this thread the access of user `uid` to files and /proc for the duration of the block.

    Has no effect if this process may not do that (setfsuid(2) does not report failure).
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
    """Whether this process has the capability that `keep_search` keeps."""
    return has_capability(CAP_DAC_READ_SEARCH)


def has_capability(number: int) -> bool:
    """Whether a capability with a number below 32 is permitted for this process (capabilities(7))."""
    header = ctypes.create_string_buffer(struct.pack("Ii", _CAPABILITY_VERSION_3, 0))
    data = ctypes.create_string_buffer(24)
    if libc.libc.capget(header, data):
        return False
    permitted: int = struct.unpack("IIIIII", data.raw)[1]
    return bool(permitted & (1 << number))


def processes_of(uid: int) -> int:
    """The number of processes and threads of a user; ones that are ending may or may not be counted."""
    count = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid == uid:
                    count += len(os.listdir(f"/proc/{entry.name}/task"))
            except OSError:
                continue
    return count
