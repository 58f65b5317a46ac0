"""Evaluate media queries for print."""

from __future__ import annotations

import re

PAGE_WIDTH = 794.0
"""The width of A4 in CSS pixels, for media queries."""
_CSS_PIXELS = {"px": 1.0, "em": 16.0, "rem": 16.0, "pt": 96 / 72, "cm": 96 / 2.54, "mm": 96 / 25.4, "in": 96.0}
_LENGTH = re.compile(r"(\d{1,6}(?:\.\d{1,4})?)(px|r?em|pt|[cm]m|in)?")
_OF_PAPER = {
    "orientation": "portrait",
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "reduce",
    "color": "",
}


_PRELUDE = re.compile(r"@media[^@{}]*\{", re.IGNORECASE)
_ASKED = re.compile(r"\((?:min|max)-width:[^()]*\)", re.IGNORECASE)


def answered(sheet: str, width: float) -> str:
    """A lowered style sheet with its width queries evaluated for `width` CSS pixels.

    Browsers evaluate them for the whole sheet of paper, PlutoPrint for the area inside the margins.
    """

    def answer(match: re.Match[str]) -> str:
        return "(min-width:0px)" if _feature(match[0].lower(), width) else "(max-width:0px)"

    return _PRELUDE.sub(lambda prelude: _ASKED.sub(answer, prelude[0]), sheet) if "-width:" in sheet else sheet


def media_matches(query: str, width: float = PAGE_WIDTH) -> bool:
    """Whether a media query list (Media Queries 4) matches paper that is `width` CSS pixels wide."""
    return any(_matches_one(part, width) for part in query.lower().split(",")) if query else True


def _matches_one(query: str, width: float) -> bool:
    negated = query.strip().startswith("not ")
    words = query.replace("only ", " ").replace("not ", " ").split(" and ")
    result = all(_feature(word.strip(), width) for word in words)
    return result != negated


def _feature(word: str, width: float) -> bool:
    if not word.startswith("("):
        return word in ("all", "print", "pdf", "")
    name, _, value = (part.strip() for part in word.strip("() ").partition(":"))
    if name in ("min-width", "max-width"):
        match = _LENGTH.fullmatch(value)
        if not match:
            return False
        length = float(match[1]) * _CSS_PIXELS[match[2] or "px"]
        return length <= width if name == "min-width" else length >= width
    return value == _OF_PAPER.get(name, "-")
