"""Vectors of SQLite databases: their types and names, what they keep beside tables, and files that mean harm."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from datetime import date, datetime

from tests.converters.pairs import pairs
from tests.converters.vector import Check, Vector, fail, refuse, take
from tests.families.data.checks import equal, gives, is_text
from tests.families.data.files import database, workbook
from tests.families.data.seen import from_csv, from_sqlite, from_xlsx, unzipped
from tests.families.data.vectors import READERS, WRITERS

_TWO = {"people": [["id", "name"], [1, "Ada"]], "Größe & Maß": [["cm"], [1.5], [None]]}
_STATEMENTS = (
    "CREATE TABLE kinds (flag BOOLEAN, day DATE, moment TIMESTAMP, bytes BLOB, any, big INTEGER, real REAL)",
    "INSERT INTO kinds VALUES (1, '2024-02-29', '2024-02-29T10:00:00', x'00ff', 'x', 9223372036854775807, 9e999)",
    "INSERT INTO kinds VALUES (7, '29.2.2024', '2024-02-29 10:00:00', NULL, 1.5, -9223372036854775808, 1)",
    "INSERT INTO kinds VALUES ('yes', 20240229, NULL, 'text', x'41', NULL, NULL)",
)
_KINDS = [
    {"flag": True, "day": "2024-02-29", "moment": "2024-02-29T10:00:00", "bytes": "AP8=", "any": "x",
     "big": 9223372036854775807, "real": None},
    {"flag": 7, "day": "29.2.2024", "moment": "2024-02-29 10:00:00", "bytes": None, "any": "1.5",
     "big": -9223372036854775808, "real": "1.0"},
    {"flag": "yes", "day": 20240229, "moment": None, "bytes": "text", "any": "QQ==", "big": None, "real": None},
]  # fmt: skip
_LOOP = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"


def changed(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]


def schema_edited(old: str, new: str, *statements: str) -> bytes:
    """A database whose schema says something that SQLite would not have written."""
    connection = sqlite3.connect(":memory:")
    for statement in (*statements, "PRAGMA writable_schema=ON"):
        connection.execute(statement)
    connection.execute("UPDATE sqlite_schema SET sql = replace(sql, ?, ?)", (old, new))
    connection.commit()
    return connection.serialize()


def utf16() -> bytes:
    connection = sqlite3.connect(":memory:")
    for statement in ("PRAGMA encoding='UTF-16le'", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('ä😀')"):
        connection.execute(statement)
    connection.commit()
    return connection.serialize()


def many_rows() -> bytes:
    return database(t=[["n", "text"], *([number, f"text {number}" * 9] for number in range(5_000))])


def a_page_twice() -> bytes:
    """A table whose first two leaves are one page, so that its rows come twice."""
    data = many_rows()
    root = 4096
    cells = [int.from_bytes(data[root + 12 + 2 * at : root + 14 + 2 * at], "big") for at in range(2)]
    first = data[root + cells[0] : root + cells[0] + 4]
    return changed(data, root + cells[1], first)


def _has(*tables: list[list[str]]) -> Check:
    def check(data: bytes) -> None:
        assert [from_sqlite(data, number) for number in range(len(tables))] == list(tables)

    return check


def declared(data: bytes) -> dict[str, list[tuple[str, str]]]:
    """The columns of each table with the types that they were declared with."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(data)
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema")]
    return {name: [(each[1], each[2]) for each in connection.execute(f'PRAGMA table_info("{name}")')] for name in names}


def _stored(data: bytes, expected: list[tuple[object, ...]]) -> None:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(data)
    ((name,),) = connection.execute("SELECT name FROM sqlite_schema")
    found = connection.execute(f'SELECT * FROM "{name}"').fetchall()
    assert found == expected
    assert [list(map(type, row)) for row in found] == [list(map(type, row)) for row in expected]


_IN = (
    take("sqlite-to-json", "values of every type, believed where they can be what is declared",
         lambda: database(*_STATEMENTS), lambda data: equal(json.loads(data, parse_float=str), _KINDS),
         "VALUE_CONVERTED"),
    take("sqlite-to-json", "text in UTF-16", utf16, gives([{"a": "ä😀"}])),
    take("sqlite-to-json", "text that is not UTF-8",
         lambda: database("INSERT INTO t VALUES (CAST(x'61ff' AS TEXT))", t=[["a"]]), gives([{"a": "a\ufffd"}]),
         "ENCODING_REPLACED"),
    take("sqlite-to-json", "a table without rows", lambda: database(t=[["a", "b"]]), gives([])),
    take("sqlite-to-csv", "the table that is named", lambda: database(**_TWO), is_text('cm\r\n1.5\r\n\"\"\r\n'),
         "SHEET_SKIPPED", table="Größe & Maß"),
    take("sqlite-to-csv", "a table by its number", lambda: database(**_TWO), is_text('cm\r\n1.5\r\n\"\"\r\n'),
         "SHEET_SKIPPED", table="2"),
    take("sqlite-to-csv", "all tables", lambda: database(**_TWO),
         lambda data: equal({name: from_csv(each) for name, each in unzipped(data).items()},
                            {"people.csv": [["id", "name"], ["1", "Ada"]],
                             "Größe & Maß.csv": [["cm"], ["1.5"], [""]]}),
         output="zip", sheets="all"),
    take("sqlite-to-csv", "a name takes no archive", lambda: database(**_TWO), is_text("id,name\r\n1,Ada\r\n"),
         "SHEET_SKIPPED", table="people", sheets="all"),
    take("sqlite-to-xlsx", "each table a sheet", lambda: database(**_TWO),
         lambda data: equal([from_xlsx(data, 0), from_xlsx(data, 1)],
                            [[["id", "name"], ["1", "Ada"]], [["cm"], ["1.5"]]])),
    take("sqlite-to-json", "quotes, a keyword and nothing as names",
         lambda: database('CREATE TABLE "sel""ect" ("a""b", "from", "")',
                          """INSERT INTO "sel""ect" VALUES (1, 2, 3)"""),
         gives([{'a"b': 1, "from": 2, "column3": 3}]), "COLUMN_RENAMED"),
    take("sqlite-to-json", "rows without a row id, strict, with a column that is computed",
         lambda: database("CREATE TABLE t (a INTEGER PRIMARY KEY, b ANY, c TEXT AS (upper(b))) STRICT, WITHOUT ROWID",
                          "INSERT INTO t VALUES (2, 'x'), (1, 'y')"),
         gives([{"a": 1, "b": "y", "c": "Y"}, {"a": 2, "b": "x", "c": "X"}])),
    take("sqlite-to-json", "what checks forbid is not what can't be read",
         lambda: schema_edited("a int", "a int check (a < 0) not null", "CREATE TABLE t (a int)",
                               "INSERT INTO t VALUES (1), (NULL)"), gives([{"a": 1}, {"a": None}])),
    take("sqlite-to-json", "an index of full texts, whose own tables are left out",
         lambda: database("CREATE VIRTUAL TABLE f USING fts5(x)", "INSERT INTO f VALUES ('hello')", t=[["a"], [1]]),
         gives([{"a": 1}]), "CONTENT_DROPPED"),
    take("sqlite-to-json", "but for the one that is named",
         lambda: database("CREATE VIRTUAL TABLE f USING fts5(x)", "INSERT INTO f VALUES ('hello')", t=[["a"], [1]]),
         gives([{"id": 1, "c0": "hello"}]), "CONTENT_DROPPED", "SHEET_SKIPPED", table="f_content"),
    take("sqlite-to-json", "a view without an end and triggers are not run",
         lambda: database(f"CREATE VIEW endless AS {_LOOP}", "CREATE VIEW self AS SELECT * FROM self",
                          "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; END", t=[["a"], [1]]),
         gives([{"a": 1}]), "CONTENT_DROPPED"),
    refuse("sqlite-to-json", "a view that is named", lambda: database(f"CREATE VIEW v AS {_LOOP}", t=[["a"], [1]]),
           table="v"),
    refuse("sqlite-to-csv", "a table that is not there", lambda: database(**_TWO), table="3"),
    refuse("sqlite-to-csv", "a table of the file's own", lambda: database(**_TWO), table="sqlite_schema"),
)  # fmt: skip


def _hostile(name: str, make: Callable[[], bytes]) -> Vector:
    return fail("sqlite-to-csv", name, make)


_HOSTILE = (
    fail("sqlite-to-csv", "a header and nothing else", b"SQLite format 3\0" + bytes(84)),
    _hostile("no tables", lambda: database("CREATE VIEW v AS SELECT 1")),
    _hostile("a page that comes twice", a_page_twice),
    _hostile("a page of noise", lambda: changed(many_rows(), 3 * 4096, bytes(range(256)) * 16)),
    _hostile("a root page beyond the end", lambda: changed(many_rows(), 28, b"\0\0\0\2")),
    _hostile("half of the pages", lambda: many_rows()[: 20 * 4096]),
    _hostile("a schema that is no SQL", lambda: schema_edited("CREATE", "DELETE", "CREATE TABLE t (a)")),
    _hostile(
        "a function of the schema that could reach outside",
        lambda: schema_edited(
            "upper(", "load_extension(", "CREATE TABLE t (a, b AS (upper(a)))", "INSERT INTO t VALUES ('x')"
        ),
    ),
    _hostile(
        "more tables than anybody has", lambda: database(*(f"CREATE TABLE t{number} (a)" for number in range(2_001)))
    ),
)

_MIXED = b'[{"a": 1, "A": "x", "n": 12345678901234567890, "f": 1.10, "m": 1, "l": [1]},' \
    b' {"a": 2, "A": null, "n": 1, "f": 1e400, "m": "1", "l": null}]'  # fmt: skip

_OUT = (
    take("json-to-sqlite", "numbers of all sizes, kinds that differ, names that differ in case", _MIXED,
         lambda data: _stored(data, [(1, "x", "12345678901234567890", 1.1, 1, "[1]"),
                                     (2, None, 1, "1e400", "1", None)]),
         "COLUMN_RENAMED", "VALUE_CONVERTED"),
    take("xlsx-to-sqlite", "each sheet a table, of types",
         lambda: workbook({"One": [["day", "moment", "n", "x", "yes"],
                                   [date(2024, 2, 29), datetime(2024, 2, 29, 10), 1, 1.5, True]],
                           "sqlite_two": [["a"], ["007"]]}),
         lambda data: equal(
             (from_sqlite(data)[1:], from_sqlite(data, 1), declared(data)),
             ([["2024-02-29", "2024-02-29T10:00:00", "1", "1.5", "true"]], [["a"], ["007"]],
              {"One": [("day", "DATE"), ("moment", "TIMESTAMP"), ("n", "INTEGER"), ("x", "REAL"), ("yes", "BOOLEAN")],
               "_sqlite_two": [("a", "TEXT")]}),
         )),
    take("csv-to-sqlite", "types that are inferred, a table that is named", b"id,n\r\n007,1\r\n8,2\r\n",
         lambda data: equal(declared(data), {"my table": [("id", "TEXT"), ("n", "INTEGER")]}), types="infer",
         tableName="my table"),
    take("csv-to-sqlite", "rows that are longer than those before", b"a\r\n1\r\n1,2\r\n",
         _has([["a", "column2"], ["1", ""], ["1", "2"]]), "COLUMN_RENAMED", "ROW_RAGGED"),
    take("csv-to-sqlite", "a text that SQL would end at", b"\"a\"\"b\"\r\n\"x');DROP TABLE data;--\"\r\n",
         _has([['a"b'], ["x');DROP TABLE data;--"]])),
    Vector("json-to-sqlite", "more columns than SQLite takes", "failing",
           lambda: json.dumps([{f"c{number}": 1 for number in range(2_001)}]).encode(), error="UNSUPPORTED_FORMAT"),
)  # fmt: skip

VECTORS: tuple[Vector, ...] = (*pairs("data.databases", READERS, WRITERS), *_IN, *_HOSTILE, *_OUT)
