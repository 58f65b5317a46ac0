"""One conversion: a reader's tables or documents into a writer, where need be flattened, or packed into one archive.

What the reader found beside the values and the writer does not keep is told once the output is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conversions.families.data import flatten
from conversions.families.data.features import Keeps
from conversions.families.data.table import Documents, Table, records, settled
from conversions.toolkit import archive
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
    tables = read(source, options, warn)
    settled(lambda: write(tables, target, options, warn))
    _tell_lost(tables, keeps, warn)


def tables_to_table(
    read: ReadTables, write: WriteTable, source: Path, target: Path, options: Any, warn: Warn, *, keeps: Keeps
) -> Format | None:
    """The table becomes the file; where all tables were asked for, each becomes one in an archive."""
    tables = read(source, options, warn)
    if not _all(options):
        settled(lambda: write(tables[0], target, options, warn))
        _tell_lost(tables[:1], keeps, warn)
        return None
    files = []
    for index, (table, name) in enumerate(zip(tables, file_names(tables, target.suffix), strict=True)):
        path = target.with_name(f"part{index}{target.suffix}")
        _settle(write, table, path, options, warn)
        files.append((name, path))
    archive.pack(target, files)
    _tell_lost(tables, keeps, warn)
    return ZIP


def _tell_lost(tables: list[Table], keeps: Keeps, warn: Warn) -> None:
    for found in dict.fromkeys(table.found for table in tables):
        found.tell_lost(keeps, warn)


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
    """The structure stays as it is."""
    documents = read(source, options, warn)
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
) -> None:
    """The objects of a list become rows; `find_rows` says that the list may lie deeper in the document."""
    table = flatten.table(read(source, options, warn), options, warn, find_rows=find_rows)
    settled(lambda: write(table, target, options, warn))
    table.found.tell_lost(keeps, warn)


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
    if getattr(options, "all_sheets", False):
        return not options.sheet
    named = isinstance(getattr(options, "table", None), str) and options.table  # a page's tables have numbers
    return bool(getattr(options, "all_tables", False)) and not named


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
    """As `documents_to_table`, into a workbook of one sheet."""

    def write_one(table: Table, path: Path, options: Any, warn: Warn) -> None:
        write([table], path, options, warn)

    documents_to_table(read, write_one, source, target, options, warn, keeps=keeps, find_rows=find_rows)
