"""Data frames of blocks of columns whose values have one type each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from types import NoneType
from typing import Any

import polars

from engine.families.data.columnar import types
from engine.families.data.databases.blocks import Columns
from engine.families.data.exactness import Inexact
from engine.families.data.schema import NULL, Kind, Type
from engine.families.data.table import batched
from engine.families.data.values import Value

_KINDS: dict[type, Kind] = {
    str: "text", int: "integer", float: "number", bool: "boolean", date: "date", datetime: "timestamp",
}  # fmt: skip
_BLOCKS = 10
"""Blocks that become one frame."""


def frames(blocks: Iterable[Columns], names: Sequence[str], declared: Sequence[Type | None]) -> Iterator[Any]:
    """Yield all rows as frames, at least one, of the types that are learned from rows.

    Raises Inexact if a column has values of several types.
    """
    columns = [_Column(each) for each in declared]
    nothing = _frame([column.series([]) for column in columns], names)
    some = False
    for group in batched(blocks, _BLOCKS):
        parts = [_frame(map(_Column.series, columns, block), names) for block in group]
        some = True
        yield polars.concat(parts)
    if not some:
        yield nothing


def _frame(columns: Iterable[polars.Series], names: Sequence[str]) -> polars.DataFrame:
    return polars.DataFrame([series.alias(name) for name, series in zip(names, columns, strict=True)])


class _Column:
    """One column: of its declared type as long as it has no values."""

    def __init__(self, declared: Type | None) -> None:
        self._declared = declared or NULL
        self._kind: Kind | None = None
        self._stored = types.stored(self._declared)
        self._rows = 0

    def series(self, cells: Sequence[Value]) -> polars.Series:
        """Return the next values. Raises Inexact."""
        kinds = set(map(type, cells)) - {NoneType}
        if kinds:
            self._see(kinds, cells)
        self._rows += len(cells)
        return polars.Series(cells, dtype=self._stored)

    def _see(self, kinds: set[type], cells: Sequence[Value]) -> None:
        kind = _KINDS.get(kinds.pop())
        if kind is None or kinds or self._kind not in (None, kind):
            raise Inexact
        if kind == "timestamp" and any(cell is not None and cell.tzinfo for cell in cells):
            raise Inexact
        if self._kind is None:
            stored = types.stored(Type(kind))
            # Integers may become what is declared, and nulls have been given as such.
            if (kind == "integer" and self._declared.kind in ("number", "decimal")) or (
                self._rows and stored != self._stored
            ):
                raise Inexact
            self._kind, self._stored = kind, stored
