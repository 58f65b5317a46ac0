"""Show a hyphen where a line breaks a word at a soft hyphen (CSS Text 3, 5.4), which PlutoPrint does not."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import pikepdf

from engine.families.html_pdf.plutoprint import text_runs, whole_words
from engine.families.html_pdf.plutoprint.finishing import destinations
from engine.families.html_pdf.plutoprint.first_words import HIDDEN_TAGS
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.word_search import DIVISION

MOST = 10_000
"""The soft hyphens of a page: each is a named destination of each layout, 0.05 ms."""
_ROUNDS = 5
"""Layouts of a page. A hyphen that no longer fits moves its break, and so the next ones of its paragraph."""
_SHORT = 10
"""Letters that fit a line."""
_SAME_LINE = 1.0
"""CSS pixels between the tops of two pieces of text on one line."""
_PX = 4 / 3
_NAME = "fc-y-"
_WORD = re.compile(rf"(?<![^\s{DIVISION}])[^\s{DIVISION}]++(?:{DIVISION}[^\s{DIVISION}]++)++")
_UNSPLIT = frozenset((*HIDDEN_TAGS, "svg", "textarea", "option", "math"))

Draw = Callable[[Element], pikepdf.Pdf]
"""Lays out a copy of the page's tree as the page will be, and gives its PDF."""
_Break = tuple[Element, Element]
"""The elements around the pieces of a word before and behind a soft hyphen."""


@dataclass(frozen=True)
class _Place:
    page: int
    top: float


def may_occur(page: Page) -> bool:
    """Whether a page has soft hyphens."""
    return DIVISION in page.characters


def show(page: Page, draw: Draw, *, without: Sequence[Element] = ()) -> bool:
    """End each piece of a word that a line breaks at a soft hyphen with a hyphen; False if there is none.

    Elements of `without` keep their soft hyphens: they are laid out on other papers, where lines end elsewhere.

    A soft hyphen whose piece doesn't fit its line with a hyphen is removed, so that the word breaks at an earlier one.
    Where the layout doesn't settle, no hyphens are shown.
    """
    breaks = _split(page.root, frozenset(without))
    if not breaks:
        return False
    shown: set[int] = set()
    removed: set[int] = set()
    for _ in range(_ROUNDS):
        broken = _broken(page.root, breaks, draw) - removed
        if broken == shown:
            return bool(shown or removed)
        for at in shown - broken:
            _end(breaks[at], "")
            breaks[at][0].getnext().drop_tree()
        for at in broken - shown:
            _end(breaks[at], "-")
        removed |= shown - broken
        shown = broken
    for at in shown:
        _end(breaks[at], "")
    return True


def _end(pieces: _Break, hyphen: str) -> None:
    pieces[0].text = (pieces[0].text or "").removesuffix("-") + hyphen


def _split(root: Element, without: frozenset[Element]) -> list[_Break]:
    """Wrap the pieces of words with soft hyphens in elements."""
    found: list[_Break] = []
    for element in list(_shown(root, without)):
        for child in (None, *element):
            text = element.text if child is None else child.tail
            if not text or DIVISION not in text:
                continue
            before, words = _words(element, text)
            # Unlike a soft hyphen between elements, <wbr> counts for the least width of a table cell.
            runs = list(chain.from_iterable(map(_with_breaks, words)))
            text_runs.put(element, child, before, runs)
            for pieces in words:
                whole_words.keep_behind(pieces[-1])
            found += chain.from_iterable(map(pairwise, words))
        if len(found) >= MOST:
            break
    return found[:MOST]


def _shown(root: Element, without: frozenset[Element]) -> Iterator[Element]:
    left = [root]
    while left:
        element = left.pop()
        yield element
        inside = [each for each in reversed(element) if isinstance(each.tag, str) and each.tag not in _UNSPLIT]
        left += [each for each in inside if each not in without]


def _words(near: Element, text: str) -> tuple[str, list[list[Element]]]:
    """A text before its first word with soft hyphens, and the pieces of each such word, with what follows them."""
    words: list[list[Element]] = []
    found = list(_WORD.finditer(text))
    ends = [*(each.start() for each in found[1:]), len(text)]
    for word, end in zip(found, ends, strict=True):
        pieces = []
        for piece in word[0].split(DIVISION):
            run = near.makeelement("fc-run")
            run.text = piece
            if len(piece) <= _SHORT:
                run.set("style", "overflow-wrap:normal")  # else PlutoPrint breaks the piece at the end of the line
            pieces.append(run)
        pieces[-1].tail = text[word.end() : end]
        words.append(pieces)
    return text[: found[0].start()] if found else text, words


def _with_breaks(pieces: list[Element]) -> list[Element]:
    between = [pieces[0].makeelement("wbr") for _ in pieces[1:]]
    return [pieces[0], *chain.from_iterable(zip(between, pieces[1:], strict=True))]


def _broken(root: Element, breaks: Sequence[_Break], draw: Draw) -> set[int]:
    """The breaks at which a line ends."""
    pieces = list(dict.fromkeys(chain.from_iterable(breaks)))
    for at, piece in enumerate(pieces):
        piece.set("id", f"{_NAME}{at}")
    names = [(one.get("id"), two.get("id")) for one, two in breaks]
    copied = copy.deepcopy(root)
    for piece in pieces:
        del piece.attrib["id"]
    links = copied.makeelement("div", hidden="")
    for at in range(len(pieces)):
        links.append(copied.makeelement("a", href=f"#{_NAME}{at}"))
    copied.find("body").append(links)
    with draw(copied) as pdf:
        numbers = {each.obj.objgen: number for number, each in enumerate(pdf.pages)}
        places = {
            name: _Place(numbers.get(place[0].objgen, 0), float(place[3]) * _PX)
            for name, place in destinations(pdf).items()
            if name.startswith(_NAME)
        }
    return {at for at, (one, two) in enumerate(names) if _is_parted(places.get(one), places.get(two))}


def _is_parted(one: _Place | None, two: _Place | None) -> bool:
    return one is not None and two is not None and (one.page != two.page or abs(one.top - two.top) > _SAME_LINE)
