"""Received but unused bytes: the beginning in memory, the rest in an unnamed file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

MEMORY_BYTES = 80 * 1024
_STEP = 1024 * 1024


class Received:
    """Bytes appended by the event loop and read, possibly again from the start, by the serving thread.

    Raises OSError if the disk is full.
    """

    def __init__(self, folder: Path) -> None:
        self.size = 0
        self.position = 0
        self._folder = folder
        self._memory = bytearray()
        self._file: int | None = None

    @property
    def on_disk(self) -> int:
        """How many bytes are in the file."""
        return self.size - len(self._memory)

    def append(self, data: bytes) -> None:
        if self._file is None and self.size + len(data) <= MEMORY_BYTES:
            self._memory += data
        else:
            if self._file is None:
                with tempfile.TemporaryFile(dir=self._folder, buffering=0) as file:
                    self._file = os.dup(file.fileno())
            rest, offset = memoryview(data), self.on_disk
            while rest:
                written = os.pwrite(self._file, rest, offset)
                offset += written
                rest = rest[written:]
        self.size += len(data)

    def start_of(self, size: int) -> bytes:
        """The first bytes that are in memory."""
        return bytes(self._memory[:size])

    def find(self, what: bytes, start: int) -> int:
        """The position of these bytes in memory, from `start`; -1 if not found."""
        return self._memory.find(what, start)

    def read(self, size: int) -> bytes:
        """The next bytes, at most `most`; empty at the end."""
        if self.position < len(self._memory):
            data = bytes(self._memory[self.position : self.position + size])
        elif self._file is not None:
            data = os.pread(self._file, min(size, _STEP), self.position - len(self._memory))
        else:
            data = b""
        self.position += len(data)
        return data

    def close(self) -> None:
        self._memory.clear()
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self.size = self.position = 0
