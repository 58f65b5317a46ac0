"""A client's socket as gunicorn sees it: reading has a deadline, sending is left to the event loop."""

from __future__ import annotations

import collections
import contextlib
import errno
import itertools
import os
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any, ClassVar

GRACE_SECONDS = 10.0
BYTES_PER_SECOND = 16 * 1024
SEND_STEP = 1024 * 1024
OUTBOX_BYTES = 256 * 1024
MOST_PIECES = 64
_HEAD = b"HTTP/1."


class TooSlow(ConnectionResetError):
    """The client kept us waiting for longer than `GRACE_SECONDS` and a second for every `BYTES_PER_SECOND` moved."""


@dataclass
class _FileSlice:
    """Bytes of a file that are still to be sent; the descriptor is a duplicate of our own."""

    descriptor: int
    offset: int
    count: int


class Channel:
    """One connection; owned by the event loop or by the one thread that serves its request, never by both.

    The socket is never blocking. A thread that must wait gives its place (`places`) to another one meanwhile, and calls
    `before_waiting` first, so that it holds nothing that others need.
    """

    before_waiting: ClassVar[Callable[[], None] | None] = None

    def __init__(self, sock: socket.socket, places: threading.Semaphore) -> None:
        sock.setblocking(False)
        self.sock = sock
        self.inbox = bytearray()
        self.request: Any = None
        self.closed = False
        self.owes_continue = False
        self._places = places
        self._outbox: collections.deque[memoryview | _FileSlice] = collections.deque()
        self._outbox_bytes = 0
        self.begin_request()

    def begin_request(self) -> None:
        """Give the client a new allowance of patience."""
        self._waited = 0.0
        self._moved = 0

    # What gunicorn calls, in the thread that serves the request

    def recv(self, size: int) -> bytes:
        if self.inbox:
            data = bytes(self.inbox[:size])
            del self.inbox[:size]
            return data
        if self.owes_continue:
            # RFC 9110, section 10.1.1: asked for only now, so that a refusal reaches the client before the body.
            self.owes_continue = False
            self._queue(b"HTTP/1.1 100 Continue\r\n\r\n")
            self._deliver()
        while True:
            with contextlib.suppress(BlockingIOError, InterruptedError):
                data = self.sock.recv(size)
                if not data:
                    # Whatever has begun needs more bytes: half an upload must not pass for a whole one.
                    raise ConnectionResetError(
                        errno.ECONNRESET, "The client went away before its request was complete."
                    )
                self._moved += len(data)
                return data
            self._wait(select.POLLIN)

    def send(self, data: bytes) -> int:
        self.sendall(data)
        return len(data)

    def sendall(self, data: bytes) -> None:
        """Send all that the client takes at once; a head is held back for the first bytes of its body."""
        if self.closed:
            raise BrokenPipeError(errno.EPIPE, "The connection is closed.")
        alone = not self._outbox and data.startswith(_HEAD)
        self._queue(data)
        if not alone:
            self._deliver()

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
        """Nothing: reading waits by the rules above, whatever is asked for."""

    def settimeout(self, seconds: float | None) -> None:
        """Nothing, as for `setblocking`."""

    def gettimeout(self) -> float | None:
        return None

    # What the event loop calls

    @property
    def has_output(self) -> bool:
        return bool(self._outbox)

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

    def fill(self, limit: int) -> bool:
        """Take what the client has sent, up to `limit` bytes in the inbox; return False once it has closed."""
        while len(self.inbox) < limit:
            asked = limit - len(self.inbox)
            try:
                data = self.sock.recv(asked)
            except (BlockingIOError, InterruptedError):
                return True
            if not data:
                return False
            self.inbox += data
            if len(data) < asked:
                break  # there was no more; the end of the connection shows the next time
        return True

    def discard(self, limit: int) -> int:
        """Throw away up to `limit` bytes that the client has sent; return how many, 0 when it has closed its side."""
        thrown = len(self.inbox)
        self.inbox.clear()
        while thrown < limit:
            try:
                data = self.sock.recv(min(limit - thrown, 256 * 1024))
            except (BlockingIOError, InterruptedError):
                return max(thrown, 1)
            if not data:
                break
            thrown += len(data)
        return thrown

    def destroy(self) -> None:
        """Close the socket, whatever is still to be sent."""
        self.closed = True
        while self._outbox:
            piece = self._outbox.popleft()
            if isinstance(piece, _FileSlice):
                os.close(piece.descriptor)
        self.sock.close()

    def _queue(self, data: bytes) -> None:
        if not data:
            return
        self._outbox.append(memoryview(data))
        self._outbox_bytes += len(data)

    def _deliver(self) -> None:
        while not self.flush() and self._outbox_bytes > OUTBOX_BYTES:
            self._wait(select.POLLOUT)

    def _send_pieces(self) -> None:
        """Send the bytes that come before the next file with one call: a head and a body, usually."""
        pieces: list[memoryview] = []
        for each in itertools.islice(self._outbox, MOST_PIECES):
            if isinstance(each, _FileSlice):
                break
            pieces.append(each)
        sent = self.sock.sendmsg(pieces)
        self._outbox_bytes -= sent
        self._moved += sent
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
        if sent == 0:
            os.close(piece.descriptor)
            self._outbox.popleft()
            if piece.count > 0:
                raise BrokenPipeError(errno.EPIPE, "The file is shorter than was announced.")
        return sent

    def _wait(self, event: int) -> None:
        patience = GRACE_SECONDS + self._moved / BYTES_PER_SECOND - self._waited
        poll = select.poll()
        poll.register(self.sock, event)
        if Channel.before_waiting:
            Channel.before_waiting()
        with self._place_given_up():
            started = time.monotonic()
            ready = patience > 0 and poll.poll(patience * 1000)
            self._waited += time.monotonic() - started
        if not ready:
            self.closed = event == select.POLLOUT
            raise TooSlow(errno.ECONNRESET, "The client is too slow.")

    @contextlib.contextmanager
    def _place_given_up(self) -> Iterator[None]:
        self._places.release()
        try:
            yield
        finally:
            self._places.acquire()
