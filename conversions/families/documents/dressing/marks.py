"""Marks in the text of a page that tell how what follows looks: pandoc carries them to where the text ends up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from lxml import etree

from conversions.families.documents.dressing.heads import Heads
from conversions.families.documents.dressing.looks import Block, Cell, Grid, Own, Run, State, color, own, width
from conversions.families.documents.safe_html import MAX_DEPTH
from conversions.families.html_pdf.looks import Boxes, Declared, Element, Looks, is_block
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

Look = Run | Block | Cell | Grid

_KINDS: dict[type, str] = {Block: "\ufdd0", Run: "\ufdd1", Cell: "\ufdd2", Grid: "\ufdd3"}
TAB = "\ufdd6"
"""A tab, which pandoc would take for a space."""
END_OF_RUN, _END = "\ufdd4", "\ufdd5"
_DIGITS = "".join(map(chr, range(0xFDE0, 0xFDEA)))
"""Characters that no text has (Unicode, 23.7: noncharacters), since names of sections are made of digits as well."""
MARK = re.compile(f"[\ufdd0-\ufdd3][{_DIGITS}]+{_END}|{END_OF_RUN}")
OURS = re.compile("[\ufdd0-\ufdef]")
_RUN = re.compile(f"(\ufdd1[{_DIGITS}]+{_END})([^\ufdd0-\ufdd5]*){END_OF_RUN}")
AHEAD = re.compile(f"[\ufdd0\ufdd2\ufdd3][{_DIGITS}]+{_END}")
"""Marks of what text stands in."""
_INSIDE_TAGS = re.compile(r"<[^<>]*[\ufdd0-\ufdef][^<>]*>")
_WRITTEN = str.maketrans("0123456789", _DIGITS)
_READ = {ord(mark): str(value) for value, mark in enumerate(_DIGITS)}

_SKIPPED = frozenset((
    "head", "script", "style", "template", "title", "noscript", "iframe", "object", "embed", "svg", "canvas", "select",
    "textarea", "math",
))  # fmt: skip
_PLACES = ("left", "center", "right")


class Marks:
    """The looks that marks stand for, and what of the page's styles none of them says."""

    def __init__(self) -> None:
        self._numbers: dict[Look, int] = {}
        self.looks: list[Look] = []
        self.lost: set[str] = set()
        self.paper: tuple[float, ...] | None = None
        """Width, height, and margins from the top clockwise, in points, where the page asks for some."""
        self.margins: tuple[Boxes, Boxes] = ({}, {})
        """What is printed in the margins of the first page, and of the others."""
        self.heads: Heads | None = None
        """The heads and feet of the pages, where they are known as lines; these are then all that there are."""
        self.usual = Run()
        """What text looks like that has no mark."""
        self.bylined = True
        """Whether the text is to say its authors where the file alone knows of them."""

    def of(self, look: Look) -> str:
        """The mark for a look."""
        if look not in self._numbers:
            self._numbers[look] = len(self.looks)
            self.looks.append(look)
        return f"{_KINDS[type(look)]}{str(self._numbers[look]).translate(_WRITTEN)}{_END}"

    @property
    def say_anything(self) -> bool:
        """Whether a document is to be changed at all."""
        return bool(self.looks or self.paper or any(self.margins) or self.heads or self.usual != Run())

    def read(self, mark: str) -> Look | None:
        """What a mark says; None for the end of a run."""
        return None if mark == END_OF_RUN else self.looks[int(mark[1:-1].translate(_READ))]

    @staticmethod
    def outside_tags(markup: str) -> str:
        """Markup without the marks in its attributes."""
        return _INSIDE_TAGS.sub(lambda tag: OURS.sub("", tag[0]), markup)

    @staticmethod
    def removed(text: str) -> str:
        """A text without marks."""
        return OURS.sub("", text)

    def replaced(self, markup: str, written: Callable[[Run, str], str], *, tab: str) -> str:
        """Text where each piece with marks around it is as `written`, tabs are `tab`, and no other mark is left."""

        def one(match: re.Match[str]) -> str:
            look = self.read(match[1])
            return written(look, match[2]) if isinstance(look, Run) else match[2]

        return OURS.sub("", _RUN.sub(one, markup).replace(TAB, tab))


def spread(root: Element, marks: Marks, paragraphs: tuple[str, ...]) -> Iterator[tuple[Element, Look]]:
    """What marks say of paragraphs and cells, each with the paragraph that it stands in; the marks are taken out."""
    for element in list(root.iter()):
        for name in ("text", "tail"):
            text = getattr(element, name)
            if not text or not AHEAD.search(text):
                continue
            setattr(element, name, AHEAD.sub("", text))
            inside = element if name == "text" else element.getparent()
            found = next((each for each in (inside, *inside.iterancestors()) if each.tag in paragraphs), None)
            for mark in AHEAD.findall(text) if found is not None else ():
                look = marks.read(mark)
                if look is not None:
                    yield found, look


def marked(html: str, marks: Marks, warn: Warn) -> str:
    """The page with marks in its text. Raises Unreadable and OverLimit as Looks does, and for too deep a nesting."""
    looks = Looks(OURS.sub("\ufffd", html), warn)
    writer = _Writer(looks, marks)
    writer.element(looks.root, State(), 0)
    if looks.asks_for_paper:
        marks.paper = (looks.paper.width, looks.paper.height, *looks.paper.margins.around)
    marks.margins = looks.first, looks.others
    if marks.lost:
        listed = ", ".join(sorted(marks.lost)[:20])
        warn("CSS_UNSUPPORTED", f"Styles that a Word document does not have here were left out: {listed}.")
    page: str = etree.tostring(looks.root, encoding="unicode", method="html")
    return page


class _Writer:
    """Walks a tree, and writes a mark before the first text of each paragraph, and around each text."""

    def __init__(self, looks: Looks, marks: Marks) -> None:
        self._looks, self._marks = looks, marks
        self._waiting = ""
        """Marks of cells and tables for the next text."""
        self._begun = False
        """Whether the paragraph has its mark."""
        self._breaks = False

    def element(self, element: Element, state: State, depth: int) -> None:
        """Write into an element; `state` is that around it."""
        values, custom = self._said(element, state, depth)
        self._element(element, values, custom, state, depth)

    def _said(self, element: Element, state: State, depth: int) -> tuple[Own, Declared]:
        """What is declared of an element, which is counted, and its custom properties."""
        if depth > MAX_DEPTH:
            raise Unreadable(f"The markup is nested more than {MAX_DEPTH} levels deep.")
        said, custom = self._looks.said(element, state.custom)
        self._looks.count(dict(said))
        values = own(tuple(said))
        self._marks.lost |= values.lost
        if element.tag in ("html", "body") and color(values.get("fill") or "") not in (None, "FFFFFF"):
            self._marks.lost.add("background of the page")
        return values, custom

    def _element(self, element: Element, values: Own, custom: Declared, state: State, depth: int) -> None:
        tag, block = element.tag, is_block(element)
        inner = state.inside(tag, values, custom, block=block)
        if block:
            self._begun = False
        if inner.block.new_page and tag in ("table", "tr", "td", "th"):
            inner = replace(inner, block=replace(inner.block, new_page=False))
            self._breaks = True
        if tag == "table":
            self._flush(element)
            grid = Grid(width(values), _place(element, values), values.borders)
            self._table(element, inner, grid, values, depth)
        elif tag in ("img", "input", "br"):
            if tag != "br":
                self._set_before(element, self._paragraph(inner))
        else:
            self._inside(element, inner, depth)
        if block:
            self._begun = False
        self._breaks |= values.breaks("after")

    def _inside(self, element: Element, state: State, depth: int) -> None:
        before = self._looks.written(element, "before", state.custom)
        element.text = self._text(before + (element.text or ""), state)
        for child in list(element):
            if isinstance(child.tag, str) and child.tag not in _SKIPPED:
                self.element(child, state, depth + 1)
            child.tail = self._text(child.tail, state)
        if after := self._looks.written(element, "after", state.custom):
            added = self._text(after, state) or ""
            if len(element):
                element[-1].tail = (element[-1].tail or "") + added
            else:
                element.text = (element.text or "") + added

    def _text(self, text: str | None, state: State) -> str | None:
        if not text or not text.strip():
            return text
        core = text.strip()
        at = text.index(core)
        run = state.run
        shown = f"{self._marks.of(run)}{core}{END_OF_RUN}" if run != Run() else core
        return text[:at] + self._paragraph(state) + shown + text[at + len(core) :]

    def _paragraph(self, state: State) -> str:
        """What stands before the next text: the marks that wait, and that of the paragraph if this is its first."""
        marks, self._waiting = self._waiting, ""
        if not self._begun:
            self._begun = True
            block = replace(state.block, new_page=state.block.new_page or self._breaks)
            self._breaks = False
            marks += self._marks.of(block) if block != Block() else ""
        return marks

    def _flush(self, element: Element) -> None:
        """Write the marks that wait before an element, whose own texts are others'."""
        waiting, self._waiting = self._waiting, ""
        self._set_before(element, waiting)

    @staticmethod
    def _set_before(element: Element, marks: str) -> None:
        previous, parent = element.getprevious(), element.getparent()
        if not marks or parent is None:
            return
        if previous is not None:
            previous.tail = (previous.tail or "") + marks
        else:
            parent.text = (parent.text or "") + marks

    def _table(self, table: Element, state: State, grid: Grid, values: Own, depth: int) -> None:
        mark = self._marks.of(grid) if grid != Grid() else ""
        fill, padding = values.get("fill"), _padding(table.get("cellpadding"))

        def rows(parent: Element, around: State, fill: str | None, depth: int) -> None:
            nonlocal mark
            for child in list(parent):
                if not isinstance(child.tag, str) or child.tag in _SKIPPED:
                    continue
                if child.tag not in ("thead", "tbody", "tfoot", "tr", "td", "th"):
                    self.element(child, around, depth + 1)
                    continue
                found, custom = self._said(child, around, depth + 1)
                if child.tag in ("td", "th"):
                    self._waiting = mark + self._cell(found, around, fill, padding)
                    mark = ""
                    self._element(child, found, custom, around, depth + 1)
                    if self._waiting:
                        child.text = (child.text or "") + self._waiting
                        self._waiting = ""
                else:
                    inner = around.inside(child.tag, found, custom, block=True)
                    rows(child, inner, found.get("fill") or fill, depth + 1)

        rows(table, state, fill, depth)

    def _cell(self, said: Own, state: State, fill: str | None, padding: tuple[float, ...]) -> str:
        sides = ("top", "right", "bottom", "left")
        around = tuple(said.length(f"padding-{side}", state.size, state.root) or 0.0 for side in sides)
        look = Cell(
            width=width(said),
            borders=said.borders,
            fill=color(said.get("fill") or fill or ""),
            padding=around if any(around) else padding,
            align=said.get("vertical-align") if said.get("vertical-align") in ("top", "middle", "bottom") else None,
        )
        return self._marks.of(look) if look != Cell() else ""


def _place(table: Element, said: Own) -> str | None:
    if "auto" in (said.get("margin-left") or "") and "auto" in (said.get("margin-right") or ""):
        return "center"
    place = (table.get("align") or "").strip().lower()
    return place if place in _PLACES else None


def _padding(text: Any) -> tuple[float, ...]:
    text = (text or "").strip()
    return (float(text) * 0.75,) * 4 if text.isascii() and text.isdigit() and len(text) < 4 else ()
