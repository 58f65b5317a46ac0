"""Vertical writing: letters that stand upright below each other, as lines of letters that lie on their side."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from conversions.families.pdf.page.glyphs import SLANTED, Glyph, Style

_FIRST = "\u2e80"
"""Before this one no letter is written in columns."""

_FEWEST = 3
"""Letters below each other that are a column; two may be a table's."""

_STEP = (0.4, 1.45)
"""Times the size: how far the next letter of a column is below one, as half as wide signs and spread ones are."""

_BESIDE = 0.3
"""Times the size: how far the middles of a column's letters are off each other."""

_TOUCHING = 0.25
_ACROSS = 1.3
"""Times the size: letters of a number that stand beside each other in a column, and how wide it is at most."""

_BELOW = 0.12
"""Times the size: how far the square of a letter goes below its base, and of one on its side to the left of it."""

_SINGLE = 0.5
"""Of the lines of a page, those of one letter."""

_SPACE = 0.35
"""Times the size: a gap in a column that is a space."""


class _Cell(NamedTuple):
    """One place of a column: a letter, or the letters of a number beside each other, from `start` to `end`."""

    start: int
    end: int
    x0: float
    x1: float
    base: float
    style: Style


def in_columns(glyphs: Sequence[Glyph]) -> tuple[list[Glyph], int]:
    """The letters of a page, in the order of its text, those of columns turned once more than they are, and how many.

    A column runs down and the next one is to its left, as lines do on a page that is turned clockwise.
    """
    if not any(glyph.text >= _FIRST for glyph in glyphs):
        return list(glyphs), 0
    found = list(glyphs)
    loose: list[_Cell] = []
    styles: set[Style] = set()
    for run in _runs(_cells(glyphs)):
        if len(run) >= _FEWEST and 2 * sum(_is_wide(glyphs[cell.start].text) for cell in run) > len(run):
            styles.update(cell.style for cell in run)
            _turn(found, run)
        else:
            loose += run
    for cell in loose:
        # What is alone in its column is told by its look from the letters of lines beside it.
        if cell.style in styles and _is_wide(glyphs[cell.start].text) and _is_alone(glyphs, cell):
            _turn(found, [cell])
    return found, sum(one.style is not other.style for one, other in zip(glyphs, found, strict=True))


def is_written_down(text: str) -> bool:
    """Whether what PDFium tells of a page, which has a line for each letter of a column, looks like columns."""
    if text.isascii():
        return False
    lines = [line for line in text.splitlines() if line.strip()]
    return sum(len(line) == 1 and _is_wide(line) for line in lines) > _SINGLE * len(lines)


def _cells(glyphs: Sequence[Glyph]) -> Iterator[_Cell]:
    at = 0
    while at < len(glyphs):
        first = glyphs[at]
        end, x1, size = at + 1, first.x1, first.style.size
        while (
            end < len(glyphs)
            and (after := glyphs[end]).style is first.style
            and abs(after.base - first.base) < _BELOW * size
            and abs(after.x0 - x1) < _TOUCHING * size
            and after.x1 - first.x0 <= _ACROSS * size
            and not _is_wide(after.text)
            and not _is_wide(first.text)
        ):
            end, x1 = end + 1, after.x1
        yield _Cell(at, end, first.x0, x1, first.base, first.style)
        at = end


def _runs(cells: Iterable[_Cell]) -> Iterator[list[_Cell]]:
    run: list[_Cell] = []
    for cell in cells:
        if run and not _follows(run[-1], cell):
            yield run
            run = []
        run.append(cell)
    if run:
        yield run


def _follows(before: _Cell, cell: _Cell) -> bool:
    style, size = cell.style, max(cell.style.size, before.style.size)
    return (
        style.turn == before.style.turn != SLANTED
        and _STEP[0] * size < cell.base - before.base < _STEP[1] * size
        and (
            abs(cell.x0 - before.x0) < _BELOW * size
            or abs(cell.x0 + cell.x1 - before.x0 - before.x1) < 2 * _BESIDE * size
        )
    )


def _is_alone(glyphs: Sequence[Glyph], cell: _Cell) -> bool:
    near = (*glyphs[max(cell.start - 1, 0) : cell.start], *glyphs[cell.end : cell.end + 1])
    return all(abs(each.base - cell.base) > _SPACE * cell.style.size for each in near)


def _turn(found: list[Glyph], run: Sequence[_Cell]) -> None:
    left = min(cell.x0 for cell in run)
    past: float | None = None
    for cell in run:
        size = cell.style.size
        top, bottom = cell.base - (1 - _BELOW) * size, cell.base + _BELOW * size
        if past is not None and past > top:
            top = past
        each = (bottom - top) / (cell.end - cell.start)
        for at in range(cell.start, cell.end):
            start = top + (at - cell.start) * each
            found[at] = found[at]._replace(
                x0=start,
                x1=start + each,
                base=-left - _BELOW * size,
                style=_turned(cell.style),
                spaced=past is None or start - past > _SPACE * size,
            )
            past = start + each


@cache
def _is_wide(letter: str) -> bool:
    """Whether it is as wide as it is high (UAX #11)."""
    return letter >= _FIRST and unicodedata.east_asian_width(letter) in ("W", "F")


@cache
def _turned(style: Style) -> Style:
    return replace(style, turn=(style.turn + 1) % 4)
