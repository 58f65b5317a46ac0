"""Segments: letters that stand together on one line, with nothing wider than a word's space between them."""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from conversions.families.pdf.page.glyphs import SLANTED, Glyph, Style

WIDE = 0.9
"""Times the size of the letters: a gap from which on a line is two segments."""

_TOUCHING = 0.12
_WORD = 0.2
"""Times the size: a gap that is a space where PDFium says nothing of the two letters."""

_SAME_LINE = 0.25
_LOWERED = 0.36
"""Times the size: how far a letter may be off its line that touches the one before it, as the E of a TeX."""

_SLANTED_WORD = 2.2
"""Times the size: how far the next word of a slanted line begins at most from the last letter."""

_RAISED = 0.62
"""Times the larger size: how far smaller letters may be off the line and still belong to it."""


@dataclass(slots=True)
class Span:
    """Letters of one look; `raised` is 1 for superscript, -1 for subscript."""

    text: str
    style: Style
    raised: int = 0
    link: str = ""


@dataclass(slots=True)
class Segment:
    """Letters on one line, from `x0` to `x1`, the largest of them `size` high; `order` is that of its first letter."""

    spans: list[Span]
    x0: float
    x1: float
    base: float
    size: float
    order: int
    turn: int = 0
    spaced: bool = True

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)

    @property
    def top(self) -> float:
        return self.base - 0.8 * self.size

    @property
    def bottom(self) -> float:
        return self.base + 0.22 * self.size


@cache
def _is_mark(letter: str) -> bool:
    """Whether it stands over or under the letter before it."""
    return unicodedata.category(letter) in ("Mn", "Me")


@cache
def _from_right(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL")


def segments_of(glyphs: Iterable[Glyph], wide: float = WIDE) -> list[Segment]:
    """The letters, given in the order of the page's text, as segments in the order of their first letters."""
    found: list[Segment] = []
    current: Segment | None = None
    previous: Glyph | None = None
    for glyph in glyphs:
        if current is not None and previous is not None and _goes_on(current, previous, glyph, wide):
            _append(current, previous, glyph)
        else:
            current = _begun(glyph)
            found.append(current)
        previous = glyph
    return _joined(found)


def _begun(glyph: Glyph) -> Segment:
    text, x0, x1, base, style, spaced, order = glyph
    return Segment([Span(text, style)], x0, x1, base, style.size, order, style.turn, spaced)


def _goes_on(current: Segment, previous: Glyph, glyph: Glyph, wide: float) -> bool:
    style, before = glyph.style, previous.style
    if style is not before and style.turn != before.turn:
        return False
    size = max(current.size, style.size)
    if style.turn == SLANTED:
        apart = math.hypot(glyph.x0 - previous.x0, glyph.base - previous.base)
        return not glyph.spaced or apart < _SLANTED_WORD * size
    if _is_mark(glyph.text):
        return abs(glyph.base - current.base) < size and previous.x0 - size < glyph.x0 < previous.x1 + size
    off = abs(glyph.base - current.base)
    if not glyph.spaced and style is before and -0.36 * size < glyph.x0 - previous.x1 < 0.1 * size:
        off *= _SAME_LINE / _LOWERED
    if off > _SAME_LINE * min(current.size, style.size):
        smaller = min(current.size, style.size) <= 0.86 * size
        if not smaller or off > _RAISED * size or (glyph.spaced and off > 0.4 * size):
            return False
    if _from_right(glyph.text) or _from_right(previous.text):
        gap = max(previous.x0 - glyph.x1, glyph.x0 - previous.x1)
        return gap < wide * size
    gap = glyph.x0 - previous.x1
    return -0.7 * size < gap < wide * size


def _append(current: Segment, previous: Glyph, glyph: Glyph) -> None:
    text, x0, x1, base, style, spaced, _ = glyph
    if spaced and not _is_mark(text):
        text = " " + text
    last = current.spans[-1]
    raised = 0
    if style.size > current.size:
        if abs(base - current.base) > _SAME_LINE * current.size:
            for span in current.spans:  # a small letter came first: what follows is the line
                span.raised = 1 if current.base < base else -1
        current.base, current.size = base, style.size
    elif abs(base - current.base) > 0.12 * current.size and style.size < 0.86 * current.size:
        raised = 1 if base < current.base else -1
    if style is last.style and raised == last.raised:
        last.text += text
    else:
        current.spans.append(Span(text, style, raised))
    current.x0 = min(current.x0, x0)
    current.x1 = max(current.x1, x1)


def _joined(found: list[Segment]) -> list[Segment]:
    """The segments, those joined that touch on one line although their letters come apart in the page's text."""
    by_line: dict[tuple[int, int], list[Segment]] = {}
    for each in found:
        if each.turn == SLANTED:
            continue
        by_line.setdefault((each.turn, round(each.base)), []).append(each)
    gone: set[int] = set()
    for (turn, base), on_line in by_line.items():
        near = sorted((*on_line, *by_line.get((turn, base + 1), ())), key=lambda each: each.x0)
        for before, after in itertools.pairwise(near):
            if id(before) in gone or id(after) in gone or before is after:
                continue
            size = max(before.size, after.size)
            gap = after.x0 - before.x1
            if (
                abs(before.base - after.base) <= _SAME_LINE * min(before.size, after.size)
                and -_TOUCHING * size < gap < _WORD * 2 * size
                and not _from_right(before.text[-1])
                and not _from_right(after.text[0])
            ):
                space = " " if gap > _WORD * size or (after.spaced and gap > _TOUCHING * size) else ""
                after.spans[0].text = space + after.spans[0].text
                after.spans[:0] = before.spans
                after.x0, after.order = before.x0, min(before.order, after.order)
                after.size, after.spaced = size, before.spaced
                gone.add(id(before))
    return sorted((each for each in found if id(each) not in gone), key=lambda each: each.order)
