"""Split texts and words that are too long for PlutoPrint."""

from __future__ import annotations

from engine.families.html_pdf.source import limits
from engine.families.html_pdf.source.cleaning import Element, Page

_SPACES = frozenset(" \t\r\n\f")
_INLINE = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img",
    "ins", "kbd", "label", "mark", "q", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time",
    "tt", "u", "var",
))  # fmt: skip


def split(page: Page) -> None:
    """Split texts longer than PlutoPrint's limit into equal-looking runs; let long words break."""
    _break_words(page)
    if page.longest <= limits.LONGEST_TEXT:
        return
    for element in list(page.root.iter()):
        if element.tag in ("style", "title", "svg"):
            continue
        if element.text and len(element.text) > limits.LONGEST_TEXT:
            runs = _runs(element, element.text)
            element.text = None
            element[0:0] = runs
        if element.tail and len(element.tail) > limits.LONGEST_TEXT and element.getparent() is not None:
            runs = _runs(element, element.tail)
            element.tail = None
            parent = element.getparent()
            at = parent.index(element) + 1
            parent[at:at] = runs


def _break_words(page: Page) -> None:
    """Allow line breaks within a word of more than MOST_IN_WORD elements."""
    for parent in list(page.root.iter()):
        if len(parent) <= limits.MOST_IN_WORD or parent.tag == "svg":
            continue
        length = 0
        for child in list(parent):
            text = "".join(child.itertext()) + (child.tail or "")
            ends = child.tag not in _INLINE or not _SPACES.isdisjoint(text)
            length = 0 if ends else length + 1
            if length > limits.MOST_IN_WORD:
                child.addprevious(child.makeelement("wbr"))
                length = 1


def _runs(element: Element, text: str) -> list[Element]:
    found = []
    while text:
        end = limits.LONGEST_TEXT
        if len(text) > end:
            end = (text.rfind(" ", 1, end) + 1) or end
        run = element.makeelement("fc-run")
        run.text, text = text[:end], text[end:]
        found.append(run)
    return found
