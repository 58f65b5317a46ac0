"""CSS lengths as points."""

from __future__ import annotations

import re

from conversions.families.html_pdf.paper import PT

_LENGTH = re.compile(r"(-?\d+(?:\.\d+)?|-?\.\d+)(mm|cm|in|pt|px|pc|em|rem|ex|q|%)?")
_OF_TEXT = {"em": 12.0, "rem": 12.0, "ex": 6.0}


def points(value: str, whole: float) -> float | None:
    """A length in points, with `whole` as what a percentage is of and text of 12 points; None for anything else."""
    match = _LENGTH.fullmatch(value.strip().lower())
    if not match or (match[2] is None and float(match[1])):
        return None
    if match[2] == "%":
        return float(match[1]) / 100 * whole if whole else None
    return float(match[1]) * (_OF_TEXT.get(match[2]) or PT.get(match[2] or "pt", 1.0))
