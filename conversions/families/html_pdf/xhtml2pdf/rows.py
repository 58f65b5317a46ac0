"""Flexible boxes and grids as rows of a table, or as blocks one below the other."""

from __future__ import annotations

import re
from xml.dom.minidom import Node

from conversions.families.html_pdf.css.declarations import PLACING
from conversions.families.html_pdf.css.styles import Declared
from conversions.families.html_pdf.source.tree import Element, text_of
from conversions.families.html_pdf.xhtml2pdf import grids
from conversions.families.html_pdf.xhtml2pdf.lengths import points
from conversions.families.html_pdf.xhtml2pdf.styled import StyledTree
from conversions.toolkit.warnings import Warn

__all__ = ("PLACING", "arrange")
MOST_COLUMNS = 12
_ENDS = {
    "flex-end": "right",
    "end": "right",
    "right": "right",
    "center": "center",
    "space-around": "center",
    "space-evenly": "center",
}
_ANY_ROWS = re.compile(r"(?:(?:none|auto|min-content|max-content|[\d.]+fr)\s*)+")
_FILLING = re.compile(r"(?:(?:normal|stretch|start|left|flex-start|baseline)\s*)+")
_DONE_ANYWAY = {
    "grid-template-rows": _ANY_ROWS, "grid-auto-rows": _ANY_ROWS, "grid-auto-columns": _ANY_ROWS,
    "grid-auto-flow": re.compile(r"row|dense|row dense"), "justify-items": _FILLING, "place-items": _FILLING,
    "place-content": _FILLING,
}  # fmt: skip
"""What grids are told, and what of it a table does anyway."""


def arrange(page: StyledTree, box: Element, own: Declared, room: float, warn: Warn) -> None:
    """Put the items of a flexible box or a grid, whose styles are `own`, into rows; `room` is its width in points."""
    items = _items(page, box)
    flow = f"{own.get('flex-flow', '')} {own.get('flex-direction', '')} {own.get('flex-wrap', '')}".split()
    if any(each.endswith("-reverse") for each in flow):
        items.reverse()
    for name, known in _DONE_ANYWAY.items():
        if name in own and not known.fullmatch(own[name].strip()):
            warn("CSS_UNSUPPORTED", f"{name}: {own[name][:60]} is not supported and was ignored.")
    words = own.get("gap", own.get("grid-gap", "0")).split()
    gap = points(own.get("column-gap", own.get("grid-column-gap", words[-1] if words else "0")), room) or 0.0
    below = points(own.get("row-gap", own.get("grid-row-gap", words[0] if words else "0")), room) or 0.0
    if "grid" in own["display"]:
        template = own.get("grid-template-columns", own.get("grid-template", "").partition("/")[2])
        if "subgrid" in template or "calc" in template:
            warn("CSS_UNSUPPORTED", f"grid-template-columns: {template[:60]} is not supported.")
        widths = grids.tracks(template, room, gap)
        tables = [(widths, grids.placed(page, items, len(widths), own.get("grid-template-areas", "")))]
    elif any(each.startswith("column") for each in flow):
        tables = []
    else:
        tables = [
            (_shares(page, line, room), [[(item, 1, 1) for item in line]])
            for line in _lines(page, items, room, gap, wraps="wrap" in flow)
        ]
    align = own.get("justify-content", "")
    most = max((len(widths) for widths, _ in tables), default=0)
    if most < 2 or most > MOST_COLUMNS:
        if most > MOST_COLUMNS:
            warn(
                "CSS_UNSUPPORTED",
                f"display: {own['display']}: more than {MOST_COLUMNS} columns stand one below the other.",
            )
        placed = align if "column" not in " ".join(flow) else own.get("align-items", "")
        if placed in _ENDS and "text-align" not in own:
            own["text-align"] = _ENDS[placed]
        for item in items:
            page.block(item)
            box.appendChild(item)
        return
    level = {"center": "middle", "end": "bottom", "flex-end": "bottom"}.get(own.get("align-items", ""), "top")
    for number, (widths, lines) in enumerate(tables):
        rows = []
        if all(widths) and sum(points(each, room) or 0.0 for each in widths) < room * 0.97:
            widths = [*widths, ""]
            lines = [[*line, (None, 1, 1)] for line in lines]
        for at, line in enumerate(lines):
            cells = []
            column = 0
            for item, across, down in line:
                said = {
                    "display": "block",
                    "vertical-align": level,
                    "padding-top": f"{below:g}pt" if at or number else "0",
                }
                said["padding-left"] = f"{gap:g}pt" if column else "0"
                if item is not None and across == 1 and widths[column]:
                    said["width"] = widths[column]
                if len(line) > 1 and align == "space-between" and (item, across, down) == line[-1]:
                    said["text-align"] = "right"
                elif align in _ENDS and align != "space-around":
                    said["text-align"] = _ENDS[align]
                if item is not None:
                    page.block(item)
                    for name in ("width", "max-width", "flex-basis"):
                        page.say(item, name, None)
                cell = page.make(box, "td", said, [item] if item is not None else [])
                for name, span in (("colspan", across), ("rowspan", down)):
                    if span > 1:
                        cell.setAttribute(name, str(span))
                cells.append(cell)
                column += across
            rows.append(page.make(box, "tr", {"display": "block"}, cells))
        box.appendChild(page.make(box, "table", {"display": "block", "width": "100%"}, rows))


def _items(page: StyledTree, box: Element) -> list[Element]:
    """The items in the order that they are drawn in; a text of its own is one, too."""
    found = []
    for child in list(box.childNodes):
        if child.nodeType == Node.TEXT_NODE and child.data.strip():
            found.append(page.make(box, "div", {"display": "block"}, [child]))
        elif child.nodeType == Node.ELEMENT_NODE and page.own(child).get("display") != "none":
            found.append(child)
        else:
            box.removeChild(child)
    for each in found:
        if each.parentNode is box:
            box.removeChild(each)
    return sorted(found, key=lambda each: grids.whole(page.own(each).get("order", ""), 0))


def _basis(page: StyledTree, item: Element) -> tuple[float, str]:
    """How an item of a flexible box grows, and its own width."""
    own = page.own(item)
    parts = own.get("flex", "").split()
    grow = own.get("flex-grow", parts[0] if parts and parts[0].replace(".", "", 1).isdecimal() else "0")
    basis = own.get("flex-basis", parts[-1] if len(parts) == 3 or (parts and parts[-1][-1:] in "%xtm") else "auto")
    width = (
        basis
        if points(basis, 100.0)
        else own.get("width", own.get("max-width", "") if "%" in own.get("max-width", "") else "")
    )
    return float(grow) if grow.replace(".", "", 1).isdecimal() else 0.0, width if points(
        width, 100.0
    ) is not None else ""


def _lines(page: StyledTree, items: list[Element], room: float, gap: float, *, wraps: bool) -> list[list[Element]]:
    lines: list[list[Element]] = [[]]
    used = 0.0
    for item in items:
        grow, width = _basis(page, item)
        size = points(width, room)
        if size is None:
            size = min(len(text_of(item)) * 5.5 + 20, room / (2 if grow else 1))
        if wraps and lines[-1] and used + size > room * 1.01 + gap:
            lines.append([])
            used = 0.0
        lines[-1].append(item)
        used += size + gap
    return lines


def _shares(page: StyledTree, line: list[Element], room: float) -> list[str]:
    """The widths of the columns that the items of one line are in; empty for what its content decides."""
    said = [_basis(page, item) for item in line]
    whole = sum(grow for grow, _ in said)
    if whole and all(grow for grow, _ in said):
        return [f"{grow / whole * 100:.2f}%" for grow, _ in said]
    widths = [width for _, width in said]
    total = sum(points(width, room) or 0.0 for width in widths)
    return (
        widths
        if total <= room * 1.02
        else [f"{(points(width, room) or 0) / total * 100:.2f}%" if width else "" for width in widths]
    )
