"""Rewrite Parquet files that polars can't read as Arrow, using pyarrow."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pyarrow
from pyarrow import ArrowException, ipc, parquet

from engine.families.data.columnar.scanning import READ_ROWS, check_size
from engine.families.data.damage import unreadable
from engine.families.data.table import unique_names
from engine.toolkit.warnings import Warn


def as_arrow(source: Path, warn: Warn, *, damaged: str, unit: Literal["ns", "us"] = "ns") -> Path:
    """Rewrite a Parquet file as an Arrow file beside it, with unique column names. Returns the new path.

    `unit` is the unit for 96-bit timestamps; with microseconds they can be of any year.

    Raises Unreadable with the message `damaged` where pyarrow can't read the file, and OverLimit for a table too large
    to decompress.
    """
    target = source.with_name("rewritten.arrow")
    with (
        unreadable(damaged, ArrowException, OSError, UnicodeDecodeError),
        parquet.ParquetFile(
            source, pre_buffer=False, coerce_int96_timestamp_unit=unit, arrow_extensions_enabled=False
        ) as file,
    ):
        check_size(file.metadata.num_rows, file.metadata.num_columns, source.stat().st_size)
        schema = file.schema_arrow
        names = schema.names if len({*schema.names}) == len(schema.names) else unique_names(schema.names, warn)
        schema = pyarrow.schema([field.with_name(name) for field, name in zip(schema, names, strict=True)])
        how = ipc.IpcWriteOptions(compression="lz4", use_threads=False)
        with ipc.new_file(target, schema, options=how) as sink:
            for batch in file.iter_batches(batch_size=READ_ROWS, use_threads=False):
                sink.write_batch(batch.rename_columns(names))
    return target
