"""Databases: SQLite from and to what has rows."""

from __future__ import annotations

from conversions.families.data.adapters import Adapter
from conversions.families.data.converters import declare_all
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
)

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

declare_all(__name__, readers=[READER], outputs=OUTPUTS, writers=[WRITER], inputs=INPUTS)
