"""Flex containers: items as wide as they say and no less, and many lines laid out once and not for every page."""

from __future__ import annotations

import itertools
from typing import Any

import xhtml2pdf.parser
from xhtml2pdf.builders.block import _stack
from xhtml2pdf.builders.flex import LARGE, BoxStyle, FlexContainer, FlexData, cut_style
from xhtml2pdf.builders.flex import ZERO as NO_LENGTH
from xhtml2pdf.util import AUTO, CSSLength

_LINES = 20
"""Lines of one piece."""
_FUZZ = 1e-6

_cut = FlexContainer._cut
_block_box_style = xhtml2pdf.parser.block_box_style


class FlexItems(FlexData):  # type: ignore[misc]
    """The items of one container; the container sizes and draws them, and nothing else does."""

    width: CSSLength
    height: CSSLength

    def __init__(self, frag: Any = None, css: Any = None, *, rtl: bool = False) -> None:
        super().__init__(frag, css, rtl=rtl)
        if _is_item(frag):
            self.width = AUTO
        if frag is not None and self.height == NO_LENGTH:
            self.height = AUTO  # what runs over a box without height would not be drawn

    def set_item_style(self, frag: Any, css: Any) -> None:
        frag.itemId = id(frag)  # what is made for its children has another
        super().set_item_style(frag, css)


def _is_item(frag: Any) -> bool:
    return frag is not None and getattr(frag, "itemId", None) == id(frag)


def block_box_style(context: Any, kw: dict[str, Any]) -> BoxStyle | None:
    """The box of a block; the layout engine makes one for an item too, as wide as the item is in its own column."""
    return None if _is_item(context.frag) else _block_box_style(context, kw)


def stack_flowables(content: Any, width: float, canv: Any, avail_height: float = LARGE) -> Any:
    """What an item holds, one below the other; the layout engine leaves out what marks a place and has no height."""
    return _stack(content, width, canv, avail_height, top_margin=False, bottom_margin=False)


def cut_in_pieces(self: Any, cut: float, bands: Any) -> list[Any] | None:
    """What the layout engine makes of a cut, a head and all that is left, with the latter in pieces."""
    parts: list[Any] | None = _cut(self, cut, bands)
    lines = [sorted(indices) for edge, indices in bands if edge > cut + _FUZZ][1:]
    if parts is None or len(lines) < 2 * _LINES or not _is_simple(self):
        return parts
    head, tail = parts
    begun = len(tail.items) - sum(map(len, lines))
    whole = dict(zip(sorted(itertools.chain(*lines)), tail.items[begun:], strict=True))
    pieces = [
        [whole[at] for line in lines[first : first + _LINES] for at in line] for first in range(0, len(lines), _LINES)
    ]
    pieces[0][:0] = tail.items[:begun]
    gap = self.row_gap.resolve(None) or 0.0
    found = [head]
    for at, items in enumerate(pieces):
        style = tail.style
        if at:
            style = _below(cut_style(style, "Top"), gap)
        if at < len(pieces) - 1:
            style = cut_style(style, "Bottom")
        found.append(self._like(items, style))
    return found


def _is_simple(container: Any) -> bool:
    """Whether its lines are independent of each other, and its items in the order of the page."""
    return (
        container.direction in ("row", "row-reverse")
        and container.flex_wrap == "wrap"
        and container.css_height.resolve(None) is None
        and not any(each.order for each in container.items)
    )


def _below(style: BoxStyle, gap: float) -> BoxStyle:
    """The style of a piece that goes on below another: where a background or a border is seen, it spans the gap."""
    seen = style.backColor or style.backgroundImage or style.border("Left") or style.border("Right")
    return BoxStyle(style, paddingTop=gap) if seen else BoxStyle(style, spaceBefore=gap)
