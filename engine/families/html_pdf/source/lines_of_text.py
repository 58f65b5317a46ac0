"""Tell elements that have nothing but text in lines."""

from __future__ import annotations

from engine.families.html_pdf.source.cleaning import Element

_IN_LINES = frozenset((
    "a", "abbr", "b", "bdi", "big", "br", "cite", "code", "del", "dfn", "em", "fc-run", "font", "i", "ins", "kbd",
    "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
))  # fmt: skip
_LONGEST = 200


def short_text(element: Element) -> str:
    """The text of an element that has nothing else, in up to 200 characters; empty for any other."""
    text = ""
    for each in element.iter():
        if each is not element and each.tag not in _IN_LINES:
            return ""
        text += (each.text or "") + ((each.tail or "") if each is not element else "")
        if len(text) > 5 * _LONGEST:
            return ""
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else ""
