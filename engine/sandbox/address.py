"""The socket address of a supervisor, in a folder that only its user can access."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import stat
from collections.abc import Iterator

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LOCK = "lock"
HELLO = b"here"
"""The first message to every client, which shows that the listener is alive."""


class Address:
    """A socket name in a private folder, created on demand.

    In a shared temporary folder another user may have taken the folder's name first; `otherwise` is the fallback.
    """

    def __init__(self, folder: str, name: str, *, otherwise: str | None = None) -> None:
        self._folder = folder
        self._otherwise = otherwise
        self.name = name

    @property
    def folder(self) -> str:
        return self._otherwise if self._otherwise and _is_taken(self._folder) else self._folder

    def now(self) -> Address:
        """The same address, bound to the folder as it exists at this moment."""
        return Address(self.folder, self.name)

    @property
    def path(self) -> str:
        return os.path.join(self.folder, self.name)

    def connect(self) -> socket.socket:
        """Connect to the listener; raises OSError, also if others can write to the folder."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with self._opened() as folder:
                # By descriptor: a socket address is limited to 108 bytes (unix(7)), and the folder's path may be
                # longer.
                connection.connect(f"/proc/self/fd/{folder}/{self.name}")
        except BaseException:
            connection.close()
            raise
        return connection

    def bind(self) -> socket.socket:
        """A socket bound to this address, replacing any existing one; `lock` must be held, as for `free`. Raises
        OSError."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with self._opened() as folder:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.name, dir_fd=folder)
            listener.bind(f"/proc/self/fd/{folder}/{self.name}")
        return listener

    def free(self) -> None:
        """Remove the socket; `lock` must be held."""
        with contextlib.suppress(OSError):
            os.unlink(self.path)

    def sweep(self) -> None:
        """Remove the sockets of supervisors that have ended; `lock` must be held."""
        for name in os.listdir(self.folder):
            other = Address(self.folder, name)
            if name not in (self.name, _LOCK):
                try:
                    other.connect().close()
                except ConnectionRefusedError:
                    other.free()
                except OSError:
                    continue

    @contextlib.contextmanager
    def lock(self, *, wait: bool = True) -> Iterator[None]:
        """Hold the exclusive right to start a listener in this folder; raises BlockingIOError if it is taken, unless
        `wait`."""
        if wait:
            with contextlib.suppress(FileExistsError):
                os.mkdir(self.folder, 0o700)
        with self._opened() as folder:
            held = os.open(_LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=folder)
        try:
            fcntl.flock(held, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        finally:
            os.close(held)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[int]:
        descriptor = os.open(self.folder, _FOLDER)
        try:
            status = os.fstat(descriptor)
            if not _is_own(status):
                raise PermissionError(f"{self.folder} is not this user's alone")
            yield descriptor
        finally:
            os.close(descriptor)


def _is_own(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid() and stat.S_ISDIR(status.st_mode) and not stat.S_IMODE(status.st_mode) & 0o077


def _is_taken(folder: str) -> bool:
    """Whether the path exists but is not a private folder of this user."""
    try:
        return not _is_own(os.lstat(folder))
    except FileNotFoundError:
        return False
