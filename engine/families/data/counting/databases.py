"""Count the rows of SQLite databases with SQL queries."""

from __future__ import annotations

import sqlite3
from base64 import b64encode
from contextlib import closing
from pathlib import Path
from typing import Any

from engine.families.data.counting import rows, sheets
from engine.toolkit.census import Census

_STEPS, _MOST_STEPS = 1_000_000, 200


def sqlite(path: Path) -> Census:
    """Return the census of a database's tables; views and virtual tables are skipped."""
    steps = 0

    def step() -> bool:
        nonlocal steps
        steps += 1
        return steps > _MOST_STEPS

    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        database.set_progress_handler(step, _STEPS)
        database.text_factory = lambda data: data.decode("utf-8", "replace")
        for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "temp_store=MEMORY"):
            database.execute(f"PRAGMA {pragma}")
        names = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' "
            "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
        ).fetchall()
        return sheets.workbook((name, _table(database, name)) for (name,) in names)


def _table(database: sqlite3.Connection, name: str) -> Census:
    table = '"{}"'.format(name.replace('"', '""'))
    (count,) = database.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608  # quoted above
    values = rows.Values()
    columns: list[str] = []
    blank = 0
    for first, last in rows.windows(count):
        found = database.execute(f"SELECT * FROM {table} LIMIT ? OFFSET ?", (last - first, first))  # noqa: S608
        columns = [each[0] for each in found.description]
        for row in found:
            blank += not any(each not in (None, "") for each in row)
            values.row(list(map(_plain, row)))
    census = rows.counted(count, blank)
    census.add("columns", len(columns))
    values.header(columns)
    values.into(census, rows.sample_of(count))
    return census


def _plain(value: Any) -> Any:
    return b64encode(value).decode() if isinstance(value, bytes) else value
