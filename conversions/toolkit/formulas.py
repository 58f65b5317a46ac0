"""Formulas: texts that a spreadsheet would run on opening a delimited file (OWASP, "CSV Injection")."""

from __future__ import annotations

import re
from collections.abc import Sequence

MARKS = ("=", "+", "-", "@", "\t", "\r")
"""What such a text begins with."""

_FORMULAS = re.compile("\0([-=+@\t\r][^\0]*)")
_NUMERIC = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?%?")


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet would run the cell; numbers are none."""
    return cell.startswith(MARKS) and not _NUMERIC.fullmatch(cell)


def guarded(cells: Sequence[str], *, escape: bool) -> tuple[Sequence[str], int]:
    """The cells, with an apostrophe before each formula if `escape`, and the number of formulas."""
    # Seen as one text first: negative numbers, which are no formulas, are in every other table.
    joined = "\0" + "\0".join(cells)
    # A cell that holds the mark between cells itself would be seen as two.
    if joined.count("\0") == len(cells) and all(map(_NUMERIC.fullmatch, _FORMULAS.findall(joined))):
        return cells, 0
    return (["'" + cell if is_formula(cell) else cell for cell in cells] if escape else cells), sum(
        map(is_formula, cells)
    )
