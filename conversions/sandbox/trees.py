"""Trees of files that somebody hostile has made, removed whatever their depth, names and modes."""

from __future__ import annotations

import contextlib
import os
import stat
from dataclasses import dataclass

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class _Level:
    """A folder on the way down: its name in the one above, which file it is, and the folders in it still to come."""

    name: str
    identity: tuple[int, int]
    folders: list[str]


def remove(folder: str) -> bool:
    """Remove a folder with all that is in it, and return whether it is gone. Raises nothing that a tree can cause.

    It goes up and down by `..` and a name, with two descriptors and no path: neither the depth of a tree nor the
    length of its paths matters. It follows no link and enters no other file system; what is in the way of that, and
    what the system does not let this user remove, stays, and the rest goes. Nobody may be writing to the tree.
    """
    parent, name = os.path.split(folder.rstrip("/"))
    try:
        above = os.open(parent or ".", _FOLDER)
    except OSError:
        return not os.path.lexists(folder)
    try:
        device = os.fstat(above).st_dev
        with contextlib.suppress(OSError):
            if stat.S_ISDIR((status := os.stat(name, dir_fd=above, follow_symlinks=False)).st_mode):
                # The folder itself may be where something is mounted: its own file system is the one to stay in.
                device = status.st_dev
                _empty(above, name, device)
                os.rmdir(name, dir_fd=above)
            else:
                os.unlink(name, dir_fd=above)
        return not _exists(name, above)
    finally:
        os.close(above)


def _empty(above: int, name: str, device: int) -> None:
    """Remove what is in a folder, and leave `above` open. Raises OSError if it, or the way back, can't be had."""
    here = _enter(above, name, device)
    try:
        levels = [_Level(name, _identity(here), _clear_files(here))]
        while True:
            level = levels[-1]
            if level.folders:
                below = level.folders.pop()
                try:
                    entered = _enter(here, below, device)
                except OSError:
                    continue
                os.close(here)
                here = entered
                levels.append(_Level(below, _identity(here), _clear_files(here)))
                continue
            levels.pop()
            if not levels:
                return
            back = os.open("..", _FOLDER, dir_fd=here)
            os.close(here)
            here = back
            if _identity(here) != levels[-1].identity:
                raise OSError("a folder was moved while it was removed")
            with contextlib.suppress(OSError):
                os.rmdir(level.name, dir_fd=here)
    finally:
        os.close(here)


def _enter(above: int, name: str, device: int) -> int:
    """Open a folder of this file system, with the right to change it."""
    status = os.stat(name, dir_fd=above, follow_symlinks=False)
    if status.st_dev != device:
        raise OSError("another file system")
    if status.st_mode & stat.S_IRWXU != stat.S_IRWXU:
        anchor = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above)
        try:
            os.chmod(f"/proc/self/fd/{anchor}", stat.S_IRWXU)
        finally:
            os.close(anchor)
    return os.open(name, _FOLDER, dir_fd=above)


def _clear_files(folder: int) -> list[str]:
    """Remove all that is no folder, and return the names of the folders."""
    folders = []
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
            else:
                with contextlib.suppress(OSError):
                    os.unlink(entry.name, dir_fd=folder)
    return folders


def _identity(folder: int) -> tuple[int, int]:
    status = os.fstat(folder)
    return status.st_dev, status.st_ino


def _exists(name: str, above: int) -> bool:
    try:
        os.stat(name, dir_fd=above, follow_symlinks=False)
    except OSError:
        return False
    return True
