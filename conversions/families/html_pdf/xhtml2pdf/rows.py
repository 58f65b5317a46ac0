"""Flexible boxes and grids as rows of a table, or as blocks one below the other."""

from __future__ import annotations

import re
from xml.dom.minidom import Node

from conversions.families.html_pdf.css.declarations import PLACING
from conversions.families.html_pdf.css.styles import Declared
from conversions.families.html_pdf.source.tree import Element, text_of
from conversions.families.html_pdf.xhtml2pdf.lengths import points
from conversions.families.html_pdf.xhtml2pdf.styled import StyledTree
from conversions.toolkit.warnings import Warn

__all__ = ("PLACING", "arrange")
MOST_COLUMNS = 12
_REPEAT = re.compile(r"repeat\(\s*([\w-]+)\s*,\s*((?:[^()]|\([^()]*\))*)\)")
_TRACK = re.compile(r"(?:[^\s()\[\]]|\([^()]*\))+")
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
_Cell = tuple[Element | None, int, int]
"""An item or a hole, over how many columns and how many rows it goes."""


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
        widths = _tracks(template, room, gap)
        tables = [(widths, _placed(page, items, len(widths), own.get("grid-template-areas", "")))]
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
    return sorted(found, key=lambda each: _whole(page.own(each).get("order", ""), 0))


def _whole(text: str, otherwise: int) -> int:
    text = text.strip()
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 6 else otherwise


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


def _tracks(text: str, room: float, gap: float) -> list[str]:
    """The widths of a grid's columns; empty for what its content decides."""

    def repeated(match: re.Match[str]) -> str:
        least = points(next(iter(re.findall(r"[\d.]+(?:px|pt|r?em|mm|cm|in|%)", match[2])), ""), room) or room
        count = int(match[1]) if match[1].isdecimal() else max(int((room + gap) / max(least + gap, 1.0)), 1)
        return f"{match[2]} " * min(count, 100)

    text = re.sub(r"\[[^\]]*\]", " ", text)
    tracks = [
        each.removeprefix("minmax(").rstrip(")").rpartition(",")[2].strip()
        for each in _TRACK.findall(_REPEAT.sub(repeated, text))
    ]
    fixed = sum(points(each, room) or 0.0 for each in tracks)
    shares = [
        float(each[:-2]) if each.endswith("fr") and each[:-2].replace(".", "", 1).isdecimal() else 0.0
        for each in tracks
    ]
    left = max(room - fixed, 0.0) / room * 100 if room else 0.0
    found = []
    for track, share in zip(tracks, shares, strict=True):
        if share and (all(shares) or fixed):
            found.append(f"{share / sum(shares) * left:.2f}%")
        else:
            found.append(track if points(track, room) else "")
    return found if tracks != ["none"] else []


def _placed(page: StyledTree, items: list[Element], columns: int, areas: str) -> list[list[_Cell]]:
    """The rows of a grid: items where they ask to be, the others in the next hole, and holes."""
    drawn: dict[str, list[tuple[int, int]]] = {}
    for row, names in enumerate(re.findall(r"[\"']([^\"']*)[\"']", areas)):
        for column, name in enumerate(names.split()):
            drawn.setdefault(name, []).append((row, column))
    columns = max([columns, 1, *(column + 1 for places in drawn.values() for _, column in places)])
    taken: dict[tuple[int, int], tuple[Element, int, int]] = {}
    waiting = []
    for item in items:
        own = page.own(item)
        places = drawn.get(own.get("grid-area", "").strip())
        if places:
            (first_row, first), (last_row, last) = places[0], places[-1]
            _take(taken, item, first_row, first, last - first + 1, last_row - first_row + 1)
        else:
            waiting.append((item, *_wish(own, "column", columns), *_wish(own, "row", 0)))
    row = column = 0
    for item, left, across, top, down in waiting:
        left = None if left is None else min(left, columns - 1)
        across = min(across, columns - (left or 0))
        if top is not None:
            row, column = top, 0
        if left is not None and left < column:
            row += 1
        column = left if left is not None else column
        while column + across > columns or any(
            (row + y, column + x) in taken for x in range(across) for y in range(down)
        ):
            column += 1
            if left is not None or column + across > columns:
                row, column = row + 1, (0 if left is None else left)
        _take(taken, item, row, column, across, down)
        column += across
    lines: list[list[_Cell]] = []
    for row in range(max((each for each, _ in taken), default=-1) + 1):
        line: list[_Cell] = []
        for column in range(columns):
            found = taken.get((row, column))
            if found is None:
                line.append((None, 1, 1))
            elif found[0] is not None:
                line.append(found)
        lines.append(line)
    return lines


def _take(
    taken: dict[tuple[int, int], tuple[Element, int, int]], item: Element, row: int, column: int, across: int, down: int
) -> None:
    for y in range(down):
        for x in range(across):
            taken[row + y, column + x] = (None, 0, 0)
    taken[row, column] = (item, across, down)


def _wish(own: Declared, axis: str, count: int) -> tuple[int | None, int]:
    """The first track that an item asks for, and how many it goes over."""
    start, _, end = own.get(
        f"grid-{axis}", f"{own.get(f'grid-{axis}-start', '')}/{own.get(f'grid-{axis}-end', '')}"
    ).partition("/")
    start, end = start.strip(), end.strip()
    for text in (start, end):
        if text.startswith("span"):
            span = max(min(_whole(text[4:], 1), 100), 1)
            first = _whole(start, 0)
            return (first - 1 if first > 0 else None), span
    first, last = _whole(start, 0), _whole(end, 0)
    if first < 0:
        first = max(count + 2 + first, 1)
    if last < 0:
        last = max(count + 2 + last, first + 1)
    return (min(first, 100) - 1 if first > 0 else None), max(min(last, 101) - first, 1) if last > first > 0 else 1
