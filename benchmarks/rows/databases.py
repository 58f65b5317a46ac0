"""SQLite databases from and to tables of every shape, compared with Python's own modules and polars on one thread.

DuckDB reads and writes them with an extension that its package leaves out.
"""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.row import Row
from benchmarks.rows import shapes
from engine.toolkit.options import Value

SIZE = 25_000_000
GOAL, MOST = 1.5, 320


def _cells(path: Path, shape: str, number: Callable[[str], str | float]) -> tuple[list[str], Iterator[list[object]]]:
    """The columns and rows of objects of a shape, with lists and objects as JSON text."""
    lines = path.with_suffix(".making")
    shapes.write(lines, shape=shape, size=SIZE, lines=True)
    with lines.open(encoding="utf-8") as file:
        objects = [json.loads(line, parse_float=number) for line in file]
    lines.unlink()
    names = list(dict.fromkeys(name for each in objects for name in each))
    return names, ([_cell(each.get(name)) for name in names] for each in objects)


def _cell(value: object) -> object:
    return json.dumps(value) if isinstance(value, dict | list) else value


def delimited(path: Path, *, shape: str) -> None:
    """Write a CSV file with rows of a shape, with all digits of their numbers."""
    names, rows = _cells(path, shape, str)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(rows)


def database(path: Path, *, shape: str) -> None:
    """Write a database with one table of rows of a shape, whose columns have no declared type."""
    names, rows = _cells(path, shape, float)
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE data ({', '.join(names)})")
    connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(names))})", rows)
    connection.commit()
    connection.close()


MAKE: dict[str, Callable[..., None]] = {
    "csv": delimited,
    "json": partial(shapes.write, size=SIZE, lines=False),
    "sqlite": database,
}
_STORE = """
import sqlite3
found = sqlite3.connect('{output}', isolation_level=None)
for each in ('PRAGMA journal_mode=OFF', 'PRAGMA synchronous=OFF', 'BEGIN'):
    found.execute(each)
found.execute('CREATE TABLE data (' + ', '.join(names) + ')')
found.executemany('INSERT INTO data VALUES (' + ', '.join('?' * len(names)) + ')', rows)
found.execute('COMMIT')
"""
_OBJECTS = """
import json
objects = json.load(open('{input}', encoding='utf-8'))
names = list(dict.fromkeys(name for each in objects for name in each))
def cell(value):
    return json.dumps(value) if isinstance(value, (dict, list)) else value
rows = ([cell(each.get(name)) for name in names] for each in objects)
"""
_LINES = """
import csv
rows = csv.reader(open('{input}', encoding='utf-8', newline=''))
names = next(rows)
"""
_POLARS = "import os; os.environ['POLARS_MAX_THREADS'] = '1'; import polars\n"
_FRAME = _POLARS + (
    "table = polars.read_csv('{input}', infer_schema_length=None); names, rows = table.columns, table.iter_rows()\n"
)
_SELECT = """
import sqlite3
rows = sqlite3.connect('{input}').execute('SELECT * FROM data')
names = [each[0] for each in rows.description]
"""
_WRITE = """
import csv
with open('{output}', 'w', encoding='utf-8', newline='') as file:
    csv.writer(file).writerow(names)
    csv.writer(file).writerows(rows)
"""

_FRAME_OF_ROWS = (
    "table = polars.DataFrame(rows.fetchall(), schema=names, orient='row', strict=False, infer_schema_length=None)\n"
    "table.write_%s('{output}')\n"
)


PEERS: tuple[tuple[str, str, str, str, dict[str, Value]], ...] = (
    ("json", "sqlite", "json and sqlite3", _OBJECTS + _STORE, {}),
    ("csv", "sqlite", "csv and sqlite3, all text", _LINES + _STORE, {"types": "text"}),
    ("csv", "sqlite", "polars and sqlite3, one thread", _FRAME + _STORE, {"types": "infer"}),
    ("sqlite", "csv", "sqlite3 and csv", _SELECT + _WRITE, {}),
    ("sqlite", "csv", "sqlite3 and polars, one thread", _POLARS + _SELECT + _FRAME_OF_ROWS % "csv", {}),
    ("sqlite", "parquet", "sqlite3 and polars, one thread", _POLARS + _SELECT + _FRAME_OF_ROWS % "parquet", {}),
)
"""A source, a target, a peer, its script, and our options that do the same."""


def _all() -> Iterator[Row]:
    for shape in shapes.SHAPES:
        for source, target, peer_name, script, options in PEERS:
            yield Row(
                name=f"{shape}, 25 MB as JSON",
                input=f"database-{shape.replace(' ', '-')}.{source}",
                make=partial(MAKE[source], shape=shape),
                slug=f"{source}-to-{target}",
                peer_name=peer_name,
                peer=("{python}", "-c", f"{script}import os; os._exit(0)"),
                goal=GOAL,
                needs=("polars",) if "polars" in peer_name else (),
                options=options,
                most=MOST,
                job=True,
            )


ROWS: tuple[Row, ...] = tuple(_all())
