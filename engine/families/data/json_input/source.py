"""JSON input as UTF-8, detecting encodings (RFC 8259, RFC 4627) and reporting lines and columns."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from engine.toolkit import encodings
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

STEP = 1 << 18
COPY = "input.utf-8"
MAX_ITEM = 1 << 26
"""Maximum bytes of an item, which is held in memory as a whole."""


@dataclass(frozen=True)
class Source:
    """A file in UTF-8 whose text begins at byte `start`."""

    path: Path
    start: int
    size: int

    def unreadable(self, message: str, offset: int) -> Unreadable:
        """Return the error for the byte at `offset`, or for earlier bytes that are not UTF-8."""
        line, last, at = 1, b"", self.start
        decoder = codecs.getincrementaldecoder("utf-8")()
        with self.path.open("rb") as file:
            file.seek(self.start)
            while at < offset and (block := file.read(min(STEP, offset - at))):
                waiting = len(decoder.getstate()[0])
                try:
                    decoder.decode(block)
                except UnicodeDecodeError as error:
                    offset = at - waiting + error.start
                    message = say("The text is not UTF-8: the byte at offset {offset} is invalid", offset=offset)
                    block = block[: max(error.start - waiting, 0)]
                    at = offset
                at += len(block)
                line += block.count(b"\n")
                last = block.rpartition(b"\n")[2] if b"\n" in block else last + block
        column = len(last.decode(errors="ignore")) + 1
        return Unreadable(
            say("{message} (line {line}, column {column}).", message=message, line=line, column=column),
            line=line,
            column=column,
            reason="damaged",
        )


def prepare(path: Path, warn: Warn) -> Source:
    """Return the input as UTF-8: the file itself, or a copy beside it where it is UTF-16 or UTF-32.

    Raises Unreadable with the offset of bytes that don't fit the encoding.
    """
    with path.open("rb") as file:
        head = file.read(4)
        start, encoding = encodings.unicode_mark(head) or (0, "utf-8")
        if encoding == "utf-8":
            return Source(path, start, path.stat().st_size)
        warn.detect(encoding=encoding.upper())
        file.seek(start)
        copy = path.with_name(COPY)
        with copy.open("wb") as target:
            _transcode(file, target, encoding, start)
    return Source(copy, 0, copy.stat().st_size)


def _transcode(source: BinaryIO, target: BinaryIO, encoding: str, offset: int) -> None:
    decoder = codecs.getincrementaldecoder(encoding)()
    while True:
        block = source.read(STEP)
        waiting = len(decoder.getstate()[0])
        try:
            target.write(decoder.decode(block, final=not block).encode())
        except UnicodeDecodeError as error:
            at = offset - waiting + error.start
            raise Unreadable(
                say(
                    "The text is not {encoding}: the bytes at offset {at} are invalid.",
                    encoding=encoding.upper(),
                    at=at,
                ),
                reason="damaged",
            ) from None
        if not block:
            return
        offset += len(block)


class Window:
    """The part of the input in memory: `data` begins at byte `offset`; `ended` is true if it reaches the end.

    About `step` bytes are read at once.
    """

    def __init__(self, file: BinaryIO, offset: int, step: int = 0) -> None:
        file.seek(offset)
        self._file = file
        self.step = step or STEP
        self.offset = offset
        self.data = b""
        self.ended = False

    def fill(self) -> None:
        """Read until there are `step` bytes, or to the end."""
        if len(self.data) < self.step:
            self._read(self.step)

    def grow(self) -> None:
        """Double the data in memory. Raises OverLimit where that is more than one item may have."""
        _check_size(self.data)
        self._read(max(self.step, len(self.data)))

    def drop(self, count: int) -> None:
        """Discard the first `count` bytes."""
        self.data = self.data[count:]
        self.offset += count

    def _read(self, count: int) -> None:
        more = self._file.read(count)
        self.ended = len(more) < count
        self.data += more


def _check_size(item: bytes) -> None:
    if len(item) >= MAX_ITEM:
        raise OverLimit(
            "memory",
            say("One item has more than {max_item} MB. Split the file into smaller items.", max_item=MAX_ITEM >> 20),
        )
