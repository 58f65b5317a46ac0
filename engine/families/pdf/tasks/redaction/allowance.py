"""Limit how much of a PDF is searched, so that content that many pages share does not take minutes."""

from __future__ import annotations

import math

import pikepdf
from pikepdf import Name

from engine.families.pdf import drawing_cost
from engine.families.pdf.contents import streams_of
from engine.toolkit.failures import OverLimit

_MOST = 2_000_000
_TIMES = 25
"""Bytes of content for each byte of the file: text is compressed to a quarter, tables to a tenth."""
_PIXELS = 50
"""Pixels that are decoded, painted over and encoded in the time of a byte of content."""


class Allowance:
    """Counts bytes of content that are searched, 2 µs each; raises OverLimit beyond what a file of `size` may have."""

    def __init__(self, size: int) -> None:
        self._left = _MOST + _TIMES * size

    def take(self, steps: int) -> None:
        """Count work that takes as long as this many bytes."""
        self._left -= max(0, steps)  # the sides of a damaged picture may be negative
        if self._left < 0:
            raise OverLimit("limit", "The PDF has too much content to search.")

    def take_content(self, holder: pikepdf.Object) -> None:
        """Count the content of a page or a form."""
        for each in streams_of(holder):
            self.take(len(drawing_cost.decompressed(each)))

    def take_picture(self, picture: pikepdf.Object) -> None:
        """Count a picture that is painted over."""
        sides: list[object] = [picture.get(name) for name in (Name.Width, Name.Height)]
        self.take(math.prod(each for each in sides if isinstance(each, int)) // _PIXELS)
