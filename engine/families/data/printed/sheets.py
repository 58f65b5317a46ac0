"""Lay out the sheets of a workbook on pages, before any of them is drawn."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from engine.families.data.cell_references import COLUMNS, ROWS, Area
from engine.families.data.printed import lettering, paging, pictures
from engine.families.data.printed.boxes import PADDING, Boxes, Texts, is_wrapped
from engine.families.data.printed.grid import Grid, style_at
from engine.families.data.printed.lines import Missing
from engine.families.data.printed.looks import Looks, Placed, Run
from engine.families.data.printed.paging import Room, Sheet
from engine.families.data.printed.tiles import Cells
from engine.families.data.sheet_layout import apart
from engine.families.data.workbooks.sheet_bounds import MAX_SHEET_CELLS
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

_FURTHEST = 60
"""Columns beyond the last one that texts and pictures may reach into."""
_WIDEST = 1.3
"""The width of emoji in units of the font's size; no letter is wider."""
_MOST_MERGED = 1_000_000
_MOST_PLACED = 20_000
"""Parts of rows that pictures and charts may be on; those that would be on more are left out, and counted."""


@dataclass
class Printed:
    """A sheet with its pages: an area of it for each, its scale and its paper."""

    name: str
    looks: Looks
    grid: Grid
    cells: Cells
    room: Room
    texts: Texts
    pages: list[tuple[Sheet, float]] = field(default_factory=list)
    unprinted: list[str] = field(default_factory=list)
    """The texts of cells that are hidden or outside the print area."""
    merges_lost: int = 0
    _starts: list[int] = field(default_factory=list)
    _placed: dict[int, list[Placed]] = field(default_factory=dict)

    def place(self, starts: list[int]) -> None:
        """Note on which of the parts of rows that begin at `starts` pictures and charts are."""
        self._starts = starts
        edges = [self.grid.ys[each] for each in starts]
        left = _MOST_PLACED
        for item in self.looks.placed:
            _, top, _, bottom = pictures.place(item, self.grid)
            first, end = paging.spanned(edges, top, bottom)
            end = max(end, first + 1)
            if end - first <= left:
                left -= end - first
                for at in range(first, end):
                    self._placed.setdefault(at, []).append(item)

    def placed_on(self, area: Area) -> list[Placed]:
        """The pictures and charts that may be on an area that begins with a page, or is repeated on it."""
        first = max(bisect.bisect_right(self._starts, area.top) - 1, 0)
        end = max(bisect.bisect_right(self._starts, area.bottom), first + 1)
        return list({id(each): each for at in range(first, end) for each in self._placed.get(at, ())}.values())


def laid_out(
    name: str, looks: Looks, texts: dict[int, dict[int, str]], usual: tuple[float, float], missing: Missing, most: int
) -> Printed:
    """A sheet on its pages; `most` is how many pages it may have. Raises OverLimit for what is placed too far away."""
    last = _last(looks, texts)
    far = _placed_until(looks)
    if (far[0] + 1) * (far[1] + 1) > MAX_SHEET_CELLS:
        raise OverLimit(
            "memory", say("The sheet “{name}” spans too many cells. Delete stray cells far from the data.", name=name)
        )
    rows = max(last[0], far[0]) + 1
    wide = min(max(last[1], far[1]) + 1 + _FURTHEST, COLUMNS)
    inside = Area(0, 0, rows - 1, wide - 1)
    merged = apart(looks.merged, inside)
    lost = 0
    if sum((each.bottom - each.top + 1) * (each.right - each.left + 1) for each in merged) > _MOST_MERGED:
        merged, lost = (), len(merged)
    grid = Grid(looks, rows, wide)
    boxes = Boxes(looks, grid, texts, merged, missing)
    boxes.grow()
    right = max(last[1], _reached(looks, grid, texts, boxes.covered), _reached_by_pictures(looks, grid))
    whole = Area(0, 0, max(last[0], _row_of_pictures(looks, grid)), min(right, wide - 1))
    room = paging.room(looks.setup, usual)
    cells = Cells(looks, grid, boxes, merged, grey=looks.setup.grey)
    made = Printed(name, looks, grid, cells, room, texts, merges_lost=lost)
    areas = [each for area in looks.areas if (each := _within(area, whole))] or ([] if looks.areas else [whole])
    starts = {0}
    for area in areas:
        scale = paging.scale(looks, grid, area, room, looks.setup.fit)
        pages = paging.pages(looks, grid, area, room, scale)
        filled = _filled(made, area, pages)
        for page in pages:
            if (page.rows[0], page.columns[0]) in filled:
                made.pages.append((page, scale))
                starts.add(page.rows[0])
        if len(made.pages) > most:
            break
    cells.prepare(sorted(starts))
    made.place(sorted(starts))
    made.unprinted = list(_unprinted(made, areas))
    return made


def _within(area: Area, whole: Area) -> Area | None:
    """A print area as far as the sheet has anything; whole rows and columns end with it."""
    open_right, open_down = area.right == Area().right, area.bottom == Area().bottom
    found = replace(
        area,
        right=min(area.right, whole.right) if open_right else min(area.right, max(whole.right, area.left + 200)),
        bottom=min(area.bottom, whole.bottom) if open_down else min(area.bottom, max(whole.bottom, area.top)),
    )
    return found if found.right >= found.left and found.bottom >= found.top else None


def _last(looks: Looks, texts: Texts) -> tuple[int, int]:
    """The last row and the last column with a text or a style that shows."""
    shows = [each.is_printed for each in looks.styles]
    rows, columns = [0], [0]
    for row, cells in looks.cells.items():
        last = max((column for column, cell in cells.items() if shows[cell.style]), default=-1)
        if last >= 0:
            rows.append(row)
            columns.append(last)
    for row, filled in texts.items():
        if found := [column for column, text in filled.items() if text]:
            rows.append(row)
            columns.append(max(found))
    for each in looks.merged:
        if texts.get(each.top, {}).get(each.left) and each.right < Area().right and each.bottom < Area().bottom:
            rows.append(min(each.bottom, each.top + _FURTHEST))
            columns.append(min(each.right, each.left + _FURTHEST))
    for each in looks.areas:
        if each.bottom < Area().bottom and each.right < Area().right:
            rows.append(min(each.bottom, max(rows) + 2_000))
            columns.append(min(each.right, max(columns) + 200))
    return max(rows), max(columns)


def _placed_until(looks: Looks) -> tuple[int, int]:
    """The last row and column that pictures and charts may reach."""
    rows, columns = 0, 0
    for each in looks.placed:
        column, _, row, _ = each.anchor.end or each.anchor.start
        size = each.anchor.size or (0.0, 0.0)
        across, down = each.anchor.at or (0.0, 0.0)
        if each.anchor.end is None:
            column += int((size[0] + across) / 12) + 1
            row += int((size[1] + down) / 6) + 1
        rows, columns = max(rows, row), max(columns, column)
    return min(rows, ROWS - 1), min(columns, COLUMNS - 1)


def _reached_by_pictures(looks: Looks, grid: Grid) -> int:
    edges = [pictures.place(each, grid)[2] for each in looks.placed]
    return bisect.bisect_left(grid.xs, max(edges) - 0.01) - 1 if edges else 0


def _row_of_pictures(looks: Looks, grid: Grid) -> int:
    edges = [pictures.place(each, grid)[3] for each in looks.placed]
    return bisect.bisect_left(grid.ys, max(edges) - 0.01) - 1 if edges else 0


def _reached(looks: Looks, grid: Grid, texts: Texts, covered: dict[int, list[tuple[int, int]]]) -> int:
    """The last column that texts reach into."""
    furthest = 0.0
    for row, filled in texts.items():
        column = max((each for each, text in filled.items() if text), default=-1)
        if column < 0 or not grid.heights[row] or not grid.widths[column]:
            continue
        text = filled[column]
        room = grid.widths[column]
        style = style_at(looks, grid, row, column)
        cell = looks.cells.get(row, {}).get(column)
        if cell is not None and not cell.runs and len(text) * style.font.size * _WIDEST + 2 * PADDING < room:
            continue
        if cell is None or cell.kind != "s" or is_wrapped(style) or style.turn or style.shrink:
            continue
        if style.across in ("general", "left") and not any(
            left <= column <= right for left, right in covered.get(row, ())
        ):
            runs = cell.runs or (Run(text),)
            wide = sum(lettering.width(each.text.replace("\n", ""), each.font or style.font) for each in runs)
            wide += 2 * PADDING
            furthest = max(furthest, grid.xs[column] + wide if wide > room else 0.0)
    return min(bisect.bisect_left(grid.xs, furthest - 0.5) - 1, grid.columns - 1) if furthest else 0


def _filled(made: Printed, area: Area, pages: Iterable[Sheet]) -> set[tuple[int, int]]:
    """The first rows and columns of the pages that have anything on them."""
    rows = sorted({each.rows[0] for each in pages})
    columns = sorted({each.columns[0] for each in pages})
    if not rows or not columns:
        return set()
    looks, grid, found = made.looks, made.grid, set()
    shows = [each.is_printed for each in looks.styles]
    edges = [grid.xs[each] for each in columns]

    def of(row: int, column: int) -> tuple[int, int]:
        at, across = bisect.bisect_right(rows, row) - 1, bisect.bisect_right(columns, column) - 1
        return rows[max(at, 0)], columns[max(across, 0)]

    for row in {*looks.cells, *made.texts}:
        if not (area.top <= row <= area.bottom and row < grid.rows and grid.heights[row]):
            continue
        for column, cell in looks.cells.get(row, {}).items():
            if shows[cell.style] and area.left <= column <= area.right:
                found.add(of(row, column))
        if len(columns) == 1:
            if any(made.texts.get(row, {}).values()):
                found.add(of(row, area.left))
            continue
        for box in made.cells.row(row):
            first = max(bisect.bisect_right(edges, box.reach[0] + 0.5) - 1, 0)
            for at in range(first, bisect.bisect_left(edges, box.reach[1] - 0.5)):
                found.add((of(row, area.left)[0], columns[at]))
    for each in made.cells.merged:
        if made.texts.get(each.top, {}).get(each.left):
            found.add(of(max(each.top, area.top), max(each.left, area.left)))
    tops = [grid.ys[each] for each in rows]
    spans = set()
    for item in looks.placed:
        left, top, right, bottom = pictures.place(item, grid)
        spans.add((*paging.spanned(tops, top, bottom), *paging.spanned(edges, left, right)))
    found |= {(rows[at], columns[across]) for at, across in paging.covered(spans, len(rows), len(columns))}
    return found


def _unprinted(made: Printed, areas: list[Area]) -> Iterable[str]:
    """The texts of cells that no page shows because they are hidden or outside the print area."""
    grid = made.grid
    above, beside = _repeated(made)
    for row, filled in made.texts.items():
        inside = [each for each in areas if each.top <= row <= each.bottom]
        for column, text in filled.items():
            if not text:
                continue
            own = made.cells.boxes.heads.get((row, column)) or Area(row, column, row, column)
            left, top, right, bottom = grid.box(own)
            seen = left < right and top < bottom
            if made.looks.conditions:
                seen = seen and not style_at(made.looks, grid, row, column).unseen
            inside_area = any(each.left <= column <= each.right for each in inside)
            if not seen or not (inside_area or column in above.get(row, ()) or row in beside.get(column, ())):
                yield text


def _repeated(made: Printed) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """The columns that the repeated rows are printed with, by row, and the rows of the repeated columns, by column."""
    above: dict[int, set[int]] = {}
    beside: dict[int, set[int]] = {}
    pages = [each for each, _ in made.pages]
    across = {(each.title_rows, side) for each in pages for side in (each.columns, each.title_columns) if side}
    for titles, (first, last) in ((titles, side) for titles, side in across if titles):
        for row in range(titles[0], titles[1] + 1):
            above.setdefault(row, set()).update(range(first, last + 1))
    for titles, (first, last) in {(each.title_columns, each.rows) for each in pages if each.title_columns}:
        for column in range(titles[0], titles[1] + 1):
            beside.setdefault(column, set()).update(range(first, last + 1))
    return above, beside
