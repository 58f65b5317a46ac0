"""Forced page breaks before a box, said after the box in front of it: so its margin is kept, and two are one.

A margin after a forced break counts (CSS Fragmentation 3, 5.2); PlutoPrint drops it after a break before the box, and
makes an empty page where the box in front of it asks for a break, too.
"""

from __future__ import annotations

import re

from conversions.families.html_pdf.plutoprint.declared import Declared, declared
from conversions.families.html_pdf.source.cleaning import Element, Page

_FORCED = {
    "page": "page", "always": "page", "left": "left", "right": "right", "recto": "recto", "verso": "verso",
}  # fmt: skip
_BEFORE = ("page-break-before", "break-before")
_ASKED = re.compile(r"break-before\s*:\s*(?:page|always|left|right|recto|verso)")
_FLOWING = frozenset((
    "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "section", "article",
    "hr", "pre", "figure", "header", "footer", "main", "nav", "aside", "form", "fieldset", "address", "center",
))  # fmt: skip
_AROUND = frozenset(("body", "div", "section", "article", "main", "form", "center"))


def move(page: Page, sheets: list[str], *, media: str) -> None:
    """Say each forced break before a block after the block in front of it, where there is one."""
    if not any(_ASKED.search(each) for each in sheets):
        return
    names = (*_BEFORE, "display", "position", "float")
    said = declared(page.root, sheets, names, None, media=media)
    for element in page.styled:
        said.setdefault(element, dict(re.findall(r"(?:^|;)\s*([\w-]+)\s*:\s*([^;]*)", element.get("style") or "")))
    for element in list(said):
        words = (_word(said, element, each) for each in _BEFORE)
        kind = next((_FORCED[each] for each in words if each in _FORCED), None)
        if kind is None or element.tag not in _FLOWING or _word(said, element, "display") == "none":
            continue
        front = _front(element, said)
        if front is not None:
            _say(front, f"break-after:{kind}!important")
            _say(element, "break-before:auto!important")


def in_columns(sheets: list[str]) -> bool:
    """Whether there may be columns with boxes that are not to be parted."""
    return any("break-inside" in each for each in sheets) and any("column" in each for each in sheets)


def free_columns(page: Page, sheets: list[str], *, media: str) -> None:
    """Let boxes in columns be parted: PlutoPrint puts those that avoid it into columns beyond the last one."""
    said = declared(page.root, sheets, ("columns", "column-count", "column-width"), None, media=media)
    styled = [each for each in page.styled if "column" in (each.get("style") or "")]
    for below in {below for each in (*said, *styled) for below in each.iter() if isinstance(below.tag, str)}:
        _say(below, "break-inside:auto!important")


def _word(said: Declared, element: Element, name: str) -> str:
    return said.get(element, {}).get(name, "").replace("!important", "").strip().lower()


def _front(element: Element, said: Declared) -> Element | None:
    """The block in the flow right before a block, or before the block that begins with it."""
    while element.tag != "body":
        before, parent = element.getprevious(), element.getparent()
        if parent is None or parent.tag not in _AROUND or _word(said, parent, "display") not in ("", "block"):
            return None
        while before is not None:
            if before.tail and before.tail.strip():
                return None
            if before.tag != "style" and _word(said, before, "display") != "none":
                flows = _word(said, before, "display") in ("", "block", "flex", "table")
                flows = flows and _word(said, before, "position") in ("", "static", "relative")
                flows = flows and _word(said, before, "float") in ("", "none")
                return before if flows and before.tag in _FLOWING else None
            before = before.getprevious()
        if parent.text and parent.text.strip():
            return None
        element = parent
    return None


def _say(element: Element, style: str) -> None:
    element.set("style", f"{element.get('style') or ''};{style}".strip(";"))
