"""Detect text with so many emphasis marks that pandoc would need quadratic time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.toolkit.failures import OverLimit

MOST_PAIRS = 50_000_000
"""The maximum pairs of marks in all blocks; pandoc took 8.5 s for three times as many.

1,000 items with 4 marks each have 16 million.
"""
_MOST_WRITTEN = 5_000_000_000
"""The maximum pairs of a text that pandoc only writes: its writer of docx took 5 s for 5.6 billion, in 260 KB, and 24 s
for four times as many."""
_BLANK = re.compile(r"\n[ \t]*\n")
_MARKS = re.compile(r"[*_~]+")


def is_heavy(text: str) -> bool:
    """Whether pandoc would need too long for the emphasis of a Markdown text: it is read by another reader then.

    Raises OverLimit if pandoc would need too long to write it, whoever reads it.
    """
    if text.count("*") + text.count("_") + text.count("~") < MOST_PAIRS**0.5:
        return False
    pairs = sum(len(_MARKS.findall(block)) ** 2 for block in _BLANK.split(text))
    if pairs > _MOST_WRITTEN:
        raise OverLimit("limit", "The document's paragraphs have too many emphasis marks.")
    return pairs > MOST_PAIRS


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the begin and end of each block of a text; blank lines separate blocks."""
    start = 0
    for blank in _BLANK.finditer(text):
        yield start, blank.start()
        start = blank.end()
    yield start, len(text)
