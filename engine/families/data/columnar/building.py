"""Build data frames from rows, with one type for all values of a column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars

from engine.families.data import learning, schema
from engine.families.data.columnar import cells, types
from engine.families.data.schema import Narrowing, Type
from engine.families.data.table import Table, unique_names
from engine.toolkit.warnings import Kind, Warn

_MIXED = Kind(
    "VALUE_CONVERTED", "Values of several types, or objects with too many different keys, became text: {count}{places}."
)
_EMPTY = Kind("VALUE_CONVERTED", "Empty objects became text: {count}{places}.")


def frames(table: Table, warn: Warn) -> Iterator[polars.DataFrame]:
    """Return the table as data frames with unique column names; the first frame may have no rows.

    A column that mixes integers and floats becomes float, or decimal where a float would lose digits. A column that
    mixes types becomes text. Arrays become `List` columns, objects become `Struct` columns.
    """
    names = unique_names(table.columns, warn)
    if table.frames:
        return (_with_fields(frame, names, warn) for frame in table.frames.open())
    found = learning.schema(table)
    narrowing = Narrowing()
    columns = [narrowing(each, name) for each, name in zip(found.columns, names, strict=True)]
    report(narrowing, warn)
    warn.tally(schema.OFFSETS, found.offsets)
    return _from_rows(table, names, columns)


def _with_fields(frame: polars.DataFrame, names: list[str], warn: Warn) -> polars.DataFrame:
    """Return the frame under these names, with text for objects without any field, which Parquet has no type for."""
    empty = [at for at, kind in enumerate(frame.dtypes) if types.is_without_fields(kind)]
    for at in empty:
        frame = frame.replace_column(at, cells.texts(frame.to_series(at)))
    if empty:  # what the reader has counted stays
        warn.tally(_EMPTY, len(empty), (f"“{names[at]}”" for at in empty))
    return frame.rename(dict(zip(frame.columns, names, strict=True)))


def report(narrowing: Narrowing, warn: Warn) -> None:
    """Warn of the places whose values became text."""
    warn.tally(_MIXED, len(narrowing.mixed), (f"“{place}”" for place in narrowing.mixed))
    warn.tally(_EMPTY, len(narrowing.converted), (f"“{place}”" for place in narrowing.converted))


def _from_rows(table: Table, names: list[str], columns: Sequence[Type]) -> Iterator[polars.DataFrame]:
    kinds = [types.stored(each) for each in columns]
    yield polars.DataFrame(schema=dict(zip(names, kinds, strict=True)))
    for batch in filter(None, table.batches()):
        yield polars.DataFrame(
            [
                polars.Series(name, schema.column(each, found), dtype=kind)
                for name, each, kind, found in zip(names, columns, kinds, zip(*batch, strict=True), strict=True)
            ]
        )
