"""Word tables as HTML: widths, merged cells, borders, shading, repeated headers (ECMA-376, part 1, 17.4)."""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import cell_directions
from engine.families.documents.word import job as kinds
from engine.families.documents.word.css_classes import Css, is_dark
from engine.families.documents.word.job import Job
from engine.families.documents.word.names import W, child, integer, on, points, pt, value
from engine.families.documents.word.table_grid import SIDES, Cell, TableGrid, cell_margins, edge_width

Blocks = Callable[..., str]
_HIGHEST = 1500.0
"""The highest row, in points."""
_EDGE = 1.0
"""Points that borders reach over the edge of a table."""
_FLOATING = re.compile(r'class="(?:at|anchor|behind)|float:')


class Table:
    """One table; `blocks` writes the content of a cell."""

    def __init__(self, job: Job, element: Element, blocks: Blocks) -> None:
        self._job = job
        self._blocks = blocks
        grid = TableGrid(job.styles, element)
        self._grid = grid
        self._properties, self._margins = grid.properties, grid.margins
        self._rows, self._cells, self._width = grid.rows, grid.cells, grid.width
        self._inside = next(element.iterancestors(f"{W}tbl"), None) is not None
        self._outdented = job.outdented and not (self._inside and job.like_word)

    def write(self, element: Element, room: float) -> str:
        grid = [points(each.get(W + "w")) or 0.0 for each in element.iterfind(f"{W}tblGrid/{W}gridCol")][: self._width]
        widths = grid + [0.0] * (self._width - len(grid))
        for cells in self._cells:
            for each in cells:
                # All cells after the most that are told apart have the same place, behind the last column.
                if each.columns == 1 and each.element is not None and 0.0 in widths[each.column : each.column + 1]:
                    declared = child(child(each.element, "tcPr"), "tcW")
                    if declared is not None and declared.get(W + "type") in (None, "dxa"):
                        widths[each.column] = points(declared.get(W + "w")) or 0.0
        self._narrow(widths, room)
        css = self._placed(widths, room)
        columns = "".join(f'<col style="width:{pt(each)}">' if each else "<col>" for each in widths)
        head = 0
        while head < len(self._rows) - 1 and _is_set(self._rows[head], "tblHeader"):
            head += 1
        if any(each.row < head < each.row + each.rows for cells in self._cells[:head] for each in cells):
            head = 0
        outermost = self._job.footed and self._job.rowed is None
        if outermost:
            self._job.rowed = []
        rows = []
        reached = 0
        for number in range(len(self._rows)):
            rows.append(self._row(number, widths, room))
            reached = max(reached, *(each.row + each.rows for each in self._cells[number]), 0)
            if outermost and number >= head and reached <= number + 1:  # no cell spans into the next row
                rows[-1] += self._room_for_notes()
        if outermost:
            self._job.rowed = None
        inside = (f"<thead>{''.join(rows[:head])}</thead>" if head else "") + f"<tbody>{''.join(rows[head:])}</tbody>"
        name = self._job.classes.name(css, "t")
        return f'<table class="{name}"><colgroup>{columns}</colgroup>{inside}</table>'

    def _narrow(self, widths: list[float], room: float) -> None:
        """Make a table that would reach over the edge of the paper narrower; one that may fit its text, as its room."""
        paper, whole = self._job.paper, sum(widths)
        outer = self._job.drawn and not self._inside and abs(room - paper.room) < 1
        if not outer or not all(widths) or whole <= paper.width - paper.left:
            return
        fixed = value(child(self._properties, "tblLayout"), "type") == "fixed"
        if not fixed and value(child(self._properties, "tblW"), "type") in (None, "auto"):
            scale = room / whole
        else:
            scale = (paper.width - paper.left - _EDGE) / whole
            self._job.found[kinds.NARROWED] += 1
        widths[:] = [each * scale for each in widths]

    def _room_for_notes(self) -> str:
        """An invisible row that reserves space for the notes referenced since the last one."""
        notes, self._job.rowed = self._job.rowed or [], []
        if not notes:
            return ""
        self._job.below |= dict.fromkeys(notes)
        inside = "".join(f'<div id="f{each}"></div>' for each in notes)
        return f'<tr><td colspan="{self._width}" style="padding:0">{inside}</td></tr>'

    def _placed(self, widths: list[float], room: float) -> Css:
        whole = sum(widths)
        declared = child(self._properties, "tblW")
        kind = None if declared is None else declared.get(W + "type")
        css: Css = {"border-collapse": "collapse"}
        if kind == "pct" and declared is not None:
            text = declared.get(W + "w") or ""
            share = (integer(text.rstrip("%")) or 0) / (100 if text.endswith("%") else 5000)
            if 0 < share <= 2:
                scale = share * room / whole if whole else 0
                widths[:] = [each * scale for each in widths] if scale else [share * room / len(widths)] * len(widths)
                whole = share * room
        elif kind == "dxa" and declared is not None and not whole:
            whole = points(declared.get(W + "w")) or 0.0
        if whole and all(widths):
            css |= {"width": pt(whole), "table-layout": "fixed"}
        align = value(child(self._properties, "jc"))
        indent = child(self._properties, "tblInd")
        left = (points(indent.get(W + "w")) or 0.0) if indent is not None else 0.0
        if align == "center":
            css["margin"] = "0 auto"
        elif align in ("right", "end"):
            css["margin"] = "0 0 0 auto"
        else:
            css["margin-left"] = pt(left - self._margins["left"] if self._outdented else left)
        if (
            value(child(self._properties, "bidiVisual")) is not None
            or child(self._properties, "bidiVisual") is not None
        ):
            css["direction"] = "rtl"
        return css

    def _row(self, number: int, widths: list[float], room: float) -> str:
        own = child(self._rows[number], "trPr")
        css: Css = {}
        height = child(own, "trHeight")
        high = 0.0 if height is None else min(points(height.get(W + "val")) or 0.0, _HIGHEST)
        if high:
            css["height"] = pt(high)
        if _is_set(self._rows[number], "cantSplit"):
            css["break-inside"] = "avoid"
        exact = value(height, "hRule") == "exact"
        cells = "".join(self._cell(each, widths, room, high, exact=exact) for each in self._cells[number])
        name = self._job.classes.name(css, "r")
        return f'<tr class="{name}">{cells}</tr>' if name else f"<tr>{cells}</tr>"

    def _cell(self, cell: Cell, widths: list[float], room: float, high: float, *, exact: bool) -> str:
        span = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
        span += f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
        if cell.element is None:
            return f"<td{span}></td>"
        own = child(cell.element, "tcPr")
        css: Css = {}
        formatting = self._grid.formatting(cell)
        block, text, fill = formatting.block, formatting.text, formatting.fill
        if fill and fill != "transparent":
            css["background-color"] = fill
        for side, edge in formatting.edges.items():
            if edge != "none":
                css[f"border-{side}"] = edge
        margins = self._margins | cell_margins(child(own, "tcMar"))
        for side in ("left", "right") if self._job.like_word else ():
            # A border is centred on the cell's edge and is part of its padding.
            margins[side] = max(margins[side] - edge_width(formatting.edges[side]) / 2, 0.0)
        css["padding"] = " ".join(pt(margins[side]) if margins[side] else "0" for side in SIDES)
        align = {"center": "middle", "bottom": "bottom"}.get(formatting.align)
        if align:
            css["vertical-align"] = align
        if child(own, "noWrap") is not None and on(child(own, "noWrap")):
            css["white-space"] = "nowrap"
        inner = sum(widths[cell.column : cell.column + cell.columns]) or room / max(len(widths), 1) * cell.columns
        inner = max(inner - margins["left"] - margins["right"], 10.0)
        down = max(high - margins["top"] - margins["bottom"], 0.0)
        mode = cell_directions.MODES.get(value(child(own, "textDirection")) or "", "")
        long = (down or cell_directions.length(cell.element)) if mode else inner
        content = self._blocks(cell.element, long, table=(block, text), dark=is_dark(fill))
        if mode:
            content = cell_directions.turned(content, mode, long, formatting.align)
        elif exact and high and cell.rows == 1 and self._job.drawn:
            # What floats over its cell is not cut off.
            cut = "" if _FLOATING.search(content) else ";overflow:hidden"
            content = f'<div style="max-height:{pt(down)}{cut}">{content}</div>'
        return f'<td{span} class="{self._job.classes.name(css, "c")}">{content}</td>'


def _is_set(row: Element, name: str) -> bool:
    mark = child(child(row, "trPr"), name)
    return mark is not None and on(mark)
