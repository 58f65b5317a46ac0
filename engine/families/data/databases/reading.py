"""Read the tables of SQLite databases, without executing anything in them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.families.data.damage import unreadable
from engine.families.data.databases import declared
from engine.families.data.databases.blocks import Columns, Reader
from engine.families.data.databases.cells import DECLARED, column
from engine.families.data.databases.generated import GeneratedColumns
from engine.families.data.exactness import Inexact
from engine.families.data.table import BATCH, Frames, Table, unique_names
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_TABLES = 2_000
"""The number of small tables that become sheets of a workbook in 0.6 s."""
MAX_CELL = 100_000_000
_STEPS = 1_000_000
_MOST_STEPS = 5_000
_NAMED = 10
"""The number of names that a message lists."""

_DAMAGED = say("The database is damaged and can't be read. Recover it or save it again.")
_SPACE = r"(?:\s|/\*(?:[^*]|\*(?!/))*+\*/|--[^\n]*+\n)++"
_VIRTUAL = re.compile(rf"\s*+CREATE{_SPACE}VIRTUAL\b", re.IGNORECASE)
_SHADOWS = (
    "content", "segments", "segdir", "docsize", "stat", "data", "idx", "config", "node", "rowid", "parent",
    "rowidtbl", "chunks",
)  # fmt: skip
"""Suffixes of the tables in which full-text and spatial indexes store their data."""
_HARMLESS = re.compile(
    r"(?:NULL value|(?:NUMERIC|TEXT|REAL|INTEGER|BLOB|non-\w+) value|CHECK constraint failed|row \d+ missing from index"
    r"|wrong # of entries in index|non-unique entry in index|rowid out of order)"
)
"""Findings of an integrity check that leave every row readable."""
_SKIPPED = Kind("SHEET_SKIPPED", "Tables are not in the output: {count}{places}. Use table, or sheets=all.")
_VIEWS = Kind("CONTENT_DROPPED", "Views were left out: {count}{places}.")
_VIRTUALS = Kind("CONTENT_DROPPED", "Virtual tables were left out: {count}{places}.")
_BINARY = Kind("VALUE_CONVERTED", "Binary columns became Base64 text: {count}{places}.")
_UNDECODABLE = Kind(
    "ENCODING_REPLACED", "Text that is not UTF-8 has U+FFFD in place of unreadable characters: {count}{places}."
)
_GENERATED = 2
"""How `table_xinfo` marks a column that is computed when it is read."""
_PRAGMAS = (
    "trusted_schema=OFF", "ignore_check_constraints=ON", "cell_size_check=ON", "mmap_size=0", "temp_store=MEMORY",
)  # fmt: skip
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION}


@dataclass(frozen=True)
class _Contents:
    tables: list[str]
    """In order of creation."""
    views: list[str]
    virtual: list[str]
    shadows: list[str]


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The chosen table of a database, or all of them; views, virtual tables and triggers are not executed.

    Raises Unreadable for a damaged file, InvalidOption for a missing table, and OverLimit for more than MAX_TABLES
    tables.
    """
    database = _Database(source, warn)
    contents = database.contents()
    if len(contents.tables) > MAX_TABLES:
        raise OverLimit(
            "memory",
            say(
                "The database has more than {max_tables} tables. Copy the ones you need to another database.",
                max_tables=MAX_TABLES,
            ),
        )
    if not contents.tables:
        raise Unreadable("The database has no tables with rows.", reason="empty")
    chosen = (
        contents.tables if options.sheets == "all" and not options.table else [_chosen(contents, options.table or "1")]
    )
    warn.detect(tables=len(contents.tables))
    skipped = [each for each in contents.tables if each not in chosen]
    for kind, names in ((_SKIPPED, skipped), (_VIEWS, contents.views), (_VIRTUALS, contents.virtual)):
        warn.tally(kind, len(names), (f"“{each}”" for each in names))
    warn.parts_left_out.update(skipped, contents.shadows)
    database.restrict_to_reading()
    return [database.table(name) for name in chosen]


def _chosen(contents: _Contents, wanted: str) -> str:
    names = [*contents.tables, *contents.shadows]
    if wanted in names:
        return wanted
    if wanted.isdecimal() and 1 <= int(wanted) <= len(contents.tables):
        return contents.tables[int(wanted) - 1]
    if wanted in (*contents.views, *contents.virtual):
        raise InvalidOption(
            "table",
            say("“{wanted}” is a view or a virtual table, which can't be converted. Choose a table.", wanted=wanted),
        )
    known = ", ".join(f"“{name}”" for name in contents.tables[:_NAMED])
    raise InvalidOption(
        "table",
        say(
            "There is no table “{wanted}”. Use one of {known}, or a number from 1 to {count}.",
            wanted=wanted,
            known=known,
            count=len(contents.tables),
        ),
    )


class _Database:
    """One database file, opened read-only and with an untrusted schema."""

    def __init__(self, source: Path, warn: Warn) -> None:
        self.warn = warn
        self.steps = 0
        self.undecodable = 0
        self.size = source.stat().st_size
        # Nobody else writes to it, so locks and journals are ignored.
        uri = f"{source.absolute().as_uri()}?mode=ro&immutable=1"
        # Rows may be read in another thread than this one, but never in two at once.
        self.connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        self.connection.text_factory = self._text
        for limit, most in (
            (sqlite3.SQLITE_LIMIT_LENGTH, MAX_CELL),
            (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 1_000_000),
            (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
            (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
            (sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0),
        ):
            self.connection.setlimit(limit, most)
        self._watch()
        with unreadable(_DAMAGED, sqlite3.Error):
            for pragma in _PRAGMAS:
                self.connection.execute(f"PRAGMA {pragma}")

    def _step(self) -> int:
        self.steps += 1
        return self.steps > _MOST_STEPS

    def _text(self, data: bytes) -> str:
        try:
            return data.decode()
        except UnicodeDecodeError:
            self.undecodable += 1
            return data.decode(errors="replace")

    def contents(self) -> _Contents:
        """The objects of the database, by kind and name."""
        with unreadable(_DAMAGED, sqlite3.Error):
            rows = self.connection.execute("SELECT type, name, rootpage, sql FROM sqlite_schema").fetchall()
        made = [(str(kind), str(name), page, str(sql)) for kind, name, page, sql in rows]
        made = [each for each in made if not each[1].lower().startswith("sqlite_")]
        virtual = [name for kind, name, _, sql in made if kind == "table" and _VIRTUAL.match(sql)]
        ordinary = [name for kind, name, page, _ in made if kind == "table" and page and name not in virtual]
        shadows = {f"{name}_{end}" for name in virtual for end in _SHADOWS}
        return _Contents(
            [name for name in ordinary if name not in shadows],
            [name for kind, name, _, _ in made if kind == "view"],
            virtual,
            [name for name in ordinary if name in shadows],
        )

    def restrict_to_reading(self) -> None:
        """From here on, allow only reading; constraints and declared types are queried table by table."""
        self.connection.set_authorizer(self._authorize)

    def _authorize(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        allowed = action in _ALLOWED or (action == sqlite3.SQLITE_PRAGMA and first in ("quick_check", "table_xinfo"))
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    def _watch(self) -> None:
        self.connection.set_progress_handler(self._step, _STEPS)

    def _runner(self, name: str, generated: bool) -> Callable[[Callable[[], Any]], Any]:
        return GeneratedColumns(self.connection, name, self._watch).within_limits if generated else lambda run: run()

    def table(self, name: str) -> Table:
        """One table, after checking its pages for damage."""
        quoted = '"' + name.replace('"', '""') + '"'
        with unreadable(_DAMAGED, sqlite3.Error):
            information = self.connection.execute(f"PRAGMA table_xinfo({quoted})").fetchall()
            generated = any(each[6] == _GENERATED for each in information)
            run = self._runner(name, generated)
            found = run(lambda: self.connection.execute(f"PRAGMA quick_check({quoted})").fetchall())
        if any(each != "ok" and not _HARMLESS.match(str(each)) for (each,) in found):
            raise Unreadable(
                say("The table “{name}” in the database is damaged. Recover it or save it again.", name=name),
                reason="damaged",
            )
        columns = [(str(each[1]), str(each[2]).upper()) for each in information if each[6] != 1]
        believed = {at: DECLARED[kind] for at, (_, kind) in enumerate(columns) if kind in DECLARED}
        reader = Reader(self.connection, quoted, [column for column, _ in columns])
        with unreadable(_DAMAGED, sqlite3.Error):
            sound = found == [("ok",)] and not generated and reader.has_row_ids()
            plain = sound and reader.has_one_type_each()

        def by_cells() -> Iterator[Columns]:
            rows = run(lambda: self.connection.execute(f"SELECT * FROM {quoted} NOT INDEXED"))  # noqa: S608  # quoted
            while batch := run(lambda: rows.fetchmany(BATCH)):
                yield list(zip(*batch, strict=True))

        def blocks() -> Iterator[Columns]:
            binary: set[int] = set()
            self.undecodable = 0
            with unreadable(_DAMAGED, sqlite3.Error):
                for block in reader.blocks() if sound else by_cells():
                    yield [column(cells, believed.get(at), at, binary) for at, cells in enumerate(block)]
            self.warn.tally(_BINARY, len(binary), (f"“{names[at]}” of “{name}”" for at in sorted(binary)), part=name)
            self.warn.tally(_UNDECODABLE, self.undecodable, [f"“{name}”"], part=name)

        def frames() -> Iterator[Any]:
            from engine.families.data.databases import frames_of_blocks  # large imports

            try:
                yield from frames_of_blocks.frames(blocks(), table.columns, types)
            except Inexact:
                table.by_rows()

        names = unique_names([column for column, _ in columns], self.warn, name)
        types = [declared.column_type(kind) for _, kind in columns]
        table = Table(
            name,
            names,
            lambda: (list(map(list, zip(*block, strict=True))) for block in blocks()),
            frames=Frames(frames, self.size) if plain else None,
            schema=lambda: types,
        )
        return table
