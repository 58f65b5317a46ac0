"""One conversion: a reader's tables or documents into a writer, where need be flattened, or packed into one archive.

What the reader found beside the values and the writer does not keep is told once the output is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conversions.families.data.features import NOTHING, PLACED, Found, Keeps
from conversions.families.data.picking.options import RowPath, picks
from conversions.families.data.table import Documents, Table, records, settled
from conversions.toolkit.failures import InvalidOption
from conversions.toolkit.formats import ZIP, Format
from conversions.toolkit.warnings import Warn

ReadTables = Callable[[Path, Any, Warn], list[Table]]
ReadDocuments = Callable[[Path, Any, Warn], Documents]
WriteTable = Callable[[Table, Path, Any, Warn], None]
WriteTables = Callable[[list[Table], Path, Any, Warn], None]
WriteDocuments = Callable[[Documents, Path, Any, Warn], None]

_UNSAFE = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|\u202a-\u202e\u2066-\u2069]')


def tables_to_workbook(
    read: ReadTables, write: WriteTables, source: Path, target: Path, options: Any, warn: Warn, *, keeps: Keeps
) -> None:
    """Every table becomes a sheet."""
    tables = _picked(read(source, options, warn), options, warn, target)
    settled(lambda: write(tables, target, options, warn))
    _tell_lost(tables, keeps, warn)


def tables_to_table(
    read: ReadTables, write: WriteTable, source: Path, target: Path, options: Any, warn: Warn, *, keeps: Keeps
) -> Format | None:
    """The table becomes the file; where all tables were asked for, each becomes one in an archive."""
    tables = _picked(read(source, options, warn), options, warn, target)
    every = _all(options)
    return _write(tables if every else tables[:1], write, target, options, warn, keeps=keeps, pack=every)


def _write(
    tables: list[Table], write: WriteTable, target: Path, options: Any, warn: Warn, *, keeps: Keeps, pack: bool
) -> Format | None:
    """The one table as the file, or each as a file of an archive."""
    if not pack:
        _settle(write, tables[0], target, options, warn)
        _tell_lost(tables, keeps, warn)
        return None
    from conversions.toolkit import archive  # not for single files

    files = []
    for index, (table, name) in enumerate(zip(tables, file_names(tables, target.suffix), strict=True)):
        path = target.with_name(f"part{index}{target.suffix}")
        _settle(write, table, path, options, warn)
        files.append((name, path))
    archive.pack(target, files)
    _tell_lost(tables, keeps, warn)
    return ZIP


def _tell_lost(tables: list[Table], keeps: Keeps, warn: Warn) -> None:
    carried: dict[Found, Keeps] = {}
    for table in tables:
        placed = keeps & table.look.carries if table.look else NOTHING
        carried[table.found] = carried.get(table.found, placed) & placed
    for found, placed in carried.items():
        found.tell_lost((keeps - PLACED) | placed, warn)


def _settle(write: WriteTable, table: Table, path: Path, options: Any, warn: Warn) -> None:
    settled(lambda: write(table, path, options, warn))


def tables_to_documents(
    read: ReadTables, write: WriteDocuments, source: Path, target: Path, options: Any, warn: Warn, *, keeps: Keeps
) -> Format | None:
    """The rows become objects of one list; where all tables were asked for, each becomes a file in an archive."""

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
    """The structure stays as it is, but for items that the options leave out."""
    documents = read(source, options, warn)
    if picks(options) or (isinstance(options, RowPath) and options.row_path):
        from conversions.families.data.picking import items  # not for most jobs

        documents = items.pick(documents, options, warn, target.parent)
    write(documents, target, options, warn)
    documents.found.tell_lost(keeps, warn)


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
    """The objects of a list become rows; `find_rows` says that the list may lie deeper in the document.

    Where all lists were asked for, and there are several, each becomes a file in an archive.
    """
    tables = _flattened(read, source, target, options, warn, find_rows=find_rows)
    return _write(tables, write, target, options, warn, keeps=keeps, pack=len(tables) > 1)


def file_names(tables: list[Table], suffix: str) -> list[str]:
    """A readable file name for each table, without what a file system refuses, and none twice in any letter case."""
    taken: set[str] = set()
    names = []
    for index, table in enumerate(tables, 1):
        stem = wanted = _UNSAFE.sub("_", table.name).strip(" .")[:100] or f"table{index}"
        number = 2
        while stem.lower() in taken:
            stem = f"{wanted}_{number}"
            number += 1
        taken.add(stem.lower())
        names.append(stem + suffix)
    return names


def _all(options: Any) -> bool:
    named = getattr(options, "sheet", None) or getattr(options, "table", None)
    is_named = isinstance(named, str) and named != ""  # a page's tables have numbers
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
    """As `documents_to_table`, each list a sheet."""
    tables = _flattened(read, source, target, options, warn, find_rows=find_rows)
    settled(lambda: write(tables, target, options, warn))
    _tell_lost(tables, keeps, warn)


def _flattened(
    read: ReadDocuments, source: Path, target: Path, options: Any, warn: Warn, *, find_rows: bool
) -> list[Table]:
    from conversions.families.data import flatten  # not for tables

    tables = flatten.tables(read(source, options, warn), options, warn, find_rows=find_rows)
    return _picked(tables, options, warn, target, unwound=True)


def _picked(tables: list[Table], options: Any, warn: Warn, target: Path, *, unwound: bool = False) -> list[Table]:
    """The tables as the options want them."""
    if not picks(options):
        return tables
    from conversions.families.data.picking import stage  # not for most jobs

    picked = []
    for table in tables:
        try:
            picked.append(stage.pick(table, options, warn, target.parent, unwound=unwound))
        except InvalidOption as error:
            if len(tables) == 1:
                raise
            raise InvalidOption(error.option, f"In “{table.name}”: {error}") from None
    return picked
