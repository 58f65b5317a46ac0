"""Marks in the text that carry styles through pandoc."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from lxml import etree

from engine.families.documents.safe_html import MAX_DEPTH
from engine.families.documents.style_transfer import picture_sizes
from engine.families.documents.style_transfer.heads import Heads
from engine.families.documents.style_transfer.styles import (
    Block,
    Cell,
    ElementStyle,
    Grid,
    Run,
    State,
    color,
    element_style,
    width,
)
from engine.families.documents.word.sections import Paper
from engine.families.html_pdf.styles import Boxes, Declared, Element, PageStyles, is_block
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

Formatting = Run | Block | Cell | Grid

_KINDS: dict[type, str] = {Block: "\ufdd0", Run: "\ufdd1", Cell: "\ufdd2", Grid: "\ufdd3"}
TAB = "\ufdd6"
"""A placeholder for tabs, which pandoc would turn into spaces."""
END_OF_RUN, _END = "\ufdd4", "\ufdd5"
_DIGITS = "".join(map(chr, range(0xFDE0, 0xFDEA)))
"""Noncharacters (Unicode, 23.7), which no text contains; digits also occur in generated section names."""
MARK = re.compile(f"[\ufdd0-\ufdd3][{_DIGITS}]+{_END}|{END_OF_RUN}")
OURS = re.compile("[\ufdd0-\ufdef]")
_RUN = re.compile(f"(\ufdd1[{_DIGITS}]+{_END})([^\ufdd0-\ufdd5]*){END_OF_RUN}")
AHEAD = re.compile(f"[\ufdd0\ufdd2\ufdd3][{_DIGITS}]+{_END}")
"""Marks for what contains the text: paragraphs, cells and tables."""
_INSIDE_TAGS = re.compile(r"<[^<>]*[\ufdd0-\ufdef][^<>]*>")
_WRITTEN = str.maketrans("0123456789", _DIGITS)
_READ = {ord(mark): str(value) for value, mark in enumerate(_DIGITS)}

_SKIPPED = frozenset((
    "head", "script", "style", "template", "title", "noscript", "iframe", "object", "embed", "svg", "canvas", "select",
    "textarea", "math",
))  # fmt: skip
_PLACES = ("left", "center", "right")


class Marks:
    """The styles behind the marks, and page styles without a mark."""

    def __init__(self) -> None:
        self._numbers: dict[Formatting, int] = {}
        self.styles: list[Formatting] = []
        self.lost: set[str] = set()
        self.paper: tuple[float, ...] | None = None
        """Page width and height, and margins from the top clockwise, in points, if the page sets them."""
        self.margins: tuple[Boxes, Boxes] = ({}, {})
        """The margin texts of the first page, and of the others."""
        self.heads: Heads | None = None
        """Headers and footers as lines, if known; these are then complete."""
        self.usual = Run()
        """The default style of text without a mark."""
        self.hidden: list[str] = []
        """The texts that the document hides."""
        self.titled = True
        """Whether the text should state a title that is only in the metadata."""
        self.bylined = True
        """Whether the text should state authors that are only in the metadata."""

    def mark_for(self, formatting: Formatting) -> str:
        """The mark for a style."""
        if formatting not in self._numbers:
            self._numbers[formatting] = len(self.styles)
            self.styles.append(formatting)
        return f"{_KINDS[type(formatting)]}{str(self._numbers[formatting]).translate(_WRITTEN)}{_END}"

    def before(self, formatting: Block | Cell | Grid) -> str:
        """The mark of a paragraph, a cell or a table; nothing for the default style."""
        return self.mark_for(formatting) if formatting != type(formatting)() else ""

    def around(self, text: str, formatting: Run) -> str:
        """Return the text of a run between its marks; unchanged in the default style."""
        if formatting.hidden:
            self.hidden.append(text)
        return f"{self.mark_for(formatting)}{text}{END_OF_RUN}" if formatting != Run() else text

    def set_paper(self, paper: Paper) -> None:
        """Set the page size and margins."""
        self.paper = (paper.width, paper.height, paper.top, paper.right, paper.bottom, paper.left)

    @property
    def is_needed(self) -> bool:
        """Whether the document is changed at all."""
        named = self.titled and self.bylined
        return bool(not named or self.styles or self.paper or any(self.margins) or self.heads or self.usual != Run())

    def read(self, mark: str) -> Formatting | None:
        """The style of a mark; None for the end of a run."""
        return None if mark == END_OF_RUN else self.styles[int(mark[1:-1].translate(_READ))]

    @staticmethod
    def outside_tags(markup: str) -> str:
        """Markup without marks in its attributes."""
        return _INSIDE_TAGS.sub(lambda tag: OURS.sub("", tag[0]), markup)

    @staticmethod
    def removed(text: str) -> str:
        """A text without marks."""
        return OURS.sub("", text)

    def replaced(self, markup: str, written: Callable[[Run, str], str], *, tab: str) -> str:
        """Text with each marked piece passed through `written`, tabs replaced by `tab`, and other marks removed."""

        def one(match: re.Match[str]) -> str:
            formatting = self.read(match[1])
            return written(formatting, match[2]) if isinstance(formatting, Run) else match[2]

        return OURS.sub("", _RUN.sub(one, markup).replace(TAB, tab))


def extract_styles(root: Element, marks: Marks, paragraphs: tuple[str, ...]) -> Iterator[tuple[Element, Formatting]]:
    """The styles of paragraphs and cells, each with its paragraph; the marks are removed."""
    for element in list(root.iter()):
        for name in ("text", "tail"):
            text = getattr(element, name)
            if not text or not AHEAD.search(text):
                continue
            setattr(element, name, AHEAD.sub("", text))
            inside = element if name == "text" else element.getparent()
            found = next((each for each in (inside, *inside.iterancestors()) if each.tag in paragraphs), None)
            for mark in AHEAD.findall(text) if found is not None else ():
                formatting = marks.read(mark)
                if formatting is not None:
                    yield found, formatting


def marked(html: str, marks: Marks, warn: Warn) -> str:
    """The page with marks in its text. Raises Unreadable and OverLimit as PageStyles does, and for deep nesting."""
    page_styles = PageStyles(OURS.sub("\ufffd", html), warn)
    writer = _Writer(page_styles, marks)
    writer.element(page_styles.root, State(), 0)
    warn.leave_out(marks.hidden)
    if page_styles.asks_for_paper:
        marks.paper = (page_styles.paper.width, page_styles.paper.height, *page_styles.paper.margins.around)
    marks.margins = page_styles.first, page_styles.others
    if marks.lost:
        listed = ", ".join(sorted(marks.lost)[:20])
        warn(
            "CSS_UNSUPPORTED",
            say("Styles that can't be written to Word were left out: {listed}.", listed=listed),
        )
    page: str = etree.tostring(page_styles.root, encoding="unicode", method="html")
    return page


"""Points in a CSS pixel."""


class _Writer:
    """Walks a tree, and writes a mark before the first text of each paragraph, and around each run."""

    def __init__(self, page_styles: PageStyles, marks: Marks) -> None:
        self._page_styles, self._marks = page_styles, marks
        self._waiting = ""
        """Pending marks of cells and tables for the next text."""
        self._begun = False
        """Whether the paragraph already has its mark."""
        self._breaks = False

    def element(self, element: Element, state: State, depth: int) -> None:
        """Mark the content of an element; `state` is that of its parent."""
        values, custom = self._declarations(element, state, depth)
        self._element(element, values, custom, state, depth)

    def _declarations(self, element: Element, state: State, depth: int) -> tuple[ElementStyle, Declared]:
        """The declarations of an element, which advance counters, and its custom properties."""
        if depth > MAX_DEPTH:
            raise Unreadable(
                say("The markup is nested more than {max_depth} levels deep.", max_depth=MAX_DEPTH), reason="limit"
            )
        declared, custom = self._page_styles.cascaded(element, state.custom)
        self._page_styles.count(dict(declared))
        values = element_style(tuple(declared))
        self._marks.lost |= values.lost
        if element.tag in ("html", "body") and color(values.get("fill") or "") not in (None, "FFFFFF"):
            self._marks.lost.add(say("page background"))
        return values, custom

    def _element(self, element: Element, values: ElementStyle, custom: Declared, state: State, depth: int) -> None:
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
            if tag == "img":
                picture_sizes.write(element, values, state)
            if tag != "br":
                self._set_before(element, self._paragraph(inner))
        else:
            self._inside(element, inner, depth)
        if block:
            self._begun = False
        self._breaks |= values.breaks("after")

    def _inside(self, element: Element, state: State, depth: int) -> None:
        before = self._page_styles.written(element, "before", state.custom)
        element.text = self._text(before + (element.text or ""), state)
        for child in list(element):
            if isinstance(child.tag, str) and child.tag not in _SKIPPED:
                self.element(child, state, depth + 1)
            child.tail = self._text(child.tail, state)
        if after := self._page_styles.written(element, "after", state.custom):
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
        shown = self._marks.around(core, run)
        return text[:at] + self._paragraph(state) + shown + text[at + len(core) :]

    def _paragraph(self, state: State) -> str:
        """The marks before the next text: pending ones, and the paragraph's own if this is its first text."""
        marks, self._waiting = self._waiting, ""
        if not self._begun:
            self._begun = True
            block = replace(state.block, new_page=state.block.new_page or self._breaks)
            self._breaks = False
            marks += self._marks.before(block)
        return marks

    def _flush(self, element: Element) -> None:
        """Write pending marks before an element that starts its own texts."""
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

    def _table(self, table: Element, state: State, grid: Grid, values: ElementStyle, depth: int) -> None:
        mark = self._marks.before(grid)
        fill, padding = values.get("fill"), _padding(table.get("cellpadding"))

        def rows(parent: Element, around: State, fill: str | None, depth: int) -> None:
            nonlocal mark
            for child in list(parent):
                if not isinstance(child.tag, str) or child.tag in _SKIPPED:
                    continue
                if child.tag not in ("thead", "tbody", "tfoot", "tr", "td", "th"):
                    self.element(child, around, depth + 1)
                    continue
                found, custom = self._declarations(child, around, depth + 1)
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

    def _cell(self, declared: ElementStyle, state: State, fill: str | None, padding: tuple[float, ...]) -> str:
        sides = ("top", "right", "bottom", "left")
        around = tuple(declared.length(f"padding-{side}", state.size, state.root) or 0.0 for side in sides)
        formatting = Cell(
            width=width(declared),
            borders=declared.borders,
            fill=color(declared.get("fill") or fill or ""),
            padding=around if any(around) else padding,
            align=declared.get("vertical-align")
            if declared.get("vertical-align") in ("top", "middle", "bottom")
            else None,
        )
        return self._marks.mark_for(formatting) if formatting != Cell() else ""


def _place(table: Element, declared: ElementStyle) -> str | None:
    if "auto" in (declared.get("margin-left") or "") and "auto" in (declared.get("margin-right") or ""):
        return "center"
    place = (table.get("align") or "").strip().lower()
    return place if place in _PLACES else None


def _padding(text: Any) -> tuple[float, ...]:
    text = (text or "").strip()
    return (float(text) * 0.75,) * 4 if text.isascii() and text.isdigit() and len(text) < 4 else ()
