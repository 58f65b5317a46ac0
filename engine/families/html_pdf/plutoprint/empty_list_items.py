"""Give empty list items the line that their marker takes in browsers (CSS Lists 3, 3)."""

from __future__ import annotations

from engine.families.html_pdf.plutoprint.declared import Declared, declared
from engine.families.html_pdf.source.cleaning import Element, Page

_NAMES = ("display", "list-style", "list-style-type")
_BLANK = "\u00a0"
_OF_A_LINE = frozenset(("a", "b", "strong", "i", "em", "u", "s", "small", "span", "font", "code", "label"))


def fill(page: Page, sheets: list[str], *, media: str) -> None:
    """Insert a space into each empty item with a marker: without text, PlutoPrint draws neither the line nor the
    marker."""
    found = [each for each in (page.root.iter("li") if "li" in page.names else ()) if _is_empty(each)]
    if not found:
        return
    wanted = {up for each in found for up in (each, *each.iterancestors())}
    declarations = declared(page.root, sheets, _NAMES, wanted, media=media)
    for each in found:
        if declarations.get(each, {}).get("display", "list-item").strip() == "list-item" and _is_marked(
            each, declarations
        ):
            each.text = _BLANK


def _is_empty(item: Element) -> bool:
    """Whether an item has nothing but elements of a line without text, which no rule of a class can give some."""
    for each in item.iter():
        inside = each is not item
        plain = not inside or (each.tag in _OF_A_LINE and not {"class", "style"}.intersection(each.attrib))
        tail = each.tail if inside else ""
        if not plain or f"{each.text or ''}{tail or ''}".strip():
            return False
    return True


def _is_marked(item: Element, declarations: Declared) -> bool:
    """Whether the nearest element that sets the marker of items sets one."""
    for each in (item, *item.iterancestors()):
        own = declarations.get(each, {})
        said = f"{own.get('list-style', '')} {own.get('list-style-type', '')}".split()
        if said:
            return "none" not in said
        if each.tag in ("ul", "ol", "menu"):
            return True
    return True
