"""Convert SQLite databases to and from rows."""

from __future__ import annotations

from engine.families.data.adapters import Adapter
from engine.families.data.converters import declare_all
from engine.families.data.databases import options
from engine.toolkit.formats import (
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
    XLSM,
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
    "to a SQLite database",
    _SQLITE,
    workbook_options=options.SheetsToTables,
)

OUTPUTS = (CSV, TSV, JSON, NDJSON, XLSX, ODS, PARQUET, HTML, MARKDOWN, YAML, XML)
INPUTS = (CSV, TSV, JSON, NDJSON, XLSX, XLSM, XLS, ODS, PARQUET, HTML, XML)

declare_all(__name__, readers=[READER], outputs=OUTPUTS, writers=[WRITER], inputs=INPUTS)
