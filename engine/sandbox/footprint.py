"""Measure the bytes a job holds in files, both named ones and unlinked ones that are still open."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.sandbox import identity

ENDLESS = 1 << 62
"""A size that exceeds every limit."""
DEEPEST = 64
"""The deepest folder nesting of a job."""
MOST_ENTRIES = 10_000
"""The most files and folders of a job, and the most descriptors."""
_SELDOM, _OFTEN = 0.5, 0.02
_FASTEST = 8_000_000_000
_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ESRCH)
_DELETED = " (deleted)"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class _TooMuch(Exception):
    """More entries than are counted."""


def next_check_after(room: int) -> float:
    """Seconds until the next measurement of a job that may still write `room` bytes.

    A job that writes 8 GB/s is caught before it passes its limit, or within 20 ms: it may exceed the limit by 160 MB
    plus what it writes while this process waits for a processor.
    """
    return min(_SELDOM, max(_OFTEN, room / _FASTEST))


def held(folder: str, place: str, processes: Iterable[int], *, uid: int | None) -> int:
    """Bytes of the files below `folder`, and of unlinked files below `place` that `processes` keep open.

    `uid` is the user they run as, None for this one. Returns ENDLESS for a tree that is too deep or has too many
    entries, and for one that can't be read: it may hide anything.
    """
    owner = os.geteuid() if uid is None else uid
    try:
        try:
            named = _named(folder)
        except PermissionError:
            with identity.as_owner_of_files(owner):
                named = _named(folder)
        nameless = _Nameless(place)
        for process in processes:
            nameless.add(process, owner)
        return named + nameless.total
    except (_TooMuch, OSError):
        return ENDLESS


def _named(folder: str) -> int:
    try:
        descriptor = os.open(folder, _FOLDER)
    except FileNotFoundError:
        return 0
    count = _Named()
    count.add(descriptor, depth=1)
    return count.bytes


@dataclass
class _Named:
    """Measures a tree through descriptors, as its paths may be longer than the system accepts."""

    bytes: int = 0
    entries: int = 0

    def add(self, descriptor: int, *, depth: int) -> None:
        try:
            if depth > DEEPEST:
                raise _TooMuch
            folders = []
            with os.scandir(descriptor) as found:
                for entry in found:
                    self.entries += 1
                    if self.entries > MOST_ENTRIES:
                        raise _TooMuch
                    with contextlib.suppress(FileNotFoundError):
                        self.bytes += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.name)
            for name in folders:
                try:
                    below = os.open(name, _FOLDER, dir_fd=descriptor)
                except OSError as error:
                    if error.errno in _GONE:
                        continue
                    raise
                self.add(below, depth=depth + 1)
        finally:
            os.close(descriptor)


@dataclass
class _Nameless:
    """The unlinked files below `place` that are open or mapped, each counted once."""

    place: str
    total: int = 0
    descriptors: int = 0
    names: set[str] = field(default_factory=set)

    def add(self, process: int, owner: int) -> None:
        try:
            try:
                self._inspect(process)
            except PermissionError:
                # Without CAP_SYS_PTRACE, only processes of the same user can be inspected.
                with identity.as_owner_of_files(owner):
                    self._inspect(process)
        except PermissionError:
            _warn_once()
        except OSError as error:
            if error.errno not in _GONE:
                raise

    def _inspect(self, process: int) -> None:
        for each in os.listdir(f"/proc/{process}/fd"):
            self.descriptors += 1
            if self.descriptors > MOST_ENTRIES:
                raise _TooMuch
            path = f"/proc/{process}/fd/{each}"
            with contextlib.suppress(FileNotFoundError):
                name = os.readlink(path)
                # The inode number distinguishes a deleted file from a new one of the same name.
                if self._is_ours(name) and stat.S_ISREG((status := os.stat(path)).st_mode):
                    known = f"{status.st_dev}:{status.st_ino}"
                    if known not in self.names:
                        self.names |= {known, name}
                        self.total += status.st_blocks * 512
        with open(f"/proc/{process}/maps", errors="surrogateescape") as mapped:
            for line in mapped:
                name = line[line.find("/") :].rstrip("\n")
                if self._is_ours(name) and name not in self.names:
                    raise _TooMuch  # mapped but not open: its size can't be read

    def _is_ours(self, name: str) -> bool:
        return name.endswith(_DELETED) and name.startswith(self.place + "/")


_warned: list[bool] = []


def _warn_once() -> None:
    if not _warned:
        _warned.append(True)
        print("engine.sandbox: open files without a name can't be counted here", file=sys.stderr, flush=True)
