"""Join the letters of words that are drawn one by one, which only their gaps tell from words of one letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import inf
from statistics import median

from engine.families.pdf.page.glyphs import Glyph

_LEAST, _MOST, _MOST_CAPITALS = 0.05, 0.36, 0.22
"""Times the text size: the gap between letters that are spaced; those that are closer touch. Rows of capitals that are
as far apart as words are often the labels of a drawing."""

_EVEN, _WORD = 0.06, 0.15
"""Times the text size: how far gaps in a word differ, and how much wider a gap between words is."""

_FEWEST = 5
"""The letters of a line from which on their gaps tell words apart."""

_LETTERS, _ALIKE = 0.5, 0.7
"""The least share of letters, and of even gaps."""

_SAME_LINE, _WIDE = 0.05, 1.5
"""Times the text size: how far the baselines of a line are apart, and the gap at which it ends."""


def with_even_letters(glyphs: Iterable[Glyph]) -> Iterator[Glyph]:
    """The glyphs, with spaces only where gaps are wider than those between the letters of their line.

    Spaces that the PDF has are left.
    """
    line: list[Glyph] = []
    for glyph in glyphs:
        if line and not _goes_on(line[-1], glyph):
            yield from _spaced(line)
            line = []
        line.append(glyph)
    yield from _spaced(line)


def _goes_on(before: Glyph, glyph: Glyph) -> bool:
    size = glyph.style.size
    return (
        (not glyph.spaced or glyph.guessed)
        and before.style.turn == glyph.style.turn
        and before.style.size == size
        and abs(before.base - glyph.base) < _SAME_LINE * size
        and -_EVEN * size < glyph.x0 - before.x1 < _WIDE * size
    )


def _spaced(line: list[Glyph]) -> list[Glyph]:
    if not any(each.guessed for each in line):
        return line
    gaps = [(after.x0 - before.x1) / after.style.size for before, after in pairwise(line)]
    usual = median(gaps) if gaps else 0.0
    alike = sum(abs(each - usual) < _EVEN for each in gaps)
    letters = sum(each.text.isalpha() for each in line)
    capitals = 2 * sum(each.text.islower() for each in line) < letters
    most = _MOST_CAPITALS if capitals else _MOST
    if _LEAST < usual < most and alike >= _ALIKE * len(gaps) and letters >= max(_FEWEST, _LETTERS * len(line)):
        within, beyond = usual + _EVEN, usual + _WORD
    else:
        within, beyond = _LEAST, inf
    found = line[:1]
    for at, gap in enumerate(gaps, 1):
        glyph = line[at]
        if gap > beyond:
            glyph = glyph._replace(spaced=True)
        elif gap < within and glyph.guessed and (beyond < inf or _is_single(line, at)):
            glyph = glyph._replace(spaced=False)
        found.append(glyph)
    return found


def _is_single(line: list[Glyph], at: int) -> bool:
    """Whether the space before a letter is one of two around it, or around the letter before it."""
    return line[at - 1].spaced or at + 1 == len(line) or line[at + 1].spaced
