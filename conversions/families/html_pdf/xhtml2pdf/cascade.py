"""What an element's styles come to: which of them count for it, and how they are handed to the layout."""

from __future__ import annotations

from typing import Any

import xhtml2pdf.parser
from xhtml2pdf.util import getSize

from conversions.families.html_pdf.css.grid_styles import CARRIED
from conversions.families.html_pdf.xhtml2pdf.context import Context


class Raise(str):
    """A vertical alignment as the text that it is, which also tells pictures how far a length moves them up."""

    __slots__ = ()

    @classmethod
    def of(cls, value: Any) -> Raise:
        parts = value if isinstance(value, list | tuple) else (value,)
        return cls("".join(map(str, parts)).strip().lower())

    def normalizedValue(self, size: float) -> float:
        """Points, in text of so many; a percentage is one of the line's height, which is 1.2 times that."""
        return float(self[:-1]) / 100 * size * 1.2 if self.endswith("%") else float(getSize(self, size))


def styled(c: Context, kw: dict[str, Any], isBlock: bool) -> None:
    """Apply an element's styles, and report those that the engine has no way to apply to it."""
    _apply_styles(c, kw, isBlock)
    if "vertical-align" in c.cssAttr:
        c.frag.vAlign = Raise.of(c.cssAttr["vertical-align"])
    for side in ("width", "height"):
        if side in c.cssAttr and str(length := getattr(c.frag, side)).endswith(("em", "ex")):
            # A flex container reads it without the size of its text, as nothing.
            setattr(c.frag, side, f"{getSize(length, c.frag.fontSize):g}pt")
    side = str(c.cssAttr.get("float", "")).lower()
    if side in ("left", "right") and c.node is not None and c.node.tagName not in ("img", "svg"):
        c.report("CSS_UNSUPPORTED", f"float: {side} is supported for pictures only; <{c.node.tagName}> is not floated.")


def collected(node: Any, c: Context) -> Any:
    """The styles of an element; a part of a table stays one, whatever it is to be displayed as."""
    found = _collect(node, c)
    display = found.get("display") if node.tagName in _TABLE_PARTS else None
    if display in ("flex", "inline-flex", "grid"):
        c.report("CSS_UNSUPPORTED", f"display: {display} is not supported for <{node.tagName}>; it stays a table.")
        found = type(found)(found)
        del found["display"]
    return found


def property_names(known: tuple[str, ...]) -> tuple[str, ...]:
    """The properties that the engine knows, and those that are handed on to it."""
    return (*known, "float", *CARRIED)


_TABLE_PARTS = frozenset(("table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup", "col"))
_collect = xhtml2pdf.parser.CSSCollect
_apply_styles = xhtml2pdf.parser.CSS2Frag
