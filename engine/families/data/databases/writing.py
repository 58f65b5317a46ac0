"""Write SQLite databases, with a declared type for each column."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.families.data.databases.storing import Cells, Column
from engine.families.data.json_input.tokens import Tokens
from engine.families.data.table import Row, Table
from engine.families.data.values import plain
from engine.families.data.workbooks.facts import WITHOUT_CELLS
from engine.toolkit import warnings
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.numbered_names import NumberedNames
from engine.toolkit.warnings import Warn

MAX_COLUMNS = 2_000
"""The default limit of SQLite."""
_ROWS = 4
"""Rows of one INSERT, which takes a third less time than one for each."""
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
        warn.account("sheets", len(empty))
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
    """Write a table. Returns False, with nothing written, for one without columns, which SQLite does not support.

    Its types are declared after its rows, when they are known: no value is converted to the type of a column.
    """
    if not table.columns:
        for _ in table.batches():
            pass
        return False
    names = _distinct(list(table.columns), warn, name)
    if len(names) > MAX_COLUMNS:
        raise OverLimit(
            "output",
            say("SQLite allows at most {max_columns} columns. Convert fewer at once.", max_columns=MAX_COLUMNS),
        )
    columns = [Column() for _ in names]
    connection.execute(f"CREATE TABLE {_quoted(name)} ({', '.join(map(_quoted, names))})")
    insert = _inserting(connection, name, len(names))
    for cells in _cells(table, columns, warn):
        insert(cells)
    _declare(connection, table, name, names, columns)
    long = [f"“{each}”" for each, column in zip(names, columns, strict=True) if column.long]
    warn.tally(_LONG, len(long), long, part=name)
    return True


def _inserting(connection: sqlite3.Connection, name: str, width: int) -> Callable[[Sequence[Cells]], None]:
    """A function that inserts rows, given as columns."""
    row = f"({', '.join('?' * width)})"
    one = f"INSERT INTO {_quoted(name)} VALUES {row}"  # noqa: S608  # quoted
    many = ", ".join([one, *[row] * (_ROWS - 1)])

    def insert(columns: Sequence[Cells]) -> None:
        end = len(columns[0]) // _ROWS * _ROWS
        connection.executemany(
            many, zip(*(cells[at:end:_ROWS] for at in range(_ROWS) for cells in columns), strict=True)
        )
        connection.executemany(one, zip(*(cells[end:] for cells in columns), strict=True))

    return insert


def _declare(connection: sqlite3.Connection, table: Table, name: str, names: list[str], columns: list[Column]) -> None:
    """Declare the types of columns, which changes no row (SQLite, ALTER TABLE, 7)."""
    known = list(table.schema()) if table.schema else [None] * len(names)
    kinds = [column.declared(each) for column, each in zip(columns, known, strict=True)]
    declared = ", ".join(f"{_quoted(each)} {kind}".rstrip() for each, kind in zip(names, kinds, strict=True))
    connection.execute("PRAGMA writable_schema=ON")
    connection.execute(
        "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
        (f"CREATE TABLE {_quoted(name)} ({declared})", name),
    )
    connection.execute("PRAGMA writable_schema=OFF")


def _cells(table: Table, columns: list[Column], warn: Warn) -> Iterator[Sequence[Cells]]:
    """The columns of some rows at a time, in the form that is the fastest to read."""
    if table.tokens:
        return _of_tokens(table.tokens(), columns)
    if table.frames and table.frames.for_text:
        from engine.families.data.databases import by_columns  # large imports

        return by_columns.cells(table, table.frames, columns, warn)
    return (_stored(batch, columns) for batch in table.batches() if batch)


def _of_tokens(parts: Iterator[Tokens | list[Row]], columns: list[Column]) -> Iterator[Sequence[Cells]]:
    for part in parts:
        if isinstance(part, Tokens):
            nothing = [None] * part.rows
            yield [
                nothing if joined is None else column.parsed(joined)
                for column, joined in zip(columns, part.columns, strict=True)
            ]
        elif part:
            yield _stored(part, columns)


def _stored(rows: list[Row], columns: list[Column]) -> list[Cells]:
    return [column.stored(cells) for column, cells in zip(columns, zip(*rows, strict=True), strict=True)]
