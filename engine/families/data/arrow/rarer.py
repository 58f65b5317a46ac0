"""Rewrite Arrow files whose form or types polars does not support, using pyarrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import ipc

from engine.families.data.columnar import lists, long_dates, times_of_day, zones
from engine.families.data.columnar.rewriting import TEXTS, is_long, stored
from engine.families.data.columnar.scanning import check_size
from engine.families.data.damage import unreadable
from engine.families.data.table import unique_names
from engine.families.data.values import text
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Warn

_CONTINUED = b"\xff\xff\xff\xff"
"""What a message of a stream begins with (Arrow columnar format, "Encapsulated message format")."""

Way = tuple[Any, Callable[[Any], Any]]
"""A type that polars supports, and the function that converts an array to it."""


def is_misread(source: Path, *, damaged: str) -> bool:
    """Whether a column of an Arrow file has times that polars would lose, or dates that it takes for timestamps.

    Raises Unreadable as `rewritten` does.
    """
    with unreadable(damaged, pa.ArrowException, OSError, ValueError), _batches(source) as (fields, batches):
        return any(map(long_dates.has_dates, fields.types)) or bool(times_of_day.outside(fields, batches).columns)


def rewritten(source: Path, warn: Warn, *, damaged: str) -> Path:
    """An Arrow file beside `source` with the same content; columns with times outside a day become text, dates days.

    Raises Unreadable, with the message `damaged` or naming the column of an unsupported type, and OverLimit.
    """
    target = source.with_name("rewritten.arrow")
    rows = 0
    with unreadable(damaged, pa.ArrowException, OSError, ValueError), _batches(source) as (fields, batches):
        ways = [_way(each) for each in fields]
        with _batches(source) as (_, again):
            times = times_of_day.outside(fields, again)
        times.tell(times_of_day.OUTSIDE, warn)
        with _batches(source) as (_, again):
            moments = long_dates.with_times(fields, again)
        moments.tell(long_dates.WITH_TIMES, warn)
        for at, field in enumerate(fields):
            if at in times.columns or long_dates.has_dates(field.type):
                ways[at] = _odd_way(field.type, has_times=at in times.columns, has_moments=at in moments.columns)
        names = unique_names((each.name for each in fields), warn)
        schema = pa.schema([(name, way[0]) for name, way in zip(names, ways, strict=True)])
        with ipc.new_file(str(target), schema) as sink:
            for batch in batches:
                _validate(batch)
                rows += batch.num_rows
                check_size(rows, len(ways), source.stat().st_size)
                arrays = [make(column) for (_, make), column in zip(ways, batch.columns, strict=True)]
                sink.write_batch(pa.record_batch(arrays, schema=schema))
    as_text = [
        f"“{each.name}”" for each, way in zip(fields, ways, strict=True) if way[1] is _texts or is_long(each.type)
    ]
    warn.tally(TEXTS, len(as_text), as_text)
    zones.tell(fields, warn)
    return target


@contextmanager
def _batches(source: Path) -> Iterator[tuple[Any, Iterator[Any]]]:
    """The schema and the record batches of a file, or of a stream, which has no index at its end."""
    with source.open("rb") as file:
        is_stream = file.read(len(_CONTINUED)) == _CONTINUED
        file.seek(0)
        with (ipc.open_stream if is_stream else ipc.open_file)(file) as opened:
            if is_stream:
                yield opened.schema, iter(opened)
            else:
                yield opened.schema, map(opened.get_batch, range(opened.num_record_batches))


def _validate(batch: Any) -> None:
    """Raise ArrowInvalid for a batch whose buffers don't hold what they declare.

    Times may be outside a day, and dates may have times of day.
    """
    batch.validate()
    loose = [times_of_day.has_times(kind) or long_dates.has_dates(kind) for kind in batch.schema.types]
    batch.select([at for at, is_loose in enumerate(loose) if not is_loose]).validate(full=True)


def _odd_way(kind: Any, *, has_times: bool, has_moments: bool) -> Way:
    """How a column becomes texts for its times outside a day, and days or timestamps for its dates."""

    def change(array: Any) -> Any:
        array = times_of_day.as_text(array) if has_times else array
        return long_dates.as_moments(array) if has_moments else long_dates.as_days(array)

    known = stored(change(pa.nulls(0, kind)).type)
    return known, lambda array: change(array).cast(known)


def _way(field: Any) -> Way:
    kind = field.type
    if pa.types.is_run_end_encoded(kind):
        return kind.value_type, pc.run_end_decode
    if pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind):
        return pa.large_list(kind.value_type), _lists
    if (known := stored(kind)) != kind:
        return known, lambda array: array.cast(known)
    if pa.types.is_union(kind) or pa.types.is_interval(kind):
        return pa.string(), _texts
    if any(each in str(kind) for each in ("union", "interval", "run_end", "list_view", "decimal256")):
        raise Unreadable(
            f"The column “{field.name[:80]}” of the Arrow file has values of a type that is not known here ({kind}). "
            "Leave it out, or write it as another type."[:400],
            reason="unsupported_feature",
        )
    return kind, lambda array: array


def _lists(views: Any) -> Any:
    # A cast uses the offsets of the views directly, and has one too few.
    return lists.with_items(views, views.flatten())


def _texts(array: Any) -> Any:
    return pa.array([None if each is None else _text(each) for each in array.to_pylist()], pa.string())


def _text(value: Any) -> str:
    if isinstance(value, pa.MonthDayNano):
        months, days, nanoseconds = value
        return f"P{months}M{days}DT{Decimal(nanoseconds) / 10**9:f}S"  # ISO 8601-2, each part with its own sign
    return text(value)
