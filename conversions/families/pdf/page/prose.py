"""Text that stands in columns as tables do, and is none."""

from __future__ import annotations

import re
from collections.abc import Sequence

from conversions.families.pdf.page.segments import Segment

WORDS = 4.5
"""Words that lines of prose have at least, on the average."""

FILL = 0.72
"""Part of their column that lines of prose take."""

_LABEL = re.compile(r"^\[[\w+]{1,12}\]$")
"""What stands before an entry of a list of works."""


def is_read_on(column: list[Segment], width: float) -> bool:
    """Whether what stands in a column reads on from line to line."""
    return len(column) >= 3 and _is_like_prose(column, width)


def are_texts(columns: Sequence[list[Segment]], edges: Sequence[Sequence[float]], full: int) -> bool:
    """Whether columns with `full` rows in common are texts beside each other, or entries of a list of works."""
    prose = [_is_like_prose(lines, x1 - x0) for lines, (x0, x1) in zip(columns, edges, strict=True)]
    if full == 2 and sum(prose) >= 2:
        return True
    labels = [all(_LABEL.match(each.text) for each in lines) for lines in columns]
    return any(label and reads for label, reads in zip(labels, prose[1:], strict=False))


def _is_like_prose(lines: list[Segment], width: float) -> bool:
    if len(lines) < 2:
        return False
    words = sum(each.text.count(" ") + 1 for each in lines) / len(lines)
    fill = sum(min(each.x1 - each.x0, width) for each in lines) / len(lines) / max(width, 1)
    return words >= WORDS and fill >= FILL
