"""Keep words whole that begin within an element in a line, where long words may break.

Behind the start or end of such an element, PlutoPrint breaks any word that goes beyond the line, and not only one that
is longer than a line (CSS Text 3, 5.2).
"""

from __future__ import annotations

import re

from engine.families.html_pdf.plutoprint.declared import declared
from engine.families.html_pdf.source.cleaning import Element, Page

_ASKED = re.compile(r"(?:overflow-wrap|word-break)\s*:\s*break-word")
_NAMES = ("overflow-wrap", "word-break")
INLINE = frozenset((
    "a", "abbr", "b", "bdi", "big", "cite", "code", "del", "dfn", "em", "fc-run", "font", "i", "ins", "kbd", "label",
    "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var",
))  # fmt: skip
_UNSEEN = frozenset(("style", "title", "script", "template", "svg"))
_WORD = re.compile(r"(\s*)(\S{2,20})(?!\S)(.*)", re.DOTALL)
"""A longer word may be longer than its line."""
_WHOLE = "overflow-wrap:normal!important;word-break:normal!important"
_MOST = 20_000


def keep(page: Page, sheets: list[str], *, media: str) -> None:
    """Forbid breaks in the first word behind each start and end of an element in a line."""
    if not any(_ASKED.search(each) for each in sheets):
        return
    said = declared(page.root, sheets, _NAMES, None, media=media)
    asked = {each for each, own in said.items() if any("break-word" in value for value in own.values())}
    asked.update(each for each in page.styled if _ASKED.search(each.get("style") or ""))
    left = _MOST
    for element in [each for each in page.root.iter(*INLINE) if asked.intersection((each, *each.iterancestors()))]:
        if left <= 0 or element.getparent() is None or not _UNSEEN.isdisjoint(up.tag for up in element.iterancestors()):
            continue
        left -= keep_behind(element)
        if element.text and (found := _WORD.fullmatch(element.text)) and _has_text_before(element):
            element.text = found[1]
            element.insert(0, _run(element, found))
            left -= 1


def keep_behind(element: Element) -> bool:
    """Forbid breaks in the first word behind an element; False if there is none, or a long one."""
    found = _WORD.fullmatch(element.tail or "")
    if found is None:
        return False
    element.tail = found[1]
    element.addnext(_run(element, found))
    return True


def _has_text_before(element: Element) -> bool:
    """Whether an element in a line is not the first thing in its block, so that its words may end the line."""
    while element.tag in INLINE:
        before, parent = element.getprevious(), element.getparent()
        if before is not None or parent is None:
            return True
        if parent.text and parent.text.strip():
            return True
        element = parent
    return False


def _run(near: Element, found: re.Match[str]) -> Element:
    run = near.makeelement("fc-run", style=_WHOLE)
    run.text, run.tail = found[2], found[3]
    return run
