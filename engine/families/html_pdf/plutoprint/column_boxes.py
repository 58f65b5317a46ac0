"""Find the elements of a page that have columns, and the boxes that no column may break."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.families.html_pdf.plutoprint.column_cuts import UNBROKEN
from engine.families.html_pdf.plutoprint.column_lines import GAP
from engine.families.html_pdf.plutoprint.declared import Declared, declared, word_of
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.families.html_pdf.styles import points

_ASKED = ("columns", "column-count", "column-width")
_FILLING = ("column-fill", "height")
_INSIDE = ("break-inside", "page-break-inside")
_UNBROKEN_WORDS = frozenset(("avoid", "avoid-column", "avoid-page"))
_AVOIDING = re.compile(r"break-inside\s*:\s*avoid")
_INLINE = re.compile(r"(?:^|;)\s*(columns|column-count|column-width|column-fill|height)\s*:\s*([^;]*)")
_NONE = re.compile(r"(?:\s|auto|none|initial|unset|1(?![\d.]))*")


@dataclass(frozen=True)
class Columns:
    """An element that may have columns, and its column properties."""

    element: Element
    properties: str
    fills: bool = False
    """Whether a column begins only where the one before is as high as the page has room (`column-fill: auto`)."""

    def count(self, room: float) -> int:
        """The number of columns in so much `room`, in points, with a gap of one em (CSS Multi-column 1, 3.4)."""
        count = next((int(each) for each in self.properties.split() if each.isdigit()), 0)
        lengths = (points(each, 0.0) for each in self.properties.split() if not each.isdigit())
        width = next((each for each in lengths if each), 0.0)
        fitting = int((room + GAP) / (width + GAP)) if width else count
        return max(1, min(count or fitting, fitting))


def wrappers(page: Page, sheets: list[str], *, media: str) -> list[Columns]:
    """The elements that may have columns, in text order; none is within another."""
    inline = [each for each in page.styled if "column" in (each.get("style") or "")]
    if not inline and not any("column" in each for each in sheets):
        return []
    asked = declared(page.root, sheets, (*_ASKED, *_INSIDE, *_FILLING), None, media=media)
    for each in inline:
        asked[each] = {**asked.get(each, {}), **dict(_INLINE.findall(each.get("style") or ""))}
    kept_whole = [each for each in asked if any(word_of(asked, each, name) in _UNBROKEN_WORDS for name in _INSIDE)]
    for each in (*kept_whole, *(each for each in page.styled if _AVOIDING.search(each.get("style") or ""))):
        each.set(UNBROKEN, "")
    texts = {
        each: " ".join(value for name, value in values.items() if name in _ASKED).replace("!important", "")
        for each, values in asked.items()
    }
    found = {each: text for each, text in texts.items() if not _NONE.fullmatch(text)}
    return [
        Columns(each, found[each], _fills(each, asked))
        for each in page.root.iter()
        if each in found and each.tag not in ("body", "html") and not any(up in found for up in each.iterancestors())
    ]


def _fills(element: Element, asked: Declared) -> bool:
    return word_of(asked, element, "column-fill") == "auto" and word_of(asked, element, "height") in ("", "auto")
