"""Convert RTF tables (1.9.1, “Table definitions”) from their row definitions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element
from engine.families.documents.rich_text.properties import Edges, edge, shade

MOST_COLUMNS = 200
_NEAR = 20
"""Twips: cell edges in two rows at most this far apart are the same column edge."""
_CELL_EDGES = {"clbrdrt": "top", "clbrdrl": "left", "clbrdrb": "bottom", "clbrdrr": "right"}
_ROW_EDGES = {"trbrdrt": "top", "trbrdrl": "left", "trbrdrb": "bottom", "trbrdrr": "right", "trbrdrh": "insideH",
              "trbrdrv": "insideV"}  # fmt: skip
_PADS = {"clpadt": "left", "clpadl": "top", "clpadb": "bottom", "clpadr": "right"}
"""Word writes the left padding for the top, and vice versa."""
_ROW_PADS = {"trpaddt": "top", "trpaddl": "left", "trpaddb": "bottom", "trpaddr": "right"}
_YES = ("clvmgf", "clvmrg", "clmgf", "clmrg", "clvertalc", "clvertalb", "cltxtbrl", "cltxbtlr")
_NUMBERS = {"clcbpat": "ground", "clcfpat": "front", "clshdng": "share"}
_ROW_NUMBERS = ("trleft", "trgaph", "trrh")
_ROW_YES = ("trhdr", "trkeep", "trqc", "trqr", "rtlrow")
_SIDES = ("top", "left", "bottom", "right")


@dataclass
class Row:
    """The row properties set by `trowd` and the following words."""

    properties: dict[str, Any] = field(default_factory=dict)
    cells: list[dict[str, Any]] = field(default_factory=list)
    next: dict[str, Any] = field(default_factory=dict)

    def word(self, word: str, number: int | None, edges: Edges) -> bool:
        """Handle a word; return whether it is a row property."""
        if word == "cellx":
            if len(self.cells) < MOST_COLUMNS:
                self.cells.append({**self.next, "end": number or 0})
            self.next = {}
        elif word in _CELL_EDGES:
            self.next.setdefault("borders", {})[_CELL_EDGES[word]] = edges.begin()
        elif word in _ROW_EDGES:
            self.properties.setdefault("borders", {})[_ROW_EDGES[word]] = edges.begin()
        elif word in _YES:
            self.next[word] = True
        elif word in _NUMBERS and number is not None:
            self.next[_NUMBERS[word]] = number
        elif word in _PADS and number is not None:
            self.next[f"pad-{_PADS[word]}"] = max(0, min(number, 4000))
        elif word in _ROW_PADS and number is not None:
            self.properties[f"pad-{_ROW_PADS[word]}"] = max(0, min(number, 4000))
        elif word in _ROW_NUMBERS and number is not None:
            self.properties[word] = number
        elif word in _ROW_YES:
            self.properties[word] = True
        else:
            return False
        return True


@dataclass
class Nest:
    """One nesting level of tables: the blocks of the open cell, its row's cells, its table's rows."""

    blocks: list[Element] = field(default_factory=list)
    cells: list[list[Element]] = field(default_factory=list)
    rows: list[tuple[Row, list[list[Element]]]] = field(default_factory=list)


def table(rows: Sequence[tuple[Row, list[list[Element]]]], room: int, colours: Sequence[str]) -> Element:
    """The table formed by rows, in a column of `room` twips."""
    spans = [_ends(row, len(cells), room) for row, cells in rows]
    places = _grid(each for left, ends in spans for each in (left, *ends))
    made = element("tbl")
    first = rows[0][0].properties
    placed = add(made, "tblPr")
    add(placed, "tblW", w=max(places[-1] - places[0], 200), type="dxa")
    if first.get("trqc") or first.get("trqr"):
        add(placed, "jc", val="center" if first.get("trqc") else "right")
    add(placed, "tblInd", w=places[0], type="dxa")
    if first.get("rtlrow"):
        add(placed, "bidiVisual")
    margins = add(placed, "tblCellMar")
    for side in _SIDES:
        add(margins, side, w=0, type="dxa")
    add(placed, "tblLook", val="0")
    grid = add(made, "tblGrid")
    for one, other in pairwise(places):
        add(grid, "gridCol", w=other - one)
    for number, ((row, cells), (left, ends)) in enumerate(zip(rows, spans, strict=True)):
        _row(made, row, cells, left, ends, places, colours, last=number == len(rows) - 1, head=number == 0)
    return made


def _ends(row: Row, count: int, room: int) -> tuple[int, list[int]]:
    """The start of a row and the end of each of its cells; cells without a position share the rest."""
    left = row.properties.get("trleft", 0)
    ends: list[int] = []
    for each in row.cells[:count]:
        ends.append(max(each["end"], (ends[-1] if ends else left) + 20))
    if missing := min(count, MOST_COLUMNS) - len(ends):
        start = ends[-1] if ends else left
        each_ = max((room - start) // missing, 400) if missing > 0 else 0
        ends += [start + each_ * (at + 1) for at in range(missing)]
    return left, ends


def _grid(places: Any) -> list[int]:
    found: list[int] = []
    for each in sorted(set(places)):
        if not found or each - found[-1] > _NEAR:
            found.append(each)
    return found[: MOST_COLUMNS + 1] if len(found) > 1 else [*found, (found or [0])[0] + 400]


def _at(places: list[int], place: int) -> int:
    at = bisect_left(places, place - _NEAR)
    return min(at, len(places) - 1)


def _row(
    made: Element, row: Row, cells: list[list[Element]], left: int, ends: list[int], places: list[int],
    colours: Sequence[str], *, last: bool, head: bool,
) -> None:  # fmt: skip
    written = add(made, "tr")
    own = add(written, "trPr")
    if row.properties.get("trhdr"):
        add(own, "tblHeader")
    if row.properties.get("trkeep"):
        add(own, "cantSplit")
    if height := row.properties.get("trrh"):
        add(own, "trHeight", val=abs(height))
    at = _at(places, left)
    if at:
        add(own, "gridBefore", val=at)
    blocks: Element | None = None
    span: Element | None = None
    for number, (content, end) in enumerate(zip(cells, ends, strict=False)):
        format = row.cells[number] if number < len(row.cells) else {}
        to = max(_at(places, end), at)
        if format.get("clmrg") and blocks is not None and span is not None:
            span.set(span.keys()[0], str(int(span.get(span.keys()[0])) + to - at))
            blocks.extend(each for each in content if len(each) > 1)
            at = to
            continue
        if to == at:
            to = at + 1
        cell = blocks = add(written, "tc")
        properties = add(cell, "tcPr")
        span = add(properties, "gridSpan", val=to - at)
        outer = {"top": head, "bottom": last, "left": number == 0, "right": number == len(cells) - 1}
        _cell(properties, format, row.properties, colours, outer)
        cell.extend(content)
        if not content:
            add(cell, "p")
        at = to


def _cell(
    own: Element, cell: dict[str, Any], row: dict[str, Any], colours: Sequence[str], outer: dict[str, bool]
) -> None:
    if cell.get("clvmgf") or cell.get("clvmrg"):
        add(own, "vMerge", val="restart" if cell.get("clvmgf") else "continue")
    borders = add(own, "tcBorders")
    usual = row.get("borders", {})
    for side in _SIDES:
        inner = "insideH" if side in ("top", "bottom") else "insideV"
        found = cell.get("borders", {}).get(side) or usual.get(side if outer[side] else inner)
        if found:
            add(borders, side, **edge(found, colours))
    if (ground := shade(cell, colours)) is not None:
        add(own, "shd", val="clear", fill=ground)
    gap = max(0, min(row.get("trgaph", 0), 4000))
    margins = add(own, "tcMar")
    for side in _SIDES:
        least = gap if side in ("left", "right") else 0
        add(margins, side, w=cell.get(f"pad-{side}", row.get(f"pad-{side}", least)), type="dxa")
    if cell.get("clvertalc") or cell.get("clvertalb"):
        add(own, "vAlign", val="center" if cell.get("clvertalc") else "bottom")
    if cell.get("cltxtbrl") or cell.get("cltxbtlr"):
        add(own, "textDirection", val="tbRl")
