"""Draw a table as boxes that break between pages, with the widths, spaces and backgrounds that it had."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.families.html_pdf.plutoprint.declared import Declared, word_of
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.plutoprint.row_places import Row, cells_of, rows_of
from engine.families.html_pdf.source.cleaning import Element

Styles = list[tuple[Element, str | None]]
_PX = 4 / 3
_OPEN = "data-fc-open"
_CLOSED = f'[{_OPEN}]::before,[{_OPEN}]::after{{content:""!important;display:table!important;clear:both!important}}'
"""Margins and floats of its content stay in a cell."""
_SPACING = re.compile(r"\s*(\d+(?:\.\d+)?)(?:px)?(?:\s+(\d+(?:\.\d+)?)(?:px)?)?\s*")
_HEIGHT = re.compile(r"\s*(\d+)(?:px)?\s*")
_FREE = "float:none!important;height:auto!important;max-height:none!important;max-width:none!important"
_TABLE = f"display:block!important;width:max-content!important;min-width:0!important;{_FREE}"
_PART = f"width:auto!important;min-width:0!important;margin:0!important;border:0!important;{_FREE}"
_ROOM = "width:100.1%!important"
"""More than the cells take, as the last one would go to the next line; a share does not make the table wider."""
_SPARE = 0.02
"""More than measured, in CSS pixels, so that a line which just fits its cell is not broken."""
_CELL = "box-sizing:content-box!important;margin:0!important;min-width:0!important;max-width:none!important"


def opened(root: Element, torn: Sequence[Row], rows: Sequence[Row], said: Declared, scale: float) -> Styles:
    """Draw the tables of rows as boxes, of which these rows can break; the styles before, to `restore` them."""
    if root.find(f".//style[@{_OPEN}]") is None:
        sheet = root.makeelement("style", {_OPEN: ""})
        sheet.text = _CLOSED
        root.find("body").append(sheet)
    before: Styles = []
    known = {each.element: each for each in rows}
    breaking = {each.element for each in torn}
    tables = dict.fromkeys(next(each.element.iterancestors("table")) for each in torn)
    for table in tables:
        _open(table, known, breaking, said, scale, before)
    return before


def restore(before: Styles) -> None:
    """Take back what was opened."""
    for element, style in reversed(before):
        element.attrib.pop(_OPEN, None)
        if style is None:
            element.attrib.pop("style", None)
        else:
            element.set("style", style)


def _open(
    table: Element, known: dict[Element, Row], breaking: set[Element], said: Declared, scale: float, before: Styles
) -> None:
    def styled(element: Element, style: str) -> None:
        before.append((element, element.get("style")))
        add_style(element, style)

    _group(table)
    across, down = _spacing(table, said)
    rows = list(rows_of(table))
    styled(table, _TABLE)
    for each in table.iterchildren("tbody"):
        styled(each, f"display:block!important;padding:0!important;{_PART}")
    for row in rows:
        end = down if row is rows[-1] else 0
        cells = cells_of(row)
        if row not in breaking:
            styled(
                row,
                f"{_PART};display:table!important;width:100%!important;border-collapse:separate!important;"
                f"border-spacing:{across}px 0!important;padding:{down}px 0 {end}px!important",
            )
        else:
            row.set(_OPEN, "")
            styled(row, f"{_PART};display:block!important;padding:{down}px {across}px {end}px!important")
            if len(cells) > 1:
                add_style(row, _ROOM)
        measured = known.get(row)
        for at, (cell, place) in enumerate(zip(cells, measured.cells if measured else (), strict=False)):
            width = f"width:{(place.right - place.left) * _PX / scale + 1 + _SPARE:.2f}px!important"
            if row not in breaking:
                styled(cell, f"{width};{_CELL}")
                continue
            height = _HEIGHT.fullmatch(cell.get("height") or row.get("height") or "")
            least = f"min-height:{height[1] if height else 0}px!important"
            styled(cell, f"display:block!important;{width};{_CELL};{_FREE};{least}")
            cell.set(_OPEN, "")
            if len(cells) > 1:
                add_style(cell, f"float:left!important;margin-left:{across if at else 0}px!important")


def _group(table: Element) -> None:
    """Put the rows of a table that are in no group into one, as the parser of HTML does (13.2.6.4.9)."""
    group = None
    for each in list(table):
        if each.tag != "tr":
            group = None
        elif group is None:
            group = table.makeelement("tbody")
            each.addprevious(group)
            group.append(each)
        else:
            group.append(each)


def _spacing(table: Element, said: Declared) -> tuple[float, float]:
    """The spaces between the columns and the rows of a table, in CSS pixels."""
    if word_of(said, table, "border-collapse") == "collapse":
        return 0.0, 0.0
    found = _SPACING.fullmatch(word_of(said, table, "border-spacing") or table.get("cellspacing") or "2")
    if found is None:
        return 2.0, 2.0
    return float(found[1]), float(found[2] or found[1])
