"""The `align` attribute as browsers apply it, also to boxes (HTML Living Standard, 15.3.3 and 15.3.8)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.families.html_pdf.plutoprint.declared import declared
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page

_PARTS = frozenset(("div", "p", "td", "th", "tr", "thead", "tbody", "tfoot"))
_BOXES = frozenset(("table", "div", "p", "ul", "ol", "dl", "blockquote", "form", "h1", "h2", "h3", "h4", "h5", "h6"))
_SIDES = {"center": "center", "middle": "center", "left": "left", "right": "right"}
_READ = (
    "display", "text-align", "float", "position", "margin", "margin-left", "margin-right", "width", "max-width",
)  # fmt: skip
_NOWHERE = re.compile(r"(?:\s*0[a-z%]*)*\s*(?:!important\s*)?")
_MOVED = {
    "center": "margin-left:auto;margin-right:auto",
    "right": "margin-left:auto;margin-right:0",
    "left": "margin-left:0;margin-right:auto",
}
_TEXT = "text-align:start"


def align(page: Page, sheets: Iterable[str], *, media: str) -> None:
    """Apply `align` attributes and `<center>` to boxes, in their own styles, after the page's rules.

    A table does not pass the alignment on to its text, which starts at the default again.
    """
    if not (page.aligned or "center" in page.names):
        return
    reached = _reached(page.root)
    declarations = declared(page.root, sheets, _READ, reached, media=media)
    sides: dict[Element, str] = {}
    for element in reached:
        side = sides.get(element.getparent(), "")
        own = declarations.get(element, {})
        attribute = _SIDES.get((element.get("align") or "").strip().lower(), "")
        if element.tag in ("table", "img") and attribute:
            _place(element, own, attribute)
        elif side and (element.tag in _BOXES or _is_block_picture(element, own)):
            _move(element, own, side)
        if element.tag == "table":
            if (side or element.get("align")) and "text-align" not in own:
                add_style(element, _TEXT)
            side = ""
        elif element.tag == "center":
            side = "center"
        elif element.tag in _PARTS and attribute:
            side = attribute
        elif element.tag == "th":
            side = ""
        if "text-align" in own:
            side = ""
        sides[element] = side


def _reached(root: Element) -> list[Element]:
    """Elements to which some alignment may apply; cells with only text are excluded."""
    found: list[Element] = []
    stack = [(root, False)]
    while stack:
        element, below = stack.pop()
        if not isinstance(element.tag, str) or element.tag == "svg":
            continue
        if element.tag in ("td", "th") and next(element.iter("center", "img", *_BOXES), None) is None:
            continue
        aligned = element.tag == "center" or bool(element.get("align"))
        if (below or aligned) and (len(element) or element.tag == "img" or element.tag in _BOXES):
            found.append(element)
        below = element.tag != "table" and (below or aligned)
        stack += [(child, below) for child in element]
    return found


def _place(element: Element, own: dict[str, str], side: str) -> None:
    """Apply the attribute of a table or picture itself, unless a rule overrides it."""
    if side == "center":
        if element.tag == "table":
            add_style(element, ";".join(f"margin-{each}:auto" for each in ("left", "right") if not _has(own, each)))
    elif "float" not in own:
        add_style(element, f"float:{side}")


def _has(own: dict[str, str], side: str) -> bool:
    return "margin" in own or f"margin-{side}" in own


def _move(element: Element, own: dict[str, str], side: str) -> None:
    """Align a box narrower than its container as the alignment around it requires."""
    if own.get("position", "static").strip() in ("absolute", "fixed") or own.get("float", "none").strip() != "none":
        return
    if any(name.startswith("margin") and not _NOWHERE.fullmatch(_across(name, own[name])) for name in own):
        return
    if element.tag in ("table", "img") or "width" in own or "max-width" in own:
        add_style(element, _MOVED[side])


def _is_block_picture(element: Element, own: dict[str, str]) -> bool:
    return element.tag == "img" and own.get("display", "").replace("!important", "").strip() == "block"


def _across(name: str, value: str) -> str:
    """The horizontal part of a margin."""
    parts = value.split()
    return " ".join(parts[1:4:2] if name == "margin" and len(parts) > 1 else parts)
