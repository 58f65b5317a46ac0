"""The styles of whole tables on an xlsx sheet: heads, totals and stripes (ECMA-376, part 1, 18.5.1.2 and 18.8.83)."""

from __future__ import annotations

import bisect
import re
from dataclasses import replace
from typing import Any

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Area, Place
from engine.families.data.printed.looks import Edge, Looks, Style
from engine.families.data.printed.xlsx_colours import tinted
from engine.families.data.printed.xlsx_parts import Parts
from engine.families.data.printed.xlsx_styles import Styles
from engine.toolkit.xml_elements import child, children, is_on, number

_BUILT_IN = re.compile(r"TableStyle(Light|Medium)(\d{1,2})")
_MOST = 200_000
"""Cells of tables that are styled."""
Parted = dict[str, Style]


def styled(parts: Parts, sheet: str, looks: Looks, styles: Styles) -> tuple[dict[Place, Style], int]:
    """The style of each cell of a table, and how many tables have a style that is not drawn."""
    found: dict[Place, Style] = {}
    undrawn = 0
    numbers = sorted(looks.cells)
    for name in parts.related(sheet, "table"):
        root = parts.xml(name)
        info = child(root, "tableStyleInfo")
        area = places.area("" if root is None else root.get("ref") or "")
        if info is None or area is None or not info.get("name"):
            continue
        drawn = _looks(info.get("name") or "", styles)
        if drawn is None or len(found) > _MOST:
            undrawn += (info.get("name") or "") != "None"
            continue
        heads = int(number(root.get("headerRowCount"), 1))
        totals = int(number(root.get("totalsRowCount")))
        rows = numbers[bisect.bisect_left(numbers, area.top) : bisect.bisect_right(numbers, area.bottom)]
        _apply(found, looks, rows, area, drawn, (heads, totals), info)
    return found, undrawn


def _apply(
    found: dict[Place, Style],
    looks: Looks,
    rows: list[int],
    area: Area,
    drawn: Parted,
    ends: tuple[int, int],
    info: Any,
) -> None:
    striped = is_on(info.get("showRowStripes"))
    first, last = is_on(info.get("showFirstColumn")), is_on(info.get("showLastColumn"))
    for row in rows:
        if len(found) > _MOST:
            return
        kinds = ["whole"]
        if row < area.top + ends[0]:
            kinds.append("head")
        elif row > area.bottom - ends[1]:
            kinds.append("total")
        elif striped:
            kinds.append("odd" if (row - area.top - ends[0]) % 2 == 0 else "even")
        for column, cell in looks.cells[row].items():
            if area.left <= column <= area.right:
                own = kinds + ["bold"] * ((first and column == area.left) or (last and column == area.right))
                style = looks.styles[cell.style]
                for kind in own:
                    if kind in drawn:
                        style = _over(style, looks.styles[cell.style], drawn[kind], looks)
                found[row, column] = style


def _over(style: Style, own: Style, part: Style, looks: Looks) -> Style:
    """A style with a part of a table's; what the cell itself sets stays."""
    font = style.font
    if part.font.bold:
        font = replace(font, bold=True)
    if part.font.colour and own.font.colour == looks.normal.colour:
        font = replace(font, colour=part.font.colour)
    filled = own.fill is not None or own.gradient is not None
    return replace(
        style,
        font=font,
        fill=style.fill if filled or part.fill is None else part.fill,
        edges=tuple(a or b for a, b in zip(own.edges, (p or s for p, s in zip(part.edges, style.edges, strict=True)),
                                           strict=True)),
    )  # fmt: skip


def _looks(name: str, styles: Styles) -> Parted | None:
    """The parts of a table style; None if it is not known."""
    if name in styles.tables:
        return _custom(styles, styles.tables[name])
    match = _BUILT_IN.fullmatch(name)
    if match is None or not 1 <= int(match[2]) <= (21 if match[1] == "Light" else 28):
        return None
    at = int(match[2]) - 1
    group, which = divmod(at, 7)
    scheme = styles.colours.scheme
    colour = scheme[f"accent{which}"] if which else scheme["dk1"]
    pale, paler = tinted(colour, 0.6) if which else "BFBFBF", tinted(colour, 0.8) if which else "D9D9D9"
    if match[1] == "Light":
        return _light(group, colour, paler)
    return _medium(group, colour, pale, paler)


def _part(
    fill: str | None = None,
    text: str | None = None,
    *,
    bold: bool = False,
    lines: tuple[Edge | None, ...] = (None,) * 6,
) -> Style:
    plain = Style()
    return replace(plain, font=replace(plain.font, colour=text, bold=bold), fill=fill, edges=lines)


def _light(group: int, colour: str, paler: str) -> Parted:
    thin = Edge("thin", colour)
    if group == 1:
        body = _part(lines=(None, None, thin, thin, None, None))
        return {"whole": body, "head": _part(colour, "FFFFFF", bold=True), "bold": _part(bold=True),
                "total": _part(bold=True)}  # fmt: skip
    lines = (None, None, thin, thin, None, None) if group == 0 else (thin, thin, thin, thin, None, None)
    head = _part(bold=True, lines=lines)
    whole = {} if group == 0 else {"whole": _part(lines=lines)}
    return {**whole, "head": head, "odd": _part(paler), "total": head, "bold": _part(bold=True)}


def _medium(group: int, colour: str, pale: str, paler: str) -> Parted:
    line = Edge("thin", pale)
    across = (None, None, line, line, None, None)
    head = _part(colour, "FFFFFF", bold=True)
    bold = _part(bold=True)
    if group == 0:
        return {"whole": _part(lines=across), "head": head, "odd": _part(paler), "total": bold, "bold": bold}
    if group == 1:
        white = Edge("thin", "FFFFFF")
        return {"whole": _part(paler, lines=(white,) * 4 + (None, None)), "head": head, "odd": _part(pale),
                "total": head, "bold": _part(colour, "FFFFFF", bold=True)}  # fmt: skip
    if group == 2:
        return {"head": head, "odd": _part("D9D9D9"), "total": bold, "bold": bold}
    grid = (line,) * 4 + (None, None)
    return {"whole": _part(paler, lines=grid), "head": bold, "odd": _part(pale), "total": bold, "bold": bold}


_NAMES = {"wholeTable": "whole", "headerRow": "head", "totalRow": "total", "firstRowStripe": "odd",
          "secondRowStripe": "even"}  # fmt: skip


def _custom(styles: Styles, element: Any) -> Parted:
    """The parts of a style that the workbook declares; lines of the whole table are left to its cells."""
    found: Parted = {}
    for each in children(element, "tableStyleElement"):
        if kind := _NAMES.get(each.get("type") or ""):
            style = styles.changed(_part(), int(number(each.get("dxfId"), -1)))
            found[kind] = replace(style, edges=(None,) * 6) if kind == "whole" else style
    return found
