"""Finds the end of a request incrementally (RFC 9112, section 6).

The event loop only needs to know when a request is complete; gunicorn's parser decides what the bytes mean. Where the
two could disagree, the request counts as complete, and the parser refuses it.
"""

from __future__ import annotations

import re

from config.server.received import Received

HEAD_BYTES = 64 * 1024
SIZE_LINE_BYTES = 8190
TRAILER_BYTES = 8 * 1024
"""In lines of three bytes 3 ms of the event loop."""
LARGEST_CHUNK_BYTES = 10**12
"""As no plan allows a larger file (accounts.models.Plan), nobody has to wait for more."""
LEAST_CHUNK_BYTES = 128
"""The size from which any number of chunks is read. A chunk takes the event loop 0.6 µs and the thread that reads it
2.5, whatever its size: that of a megabyte in chunks of 128 bytes is 24 ms."""
SMALL_CHUNKS = 128 * 1024
"""How many smaller ones are read: 0.4 s, and enough for 3 MB in lines of 20 bytes, or 8 MB in lines of 40."""
TINY_CHUNKS = 4096
LEAST_TINY_BYTES = 16
"""The least average size of chunks beyond TINY_CHUNKS. The loop takes 64 kB at a time and all other clients wait:
for chunks of 16 bytes and their framing 2 ms, as for the first 4,096; for chunks of one byte it would be 7."""
_SLOW_CHUNK = 4
"""What a chunk with an extension or leading zeros counts as: finding its end takes 2.3 µs."""

_END_OF_HEAD = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length:([^\r\n]*+)(?=\r\n)", re.IGNORECASE)
_CODING = re.compile(rb"\r\ntransfer-encoding:([^\r\n]*+)(?=\r\n)", re.IGNORECASE)
_EXPECT = re.compile(rb"\r\nexpect:", re.IGNORECASE)
_HEXADECIMAL = b"0123456789ABCDEFabcdef"
_PLAIN_DIGITS = 15
_SIZE = re.compile(rb"([0-9A-Fa-f]+)[ \t]*(?:;.*)?", re.DOTALL)


class Framing:
    """State of one request: `head` is the length of its head in bytes, `length` that of its declared body."""

    def __init__(self) -> None:
        self.head = 0
        self.length: int | None = None
        self.complete = False
        self.endless = False
        self.expects_continue = False
        self._searched = 0
        self._chunks: _Chunks | None = None

    @property
    def chunked(self) -> bool:
        return self._chunks is not None

    @property
    def wasteful(self) -> bool:
        """Whether the body has too many small chunks to be read any further."""
        return self._chunks is not None and self._chunks.wasteful

    @property
    def oversized(self) -> bool:
        """Whether a chunk is announced that is too large for any file."""
        return self._chunks is not None and self._chunks.oversized

    def advance(self, received: Received, data: bytes) -> None:
        """Process `data`, which has just been received."""
        if not self.head:
            behind = self._find_head(received)
            if behind is None:
                return
            data = behind
        if self._chunks is not None:
            self.complete = self._chunks.feed(data)
            self.endless = self._chunks.endless
        else:
            self.complete = received.size >= self.head + (self.length or 0)

    def missing(self, received: Received, most: int) -> int:
        """How many bytes to receive next: none beyond a declared body, to keep the next request apart."""
        if not self.head:
            return max(1, min(most, HEAD_BYTES + len(_END_OF_HEAD) - received.size))
        if self.length is not None:
            return max(1, min(most, self.head + self.length - received.size))
        return most

    def _find_head(self, received: Received) -> bytes | None:
        """Look for the end of the head; returns what follows it, or None if it is incomplete."""
        end = received.find(_END_OF_HEAD, max(0, self._searched - len(_END_OF_HEAD) + 1))
        self._searched = received.size
        if end < 0 or end + len(_END_OF_HEAD) > HEAD_BYTES:
            start = received.start_of(HEAD_BYTES)
            self.endless = end >= 0 or received.size >= HEAD_BYTES
            # A bare line feed does not end a head; the parser reports it.
            self.complete = not self.endless and start.count(b"\n") != start.count(b"\r\n")
            return None
        self.head = end + len(_END_OF_HEAD)
        head = received.start_of(end + 2)
        lengths, codings = ([each.strip(b" \t") for each in kind.findall(head)] for kind in (_LENGTH, _CODING))
        self.expects_continue = bool(_EXPECT.search(head))
        if codings:
            if len(codings) == 1 and codings[0].lower() == b"chunked" and not lengths:
                self._chunks = _Chunks()
            else:
                self.complete = True
        elif lengths:
            if len(lengths) == 1 and lengths[0].isdigit() and len(lengths[0]) <= 18:
                self.length = int(lengths[0])
            else:
                self.complete = True
        return None if self.complete else received.start_of(received.size)[self.head :]


class _Chunks:
    """Finds the end of a chunked body (RFC 9112, section 7.1), or its first invalid byte."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._data = 0
        self._line_end = b""
        self._count = 0
        self._allowed = TINY_CHUNKS
        self._size = 0
        self.wasteful = False
        self.oversized = False
        self.endless = False
        self._trailer = 0
        self._in_trailer = False

    def feed(self, data: bytes) -> bool:
        """Whether the body ends in these bytes, validly or not."""
        position = 0
        while position < len(data):
            if not (self._data or self._line_end or self._line or self._in_trailer):
                position = self._skip_whole(data, position)
                if self.wasteful or position == len(data):
                    return False
            if self._data:
                step = min(self._data, len(data) - position)
                self._data -= step
                position += step
            elif self._line_end:
                if data[position] != self._line_end[0]:
                    return True
                self._line_end = self._line_end[1:]
                position += 1
            else:
                end = data.find(b"\n", position)
                self._line += data[position : end + 1 if end >= 0 else len(data)]
                if len(self._line) > SIZE_LINE_BYTES:
                    return True
                if end < 0:
                    return False
                position = end + 1
                if self._ends_body(bytes(self._line)):
                    return True
                if self.oversized or self._is_wasteful():
                    return False
                self._line.clear()
        return False

    def _skip_whole(self, data: bytes, position: int) -> int:
        """The position behind the plain chunks that are whole here; the others take several times as long."""
        while True:
            end = data.find(b"\r\n", position, position + _PLAIN_DIGITS + 2)
            digits = data[position:end]
            if end < 0 or not digits or digits.strip(_HEXADECIMAL):
                return position
            size = int(digits, 16)
            behind = end + 2 + size
            if not size or data[behind : behind + 2] != b"\r\n":
                return position
            position = behind + 2
            self._count += 1
            self._size += size
            if self._is_wasteful():
                return position

    def _is_wasteful(self) -> bool:
        if self._count > self._allowed:
            small, tiny = SMALL_CHUNKS + self._size // LEAST_CHUNK_BYTES, TINY_CHUNKS + self._size // LEAST_TINY_BYTES
            self._allowed = min(small, tiny)
            self.wasteful = self._count > self._allowed
        return self.wasteful

    def _ends_body(self, line: bytes) -> bool:
        if not line.endswith(b"\r\n"):
            return True
        if self._in_trailer:
            self._trailer += len(line)
            self.endless = self._trailer > TRAILER_BYTES
            return line == b"\r\n" or self.endless
        size = _SIZE.fullmatch(line[:-2])
        if size is None:
            return True
        self._data = int(size[1], 16)
        self.oversized = self._data > LARGEST_CHUNK_BYTES
        self._count += 1 if len(line) - 2 == size.end(1) <= _PLAIN_DIGITS else _SLOW_CHUNK
        self._size += self._data
        self._in_trailer = not self._data
        self._line_end = b"\r\n" if self._data else b""
        return False
