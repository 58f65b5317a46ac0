"""Collect PlutoPrint's output in memory, count its finished pages, and open it."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any, BinaryIO

import pikepdf

from engine.toolkit.failures import OverLimit
from engine.toolkit.warnings import Warn

_STREAMS = 2
"""Markers of the streams that the PDF contains for each finished page: its content and its objects."""

_PICTURES = re.compile(rb"/XObject << ((?:/x\d+ \d+ 0 R )++)>>")
"""The pictures of a page, one for each time that it is drawn: qpdf gives the resources of a page up whose names come
again more than five times, fonts included."""


class Written(BytesIO):
    """A file in memory that reports how many pages have been written to it."""

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


def opened(stream: BinaryIO) -> pikepdf.Pdf:
    """The PDF that PlutoPrint wrote to a stream.

    Raises OverLimit for one that ends too early: it stops without an error when memory or its numbers don't suffice.
    """
    given = stream if isinstance(stream, BytesIO) else BytesIO(stream.read())
    _name_once(given)
    try:
        return pikepdf.open(given)
    except pikepdf.PdfError as error:
        raise OverLimit("memory", "The page can't be drawn. Make its boxes smaller and try again.") from error


def _name_once(file: BytesIO) -> None:
    """Name each picture of a page once; blanks take the place of the others, so that all objects keep their places."""
    with file.getbuffer() as content:
        for found in _PICTURES.finditer(content):
            names = re.findall(rb"/x\d+ \d+ 0 R ", found[1])
            if len(once := dict.fromkeys(names)) < len(names):
                content[found.start(1) : found.end(1)] = b"".join(once).ljust(len(found[1]))
