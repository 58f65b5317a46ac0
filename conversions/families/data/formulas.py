"""Formulas: texts that a spreadsheet would run on opening a delimited file (OWASP, "CSV Injection")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

MARKS = ("=", "+", "-", "@", "\t", "\r")
"""What such a text begins with."""

_FORMULAS = re.compile("\0([-=+@\t\r][^\0]*)")
_NUMERIC = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?%?")


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet would run the cell; numbers are none."""
    return cell.startswith(MARKS) and not _NUMERIC.fullmatch(cell)


def guarded(rows: list[Sequence[str]], *, escape: bool) -> tuple[list[Sequence[str]], int]:
    """The rows, with an apostrophe before each formula if `escape`, and the number of formulas."""
    # Seen as one text first: negative numbers, which are no formulas, are in every other table.
    suspects = _FORMULAS.findall("\0" + "\0".join(chain.from_iterable(rows)))
    if all(map(_NUMERIC.fullmatch, suspects)):
        return rows, 0
    count = 0
    for at, row in enumerate(rows):
        for column, cell in enumerate(row):
            if is_formula(cell):
                count += 1
                if escape:
                    rows[at] = [*rows[at][:column], "'" + cell, *rows[at][column + 1 :]]
    return rows, count
