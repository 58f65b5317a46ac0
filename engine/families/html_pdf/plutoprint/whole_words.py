"""Keep words whole that stand within or behind an element in a line, where long words may break.

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
_LONG = re.compile(r"(\S{21,})")
"""A word that may be longer than its line. All others are kept: behind a kept word, the next one would break."""
_WHOLE = "overflow-wrap:normal!important;word-break:normal!important"
_MOST = 20_000


def keep(page: Page, sheets: list[str], *, media: str) -> None:
    """Forbid breaks in the words behind each start and end of an element in a line."""
    if not any(_ASKED.search(each) for each in sheets):
        return
    said = declared(page.root, sheets, _NAMES, None, media=media)
    asked = {each for each, own in said.items() if any("break-word" in value for value in own.values())}
    asked.update(each for each in page.styled if _ASKED.search(each.get("style") or ""))
    left = _MOST
    for element in [each for each in page.root.iter(*INLINE) if asked.intersection((each, *each.iterancestors()))]:
        if left <= 0 or element.getparent() is None or not _UNSEEN.isdisjoint(up.tag for up in element.iterancestors()):
            continue
        element.tail, behind = _kept(element, element.tail or "")
        for run in reversed(behind):
            element.addnext(run)
        left -= len(behind)
        if element.text and _has_text_before(element):
            element.text, inside = _kept(element, element.text)
            element[:0] = inside
            left -= len(inside)


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


def _kept(near: Element, text: str) -> tuple[str, list[Element]]:
    """A text as what comes before its first word that is kept, and the runs of such words, with what is behind each."""
    before = ""
    runs: list[Element] = []
    for at, piece in enumerate(_LONG.split(text)):
        words = "" if at % 2 else piece.strip()
        first, _, last = piece.partition(words) if words else (piece, "", "")
        if runs:
            runs[-1].tail += first
        else:
            before += first
        if words:
            run = near.makeelement("fc-run", style=_WHOLE)
            run.text, run.tail = words, last
            runs.append(run)
    return before, runs
