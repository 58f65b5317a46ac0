"""Find the words that a page underlines: only a thin line below them, drawn apart from the text, says so."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise

from engine.families.pdf.page.drawing import Rule
from engine.families.pdf.page.glyphs import Glyph, Style
from engine.families.pdf.page.links_and_fields import Link

_UPPER, _LOWER = 0.02, 0.3
"""Times the text size below the baseline, between which a line underlines a letter."""
_NEAR, _FAR = 0.3, 0.95
"""Times the text size above the baseline, between which a line above a letter is that of a fraction."""
_BEYOND = 0.35
"""Times the text size: how far a line may reach beyond its words, as the border of a box or a cell does."""
_WIDEST = 0.9
"""Times the text size: the widest gap between underlined words."""
_TOUCHING = 2.0
"""Points between the end of a line of a table and the line that it meets."""
_MOST_RULES = 64
"""The most rules at the height of a letter that are compared with it."""


def with_underlines(
    glyphs: list[Glyph], lying: Sequence[Rule], standing: Sequence[Rule], links: Sequence[Link]
) -> list[Glyph]:
    """The glyphs, in an underlined style where a line as wide as they are is below them.

    Lines of tables, which are wider or meet others, and of fractions are none. Words of links are left as they are.
    """
    rules = sorted(lying, key=lambda rule: rule.at)
    heights = [rule.at for rule in rules]
    above: defaultdict[int, list[int]] = defaultdict(list)
    below: set[int] = set()
    for number, glyph in enumerate(glyphs if rules else ()):
        if glyph.style.turn:
            continue
        middle, size = (glyph.x0 + glyph.x1) / 2, glyph.style.size
        at = bisect_left(heights, glyph.base - _FAR * size)
        for place, rule in enumerate(islice(rules, at, at + _MOST_RULES), at):
            if rule.at > glyph.base + _LOWER * size:
                break
            if rule.start <= middle <= rule.end:
                if rule.at >= glyph.base + _UPPER * size:
                    above[place].append(number)
                elif rule.at <= glyph.base - _NEAR * size:
                    below.add(place)
    meeting = sorted(standing, key=lambda rule: rule.at)
    edges = [rule.at for rule in meeting]
    styles: dict[Style, Style] = {}
    found = list(glyphs)
    for place, numbers in above.items():
        rule, words = rules[place], [glyphs[each] for each in numbers]
        if place in below or not _covers(rule, words) or _meets(rule, meeting, edges) or _links(words, links):
            continue
        for number in numbers:
            style = glyphs[number].style
            found[number] = glyphs[number]._replace(style=styles.setdefault(style, replace(style, underlined=True)))
    return found


def _covers(rule: Rule, words: Sequence[Glyph]) -> bool:
    """Whether a rule begins and ends with words that have no wide gap."""
    across = sorted((glyph.x0, glyph.x1) for glyph in words)
    size = max(glyph.style.size for glyph in words)
    apart = max((after[0] - before[1] for before, after in pairwise(across)), default=0.0)
    beyond = max(across[0][0] - rule.start, rule.end - across[-1][1])
    return apart <= _WIDEST * size and beyond <= _BEYOND * size and any(str.isalnum(each.text[:1]) for each in words)


def _meets(rule: Rule, standing: Sequence[Rule], edges: Sequence[float]) -> bool:
    """Whether a standing rule meets one of the ends of a rule."""
    for end in (rule.start, rule.end):
        at = bisect_left(edges, end - _TOUCHING)
        near = (each for each in islice(standing, at, at + _MOST_RULES) if each.at <= end + _TOUCHING)
        if any(each.start - _TOUCHING <= rule.at <= each.end + _TOUCHING for each in near):
            return True
    return False


def _links(words: Sequence[Glyph], links: Sequence[Link]) -> bool:
    """Whether words are those of a link."""
    first = words[0]
    x, y = (first.x0 + first.x1) / 2, first.base - first.style.size / 4
    return any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in (each.box for each in links))
