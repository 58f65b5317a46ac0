"""Emphasis marks and scaled characters (ECMA-376, part 1, 17.3.2.12 and 17.3.2.43)."""

from __future__ import annotations

import re
from html import escape

from engine.families.documents.word import text_widths
from engine.families.documents.word.names import pt
from engine.families.documents.word.properties import Properties

_EAST_ASIAN = r"\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\uffef"
_PIECES = re.compile(rf"\s+|[{_EAST_ASIAN}]|[^\s{_EAST_ASIAN}]{{1,30}}")
"""Spaces, East Asian letters, and words: a line may break between them. Long words are cut."""
_MARKS = {
    "dot": "mark-above",
    "comma": "mark-above mark-comma",
    "circle": "mark-above mark-circle",
    "underDot": "mark-below",
}


def has_form(formatting: Properties) -> bool:
    """Whether the characters of a run have marks, or are wider or narrower than those of their font."""
    return bool(formatting.get("em")) or formatting.get("scale", 1.0) != 1.0


def shown(text: str, formatting: Properties) -> str:
    """The markup of a text with its marks, drawn beside each character, and as wide as it is scaled."""
    scale = formatting.get("scale", 1.0)
    mark = _MARKS.get(formatting.get("em") or "")
    if scale == 1.0:
        return "".join(_marked(each, mark) for each in text)
    return "".join(_scaled(each, scale, mark, formatting) for each in _PIECES.findall(text))


def _marked(letter: str, mark: str | None) -> str:
    if mark is None or letter.isspace():
        return escape(letter, quote=False)
    return f'<span class="em">{escape(letter, quote=False)}<span class="{mark}"></span></span>'


def _scaled(word: str, scale: float, mark: str | None, formatting: Properties) -> str:
    inside = "".join(_marked(each, mark) for each in word)
    if word.isspace():
        return inside
    wide = text_widths.width(word, formatting)
    return (
        f'<span class="scaled" style="width:{pt(wide * scale)}">'
        f'<span style="transform:scaleX({scale:g})">{inside}</span></span>'
    )
