"""Write data frames as JSON lines, byte for byte as msgspec does."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterator
from typing import Any, BinaryIO

import msgspec
import polars

from engine.families.data.columnar.cells import called_by_place, encoded_alike, name_bytes, texts, values
from engine.families.data.columnar.pouring import into
from engine.families.data.values import Number, Value
from engine.toolkit.warnings import Warn

_DATES = (polars.Date, polars.Datetime("us"), polars.Datetime("ms"))
_ODD = r'["\\\x00-\x1f\x7f]'
"""Characters that JSON text has to escape, and one that is rare."""
_KEY = "k"
_NULL, _QUOTE = polars.lit("null"), polars.lit('"')


class Lines:
    """Writes frames; `encode_lines` encodes the rows of frames with columns that polars would format otherwise."""

    def __init__(self, encode_lines: Callable[[list[Any]], bytes], warn: Warn) -> None:
        self._encode_lines = encode_lines
        self._warn = warn

    def write(self, frame: polars.DataFrame, file: BinaryIO, end: str = "\n", numbers: Collection[int] = ()) -> None:
        """Write one object for each row, each followed by `end`; columns of `numbers` are in source form."""
        name_bytes(frame.schema, self._warn)
        columns = called_by_place(frame)
        if not all(map(_alike, columns)):
            lines = self._encode_lines(_objects(frame, numbers))
            file.write(lines.replace(b"\n", end.encode()))
            return
        tokens = [_token(each, bare=at in numbers) for at, each in enumerate(columns)]
        written = polars.DataFrame([*columns]).select(polars.concat_str(_between(frame.columns, tokens)))
        with into(file) as target:
            # write_csv is the fastest way to write texts with an arbitrary separator.
            written.write_csv(target, include_header=False, quote_style="never", line_terminator=end)

    def encode(self, frame: polars.DataFrame, numbers: Collection[int] = ()) -> bytes:
        """Return the same as bytes, without the last line break."""
        file = io.BytesIO()
        if frame.height:
            self.write(frame, file, numbers=numbers)
        return file.getvalue()[:-1]


def _objects(frame: polars.DataFrame, numbers: Collection[int]) -> list[dict[str, Value]]:
    columns = [
        [None if each is None else Number(each) for each in series.to_list()] if at in numbers else values(series)
        for at, series in enumerate(frame)
    ]
    return [dict(zip(frame.columns, row, strict=True)) for row in zip(*columns, strict=True)]


def _between(names: list[str], tokens: list[polars.Expr]) -> Iterator[polars.Expr]:
    """Return the parts of the text of a row: the fixed text and the values."""
    start = "{"
    for name, token in zip(names, tokens, strict=True):
        yield polars.lit(f"{start}{msgspec.json.encode(name).decode()}:")
        yield token
        start = ","
    yield polars.lit("}")


def _token(series: polars.Series, *, bare: bool) -> polars.Expr:
    """Return an expression for a column as JSON."""
    kind, column = series.dtype, polars.col(series.name)
    if bare or kind == polars.Boolean or kind.is_integer():
        return column.cast(polars.String).fill_null(_NULL)
    if kind in _DATES:
        return _quoted(polars.lit(texts(series)))
    if kind == polars.String and not series.str.contains(_ODD).any():
        return _quoted(column)
    written = polars.struct(column.alias(_KEY)).struct.json_encode()
    return written.str.slice(len(_KEY) + 4).str.head(-1)


def _quoted(column: polars.Expr) -> polars.Expr:
    return polars.concat_str(_QUOTE, column, _QUOTE).fill_null(_NULL)


def _alike(series: polars.Series) -> bool:
    """Return whether polars and msgspec format all values alike, once dates are text."""
    return series.dtype in _DATES or encoded_alike(series)
