"""Write the layout of ods sheets: column widths, hidden rows and columns, notes, links, foreign number formats."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from engine.families.data.sheet_layout import Layout
from engine.families.data.table import Row
from engine.families.data.workbooks import ods_formats_out
from engine.families.data.workbooks.ods_layout import INCH
from engine.families.data.writers.cells import FORBIDDEN
from engine.toolkit import number_formats

EMPTY = "<table:table-cell/>"
_STYLED = re.compile(r' table:style-name="[^"]*"')
_SHOWN = re.compile(r"<text:p>.*</text:p>", re.DOTALL)
_MAX_CODES = 500


class LayoutWriter:
    """The styles of all sheets of a workbook, and the markup that refers to them.

    `more` are number formats in addition to those of the layouts. `lost` counts the cells of each format code without
    an equivalent in OpenDocument.
    """

    def __init__(self, layouts: Sequence[Layout | None], more: Iterable[str] = ()) -> None:
        known = [layout for layout in layouts if layout]
        widths = dict.fromkeys(round(width, 2) for layout in known for width in layout.widths.values())
        self._widths = {width: f"w{at}" for at, width in enumerate(widths)}
        columns = "".join(
            f'<style:style style:name="{name}" style:family="table-column">'
            f'<style:table-column-properties style:column-width="{width / INCH:.4f}in"/></style:style>'
            for width, name in self._widths.items()
        )
        hidden = '<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/>'
        codes = dict.fromkeys(code for layout in known for row in layout.formats.values() for code in row.values())
        codes |= dict.fromkeys(more)
        self._codes: dict[str, str] = {}
        formats = []
        for at, code in enumerate(list(codes)[:_MAX_CODES]):
            style = ods_formats_out.data_style(f"F{at}", code)
            if style:
                self._codes[code] = f"f{at}"
                formats.append(
                    f'{style}<style:style style:name="f{at}" style:family="table-cell" style:data-style-name="F{at}"/>'
                )
        self.lost = Counter(
            code
            for layout in known
            for row in layout.formats.values()
            for code in row.values()
            if code not in self._codes
        )
        self.styles = columns + (f"{hidden}</style:style>" if any(each.hidden for each in known) else "")
        self.styles += "".join(formats)

    def table(self, layout: Layout) -> str:
        """Attributes of a sheet."""
        return ' table:style-name="hidden"' if layout.hidden else ""

    def columns(self, layout: Layout, width: int) -> str:
        """The columns of a sheet, at least `width` of them."""
        width = max([width, *(at + 1 for at in (*layout.widths, *layout.hidden_columns))])
        runs: list[list[object]] = []
        for at in range(width):
            style = self._widths.get(round(layout.widths.get(at, 0), 2), "")
            attributes = f' table:style-name="{style}"' if style else ""
            attributes += ' table:visibility="collapse"' if at in layout.hidden_columns else ""
            if runs and runs[-1][0] == attributes:
                runs[-1][1] = int(str(runs[-1][1])) + 1
            else:
                runs.append([attributes, 1])
        return "".join(f'<table:table-column{given} table:number-columns-repeated="{count}"/>' for given, count in runs)

    def cells(self, layout: Layout, at: int, row: Row, cells: list[str]) -> list[str]:
        """The cells of a row with their formats, notes and links."""
        for column, code in layout.formats.get(at, {}).items():
            if column < len(cells):
                cells[column] = self.formatted(cells[column], row[column], code)
        for column in sorted({column for line, column in (*layout.notes, *layout.links) if line == at}):
            cells += [EMPTY] * (column + 1 - len(cells))
            if (at, column) in layout.links:
                cells[column] = _linked(cells[column], layout.links[at, column])
            if (at, column) in layout.notes:
                cells[column] = _noted(cells[column], layout.notes[at, column])
        return cells

    def formatted(self, cell: str, value: object, code: str) -> str:
        """A cell as a number format shows its value."""
        if "office:value-type" not in cell or code not in self._codes:
            return cell
        if 'office:value-type="string"' in cell or 'office:value-type="boolean"' in cell:
            return cell
        styled = f'<table:table-cell table:style-name="{self._codes[code]}"'
        cell = _STYLED.sub("", cell, 1).replace("<table:table-cell", styled, 1)
        if "%" in code:
            cell = cell.replace('office:value-type="float"', 'office:value-type="percentage"', 1)
        shown = escape(number_formats.shown(value, code), quote=False)
        return _SHOWN.sub(lambda _: f"<text:p>{shown}</text:p>", cell, 1)


def _text(value: str) -> str:
    return escape(FORBIDDEN.sub("", value), quote=True)


def _linked(cell: str, link: str) -> str:
    # A place in the workbook is #Sheet1.A1 here.
    address = _text(re.sub(r"^#(.*)!(\$?[A-Z]+\$?\d+(?::.*)?)$", r"#\1.\2", link))
    begin = f'<text:p><text:a xlink:type="simple" xlink:href="{address}">'
    if "<text:p>" in cell:
        return cell.replace("<text:p>", begin, 1).replace("</text:p>", "</text:a></text:p>", 1)
    return f"<table:table-cell>{begin}</text:a></text:p></table:table-cell>"


def _noted(cell: str, note: str) -> str:
    lines = "".join(f"<text:p>{_text(line)}</text:p>" for line in note.split("\n"))
    inside = f"<office:annotation>{lines}</office:annotation>"
    if cell.endswith("/>"):
        return f"{cell[:-2]}>{inside}</table:table-cell>"
    head, _, rest = cell.partition(">")
    return f"{head}>{inside}{rest}"
