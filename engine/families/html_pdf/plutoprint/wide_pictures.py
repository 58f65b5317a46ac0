"""Make pictures of more than twice the width of the paper as wide as it, so that text beside them stays legible.

PlutoPrint makes a page as small as its widest box asks. Browsers make it half as large at least.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import plutoprint

from engine.families.html_pdf.css.pages import Paper
from engine.families.html_pdf.plutoprint.layout import PX, style_sheet
from engine.families.html_pdf.plutoprint.picture_sizes import measured
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_LEGIBLE = 2.0
"""How many times as wide as its paper a page may be."""
_PIXELS = re.compile(r"\s*(\d{1,6})(?:\.\d*)?(?:px)?\s*")


def fit(page: Page, paper: Paper, scale: float, warn: Warn, lay: Callable[[Paper], plutoprint.Book]) -> None:
    """Make such pictures narrower if the page is as wide as they are, which a layout tells."""
    room = paper.room[0] * PX / scale
    widths: dict[str, float] = {}
    wide = [each for each in page.root.iter("img") if _width(each, widths) > _LEGIBLE * room]
    if not wide or lay(paper).get_document_width() <= _LEGIBLE * room:
        return
    style_sheet(page.root, f"img{{max-width:{room:.2f}px}}", first=True)
    for each in wide:
        asked, high = (_PIXELS.fullmatch(each.get(name) or "") for name in ("width", "height"))
        if asked is not None:
            each.set("width", f"{room:.0f}")
            if high is not None:
                each.set("height", f"{max(int(high[1]) * room / int(asked[1]), 1):.0f}")
    warn("WIDTH_FITTED", say("Pictures much wider than the page were made as wide as it: {number}.", number=len(wide)))


def _width(picture: Element, known: dict[str, float]) -> float:
    """The width of a picture in CSS pixels as its attributes say, or else its own."""
    asked = picture.get("width") or ""
    if asked.strip():
        found = _PIXELS.fullmatch(asked)
        return float(found[1]) if found is not None else 0.0
    uri = picture.get("src") or ""
    if uri not in known:
        size = measured(uri) if uri else None
        known[uri] = (size.width or 0.0) if size is not None else 0.0
    return known[uri]
