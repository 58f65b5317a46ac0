"""Addresses: where the supervisor of a sandbox listens, in a folder that is one user's alone."""

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
"""The first message to whoever connects: it says that who listens is not stuck."""


class Address:
    """A name in a folder, which is made for this user alone."""

    def __init__(self, folder: str, name: str) -> None:
        self.folder = folder
        self.name = name

    @property
    def path(self) -> str:
        return os.path.join(self.folder, self.name)

    def connect(self) -> socket.socket:
        """Connect to whoever listens there; raises OSError, also for a folder that others could write to."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with self._opened() as folder:
                # By descriptor: the name of an address has 108 bytes (unix(7)), and that of a folder may have more.
                connection.connect(f"/proc/self/fd/{folder}/{self.name}")
        except BaseException:
            connection.close()
            raise
        return connection

    def bind(self) -> socket.socket:
        """A socket at this address, in place of any that was there; `lock` is held, as for `free`. Raises OSError."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with self._opened() as folder:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.name, dir_fd=folder)
            listener.bind(f"/proc/self/fd/{folder}/{self.name}")
        return listener

    def free(self) -> None:
        """Take the socket away; `lock` is held."""
        with contextlib.suppress(OSError):
            os.unlink(self.path)

    def sweep(self) -> None:
        """Take away the sockets of others here that are no more; `lock` is held."""
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
        """Hold the right to decide who listens in this folder; raises BlockingIOError where another has it, unless it
        is to `wait`."""
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
            if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o077:
                raise PermissionError(f"{self.folder} is not this user's alone")
            yield descriptor
        finally:
            os.close(descriptor)
