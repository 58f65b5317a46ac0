"""Tell elements that have nothing but text in lines, and those whose text can be vertical."""

from __future__ import annotations

import re

from engine.families.html_pdf.source.cleaning import Element

_IN_LINES = frozenset((
    "a", "abbr", "b", "bdi", "big", "br", "cite", "code", "del", "dfn", "em", "fc-run", "font", "i", "ins", "kbd",
    "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
))  # fmt: skip
_LONGEST = 200
_UPRIGHT = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
"""Letters that stand upright in vertical text."""


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


def is_upright(text: str) -> bool:
    """Whether letters stand upright in vertical text."""
    return _UPRIGHT.search(text) is not None


def can_be_vertical(element: Element) -> bool:
    """Whether the text of an element is short, and its letters all stand upright or all lie on their side."""
    text = short_text(element).replace(" ", "")
    upright = len(_UPRIGHT.findall(text))
    return bool(text) and upright in (0, len(text))
