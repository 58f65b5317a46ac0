"""What PlutoPrint writes, collected in memory, and how many pages of it are through."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from conversions.toolkit.warnings import Warn

_STREAMS = 2
"""Streams that stand in the PDF for each page as it is drawn: what is on it, and the objects that it names."""


class Written(BytesIO):
    """A file in memory that says how many of so many pages were written to it."""

    def __init__(self, pages: int, warn: Warn) -> None:
        super().__init__()
        self._pages, self._warn, self._streams = pages, warn, 0
        warn.progress(0, pages, "pages")

    def write(self, data: Any, /) -> int:
        found = bytes(data).count(b"endstream")
        if found:
            self._streams += found
            self._warn.progress(min(self._streams // _STREAMS, self._pages), self._pages, "pages")
        return super().write(data)
