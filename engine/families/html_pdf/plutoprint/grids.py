"""Convert CSS grids to rows of flex boxes, with margins in place of gaps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.families.html_pdf.plutoprint.grid_layout import Cell, RequestedCell, place, resolve, spread, tracks, widths
from engine.families.html_pdf.plutoprint.grid_measure import LAYOUTS, Draw, Measured, measure
from engine.families.html_pdf.plutoprint.grid_styles import Styles
from engine.families.html_pdf.plutoprint.grid_values import Line, Template, Track, areas, lines, pixels, template
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MOST_GRIDS = 1_500
MOST_ITEMS = 2_000
_LEVELS = 6
_FIT = 0.05  # pixels that a row stays below its width, or rounding would wrap it
_BLOCK = "display:block"
_PLAIN = "border:0!important;background:none!important;padding:0!important;outline:0!important;height:auto!important"


@dataclass(frozen=True)
class _Item:
    """An item in its cell, its declarations, and the empty columns beside it."""

    element: Element
    cell: Cell
    properties: dict[str, str]
    least: float
    most: float


@dataclass(frozen=True)
class _Columns:
    """The start and width of each column; the gaps between rows and columns."""

    starts: Sequence[float]
    widths: Sequence[float]
    gap: float
    row_gap: float
    rows: Sequence[Track]
    justify: str

    def span(self, first: int, count: int) -> tuple[float, float]:
        last = min(first + count, len(self.widths)) - 1
        return self.starts[first], self.starts[last] + self.widths[last]


def lower(page: Page, sheets: Iterable[str], draw: Draw, warn: Warn, *, media: str, width: float) -> None:
    """Rewrite every grid of the page, outer ones first, as flex containers with the same layout."""
    styles = Styles(page.root, sheets, media=media, width=width)
    found = [each for each in page.root.iter() if styles.computed(each).get("display") in ("grid", "inline-grid")]
    if len(found) > MOST_GRIDS:
        warn(
            "CSS_UNSUPPORTED",
            say("display: grid: only the first {most_grids} grids on the page were laid out.", most_grids=MOST_GRIDS),
        )
        found = found[:MOST_GRIDS]
    if any(styles.computed(each).get("grid-template-rows", "").strip() == "subgrid" for each in found):
        warn("CSS_UNSUPPORTED", "grid-template-rows: subgrid has no effect: rows are as tall as their own content.")
    inside = set(found)
    levels: list[list[Element]] = [[] for _ in range(_LEVELS)]
    for grid in found:
        depth = sum(each in inside for each in grid.iterancestors())
        if depth >= _LEVELS:
            warn(
                "CSS_UNSUPPORTED",
                say("display: grid: grids nested more than {levels} deep may be too wide or narrow.", levels=_LEVELS),
            )
        levels[min(depth, _LEVELS - 1)].append(grid)
    for level in levels:
        grids = [(grid, _items(grid, styles)) for grid in level]
        if any(len(items) > MOST_ITEMS for _, items in grids):
            warn(
                "CSS_UNSUPPORTED",
                say(
                    "display: grid: a grid with more than {most_items} items became one column.",
                    most_items=MOST_ITEMS,
                ),
            )
        grids = [(grid, items) for grid, items in grids if 0 < len(items) <= MOST_ITEMS]
        if not grids:
            continue
        if not draw.affords(LAYOUTS):
            warn(
                "CSS_UNSUPPORTED",
                say("Grids that became one column, as the page is too large: {count}.", count=len(grids)),
            )
            continue
        for (grid, items), measured in zip(grids, measure(page.root, grids, draw), strict=True):
            if measured is not None and measured.room > 0:
                _rewrite(grid, items, measured, styles, warn)


def _items(grid: Element, styles: Styles) -> list[Element]:
    """The children that are items; anonymous text is one, too."""
    if grid.text and grid.text.strip():
        run = grid.makeelement("fc-run", style=_BLOCK)
        run.text, grid.text = grid.text, None
        grid.insert(0, run)
    for child in list(grid):
        if child.tail and child.tail.strip():
            run = grid.makeelement("fc-run", style=_BLOCK)
            run.text, child.tail = child.tail, None
            grid.insert(grid.index(child) + 1, run)
    found = []
    for child in grid:
        properties = styles.computed(child)
        out = properties.get("position") in ("absolute", "fixed") or properties.get("display") == "none"
        if (
            isinstance(child.tag, str)
            and child.tag not in ("style", "script")
            and not out
            and child.get("hidden") is None
        ):
            found.append(child)
    return sorted(found, key=lambda child: _order(styles.computed(child)))


def _order(properties: dict[str, str]) -> int:
    text = properties.get("order", "").strip()
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 8 else 0


def _rewrite(grid: Element, items: list[Element], measured: Measured, styles: Styles, warn: Warn) -> None:
    properties = styles.computed(grid)
    room = measured.room
    gap = pixels(properties.get("column-gap", ""), room) or 0.0
    row_gap = pixels(properties.get("row-gap", ""), room) or 0.0
    drawn = areas(properties.get("grid-template-areas", ""))
    by_column = properties.get("grid-auto-flow", "").startswith("column")
    columns_said, rows_said = (
        template(properties.get("grid-template-columns", "")),
        template(properties.get("grid-template-rows", "")),
    )
    columns = tracks(columns_said, room, gap, len(items))
    rows = tracks(rows_said, 0.0, row_gap, len(items))
    drawn_columns = max((left + count for _, left, _, count in drawn.values()), default=0)
    drawn_rows = max((top + count for top, _, count, _ in drawn.values()), default=0)
    count = max(len(columns), drawn_columns, 1)
    requested = [
        _requested_cell(styles.computed(each), drawn, count, max(len(rows), drawn_rows), columns_said, rows_said)
        for each in items
    ]
    cells = place(
        requested, count, by_column=by_column and not drawn, rows=max(len(rows), drawn_rows, 1),
        dense="dense" in properties.get("grid-auto-flow", ""),
    )  # fmt: skip
    count = max([count, *(each.column + each.columns for each in cells)])
    implied = template(properties.get("grid-auto-columns", "")).before or (Track(),)
    columns += [implied[at % len(implied)].sized(room) for at in range(count - len(columns))]
    implied_rows = template(properties.get("grid-auto-rows", "")).before or (Track(),)
    last = max(each.row + each.rows for each in cells)
    rows += [implied_rows[at % len(implied_rows)].sized(0.0) for at in range(last - len(rows))]
    placed = [
        _Item(element, cell, styles.computed(element), least, most)
        for element, cell, least, most in zip(items, cells, measured.least, measured.most, strict=True)
    ]
    justify = properties.get("justify-content", "normal")
    stretch = justify in ("normal", "stretch")
    sizes = widths(columns, [(each.cell, each.least, each.most) for each in placed], room, gap, stretch=stretch)
    spare = room - sum(sizes) - gap * (len(sizes) - 1)
    before, between = spread(justify, spare, len(sizes))
    starts, at = [], before
    for size in sizes:
        starts.append(at)
        at += size + gap + between
    made = _Columns(starts, sizes, gap + between, row_gap, rows, properties.get("justify-items", "normal"))
    _share_columns(placed, made, styles)
    add_style(
        grid, _row_style(made, properties.get("align-items", "stretch"), properties.get("align-content", "stretch"))
    )
    if by_column or any(each.cell.rows > 1 for each in placed):
        for each in placed:
            _keep_style(each.element, styles)
            grid.remove(each.element)
        for element in _bands(grid, placed, made, 0.0, max(room, at - gap - between), warn):
            grid.append(element)
        return
    ordered = sorted(range(len(placed)), key=lambda index: (placed[index].cell.row, placed[index].cell.column))
    _fill([placed[index] for index in ordered], made, 0.0, room)
    if ordered != list(range(len(placed))) or any(_order(each.properties) for each in placed):
        for order, index in enumerate(ordered):
            add_style(placed[index].element, f"order:{order}!important")


def _share_columns(placed: list[_Item], made: _Columns, styles: Styles) -> None:
    """Give items that are subgrids the columns that they span; grids within a grid are rewritten after it."""
    for each in placed:
        if each.properties.get("grid-template-columns", "").strip() == "subgrid":
            own = made.widths[each.cell.column : each.cell.column + each.cell.columns]
            styles.declare(each.element, "grid-template-columns", " ".join(f"minmax(0, {width}fr)" for width in own))
            if each.properties.get("column-gap", "normal") == "normal":
                styles.declare(each.element, "column-gap", f"{made.gap}px")


def _requested_cell(
    properties: dict[str, str],
    drawn: dict[str, tuple[int, int, int, int]],
    columns: int,
    rows: int,
    columns_said: Template,
    rows_said: Template,
) -> RequestedCell:
    found: dict[str, tuple[int | None, int]] = {}
    for axis, count, names in (("column", columns, columns_said.names), ("row", rows, rows_said.names)):
        start, end = ((lines(properties.get(f"grid-{axis}-{edge}", "")) or [Line()])[0] for edge in ("start", "end"))
        if start.name in drawn and start.name == (end.name or start.name):
            top, left, tall, wide = drawn[start.name]
            found[axis] = (left, wide) if axis == "column" else (top, tall)
        else:
            found[axis] = resolve(start, end, count, _with_areas(dict(names or {}), drawn, axis))
    (column, across), (row, down) = found["column"], found["row"]
    return RequestedCell(row, column, down, across)


def _with_areas(names: dict[str, int], drawn: dict[str, tuple[int, int, int, int]], axis: str) -> dict[str, int]:
    """The line names with the tracks before them, including the implicit names of areas."""
    found = {name: number - 1 for name, number in names.items() if number}
    for name, (top, left, tall, wide) in drawn.items():
        first, count = (left, wide) if axis == "column" else (top, tall)
        found.setdefault(f"{name}-start", first)
        found.setdefault(f"{name}-end", first + count)
    return found


def _bands(grid: Element, placed: list[_Item], made: _Columns, left: float, right: float, warn: Warn) -> list[Element]:
    """The rows; items that span rows become boxes side by side, each with its own rows."""
    found: list[Element] = []
    for band in _parts(placed, lambda each: (each.cell.row, each.cell.rows)):
        groups = _parts(band, lambda each: (each.cell.column, each.cell.columns))
        if all(each.cell.rows == 1 for each in band) or (len(band) == 1):
            ordered = sorted(band, key=lambda each: each.cell.column)
            _fill(ordered, made, left, right)
            found += [each.element for each in ordered]
            continue
        if len(groups) == 1:
            warn("CSS_UNSUPPORTED", "display: grid: interlocking items were laid out one below the other.")
            for each in sorted(band, key=lambda each: (each.cell.row, each.cell.column)):
                _width(each.element, right - left - _FIT, 0.0, 0.0)
                found.append(each.element)
            continue
        at = left
        for group in groups:
            first = min(each.cell.column for each in group)
            start, end = made.span(first, max(each.cell.column + each.cell.columns for each in group) - first)
            box = grid.makeelement("fc-run", style=f"{_PLAIN};{_row_style(made, 'stretch', 'stretch')}")
            box.extend(_bands(grid, group, made, start, end - _FIT, warn))
            hole = start - at - (made.gap if at > left else 0.0)
            _width(
                box, end - start - (_FIT if group is groups[-1] else 0), hole, right - end if group is groups[-1] else 0
            )
            found.append(box)
            at = end
    return found


def _parts(placed: list[_Item], span: object) -> list[list[_Item]]:
    """The items in groups between which no item spans, in order."""
    ordered = sorted(placed, key=span)  # type: ignore[call-overload]
    groups: list[list[_Item]] = []
    end = -1
    for each in ordered:
        first, count = span(each)  # type: ignore[operator]
        if first >= end:
            groups.append([])
        groups[-1].append(each)
        end = max(end, first + count)
    return groups


def _fill(ordered: list[_Item], made: _Columns, left: float, right: float) -> None:
    """Give each item its width, and the empty columns beside it as margins, so that each row is full."""
    for index, each in enumerate(ordered):
        start, end = made.span(each.cell.column, each.cell.columns)
        first = index == 0 or ordered[index - 1].cell.row != each.cell.row
        last = index + 1 == len(ordered) or ordered[index + 1].cell.row != each.cell.row
        if first:
            hole = start - left
        else:
            before = ordered[index - 1].cell
            hole = start - made.span(before.column, before.columns)[1] - made.gap
        rest = right - end - _FIT if last else 0.0
        room = end - start
        own_left = pixels(each.properties.get("margin-left", ""), room)
        own_right = pixels(each.properties.get("margin-right", ""), room)
        centred = each.properties.get("margin-left") == "auto" and each.properties.get("margin-right") == "auto"
        inner = room - (own_left or 0.0) - (own_right or 0.0)
        wanted = _wanted(each, inner, made, centred=centred)
        spare = inner - wanted
        justify = each.properties.get("justify-self", "auto")
        justify = made.justify if justify == "auto" else justify
        if centred or justify == "center":
            shift = spare / 2
        else:
            ends = justify in ("end", "right", "flex-end", "self-end") or each.properties.get("margin-left") == "auto"
            shift = spare if ends else 0.0
        _width(each.element, wanted, hole + (own_left or 0.0) + shift, rest + (own_right or 0.0) + spare - shift)
        _heighten(each)
        track = made.rows[each.cell.row] if each.cell.row < len(made.rows) else Track()
        if each.cell.rows == 1 and isinstance(track.least, float) and track.least:
            add_style(each.element, f"min-height:{track.least:.2f}px")


def _heighten(each: _Item) -> None:
    """Add padding and border to the content height that an item declares."""
    if each.properties.get("box-sizing", "").strip() == "border-box":
        return
    around = 0.0
    for side in ("top", "bottom"):
        around += pixels(each.properties.get(f"padding-{side}", "")) or 0.0
        border = each.properties.get(f"border-{side}", "")
        around += next((size for size in map(pixels, border.split()) if size is not None), 0.0)
    for name in ("height", "min-height"):
        height = pixels(each.properties.get(name, ""))
        if height and around:
            add_style(each.element, f"{name}:{height + around:.2f}px!important")


def _wanted(each: _Item, room: float, made: _Columns, *, centred: bool) -> float:
    """The width of an item in its cell, without its margins."""
    declared, most = pixels(each.properties.get("width", ""), room), pixels(each.properties.get("max-width", ""), room)
    justify = each.properties.get("justify-self", "auto")
    justify = made.justify if justify == "auto" else justify
    wanted = room
    if declared is not None:
        wanted = declared
    elif centred or justify not in ("normal", "stretch", "auto", "baseline"):
        wanted = min(each.most + 0.5, room)
    if most is not None:
        wanted = min(wanted, most)
    return min(wanted, room) if declared is None else wanted


def _keep_style(element: Element, styles: Styles) -> None:
    """Copy child-dependent rules into an item's own style, as it gets another parent."""
    style = styles.as_child(element)
    if style:
        element.set("style", f"{style};{element.get('style') or ''}")


def _row_style(made: _Columns, align: str, content: str) -> str:
    words = {"normal": "stretch", "start": "flex-start", "end": "flex-end"}
    align, content = words.get(align, align), words.get(content, content)
    return (
        "display:flex!important;flex-flow:row wrap!important;justify-content:flex-start!important;"
        f"align-content:{content}!important;align-items:{align}!important;"
        f"column-gap:{made.gap:.2f}px!important;row-gap:{made.row_gap:.2f}px!important"
    )


def _width(element: Element, width: float, left: float, right: float) -> None:
    add_style(
        element,
        f"box-sizing:border-box!important;flex:0 0 {max(width, 0):.3f}px!important;"
        f"width:{max(width, 0):.3f}px!important;"
        f"min-width:0!important;max-width:none!important;margin-left:{left:.3f}px!important;"
        f"margin-right:{right:.3f}px!important",
    )
