"""Frames built of rows: one type for each column, that of all its values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars

from conversions.families.data import learning, schema
from conversions.families.data.columnar import types
from conversions.families.data.schema import Narrowing, Type
from conversions.families.data.table import Table, unique_names
from conversions.toolkit.warnings import Kind, Warn

_MIXED = Kind("VALUE_CONVERTED", "Values of several types, or objects with too many different keys, became text")
_EMPTY = Kind("VALUE_CONVERTED", "Objects without any key became text")


def frames(table: Table, warn: Warn) -> Iterator[polars.DataFrame]:
    """The table in frames whose columns have unique names, the first of them maybe without rows.

    Integers and floats together are floats, or decimals where a float would lose digits; values of several types become
    text; lists and objects are lists and structs.
    """
    names = unique_names(table.columns, warn)
    if table.frames:
        return (frame.rename(dict(zip(frame.columns, names, strict=True))) for frame in table.frames.open())
    found = learning.schema(table)
    narrowing = Narrowing()
    columns = [narrowing(each, name) for each, name in zip(found.columns, names, strict=True)]
    warn.tally(_MIXED, len(narrowing.mixed), (f"“{place}”" for place in narrowing.mixed))
    warn.tally(_EMPTY, len(narrowing.converted), (f"“{place}”" for place in narrowing.converted))
    warn.tally(schema.OFFSETS, found.offsets)
    return _from_rows(table, names, columns)


def _from_rows(table: Table, names: list[str], columns: Sequence[Type]) -> Iterator[polars.DataFrame]:
    kinds = [types.stored(each) for each in columns]
    yield polars.DataFrame(schema=dict(zip(names, kinds, strict=True)))
    for batch in filter(None, table.batches()):
        yield polars.DataFrame(
            [
                polars.Series(name, schema.column(each, cells), dtype=kind)
                for name, each, kind, cells in zip(names, columns, kinds, zip(*batch, strict=True), strict=True)
            ]
        )
