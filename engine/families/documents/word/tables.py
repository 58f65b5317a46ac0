"""Word tables as HTML: widths, merged cells, borders, shading, repeated headers (ECMA-376, part 1, 17.4)."""

from __future__ import annotations

from collections.abc import Callable

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import job as kinds
from engine.families.documents.word.css_classes import Css, is_dark
from engine.families.documents.word.job import Job
from engine.families.documents.word.names import W, child, integer, on, points, pt, value
from engine.families.documents.word.table_grid import SIDES, Cell, TableGrid, cell_margins, edge_width

Blocks = Callable[..., str]


class Table:
    """One table; `blocks` writes the content of a cell."""

    def __init__(self, job: Job, element: Element, blocks: Blocks) -> None:
        self._job = job
        self._blocks = blocks
        grid = TableGrid(job.styles, element)
        self._grid = grid
        self._properties, self._margins = grid.properties, grid.margins
        self._rows, self._cells, self._width = grid.rows, grid.cells, grid.width
        inside = next(element.iterancestors(f"{W}tbl"), None) is not None
        self._outdented = job.outdented and not (inside and job.like_word)

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
        if height is not None and (length := points(height.get(W + "val"))):
            css["height"] = pt(min(length, 1500))
        if _is_set(self._rows[number], "cantSplit"):
            css["break-inside"] = "avoid"
        cells = "".join(self._cell(each, widths, room) for each in self._cells[number])
        name = self._job.classes.name(css, "r")
        return f'<tr class="{name}">{cells}</tr>' if name else f"<tr>{cells}</tr>"

    def _cell(self, cell: Cell, widths: list[float], room: float) -> str:
        span = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
        span += f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
        if cell.element is None:
            return f"<td{span}></td>"
        own = child(cell.element, "tcPr")
        if child(own, "textDirection") is not None and value(child(own, "textDirection")) not in ("lrTb", "lrTbV"):
            self._job.found[kinds.TURNED] += 1
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
        content = self._blocks(
            cell.element, max(inner - margins["left"] - margins["right"], 10.0), table=(block, text), dark=is_dark(fill)
        )
        return f'<td{span} class="{self._job.classes.name(css, "c")}">{content}</td>'


def _is_set(row: Element, name: str) -> bool:
    mark = child(child(row, "trPr"), name)
    return mark is not None and on(mark)
