"""Blocks of delimited text as frames, where a block is certain to mean to polars what it means to RFC 4180."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from typing import IO, Any, cast

import polars

from conversions.families.data.columnar.cells import spelled_alike
from conversions.families.data.columnar.typed import of_kind, offsets, typed
from conversions.families.data.delimited.block import Block, block
from conversions.families.data.delimited.cutting import Cuts, Inexact
from conversions.families.data.inference import EXACT_DIGITS, Kind

_MARK = b"\xef\xbb\xbf"
"""Polars passes over it at the beginning of a block."""
_MAX_FAILURES = 8
"""Blocks that are not written as polars writes them, after which none is hoped to be."""
_LARGEST = 10**EXACT_DIGITS
_MANY = 1000
"""Numbers of a block that polars does not write as programs do."""
_STORED: dict[Kind | None, Any] = {
    "integer": polars.Int64,
    "number": polars.Float64,
    "boolean": polars.Boolean,
    "date": polars.Date,
}
"""The types that polars reads and writes as `inference` has them spelled, but for what `_spelled` looks at."""


Whole = Callable[[], bytes]


class Reader:
    """Reads blocks of rows of so many cells; with `nulls`, empty cells are null.

    A block whose last row may go on comes with what gives it `whole`. Columns are called by their places: to polars,
    names like "*" and "^…$" are patterns.
    """

    def __init__(self, *, delimiter: bytes, width: int, nulls: bool) -> None:
        self._delimiter = delimiter
        self._columns = list(map(str, range(width)))
        self._nulls = nulls
        self._failures = 0

    @property
    def nothing(self) -> polars.DataFrame:
        """No rows of text."""
        return polars.DataFrame(schema=dict.fromkeys(self._columns, polars.String))

    def texts(self, text: bytes, whole: Whole | None = None) -> polars.DataFrame:
        """All cells as text. Raises Inexact."""
        found, text = self._hoped(text, [None] * len(self._columns), whole)
        if found is None:
            return self._looked_at(text)
        return found if self._nulls else found.with_columns(polars.all().fill_null(""))

    def typed(
        self, text: bytes, kinds: Sequence[Kind | None], whole: Whole | None = None
    ) -> tuple[polars.DataFrame, int]:
        """Columns of these kinds, and how many instants have another zone than UTC. Raises Inexact and Unlike."""
        found, text = self._hoped(text, kinds, whole)
        if found is not None:
            others = [name for name, kind in zip(self._columns, kinds, strict=True) if kind not in _STORED]
            rest: list[Kind | None] = [kind for kind in kinds if kind not in _STORED]
            texts = found.select(others)
            return found.with_columns(typed(texts, rest)), offsets(texts, rest)
        found = self._looked_at(text)
        return typed(found, list(kinds)), offsets(found, list(kinds))

    def _hoped(
        self, text: bytes, kinds: Sequence[Kind | None], whole: Whole | None
    ) -> tuple[polars.DataFrame | None, bytes]:
        """As polars reads it, if that is proven, and the text to the end of a row. What is written again is whole."""
        failures = self._failures
        found = self._written_again(text, kinds)
        if found is None and whole is not None:
            given, text = text, whole()
            if len(text) > len(given):
                self._failures = failures
                found = self._written_again(text, kinds)
        return found, text

    def _written_again(self, text: bytes, kinds: Sequence[Kind | None]) -> polars.DataFrame | None:
        """As polars reads it, with nulls, where it writes it as it was, which is as RFC 4180 has it; or None.

        Cells are text where there is no type for their kind.
        """
        if self._failures == _MAX_FAILURES or len(self._columns) == 1 or text.startswith(_MARK):
            return None
        schema = {name: _STORED.get(kind, polars.String) for name, kind in zip(self._columns, kinds, strict=True)}
        try:
            found = polars.read_csv(text, has_header=False, separator=self._delimiter.decode(), schema=schema)
            if found.height and self._writes(found, text):
                return found.with_columns(map(_without_empty, found.select(polars.col(polars.String))))
        except (polars.exceptions.PolarsError, ValueError):  # a date may be of no year that Python has
            pass
        self._failures += 1
        return None

    def _writes(self, found: polars.DataFrame, text: bytes) -> bool:
        """Whether what was found is spelled as its types are, and written again is this text."""
        columns = list(map(_spelled, found))
        if any(each is None for each in columns):
            return False
        end = b"\r\n" if text.find(b"\r\n", 0, text.find(b"\n") + 1) >= 0 else b"\n"
        written = _Comparison(text)
        polars.DataFrame(columns).write_csv(
            cast(IO[bytes], written),
            include_header=False,
            separator=self._delimiter.decode(),
            line_terminator=end.decode(),
        )
        return written.is_all(end)

    def _looked_at(self, text: bytes) -> polars.DataFrame:
        rows = block(text, delimiter=self._delimiter, width=len(self._columns))
        return frame(rows, delimiter=self._delimiter, columns=self._columns, nulls=self._nulls)


class _Comparison:
    """A file that compares what is written to it with a text, and keeps nothing of that."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._left = len(text)
        self._more = b""
        self._same = True

    def write(self, part: bytes) -> int:
        size = len(part)
        if size > self._left:
            part, self._more = part[: self._left], self._more + part[self._left :]
        self._same = self._same and self._text.startswith(part, len(self._text) - self._left)
        self._left -= len(part)
        return size

    def is_all(self, end: bytes) -> bool:
        """Whether it is the text, which may be without the `end` of its last line."""
        return self._same and not self._left and self._more == (b"" if self._text.endswith(b"\n") else end)


def _spelled(series: polars.Series) -> polars.Series | None:
    """A column as its cells are to be written; None where they are not what `inference` takes for its type."""
    if series.dtype == polars.Int64:
        return series if series.is_between(-_LARGEST, _LARGEST, closed="none").all() else None
    if series.dtype == polars.Date:
        return _days(series) if series.is_between(date.min, date.max).all() else None
    if series.dtype != polars.Float64 or (alike := spelled_alike(series)).all():
        return series
    others = (~alike).arg_true()  # without those that are null
    digits = polars.Series(list(map(repr, series[others].to_list())), dtype=polars.String)
    if len(others) > _MANY or of_kind(digits, "number") is None:
        return None
    return series.cast(polars.String).scatter(others, digits)


def _days(series: polars.Series) -> polars.Series:
    """Dates as they are to be written: by a list of all days among them where that is shorter than they are."""
    days = series.to_physical()
    least, most = days.min(), days.max()
    if not isinstance(least, int) or not isinstance(most, int) or most - least >= len(series):
        return series
    every = polars.int_range(least, most + 1, dtype=polars.Int32, eager=True).cast(polars.Date).cast(polars.String)
    return every.gather(days - least)


def _without_empty(texts: polars.Series) -> polars.Series:
    """With nulls for empty cells that were in quotes."""
    return texts.replace("", None) if (texts.str.len_bytes() == 0).any() else texts


def frames(texts: Cuts, reader: Reader) -> Iterator[polars.DataFrame]:
    """All cells of hopeful cuts as text, in at least one frame. Raises Inexact."""
    yield reader.nothing
    for text in texts:
        yield reader.texts(text, partial(texts.send, False))


def frame(block: Block, *, delimiter: bytes, columns: list[str], nulls: bool) -> polars.DataFrame:
    """The rows of one block as text; with `nulls`, empty cells are null. Raises Inexact."""
    if block.text.startswith(_MARK):
        raise Inexact
    try:
        found = polars.read_csv(
            block.text,
            has_header=False,
            separator=delimiter.decode(),
            schema=dict.fromkeys(columns, polars.String),
            empty_string_is_null=nulls,
        )
    except polars.exceptions.PolarsError:
        raise Inexact from None
    if found.height != block.rows:
        raise Inexact
    if nulls and b"" in block.inside:
        # An empty cell in quotes is no null to polars.
        found = found.with_columns(polars.all().replace("", None))
    return found
