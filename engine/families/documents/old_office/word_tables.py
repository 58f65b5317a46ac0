"""The rows of Word 97 to 2003 as tables of WordprocessingML ([MS-DOC], 2.4.3 and 2.9.324)."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.families.documents.old_office.sprms import TABLE_DEFINITION, Modifiers, unsigned
from engine.families.documents.old_office.word_formatting import (
    DEPTH,
    ENDS_INNER_CELL,
    ENDS_INNER_ROW,
    ENDS_ROW,
    IN_TABLE,
)
from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element

_MARK = "\x07"
_DEEPEST = 12
_MOST_EDGES = 400
_NEAR = 15
"""Twips within which two edges of cells are the same one."""
_CELL = 20
_REPEATED, _BORDERS, _OLD_BORDERS, _FILLS = 0x3404, 0xD613, 0xD605, 0xD612
_SIDES = ("top", "left", "bottom", "right", "insideH", "insideV")
_NO_LINE = (0, 255)
_STARTS, _GOES_ON = 0x0060, 0x0020
"""The flags of a cell that is merged with those below it: the first one, and the others."""


@dataclass
class Block:
    """One paragraph with the character that ends it; `depth` is the number of tables around it."""

    made: Element
    mark: str
    found: Modifiers
    depth: int = field(init=False)

    def __post_init__(self) -> None:
        inside = unsigned(self.found, IN_TABLE) != 0
        self.depth = min(max(unsigned(self.found, DEPTH), int(inside)), _DEEPEST)

    @property
    def ends_row(self) -> bool:
        return unsigned(self.found, ENDS_ROW if self.depth < 2 else ENDS_INNER_ROW) != 0

    @property
    def ends_cell(self) -> bool:
        return self.mark == _MARK if self.depth < 2 else unsigned(self.found, ENDS_INNER_CELL) != 0


@dataclass
class _Row:
    cells: list[list[Element]]
    found: Modifiers
    edges: list[int] = field(default_factory=list)
    """The places of the edges of cells in twips, one more than there are cells; none if the row doesn't say."""
    flags: list[bytes] = field(default_factory=list)


def arranged(blocks: Sequence[Block], depth: int = 0) -> list[Element]:
    """Paragraphs, and tables of those that are in cells."""
    made: list[Element] = []
    at = 0
    while at < len(blocks):
        if blocks[at].depth <= depth:
            made.append(blocks[at].made)
            at += 1
            continue
        end = at
        while end < len(blocks) and blocks[end].depth > depth:
            end += 1
        made.append(_table(blocks[at:end], depth + 1))
        at = end
    return made


def _table(blocks: Sequence[Block], depth: int) -> Element:
    rows: list[_Row] = []
    cells: list[list[Element]] = []
    content: list[Block] = []
    for each in blocks:
        if each.depth > depth:
            content.append(each)
            continue
        if each.ends_row:
            if content:
                cells.append(arranged(content, depth))
            rows.append(_row(cells, each.found))
            cells, content = [], []
            continue
        content.append(each)
        if each.ends_cell:
            cells.append(arranged(content, depth))
            content = []
    if content:
        cells.append(arranged(content, depth))
    if cells:
        rows.append(_Row(cells, {}))
    return _written([each for each in rows if each.cells])


def _row(cells: list[list[Element]], found: Modifiers) -> _Row:
    row = _Row(cells, found)
    data = found.get(TABLE_DEFINITION, b"")
    count = data[0] if data else 0
    if count and count == len(cells) and len(data) >= 1 + 2 * (count + 1):
        edges = [int.from_bytes(data[at : at + 2], "little", signed=True) for at in range(1, 2 * count + 3, 2)]
        if edges == sorted(edges):
            row.edges = edges
        begin = 3 + 2 * count
        row.flags = [data[begin + _CELL * each : begin + _CELL * (each + 1)] for each in range(count)]
    return row


def _written(rows: list[_Row]) -> Element:
    grid: list[int] = []
    for edge in sorted({edge for row in rows for edge in row.edges}):
        if not grid or edge - grid[-1] > _NEAR:
            grid.append(edge)
    if len(grid) > _MOST_EDGES:
        grid = []
    made = element("tbl")
    properties = add(made, "tblPr")
    lines = _borders(next((row.found for row in rows), {}))
    if lines:
        borders = add(properties, "tblBorders")
        for name, line in lines.items():
            add(borders, name, **line)
    add(properties, "tblLayout", type="fixed" if grid else "autofit")
    columns = add(made, "tblGrid")
    for before, after in itertools.pairwise(grid):
        add(columns, "gridCol", w=after - before)
    for row in rows:
        _write_row(add(made, "tr"), row, grid)
    return made


def _write_row(made: Element, row: _Row, grid: list[int]) -> None:
    properties = add(made, "trPr")
    placed = grid and row.edges
    if placed and (skipped := _index(grid, row.edges[0])):
        add(properties, "gridBefore", val=skipped)
    if unsigned(row.found, _REPEATED):
        add(properties, "tblHeader")
    fills = row.found.get(_FILLS, b"")
    for number, content in enumerate(row.cells):
        cell = add(made, "tc")
        looks = add(cell, "tcPr")
        if placed:
            add(looks, "tcW", w=row.edges[number + 1] - row.edges[number], type="dxa")
            span = _index(grid, row.edges[number + 1]) - _index(grid, row.edges[number])
            if span > 1:
                add(looks, "gridSpan", val=span)
        flags = row.flags[number] if number < len(row.flags) else b""
        merged = int.from_bytes(flags[:2], "little") & _STARTS
        if merged == _STARTS:
            add(looks, "vMerge", val="restart")
        elif merged == _GOES_ON and not _says_something(content):
            add(looks, "vMerge")
        lines = {side: _line(flags[4 + 4 * at : 8 + 4 * at]) for at, side in enumerate(_SIDES[:4])}
        if any(lines.values()):
            borders = add(looks, "tcBorders")
            for side, line in lines.items():
                if line:
                    add(borders, side, **line)
        fill = fills[10 * number : 10 * number + 10]
        if len(fill) == 10 and not fill[7] and fill[8:] == b"\0\0":
            add(looks, "shd", val="clear", fill=fill[4:7].hex().upper())
        cell.extend(content)
        if not content or not content[-1].tag.endswith("}p"):
            add(cell, "p")


def _says_something(content: list[Element]) -> bool:
    return any(True for each in content for _ in each.iter("{*}t", "{*}drawing", "{*}pict"))


def _index(grid: list[int], edge: int) -> int:
    at = bisect_left(grid, edge - _NEAR)
    return min(at, len(grid) - 1)


def _borders(found: Modifiers) -> dict[str, dict[str, object]]:
    for modifier, size in ((_BORDERS, 8), (_OLD_BORDERS, 4)):
        if modifier in found:
            lines = {side: _line(found[modifier][size * at : size * (at + 1)]) for at, side in enumerate(_SIDES)}
            return {side: line for side, line in lines.items() if line}
    return {}


def _line(data: bytes) -> dict[str, object]:
    """A border of four bytes, or of eight with a colour before it ([MS-DOC], 2.9.16 and 2.9.17)."""
    if len(data) not in (4, 8):
        return {}
    colour, width, kind = ("auto", *data[:2]) if len(data) == 4 else (_colour(data[:4]), *data[4:6])
    if kind in _NO_LINE:
        return {}
    return {"val": "double" if kind == 3 else "single", "sz": max(2, min(width, 96)), "color": colour}


def _colour(data: bytes) -> str:
    return "auto" if data[3] else data[:3].hex().upper()
