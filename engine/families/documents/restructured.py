"""Refuse reStructuredText for which pandoc would take quadratic time."""

from __future__ import annotations

import re
from bisect import bisect_left

from engine.families.documents import emphasis
from engine.toolkit.failures import OverLimit

MOST_STEPS = 1_000_000
"""The maximum characters that are scanned in vain (`steps`) beyond the length of the text: pandoc takes 0.8 s for them.

Of 9,587 files (PEPs, the documentation of Sphinx, NumPy, CMake and of packages) none has more than 42,000.
"""

_TICK = re.compile(r"(?<![\w`\\])`(?=[^\s`])")
_CLOSING = re.compile(r"`(?![^\W_])")
_WORD = re.compile(r"[\w!\"#$%&'*+\-/=?^{|}~;.]{200,}")
_PART = re.compile(r"(?<=[{|*\-\"'])\w")


def check(text: str) -> None:
    """Raise OverLimit for a text with too many unclosed backticks, or too long words of many parts."""
    if steps(text) > len(text) + MOST_STEPS:
        raise OverLimit("limit", "There are too many unclosed backticks, or words with too many parts.")


def steps(text: str) -> int:
    """Return the characters that pandoc scans from each opening mark to its end, or in vain to the end of the block.

    A backtick is closed by one without a letter or digit after it, or by `>` if `<` precedes the next one. From each
    part of a long word, pandoc scans the rest of it for an email address.
    """
    made = sum(
        found.end() - part.start() for found in _WORD.finditer(text) for part in _PART.finditer(text, *found.span())
    )
    for start, end in emphasis.blocks(text):
        ticks = [found.start() for found in _TICK.finditer(text, start, end)]
        closings = [found.start() for found in _CLOSING.finditer(text, start, end)]
        for at in ticks:
            place = bisect_left(closings, at + 2)
            made += (closings[place] if place < len(closings) else end) - at
        made += _addresses(text, ticks, end)
    return made


def _addresses(text: str, ticks: list[int], end: int) -> int:
    made = 0
    opened = closed = -1
    for at in ticks:
        if opened != end and opened < at:
            opened = _found(text, "<", at, end)
        if opened < _found(text, "`", at + 1, end):
            if closed != end and closed < opened:
                closed = _found(text, ">", opened, end)
            made += closed - at
    return made


def _found(text: str, mark: str, start: int, end: int) -> int:
    found = text.find(mark, start, end)
    return end if found < 0 else found
