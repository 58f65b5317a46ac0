"""Data: every reader of rows or documents with every writer that takes them."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from conversions.converters import data_options as told
from conversions.converters.base import Engine, converter
from conversions.formats import (
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
    XLSX,
    XML,
    YAML,
    Format,
)
from conversions.options import NoOptions, Together, together
from conversions.warnings import Warn

_PACKAGE = "conversions.engines.data"
_HEAVY = ("polars",)

Shape = Literal["tables", "documents", "table", "workbook"]


@dataclass(frozen=True)
class Door:
    """One way in or out: a function of an engine module, what it can be told, and its words in a summary.

    `shape` is what a reader gives (tables, documents) or a writer takes (table, workbook, documents). `library` is the
    distribution that does the work and the name it is imported by. A writer of documents may be told other things when
    it gets rows.
    """

    format: Format
    function: str
    shape: Shape
    options: type
    words: str
    library: tuple[str, str] | None = None
    rows_options: type | None = None

    @property
    def module(self) -> str:
        return f"{_PACKAGE}.{self.function.partition(':')[0]}"

    def load(self) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(importlib.import_module(self.module), self.function.partition(":")[2])
        return function


_CALAMINE = ("python-calamine", "python_calamine")
_MSGSPEC = ("msgspec", "msgspec")
_POLARS = ("polars", "polars")
_YAML = ("PyYAML", "yaml")
_TOML = ("tomli-w", "tomli_w")

READERS = (
    Door(CSV, "delimited:read", "tables", told.DelimitedRows, "the rows of a CSV file"),
    Door(TSV, "delimited:read", "tables", told.TextRows, "the rows of tab-separated text"),
    Door(XLSX, "spreadsheet:read", "tables", told.SheetRows, "a sheet of an Excel workbook", _CALAMINE),
    Door(XLS, "spreadsheet:read", "tables", told.SheetRows, "a sheet of an Excel 97-2003 workbook", _CALAMINE),
    Door(ODS, "spreadsheet:read", "tables", told.SheetRows, "a sheet of an OpenDocument spreadsheet", _CALAMINE),
    Door(PARQUET, "parquet:read", "tables", NoOptions, "the rows of a Parquet file", _POLARS),
    Door(HTML, "html_tables:read", "tables", told.PageTables, "a table of a web page"),
    Door(JSON, "json_text:read", "documents", NoOptions, "a JSON document", _MSGSPEC),
    Door(NDJSON, "json_text:read_lines", "documents", NoOptions, "the values of JSON lines", _MSGSPEC),
    Door(YAML, "yaml_text:read", "documents", NoOptions, "a YAML document", _YAML),
    Door(TOML, "toml_text:read", "documents", NoOptions, "a TOML document"),
    Door(XML, "xml_text:read", "documents", told.XmlIn, "an XML document"),
)

WRITERS = (
    Door(CSV, "delimited_write:write", "table", told.CsvOut, "as CSV"),
    Door(TSV, "delimited_write:write", "table", told.TsvOut, "as tab-separated text"),
    Door(XLSX, "xlsx:write", "workbook", told.XlsxOut, "as an Excel workbook"),
    Door(ODS, "ods:write", "workbook", told.OdsOut, "as an OpenDocument spreadsheet"),
    Door(PARQUET, "parquet:write", "table", told.ParquetOut, "as a Parquet file with typed columns", _POLARS),
    Door(HTML, "markup:write_html", "table", told.HtmlOut, "as an HTML table"),
    Door(MARKDOWN, "markup:write_markdown", "table", NoOptions, "as a Markdown table"),
    Door(JSON, "json_write:write", "documents", told.JsonOut, "as JSON", _MSGSPEC, told.JsonRows),
    Door(NDJSON, "json_write:write_lines", "documents", NoOptions, "as one JSON value a line", _MSGSPEC),
    Door(YAML, "yaml_write:write", "documents", told.YamlOut, "as YAML", _YAML),
    Door(TOML, "toml_text:write", "documents", told.TomlOut, "as TOML", _TOML, told.TomlRows),
    Door(XML, "xml_write:write", "documents", told.XmlOut, "as XML", None, told.XmlRows),
)

_REFORMATTERS = (
    Door(JSON, "json_write:reformat", "documents", told.JsonFormat, "Indent or shrink a JSON document", _MSGSPEC),
    Door(YAML, "yaml_write:reformat", "documents", told.YamlOut, "Indent a YAML document evenly", _YAML),
    Door(XML, "xml_write:reformat", "documents", told.XmlLayout, "Indent or shrink an XML document"),
)

_ROWS = (CSV, TSV)
_FROM_PAGES = (CSV, TSV, JSON, NDJSON, XLSX, ODS)
_SHEETS = (XLSX, XLS, ODS)
_BUILT_FOR_SPEED = ((JSON, CSV), (JSON, TSV), (NDJSON, CSV), (NDJSON, TSV))
"""Pairs with an engine of their own."""
_FIND_ROWS = (XML, TOML)
"""Formats whose outermost value can't be a list, so that the rows lie deeper."""


def makes_sense(reader: Door, writer: Door) -> bool:
    if (reader.format, writer.format) in _BUILT_FOR_SPEED:
        return False
    if reader.format is HTML:
        return writer.format in _FROM_PAGES
    return reader.format is not writer.format or reader.format in _ROWS


def _options(reader: Door, writer: Door) -> type | Together:
    """What a pair can be told: all that the reader can, all that the writer can, and how rows are made of documents."""
    parts = [reader.options, writer.options]
    if reader.format in _SHEETS and writer.shape == "workbook":
        parts[0] = told.SheetCopy
    if reader.shape == "tables" and writer.rows_options:
        parts[1] = writer.rows_options
    if reader.shape == "documents" and writer.shape != "documents":
        parts.insert(1, told.Flatten)
    parts = [part for part in parts if part is not NoOptions]
    return together(f"{reader.format.id.title()}To{writer.format.id.title()}Options", *parts)


def _engine(*doors: Door) -> Engine:
    """The library of the last door that has one; what is heavy is not loaded ahead of the job."""
    libraries = [door.library for door in doors if door.library]
    ready = [door for door in doors if not door.library or door.library[1] not in _HEAVY]
    names = [name for door in ready for name in (*(door.library or ())[1:], door.module)]
    return Engine(
        libraries[-1][0] if libraries else "Python",
        modules=tuple(dict.fromkeys((f"{_PACKAGE}.pipeline", *names))),
        lazy=tuple({name for _, name in libraries if name in _HEAVY}),
    )


def _convert(reader: Door, writer: Door, source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    from conversions.engines.data import pipeline

    run = getattr(pipeline, f"{reader.shape}_to_{writer.shape}")
    seek = {"seek": reader.format in _FIND_ROWS} if run.__name__.startswith("documents") else {}
    written: Format | None = run(reader.load(), writer.load(), source, target, options, warn, **seek)
    return written


def _reformat(door: Door, source: Path, target: Path, options: Any, warn: Warn) -> None:
    door.load()(source, target, options, warn)


for _reader in READERS:
    for _writer in WRITERS:
        if makes_sense(_reader, _writer):
            converter(
                _reader.format,
                _writer.format,
                family="text",
                engine=_engine(_reader, _writer),
                options=_options(_reader, _writer),
                summary=f"Write {_reader.words} {_writer.words}.",
            )(functools.partial(_convert, _reader, _writer))

for _door in _REFORMATTERS:
    converter(
        _door.format,
        _door.format,
        family="text",
        engine=_engine(_door),
        options=_door.options,
        summary=f"{_door.words}.",
    )(functools.partial(_reformat, _door))
