"""CSS grids: their items in rows of columns, each row as high as what is in it, cut at the ends of pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from xhtml2pdf.builders.flex import ZERO, BoxStyle, FlexContainer, FlexItem, content_widths
from xhtml2pdf.util import CSSLength

from conversions.families.html_pdf.xhtml2pdf.flex import FlexItems
from conversions.families.html_pdf.xhtml2pdf.grid_places import ENDS, Cell, Columns, Wish, place, read_areas, spread
from conversions.families.html_pdf.xhtml2pdf.grid_tracks import Content, read_tracks, track_widths

_FUZZ = 1e-6


class GridData(FlexItems):
    """Collects the items of one grid while the parser walks it."""

    def __init__(self, frag: Any, css: Any, *, rtl: bool = False) -> None:
        super().__init__(frag, css, rtl=rtl)
        self.direction = "row-reverse" if rtl else "row"
        self.wrap = "wrap"
        self.justify_content = "flex-start"
        tracks, again = read_tracks(css.get("grid-template-columns", ""), frag.fontSize)
        areas, count = read_areas(css.get("grid-template-areas", ""))
        self._columns = Columns(
            tracks, again, max(count, 1), areas,
            one_row=css.get("grid-auto-flow") == "column" and not areas,
            justify=str(css.get("justify-content", "normal")).lower(),
        )  # fmt: skip
        self._justify = css.get("justify-items", "normal")
        self._wishes: list[Wish] = []
        self._wish = Wish()

    def begin_item(self, context: Any) -> None:
        super().begin_item(context)
        self._wish = Wish(justify=self._justify)

    def set_item_style(self, frag: Any, css: Any) -> None:
        super().set_item_style(frag, css)
        justify = css.get("justify-self", "auto")
        self._wish = Wish(
            css.get("grid-area", ""),
            css.get("grid-column-start", ""),
            css.get("grid-column-end", ""),
            self._justify if justify == "auto" else justify,
        )

    def end_item(self, context: Any) -> None:
        count = len(self.items)
        super().end_item(context)
        if len(self.items) == count and self._item_frag is not None:
            # Nothing is in it, but it has its place.
            self.items.append(FlexItem.from_frag([], self._item_frag, self._item_margins, self._item_style))
        if len(self.items) > count:
            self._wishes.append(self._wish)

    def build(self) -> FlexContainer | None:
        container = super().build()
        if container is None:
            return None
        order = sorted(range(len(self.items)), key=lambda at: self.items[at].order)
        wanted = [(replace(self.items[at], order=0), self._wishes[at]) for at in order]
        return Grid(container, self._columns, wanted)


class Grid(FlexContainer):  # type: ignore[misc]
    """A grid as the flex container whose lines are its rows: each item is as wide as its columns, holes are filled."""

    def __init__(self, base: FlexContainer, columns: Columns, wanted: Sequence[tuple[FlexItem, Wish]]) -> None:
        self.__dict__.update(base.__dict__)
        self._columns = columns
        self._wanted = wanted
        self._gap: CSSLength = base.column_gap
        self._arranged_for: float | None = None

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        outer = availWidth - self.style.leftIndent - self.style.rightIndent
        declared = self.css_width.resolve(outer)
        if declared is not None:
            outer = min(outer, declared + self.style.horizontal)
        room = max(outer - self.style.horizontal, 1.0)
        if self._arranged_for is None or abs(self._arranged_for - room) > _FUZZ:
            self._arranged_for = room
            self._arrange(room)
        size: tuple[float, float] = super().wrap(availWidth, availHeight)
        return size

    def content_widths(self, canv: Any) -> tuple[float, float]:
        gap = self._gap.resolve(None) or 0.0
        tracks, cells = place(self._columns, self._wanted, None, gap)
        lows, highs = [0.0] * len(tracks), [0.0] * len(tracks)
        for each in _contents(cells, canv):
            for widths, need in ((lows, each.least), (highs, each.most)):
                for at in range(each.column, each.column + each.span):
                    widths[at] = max(widths[at], need / each.span)
        for at, track in enumerate(tracks):
            fixed = track.least.resolve(None) if track.least is not None else None
            if fixed is not None:
                lows[at], highs[at] = fixed, max(highs[at], fixed)
        beside = gap * (len(tracks) - 1) + self.style.horizontal
        return sum(lows) + beside, sum(highs) + beside

    def _like(self, items: Any, style: Any, cls: type | None = None, height: Any = None) -> FlexContainer:
        # What is left after the end of a page keeps the widths that its items have now.
        return super()._like(items, style, cls or FlexContainer, height)

    def _arrange(self, room: float) -> None:
        """Make the items of the flex container anew for this room."""
        gap = min(self._gap.resolve(room) or 0.0, room / 4)
        tracks, cells = place(self._columns, self._wanted, room, gap)
        gap = min(gap, room / (2 * len(tracks)))
        if self._columns.justify not in ("normal", "stretch"):
            tracks = [replace(each, stretches=False) for each in tracks]
        widths = track_widths(tracks, _contents(cells, getattr(self, "canv", None)), room, gap)
        before, between = spread(self._columns.justify, room - sum(widths) - gap * (len(widths) - 1), len(widths))
        gap += between
        self.column_gap = CSSLength("length", gap)
        self._stacks: dict[int, Any] = {}
        self.items, self._cache_key, self._box = [], None, None

        def over(first: int, count: int) -> float:
            return sum(widths[first : first + count]) + gap * (count - 1)

        left = room - before - over(0, len(tracks)) - gap
        row = column = begun = 0
        for cell in [*cells, None]:
            if cell is None or cell.row > row:
                if column < len(tracks):
                    self.items.append(_filler(over(column, len(tracks) - column)))
                if left > _FUZZ:  # or the next row's first item would find room in this one
                    self.items.append(_filler(left))
                self._indent(begun, before)
                row, column, begun = (cell.row if cell else row), 0, len(self.items)
            if cell is not None:
                if cell.column > column:
                    self.items.append(_filler(over(column, cell.column - column)))
                self.items.append(_sized(cell, over(cell.column, cell.span), getattr(self, "canv", None)))
                column = cell.column + cell.span

    def _indent(self, at: int, before: float) -> None:
        """Move the row whose first item is there to the right."""
        first = self.items[at]
        left = CSSLength("length", (first.margin_left.resolve(None) or 0.0) + before)
        self.items[at] = replace(first, margin_left=left)


def _contents(cells: Sequence[Cell], canv: Any) -> list[Content]:
    found = []
    for each in cells:
        low, high = content_widths(each.item.content, canv)
        beside = each.item.style.horizontal + sum(_margins(each.item))
        declared = each.item.width.resolve(None)
        if declared is not None:
            low = high = declared
        found.append(Content(each.column, each.span, low + beside, high + beside))
    return found


def _margins(item: FlexItem, width: float | None = None) -> tuple[float, float]:
    """The left and the right margin of an item; a percentage is one of its columns' width."""
    return item.margin_left.resolve(width) or 0.0, item.margin_right.resolve(width) or 0.0


def _sized(cell: Cell, width: float, canv: Any) -> FlexItem:
    """The item, as wide as its columns or as it wants to be in them, and moved to where it wants to be."""
    item = cell.item
    left, right = _margins(item, width)
    room = max(width - left - right, 1.0)
    centred = item.margin_left.kind == item.margin_right.kind == "auto"
    declared, most = item.width.resolve(width), item.max_width.resolve(width)
    wanted = room
    if declared is not None:
        wanted = declared + item.style.horizontal
    elif centred or cell.justify not in ("normal", "stretch", "baseline") or item.margin_left.kind == "auto":
        wanted = content_widths(item.content, canv)[1] + item.style.horizontal
    if most is not None:
        wanted = min(wanted, most + item.style.horizontal)
    wanted = min(wanted, room)
    spare = room - wanted
    if centred or cell.justify == "center":
        before = spare / 2
    else:
        before = spare if item.margin_left.kind == "auto" or cell.justify in ENDS else 0.0
    return replace(
        item,
        pinned_main=wanted,
        margin_left=CSSLength("length", left + before),
        margin_right=CSSLength("length", right + spare - before),
    )


def _filler(width: float) -> FlexItem:
    return FlexItem(
        content=[], style=BoxStyle(), pinned_main=width, align_self="flex-start", margin_left=ZERO, margin_right=ZERO
    )


def collector(frag: Any = None, css: Any = None, **settings: Any) -> FlexItems:
    """Where the items of a flex container or of a grid are collected."""
    kind = GridData if str((css or {}).get("display", "")).lower() == "grid" else FlexItems
    return kind(frag, css, **settings)
