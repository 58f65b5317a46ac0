"""Read Apache ORC as batches of typed rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars
import pyarrow
from polars import selectors
from pyarrow import dataset, ipc, orc

from engine.families.data.columnar import scanning
from engine.families.data.columnar.scanning import READ_ROWS, check_size
from engine.families.data.damage import unreadable
from engine.families.data.table import Table, unique_names
from engine.families.data.values import text
from engine.toolkit import last_words
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

READ_NESTED = 2_000
"""Rows with lists that are read at once: each may have any number of items."""
_DAMAGED = say("The ORC file can't be read: it is damaged, or uses an unsupported feature. Export it again.")
_NO_COLUMNS = say("The rows in the ORC file have no columns: each is a single value.")
_MARK = b"ORC"
_NO_MEMORY = ("bad_al", "Cannot allocate memory")
"""How the library and the C library report a failed allocation."""
_LARGE = say("The ORC file needs too much memory when unpacked. Split it.")
_DISTANT = say(
    "The ORC file has timestamps before 1678 or after 2261, which can't be read: their "
    "nanoseconds don't fit in 64 bits."
)
_UNION = Kind("VALUE_CONVERTED", "Columns with values of several types became text: {count}{places}.")
_ENCRYPTED = say("Some columns in the ORC file are encrypted; their masked values were read instead.")
_METADATA = Kind("METADATA_DROPPED", "Entries of the file's metadata are not in the output: {count}{places}.")


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """Return the one table of an ORC file, rewritten as Arrow to read it in parts.

    Raises Unreadable for a damaged file, and OverLimit for one too large to decompress.
    """
    target = source.with_name("rewritten.arrow")
    with _readable():
        file = orc.ORCFile(source)
        schema = _schema(file)
        check_size(file.nrows, len(schema), source.stat().st_size)
        if _has_encrypted(file):
            warn("CONTENT_DROPPED", _ENCRYPTED)
        named = [key.decode() for key in schema.metadata or ()]
        warn.tally(_METADATA, len(named), named)
        names = unique_names(schema.names, warn)
        unions = {at for at, field in enumerate(schema) if _has_union(field.type)}
        warn.tally(_UNION, len(unions), (f"“{names[at]}”" for at in sorted(unions)))
        plain = pyarrow.schema(
            pyarrow.field(name, pyarrow.string() if at in unions else field.type)
            for at, (name, field) in enumerate(zip(names, schema, strict=True))
        )
        how = ipc.IpcWriteOptions(compression="lz4", use_threads=False)
        moments = {field.name for field in plain if pyarrow.types.is_timestamp(field.type)}
        with ipc.new_file(target, plain, options=how) as sink:
            for batch in _batches(source, file.nrows, schema):
                sink.write(converted := _without_unions(batch, unions, plain))
                moments = {name for name in moments if _without_nanoseconds(converted[name])}
        # All moments of ORC have nanoseconds; those of most programs that write them have none.
        scan = polars.scan_ipc(target, glob=False)
        if moments:  # by exact names: to col(), "*" and "^…$" are patterns
            scan = scan.with_columns(selectors.by_name(*sorted(moments)).dt.cast_time_unit("us"))
    return [scanning.table(scan, warn, name="ORC", size=source.stat().st_size, damaged=_DAMAGED)]


@contextmanager
def _readable() -> Iterator[None]:
    # The library does not check whether its allocations for decompressed values succeed. It reads ahead in a thread,
    # which may go on after a failure of the rows before: the note stays until the job has answered.
    last_words.leave("A fault in ORC's library is its std::bad_alloc.\n")
    known = (pyarrow.ArrowException, OSError, UnicodeDecodeError, polars.exceptions.PolarsError)
    with unreadable(_DAMAGED, *known):
        try:
            yield
        except (pyarrow.ArrowException, OSError) as error:
            if isinstance(error, MemoryError) or any(each in str(error) for each in _NO_MEMORY):
                raise OverLimit("memory", _LARGE) from error
            if "nanosecond resolution" in str(error):
                raise Unreadable(_DISTANT, reason="unsupported_feature") from error
            raise


def _schema(file: orc.ORCFile) -> pyarrow.Schema:
    try:
        return file.schema
    except pyarrow.ArrowNotImplementedError as error:
        raise Unreadable(_NO_COLUMNS, reason="empty") from error


def _batches(source: Path, rows: int, schema: pyarrow.Schema) -> Iterator[pyarrow.RecordBatch]:
    """Yield all rows in parts of stripes. Raises OverLimit for more rows than declared."""
    size = READ_NESTED if any(pyarrow.types.is_nested(field.type) for field in schema) else READ_ROWS
    size = max(1, min(size, 2_000_000 // max(1, len(schema))))
    left = rows
    for batch in dataset.dataset(source, format="orc").scanner(batch_size=size, use_threads=False).to_batches():
        left -= batch.num_rows
        if left < 0:
            raise OverLimit("memory", "The ORC file has more rows than its header says.")
        yield batch


def _has_encrypted(file: orc.ORCFile) -> bool:
    """Return whether the file has statistics of encrypted columns: its other sections don't add up to its length.

    Some writers count the magic number at the beginning as part of the content, some don't.
    """
    parts = (file.content_length, file.stripe_statistics_length, file.file_footer_length, file.file_postscript_length)
    return bool(sum(parts) + 1 + len(_MARK) < file.file_length)


def _without_nanoseconds(moments: pyarrow.Array) -> bool:
    return bool((polars.Series(moments).to_physical() % 1000 == 0).all())


def _has_union(kind: pyarrow.DataType) -> bool:
    if pyarrow.types.is_union(kind):
        return True
    return any(_has_union(kind.field(at).type) for at in range(kind.num_fields))


def _without_unions(batch: pyarrow.RecordBatch, unions: set[int], schema: pyarrow.Schema) -> pyarrow.RecordBatch:
    columns = [
        pyarrow.array([None if value is None else text(value) for value in column.to_pylist()], pyarrow.string())
        if at in unions
        else column
        for at, column in enumerate(batch.columns)
    ]
    return pyarrow.record_batch(columns, schema=schema)
