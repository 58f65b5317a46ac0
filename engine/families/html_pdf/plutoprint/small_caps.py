"""Set small capitals (CSS Fonts 4, 6.6) as smaller ones, as browsers do for fonts without their glyphs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from engine.families.html_pdf.css import ignored
from engine.families.html_pdf.plutoprint.declared import in_order, of_page
from engine.families.html_pdf.plutoprint.first_words import HIDDEN_TAGS
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Warn

_NAMES = ("font", "font-variant", "font-variant-caps", "text-transform")
_SMALL, _ALL = "small-caps", "all-small-caps"
_STYLE = "font-size:70%;text-transform:uppercase;font-variant-caps:normal"
_APART = frozenset((*HIDDEN_TAGS, "svg", "math", "textarea", "option", "select"))
_MOST = 20_000
"""Runs of small capitals in a page, about as many as words."""


def draw(page: Page, sheets: list[str], warn: Warn, *, media: str) -> None:
    """Put the small letters of such texts in elements of smaller capitals; name the style if there are too many."""
    if not any(_SMALL in each for each in sheets):
        return
    said = of_page(page, sheets, _NAMES, media=media, merged=in_order)
    left = _MOST
    for element, caps in list(_elements(page.root, said)):
        for child in (None, *element):
            text = element.text if child is None else child.tail
            if not text or (left := left - _set(element, child, text, caps)) > 0:
                continue
            warn.tally(ignored.KIND, 1, (f"font-variant: {_SMALL}",))
            return


def _elements(root: Element, said: dict[Element, dict[str, str]]) -> Iterator[tuple[Element, str]]:
    """The elements whose own texts are in small capitals, and the value that says so."""
    stack = [(root, "", False)]
    while stack:
        element, caps, upper = stack.pop()
        for name, value in said.get(element, {}).items():
            words = value.lower().replace("!important", "").split()
            if words[:1] in (["inherit"], ["unset"]):
                continue
            if name == "text-transform":
                upper = "uppercase" in words
            else:
                caps = next((each for each in words if each in (_SMALL, _ALL)), "")
        if caps and not (upper and caps == _SMALL):
            yield element, caps
        inside = [each for each in element if isinstance(each.tag, str) and each.tag not in _APART]
        stack += [(each, caps, upper) for each in inside]


def _set(element: Element, child: Element | None, text: str, caps: str) -> int:
    """Divide a text of an element, at its start or behind a child, into runs; their number."""

    def is_small(letter: str) -> bool:
        return letter.isalpha() and letter.upper() != letter.lower() and (caps == _ALL or letter.islower())

    runs: list[Element] = []
    before = ""
    for small, letters in groupby(text, is_small):
        piece = "".join(letters)
        if small:
            run = element.makeelement("fc-run", style=_STYLE)
            run.text = piece
            runs.append(run)
        elif runs:
            runs[-1].tail = piece
        else:
            before = piece
    if not runs:
        return 0
    if child is None:
        element.text = before
        element[:0] = runs
    else:
        child.tail = None  # addnext leaves it after what is added
        for run in reversed(runs):
            child.addnext(run)
        child.tail = before
    return len(runs)
