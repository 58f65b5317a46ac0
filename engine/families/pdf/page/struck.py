"""Find the words that a page strikes through: only a line, drawn apart from the text, says so."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import islice

from engine.families.pdf.page.drawing import Rule
from engine.families.pdf.page.glyphs import Glyph
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_LOST = Kind("STYLE_DROPPED", "Lines through words are missing from the result: {count}{places}.")
_UPPER, _LOWER = 0.45, 0.15
"""Times the text size above the baseline, between which a line goes through a letter."""
_THICK = 0.3
"""Times the text size: a line as thick as this, as high as a small letter's half, is a ground of the words."""
_MOST_RULES = 64
"""The most rules at the height of a letter that are compared with it."""


def struck_words(glyphs: Iterable[Glyph], lying: Sequence[Rule]) -> list[str]:
    """The words with a line through at least half of their letters."""
    rules = sorted(lying, key=lambda rule: rule.at)
    heights = [rule.at for rule in rules]
    found: list[str] = []
    word, hits = "", 0

    def end() -> None:
        if word and 2 * hits >= len(word):
            found.append(word)

    for glyph in glyphs if rules else ():
        if glyph.spaced:
            end()
            word, hits = "", 0
        if glyph.style.turn or not any(map(str.isalnum, glyph.text)):
            continue
        word += glyph.text[:1]
        middle = (glyph.x0 + glyph.x1) / 2
        at = bisect_left(heights, glyph.base - _UPPER * glyph.style.size)
        lowest = glyph.base - _LOWER * glyph.style.size
        near = (rule for rule in islice(rules, at, at + _MOST_RULES) if rule.at <= lowest)
        most = _THICK * glyph.style.size
        hits += any(rule.start <= middle <= rule.end and rule.thick < most for rule in near)
    end()
    return found


def report(words: Sequence[str], warn: Warn) -> None:
    """Report the words whose lines are left out, by number."""
    warn.tally(_LOST, len(words), (say("“{words}”", words=each[:40]) for each in words))
