"""Row labels outside the rules of a table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from engine.families.pdf.page.drawing import Rule
from engine.families.pdf.page.glyphs import Glyph
from engine.families.pdf.page.grids import Grid

_FEWEST, _MOST_ROWS = 3, 0.7
"""The minimum number of labelled rows, and their share of the non-empty ones."""

_WORDS = 5
"""The maximum average words of a label: the lines of a text beside a table have more."""

_NUMBERS = 0.6
"""The minimum share of numbers in the first cells inside the rules: words there are the labels themselves."""

_LEVEL = 0.5
_NEAR = 1.0
_MARGIN = 2.0
"""The tolerance of a label's words from one line in times their size; points beyond the edge; points before them."""


def with_labels(grid: Grid, words: Sequence[list[Glyph]]) -> Grid:
    """The grid with a column added at its left if words label nearly all of its rows."""
    edge = grid.xs[0]
    labels: dict[int, list[list[Glyph]]] = {}
    firsts: dict[int, str] = {}
    filled: set[int] = set()
    for word in words:
        first, last = word[0], word[-1]
        row = bisect_right(grid.ys, first.base - 0.3 * first.style.size) - 1
        if not 0 <= row < len(grid.ys) - 1 or first.style.turn:
            continue
        if last.x1 <= edge + _NEAR:
            labels.setdefault(row, []).append(word)
        elif first.x0 < grid.xs[-1]:
            filled.add(row)
            if (first.x0 + last.x1) / 2 < grid.xs[1]:
                firsts[row] = firsts.get(row, "") + "".join(each.text for each in word)
    of_one_line = [row for row, found in labels.items() if row in filled and _is_line(found)]
    if (
        len(of_one_line) < max(_FEWEST, _MOST_ROWS * len(filled))
        or sum(len(labels[row]) for row in of_one_line) > _WORDS * len(of_one_line)
        or sum(map(_is_number, firsts.values())) < _NUMBERS * max(len(firsts), 1)
    ):
        return grid
    start = min(word[0].x0 for row in of_one_line for word in labels[row]) - _MARGIN
    lying = [*grid.lying, *(Rule(start, edge, at) for at in grid.ys)]
    return Grid([start, *grid.xs], grid.ys, lying, grid.standing)


def _is_line(words: Sequence[list[Glyph]]) -> bool:
    bases = [word[0].base for word in words]
    return max(bases) - min(bases) <= _LEVEL * words[0][0].style.size


def _is_number(text: str) -> bool:
    return any(letter.isdigit() for letter in text) and not any(letter.isalpha() for letter in text)
