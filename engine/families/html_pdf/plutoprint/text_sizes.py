"""Compute text sizes as PlutoPrint does (CSS Fonts 4, 2.5)."""

from __future__ import annotations

from collections.abc import Iterable

import tinycss2

from engine.families.html_pdf.css.room_lengths import TextSizes, length

NAMES = ("font", "font-size")
WORDS = {
    "xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32,
    "xxx-large": 48,
}  # fmt: skip
"""Sizes by name, in CSS pixels."""
HEADINGS = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h5": 0.83, "h6": 0.67}
"""Sizes of headings in those of the text around them."""
_OWN = {**HEADINGS, "small": 1 / 1.2, "big": 1.2, "sub": 1 / 1.2, "sup": 1 / 1.2}
_STEPS = {"smaller": 1 / 1.2, "larger": 1.2}


def size(tag: str, declared: Iterable[tuple[str, str]], parent: float, root: float) -> float:
    """The text size of an element in CSS pixels, by its `declared` names and values, the winning one last."""
    found = parent * _OWN.get(tag, 1.0)
    for name, value in declared:
        if name not in NAMES:
            continue
        given = (_size(each, parent, root) for each in tinycss2.parse_component_value_list(value, skip_comments=True))
        found = next((each for each in given if each is not None), found)
    return found


def _size(token: object, parent: float, root: float) -> float | None:
    kind = getattr(token, "type", "")
    word = getattr(token, "lower_value", "") if kind == "ident" else ""
    if word in WORDS:
        return float(WORDS[word])
    if word in _STEPS:
        return parent * _STEPS[word]
    if kind not in ("dimension", "percentage", "function"):
        return None
    given = length(token, TextSizes(parent, root))
    return given.share * parent + given.pixels if given is not None else None
