"""Let flex items that have a width shrink as far as their contents allow (CSS Flexible Box Layout 1, 4.5).

PlutoPrint never makes such an item narrower than its width. The least width of its contents is measured and becomes
its `min-width`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.families.html_pdf.plutoprint.declared import Declared, of_page, word_of
from engine.families.html_pdf.plutoprint.grid_measure import Draw, least_widths
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page

MOST_MEASURED = 2_000
"""The items whose least width is measured: two marks each, 0.1 ms."""
_LEVELS = 4
_ASKED = re.compile(r"display\s*:\s*(?:inline-)?flex")
_LENGTH = re.compile(r"(?:\d++\.?\d*+|\.\d++)(?:px|pt|pc|in|cm|mm|q|r?em|ch|ex|v[wh])")
_NAMES = (
    "display", "flex-direction", "flex-flow", "flex", "flex-shrink", "width", "min-width", "overflow", "overflow-x",
    "position", "float", "box-sizing",
)  # fmt: skip
_REPLACED = frozenset(("img", "svg", "table", "fc-input", "fc-select", "fc-textarea", "button", "hr"))
"""Elements whose least width is not that of a text in them."""
_CUTS = ("hidden", "auto", "scroll")


@dataclass(frozen=True)
class Shrinking:
    """A flex item, its width as declared, whether this includes padding and border, and the number of items around."""

    element: Element
    width: str
    is_border_box: bool
    depth: int


def found(page: Page, sheets: Sequence[str], *, media: str) -> list[Shrinking]:
    """The items that may shrink below their width; PlutoPrint lets those that cut their contents off."""
    if not any(_ASKED.search(each) for each in sheets):
        return []
    declarations = of_page(page, sheets, _NAMES, media=media)
    items = {each for each in declarations if _may_shrink(each, declarations)}
    made = []
    for element in page.root.iter() if items else ():
        if element not in items:
            continue
        depth = sum(each in items for each in element.iterancestors())
        is_border_box = word_of(declarations, element, "box-sizing") == "border-box"
        made.append(Shrinking(element, word_of(declarations, element, "width"), is_border_box, min(depth, _LEVELS)))
    return made[:MOST_MEASURED]


def let_shrink(root: Element, items: Sequence[Shrinking], draw: Draw) -> None:
    """Set the least width of each item, inner ones last: what is around them counts them as wide as they are."""
    for level in range(_LEVELS + 1):
        own = [each for each in items if each.depth == level]
        if not own or not draw.affords():
            continue
        styles = [
            f"width:min-content!important;max-width:{each.width}!important"
            + ("" if each.is_border_box else ";padding:0!important;border:0!important")
            for each in own
        ]
        widths = least_widths(root, [each.element for each in own], styles, draw)
        for each, width in zip(own, widths, strict=True):
            if width is not None:
                add_style(each.element, f"min-width:{width:.2f}px")


def _may_shrink(element: Element, declarations: Declared) -> bool:
    own = declarations[element]
    parent = element.getparent()
    if "width" not in own or parent is None or element.tag in _REPLACED:
        return False
    if word_of(declarations, parent, "display") not in ("flex", "inline-flex") or any(
        "column" in word_of(declarations, parent, each) for each in ("flex-direction", "flex-flow")
    ):
        return False
    return (
        _LENGTH.fullmatch(word_of(declarations, element, "width")) is not None
        and word_of(declarations, element, "min-width") in ("", "auto")
        and word_of(declarations, element, "position") not in ("absolute", "fixed")
        and word_of(declarations, element, "display") != "none"
        and not any(word_of(declarations, element, each).startswith(_CUTS) for each in ("overflow", "overflow-x"))
        and _shrinks(word_of(declarations, element, "flex"), word_of(declarations, element, "flex-shrink"))
    )


def _shrinks(flex: str, shrink: str) -> bool:
    """Whether the values of `flex` and `flex-shrink` let an item shrink."""
    words = flex.split()
    second = words[1] if len(words) > 1 and re.fullmatch(r"[\d.]+", words[1]) else ""
    return not (flex == "none" or any(re.fullmatch(r"0*\.?0*", each) for each in (shrink, second) if each))
