"""Parquet files that polars does not read, written again as Arrow by the format's own library."""

from __future__ import annotations

from pathlib import Path

from pyarrow import ArrowException, ipc, parquet

from conversions.families.data.columnar.scanning import READ_ROWS, check_size
from conversions.families.data.damage import unreadable


def as_arrow(source: Path, *, damaged: str) -> Path:
    """An Arrow file beside `source` with all that is in it.

    Raises Unreadable, with the message `damaged`, for what is none of Parquet's ways to write, and OverLimit for more
    than can be unpacked.
    """
    target = source.with_name("rewritten.arrow")
    with (
        unreadable(damaged, ArrowException, OSError, UnicodeDecodeError),
        parquet.ParquetFile(source, pre_buffer=False) as file,
    ):
        check_size(file.metadata.num_rows, file.metadata.num_columns)
        how = ipc.IpcWriteOptions(compression="lz4", use_threads=False)
        with ipc.new_file(target, file.schema_arrow, options=how) as sink:
            for batch in file.iter_batches(batch_size=READ_ROWS, use_threads=False):
                sink.write_batch(batch)
    return target
