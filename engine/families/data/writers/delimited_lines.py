"""Write rows as delimited text column by column, checking common properties of a column once (RFC 4180)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engine.families.data.table import Row
from engine.families.data.values import Value, column_texts
from engine.toolkit.formulas import guarded

_PLAIN = {int, float, bool}
_IN_PLAIN = frozenset("0123456789+-.truefalsNInity")
_ONE_LIKE_A_FORMULA = "-Infinity"


class Lines:
    """Formats lines; `formulas` counts the cells that begin like one.

    With `nulls`, None is empty and the empty text is `""`; None as the only cell of a row is quoted, too.
    """

    def __init__(self, *, delimiter: str, end: str, quote_all: bool, nulls: bool, escape_formulas: bool) -> None:
        self.delimiter = delimiter
        self.end = end
        self.quote_all = quote_all
        self.nulls = nulls
        self.escape = escape_formulas
        self.formulas = 0
        self._special = re.compile(f'["\r\n{re.escape(delimiter)}]')
        self._plain_is_bare = not quote_all and delimiter not in _IN_PLAIN

    def encode(self, rows: Sequence[Row]) -> bytes:
        """The lines of rows of equal length."""
        if not any(rows):
            return self.end.encode() * len(rows)
        columns = [self._cells(column) for column in zip(*rows, strict=True)]
        if len(columns) == 1:  # where nothing would be an empty line
            lines = [cell or '""' for cell in columns[0]]
        else:
            lines = list(map(self.delimiter.join, zip(*columns, strict=True)))
        lines.append("")
        return self.end.join(lines).encode()

    def _cells(self, column: Sequence[Value]) -> Sequence[str]:
        cells = column_texts(column)
        if self._plain_is_bare and set(map(type, column)) <= _PLAIN and _ONE_LIKE_A_FORMULA not in cells:
            return cells
        cells, formulas = guarded(cells, escape=self.escape)
        self.formulas += formulas
        if self.quote_all:
            cells = list(map(_quoted, cells))
        elif self._special.search("\0".join(cells)):
            special: Callable[[str], object] = self._special.search
            cells = [_quoted(cell) if special(cell) else cell for cell in cells]
        if not self.nulls:
            return cells
        if self.quote_all:
            return ["" if value is None else cell for value, cell in zip(column, cells, strict=True)]
        if "" not in column:
            return cells
        return [cell if cell or value is None else '""' for value, cell in zip(column, cells, strict=True)]


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'
