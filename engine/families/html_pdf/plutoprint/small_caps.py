"""Set small capitals (CSS Fonts 4, 6.6) as smaller ones, as browsers do for fonts without their glyphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from engine.families.html_pdf.css import ignored
from engine.families.html_pdf.css.user_agent import is_block
from engine.families.html_pdf.plutoprint import text_runs
from engine.families.html_pdf.plutoprint.declared import in_order, of_page, word_of
from engine.families.html_pdf.plutoprint.first_words import HIDDEN_TAGS
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Warn

_NAMES = ("font", "font-variant", "font-variant-caps", "text-transform", "display")
_SMALL, _ALL = "small-caps", "all-small-caps"
_STYLE = "font-size:70%;text-transform:uppercase;font-variant-caps:normal"
_APART = frozenset((*HIDDEN_TAGS, "svg", "math", "textarea", "option", "select"))
_MOST = 20_000
"""Runs of small capitals in a page, about as many as words."""
_MOST_IN_BLOCK = 2_000
"""Those in a block: where no line can break between them, PlutoPrint takes the square of them, 0.4 s for as many."""


def draw(page: Page, sheets: list[str], warn: Warn, *, media: str) -> None:
    """Put the small letters of such texts in elements of smaller capitals; name the style if there are too many."""
    if not any(_SMALL in each for each in sheets):
        return
    said = of_page(page, sheets, _NAMES, media=media, merged=in_order)
    left = _MOST
    blocks: Counter[Element] = Counter()
    are_left = False
    for element, caps, block in list(_elements(page.root, said)):
        for child in (None, *element):
            pieces = _pieces((element.text if child is None else child.tail) or "", caps)
            runs = sum(small for small, _ in pieces)
            if runs > min(left, _MOST_IN_BLOCK - blocks[block]):
                are_left = True
            elif runs:
                left -= runs
                blocks[block] += runs
                _set(element, child, pieces)
    warn.tally(ignored.KIND, int(are_left), (f"font-variant: {_SMALL}",), part=_SMALL)


def _elements(root: Element, said: dict[Element, dict[str, str]]) -> Iterator[tuple[Element, str, Element]]:
    """The elements whose own texts are in small capitals, the value that says so, and the block they are in."""
    stack = [(root, "", False, root)]
    while stack:
        element, caps, upper, block = stack.pop()
        display = word_of(said, element, "display")
        if display not in ("inline", "contents") if display else is_block(element):
            block = element
        for name, value in said.get(element, {}).items():
            words = value.lower().replace("!important", "").split()
            if name == "display" or words[:1] in (["inherit"], ["unset"]):
                continue
            if name == "text-transform":
                upper = "uppercase" in words
            else:
                caps = next((each for each in words if each in (_SMALL, _ALL)), "")
        if caps and not (upper and caps == _SMALL):
            yield element, caps, block
        inside = [each for each in reversed(element) if isinstance(each.tag, str) and each.tag not in _APART]
        stack += [(each, caps, upper, block) for each in inside]


def _pieces(text: str, caps: str) -> list[tuple[bool, str]]:
    """The pieces of a text, and whether each is a run of small capitals."""

    def is_small(letter: str) -> bool:
        return letter.isalpha() and letter.upper() != letter.lower() and (caps == _ALL or letter.islower())

    return [(small, "".join(letters)) for small, letters in groupby(text, is_small)]


def _set(element: Element, child: Element | None, pieces: Sequence[tuple[bool, str]]) -> None:
    """Divide a text of an element, at its start or behind a child, into runs."""
    runs: list[Element] = []
    before = ""
    for small, piece in pieces:
        if small:
            run = element.makeelement("fc-run", style=_STYLE)
            run.text = piece
            runs.append(run)
        elif runs:
            runs[-1].tail = piece
        else:
            before = piece
    text_runs.put(element, child, before, runs)
