"""Guard delimited files against formula injection (OWASP, "CSV Injection")."""

from __future__ import annotations

import re
from collections.abc import Sequence

MARKS = ("=", "+", "-", "@", "\t", "\r")
"""The characters a formula begins with."""

_FORMULAS = re.compile("\0([-=+@\t\r][^\0]*)")
_NUMERIC = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?%?")


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet would evaluate the cell; numbers are not formulas."""
    return cell.startswith(MARKS) and not _NUMERIC.fullmatch(cell)


def guarded(cells: Sequence[str], *, escape: bool) -> tuple[Sequence[str], int]:
    """The cells, with an apostrophe before each formula if `escape`, and the number of formulas."""
    # Checked as one text first: negative numbers, which are not formulas, occur in most tables.
    joined = "\0" + "\0".join(cells)
    # A cell that contains the separator would be counted as two.
    if joined.count("\0") == len(cells) and all(map(_NUMERIC.fullmatch, _FORMULAS.findall(joined))):
        return cells, 0
    return (["'" + cell if is_formula(cell) else cell for cell in cells] if escape else cells), sum(
        map(is_formula, cells)
    )
