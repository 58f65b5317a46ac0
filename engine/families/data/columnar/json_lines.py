"""Write data frames as JSON lines, byte for byte as msgspec does."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, BinaryIO

import polars

from engine.families.data.columnar.cells import called_by_place, encoded_alike, name_bytes, rows, texts
from engine.families.data.columnar.pouring import into
from engine.toolkit.warnings import Warn

_DATES = (polars.Date, polars.Datetime("us"), polars.Datetime("ms"))


class Lines:
    """Writes frames; `encode_lines` encodes the rows of frames with columns that polars would format otherwise."""

    def __init__(self, encode_lines: Callable[[list[Any]], bytes], warn: Warn) -> None:
        self._encode_lines = encode_lines
        self._warn = warn

    def write(self, frame: polars.DataFrame, file: BinaryIO, end: str = "\n") -> None:
        """Write one object for each row, each followed by `end`."""
        name_bytes(frame.schema, self._warn)
        if not all(map(_alike, called_by_place(frame))):
            lines = self._encode_lines([dict(zip(frame.columns, row, strict=True)) for row in rows(frame)])
            file.write(lines.replace(b"\n", end.encode()))
            return
        frame = _with_dates_as_texts(frame)
        with into(file) as target:
            if end == "\n":
                frame.write_ndjson(target)
            else:
                # write_csv is the fastest way to write rows with an arbitrary separator.
                written = frame.select(polars.struct(polars.all()).struct.json_encode())
                written.write_csv(target, include_header=False, quote_style="never", line_terminator=end)

    def encode(self, frame: polars.DataFrame) -> bytes:
        """Return the same as bytes, without the last line break."""
        file = io.BytesIO()
        if frame.height:
            self.write(frame, file)
        return file.getvalue()[:-1]


def _with_dates_as_texts(frame: polars.DataFrame) -> polars.DataFrame:
    dates = [series for series in frame if isinstance(series.dtype, polars.Date | polars.Datetime)]
    return frame.with_columns(map(texts, dates)) if dates else frame


def _alike(series: polars.Series) -> bool:
    """Return whether polars and msgspec format all values alike, once dates are text."""
    return series.dtype in _DATES or encoded_alike(series)
