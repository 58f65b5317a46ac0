"""Databases: SQLite from and to what has rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.data import converters as data
from conversions.families.data.converters import READERS, WRITERS, Adapter, declare
from conversions.families.data.databases import options
from conversions.toolkit.formats import (
    CSV,
    HTML,
    JSON,
    MARKDOWN,
    NDJSON,
    ODS,
    PARQUET,
    SQLITE,
    TSV,
    XLS,
    XLSX,
    XML,
    YAML,
    Format,
)
from conversions.toolkit.warnings import Warn

_SQLITE = ("SQLite", "sqlite3")

READER = Adapter(
    SQLITE,
    "databases.reading:read",
    "tables",
    options.DatabaseTables,
    "a table of a SQLite database",
    _SQLITE,
    workbook_options=options.DatabaseCopy,
)
WRITER = Adapter(
    SQLITE,
    "databases.writing:write",
    "workbook",
    options.SqliteOut,
    "as a SQLite database",
    _SQLITE,
    workbook_options=options.SheetsToTables,
)

OUTPUTS = (CSV, TSV, JSON, NDJSON, XLSX, ODS, PARQUET, HTML, MARKDOWN, YAML, XML)
INPUTS = (CSV, TSV, JSON, NDJSON, XLSX, XLS, ODS, PARQUET, HTML, XML)


def _convert(reader: Adapter, writer: Adapter, source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    return data.convert(reader, writer, source, target, options, warn)


for _writer in WRITERS:
    if _writer.format in OUTPUTS:
        declare(READER, _writer, _convert)

for _reader in READERS:
    if _reader.format in INPUTS:
        declare(_reader, WRITER, _convert)
