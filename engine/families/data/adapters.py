"""Readers and writers of tables and documents, by format and options."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from engine.families.data.features import NOTHING, PLACED, Keeps
from engine.families.data.readers import options as reading
from engine.families.data.workbooks import options as sheets
from engine.families.data.writers import options as writing
from engine.toolkit.formats import (
    CSV,
    HTML,
    JSON,
    MARKDOWN,
    NDJSON,
    ODS,
    PARQUET,
    TOML,
    TSV,
    XLS,
    XLSB,
    XLSM,
    XLSX,
    XML,
    YAML,
    Format,
)
from engine.toolkit.options import NoOptions

PACKAGE = "engine.families.data"
MODULES = (
    *(f"{PACKAGE}.{each}" for each in ("transfer", "flatten", "json_input.mending", "picking.items", "picking.stage")),
    "engine.toolkit.archive",
)
"""Modules that a job of any pair may import."""

Shape = Literal["tables", "documents", "table", "workbook"]


@dataclass(frozen=True)
class Adapter:
    """A reader or writer: a function of an engine module, its options, and its words in a summary.

    `shape` is what a reader gives (tables, documents) or a writer takes (table, workbook, documents). `library` is the
    distribution that does the work and the name it is imported by. `rows_options` replace the options of a writer of
    documents that receives rows; `workbook_options` are those of a reader whose tables become sheets, and the reading
    options of a writer of sheets; `typed_options` those of a reader for a writer with types. `keeps` are the features a
    writer preserves. `nested` means that columns may hold objects and lists, `renames` that a writer uses its format's
    names for columns, so that reading them back gives other rows.
    """

    format: Format
    function: str
    shape: Shape
    options: type
    words: str
    library: tuple[str, str] | None = None
    rows_options: type | None = None
    keeps: Keeps = NOTHING
    workbook_options: type | None = None
    typed_options: type | None = None
    nested: bool = False
    renames: bool = False

    @property
    def module(self) -> str:
        return f"{PACKAGE}.{self.function.partition(':')[0]}"

    def load(self) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(importlib.import_module(self.module), self.function.partition(":")[2])
        return function


_CMARK = ("cmarkgfm", "cmarkgfm")
_CALAMINE = ("python-calamine", "python_calamine")
_MSGSPEC = ("msgspec", "msgspec")
_POLARS = ("polars", "polars")
_YAML = ("PyYAML", "yaml")
_TOMLI, _TOML = ("tomli", "tomli"), ("tomli-w", "tomli_w")

READERS = (
    Adapter(
        CSV,
        "readers.delimited:read",
        "tables",
        reading.DelimitedRows,
        "a CSV file",
        typed_options=reading.TypedDelimitedRows,
    ),
    Adapter(
        TSV,
        "readers.delimited:read",
        "tables",
        reading.TextRows,
        "tab-separated text",
        typed_options=reading.TypedTextRows,
    ),
    Adapter(XLSX, "readers.workbooks:read", "tables", sheets.SheetRows, "a sheet of an Excel workbook", _CALAMINE),
    Adapter(
        XLSM,
        "readers.workbooks:read",
        "tables",
        sheets.SheetRows,
        "a sheet of an Excel workbook with macros",
        _CALAMINE,
    ),
    Adapter(
        XLSB, "readers.workbooks:read", "tables", sheets.SheetRows, "a sheet of an Excel binary workbook", _CALAMINE
    ),
    Adapter(
        XLS, "readers.workbooks:read", "tables", sheets.SheetRows, "a sheet of an Excel 97-2003 workbook", _CALAMINE
    ),
    Adapter(
        ODS, "readers.workbooks:read", "tables", sheets.SheetRows, "a sheet of an OpenDocument spreadsheet", _CALAMINE
    ),
    Adapter(PARQUET, "columnar.parquet:read", "tables", NoOptions, "a Parquet file", _POLARS),
    Adapter(HTML, "readers.html_tables:read", "tables", reading.PageTables, "a table of a web page"),
    Adapter(
        MARKDOWN, "readers.markdown_tables:read", "tables", reading.PageTables, "a table of a Markdown file", _CMARK
    ),
    Adapter(JSON, "readers.json_text:read", "documents", NoOptions, "a JSON document", _MSGSPEC),
    Adapter(NDJSON, "readers.json_text:read_lines", "documents", NoOptions, "JSON lines", _MSGSPEC),
    Adapter(YAML, "readers.yaml_text:read", "documents", NoOptions, "a YAML document", _YAML),
    Adapter(TOML, "toml_text:read", "documents", NoOptions, "a TOML document", _TOMLI),
    Adapter(XML, "readers.xml_text:read", "documents", reading.XmlIn, "an XML document"),
)

WRITERS = (
    Adapter(CSV, "writers.delimited:write", "table", writing.CsvOut, "to CSV"),
    Adapter(TSV, "writers.delimited:write", "table", writing.TsvOut, "to tab-separated text"),
    Adapter(
        XLSX,
        "writers.xlsx:write",
        "workbook",
        writing.XlsxOut,
        "to an Excel workbook",
        keeps=PLACED,
    ),
    Adapter(
        ODS,
        "writers.ods:write",
        "workbook",
        writing.OdsOut,
        "to an OpenDocument spreadsheet",
        keeps=PLACED,
    ),
    Adapter(
        PARQUET,
        "columnar.parquet:write",
        "table",
        writing.ParquetOut,
        "to a Parquet file with typed columns",
        _POLARS,
        nested=True,
    ),
    Adapter(HTML, "writers.markup:write_html", "table", writing.HtmlOut, "to an HTML table"),
    Adapter(MARKDOWN, "writers.markup:write_markdown", "table", NoOptions, "to a Markdown table"),
    Adapter(JSON, "writers.json_text:write", "documents", writing.JsonOut, "to JSON", _MSGSPEC, writing.JsonRows),
    Adapter(NDJSON, "writers.json_text:write_lines", "documents", NoOptions, "to JSON lines", _MSGSPEC),
    Adapter(YAML, "writers.yaml_text:write", "documents", writing.YamlOut, "to YAML", _YAML),
    Adapter(TOML, "toml_text:write", "documents", writing.TomlOut, "to TOML", _TOML, writing.TomlRows),
    Adapter(XML, "writers.xml_text:write", "documents", writing.XmlOut, "to XML", None, writing.XmlRows),
)

REFORMATTERS = (
    Adapter(
        JSON,
        "writers.json_text:reformat",
        "documents",
        writing.JsonFormat,
        "Format or minify a JSON document",
        _MSGSPEC,
    ),
    Adapter(
        YAML,
        "writers.yaml_text:reformat",
        "documents",
        writing.YamlOut,
        "Format a YAML document with even indentation",
        _YAML,
    ),
    Adapter(XML, "writers.xml_text:reformat", "documents", writing.XmlLayout, "Format or minify an XML document"),
)
