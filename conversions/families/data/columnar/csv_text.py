"""Frames as lines of delimited text, byte for byte what Python's csv writes of the same cells."""

from __future__ import annotations

import io
import re
from typing import BinaryIO

import polars

from conversions.families.data.columnar.cells import called_by_place, in_calendar, name_bytes, spelled_alike, texts
from conversions.families.data.columnar.pouring import Quotes, write_rows
from conversions.toolkit.formulas import MARKS, is_formula
from conversions.toolkit.warnings import Warn

_MARKED = f"^[{''.join(map(re.escape, MARKS))}]"
_NUMERIC = r"^[+-]?[0-9]+(\.[0-9]+)?$"
"""The commonest of what begins with a sign and is no formula."""


class Lines:
    """Writes frames of at least two columns; `formulas` counts the cells that a spreadsheet would run.

    `delimiter` is one ASCII character. With `nulls`, an empty text is a quoted one, and null is nothing.
    """

    def __init__(self, *, delimiter: str, line_end: str, quote_all: bool, nulls: bool, warn: Warn) -> None:
        self.formulas = 0
        self._delimiter = delimiter
        self._line_end = line_end
        self._quote_all = quote_all
        self._nulls = nulls
        self._warn = warn

    def write(self, frame: polars.DataFrame, file: BinaryIO) -> None:
        """One row a line."""
        name_bytes(frame.schema, self._warn)
        columns = called_by_place(frame)
        cells = polars.DataFrame([series if _alike(series) else texts(series) for series in columns])
        self.formulas += _formulas(cells)
        self._write_cells(cells, file)

    def _write_cells(self, cells: polars.DataFrame, file: BinaryIO) -> None:
        if self._quote_all:
            cells = polars.DataFrame([texts(series).fill_null("") for series in cells])
            return self._pour(cells, file, "always")
        if not self._nulls:
            bare = io.BytesIO()
            self._pour(cells, bare, "never")
            if self._needs_no_quotes(bare.getvalue(), cells):
                file.write(bare.getvalue())
                return None
            cells = cells.with_columns(polars.col(polars.String).replace("", None))
        return self._pour(cells, file, "necessary")

    def _pour(self, cells: polars.DataFrame, file: BinaryIO, quotes: Quotes) -> None:
        write_rows(cells, file, delimiter=self._delimiter, line_end=self._line_end, quotes=quotes)

    def _needs_no_quotes(self, out: bytes, cells: polars.DataFrame) -> bool:
        """Whether what was written without quotes has no more delimiters and line breaks than it has cells and rows."""
        return (
            b'"' not in out
            and out.count(self._delimiter.encode()) == (cells.width - 1) * cells.height
            and out.count(b"\n") == cells.height
            and (b"\r" not in out or out.count(b"\r") == cells.height * (self._line_end == "\r\n"))
        )


def _alike(series: polars.Series) -> bool:
    """Whether polars writes all cells of a column as `texts` does."""
    kind = series.dtype
    if kind == polars.Float64:
        return bool(spelled_alike(series).all())
    return kind in (polars.String, polars.Boolean) or kind.is_integer() or (kind == polars.Date and in_calendar(series))


def _formulas(cells: polars.DataFrame) -> int:
    """How many cells a spreadsheet would run."""
    found = 0
    for name in cells.select(polars.col(polars.String)).columns:
        # Letters and digits can be told by where they stand among all characters, for which no cell has to be searched.
        suspects = cells[name].filter(cells.select_seq(_is_early(name)).to_series())
        marked = suspects.filter(suspects.str.contains(_MARKED) & ~suspects.str.contains(_NUMERIC))
        found += sum(map(is_formula, marked.to_list()))
    return found


def _is_early(name: str) -> polars.Expr:
    """Which texts begin with a character before the capital letters, digits left aside."""
    column = polars.col(name)
    return (column < "A") & ((column < "0") | (column >= ":"))
