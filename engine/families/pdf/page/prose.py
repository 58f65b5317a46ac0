"""Recognise text in columns that looks like a table but is not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from engine.families.pdf.page.segments import Segment
from engine.families.pdf.page.spacing import spaces_in

WORDS = 4.5
"""The minimum average words per line of prose."""

FILL = 0.72
"""The minimum share of the column width that lines of prose fill."""

_LABEL = re.compile(r"^\[[\w+]{1,12}\]$")
"""The label before a bibliography entry."""


_SOLID_LINES = 5
_SOLID, _SOLID_WORDS, _NUMBERED, _LEADING = 0.6, 3.8, 0.2, 1.45
"""For narrow columns: the share of full lines, their words, the share with numbers, and the maximum line spacing."""

_LED = re.compile(r"(?:[.·…_]\s?){4}\s*+[\divxlcIVXLC]{1,6}+\s*+$")
_MOST_LED = 0.6


def is_running_text(column: list[Segment], width: float) -> bool:
    """Whether the text of a column continues from line to line."""
    return len(column) >= 3 and _is_like_prose(column, width)


def are_parallel_texts(columns: Sequence[list[Segment]], edges: Sequence[Sequence[float]], full: int) -> bool:
    """Whether columns with `full` rows in common are parallel texts, or bibliography entries."""
    prose = [_is_like_prose(lines, x1 - x0) for lines, (x0, x1) in zip(columns, edges, strict=True)]
    if full == 2 and sum(prose) >= 2:
        return True
    if all(_is_set_solid(lines, x1 - x0) for lines, (x0, x1) in zip(columns, edges, strict=True)):
        return True
    labels = [all(_LABEL.match(each.text) for each in lines) for lines in columns]
    return any(label and reads for label, reads in zip(labels, prose[1:], strict=False))


def _is_set_solid(lines: list[Segment], width: float) -> bool:
    """Whether closely spaced lines of words, with few numbers, fill a column."""
    if len(lines) < _SOLID_LINES:
        return False
    full = [each for each in lines if each.x1 - each.x0 >= FILL * width]
    gaps = [after.base - before.base for before, after in pairwise(lines)]
    return (
        len(full) >= _SOLID * len(lines)
        and sum(spaces_in(each.text) + 1 for each in full) >= _SOLID_WORDS * len(full)
        and sum(any(letter.isdigit() for letter in each.text) for each in lines) <= _NUMBERED * len(lines)
        and median(gaps) <= _LEADING * median(each.size for each in lines)
    )


def are_listings(columns: Sequence[list[Segment]]) -> bool:
    """Whether columns are parallel tables of contents with dot leaders."""
    return sum(_are_led(lines) for lines in columns) >= 2


def has_leader(text: str) -> bool:
    """Whether a line is an entry of a table of contents with a dot leader."""
    return bool(_LED.search(text))


def _are_led(lines: list[Segment]) -> bool:
    return sum(has_leader(each.text) for each in lines) >= _MOST_LED * len(lines) > 0


def _is_like_prose(lines: list[Segment], width: float) -> bool:
    if len(lines) < 2:
        return False
    words = sum(spaces_in(each.text) + 1 for each in lines) / len(lines)
    fill = sum(min(each.x1 - each.x0, width) for each in lines) / len(lines) / max(width, 1)
    return words >= WORDS and fill >= FILL
