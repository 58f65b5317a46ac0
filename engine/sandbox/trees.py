"""Remove file trees that may be hostile in depth, names and modes."""

from __future__ import annotations

import contextlib
import os
import stat
from dataclasses import dataclass

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class _Level:
    """A folder on the way down: its name in its parent, its identity, and its remaining subfolders."""

    name: str
    identity: tuple[int, int]
    folders: list[str]


def remove(folder: str) -> bool:
    """Remove a folder with its content and return whether it is gone; no tree can make it raise.

    It moves by `..` and names, with two descriptors and no paths, so that neither depth nor path length matters. It
    follows no link and enters no other file system; what can't be removed stays, and the rest goes. Nothing may be
    writing to the tree.
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
                # The folder may be a mount point: its own file system is the one to stay in.
                device = status.st_dev
                _empty(above, name, device)
                os.rmdir(name, dir_fd=above)
            else:
                os.unlink(name, dir_fd=above)
        return not _exists(name, above)
    finally:
        os.close(above)


def _empty(above: int, name: str, device: int) -> None:
    """Remove the content of a folder and leave `above` open. Raises OSError if it, or the way back, can't be opened."""
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
    """Open a subfolder on the same file system, making it writable first."""
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
    """Remove everything but folders, and return the folders' names."""
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
