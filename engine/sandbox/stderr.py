"""The end of a child's standard error, read without leaving a copy in this process's memory.

Later children inherit all of a zygote's memory, including freed blocks. The output of a job may quote its file, so it
is read into a separate mapping that is unmapped afterwards.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import re
import select
from collections.abc import Iterator

_MOST = 8192
_ROOM = 1 << 16
"""Bytes for the output, and for the log line that contains it: each byte may be a line break that gets indented."""
_INDENT = b"\n    "
_PRINTABLE = frozenset(b"\n" + bytes(range(0x20, 0x7F)))
# How Rust, C++, glib, GHC and libjpeg report a failed allocation before they abort.
_NO_MEMORY = re.compile(
    rb"memory allocation of \d+ bytes failed|bad_alloc|out of memory|MemoryError|cannot allocate memory|heap exhausted"
    rb"|failed to allocate",
    re.IGNORECASE,
)


class LastOutput:
    """The last output of one child in `memory`, with room for the log line before it."""

    def __init__(self, memory: mmap.mmap, length: int) -> None:
        self._memory = memory
        self._first, self._end = _ROOM - _MOST, _ROOM - _MOST + length
        while self._first < self._end and memory[self._end - 1] <= 0x20:
            self._end -= 1

    def __bool__(self) -> bool:
        return self._first < self._end

    @property
    def reports_no_memory(self) -> bool:
        """Whether the output reports a failed allocation."""
        return _NO_MEMORY.search(self._memory, self._first, self._end) is not None

    def write(self, log: int, title: str) -> None:
        """Write the output after a title, escaping whatever could forge a log line or control a terminal.

        Writes as much as the reader of the log accepts without blocking.
        """
        length = self._compose(title.encode())
        poll = select.poll()
        poll.register(log, select.POLLOUT)
        done = 0
        with contextlib.suppress(OSError), memoryview(self._memory) as text:
            # A writable pipe accepts at least this many bytes at once (pipe(7), PIPE_BUF).
            while done < length and poll.poll(0):
                with text[done : min(length, done + select.PIPE_BUF)] as piece:
                    done += os.write(log, piece)

    def _compose(self, title: bytes) -> int:
        memory = self._memory
        memory.seek(0)
        memory.write(title + b": ")
        for at in range(self._first, self._end):
            byte = memory[at]  # small integers are cached by the interpreter, so no copy remains
            if byte == 0x0A:
                memory.write(_INDENT)
            else:
                memory.write_byte(byte if byte in _PRINTABLE else 0x3F)
        memory.write(b"\n")
        return memory.tell()


@contextlib.contextmanager
def last_output(descriptor: int) -> Iterator[LastOutput]:
    """The end of a file, for the duration of the block."""
    size = os.fstat(descriptor).st_size
    if not size:
        yield LastOutput(_EMPTY, 0)
        return
    with mmap.mmap(-1, _ROOM, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        with memoryview(memory) as all_of_it, all_of_it[_ROOM - _MOST :] as room:
            length = os.preadv(descriptor, [room], max(0, size - _MOST))
        yield LastOutput(memory, length)


_EMPTY = mmap.mmap(-1, _ROOM, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
