"""A client's socket as gunicorn sees it: reads come from memory, and what can't be sent at once is queued."""

from __future__ import annotations

import collections
import errno
import fcntl
import itertools
import os
import socket
import struct
import termios
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from config.server.received import Received

SEND_STEP = 1024 * 1024
OUTBOX_BYTES = 256 * 1024
MOST_PIECES = 64
_PIECE_BYTES = 256
"""Memory of a piece beside its bytes: an export is made of lines, and 64 bytes of one took 330."""
_HEAD = b"HTTP/1."


class BodyAwaited(BaseException):
    """The application needs more of the body than has arrived; error handlers must let this pass."""


@dataclass
class _FileSlice:
    """Bytes of a file still to be sent; owns a duplicate of the descriptor."""

    descriptor: int
    offset: int
    count: int


class Channel:
    """One connection; owned by the event loop or by the thread that serves its request, never by both.

    The socket and all methods are non-blocking. `whole` says that the request is complete: reads beyond its end raise
    ConnectionResetError, else BodyAwaited. `held` is the memory of what waits to be sent; files need none.
    """

    def __init__(self, sock: socket.socket, folder: Path) -> None:
        sock.setblocking(False)
        self.sock = sock
        self.received = Received(folder)
        self.whole = False
        self.request: Any = None
        self.closed = False
        self.owes_continue = False
        self.sent = 0
        self.held = 0
        self._outbox: collections.deque[memoryview | _FileSlice] = collections.deque()

    # Called by gunicorn, in the thread that serves the request

    def recv(self, size: int) -> bytes:
        data = self.received.read(size)
        if data:
            return data
        if not self.whole:
            raise BodyAwaited
        # Reading has started and needs more bytes: a partial upload must not look complete.
        raise ConnectionResetError(errno.ECONNRESET, "The client went away before its request was complete.")

    def send(self, data: bytes) -> int:
        self.sendall(data)
        return len(data)

    def sendall(self, data: bytes) -> None:
        """Send what the client accepts and queue the rest; a head waits for the first bytes of its body."""
        if self.closed:
            raise BrokenPipeError(errno.EPIPE, "The connection is closed.")
        alone = not self._outbox and data.startswith(_HEAD)
        if data:
            self._outbox.append(memoryview(data))
            self.held += len(data) + _PIECE_BYTES
        if not alone:
            self.flush()

    def sendfile(self, file: IO[bytes], offset: int = 0, count: int | None = None) -> None:
        """Queue `count` bytes of the file from `offset`; the caller may close the file."""
        descriptor = os.dup(file.fileno())
        if count is None:
            count = os.fstat(descriptor).st_size - offset
        self._outbox.append(_FileSlice(descriptor, offset, count))

    def shutdown(self, how: int) -> None:
        # gunicorn shuts down only after errors; the event loop closes connections.
        raise OSError(errno.ENOTCONN, "The event loop closes this connection.")

    def close(self) -> None:
        self.closed = True

    def fileno(self) -> int:
        return self.sock.fileno()

    def setblocking(self, flag: bool) -> None:
        """Ignored: the socket is always non-blocking."""

    def settimeout(self, seconds: float | None) -> None:
        """Ignored; see `setblocking`."""

    def gettimeout(self) -> float | None:
        return None

    @property
    def is_full(self) -> bool:
        """Whether to produce no more output until the client has accepted some."""
        return self.held > OUTBOX_BYTES

    # Called by the event loop

    def flush(self) -> bool:
        """Send what the client accepts, up to `SEND_STEP` bytes of files; returns whether all is sent."""
        allowance = SEND_STEP
        while self._outbox and allowance > 0:
            piece = self._outbox[0]
            try:
                if isinstance(piece, _FileSlice):
                    allowance -= self._send_slice(piece, allowance)
                else:
                    self._send_pieces()
            except (BlockingIOError, InterruptedError):
                return False
        return not self._outbox

    def take(self, most: int) -> bytes | None:
        """Received bytes, at most `most`; empty after the client has closed, None if none are available."""
        try:
            return self.sock.recv(most)
        except (BlockingIOError, InterruptedError):
            return None

    @property
    def broken(self) -> bool:
        """Whether the client has reset the connection: it closed before reading all of the response."""
        return self.sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0

    @property
    def arrived(self) -> bool:
        """Whether the client's kernel has acknowledged all data (tcp(7), SIOCOUTQ)."""
        (waiting,) = struct.unpack("i", fcntl.ioctl(self.sock, termios.TIOCOUTQ, bytes(4)))
        return bool(waiting <= 1)

    def next_request(self, read_ahead: bytes) -> bytes:
        """Drop the served request; returns what arrived after it, of which `read_ahead` was read already."""
        rest = bytearray(read_ahead)
        while data := self.received.read(OUTBOX_BYTES):
            rest += data
        self.received.close()
        self.whole = False
        return bytes(rest)

    def destroy(self) -> None:
        """Close the socket, dropping unsent data."""
        self.closed = True
        self.received.close()
        while self._outbox:
            piece = self._outbox.popleft()
            if isinstance(piece, _FileSlice):
                os.close(piece.descriptor)
        self.held = 0
        self.sock.close()

    def _send_pieces(self) -> None:
        """Send the bytes before the next file in one call: usually a head and a body."""
        pieces: list[memoryview] = []
        for each in itertools.islice(self._outbox, MOST_PIECES):
            if isinstance(each, _FileSlice):
                break
            pieces.append(each)
        sent = self.sock.sendmsg(pieces)
        self.sent += sent
        for each in pieces:
            self._outbox.popleft()
            if sent < len(each):
                self._keep(each[sent:])
                break
            sent -= len(each)
            self.held -= memoryview(each.obj).nbytes + _PIECE_BYTES

    def _keep(self, rest: memoryview) -> None:
        """Put back the rest of a piece; a view keeps all of its bytes in memory, so a small rest is copied."""
        whole = memoryview(rest.obj).nbytes
        if 2 * len(rest) <= whole:
            rest = memoryview(bytes(rest))
            self.held -= whole - len(rest)
        self._outbox.appendleft(rest)

    def _send_slice(self, piece: _FileSlice, limit: int) -> int:
        sent = 0
        if piece.count > 0:
            sent = os.sendfile(self.sock.fileno(), piece.descriptor, piece.offset, min(piece.count, limit))
        piece.offset += sent
        piece.count -= sent
        self.sent += sent
        if sent == 0:
            os.close(piece.descriptor)
            self._outbox.popleft()
            if piece.count > 0:
                raise BrokenPipeError(errno.EPIPE, "The file is shorter than was announced.")
        return sent
