"""The footprint: how many bytes a job holds, in files that have a name and in open ones that have none."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field

from conversions.sandbox import identity

ENDLESS = 1 << 62
"""What counts as this is over every limit."""
DEEPEST = 64
"""Folders within folders that a job may make."""
MOST_ENTRIES = 10_000
"""Files and folders that a job may have at once, and as many descriptors."""
_SELDOM, _OFTEN = 0.5, 0.02
_FASTEST = 8_000_000_000
_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ESRCH)
_DELETED = " (deleted)"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class _TooMuch(Exception):
    """More than can be counted."""


def look_again_after(room: int) -> float:
    """Seconds after which a job that may still write `room` bytes is looked at again.

    One that writes 8 GB/s is seen before it has passed its limit, or within 20 ms: it may be over by 160 MB, and by
    what it writes while the system keeps this process waiting.
    """
    return min(_SELDOM, max(_OFTEN, room / _FASTEST))


def held(folder: str, place: str, processes: Iterable[int], *, uid: int | None) -> int:
    """Bytes on disk of the files beneath `folder`, and of those beneath `place` that only `processes` still hold.

    `uid` is the user that they run as, None for this one. ENDLESS for a tree that is too deep or has too many entries,
    and for what can't be looked into: it may hide anything.
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
    """What is in a tree, reached by descriptors: its paths may be longer than the system takes."""

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
    """The open and the mapped files beneath `place` that no folder has a name for, each counted once."""

    place: str
    total: int = 0
    descriptors: int = 0
    names: set[str] = field(default_factory=set)

    def add(self, process: int, owner: int) -> None:
        try:
            try:
                self._look_into(process)
            except PermissionError:
                # Without the capability to look into every process it takes the user of this one.
                with identity.as_owner_of_files(owner):
                    self._look_into(process)
        except PermissionError:
            _say_once()
        except OSError as error:
            if error.errno not in _GONE:
                raise

    def _look_into(self, process: int) -> None:
        for each in os.listdir(f"/proc/{process}/fd"):
            self.descriptors += 1
            if self.descriptors > MOST_ENTRIES:
                raise _TooMuch
            path = f"/proc/{process}/fd/{each}"
            with contextlib.suppress(FileNotFoundError):
                name = os.readlink(path)
                # A name that is taken anew after its file was deleted is told apart by the number of the file.
                if self._is_ours(name) and stat.S_ISREG((status := os.stat(path)).st_mode):
                    known = f"{status.st_dev}:{status.st_ino}"
                    if known not in self.names:
                        self.names |= {known, name}
                        self.total += status.st_blocks * 512
        with open(f"/proc/{process}/maps", errors="surrogateescape") as mapped:
            for line in mapped:
                name = line[line.find("/") :].rstrip("\n")
                if self._is_ours(name) and name not in self.names:
                    raise _TooMuch  # mapped and no longer open: its size is not to be had

    def _is_ours(self, name: str) -> bool:
        return name.endswith(_DELETED) and name.startswith(self.place + "/")


_said: list[bool] = []


def _say_once() -> None:
    if not _said:
        _said.append(True)
        print("conversions.sandbox: open files without a name can't be counted here", file=sys.stderr, flush=True)
