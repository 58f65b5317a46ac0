"""SQLite read as JSON arrays and frames, and cell by cell: both give the same bytes, warnings and errors."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.families.data import table
from engine.families.data.databases import blocks, frames_of_blocks, reading
from tests.converters.ways import NEVER, Ways
from tests.examples import examples

MANY = settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ways:
    return Ways(
        tmp_path,
        monkeypatch,
        rows=[
            (blocks.Reader, "has_row_ids", lambda _: False),
            (reading, "Frames", lambda *_: None),
            (table, "LARGE", NEVER),
        ],
        columns=[(table, "LARGE", -1), (blocks, "BATCH", 2), (frames_of_blocks, "_BLOCKS", 2)],
        counted=[(blocks.Reader, "blocks")],
    )


def made(*statements: str, rows: list[tuple[Any, ...]] | None = None, bad_text: bool = False) -> bytes:
    """A database after these statements, and INSERTs of rows into its table `t`."""
    connection = sqlite3.connect(":memory:")
    for statement in statements:
        connection.execute(statement)
    for row in rows or []:
        marks = ", ".join("CAST(? AS TEXT)" if bad_text and type(cell) is bytes else "?" for cell in row)
        connection.execute(f"INSERT INTO t VALUES ({marks})", row)
    connection.commit()
    return connection.serialize()


_TEXTS = st.text(st.sampled_from('ab1,"\\\n\r\0\x7f/é\u2028😀'), max_size=4) | st.sampled_from(
    ["", "1", "1.0", "null", "NaN", "2024-02-29", "2024-02-30", "2024-02-29T10:00:00", "2024-02-29T10:00:00.500000",
     "2024-02-29 10:00:00", "2024-02-29T10:00:00+02:00", "0001-01-01", "true"]
)  # fmt: skip
_INTEGERS = st.sampled_from([0, 1, -1, 7, 2**53 + 1, 2**63 - 1, -(2**63)])
_FLOATS = st.floats(allow_nan=False) | st.sampled_from([1.0, -0.0, 5e-324, 1e16, 1e300, float("inf"), 2.0**63])
_BYTES = st.binary(max_size=3)
_NULL = st.none()
_CELLS = [
    kind | nothing
    for kind in (_TEXTS, _INTEGERS, _FLOATS, _BYTES, _NULL, _TEXTS | _INTEGERS, _INTEGERS | _FLOATS, _TEXTS | _BYTES)
    for nothing in (st.nothing(), _NULL)
]
_DECLARED = ["", "INTEGER", "TEXT", "REAL", "BLOB", "BOOLEAN", "DATE", "DATETIME", "DECIMAL(9, 2)", "NUMERIC", "INT8"]


@pytest.mark.ci
@pytest.mark.parametrize("slug", ["sqlite-to-csv", "sqlite-to-json", "sqlite-to-ndjson", "sqlite-to-parquet"])
@pytest.mark.examples
@MANY
@given(data=st.data())
def test_any_table(ways: Ways, slug: str, data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.tuples(st.sampled_from(_DECLARED), st.sampled_from(_CELLS)), min_size=1, max_size=3))
    rows = data.draw(st.lists(st.tuples(*(cells for _, cells in kinds)), max_size=9))
    columns = ", ".join(f"c{at} {declared}" for at, (declared, _) in enumerate(kinds))
    ways.same(slug, made(f"CREATE TABLE t ({columns})", rows=rows, bad_text=data.draw(st.booleans())))


@pytest.mark.parametrize(
    "options", [{"where": "n > 2"}, {"sort": "-n"}, {"columns": "b, n as x"}, {"limit": 3}, {"skipRows": 2, "limit": 2}]
)
@pytest.mark.parametrize("slug", ["sqlite-to-csv", "sqlite-to-json", "sqlite-to-parquet"])
def test_picked_rows(ways: Ways, slug: str, options: dict[str, Any]) -> None:
    data = made("CREATE TABLE t (n INTEGER, b)", rows=[(at, f"x{at}" if at < 5 else b"y") for at in range(7)])
    ways.same(slug, data, **options)


_SEVERAL = [
    "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)",
    "INSERT INTO t VALUES (-9223372036854775808, 'a'), (-5, 'b'), (0, NULL), (7, ''), (9223372036854775807, 'e')",
]
_TABLES = {
    "row IDs with gaps": _SEVERAL,
    "rows not in order of insertion": ["CREATE TABLE t (id INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (3), (1), (2)"],
    "without row IDs": [
        "CREATE TABLE t (k TEXT PRIMARY KEY, n) WITHOUT ROWID", "INSERT INTO t VALUES ('b', 1), ('a', 2), ('c', 3)",
    ],
    "a column called rowid": ["CREATE TABLE t (rowid TEXT, n)", "INSERT INTO t VALUES ('b', 1), ('a', 2), ('c', 3)"],
    "columns with all names of row IDs": [
        "CREATE TABLE t (rowid TEXT, OID, _rowid_)", "INSERT INTO t VALUES ('b', 1, 3), ('a', 2, 2), ('c', 3, 1)",
    ],
    "generated columns": [
        "CREATE TABLE t (a INTEGER, b TEXT AS (a || 'x'), c AS (a * 2) STORED)", "INSERT INTO t VALUES (1), (2), (3)",
    ],
    "deleted rows": [*_SEVERAL, "DELETE FROM t WHERE id IN (-5, 7)"],
    "added columns": [*_SEVERAL, "ALTER TABLE t ADD COLUMN late TEXT DEFAULT 'x'", "INSERT INTO t VALUES (1, 'f', '')"],
    "odd names": ['CREATE TABLE t ("a""b" TEXT, "c d", "*" INT, "")', "INSERT INTO t VALUES ('x', 1, 2, 3)"],
    "UTF-16": ["PRAGMA encoding='UTF-16le'", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('ä'), ('😀'), ('x'), ('y')"],
    "the most columns": [
        f"CREATE TABLE t ({', '.join(f'c{at}' for at in range(2_000))})", "INSERT INTO t (c0, c1999) VALUES (1, 'x')",
    ],
    "no rows": ["CREATE TABLE t (a INTEGER, b)"],
    "an index and a view": [*_SEVERAL, "CREATE INDEX i ON t (name)", "CREATE VIEW v AS SELECT * FROM t"],
    "statistics that prefer indexes": [
        "CREATE TABLE t (a TEXT, b INTEGER)", "INSERT INTO t VALUES ('d', 2), ('c', 4), ('b', 1), ('a', 3)",
        "CREATE INDEX i ON t (a)", "CREATE INDEX j ON t (b)", "CREATE INDEX k ON t (b, a)", "ANALYZE",
        "UPDATE sqlite_stat1 SET stat = '1 1 1 sz=1'",
    ],
    "days and times among other texts": [
        "CREATE TABLE t (a TIMESTAMP, b DATE)",
        "INSERT INTO t VALUES ('2024-02-29T10:00:00', '2024-02-29'), ('2024-03-01T10:00:00', '2024-03-01')",
        "INSERT INTO t VALUES ('2024-03-01T10:00:00', '2024-03-01'), ('soon', 'never'), (1, 2)",
    ],
    "blobs that are binary JSON": [
        "CREATE TABLE t (a, b)", "INSERT INTO t VALUES ('a', 1), ('b', 2), (x'1761', x'1331'), (x'00', x'00')",
    ],
    "later values of another type": [
        "CREATE TABLE t (a, b)", "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4.0, 'd'), ('e', x''), (6, NULL)",
    ],
}  # fmt: skip


@pytest.mark.parametrize("statements", _TABLES.values(), ids=_TABLES)
@pytest.mark.parametrize("slug", ["sqlite-to-csv", "sqlite-to-json", "sqlite-to-parquet"])
def test_tables_of_every_kind(ways: Ways, slug: str, statements: list[str]) -> None:
    ways.same(slug, made(*statements))


def test_each_row_keeps_its_cells_whatever_index_statistics_prefer(ways: Ways) -> None:
    found = ways.same("sqlite-to-ndjson", made(*_TABLES["statistics that prefer indexes"]))
    assert isinstance(found, bytes)
    rows = [tuple(json.loads(line).values()) for line in found.splitlines()]
    assert rows == [("d", 2), ("c", 4), ("b", 1), ("a", 3)]


def test_large_texts_are_read_by_cells(ways: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_MOST", 10)
    rows = [(at, "x" * at) for at in range(12)]
    found = ways.same("sqlite-to-ndjson", made("CREATE TABLE t (n INTEGER, s TEXT)", rows=rows))
    assert isinstance(found, bytes)
    assert [tuple(json.loads(line).values()) for line in found.splitlines()] == rows
    assert ways.by_columns == 1


def test_several_tables_go_by_blocks(ways: Ways) -> None:
    data = made(
        "CREATE TABLE t (a)", "CREATE TABLE u (b TEXT)", "INSERT INTO u VALUES ('x'), ('y'), ('z')", rows=[(1,)]
    )
    ways.same("sqlite-to-csv", data, table="u")
    assert ways.by_columns == 1
    ways.same("sqlite-to-xlsx", data, table="u")
    assert ways.by_columns >= 2
