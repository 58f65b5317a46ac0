"""Count what the suite leaves out of Word and PowerPoint files or draws otherwise, without saying so.

Found by comparing pages of version 7.4 with what the elements mean (ECMA-376, part 1, 17 and 20).
"""

from __future__ import annotations

import re
from collections import Counter

from engine.families.documents.word.page_borders import STRAIGHT
from engine.toolkit import vocabulary
from engine.toolkit.warnings import Warn

_WORD = re.compile(r"word/(?:document|header[0-9]*|footer[0-9]*|footnotes|endnotes)\.xml")
_SLIDES = re.compile(r"ppt/(?:slides|slideLayouts|slideMasters)/[^/]+\.xml")
_SIDE = re.compile(rb'<w:(?:top|left|bottom|right)\s[^<>]*\bw:val="([A-Za-z0-9]{1,40})"')
_SOME_PAGES = re.compile(rb'\A[^<>]*\bw:display="(?:firstPage|notFirstPage)"')
_IN_MARGIN = re.compile(rb'<w:framePr\s[^<>]*\bw:dropCap="margin"')
_STRESSED = re.compile(rb'<w:em\s[^<>]*\bw:val="(?!none")')
_DASHED = re.compile(rb'<w:numFmt\s[^<>]*\bw:val="numberInDash"')
_NUMBERS = re.compile(rb'<a:buAutoNum\s[^<>]*\btype="([A-Za-z0-9]{1,40})"')
_TURNED = re.compile(rb'<a:bodyPr\s[^<>]*\bvert="(?:eaVert|wordArtVert|wordArtVertRtl|mongolianVert)"')
_STRAIGHT = frozenset(name.encode() for name in STRAIGHT)
_LATIN = frozenset(
    f"{kind}{after}".encode()
    for kind in ("arabic", "alphaLc", "alphaUc", "romanLc", "romanUc")
    for after in ("Period", "ParenR", "ParenBoth", "Plain")
)
"""The numbers of lists on slides that are drawn as they are."""


class Undrawn:
    """Collects the elements of one file, part by part."""

    def __init__(self) -> None:
        self._found: Counter[str] = Counter()

    def part(self, name: str, data: bytes) -> None:
        """Look for them in one part."""
        if _WORD.fullmatch(name):
            self._found["w:pgBorders"] += sum(map(_is_unlike, data.split(b"<w:pgBorders")[1:]))
            self._found["w:framePr"] += len(_IN_MARGIN.findall(data))
            self._found["w:em"] += len(_STRESSED.findall(data))
        elif name == "word/numbering.xml":
            self._found["w:numFmt"] += len(_DASHED.findall(data))
        elif _SLIDES.fullmatch(name):
            self._found["a:buAutoNum"] += sum(each not in _LATIN for each in _NUMBERS.findall(data))
            self._found["a:bodyPr"] += len(_TURNED.findall(data))

    def report(self, warn: Warn) -> None:
        """Warn of their number."""
        vocabulary.report(+self._found, warn)


def _is_unlike(rest: bytes) -> bool:
    """Whether the borders of pages that begin here are pictures, waves, or not on all pages."""
    block = rest.partition(b"</w:pgBorders>")[0]
    return bool(_SOME_PAGES.match(block)) or any(each not in _STRAIGHT for each in _SIDE.findall(block))
