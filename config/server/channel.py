"""A client's socket as gunicorn sees it: what is read is here already, what is sent is left to the event loop."""

from __future__ import annotations

import collections
import errno
import itertools
import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from config.server.received import Received

SEND_STEP = 1024 * 1024
OUTBOX_BYTES = 256 * 1024
MOST_PIECES = 64
_HEAD = b"HTTP/1."


class BodyAwaited(BaseException):
    """The application wants more of the body than has come in; nobody who handles errors is to handle this one."""


@dataclass
class _FileSlice:
    """Bytes of a file that are still to be sent; the descriptor is a duplicate of our own."""

    descriptor: int
    offset: int
    count: int


class Channel:
    """One connection; owned by the event loop or by the one thread that serves its request, never by both.

    The socket never blocks and no method waits. `whole` says that nothing more will come of the request: a read beyond
    its end then raises ConnectionResetError, and BodyAwaited otherwise.
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
        self._outbox: collections.deque[memoryview | _FileSlice] = collections.deque()
        self._outbox_bytes = 0

    # What gunicorn calls, in the thread that serves the request

    def recv(self, size: int) -> bytes:
        data = self.received.read(size)
        if data:
            return data
        if not self.whole:
            raise BodyAwaited
        # Whatever has begun needs more bytes: half an upload must not pass for a whole one.
        raise ConnectionResetError(errno.ECONNRESET, "The client went away before its request was complete.")

    def send(self, data: bytes) -> int:
        self.sendall(data)
        return len(data)

    def sendall(self, data: bytes) -> None:
        """Send what the client takes at once and keep the rest; a head is held back for the first bytes of its body."""
        if self.closed:
            raise BrokenPipeError(errno.EPIPE, "The connection is closed.")
        alone = not self._outbox and data.startswith(_HEAD)
        if data:
            self._outbox.append(memoryview(data))
            self._outbox_bytes += len(data)
        if not alone:
            self.flush()

    def sendfile(self, file: IO[bytes], offset: int = 0, count: int | None = None) -> None:
        """Leave `count` bytes of the file from `offset` on to the event loop; the file may be closed afterwards."""
        descriptor = os.dup(file.fileno())
        if count is None:
            count = os.fstat(descriptor).st_size - offset
        self._outbox.append(_FileSlice(descriptor, offset, count))

    def shutdown(self, how: int) -> None:
        # gunicorn shuts down only what went wrong midway; the event loop does the closing.
        raise OSError(errno.ENOTCONN, "The event loop closes this connection.")

    def close(self) -> None:
        self.closed = True

    def fileno(self) -> int:
        return self.sock.fileno()

    def setblocking(self, flag: bool) -> None:
        """Nothing: no method waits, whatever is asked for."""

    def settimeout(self, seconds: float | None) -> None:
        """Nothing, as for `setblocking`."""

    def gettimeout(self) -> float | None:
        return None

    @property
    def is_full(self) -> bool:
        """Whether whoever produces more to send should wait until the client has taken some."""
        return self._outbox_bytes > OUTBOX_BYTES

    # What the event loop calls

    def flush(self) -> bool:
        """Send what the client takes without waiting, up to `SEND_STEP` bytes of files; return whether all is sent."""
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
        """What the client has sent, at most so many bytes; nothing once it has closed, None where none is here yet."""
        try:
            return self.sock.recv(most)
        except (BlockingIOError, InterruptedError):
            return None

    def next_request(self, read_ahead: bytes) -> bytes:
        """Forget the request that was served; return what came in behind it, of which `read_ahead` was read already."""
        rest = bytearray(read_ahead)
        while data := self.received.read(OUTBOX_BYTES):
            rest += data
        self.received.close()
        self.whole = False
        return bytes(rest)

    def destroy(self) -> None:
        """Close the socket, whatever is still to be sent."""
        self.closed = True
        self.received.close()
        while self._outbox:
            piece = self._outbox.popleft()
            if isinstance(piece, _FileSlice):
                os.close(piece.descriptor)
        self.sock.close()

    def _send_pieces(self) -> None:
        """Send the bytes that come before the next file with one call: a head and a body, usually."""
        pieces: list[memoryview] = []
        for each in itertools.islice(self._outbox, MOST_PIECES):
            if isinstance(each, _FileSlice):
                break
            pieces.append(each)
        sent = self.sock.sendmsg(pieces)
        self._outbox_bytes -= sent
        self.sent += sent
        for each in pieces:
            self._outbox.popleft()
            if sent < len(each):
                self._outbox.appendleft(each[sent:])
                break
            sent -= len(each)

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
