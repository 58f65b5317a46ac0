"""Frames of delimited text with inferred column types, or with its numbers as they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import partial

import polars

from engine.families.data.columnar import delimited, typed
from engine.families.data.delimited.cutting import Cuts
from engine.families.data.doubts import Doubts
from engine.families.data.exactness import Inexact, Unlike
from engine.families.data.inference import Kind, Spelling
from engine.families.data.schema import OFFSETS
from engine.toolkit import warnings
from engine.toolkit.warnings import Warn

_SAMPLE = 1 << 19
"""Bytes from which column types are guessed before they are checked on the rest."""
_NUMBERS: tuple[Kind, ...] = ("integer", "long", "number")
_NO_JSON = r"^-0$|^-?\.|\.([eE]|$)|[nNfFyY]$"
"""Numbers that JSON has no such spelling of (RFC 8259, 6): `.5`, `5.`, NaN."""

Kinds = list[Kind | None]
Told = Counter[warnings.Kind]
Read = Callable[[bytes, Kinds, Callable[[], bytes] | None], tuple[polars.DataFrame, Told]]


class Columns:
    """The columns of a text; `cut` cuts it into blocks anew. `kinds` are set if all rows had to be scanned for them."""

    def __init__(
        self, cut: Callable[[], Cuts], reader: delimited.Reader, spelling: Spelling, kinds: Kinds | None
    ) -> None:
        self._cut = cut
        self._reader = reader
        self._spelling = spelling
        self.kinds = kinds

    def typed(self, names: list[str], warn: Warn) -> Iterator[polars.DataFrame]:
        """Yield typed frames, with times in UTC. Raises Inexact, and Unlike, after which `kinds` are complete."""
        for _, frame in self._frames(self._reader.typed, names, warn):
            frame.columns = names
            yield frame

    def in_source_form(self, names: list[str], warn: Warn) -> Iterator[tuple[polars.DataFrame, Collection[int]]]:
        """As `typed`, but yield numbers as text in source form, and times as ISO 8601 text in their own zone.

        With each frame come the indexes of the columns with numbers.
        """
        for kinds, frame in self._frames(self._in_source_form, names, warn):
            frame.columns = names
            yield frame, [at for at, kind in enumerate(kinds) if kind in _NUMBERS]

    def _in_source_form(
        self, text: bytes, kinds: Kinds, whole: Callable[[], bytes] | None = None
    ) -> tuple[polars.DataFrame, Told]:
        found = self._reader.texts(text, whole)
        told = typed.told(found, kinds)
        del told[OFFSETS]  # which stay
        converted = typed.typed(found, kinds)
        return polars.DataFrame(
            [
                _numbers(given) if kind in _NUMBERS else _zoned(given) if kind == "instant" else value
                for kind, given, value in zip(kinds, found, converted, strict=True)
            ]
        ), told

    def _frames(self, read: Read, names: list[str], warn: Warn) -> Iterator[tuple[Kinds, polars.DataFrame]]:
        """Yield frames typed by the first rows; if later rows differ, scan all of them."""
        nothing = self._reader.nothing
        blocks = self._cut()
        try:
            first = next(blocks, None) and blocks.send(False)
            if first is None:
                kinds = self.kinds or typed.kinds(nothing, self._spelling)
                yield kinds, typed.typed(nothing, kinds)
                return
            kinds, frame, told = self._first(read, first)
            doubts = Doubts(len(kinds), self._spelling)
            typed.doubt(frame, kinds, doubts)
            yield kinds, frame.clear()
            yield kinds, frame
            for text in blocks:
                frame, more = read(text, kinds, partial(blocks.send, False))
                told += more
                typed.doubt(frame, kinds, doubts)
                yield kinds, frame
            doubts.report(names, kinds, warn)
            for each, count in told.items():
                warn.tally(each, count)
        except Unlike:
            frames = delimited.frames(self._cut(), self._reader)
            self.kinds = typed.all_kinds(frames, self._spelling)
            raise

    def _first(self, read: Read, text: bytes) -> tuple[Kinds, polars.DataFrame, Told]:
        """Return the column types of some rows, if they hold for all of the text, and its frame."""
        sample = text[: text.rfind(b"\n", 0, _SAMPLE) + 1]
        for some in (sample, text):
            if not some or some.count(b'"') % 2:
                continue
            kinds = self.kinds or typed.kinds(self._reader.texts(some), self._spelling)
            try:
                return kinds, *read(text, kinds, None)
            except Unlike:
                if self.kinds or some is text:
                    raise
        raise Inexact


def _numbers(series: polars.Series) -> polars.Series:
    """Return numbers as they are written, with null for nothing. Raises Inexact where JSON has no such spelling."""
    if series.str.contains(_NO_JSON).any():
        raise Inexact
    return typed.without_nothing(series)


def _zoned(series: polars.Series) -> polars.Series:
    """Return instants as ISO 8601 text, with the fraction in six digits or none and a Z for UTC."""
    parts = polars.DataFrame({"given": typed.with_seconds(typed.without_nothing(series))}).select(
        polars.col("given").str.slice(0, 10),
        polars.col("given").str.slice(11, 8).alias("time"),
        polars.col("given").str.extract(r"\.([0-9]+)").str.pad_end(6, "0").alias("fraction"),
        polars.col("given").str.extract(r"(Z|[+-][0-9:]{5})$").alias("zone"),
    )
    fraction = polars.col("fraction")
    return parts.select(
        polars.concat_str(
            "given",
            polars.lit("T"),
            "time",
            polars.when(fraction.is_null() | (fraction == "000000")).then(polars.lit("")).otherwise("." + fraction),
            polars.col("zone").replace(["+00:00", "-00:00"], "Z"),
        ).alias(series.name)
    ).to_series()
