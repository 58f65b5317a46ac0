"""Keep blocks such as headings on the page of what follows them (CSS Fragmentation 3, 3.1).

PlutoPrint breaks pages even where a box asks to avoid it. The drawn pages tell which boxes are apart from what follows
them; these then begin a page, and the document is laid out again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.families.html_pdf.css.pages import Paper
from engine.families.html_pdf.plutoprint import output
from engine.families.html_pdf.plutoprint.declared import Declared, declared, word_of
from engine.families.html_pdf.plutoprint.first_words import HIDDEN_TAGS, Marks, pages_of
from engine.families.html_pdf.plutoprint.output import Written
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Kind, Warn

_ASKED = re.compile(r"break-(?:after|before)\s*:\s*avoid")
_AFTER, _BEFORE = ("break-after", "page-break-after"), ("break-before", "page-break-before")
_AVOIDED = frozenset(("avoid", "avoid-page"))
_FORCED = frozenset(("page", "always", "left", "right", "recto", "verso"))
_BACKGROUND = ("background", "background-color", "background-image")
_NAMES = (*_AFTER, *_BEFORE, "display", "position", "float", *_BACKGROUND)
_FLOWING = {"display": ("", "block", "list-item", "table", "flex", "grid"), "position": ("", "static", "relative"),
            "float": ("", "none")}  # fmt: skip
_INSIDE_TABLES = frozenset(("tr", "td", "th", "thead", "tbody", "tfoot", "caption", "col", "colgroup"))
_MOST = 3_000
"""Blocks of a document that are kept."""
_TRIES = 8
_MOST_PAGES = 1_000
"""Pages that are laid out again, all tries together."""
_FEW = 3
_ROOM = "2.5em"
"""The height of two lines after a heading with its margin."""
_WHOLE = ";break-inside:avoid!important"
_MOVED = ";break-before:page!important"
_APART = Kind("CSS_UNSUPPORTED", "Headings are separated from their text by a page break: {count}{places}.")


@dataclass
class _Pair:
    """A block and what follows it: the names of their first words, and the block's number in the document."""

    block: Element
    first: str
    follower: str
    order: int
    moved: Element | None = None
    page: int = 0
    """The page of the block before it was moved."""
    is_left: bool = False
    """Whether it is left alone, as both together are too tall for one page."""

    def is_apart(self, found: dict[str, int]) -> bool:
        page, other = found.get(self.first), found.get(self.follower)
        return not self.is_left and page is not None and other is not None and page < other


@dataclass
class Kept:
    """The blocks of a page that have to stay with what follows them."""

    _pairs: list[_Pair]
    _breaks: list[int]
    """The numbers of the elements at which a new page begins in any case."""
    _declarations: Declared
    _has_room: bool = False

    def written(self, stream: Written, pages: int, again: Callable[[], tuple[Written, int]], warn: Warn) -> Written:
        """The document with its blocks kept; it is in `stream`, with so many `pages`, and drawn `again` if need be."""
        apart: list[_Pair] = []
        laid = 0
        for left in range(_TRIES, -1, -1):
            found = _pages(stream) if pages > 1 else {}
            undone = [each for each in self._pairs if each.is_apart(found) and self._undo(each, found)]
            apart = [each for each in self._pairs if each.is_apart(found)]
            laid += pages
            if not left or laid > _MOST_PAGES:
                break
            if len(apart) > _FEW and not self._has_room:
                self._make_room()
            else:
                moved = [each for each in self._next(apart) if self._move(each, found)]
                if not moved and not undone:
                    break
            stream, pages = again()
        apart = [each for each in apart if not each.is_left]
        texts = (" ".join("".join(each.block.itertext()).split())[:60] for each in apart)
        warn.tally(_APART, len(apart), (f"“{each}”" for each in texts), part=self._pairs[0].first)
        return stream

    def _make_room(self) -> None:
        """Let all blocks need room below themselves, which what follows takes: a try for each would be too slow."""
        self._has_room = True
        for each in self._pairs:
            own = self._declarations.get(each.block, {})
            if word_of(self._declarations, each.block, "display") not in ("", "block") or any(
                own.get(name) for name in _BACKGROUND
            ):
                continue
            style = f"display:block;height:{_ROOM};margin:0 0 -{_ROOM};padding:0;border:0"
            each.block.append(each.block.makeelement("fc-run", style=style))
            each.block.set("style", f"{each.block.get('style') or ''}{_WHOLE}")

    def _next(self, apart: Sequence[_Pair]) -> Iterator[_Pair]:
        """The first ones, and those behind breaks: all others will be elsewhere in the next layout."""
        last: int | None = None
        for each in apart:
            if each.moved is None and (last is None or any(last < at <= each.order for at in self._breaks)):
                last = each.order
                yield each

    def _move(self, pair: _Pair, found: dict[str, int]) -> bool:
        """Let a block begin a page, together with the blocks right before it that have to stay with it."""
        before = {each.follower: each for each in self._pairs}
        while (first := before.get(pair.first)) is not None and first.moved is None:
            if found.get(first.first) != found.get(pair.first):
                break
            pair = first
        block = _outermost(pair.block, self._declarations)
        if block is None:
            pair.is_left = True
            return False
        pair.moved, pair.page = block, found[pair.first]
        block.set("style", f"{block.get('style') or ''}{_MOVED}")
        return True

    def _undo(self, pair: _Pair, found: dict[str, int]) -> bool:
        """Take back a move to another page that was in vain."""
        if pair.moved is None or found[pair.first] == pair.page:
            return False
        pair.moved.set("style", (pair.moved.get("style") or "").replace(_MOVED, ""))
        pair.moved, pair.is_left = None, True
        return True


def prepare(
    page: Page, sheets: Sequence[str], *, media: str, without: Mapping[Paper, Sequence[Element]]
) -> dict[Paper, Kept]:
    """The blocks on each paper that must not be apart from what follows them, with marks on both; only papers with any.

    Those within an element of `without` are not on that paper, or left alone.
    """
    if not any(_ASKED.search(each) for each in sheets):
        return {}
    declarations = declared(page.root, sheets, _NAMES, None, media=media)
    for element in page.styled:
        own = dict(re.findall(r"(?:^|;)\s*([\w-]+)\s*:\s*([^;]*)", element.get("style") or ""))
        declarations[element] = {**declarations.get(element, {}), **own}
    order = {each: at for at, each in enumerate(page.root.iter())}
    marks, found = Marks(), dict[Paper, list[_Pair]]()
    for block in sorted(_blocks(declarations), key=order.__getitem__)[:_MOST]:
        around = {block, *block.iterancestors()}
        paper = next((each for each, outside in without.items() if not around.intersection(outside)), None)
        name = _mark_follower(block, declarations, marks) if paper is not None else None
        if paper is not None and name is not None:
            found.setdefault(paper, []).append(_Pair(block, marks.inside(block), name, order[block]))
    if not found:
        return {}
    marks.refer(page.root.find("body"))
    breaks = sorted(order[each] for each in declarations if _declares(declarations, each, (*_AFTER, *_BEFORE), _FORCED))
    return {paper: Kept(pairs, breaks, declarations) for paper, pairs in found.items()}


def _pages(stream: Written) -> dict[str, int]:
    with output.opened(stream) as pdf:
        return pages_of(pdf)


def _blocks(declarations: Declared) -> set[Element]:
    """The elements after which a page must not end."""
    found = {each for each in declarations if _declares(declarations, each, _AFTER, _AVOIDED)}
    for each in declarations:
        if (
            _declares(declarations, each, _BEFORE, _AVOIDED)
            and (before := _beside(each, declarations, forwards=False)) is not None
        ):
            found.add(before)
    return {each for each in found if _flows(each, declarations) and each.tag not in _INSIDE_TABLES}


def _mark_follower(block: Element, declarations: Declared, marks: Marks) -> str | None:
    """Mark the first word of what follows a block; None if nothing does, or only after a forced break."""
    element = block
    while element.tag != "body" and element.getparent() is not None:
        if (
            _declares(declarations, element, _AFTER, _FORCED)
            or element.tag in _INSIDE_TABLES
            or not _flows(element, declarations)
        ):
            return None
        if element.tail and element.tail.strip():
            return marks.behind(element)
        follower = _beside(element, declarations, forwards=True)
        if follower is not None:
            return None if _begins_page(follower, declarations) else marks.inside(follower)
        element = element.getparent()
    return None


def _begins_page(element: Element, declarations: Declared) -> bool:
    """Whether an element, or the first one in it, begins a page in any case."""
    while True:
        if _declares(declarations, element, _BEFORE, _FORCED):
            return True
        if not len(element) or not isinstance(element[0].tag, str) or (element.text and element.text.strip()):
            return False
        element = element[0]


def _beside(element: Element, declarations: Declared, *, forwards: bool) -> Element | None:
    """The next or previous sibling in the flow."""
    for each in element.itersiblings(preceding=not forwards):
        if not forwards and each.tail and each.tail.strip():
            return None
        if isinstance(each.tag, str) and each.tag not in HIDDEN_TAGS and "hidden" not in each.attrib:
            shown = word_of(declarations, each, "display") != "none"
            if shown and _flows(each, declarations, inline=True):
                return each
        if forwards and each.tail and each.tail.strip():
            return None
    return None


def _outermost(block: Element, declarations: Declared) -> Element | None:
    """The outermost block that begins with a block; None if nothing is before it, and it can't be moved."""
    while block.tag != "body":
        parent = block.getparent()
        if (parent.text and parent.text.strip()) or _beside(block, declarations, forwards=False) is not None:
            return block
        if any(each.tail and each.tail.strip() for each in block.itersiblings(preceding=True)):
            return block
        if parent.tag in _INSIDE_TABLES:
            return block
        block = parent
    return None


def _flows(element: Element, declarations: Declared, *, inline: bool = False) -> bool:
    """Whether an element is in the flow, as a block unless `inline` ones count as well."""
    words = {name: word_of(declarations, element, name) for name in _FLOWING}
    return all(words[name] in allowed or (inline and name == "display") for name, allowed in _FLOWING.items())


def _declares(declarations: Declared, element: Element, names: Sequence[str], words: frozenset[str]) -> bool:
    return any(word_of(declarations, element, each) in words for each in names)
