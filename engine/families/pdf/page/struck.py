"""Find the words that a page strikes through: only a line, drawn apart from the text, says so."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise

from engine.families.pdf.page.clipping import clip_of
from engine.families.pdf.page.drawing import Rule
from engine.families.pdf.page.glyphs import Glyph
from engine.families.pdf.page.view import Box, View
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_LOST = Kind("STYLE_DROPPED", "Lines through words are missing from the result: {count}{places}.")
_UPPER, _LOWER = 0.45, 0.15
"""Times the text size above the baseline, between which a line goes through a letter."""
_THICK = 0.2
"""Times the text size: a thicker line is the ground of the words, or the border of a box behind them."""
_MOST_RULES = 64
"""The most rules at the height of a letter that are compared with it."""
_BEYOND = 1.0
"""Times the text size: how far a line may reach beyond its words; lines of tables, boxes and charts reach farther."""
_WIDEST = 1.5
"""Times the text size: the widest gap between the words of a line."""
_ACROSS = 0.8
"""The least share of its letters' width that a line has: one that is shorter is a part of a drawing."""
_MOST_AREAS = 2_000
"""The most areas that may cover a line; a page with more is a drawing."""


def struck_words(
    glyphs: Iterable[Glyph], lying: Sequence[Rule], areas: Sequence[tuple[int, Box]], view: View
) -> list[str]:
    """The words with a line through at least half of their letters.

    It begins and ends with them, and none of the opaque `areas` covers it.
    """
    if not lying:
        return []
    letters = list(glyphs)
    struck = _struck_letters(letters, lying, areas, view)
    found: list[str] = []
    word, hits = "", 0

    def end() -> None:
        if word and 2 * hits >= len(word):
            found.append(word)

    for at, glyph in enumerate(letters if struck else ()):
        if glyph.spaced:
            end()
            word, hits = "", 0
        if _counts(glyph):
            word += glyph.text[:1]
            hits += at in struck
    end()
    return found


def _counts(glyph: Glyph) -> bool:
    return not glyph.style.turn and any(map(str.isalnum, glyph.text))


def _struck_letters(
    glyphs: Sequence[Glyph], lying: Sequence[Rule], areas: Sequence[tuple[int, Box]], view: View
) -> set[int]:
    """The indexes of the glyphs that a line goes through."""
    rules = sorted(lying, key=lambda rule: rule.at)
    heights = [rule.at for rule in rules]
    through: defaultdict[int, list[int]] = defaultdict(list)
    for number, glyph in enumerate(glyphs):
        if glyph.style.turn:
            continue
        size, middle = glyph.style.size, (glyph.x0 + glyph.x1) / 2
        at = bisect_left(heights, glyph.base - _UPPER * size)
        for place, each in enumerate(islice(rules, at, at + _MOST_RULES), at):
            if each.at > glyph.base - _LOWER * size:
                break
            if each.start <= middle <= each.end and each.thick < _THICK * size:
                through[place].append(number)
    found: set[int] = set()
    for place, numbers in through.items():
        if (rule := _seen(rules[place], view)) is None:
            continue
        inside = [at for at in numbers if rule.start <= (glyphs[at].x0 + glyphs[at].x1) / 2 <= rule.end]
        if inside and _strikes(rule, [glyphs[at] for at in inside]) and not _is_covered(rule, areas):
            found.update(inside)
    return found


def _seen(rule: Rule, view: View) -> Rule | None:
    """The part of a line that is not clipped."""
    if rule.drawn is None or (clip := clip_of(rule.drawn[1], rule.drawn[2], view)) is None:
        return rule
    left, top, right, bottom = clip
    start, end = max(rule.start, left), min(rule.end, right)
    return Rule(start, end, rule.at, rule.thick, rule.drawn) if start < end and top <= rule.at <= bottom else None


def _strikes(rule: Rule, words: Sequence[Glyph]) -> bool:
    """Whether a line begins and ends with words that have no wide gap."""
    across = sorted((glyph.x0, glyph.x1) for glyph in words)
    size = max(glyph.style.size for glyph in words)
    apart = max((after[0] - before[1] for before, after in pairwise(across)), default=0.0)
    beyond = max(across[0][0] - rule.start, rule.end - across[-1][1])
    length = rule.end - rule.start
    return apart <= _WIDEST * size and beyond <= _BEYOND * size and length >= _ACROSS * (across[-1][1] - across[0][0])


def _is_covered(rule: Rule, areas: Sequence[tuple[int, Box]]) -> bool:
    """Whether an area that is painted later covers a line."""
    if rule.drawn is None or len(areas) > _MOST_AREAS:
        return False
    middle = (rule.start + rule.end) / 2
    return any(order > rule.drawn[0] and x0 <= middle <= x1 and y0 < rule.at < y1 for order, (x0, y0, x1, y1) in areas)


def report(words: Sequence[str], warn: Warn) -> None:
    """Report the words whose lines are left out, by number."""
    warn.tally(_LOST, len(words), (say("“{words}”", words=each[:40]) for each in words))
