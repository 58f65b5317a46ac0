"""Count the rows of ORC files from their footer, and the values of short files."""

from __future__ import annotations

from pathlib import Path

from engine.families.data.counting import avro, rows
from engine.toolkit.census import Census


def orc(path: Path) -> Census:
    """Return the rows, columns and values of an ORC file."""
    from pyarrow import ArrowInvalid
    from pyarrow import orc as library

    with path.open("rb") as source:
        file = library.ORCFile(source)
        values = rows.Values()
        sample = object() if rows.sample_of(file.nrows) else None
        if not sample:
            try:
                for row in file.read().to_pylist():
                    values.row(avro.plain(row, narrow="float" in str(file.schema)))
            except (ArrowInvalid, OverflowError, ValueError):  # timestamps that pyarrow can't represent
                values, sample = rows.Values(), object()
        census = rows.counted(file.nrows)
        census.add("columns", len(file.schema))
        values.header(file.schema.names)
    values.into(census, sample)
    return census
