"""Sections of a Word document: paper, columns, headers and footers (ECMA-376, part 1, 17.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.character_grid import NO_GRID, CharacterGrid
from engine.families.documents.word.names import R, W, child, integer, on, points, value

_DIRECTIONS: Mapping[str, Literal["rl", "lr", "up"]] = {
    "tbRl": "rl", "tbRlV": "rl", "tb": "rl", "tbV": "rl", "rl": "rl", "rlV": "rl",
    "tbLrV": "lr", "lrV": "lr", "btLr": "up", "lr": "up",
}  # fmt: skip
_KINDS = ("first", "even", "default")


@dataclass(frozen=True)
class Paper:
    """The paper and its margins, in points; `head` and `foot` are the header and footer distances from its edges."""

    width: float = 612.0
    height: float = 792.0
    top: float = 72.0
    right: float = 72.0
    bottom: float = 72.0
    left: float = 72.0
    head: float = 36.0
    foot: float = 36.0

    @property
    def room(self) -> float:
        return max(self.width - self.left - self.right, 30.0)


@dataclass
class Section:
    """Blocks with the same page settings; `heads` and `feet` name parts by kind."""

    blocks: list[Element] = field(default_factory=list)
    paper: Paper = Paper()
    start: str = "nextPage"
    columns: int = 1
    gap: float = 36.0
    ruled: bool = False
    uneven: bool = False
    """Whether its columns would need individual widths."""
    first_differs: bool = False
    number: int | None = None
    number_format: str = "decimal"
    grid: CharacterGrid = NO_GRID
    pitch: float = 0.0
    """The distance of the lines of its grid, if it has one, in points."""
    direction: Literal["", "rl", "lr", "up"] = ""
    """Whether its lines run down, each left or right of the one before, or up."""
    align: str = ""
    """Where the text of a page is that it does not fill, if not at its top."""
    lines: Element | None = None
    """How its lines are numbered."""
    edges: Element | None = None
    """The borders of its pages."""
    heads: dict[str, str] = field(default_factory=dict)
    feet: dict[str, str] = field(default_factory=dict)

    @property
    def shown(self) -> list[Element]:
        """The blocks without a last paragraph that has only the section break, which is no line of columns."""
        last = self.blocks[-1] if self.columns > 1 and len(self.blocks) > 1 else None
        if last is None or last.tag != W + "p" or [each.tag for each in last] != [W + "pPr"]:
            return self.blocks
        return self.blocks[:-1] if child(last[0], "sectPr") is not None else self.blocks

    @property
    def column(self) -> float:
        """The column width, or the length of vertical lines."""
        if self.direction:
            return max(self.paper.height - self.paper.top - self.paper.bottom, 20.0)
        return max((self.paper.room - self.gap * (self.columns - 1)) / self.columns, 20.0)


def sections(body: Element, relations: dict[str, str], size_of_text: float = 10.0) -> list[Section]:
    """The sections of a document with text of this usual size; `relations` are the referenced parts by id."""
    found: list[Section] = []
    blocks: list[Element] = []
    held: Section | None = None
    for each, end in _blocks(body):
        if each is not None:
            blocks.append(each)
        if end is not None:
            held = _section(end, held, relations, size_of_text)
            held.blocks = blocks
            found.append(held)
            blocks = []
    if blocks or not found:
        last = Section() if held is None else _section(None, held, relations, size_of_text)
        last.blocks = blocks
        found.append(last)
    return found


def _blocks(body: Element) -> Iterator[tuple[Element | None, Element | None]]:
    for each in body:
        if each.tag == W + "sectPr":
            yield None, each
        elif each.tag == W + "p":
            yield each, child(child(each, "pPr"), "sectPr")
        elif each.tag == W + "sdt":
            inner = child(each, "sdtContent")
            if inner is not None and next(inner.iter(W + "sectPr"), None) is not None:
                yield from _blocks(inner)
            else:
                yield each, None
        else:
            yield each, None


def _section(
    element: Element | None, before: Section | None, relations: dict[str, str], size_of_text: float
) -> Section:
    size, margins, columns = (child(element, name) for name in ("pgSz", "pgMar", "cols"))
    width, height = _length(size, "w", 612.0), _length(size, "h", 792.0)
    width, height = (min(max(each, 72.0), 4000.0) for each in (width, height))
    gutter = _length(margins, "gutter", 0.0)
    paper = Paper(
        width=width,
        height=height,
        top=abs(_length(margins, "top", 72.0)),
        right=_length(margins, "right", 72.0),
        bottom=abs(_length(margins, "bottom", 72.0)),
        left=_length(margins, "left", 72.0) + gutter,
        head=_length(margins, "header", 36.0),
        foot=_length(margins, "footer", 36.0),
    )
    if paper.left + paper.right > width - 36 or paper.top + paper.bottom > height - 36:
        paper = Paper(width, height)
    found = Section(paper=paper, start=value(child(element, "type")) or "nextPage")
    found.direction = _DIRECTIONS.get(value(child(element, "textDirection")) or "", "")
    if columns is not None and not found.direction:
        own = list(columns.iterfind(W + "col"))
        found.columns = max(1, min(integer(columns.get(W + "num")) or len(own) or 1, 12))
        widths = [points(each.get(W + "w")) or 0.0 for each in own]
        own_widths = (columns.get(W + "equalWidth") or "1") in ("0", "false", "off") and len(widths) > 1
        found.uneven = found.columns > 1 and own_widths and max(widths) - min(widths) > 2
        space = columns.get(W + "space") or (own[0].get(W + "space") if own else None)
        found.gap = max(0.0, min(36.0 if (gap := points(space)) is None else gap, 200.0))
        found.ruled = (columns.get(W + "sep") or "0") in ("1", "true", "on")
    first = child(element, "titlePg")
    found.first_differs = first is not None and on(first)
    numbers = child(element, "pgNumType")
    found.number = None if numbers is None else integer(numbers.get(W + "start"))
    found.number_format = value(numbers, "fmt") or "decimal"
    found.edges = child(element, "pgBorders")
    align = value(child(element, "vAlign")) or "top"
    found.align = align if align in ("center", "bottom", "both") else ""
    found.lines = child(element, "lnNumType")
    grid = child(element, "docGrid")
    if grid is not None and (grid.get(W + "type") or "default") != "default":
        found.pitch = min(max(points(grid.get(W + "linePitch")) or 0.0, 0.0), 200.0)
        if grid.get(W + "type") != "lines":
            added = min(max((integer(grid.get(W + "charSpace")) or 0) / 4096, -5.0), 100.0)
            snaps = grid.get(W + "type") == "snapToChars"
            found.grid = CharacterGrid(added, max(size_of_text + added, 1.0) if snaps else 0.0)
    for each in () if element is None else element:
        kind, part = each.get(W + "type") or "default", relations.get(each.get(R + "id") or "")
        if part and kind in _KINDS:
            if each.tag == W + "headerReference":
                found.heads[kind] = part
            elif each.tag == W + "footerReference":
                found.feet[kind] = part
    if before is not None:
        found.heads = before.heads | found.heads
        found.feet = before.feet | found.feet
    return found


def _length(element: Element | None, name: str, otherwise: float) -> float:
    length = None if element is None else points(element.get(W + name))
    return otherwise if length is None else length
