"""Write SQLite databases, with a declared type for each column."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from engine.families.data import learning
from engine.families.data.exactness import Inexact
from engine.families.data.schema import LARGEST, Kind, Type
from engine.families.data.table import BATCH, LARGE, Table
from engine.families.data.values import Number, Value, exact_float, plain, text
from engine.families.data.workbooks.facts import WITHOUT_CELLS
from engine.toolkit import warnings
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.numbered_names import NumberedNames
from engine.toolkit.warnings import Warn

MAX_COLUMNS = 2_000
"""The default limit of SQLite."""
_RENAMED = warnings.Kind(
    "COLUMN_RENAMED", "Names that SQLite doesn't allow, or can't tell apart, were changed: {count}{places}."
)
_LONG = warnings.Kind(
    "VALUE_CONVERTED", "Numbers that don't fit in 64 bits became text in some columns: {count}{places}."
)


def write(tables: list[Table], target: Path, options: Any, warn: Warn) -> None:
    """Write each table under its name; a column has a declared type if all its values have the same.

    Types that SQLite lacks become text: dates and times in ISO 8601, numbers beyond 64 bits as their digits.
    """
    target.unlink(missing_ok=True)
    connection = sqlite3.connect(target, isolation_level=None)
    try:
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "temp_store=MEMORY"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN")
        empty: list[str] = []
        for table, name in zip(tables, _names(tables, options.table_name, warn), strict=True):
            if not _written(connection, table, name, warn):
                empty.append(f"“{name}”")
        warn.tally(WITHOUT_CELLS, len(empty), empty)
        connection.execute("COMMIT")
    finally:
        connection.close()


def _names(tables: list[Table], wanted: str, warn: Warn) -> list[str]:
    names = [table.name for table in tables]
    if len(tables) == 1:
        names = [wanted or ("data" if names == ["Sheet1"] else names[0])]
    # Names with this prefix are reserved by SQLite.
    return _distinct([f"_{each}" if each.lower().startswith("sqlite_") else each or "data" for each in names], warn, "")


def _distinct(names: list[str], warn: Warn, table: str) -> list[str]:
    """Unique names without characters that SQLite can't store; it ignores the case of ASCII letters."""
    taken = NumberedNames(str.lower)
    result = [taken.free(plain(given).replace("\0", "\ufffd")) for given in names]
    renamed = [f"“{name}”" for name, given in zip(result, names, strict=True) if name != given]
    warn.tally(_RENAMED, len(renamed), renamed, part=table)
    return result


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _written(connection: sqlite3.Connection, table: Table, name: str, warn: Warn) -> bool:
    """Write a table. Returns False, with nothing written, for one without columns, which SQLite does not support."""
    frames = table.frames if table.frames and table.frames.spelled and table.frames.size > LARGE else None
    if frames:
        given = frames.open()
        first = next(given)
        types, batches = _plain_types(table, first), _columns(table, chain([first], given))
    else:
        types = learning.schema(table).columns
        batches = (list(zip(*batch, strict=True)) for batch in table.batches() if batch)
    if not table.columns:
        return False
    columns = _distinct(list(table.columns), warn, name)
    if len(columns) > MAX_COLUMNS:
        raise OverLimit(
            "output",
            say("SQLite allows at most {max_columns} columns. Convert fewer at once.", max_columns=MAX_COLUMNS),
        )
    declared = ", ".join(f"{_quoted(each)} {_type(found)}".rstrip() for each, found in zip(columns, types, strict=True))
    connection.execute(f"CREATE TABLE {_quoted(name)} ({declared})")
    marks = ", ".join("?" * len(columns))
    connection.executemany(
        f"INSERT INTO {_quoted(name)} VALUES ({marks})",  # noqa: S608  # quoted
        _rows(batches, columns, warn, name),
    )
    return True


def _type(found: Type) -> str:
    """The declared type; none for several kinds, so that each value keeps its own."""
    kinds = {each if each in _OWN else "text" for each in found.kinds or {found.kind}}
    return "" if len(kinds) > 1 else _TYPES.get(next(iter(kinds)), "TEXT")


def _plain_types(table: Table, frame: Any) -> Sequence[Type]:
    from engine.families.data.columnar import types

    try:
        return types.plain_types(frame.schema)
    except Inexact:
        table.by_rows()


def _columns(table: Table, frames: Iterator[Any]) -> Iterator[list[Sequence[Value]]]:
    """The columns of some rows at a time; dates of which some are text in rows go by rows."""
    import polars

    from engine.families.data.columnar import cells

    for frame in frames:
        for series in frame:
            dated = isinstance(series.dtype, polars.Date | polars.Datetime)
            exact = not getattr(series.dtype, "time_zone", None) and not isinstance(series.dtype, polars.Time)
            if not exact or (dated and not cells.in_calendar(series)):
                table.by_rows()
        for part in frame.iter_slices(BATCH):
            yield [tuple(cells.values(series)) for series in part]


def _rows(
    batches: Iterator[list[Sequence[Value]]], names: list[str], warn: Warn, name: str
) -> Iterator[tuple[Value, ...]]:
    long: set[int] = set()
    for columns in batches:
        for at, cells in enumerate(columns):
            if not _storable(cells):
                columns[at] = tuple(map(_stored, cells))
                if any(
                    type(new) is str and type(old) in (int, Number) for new, old in zip(columns[at], cells, strict=True)
                ):
                    long.add(at)
        yield from zip(*columns, strict=True)
    warn.tally(_LONG, len(long), (f"“{names[at]}”" for at in sorted(long)), part=name)


def _storable(cells: Sequence[Value]) -> bool:
    """Whether all cells can be stored unchanged: checked by column, which is faster than by cell."""
    kinds = set(map(type, cells)) - _AS_THEY_ARE
    if kinds == {str}:
        return set(map(type, cells)) <= {str, type(None)} and "".join(filter(None, cells)).isascii()
    if kinds == {int} and float not in map(type, cells):
        numbers = [cell for cell in cells if cell is not None]
        return bool(min(numbers) >= -LARGEST and max(numbers) < LARGEST)
    return not kinds


def _stored(value: Value) -> Value:
    kind = type(value)
    if kind is int:
        return value if -LARGEST <= value < LARGEST else str(value)
    if kind is Number:
        found = exact_float(value)
        return str(value) if found is None else found
    if kind is str:
        return plain(value)
    return value if kind is bytes or kind in _AS_THEY_ARE else text(value)


_OWN: frozenset[Kind] = frozenset({"integer", "number", "boolean", "bytes", "date", "time", "timestamp", "instant"})
"""Kinds that are not stored as the texts that others are."""
_AS_THEY_ARE: set[type] = {bool, float, type(None)}
_TYPES: dict[Kind, str] = {
    "text": "TEXT",
    "integer": "INTEGER",
    "number": "REAL",
    "boolean": "BOOLEAN",
    "bytes": "BLOB",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
}
