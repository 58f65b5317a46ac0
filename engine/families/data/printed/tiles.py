"""Draw a rectangle of a sheet's cells at its place on a page."""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.families.data.cell_references import Area
from engine.families.data.printed import edges, painting, texts
from engine.families.data.printed.boxes import Box, Boxes
from engine.families.data.printed.grid import Grid, style_at
from engine.families.data.printed.looks import Edge, Looks, Style

_GRID = Edge("hair", "808080")


@dataclass
class Cells:
    """The cells of a sheet, ready to be drawn on any of its pages."""

    looks: Looks
    grid: Grid
    boxes: Boxes
    merged: tuple[Area, ...]
    grey: bool = False
    _rows: dict[int, tuple[list[float], list[Box]]] = field(default_factory=dict)
    _inside: dict[int, dict[int, Area]] = field(default_factory=dict)
    _spread: dict[int, list[tuple[Area, Box | None]]] = field(default_factory=dict)
    _starts: list[int] = field(default_factory=lambda: [0])

    def prepare(self, starts: list[int]) -> None:
        """Note which merged cells are on the parts of rows that begin at `starts`."""
        self._starts = starts
        for area in self.merged:
            box = self.boxes.merged(area)
            first = max(bisect.bisect_right(starts, area.top) - 1, 0)
            for at in range(first, bisect.bisect_right(starts, area.bottom)):
                self._spread.setdefault(at, []).append((area, box))
            for row in range(area.top, min(area.bottom + 1, self.grid.rows)):
                self._inside.setdefault(row, {}).update(
                    dict.fromkeys(range(area.left, min(area.right + 1, self.grid.columns)), area)
                )

    def row(self, row: int) -> list[Box]:
        """The boxes of a row from left to right; each row is laid out once."""
        if row not in self._rows:
            found = sorted(self.boxes.row(row), key=lambda each: each.reach[1])
            self._rows[row] = [each.reach[1] for each in found], found
        return self._rows[row][1]

    def forget(self) -> None:
        """Forget what was laid out, once all pages are drawn."""
        self._rows.clear()

    def draw(self, canvas: Any, tile: Area, x: float, y: float, *, links: list[tuple[str, tuple[float, ...]]]) -> None:
        """Draw the cells of a tile with its left top corner at a point; adds the links on it with their places."""
        left, top, right, bottom = self.grid.box(tile)
        if right <= left or bottom <= top:
            return
        canvas.saveState()
        path = canvas.beginPath()
        path.rect(x - 1.2, y - (bottom - top) - 1.2, right - left + 2.4, bottom - top + 2.4)
        canvas.clipPath(path, stroke=0, fill=0)
        dx, dy = x - left, y + top
        if not self.grey:
            self._fills(canvas, tile, dx, dy)
        for segment in self._edges(tile):
            painting.stroke(canvas, segment, dx, dy, grey=self.grey)
        pen = texts.Pen(canvas, grey=self.grey)
        pen.open()
        for box in self._on(tile, left, right):
            shown = max(box.reach[0], left), max(box.area[1], top), min(box.reach[1], right), min(box.area[3], bottom)
            if shown[0] >= shown[2] or shown[1] >= shown[3]:
                continue
            if _is_cut(box):
                pen.close()
                canvas.saveState()
                path = canvas.beginPath()
                path.rect(dx + box.reach[0], dy - box.area[3], box.reach[1] - box.reach[0], box.area[3] - box.area[1])
                canvas.clipPath(path, stroke=0, fill=0)
                pen.open()
                texts.draw(pen, box, dx, dy)
                pen.close()
                canvas.restoreState()
                pen.open()
            else:
                texts.draw(pen, box, dx, dy)
            if box.link:
                links.append((box.link, (dx + shown[0], dy - shown[3], dx + shown[2], dy - shown[1])))
        pen.close()
        canvas.restoreState()

    def _on(self, tile: Area, left: float, right: float) -> Iterator[Box]:
        merged: dict[int, list[Box]] = {}
        for area, box in self._merged(tile):
            if box is not None and area.left <= tile.right and area.right >= tile.left:
                merged.setdefault(max(area.top, tile.top), []).append(box)
        for row in range(tile.top, tile.bottom + 1):
            yield from merged.get(row, ())
            if row not in self.boxes.texts:
                continue
            self.row(row)
            ends, found = self._rows[row]
            for at in range(bisect.bisect_right(ends, left), len(found)):
                yield found[at]
                if found[at].reach[0] >= right:
                    break

    def _merged(self, tile: Area) -> Iterator[tuple[Area, Box | None]]:
        first = max(bisect.bisect_right(self._starts, tile.top) - 1, 0)
        seen: set[tuple[int, int]] = set()
        for at in range(first, bisect.bisect_right(self._starts, tile.bottom)):
            for area, box in self._spread.get(at, ()):
                if (area.top, area.left) not in seen and area.top <= tile.bottom and area.bottom >= tile.top:
                    seen.add((area.top, area.left))
                    yield area, box

    def _fills(self, canvas: Any, tile: Area, dx: float, dy: float) -> None:
        grid, looks = self.grid, self.looks
        for row in range(tile.top, tile.bottom + 1):
            if not grid.heights[row]:
                continue
            bars: list[tuple[tuple[float, float, float, float], tuple[float, str]]] = []
            start: int | None = None
            colour: str | None = None
            last = -2
            for column, style in self._styled(row, tile):
                inside = self._inside.get(row, {}).get(column)
                if inside is not None:
                    style = style_at(looks, grid, inside.top, inside.left)
                if style.gradient is not None:
                    painting.gradient(canvas, grid.box(Area(row, column, row, column)), style.gradient, dx, dy)
                if style.bar is not None and (inside is None or (row, column) == (inside.top, inside.left)):
                    bars.append((grid.box(inside or Area(row, column, row, column)), style.bar))
                if colour is not None and (style.fill != colour or column != last + 1):
                    painting.fill(canvas, grid.box(Area(row, start or 0, row, last)), colour, dx, dy)
                    colour = None
                if style.fill is not None and colour is None:
                    start, colour = column, style.fill
                last = column
            if colour is not None:
                painting.fill(canvas, grid.box(Area(row, start or 0, row, last)), colour, dx, dy)
            for (x0, y0, x1, y1), (share, colour) in bars:
                painting.fill(canvas, (x0 + 1, y0 + 1, x0 + 1 + max(x1 - x0 - 2, 0) * share, y1 - 1), colour, dx, dy)

    def _styled(self, row: int, tile: Area) -> Iterator[tuple[int, Style]]:
        """The cells of a row that have a style that shows, from left to right."""
        looks, grid = self.looks, self.grid
        by_row = looks.row_styles.get(row)
        if not by_row and not any(grid.column_styles[tile.left : tile.right + 1]):
            cells = {*looks.cells.get(row, ()), *self._inside.get(row, ())}
            wanted = (each for each in sorted(cells) if tile.left <= each <= tile.right)
        else:
            wanted = (each for each in range(tile.left, tile.right + 1))
        for column in wanted:
            if not grid.widths[column]:
                continue
            style = style_at(looks, grid, row, column)
            if style.is_visible or column in self._inside.get(row, {}):
                yield column, style

    def _own(self, row: int, column: int, style: Style, area: Area | None) -> tuple[Edge | None, ...]:
        """The lines of a cell; covered cells without a style have those of the first one."""
        if area is None or column in self.looks.cells.get(row, ()):
            return style.edges
        return style_at(self.looks, self.grid, area.top, area.left).edges

    def _edges(self, tile: Area) -> Iterator[edges.Segment]:
        grid = self.grid
        down = edges.Down()
        above: dict[int, Edge] = {}
        ruled = self.looks.setup.gridlines
        for row in range(tile.top, tile.bottom + 1):
            if not grid.heights[row]:
                continue
            tops, bottoms, sides = above, {}, dict[int, Edge]()
            inner = self._inside.get(row, {})
            if ruled:
                for column in range(tile.left, tile.right + 1):
                    area = inner.get(column)
                    if area is None or column == area.left:
                        sides[column] = _GRID
                    if area is None or row == area.top:
                        tops.setdefault(column, _GRID)
                    if area is None or row == area.bottom:
                        bottoms[column] = _GRID
                sides[tile.right + 1] = _GRID
            for column, style in self._styled(row, tile):
                area = inner.get(column)
                left, right, top, bottom, falls, rises = self._own(row, column, style, area)
                if left and (area is None or column == area.left):
                    sides[column] = _over(sides.get(column), left)
                if right and (area is None or column == area.right):
                    sides[column + 1] = _over(sides.get(column + 1), right)
                if top and (area is None or row == area.top):
                    tops[column] = _over(tops.get(column), top)
                if bottom and (area is None or row == area.bottom):
                    bottoms[column] = _over(bottoms.get(column), bottom)
                if (falls or rises) and (area is None or (row, column) == (area.top, area.left)):
                    x0, y0, x1, y1 = grid.box(area or Area(row, column, row, column))
                    if falls:
                        yield edges.Segment(falls, x0, y0, x1, y1)
                    if rises:
                        yield edges.Segment(rises, x0, y1, x1, y0)
            yield from down.row(sides, grid.xs, grid.ys[row])
            yield from edges.across(tops, grid.xs, grid.ys[row])
            above = bottoms
        yield from edges.across(above, grid.xs, grid.ys[tile.bottom + 1])
        yield from down.end(grid.xs, grid.ys[tile.bottom + 1])


def _over(before: Edge | None, edge: Edge) -> Edge:
    if before is None or before is _GRID:
        return edge
    return edges.stronger(before, edge) or edge


def _is_cut(box: Box) -> bool:
    """Whether a text is larger than the room that it has."""
    if box.style.turn:
        return False
    high = box.height
    if high > box.area[3] - box.area[1] + 1.5:
        return True
    wide = max((each.width for each in box.lines), default=0.0) * box.squeezed
    return wide > box.reach[1] - box.reach[0] - 1.0
