"""Move forced page breaks after the preceding box, which preserves margins and merges double breaks.

A margin after a forced break counts (CSS Fragmentation 3, 5.2); PlutoPrint drops it if the break comes before the box,
and makes an empty page if the preceding box also has a break after it. It also drops a break after a box without height
at the top of a page, such as one that holds positioned boxes only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.families.html_pdf.plutoprint.declared import Declared, declared, word_of
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page

FORCED = {
    "page": "page", "always": "page", "left": "left", "right": "right", "recto": "recto", "verso": "verso",
}  # fmt: skip
_BEFORE, _AFTER = ("page-break-before", "break-before"), ("page-break-after", "break-after")
_ASKED = re.compile(r"break-(?:before|after)\s*:\s*(?:page|always|left|right|recto|verso)")
_FLOWING = frozenset((
    "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "section", "article",
    "hr", "pre", "figure", "header", "footer", "main", "nav", "aside", "form", "fieldset", "address", "center",
))  # fmt: skip
_AROUND = frozenset(("body", "div", "section", "article", "main", "form", "center"))


def move(page: Page, sheets: list[str], *, media: str) -> None:
    """Move each forced break before a block to the end of the preceding block, if there is one.

    Blocks without height between two forced breaks become 1 px high.
    """
    if not any(_ASKED.search(each) for each in sheets):
        return
    names = (*_BEFORE, *_AFTER, "display", "position", "float")
    declarations = declared(page.root, sheets, names, None, media=media)
    for element in page.styled:
        declarations.setdefault(
            element, dict(re.findall(r"(?:^|;)\s*([\w-]+)\s*:\s*([^;]*)", element.get("style") or ""))
        )
    for element in list(declarations):
        if element.tag not in _FLOWING or word_of(declarations, element, "display") == "none":
            continue
        kind, after = (_forced(element, each, declarations) for each in (_BEFORE, _AFTER))
        front = None if kind is None and after is None else _front(element, declarations)
        if front is None:
            continue
        if after is not None:
            _raise(element, front, declarations)
        if kind is not None:
            add_style(front, f"break-after:{kind}!important")
            add_style(element, "break-before:auto!important")
            _raise(front, _front(front, declarations), declarations)


def in_columns(sheets: list[str]) -> bool:
    """Whether there may be columns with unbreakable boxes."""
    return any("break-inside" in each for each in sheets) and any("column" in each for each in sheets)


def free_columns(page: Page, sheets: list[str], *, media: str) -> None:
    """Make boxes in columns breakable: PlutoPrint puts unbreakable ones into columns beyond the last one."""
    declarations = declared(page.root, sheets, ("columns", "column-count", "column-width"), None, media=media)
    styled = [each for each in page.styled if "column" in (each.get("style") or "")]
    for below in {below for each in (*declarations, *styled) for below in each.iter() if isinstance(below.tag, str)}:
        add_style(below, "break-inside:auto!important")


def _forced(element: Element, names: Sequence[str], declarations: Declared) -> str | None:
    words = (word_of(declarations, element, each) for each in names)
    return next((FORCED[each] for each in words if each in FORCED), None)


def _raise(element: Element, front: Element | None, declarations: Declared) -> None:
    """Give a block some height if it begins a page, where there is room, and nothing in it is in the flow."""
    if _forced(element, _BEFORE, declarations) is None and (
        front is None or _forced(front, _AFTER, declarations) is None
    ):
        return
    if (element.text and element.text.strip()) or any(each.tail and each.tail.strip() for each in element):
        return
    if not any(_flows_or_floats(each, declarations) for each in element):
        add_style(element, "min-height:1px!important")


def _flows_or_floats(element: Element, declarations: Declared) -> bool:
    if not isinstance(element.tag, str) or element.tag == "style" or "hidden" in element.attrib:
        return False
    position = word_of(declarations, element, "position")
    return word_of(declarations, element, "display") != "none" and position not in ("absolute", "fixed")


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
