"""Recognise lettered items inside the items of a list."""

from __future__ import annotations

import re

_LABEL = re.compile(r"^\(?([a-zA-Z]|[ivxIVX]{2,4})[.)]\s+(?=\S)")
_FIRST = frozenset("aAiI")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi")
_DEEPER = 0.8
"""Times the text size: how far an inner item is inside the one around it."""


def label_of(text: str, last: str, *, deeper: float) -> str:
    """The letter that begins a line in a list; empty for other lines, and for letters out of turn.

    `last` is the letter before it, and `deeper` how far the line is inside the item around it, in times its size.
    """
    found = _LABEL.match(text)
    if found is None:
        return ""
    label = found[1]
    if last:
        return label if label.lower() in _after(last.lower()) else ""
    return label if label in _FIRST and deeper > _DEEPER else ""


def _after(label: str) -> list[str]:
    """The letters that may follow one: `i` is the first number as well as a letter."""
    found = [chr(ord(label) + 1)] if len(label) == 1 else []
    if label in _ROMAN[:-1]:
        found.append(_ROMAN[_ROMAN.index(label) + 1])
    return found
