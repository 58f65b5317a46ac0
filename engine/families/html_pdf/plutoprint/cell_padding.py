"""Remove the padding of the cells of tables that have `cellpadding="0"` (HTML, 15.3.8): PlutoPrint leaves a pixel."""

from __future__ import annotations

import re

from engine.families.html_pdf.plutoprint.declared import declared
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page

_NONE = re.compile(r"\s*\+?0+(?:\.\d*|[^\d.].*)?\s*", re.DOTALL)
_SIDES = ("top", "right", "bottom", "left")
_LOGICAL = {"padding-inline": ("left", "right"), "padding-block": ("top", "bottom")}
_NAMES = (
    "padding", *(f"padding-{each}" for each in _SIDES), *_LOGICAL, *(f"{each}-{end}" for each in _LOGICAL
    for end in ("start", "end")),
)  # fmt: skip


def removed(page: Page, sheets: list[str], *, media: str) -> str:
    """Set the padding of these cells to 0 on the sides for which no rule of the page sets one.

    The rule to put before those of the page if it has no other cells; otherwise empty, and each cell has its own style.
    """
    tables = page.root.iter("table") if "table" in page.names else ()
    bare = [_NONE.fullmatch(each.get("cellpadding") or "") is not None for each in tables]
    if not any(bare):
        return ""
    if all(bare) and not any("*" in each for each in sheets):
        return "td,th{padding:0}"
    cells = _cells(page.root)
    declarations = declared(page.root, sheets, _NAMES, cells, media=media)
    for cell in cells:
        own = declarations.get(cell, {})
        if not own:
            add_style(cell, "padding:0")
        elif "padding" not in own:
            add_style(cell, ";".join(f"padding-{each}:0" for each in _SIDES if not _sets(own, each)))
    return ""


def _cells(root: Element) -> list[Element]:
    """The cells whose own table has `cellpadding="0"`."""
    found: list[Element] = []
    stack = [(root, False)]
    while stack:
        element, bare = stack.pop()
        if element.tag == "table":
            bare = _NONE.fullmatch(element.get("cellpadding") or "") is not None
        elif bare and element.tag in ("td", "th"):
            found.append(element)
        stack += [(child, bare) for child in element]
    return found


def _sets(own: dict[str, str], side: str) -> bool:
    """Whether a declaration may set the padding of a side; which side a logical one means is left open."""
    along = next(name for name, sides in _LOGICAL.items() if side in sides)
    return f"padding-{side}" in own or any(name.startswith(along) for name in own)
