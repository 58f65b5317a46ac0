"""Rewrite Parquet files that polars can't read as Arrow, using pyarrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pyarrow
from pyarrow import ArrowException, ipc, parquet

from engine.families.data.columnar import times_of_day, zones
from engine.families.data.columnar.scanning import READ_ROWS, check_size
from engine.families.data.damage import unreadable
from engine.families.data.schema import MAX_DIGITS
from engine.families.data.table import unique_names
from engine.toolkit.warnings import Kind, Warn

TEXTS = Kind("VALUE_CONVERTED", "Columns of unsupported types became text: {count}{places}.")


def as_arrow(source: Path, warn: Warn, *, damaged: str, unit: Literal["ns", "us"] = "ns") -> Path:
    """Rewrite a Parquet file as an Arrow file beside it, with unique column names. Returns the new path.

    `unit` is the unit for 96-bit timestamps; with microseconds they can be of any year. Columns with times outside a
    day become text, and times in an unknown zone are in UTC.

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
        times = times_of_day.outside(schema, file.iter_batches(batch_size=READ_ROWS, use_threads=False))
        times.tell(times_of_day.OUTSIDE, warn)
        kinds = [
            times_of_day.text_type(field.type) if at in times.columns else stored(field.type)
            for at, field in enumerate(schema)
        ]
        as_text = [f"“{field.name}”" for field in schema if is_long(field.type)]
        file_schema, schema = schema, pyarrow.schema(list(map(pyarrow.field, names, kinds)))
        how = ipc.IpcWriteOptions(compression="lz4", use_threads=False)
        with ipc.new_file(target, schema, options=how) as sink:
            for batch in file.iter_batches(batch_size=READ_ROWS, use_threads=False):
                arrays = [
                    times_of_day.as_text(column) if at in times.columns else column.cast(kind)
                    for at, (column, kind) in enumerate(zip(batch.columns, kinds, strict=True))
                ]
                sink.write_batch(pyarrow.record_batch(arrays, schema=schema))
    warn.tally(TEXTS, len(as_text), as_text)
    zones.tell(file_schema, warn)
    return target


def has_times_outside_a_day(source: Path, *, damaged: str) -> bool:
    """Return whether a column of a Parquet file has times that polars would lose.

    Raises Unreadable with the message `damaged` where pyarrow can't read the file.
    """
    with (
        unreadable(damaged, ArrowException, OSError, UnicodeDecodeError),
        parquet.ParquetFile(source, pre_buffer=False, arrow_extensions_enabled=False) as file,
    ):
        names = [each.name for each in file.schema_arrow if times_of_day.has_times(each.type)]
        batches = file.iter_batches(batch_size=READ_ROWS, columns=names, use_threads=False)
        return any(times_of_day.outside(each.schema, [each]).columns for each in batches)


def stored(kind: Any) -> Any:
    """Return the type that polars reads.

    Of a decimal of 256 bits that is one of 128, or a text if it has too many digits; of one without ones, it is one
    with them; of a time in a zone that polars does not know, it is one in UTC.
    """
    types = pyarrow.types
    if types.is_decimal256(kind):
        return pyarrow.string() if kind.precision > MAX_DIGITS else pyarrow.decimal128(kind.precision, kind.scale)
    if types.is_decimal(kind) and kind.scale < 0 and kind.precision - kind.scale <= MAX_DIGITS:
        return pyarrow.decimal128(kind.precision - kind.scale, 0)
    if types.is_list(kind) or types.is_large_list(kind):
        make = pyarrow.list_ if types.is_list(kind) else pyarrow.large_list
        return make(kind.value_field.with_type(stored(kind.value_type)))
    if types.is_struct(kind):
        return pyarrow.struct([each.with_type(stored(each.type)) for each in kind])
    return pyarrow.timestamp(kind.unit, "UTC") if zones.is_unknown(kind) else kind


def is_long(kind: Any) -> bool:
    """Return whether a type has decimals with too many digits in it."""
    inside = [kind.field(at).type for at in range(kind.num_fields)]
    return bool(pyarrow.types.is_decimal256(kind) and kind.precision > MAX_DIGITS) or any(map(is_long, inside))
