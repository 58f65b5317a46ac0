"""Parse the numbers of a printed table by its own notation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest

_POINTED = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_COMMAED = re.compile(r"-?(?:\d{1,3}(?:[. ]\d{3})+|\d+)(?:,\d+)?")
_SURELY_POINTED = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,}|\d+\.\d{1,2}|\d+\.\d{4,}|0\.\d+)")
_SURELY_COMMAED = re.compile(r"-?(?:\d{1,3}(?:[. ]\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+,\d{1,2}|\d+,\d{4,}|0,\d+)")
_MINUS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u2010": "-", "\u00a0": " ", "\u202f": " "})
_DIGITS = 15
"""Every 64-bit float keeps this many digits."""


Value = str | int | float | None


def values(rows: Sequence[Sequence[str]]) -> list[list[Value]]:
    """The rows of a table with the numbers of each column that has nothing but numbers below its head.

    A column has its own format, or that of the table where it does not tell. A cell without digits is no number and no
    hindrance. Empty cells are None.
    """
    table = Spelling(cell for row in rows for cell in row)
    columns = [_column(each, table) for each in zip_longest(*rows, fillvalue="")]
    return [[column[at] for column in columns[: len(row)]] for at, row in enumerate(rows)]


def _column(cells: Sequence[str], table: Spelling) -> list[Value]:
    own = Spelling(cells)
    spelling = own if own.is_known else table
    found = [spelling.value(each) for each in cells]
    head = next((at for at, each in enumerate(cells) if each and not each[0].isalpha()), len(cells))
    if any(isinstance(each, str) and any(map(str.isdigit, each)) for each in found[head:]):
        return [each or None for each in cells]
    return found


class Spelling:
    """The number format of some cells: a decimal point or comma, by the majority of unambiguous ones."""

    def __init__(self, cells: Iterable[str]) -> None:
        bare = [_bare(cell) for cell in cells]
        pointed = sum(bool(_SURELY_POINTED.fullmatch(each)) for each in bare)
        commaed = sum(bool(_SURELY_COMMAED.fullmatch(each)) for each in bare)
        self._mixed = bool(pointed and commaed)
        self._comma = commaed > pointed
        self.is_known = bool(pointed or commaed)
        """Whether any of the cells tells the format."""

    def value(self, cell: str) -> str | int | float | None:
        """The number in a cell, else its text, None if it is empty.

        Leading zeros, over 15 digits, units, and all but integers of a table with two formats stay text.
        """
        if not cell:
            return None
        text = _bare(cell)
        if not (_COMMAED if self._comma else _POINTED).fullmatch(text):
            return cell
        if self._mixed and not text.lstrip("-").isdigit():
            return cell
        plain = re.sub(r"[. ]", "", text).replace(",", ".") if self._comma else text.replace(",", "")
        digits = plain.lstrip("-")
        if (digits.startswith("0") and len(digits) > 1 and digits[1] != ".") or len(digits) > _DIGITS:
            return cell
        return float(plain) if "." in plain else int(plain)


def _bare(cell: str) -> str:
    """A cell with a plain minus; (1.00) is -1.00, as in accounting."""
    text = cell.translate(_MINUS).strip()
    if text.startswith("(") and text.endswith(")") and text[1:2].isdigit():
        return f"-{text[1:-1]}"
    return text
