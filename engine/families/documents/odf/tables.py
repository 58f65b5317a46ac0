"""Convert OpenDocument tables (ISO/IEC 26300, part 3, 9) to WordprocessingML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.families.documents.odf.names import FO, STYLE, TABLE, colour, count, edge, share, twips
from engine.families.documents.odf.properties import Properties
from engine.families.documents.odf.styles import Scope
from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element
from engine.toolkit.failures import OverLimit

_MOST_COLUMNS = 200
_MOST_AGAIN = 20_000
_SIDES = ("top", "left", "bottom", "right")
_GROUPS = ("table-header-rows", "table-rows", "table-row-group", "table-columns", "table-column-group",
           "table-header-columns")  # fmt: skip
_ALIGN = {"left": "left", "center": "center", "right": "right"}
_DOWN = {"middle": "center", "bottom": "bottom"}

Blocks = Callable[[Element, Element], None]
"""Writes the paragraphs of a cell."""


@dataclass(frozen=True)
class _Row:
    element: Element
    head: bool


def table(source: Element, scope: Scope, blocks: Blocks, room: int, cells: Counter[str]) -> Element:
    """A table for a column of `room` twips; `cells` counts as in the job. Raises OverLimit for too many cells."""
    made = element("tbl")
    name = source.get(TABLE + "style-name") or ""
    style = scope.resolved("table", name, "table")
    widths = column_widths(source, scope, room)
    _placed(made, style, room, widths)
    grid = add(made, "tblGrid")
    for each in widths:
        add(grid, "gridCol", w=each)
    above: dict[int, tuple[int, int]] = {}
    for row in _rows(source, head=False):
        times = count(row.element.get(TABLE + "number-rows-repeated"), most=_MOST_AGAIN)
        for again in range(times):
            above = _row(made, row, scope, blocks, above, style, cells, repeated=bool(again))
    return made


def column_widths(source: Element, scope: Scope, room: int) -> list[int]:
    """The widths of a table's columns in twips, in a column of text `room` twips wide."""
    style = scope.resolved("table", source.get(TABLE + "style-name") or "", "table")
    widths: list[int] = []
    shares: list[float] = []
    for each in _inside(source, "table-column"):
        found = scope.resolved("table-column", each.get(TABLE + "style-name") or "", "table-column")
        times = count(each.get(TABLE + "number-columns-repeated"), most=_MOST_COLUMNS)
        relative = (found.get(STYLE + "rel-column-width") or "").rstrip("*")
        widths += [twips(found.get(STYLE + "column-width")) or 0] * times
        shares += [float(relative) if relative.isdecimal() and len(relative) < 9 else 0.0] * times
        if len(widths) > _MOST_COLUMNS:
            break
    whole = twips(style.get(STYLE + "width")) or room
    if (percent := share(style.get(STYLE + "rel-width"))) is not None:
        whole = round(room * min(percent, 200) / 100)
    elif style.get(TABLE + "align", "margins") == "margins":
        whole = room - sum(twips(style.get(f"{FO}margin-{side}")) or 0 for side in ("left", "right"))
    if not all(widths) and all(shares) and shares:
        widths = [round(whole * each / sum(shares)) for each in shares]
    elif not all(widths):
        missing = widths.count(0)
        widths = [each or max((whole - sum(widths)) // missing, 200) for each in widths]
    elif sum(widths) and abs(sum(widths) - whole) > 20 and whole > 0:
        widths = [round(each * whole / sum(widths)) for each in widths]
    return widths[:_MOST_COLUMNS]


def _placed(made: Element, style: Properties, room: int, widths: list[int]) -> None:
    placed = add(made, "tblPr")
    add(placed, "tblW", w=sum(widths), type="dxa")
    if (align := _ALIGN.get(style.get(TABLE + "align", ""))) is not None:
        add(placed, "jc", val=align)
    add(placed, "tblInd", w=twips(style.get(FO + "margin-left")) or 0, type="dxa")
    margins = add(placed, "tblCellMar")
    for side in _SIDES:
        add(margins, side, w=0, type="dxa")
    if style.get(STYLE + "writing-mode") == "rl-tb":
        add(placed, "bidiVisual")
    add(placed, "tblLook", val="0")


def _row(
    made: Element,
    row: _Row,
    scope: Scope,
    blocks: Blocks,
    above: dict[int, tuple[int, int]],
    table_: Properties,
    cells: Counter[str],
    *,
    repeated: bool,
) -> dict[int, tuple[int, int]]:
    """Write a row; `above` and the result map columns that cells from above cover to the row they reach."""
    style = scope.resolved("table-row", row.element.get(TABLE + "style-name") or "", "table-row")
    written = add(made, "tr")
    own = add(written, "trPr")
    if row.head:
        add(own, "tblHeader")
    if style.get(FO + "keep-together") == "always":
        add(own, "cantSplit")
    if height := twips(style.get(STYLE + "row-height")) or twips(style.get(STYLE + "min-row-height")):
        add(own, "trHeight", val=height)
    ground = colour(style.get(FO + "background-color")) or colour(table_.get(FO + "background-color"))
    below: dict[int, tuple[int, int]] = {}
    column = skipped = 0

    def continued(until: int | None = None) -> None:
        nonlocal column
        while column in above and (until is None or column < until):
            span, left = above[column]
            covered = add(written, "tc")
            properties = add(covered, "tcPr")
            add(properties, "gridSpan", val=span)
            add(properties, "vMerge")
            add(covered, "p")
            if left > 1:
                below[column] = (span, left - 1)
            column += span

    for each in row.element:
        kind = each.tag.removeprefix(TABLE) if isinstance(each.tag, str) and each.tag.startswith(TABLE) else ""
        if kind not in ("table-cell", "covered-table-cell"):
            continue
        times = count(each.get(TABLE + "number-columns-repeated"), most=_MOST_COLUMNS)
        for at in range(times):
            again = repeated or at > 0
            if column >= _MOST_COLUMNS:
                cells["beyond"] += any(map(str.strip, each.itertext()))
                break
            if kind == "covered-table-cell":
                if skipped:
                    skipped -= 1
                else:
                    before = column
                    continued(column + 1)
                    skipped = max(column - before - 1, 0)
                continue
            skipped = 0
            cells["repeated"] += again
            if cells["repeated"] > _MOST_AGAIN:
                raise OverLimit("output", "The document repeats too many table cells.")
            span = count(each.get(TABLE + "number-columns-spanned"), most=_MOST_COLUMNS)
            down = count(each.get(TABLE + "number-rows-spanned"), most=10_000)
            cell = add(written, "tc")
            write_cell(
                cell,
                scope.resolved("table-cell", each.get(TABLE + "style-name") or "", "table-cell"),
                ground,
                span,
                down,
            )
            blocks(each, cell)
            if down > 1:
                below[column] = (span, down - 1)
            column += span
            skipped = span - 1
    continued()
    return below


def write_cell(cell: Element, style: Properties, ground: str | None, span: int, down: int) -> None:
    own = add(cell, "tcPr")
    if span > 1:
        add(own, "gridSpan", val=span)
    if down > 1:
        add(own, "vMerge", val="restart")
    edges = {side: edge(style.get(f"{FO}border-{side}", style.get(FO + "border"))) for side in _SIDES}
    if any(edges.values()):
        borders = add(own, "tcBorders")
        for side, each in edges.items():
            if each is not None:
                add(borders, side, **each)
    if fill := colour(style.get(FO + "background-color")) or ground:
        add(own, "shd", val="clear", fill=fill)
    margins = add(own, "tcMar")
    for side in _SIDES:
        add(margins, side, w=twips(style.get(f"{FO}padding-{side}", style.get(FO + "padding"))) or 0, type="dxa")
    if (align := _DOWN.get(style.get(STYLE + "vertical-align", ""))) is not None:
        add(own, "vAlign", val=align)
    if style.get(STYLE + "writing-mode") in ("tb-rl", "bt-lr", "tb-lr") or (
        style.get(STYLE + "rotation-angle") not in (None, "0")
    ):
        add(own, "textDirection", val="tbRl")


def _rows(parent: Element, *, head: bool) -> Iterator[_Row]:
    for each in parent:
        kind = each.tag.removeprefix(TABLE) if isinstance(each.tag, str) and each.tag.startswith(TABLE) else ""
        if kind == "table-row":
            yield _Row(each, head)
        elif kind in _GROUPS:
            yield from _rows(each, head=head or kind == "table-header-rows")


def _inside(parent: Element, name: str) -> Iterator[Element]:
    for each in parent:
        kind = each.tag.removeprefix(TABLE) if isinstance(each.tag, str) and each.tag.startswith(TABLE) else ""
        if kind == name:
            yield each
        elif kind in _GROUPS and "column" in kind:
            yield from _inside(each, name)
