"""Parse blocks of delimited text with polars where it provably agrees with RFC 4180."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from typing import IO, Any, cast

import polars

from engine.families.data.columnar.cells import spelled_alike
from engine.families.data.columnar.typed import of_kind, told, typed
from engine.families.data.delimited.block import Block, block
from engine.families.data.delimited.cutting import Cuts
from engine.families.data.exactness import Inexact
from engine.families.data.inference import Kind
from engine.toolkit import warnings

_MARK = b"\xef\xbb\xbf"
"""Byte order mark; polars skips it at the beginning of each block."""
_MAX_FAILURES = 8
"""Blocks for which the round trip through polars fails, after which it is no longer tried."""
_MANY = 1000
"""Most numbers of a block that polars formats otherwise than other programs; with more, the round trip fails."""
_STORED: dict[Kind | None, Any] = {
    "integer": polars.Int64,
    "long": polars.Int64,
    "number": polars.Float64,
    "boolean": polars.Boolean,
    "date": polars.Date,
}
"""Types that polars parses and formats as `inference` spells them; `_spelled` handles the exceptions."""


Whole = Callable[[], bytes]


class Reader:
    """Parses blocks of rows of a fixed number of cells; with `nulls`, empty cells are null.

    If the last row of a block may be incomplete, `whole` returns the block with the rest of that row. Columns are named
    by their index, because polars treats names like "*" and "^…$" as patterns.
    """

    def __init__(self, *, delimiter: bytes, width: int, nulls: bool) -> None:
        self._delimiter = delimiter
        self._columns = list(map(str, range(width)))
        self._nulls = nulls
        self._failures = 0

    @property
    def nothing(self) -> polars.DataFrame:
        """An empty frame of text columns."""
        return polars.DataFrame(schema=dict.fromkeys(self._columns, polars.String))

    def texts(self, text: bytes, whole: Whole | None = None) -> polars.DataFrame:
        """Return all cells as text. Raises Inexact."""
        found, text = self._round_trip_or_whole(text, [None] * len(self._columns), whole)
        if found is None:
            return self._looked_at(text)
        return found if self._nulls else found.with_columns(polars.all().fill_null(""))

    def typed(
        self, text: bytes, kinds: Sequence[Kind | None], whole: Whole | None = None
    ) -> tuple[polars.DataFrame, Counter[warnings.Kind]]:
        """Return columns of the given kinds, and the counts of what is to be told of them.

        Raises Inexact, Unlike.
        """
        found, text = self._round_trip_or_whole(text, kinds, whole)
        if found is not None:
            others = [name for name, kind in zip(self._columns, kinds, strict=True) if kind not in _STORED]
            rest: list[Kind | None] = [kind for kind in kinds if kind not in _STORED]
            texts = found.select(others)
            return found.with_columns(typed(texts, rest)), told(texts, rest)
        found = self._looked_at(text)
        return typed(found, list(kinds)), told(found, kinds)

    def _round_trip_or_whole(
        self, text: bytes, kinds: Sequence[Kind | None], whole: Whole | None
    ) -> tuple[polars.DataFrame | None, bytes]:
        """Return the polars result if its round trip is exact, else None, and the text up to the end of a row.

        A block that round-trips is complete, so `whole` is called only for one that does not.
        """
        failures = self._failures
        found = self._written_again(text, kinds)
        if found is None and whole is not None:
            given, text = text, whole()
            if len(text) > len(given):
                self._failures = failures
                found = self._written_again(text, kinds)
        return found, text

    def _written_again(self, text: bytes, kinds: Sequence[Kind | None]) -> polars.DataFrame | None:
        """Parse a block with polars and return it, with nulls, if writing it again gives the same bytes; else None.

        Equal bytes prove that polars parsed the block as RFC 4180 does. Columns without a type in `_STORED` stay text.
        """
        if self._failures == _MAX_FAILURES or len(self._columns) == 1 or text.startswith(_MARK):
            return None
        schema = {name: _STORED.get(kind, polars.String) for name, kind in zip(self._columns, kinds, strict=True)}
        try:
            found = polars.read_csv(text, has_header=False, separator=self._delimiter.decode(), schema=schema)
            if found.height and self._gives(found, text):
                return found.with_columns(map(_without_empty, found.select(polars.col(polars.String))))
        except (polars.exceptions.PolarsError, ValueError):  # a date may be outside the years that Python has
            pass
        self._failures += 1
        return None

    def _gives(self, found: polars.DataFrame, text: bytes) -> bool:
        """Return whether the frame, formatted as its types are spelled, is this text again."""
        columns = list(map(_spelled, found))
        if any(each is None for each in columns):
            return False
        line = text[: text.find(b"\n") + 1]
        end = b"\r\n" if line.endswith(b"\r\n") else b"\n"
        # A guess, which only equal bytes prove.
        all_quoted = line.count(b'"%b"' % self._delimiter) == len(self._columns) - 1
        written = _Comparison(text)
        polars.DataFrame(columns).write_csv(
            cast(IO[bytes], written),
            include_header=False,
            separator=self._delimiter.decode(),
            line_terminator=end.decode(),
            quote_style="always" if all_quoted else "necessary",
        )
        return written.is_all(end)

    def _looked_at(self, text: bytes) -> polars.DataFrame:
        rows = block(text, delimiter=self._delimiter, width=len(self._columns))
        return frame(rows, delimiter=self._delimiter, columns=self._columns, nulls=self._nulls)


class _Comparison:
    """A file that compares what is written to it with a given text, and stores nothing."""

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
        """Return whether all of the text was written; the text may lack the `end` of its last line."""
        return self._same and not self._left and self._more == (b"" if self._text.endswith(b"\n") else end)


def _spelled(series: polars.Series) -> polars.Series | None:
    """Return a column as its cells have to be written, or None where `inference` would not infer its type from them."""
    if series.dtype == polars.Date:
        return _days(series) if series.is_between(date.min, date.max).all() else None
    if series.dtype != polars.Float64 or (alike := spelled_alike(series)).all():
        return series
    others = (~alike).arg_true()  # arg_true() leaves nulls out
    digits = polars.Series(list(map(repr, series[others].to_list())), dtype=polars.String)
    if len(others) > _MANY or of_kind(digits, "number") is None:
        return None
    return series.cast(polars.String).scatter(others, digits)


def _days(series: polars.Series) -> polars.Series:
    """Return dates as text by a lookup table of all days in their range, if that is shorter than the column."""
    days = series.to_physical()
    least, most = days.min(), days.max()
    if not isinstance(least, int) or not isinstance(most, int) or most - least >= len(series):
        return series
    every = polars.int_range(least, most + 1, dtype=polars.Int32, eager=True).cast(polars.Date).cast(polars.String)
    return every.gather(days - least)


def _without_empty(texts: polars.Series) -> polars.Series:
    """Replace empty text, from quoted empty cells, by null."""
    return texts.replace("", None) if (texts.str.len_bytes() == 0).any() else texts


def frames(texts: Cuts, reader: Reader) -> Iterator[polars.DataFrame]:
    """Return all cells of hopeful cuts as text, in at least one frame. Raises Inexact."""
    yield reader.nothing
    for text in texts:
        yield reader.texts(text, partial(texts.send, False))


def frame(block: Block, *, delimiter: bytes, columns: list[str], nulls: bool) -> polars.DataFrame:
    """Return the rows of one block as text; with `nulls`, empty cells are null. Raises Inexact."""
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
        # Polars does not parse a quoted empty cell as null.
        found = found.with_columns(polars.all().replace("", None))
    return found
