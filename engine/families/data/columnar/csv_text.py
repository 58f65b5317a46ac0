"""Write data frames as delimited text, byte for byte as Python's csv module does."""

from __future__ import annotations

import re
from typing import BinaryIO

import polars

from engine.families.data.columnar.cells import called_by_place, in_calendar, name_bytes, spelled_alike, texts
from engine.families.data.columnar.pouring import Quotes, write_rows
from engine.toolkit.formulas import MARKS, is_formula
from engine.toolkit.warnings import Warn

_MARKED = f"^[{''.join(map(re.escape, MARKS))}]"
_NUMERIC = r"^[+-]?[0-9]+(\.[0-9]+)?$"
"""The most frequent texts that begin with a sign and are not formulas."""


class Lines:
    """Writes frames of at least two columns, and counts in `formulas` the cells that a spreadsheet would run.

    `delimiter` is one ASCII character. With `nulls`, an empty text is written as `""` and null as an empty cell.
    """

    def __init__(self, *, delimiter: str, line_end: str, quote_all: bool, nulls: bool, warn: Warn) -> None:
        self.formulas = 0
        self._delimiter = delimiter
        self._line_end = line_end
        self._quote_all = quote_all
        self._nulls = nulls
        self._warn = warn

    def write(self, frame: polars.DataFrame, file: BinaryIO) -> None:
        """Write one line for each row."""
        name_bytes(frame.schema, self._warn)
        columns = called_by_place(frame)
        cells = polars.DataFrame([series if _alike(series) else texts(series) for series in columns])
        self.formulas += _formulas(cells)
        self._write_cells(cells, file)

    def _write_cells(self, cells: polars.DataFrame, file: BinaryIO) -> None:
        quotes: Quotes = "necessary"
        if self._quote_all:
            quotes, cells = "always", polars.DataFrame([texts(series).fill_null("") for series in cells])
        elif not self._nulls:  # polars writes an empty text with quotes
            column = polars.col(polars.String)
            cells = cells.with_columns(polars.when(column != "").then(column))
        write_rows(cells, file, delimiter=self._delimiter, line_end=self._line_end, quotes=quotes)


def _alike(series: polars.Series) -> bool:
    """Return whether polars formats every cell of a column as `texts` does."""
    kind = series.dtype
    if kind == polars.Float64:
        return bool(spelled_alike(series).all())
    return kind in (polars.String, polars.Boolean) or kind.is_integer() or (kind == polars.Date and in_calendar(series))


def _formulas(cells: polars.DataFrame) -> int:
    """Return how many cells a spreadsheet would run as a formula."""
    found = 0
    for name in cells.select(polars.col(polars.String)).columns:
        # Sort order rules out texts that begin with a letter or a digit without running the regular expression on them.
        suspects = cells[name].filter(cells.select_seq(_is_early(name)).to_series())
        marked = suspects.filter(suspects.str.contains(_MARKED) & ~suspects.str.contains(_NUMERIC))
        found += sum(map(is_formula, marked.to_list()))
    return found


def _is_early(name: str) -> polars.Expr:
    """Return which texts begin with a character that sorts before "A" and is not a digit."""
    column = polars.col(name)
    return (column < "A") & ((column < "0") | (column >= ":"))
