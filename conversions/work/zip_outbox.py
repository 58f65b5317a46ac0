"""Where a streamed ZIP is written to: its bytes are sent as they come, and are never all on disk or in memory."""

from __future__ import annotations

import io
from collections.abc import Iterator


class Outbox(io.RawIOBase):
    """Collects what zipfile writes; not seekable, so that sizes follow the data."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        part = bytes(data)  # type: ignore[call-overload]
        self._parts.append(part)
        return len(part)

    def take(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def begun(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same pieces, worked out up to the first one that is not empty.

    An error up to there is raised here, where a view can report it: raised by the response itself, it would end in 500.
    """
    first = next((each for each in pieces if each), b"")
    return _continued(first, pieces)


def _continued(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest
