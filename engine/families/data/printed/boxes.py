"""Where the text of each cell is on a sheet: how it is aligned, broken, and how far it reaches into empty cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import radians, sin

from engine.families.data.cell_references import Area, Place
from engine.families.data.printed.grid import Grid, style_at
from engine.families.data.printed.lines import Line, Missing, lines, one_line
from engine.families.data.printed.looks import Cell, Font, Looks, Run, Style

PADDING = 2.0
INDENT = 6.75
_WRAPPED = ("justify", "distributed")
_LEAST = 0.35
"""How much numbers may be squeezed to fit their column."""
Texts = Mapping[int, Mapping[int, str]]
EMPTY = Cell(0)


@dataclass(slots=True)
class Box:
    """The text of a cell: the cell's left, top, right and bottom, how far its text may reach to the sides, its lines,
    their alignment, and how much they are squeezed."""

    area: tuple[float, float, float, float]
    reach: tuple[float, float]
    lines: list[Line]
    across: str
    style: Style
    squeezed: float = 1.0
    link: str = ""
    own: tuple[float, float] = (0.0, 0.0)
    """The room for the text, between the paddings and indents."""

    @property
    def height(self) -> float:
        return sum(each.height for each in self.lines)


def row_height(font: Font, count: int) -> float:
    """The height of a row with that many lines, as spreadsheets choose it."""
    slope = 1.15 if font.name.lower().startswith(("arial", "helvetica", "liberation")) else 1.25
    return max(1, round((slope * font.size + 1.25) / 0.75)) * 0.75 * count


class Boxes:
    """Lays out the texts of a sheet, row by row, and lets rows grow that are too low for them."""

    def __init__(self, looks: Looks, grid: Grid, texts: Texts, merged: tuple[Area, ...], missing: Missing) -> None:
        self.looks, self.grid, self.texts, self.missing = looks, grid, texts, missing
        self.heads: dict[Place, Area] = {(each.top, each.left): each for each in merged}
        self.covered: dict[int, list[tuple[int, int]]] = {}
        for each in merged:
            for row in range(each.top, min(each.bottom + 1, grid.rows)):
                self.covered.setdefault(row, []).append((each.left, each.right))
        self._laid: dict[Place, list[Line]] = {}

    def grow(self) -> None:
        """Make rows without a set height as high as their texts."""
        for row, texts in self.texts.items():
            if row >= self.grid.rows or row in self.looks.fixed_rows or not self.grid.heights[row]:
                continue
            known = self.looks.heights.get(row)
            needed = 0.0
            for column, text in texts.items():
                if not text or column >= self.grid.columns or (row, column) in self.heads:
                    continue
                needed = max(needed, self._needed(row, column, text, known is not None))
            usual = self.grid.heights[row] if known is None else known * 1.05
            if needed > usual:
                self.grid.heights[row] = min(needed, 409.5)
        self.grid.settle()

    def _needed(self, row: int, column: int, text: str, stored: bool) -> float:
        style = style_at(self.looks, self.grid, row, column)
        if style.turn and style.turn != 255:
            if stored:
                return 0.0
            line = one_line(text, style.font, self.missing)
            return abs(line.width * sin(radians(style.turn))) + line.height
        if style.turn == 255:
            return 0.0 if stored else sum(one_line(each, style.font, self.missing).height for each in text)
        if not is_wrapped(style):
            return 0.0 if stored else row_height(style.font, 1)
        self._laid[row, column] = found = self._lines(row, column, text, style, self._room(column, column, style))
        if stored:
            return sum(each.height for each in found) * 0.97
        return row_height(style.font, len(found))

    def _room(self, first: int, last: int, style: Style) -> float:
        width = self.grid.xs[min(last + 1, self.grid.columns)] - self.grid.xs[first]
        return width - 2 * PADDING - style.indent * INDENT

    def _lines(self, row: int, column: int, text: str, style: Style, room: float | None) -> list[Line]:
        cell = self.looks.cells.get(row, {}).get(column, EMPTY)
        runs = cell.runs
        if runs and "".join(each.text for each in runs) != text:
            runs = None
        if room is None and not runs:
            return [one_line(text, style.font, self.missing)]
        return lines(runs or (Run(text),), style.font, room, self.missing)

    def row(self, row: int) -> list[Box]:
        """The boxes of a row, without those of merged cells, from left to right."""
        texts = self.texts.get(row)
        if not texts or not self.grid.heights[row]:
            return []
        found = []
        covered = self.covered.get(row, ())
        inside = {each for left, right in covered for each in range(left, min(right + 1, self.grid.columns))}
        filled = sorted({each for each, text in texts.items() if text} | inside)
        order = {column: at for at, column in enumerate(filled)}
        for column in sorted(texts):
            if not texts[column] or column in inside or column >= self.grid.columns or not self.grid.widths[column]:
                continue
            if self.looks.conditions and style_at(self.looks, self.grid, row, column).unseen:
                continue
            at = order[column]
            after = filled[at + 1] - 1 if at + 1 < len(filled) else self.grid.columns - 1
            free = (filled[at - 1] + 1 if at else 0, after)
            found.append(self.box(row, column, Area(row, column, row, column), free))
        return found

    def box(self, row: int, column: int, area: Area, free: tuple[int, int]) -> Box:
        """The box of one cell; its text may reach from one to another column if it is not broken."""
        grid = self.grid
        text = self.texts[row][column]
        cell = self.looks.cells.get(row, {}).get(column, EMPTY)
        style = style_at(self.looks, grid, row, column)
        across = style.across
        if across == "general":
            across = {"n": "right", "b": "center"}.get(cell.kind, "left")
            if style.turn and style.turn != 255:
                across = "center" if abs(style.turn) == 90 else "left"
        elif across == "centerContinuous":
            area = self._continued(area, free[1])
            across = "center"
        wrapped = is_wrapped(style)
        box = grid.box(area)
        lead = style.indent * INDENT
        left = box[0] + PADDING + (lead if across in ("left", "distributed", "justify", "fill") else 0.0)
        right = box[2] - PADDING - (lead if across in ("right", "distributed") else 0.0)
        turned = style.turn not in (0, 255)
        room = (box[3] - box[1] - 2 * PADDING if turned else right - left) if wrapped else None
        if style.turn == 255:
            found = [one_line(each, style.font, self.missing) for each in text if each not in "\r\n"]
        else:
            found = self._laid.pop((row, column), []) or self._lines(row, column, text, style, room)
        made = Box(box, (box[0], box[2]), found, across, style, own=(left, right))
        made.link = self.looks.links.get((row, column), "")
        if wrapped or style.turn:
            if turned:
                made.reach = (grid.xs[free[0]], grid.xs[free[1] + 1]) if abs(style.turn) != 90 else made.reach
            return made
        width = found[0].width if found else 0.0
        if width > right - left + 0.5:
            if cell.kind in ("n", "b") or style.shrink or across == "fill":
                made.squeezed = max((right - left) / width, _LEAST if cell.kind else 0.1)
            elif (area.top, area.left) == (area.bottom, area.right):
                made.reach = self._reach(box, across, width, left, right, free)
        return made

    def _reach(
        self, box: tuple[float, float, float, float], across: str, width: float, left: float, right: float,
        free: tuple[int, int],
    ) -> tuple[float, float]:  # fmt: skip
        """How far a text that is wider than its cell reaches into the empty cells beside it."""
        low, high = self.grid.xs[free[0]], self.grid.xs[free[1] + 1]
        if across == "center":
            spare = (width - (right - left)) / 2 + PADDING
            return max(low, box[0] - spare), min(high, box[2] + spare)
        if across == "right":
            return max(low, right - width - PADDING), box[2]
        return box[0], min(high, left + width + PADDING)

    def _continued(self, area: Area, last: int) -> Area:
        """The area over which a text is centred: the empty cells after it that are formatted alike."""
        right = area.right
        while right < last and style_at(self.looks, self.grid, area.top, right + 1).across == "centerContinuous":
            right += 1
        return Area(area.top, area.left, area.bottom, right)

    def merged(self, area: Area) -> Box | None:
        """The box of merged cells; None if they are empty or hidden."""
        if not self.texts.get(area.top, {}).get(area.left):
            return None
        left, top, right, bottom = self.grid.box(area)
        if right <= left or bottom <= top or style_at(self.looks, self.grid, area.top, area.left).unseen:
            return None
        return self.box(area.top, area.left, area, (area.left, min(area.right, self.grid.columns - 1)))


def is_wrapped(style: Style) -> bool:
    """Whether the text of a cell is broken to its width."""
    return style.wrap or style.across in _WRAPPED or style.down in _WRAPPED
