"""Count the rows of Parquet and Arrow files, and collect their values from the stored numbers."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from decimal import Context, Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import polars

from engine.families.data.columnar import types
from engine.families.data.counting import rows
from engine.families.data.damage import forget_panics, printed
from engine.toolkit.census import Census

_UNITS = {"ms": 10**3, "us": 10**6, "ns": 10**9}
_DAY = 86_400
_EXACT = Context(prec=76)
"""All digits of the widest decimals of Arrow; without a context they are rounded to 28."""
_UUID = "extension<arrow.uuid>"
_EPOCH = datetime(1970, 1, 1)


def parquet(path: Path) -> Census:
    """Return the rows, columns and values of a Parquet file."""
    scan = polars.scan_parquet(path, glob=False)
    try:
        schema = scan.collect_schema()
        if any(map(types.is_misread, schema.values())):
            return _scanned(_of_arrow(_table(path)), kinds=_kinds(path))
        kinds = _kinds(path) if "Binary" in str(schema) else {}
        return _timed(scan, lambda names: _table(path, names), kinds=kinds)
    except (polars.exceptions.ComputeError, polars.exceptions.InvalidOperationError):
        # It has types that polars doesn't know, such as Variant and decimals of 256 bits.
        return _scanned(_of_arrow(_table(path)), kinds=_kinds(path))


def _table(path: Path, names: list[str] | None = None) -> Any:
    from pyarrow import parquet

    return parquet.read_table(path, columns=names)


def _of_arrow(table: Any) -> polars.LazyFrame:
    """A table as another library reads it, with its long decimals as texts."""
    from engine.families.data.columnar.rewriting import stored

    for at, kind in enumerate(table.schema.types):
        if (known := stored(kind)) != kind:
            table = table.set_column(at, table.schema.names[at], table.column(at).cast(known))
    frame = polars.from_arrow(table)
    assert isinstance(frame, polars.DataFrame)
    return frame.lazy()


def _kinds(path: Path) -> dict[str, Any]:
    """The types of Arrow of the columns, which tell UUIDs from other bytes."""
    from pyarrow import parquet

    schema = parquet.read_schema(path)
    return dict(zip(schema.names, schema.types, strict=True))


def _timed(scan: polars.LazyFrame, table: Callable[[list[str]], Any], *, kinds: Mapping[str, Any]) -> Census:
    """Count a scan; its times from the numbers stored in a table, because polars rejects those outside a day."""
    times = [name for name, kind in scan.collect_schema().items() if kind == polars.Time]
    if not times:
        return _scanned(scan, kinds=kinds)
    census = _scanned(scan.drop(times), kinds=kinds)
    if not census.samples:
        _add_times(table(times), census)
    census.sequence.clear()  # rows without their times are not those of another file
    census.add("columns", len(times))
    return census


def _add_times(table: Any, census: Census) -> None:
    import pyarrow

    values = rows.Values()
    for column in table.columns:
        unit = _UNITS.get(column.type.unit, 1)
        stored = column.cast(pyarrow.int32() if column.type.bit_width == 32 else pyarrow.int64())
        values.texts(_time(each.as_py(), unit) for each in stored if each.is_valid)
    values.into(census)


def arrow(path: Path) -> Census:
    """Return the rows, columns and values of an Arrow file."""
    with path.open("rb") as file:
        is_file = file.read(6) == b"ARROW1"
    start = printed()
    try:
        scan = polars.scan_ipc(path, glob=False) if is_file else polars.read_ipc_stream(path).lazy()
        return _timed(scan, lambda names: _messages(path, is_file=is_file).select(names), kinds={})
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException):
        forget_panics(start)
        table = _messages(path, is_file=is_file)
        # By their numbers, as polars can't read two columns of the same name.
        named = table.rename_columns([str(number) for number in range(table.num_columns)])
        return _scanned(_of_arrow(named), named=False)


def _messages(path: Path, *, is_file: bool) -> Any:
    import pyarrow

    with (pyarrow.ipc.open_file if is_file else pyarrow.ipc.open_stream)(path.read_bytes()) as opened:
        return opened.read_all()


def _scanned(scan: polars.LazyFrame, *, named: bool = True, kinds: Mapping[str, Any] | None = None) -> Census:
    count = int(scan.select(polars.len()).collect().item())
    parts = rows.windows(count)
    frames = [scan.slice(first, last - first) for first, last in parts]
    frame = polars.concat(frames).collect() if len(frames) > 1 else frames[0].collect()
    values = _by_rows(frame, kinds or {})
    blank = (
        frame.null_count().sum_horizontal().sum()
        and frame.select(polars.all_horizontal(polars.all().is_null()).sum()).item()
        if frame.width
        else 0
    )
    census = rows.counted(count, int(blank))
    census.add("columns", frame.width)
    if named:
        values.header(frame.columns)
    values.into(census, rows.sample_of(count))
    return census


def _by_rows(frame: polars.DataFrame, kinds: Mapping[str, Any]) -> rows.Values:
    """Collect the values of a frame row by row, or by columns where the row of a value is not known."""
    values, placed = rows.Values(), [list[str]() for _ in range(frame.height)]
    certain = True
    for column in frame:
        before = len(values.found)
        of_column(column, values, kinds.get(column.name))
        filled = column.is_not_null()
        if column.dtype == polars.String:
            filled &= column.str.len_bytes() > 0
        places = filled.arg_true().to_list()
        certain &= not column.dtype.is_nested() and len(places) == len(values.found) - before
        if certain:
            for place, value in zip(places, values.found[before:], strict=True):
                placed[place].append(value)
    if certain:
        values.found, values.ends = [], []
        for row in placed:
            values.found += row
            values.ends.append(len(values.found))
    return values


def of_column(column: polars.Series, values: rows.Values, stored: Any = None) -> None:
    """Add the values of a column; those of an extension type as they are stored, except for UUIDs, which the type of
    Arrow that is `stored` tells."""
    if column.dtype.is_extension():
        column = column.ext.storage()
    kind = column.dtype
    if kind in (polars.List, polars.Array, polars.Struct, polars.Object) or kind.is_nested():
        _nested(column, values, stored)
    elif kind == polars.Binary and str(stored) == _UUID:
        values.texts(str(UUID(bytes=each)) for each in column.drop_nulls())
    elif kind == polars.Binary:
        values.texts(b64encode(each).decode() for each in column.drop_nulls())
    elif isinstance(kind, polars.Decimal):
        values.texts(f"{Decimal(each).scaleb(-kind.scale, _EXACT):f}" for each in _stored(column))
    elif kind == polars.Date:
        values.texts(_moment(each * _DAY, 1) for each in _stored(column))
    elif isinstance(kind, polars.Datetime):
        values.texts(_moment(each, _UNITS[kind.time_unit]) for each in _stored(column))
    elif kind == polars.Time:
        values.texts(_time(each, _UNITS["ns"]) for each in _stored(column))
    elif isinstance(kind, polars.Duration):
        return  # durations have many spellings
    elif kind.is_float() and kind != polars.Float64:
        values.texts(str(each) for each in column.drop_nulls().cast(polars.String))
    else:
        for each in column.drop_nulls().to_list():
            values.leaf(each)


def _nested(column: polars.Series, values: rows.Values, stored: Any) -> None:
    kind, inner = column.dtype, getattr(stored, "value_type", None)
    if isinstance(kind, polars.Struct):
        for field in column.struct.unnest():
            own = stored.field(field.name).type if hasattr(stored, "field") else None
            of_column(field.filter(column.is_not_null()), values, own)
    elif isinstance(kind, polars.List):
        of_column(column.drop_nulls().list.explode() if len(column) else column.list.explode(), values, inner)
    elif isinstance(kind, polars.Array):
        of_column(column.arr.to_list(), values)
    else:
        for each in column.drop_nulls().to_list():
            values.leaf(each)


def _stored(column: polars.Series) -> Iterable[int]:
    stored: list[int] = column.drop_nulls().to_physical().to_list()
    return stored


def _moment(value: int, unit: int) -> str:
    seconds, fraction = divmod(value, unit)
    try:
        moment = (_EPOCH + timedelta(seconds=seconds)).isoformat(" ")
    except OverflowError:
        return ""  # years outside the calendar have many spellings
    return moment + (f".{fraction:0{len(str(unit)) - 1}}".rstrip("0") if fraction else "")


def _time(stored: int, unit: int) -> str:
    seconds, fraction = divmod(stored * 10**9 // unit, 10**9)
    if not 0 <= seconds < _DAY:
        return str(stored)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return clock + (f".{fraction:09}".rstrip("0") if fraction else "")
