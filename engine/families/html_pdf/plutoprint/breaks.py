"""Move forced page breaks after the preceding box, which preserves margins and merges double breaks.

A margin after a forced break counts (CSS Fragmentation 3, 5.2); PlutoPrint drops it if the break comes before the box,
and makes an empty page if the preceding box also has a break after it.
"""

from __future__ import annotations

import re

from engine.families.html_pdf.plutoprint.declared import Declared, declared, word_of
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page

FORCED = {
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
    """Move each forced break before a block to the end of the preceding block, if there is one."""
    if not any(_ASKED.search(each) for each in sheets):
        return
    names = (*_BEFORE, "display", "position", "float")
    declarations = declared(page.root, sheets, names, None, media=media)
    for element in page.styled:
        declarations.setdefault(
            element, dict(re.findall(r"(?:^|;)\s*([\w-]+)\s*:\s*([^;]*)", element.get("style") or ""))
        )
    for element in list(declarations):
        words = (word_of(declarations, element, each) for each in _BEFORE)
        kind = next((FORCED[each] for each in words if each in FORCED), None)
        if kind is None or element.tag not in _FLOWING or word_of(declarations, element, "display") == "none":
            continue
        front = _front(element, declarations)
        if front is not None:
            add_style(front, f"break-after:{kind}!important")
            add_style(element, "break-before:auto!important")


def in_columns(sheets: list[str]) -> bool:
    """Whether there may be columns with unbreakable boxes."""
    return any("break-inside" in each for each in sheets) and any("column" in each for each in sheets)


def free_columns(page: Page, sheets: list[str], *, media: str) -> None:
    """Make boxes in columns breakable: PlutoPrint puts unbreakable ones into columns beyond the last one."""
    declarations = declared(page.root, sheets, ("columns", "column-count", "column-width"), None, media=media)
    styled = [each for each in page.styled if "column" in (each.get("style") or "")]
    for below in {below for each in (*declarations, *styled) for below in each.iter() if isinstance(below.tag, str)}:
        add_style(below, "break-inside:auto!important")


def _front(element: Element, declarations: Declared) -> Element | None:
    """The block in the flow directly before a block, or before the block that starts with it."""
    while element.tag != "body":
        before, parent = element.getprevious(), element.getparent()
        if parent is None or parent.tag not in _AROUND or word_of(declarations, parent, "display") not in ("", "block"):
            return None
        while before is not None:
            if before.tail and before.tail.strip():
                return None
            if before.tag != "style" and word_of(declarations, before, "display") != "none":
                flows = word_of(declarations, before, "display") in ("", "block", "flex", "table")
                flows = flows and word_of(declarations, before, "position") in ("", "static", "relative")
                flows = flows and word_of(declarations, before, "float") in ("", "none")
                return before if flows and before.tag in _FLOWING else None
            before = before.getprevious()
        if parent.text and parent.text.strip():
            return None
        element = parent
    return None
