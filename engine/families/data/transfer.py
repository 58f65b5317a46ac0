"""Run one conversion: a reader's tables or documents into a writer, flattened or packed if needed.

Features that the reader found and the writer does not keep are reported once the output is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.families.data.features import NOTHING, PLACED, Found, Keeps
from engine.families.data.picking.options import RowPath, picks
from engine.families.data.table import Documents, Table, records, settled
from engine.toolkit.failures import InvalidOption
from engine.toolkit.formats import ZIP, Format
from engine.toolkit.messages import say
from engine.toolkit.numbered_names import NumberedNames
from engine.toolkit.warnings import Warn

ReadTables = Callable[[Path, Any, Warn], list[Table]]
ReadDocuments = Callable[[Path, Any, Warn], Documents]
WriteTable = Callable[[Table, Path, Any, Warn], None]
WriteTables = Callable[[list[Table], Path, Any, Warn], None]
WriteDocuments = Callable[[Documents, Path, Any, Warn], None]

_UNSAFE = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|\u202a-\u202e\u2066-\u2069]')


def tables_to_workbook(
    read: ReadTables, write: WriteTables, source: Path, target: Path, options: Any, warn: Warn, *, keeps: Keeps
) -> None:
    """Write each table as a sheet."""
    tables = _picked(read(source, options, warn), options, warn, target)
    settled(lambda: write(tables, target, options, warn))
    _report_lost(tables, keeps, warn)


def tables_to_table(
    read: ReadTables, write: WriteTable, source: Path, target: Path, options: Any, warn: Warn, *, keeps: Keeps
) -> Format | None:
    """Write the table as a file; if all tables are requested, each becomes a file in a ZIP."""
    tables = _picked(read(source, options, warn), options, warn, target)
    every = _all(options)
    return _write(tables if every else tables[:1], write, target, options, warn, keeps=keeps, pack=every)


def _write(
    tables: list[Table], write: WriteTable, target: Path, options: Any, warn: Warn, *, keeps: Keeps, pack: bool
) -> Format | None:
    """Write the single table as the file, or each as a file in a ZIP."""
    if not pack:
        _settle(write, tables[0], target, options, warn)
        _report_lost(tables, keeps, warn)
        return None
    from engine.toolkit import archive  # only needed for a ZIP

    files = []
    for index, (table, name) in enumerate(zip(tables, file_names(tables, target.suffix), strict=True)):
        path = target.with_name(f"part{index}{target.suffix}")
        _settle(write, table, path, options, warn)
        files.append((name, path))
    archive.pack(target, files)
    _report_lost(tables, keeps, warn)
    return ZIP


def _report_lost(tables: list[Table], keeps: Keeps, warn: Warn) -> None:
    carried: dict[Found, Keeps] = {}
    for table in tables:
        placed = keeps & table.layout.carries if table.layout else NOTHING
        carried[table.found] = carried.get(table.found, placed) & placed
    for found, placed in carried.items():
        found.report_lost((keeps - PLACED) | placed, warn)


def _settle(write: WriteTable, table: Table, path: Path, options: Any, warn: Warn) -> None:
    settled(lambda: write(table, path, options, warn))


def tables_to_documents(
    read: ReadTables, write: WriteDocuments, source: Path, target: Path, options: Any, warn: Warn, *, keeps: Keeps
) -> Format | None:
    """Write the rows as a list of objects; if all tables are requested, each becomes a file in a ZIP."""

    def write_rows(table: Table, path: Path, options: Any, warn: Warn) -> None:
        write(records(table), path, options, warn)

    return tables_to_table(read, write_rows, source, target, options, warn, keeps=keeps)


def documents_to_documents(
    read: ReadDocuments,
    write: WriteDocuments,
    source: Path,
    target: Path,
    options: Any,
    warn: Warn,
    *,
    keeps: Keeps,
    find_rows: bool,
) -> None:
    """Write the document with its structure, except for items that the options exclude."""
    documents = read(source, options, warn)
    if picks(options) or (isinstance(options, RowPath) and options.row_path):
        from engine.families.data.picking import items  # not needed by most jobs

        documents = items.pick(documents, options, warn, target.parent)
    write(documents, target, options, warn)
    documents.found.report_lost(keeps, warn)


def documents_to_table(
    read: ReadDocuments,
    write: WriteTable,
    source: Path,
    target: Path,
    options: Any,
    warn: Warn,
    *,
    keeps: Keeps,
    find_rows: bool,
) -> Format | None:
    """Write the objects of a list as rows; with `find_rows` the list may be nested in the document.

    If all lists are requested and there are several, each becomes a file in a ZIP.
    """
    tables = _flattened(read, source, target, options, warn, find_rows=find_rows)
    return _write(tables, write, target, options, warn, keeps=keeps, pack=len(tables) > 1)


def file_names(tables: list[Table], suffix: str) -> list[str]:
    """A readable, portable file name for each table, unique regardless of case."""
    taken = NumberedNames(str.lower)
    names = []
    for index, table in enumerate(tables, 1):
        wanted = _UNSAFE.sub("_", table.name).strip(" .")[:100] or f"table{index}"
        names.append(taken.free(wanted) + suffix)
    return names


def _all(options: Any) -> bool:
    named = getattr(options, "sheet", None) or getattr(options, "table", None)
    is_named = isinstance(named, str) and named != ""  # the tables of a page are numbered
    return getattr(options, "sheets", "one") == "all" and not is_named


def documents_to_workbook(
    read: ReadDocuments,
    write: WriteTables,
    source: Path,
    target: Path,
    options: Any,
    warn: Warn,
    *,
    keeps: Keeps,
    find_rows: bool,
) -> None:
    """Write each list as a sheet, as `documents_to_table` does."""
    tables = _flattened(read, source, target, options, warn, find_rows=find_rows)
    settled(lambda: write(tables, target, options, warn))
    _report_lost(tables, keeps, warn)


def _flattened(
    read: ReadDocuments, source: Path, target: Path, options: Any, warn: Warn, *, find_rows: bool
) -> list[Table]:
    from engine.families.data import flatten  # only needed for documents

    tables = flatten.tables(read(source, options, warn), options, warn, find_rows=find_rows)
    return _picked(tables, options, warn, target, unwound=True)


def _picked(tables: list[Table], options: Any, warn: Warn, target: Path, *, unwound: bool = False) -> list[Table]:
    """The tables that the options select."""
    if not picks(options, unwound=unwound):
        return tables
    from engine.families.data.picking import stage  # not needed by most jobs

    picked = []
    for table in tables:
        try:
            picked.append(stage.pick(table, options, warn, target.parent, unwound=unwound))
        except InvalidOption as error:
            if len(tables) == 1:
                raise
            raise InvalidOption(error.option, say("In “{name}”: {error}", name=table.name, error=error)) from None
    return picked
