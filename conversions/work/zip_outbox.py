"""Where a streamed ZIP is written to: its bytes are sent as they come, and are never all on disk or in memory."""

from __future__ import annotations

import io


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
