"""Read vertical writing as lines of rotated letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from engine.families.pdf.page.glyphs import SLANTED, Glyph, Style

_FIRST = "\u2e80"
"""The first character that vertical writing uses."""

_FEWEST = 3
"""The minimum number of characters in a vertical column; two may be in a table."""

_STEP = (0.4, 1.45)
"""Times the text size: the maximum distance to the next character, which covers half-width signs and wide spacing."""

_BESIDE = 0.3
"""Times the text size: the maximum horizontal offset of a column's characters."""

_TOUCHING = 0.25
_ACROSS = 1.3
"""Times the text size: the maximum gap between horizontal digits within a column, and their maximum width."""

_BELOW = 0.12
"""Times the text size: how far a character's em box extends below its baseline, or left of it if rotated."""

_SINGLE = 0.5
"""The share of single-character lines on a page."""

_SPACE = 0.35
"""Times the text size: a gap in a column that is a space."""


class _Cell(NamedTuple):
    """A cell of a column: a character, or horizontal digits, from `start` to `end`."""

    start: int
    end: int
    x0: float
    x1: float
    base: float
    style: Style


def with_columns_rotated(glyphs: Sequence[Glyph]) -> tuple[list[Glyph], int]:
    """The glyphs in content order, those in vertical columns rotated by a quarter turn, and their number.

    Columns run down and from right to left, like the lines of a page rotated clockwise.
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
        # A single character of a column is told from horizontal text by its style.
        if cell.style in styles and _is_wide(glyphs[cell.start].text) and _is_alone(glyphs, cell):
            _turn(found, [cell])
    return found, sum(one.style is not other.style for one, other in zip(glyphs, found, strict=True))


def is_vertical(text: str) -> bool:
    """Whether PDFium's text, in which each character of a column is a line, looks like vertical writing."""
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
    """Whether it is a wide character (UAX #11)."""
    return letter >= _FIRST and unicodedata.east_asian_width(letter) in ("W", "F")


@cache
def _turned(style: Style) -> Style:
    return replace(style, turn=(style.turn + 1) % 4)
