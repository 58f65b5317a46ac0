"""Parquet files that polars does not read, written again as Arrow by the format's own library."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pyarrow
from pyarrow import ArrowException, ipc, parquet

from conversions.families.data.columnar.scanning import READ_ROWS, check_size
from conversions.families.data.damage import unreadable
from conversions.families.data.table import unique_names
from conversions.toolkit.warnings import Warn


def as_arrow(source: Path, warn: Warn, *, damaged: str, unit: Literal["ns", "us"] = "ns") -> Path:
    """An Arrow file beside `source` with all that is in it, each column by a name of its own.

    `unit` is that of moments of 96 bits, which are of any year if it is microseconds.

    Raises Unreadable, with the message `damaged`, for what is none of Parquet's ways to write, and OverLimit for more
    than can be unpacked.
    """
    target = source.with_name("rewritten.arrow")
    with (
        unreadable(damaged, ArrowException, OSError, UnicodeDecodeError),
        parquet.ParquetFile(
            source, pre_buffer=False, coerce_int96_timestamp_unit=unit, arrow_extensions_enabled=False
        ) as file,
    ):
        check_size(file.metadata.num_rows, file.metadata.num_columns)
        schema = file.schema_arrow
        names = schema.names if len({*schema.names}) == len(schema.names) else unique_names(schema.names, warn)
        schema = pyarrow.schema([field.with_name(name) for field, name in zip(schema, names, strict=True)])
        how = ipc.IpcWriteOptions(compression="lz4", use_threads=False)
        with ipc.new_file(target, schema, options=how) as sink:
            for batch in file.iter_batches(batch_size=READ_ROWS, use_threads=False):
                sink.write_batch(batch.rename_columns(names))
    return target
