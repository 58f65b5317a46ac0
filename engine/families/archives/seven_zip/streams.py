"""Read the streams of an archive, and the files in them with their checksums."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import IO

from engine.families.archives.damage import damaged
from engine.families.archives.seven_zip import coders
from engine.families.archives.seven_zip.locks import Lock
from engine.toolkit.failures import ConversionError

BLOCK = 1 << 16


def blocks(file: IO[bytes], start: int, size: int) -> Iterator[bytes]:
    """A stream of the file, other parts of which may be read in between."""
    while size > 0:
        file.seek(start)
        block = file.read(min(size, BLOCK))
        if not block:
            return
        start += len(block)
        size -= len(block)
        yield block


class Stream:
    """A file object over an iterator of blocks, which is made when the first is read."""

    def __init__(self, opened: Callable[[], Iterator[bytes]], lock: Lock | None = None) -> None:
        self._opened, self.lock = opened, lock
        self._blocks: Iterator[bytes] | None = None
        self._left = b""

    def refusal(self) -> ConversionError:
        return self.lock.refusal() if self.lock else damaged()

    def read(self, size: int) -> bytes:
        try:
            if self._blocks is None:
                self._blocks = self._opened()
            while not self._left:
                self._left = next(self._blocks)
        except StopIteration:
            return b""
        except coders.BROKEN as error:
            raise self.refusal() from error
        data, self._left = self._left[:size], self._left[size:]
        return data


class Part:
    """A slice of a stream with a checksum that is verified at its end."""

    def __init__(self, stream: Stream, size: int, crc: int | None) -> None:
        self._stream, self._left, self._crc, self._sum = stream, size, crc, 0

    def read(self, size: int = -1) -> bytes:
        want = self._left if size < 0 else min(size, self._left)
        pieces = []
        while want > 0:
            data = self._stream.read(want)
            if not data:
                raise self._stream.refusal()
            pieces.append(data)
            want -= len(data)
            self._left -= len(data)
            self._sum = zlib.crc32(data, self._sum)
        if not self._left and self._crc is not None:
            if self._crc != self._sum:
                raise self._stream.refusal()
            if pieces and self._stream.lock:
                self._stream.lock.proven = True
        return b"".join(pieces)
