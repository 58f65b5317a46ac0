"""Count the shapes and pages of a drawing or presentation, before LibreOffice lays them out."""

from __future__ import annotations

import re

from engine.toolkit.failures import OverLimit

_SPARE, _BYTES = 5_000, 15
"""A file may have 5,000 shapes and one more for each 15 bytes: 20,000 equal ones in 5.6 KB took 6 s as PDF and over
14 s as SVG, while shapes at places of their own take more bytes each."""
_PAGE = 3
"""Shapes that a page counts as: 1,500 of a frame each took 3 s, 9,000 over 16 s."""

_DRAWN = re.compile(
    rb"<(?:[\w.-]+:)?(?:frame|custom-shape|rect|line|polyline|polygon|regular-polygon|path|circle|ellipse|connector|"
    rb"measure|caption|control|g|sp|pic|cxnSp|graphicFrame|grpSp)[\s/>]"
)
_PAGES = re.compile(rb"<(?:[\w.-]+:)?(?:page|sldId)[\s/>]")


class Shapes:
    """Collects the number of shapes, part by part."""

    def __init__(self) -> None:
        self._count = 0

    def part(self, name: str, data: bytes) -> None:
        """Count the shapes and pages of a part."""
        small = name.lower()
        if small == "content.xml" or small.startswith(("ppt/slides/slide", "ppt/presentation")):
            self._count += len(_DRAWN.findall(data)) + _PAGE * len(_PAGES.findall(data))

    def check(self, size: int) -> None:
        """Raise OverLimit for more shapes than a file of this many bytes has."""
        if self._count > _SPARE + size // _BYTES:
            raise OverLimit("limit", "The file has too many shapes or pages for its size.")
