"""Segments: glyphs on one line with at most a word space between them."""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from engine.families.pdf.page.glyphs import SLANTED, Glyph, Style
from engine.families.pdf.page.tagged import Tag

WIDE = 0.9
"""Times the text size: a gap that splits a line into two segments."""

_TOUCHING = 0.12
_WORD = 0.2
"""Times the text size: a gap that is a space if PDFium reports none between two characters."""

_THIN = 0.11
_TIGHT = 0.04
_FEWEST, _NEAR = 3, 7
"""Times the text size: a gap between words if all glyphs before are closer, and how close three or more are."""

_ALIKE = 0.9
"""Times a gap: the range of the other word gaps around it, on a line that is narrower than its text."""

_SCRIPT, _LIFTED = 0.86, 0.12
"""Times the larger text size: the maximum size of a script, and its minimum offset from the baseline."""

_PLAIN = "\u0300"
"""Characters below this one are left-to-right, have spaces between words, and stand alone."""

_SPACED = (("\0", _PLAIN), ("\u0370", "\u0590"), ("\u2010", "\u2e80"))
"""The ranges of scripts with spaces between words, and their punctuation; each with its exclusive end."""

_SAME_LINE = 0.25
_LOWERED = 0.36
"""Times the text size: the maximum offset of a touching character from the baseline, such as the E of TeX."""

_SLANTED_WORD = 2.2
"""Times the text size: the maximum distance to the next word of a slanted line."""

_RAISED = 0.62
"""Times the larger text size: the maximum offset of smaller characters on the same line."""


@dataclass(slots=True)
class Span:
    """Text in one style; `raised` is 1 for superscript, -1 for subscript."""

    text: str
    style: Style
    raised: int = 0
    link: str = ""


@dataclass(slots=True)
class Segment:
    """Text on one line, from `x0` to `x1`, with the largest text `size`; `order` is that of its first glyph.

    `marked` is whether it starts with a marker that was separate, such as an item's number.
    """

    spans: list[Span]
    x0: float
    x1: float
    base: float
    size: float
    order: int
    turn: int = 0
    spaced: bool = True
    tag: Tag | None = None
    marked: bool = False

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
    """Whether it is a combining mark."""
    return unicodedata.category(letter) in ("Mn", "Me")


@cache
def _is_spaced(letter: str) -> bool:
    """Whether it belongs to a left-to-right script with spaces between words."""
    return any(first <= letter < end for first, end in _SPACED)


@cache
def _from_right(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL")


def segments_of(glyphs: Sequence[Glyph], wide: float = WIDE) -> list[Segment]:
    """The glyphs, given in content order, as segments in the order of their first glyphs."""
    found: list[Segment] = []
    current: Segment | None = None
    previous: Glyph | None = None
    begin = 0
    for at, glyph in enumerate(glyphs):
        text, x0, x1, base, style, spaced = glyph[:6]
        if current is not None and previous is not None:
            if (
                style is previous.style
                and not spaced
                and base == current.base
                and text < _PLAIN > previous.text
                and (
                    -_THIN < (x0 - previous.x1) / style.size <= _THIN
                    or (x0 == previous.x0 and x1 == previous.x1)  # of one ligature
                )
                and current.size == style.size
                and style.turn != SLANTED
                and (last := current.spans[-1]).style is style
                and not last.raised
            ):
                # Fast path: most glyphs simply continue the segment.
                last.text += text
                if x0 < current.x0:
                    current.x0 = x0
                if x1 > current.x1:
                    current.x1 = x1
                previous = glyph
                continue
            if _goes_on(current, previous, glyph, wide):
                if not spaced and x0 - previous.x1 > _THIN * style.size and _is_apart(glyphs, begin, at):
                    glyph = glyph._replace(spaced=True)
                _append(current, previous, glyph)
                if glyph.spaced:
                    begin = at
                previous = glyph
                continue
        current = _begun(glyph)
        found.append(current)
        begin = at
        previous = glyph
    return _joined(found)


def _is_apart(glyphs: Sequence[Glyph], begin: int, at: int) -> bool:
    """Whether a gap that glyphs within words don't have separates a glyph from the word that starts at `begin`."""
    before, glyph = glyphs[at - 1], glyphs[at]
    if glyph.style is not before.style:
        return False
    alphabetic = glyph.text.isalpha() and before.text.isalpha()
    if (
        at - begin >= _FEWEST
        and alphabetic
        and all(gap < _TIGHT for gap in _gaps(glyphs, max(begin, at - _NEAR), at, glyph.base))
    ):
        return True
    gap = (glyph.x0 - before.x1) / glyph.style.size
    word = min(_WORD, _ALIKE * gap) if alphabetic else _WORD
    if gap <= word or not (_is_spaced(glyph.text) and _is_spaced(before.text)):
        return False
    # A word as short as `a` says nothing about its spacing: the words around it on its line do.
    near = [*_gaps(glyphs, max(0, at - _NEAR), at, glyph.base), *_gaps(glyphs, at, at + _NEAR, glyph.base)]
    tight = sum(gap < _TIGHT for gap in near)
    wide = sum(gap > word for gap in near)
    return tight + wide == len(near) and tight >= max(_FEWEST, 2 * (wide + 1))


def _gaps(glyphs: Sequence[Glyph], start: int, end: int, base: float) -> Iterator[float]:
    """The gaps between glyphs without a reported space, on the baseline `base`, in times their size."""
    for before, after in itertools.pairwise(glyphs[start:end]):
        if not after.spaced and after.style is before.style and before.base == after.base == base:
            yield (after.x0 - before.x1) / after.style.size


def _begun(glyph: Glyph) -> Segment:
    text, x0, x1, base, style, spaced, order, tag = glyph[:8]
    return Segment([Span(text, style)], x0, x1, base, style.size, order, style.turn, spaced, tag)


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
        smaller = min(current.size, style.size) <= _SCRIPT * size
        if not smaller or off > _RAISED * size or (glyph.spaced and off > 0.4 * size):
            return False
    if _from_right(glyph.text) or _from_right(previous.text):
        gap = max(previous.x0 - glyph.x1, glyph.x0 - previous.x1)
        return gap < wide * size
    gap = glyph.x0 - previous.x1
    return -0.7 * size < gap < wide * size


def _is_script(previous: Glyph, glyph: Glyph) -> bool:
    """Whether a touching glyph is raised or lowered, which PDFium takes for another line."""
    size, smaller = previous.style.size, glyph.style.size
    if size < smaller:
        size, smaller = smaller, size
    return (
        smaller <= _SCRIPT * size
        and _LIFTED * size < abs(glyph.base - previous.base)
        and -_TOUCHING * size < glyph.x0 - previous.x1 < _TIGHT * smaller
    )


def _append(current: Segment, previous: Glyph, glyph: Glyph) -> None:
    text, x0, x1, base, style, spaced = glyph[:6]
    if spaced and not (_is_mark(text) or _is_script(previous, glyph)):
        text = " " + text
    last = current.spans[-1]
    raised = 0
    if style.size > current.size:
        if abs(base - current.base) > _SAME_LINE * current.size:
            for span in current.spans:  # the script came first: this glyph sets the baseline
                span.raised = 1 if current.base < base else -1
        current.base, current.size = base, style.size
    elif abs(base - current.base) > _LIFTED * current.size and style.size < _SCRIPT * current.size:
        raised = 1 if base < current.base else -1
    if style is last.style and raised == last.raised:
        last.text += text
    else:
        current.spans.append(Span(text, style, raised))
    current.x0 = min(current.x0, x0)
    current.x1 = max(current.x1, x1)


def _joined(found: list[Segment]) -> list[Segment]:
    """The segments, with those joined that touch on one line but are apart in content order."""
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
                after.size, after.spaced, after.tag = size, before.spaced, before.tag
                gone.add(id(before))
    return sorted((each for each in found if id(each) not in gone), key=lambda each: each.order)
