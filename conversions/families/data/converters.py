"""Data: every reader of rows or documents with every writer that takes them."""

from __future__ import annotations

import dataclasses
import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from conversions.families.data import options
from conversions.families.data.features import MERGES, NOTHING, PLACED, Keeps
from conversions.families.data.picking.options import (
    EveryList,
    LeadingLines,
    LeadingRows,
    OneList,
    Picked,
    RowPath,
    picks,
)
from conversions.families.html_pdf.options import HTML_PDF
from conversions.toolkit.declaring import Engine, converter
from conversions.toolkit.formats import (
    ARROW,
    CSV,
    HTML,
    JSON,
    MARKDOWN,
    NDJSON,
    ODS,
    PARQUET,
    PDF,
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
from conversions.toolkit.options import NoOptions, OptionGroups, combine
from conversions.toolkit.warnings import Warn

_PACKAGE = "conversions.families.data"
_HEAVY = ("polars", "sqlite3", "fastavro")

Shape = Literal["tables", "documents", "table", "workbook"]


@dataclass(frozen=True)
class Adapter:
    """A reader or writer: a function of an engine module, its options, and its words in a summary.

    `shape` is what a reader gives (tables, documents) or a writer takes (table, workbook, documents). `library` is the
    distribution that does the work and the name it is imported by. A writer of documents may have other options
    when it gets rows; `workbook_options` are those of a reader of which every table becomes a sheet, and those that a
    writer wants sheets to be read with; `typed_options` those of a reader for a writer with types. `keeps` are the
    features that a writer does not lose.
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

    @property
    def module(self) -> str:
        return f"{_PACKAGE}.{self.function.partition(':')[0]}"

    def load(self) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(importlib.import_module(self.module), self.function.partition(":")[2])
        return function


_CMARK = ("cmarkgfm", "cmarkgfm")
_CALAMINE = ("python-calamine", "python_calamine")
_MSGSPEC = ("msgspec", "msgspec")
_POLARS = ("polars", "polars")
_YAML = ("PyYAML", "yaml")
_TOML = ("tomli-w", "tomli_w")

READERS = (
    Adapter(
        CSV,
        "readers.delimited:read",
        "tables",
        options.DelimitedRows,
        "the rows of a CSV file",
        typed_options=options.TypedDelimitedRows,
    ),
    Adapter(
        TSV,
        "readers.delimited:read",
        "tables",
        options.TextRows,
        "the rows of tab-separated text",
        typed_options=options.TypedTextRows,
    ),
    Adapter(XLSX, "readers.workbooks:read", "tables", options.SheetRows, "a sheet of an Excel workbook", _CALAMINE),
    Adapter(
        XLSM,
        "readers.workbooks:read",
        "tables",
        options.SheetRows,
        "a sheet of an Excel workbook with macros",
        _CALAMINE,
    ),
    Adapter(
        XLSB, "readers.workbooks:read", "tables", options.SheetRows, "a sheet of an Excel binary workbook", _CALAMINE
    ),
    Adapter(
        XLS, "readers.workbooks:read", "tables", options.SheetRows, "a sheet of an Excel 97-2003 workbook", _CALAMINE
    ),
    Adapter(
        ODS, "readers.workbooks:read", "tables", options.SheetRows, "a sheet of an OpenDocument spreadsheet", _CALAMINE
    ),
    Adapter(PARQUET, "columnar.parquet:read", "tables", NoOptions, "the rows of a Parquet file", _POLARS),
    Adapter(HTML, "readers.html_tables:read", "tables", options.PageTables, "a table of a web page"),
    Adapter(
        MARKDOWN, "readers.markdown_tables:read", "tables", options.PageTables, "a table of a Markdown file", _CMARK
    ),
    Adapter(JSON, "readers.json_text:read", "documents", NoOptions, "a JSON document", _MSGSPEC),
    Adapter(NDJSON, "readers.json_text:read_lines", "documents", NoOptions, "the values of JSON lines", _MSGSPEC),
    Adapter(YAML, "readers.yaml_text:read", "documents", NoOptions, "a YAML document", _YAML),
    Adapter(TOML, "toml_text:read", "documents", NoOptions, "a TOML document"),
    Adapter(XML, "readers.xml_text:read", "documents", options.XmlIn, "an XML document"),
)

WRITERS = (
    Adapter(CSV, "writers.delimited:write", "table", options.CsvOut, "as CSV"),
    Adapter(TSV, "writers.delimited:write", "table", options.TsvOut, "as tab-separated text"),
    Adapter(
        XLSX,
        "writers.xlsx:write",
        "workbook",
        options.XlsxOut,
        "as an Excel workbook",
        keeps=PLACED,
    ),
    Adapter(
        ODS,
        "writers.ods:write",
        "workbook",
        options.OdsOut,
        "as an OpenDocument spreadsheet",
        keeps=MERGES,
    ),
    Adapter(
        PARQUET, "columnar.parquet:write", "table", options.ParquetOut, "as a Parquet file with typed columns", _POLARS
    ),
    Adapter(HTML, "writers.markup:write_html", "table", options.HtmlOut, "as an HTML table"),
    Adapter(MARKDOWN, "writers.markup:write_markdown", "table", NoOptions, "as a Markdown table"),
    Adapter(JSON, "writers.json_text:write", "documents", options.JsonOut, "as JSON", _MSGSPEC, options.JsonRows),
    Adapter(NDJSON, "writers.json_text:write_lines", "documents", NoOptions, "as one JSON value a line", _MSGSPEC),
    Adapter(YAML, "writers.yaml_text:write", "documents", options.YamlOut, "as YAML", _YAML),
    Adapter(TOML, "toml_text:write", "documents", options.TomlOut, "as TOML", _TOML, options.TomlRows),
    Adapter(XML, "writers.xml_text:write", "documents", options.XmlOut, "as XML", None, options.XmlRows),
)

_REFORMATTERS = (
    Adapter(
        JSON,
        "writers.json_text:reformat",
        "documents",
        options.JsonFormat,
        "Indent or shrink a JSON document",
        _MSGSPEC,
    ),
    Adapter(YAML, "writers.yaml_text:reformat", "documents", options.YamlOut, "Indent a YAML document evenly", _YAML),
    Adapter(XML, "writers.xml_text:reformat", "documents", options.XmlLayout, "Indent or shrink an XML document"),
)

_ROWS = (CSV, TSV)
_TYPED = (XLSX, ODS, PARQUET, ARROW)
"""Formats whose columns people expect to have types."""
_PAGES_WITH_TABLES = (HTML, MARKDOWN)
_FROM_PAGES = (CSV, TSV, JSON, NDJSON, XLSX, ODS, PARQUET)
_SHEETS = (XLSX, XLSM, XLSB, XLS, ODS)
_LOCKS = ("msoffcrypto", "cryptography")
"""What opens a workbook with its password."""
_BUILT_FOR_SPEED = ((JSON, CSV), (JSON, TSV), (NDJSON, CSV), (NDJSON, TSV))
"""Pairs with an engine of their own."""
_FIND_ROWS = (XML, TOML)
"""Formats whose outermost value can't be a list, so that the rows lie deeper."""


def makes_sense(reader: Adapter, writer: Adapter) -> bool:
    if (reader.format, writer.format) in _BUILT_FOR_SPEED:
        return False
    if reader.format in _PAGES_WITH_TABLES:
        return writer.format in _FROM_PAGES
    return reader.format is not writer.format or reader.format in _ROWS


def _options(reader: Adapter, writer: Adapter) -> type | OptionGroups:
    """The options of a pair: the reader's, the writer's, and those of making rows of documents."""
    parts = [reader.options, writer.options]
    if reader.format in _SHEETS and writer.shape == "workbook":
        parts[0] = writer.workbook_options or options.SheetCopy
    if reader.workbook_options and writer.shape == "workbook":
        parts[0] = reader.workbook_options
    if reader.typed_options and writer.format in _TYPED:
        parts[0] = reader.typed_options
    if reader.shape == "tables" and writer.rows_options:
        parts[1] = writer.rows_options
    if reader.shape == "documents" and writer.shape != "documents":
        parts[1:1] = _rows_of_documents(reader, writer)
    else:
        parts[1:1] = _picking(reader) if reader.shape == "tables" else [RowPath, *_picking(reader)]
    parts = [part for part in parts if part is not NoOptions]
    return combine(f"{reader.format.id.title()}To{writer.format.id.title()}Options", *parts)


def _rows_of_documents(reader: Adapter, writer: Adapter) -> list[type]:
    """The options of making rows: how, which, and whether of one list or of all."""
    lists = [EveryList if writer.shape == "workbook" else OneList] if reader.format in _FIND_ROWS else []
    return [options.Flatten, *lists, *_picking(reader)]


def _picking(reader: Adapter) -> list[type]:
    return [Picked] if issubclass(reader.options, LeadingLines) else [Picked, LeadingRows]


def _engine(*adapters: Adapter) -> Engine:
    """The library of the last adapter that has one; what is heavy is not loaded ahead of the job."""
    libraries = [adapter.library for adapter in adapters if adapter.library]
    ready = [adapter for adapter in adapters if not adapter.library or adapter.library[1] not in _HEAVY]
    names = [name for adapter in ready for name in (*(adapter.library or ())[1:], adapter.module)]
    lazy = {name: None for _, name in libraries if name in _HEAVY}
    if any(adapter.format in _SHEETS and adapter.options is options.SheetRows for adapter in adapters):
        lazy |= dict.fromkeys(_LOCKS)
    return Engine(
        libraries[-1][0] if libraries else "Python",
        modules=tuple(dict.fromkeys((f"{_PACKAGE}.transfer", *names))),
        lazy=tuple(lazy),
    )


def convert(reader: Adapter, writer: Adapter, source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Let one write what the other reads; gives the format that was written where it is not the writer's."""
    from conversions.families.data import nesting, transfer

    run = getattr(transfer, f"{reader.shape}_to_{writer.shape}")
    search = {"find_rows": reader.format in _FIND_ROWS} if run.__name__.startswith("documents") else {}
    with nesting.room():
        written: Format | None = run(
            reader.load(), writer.load(), source, target, options, warn, keeps=writer.keeps, **search
        )
    return written


def _reformat(adapter: Adapter, source: Path, target: Path, options: Any, warn: Warn) -> None:
    from conversions.families.data import nesting

    with nesting.room():
        adapter.load()(source, target, options, warn)


def declare(reader: Adapter, writer: Adapter, convert: Callable[..., Format | None]) -> None:
    """Declare the conversion from what one reads to what the other writes.

    `convert` is a function of the module that declares it, which calls the one of this module.
    """
    converter(
        reader.format,
        writer.format,
        profile="text",
        engine=_engine(reader, writer),
        options=_options(reader, writer),
        summary=f"Write {reader.words} {writer.words}.",
    )(functools.partial(convert, reader, writer))


for _reader in READERS:
    for _writer in WRITERS:
        if makes_sense(_reader, _writer):
            declare(_reader, _writer, convert)

for _adapter in _REFORMATTERS:
    converter(
        _adapter.format,
        _adapter.format,
        profile="text",
        engine=_engine(_adapter),
        options=_adapter.options,
        summary=f"{_adapter.words}.",
    )(functools.partial(_reformat, _adapter))

_PAGES = Adapter(PDF, "writers.pages:write", "workbook", options.PdfOut, "as PDF")
_PAGED = (CSV, TSV, JSON, NDJSON, XLSX, XLSM, XLSB, XLS, ODS, PARQUET)
_LOADED_BY_JOBS = ("readers.workbooks", "columnar.parquet")
"""Readers whose libraries are too large to be in every process that draws pages."""


def _to_pages(reader: Adapter, source: Path, target: Path, options: Any, warn: Warn) -> None:
    from conversions.families.data import nesting, transfer

    def read(source: Path, options: Any, warn: Warn) -> Any:
        # What a sheet's first row says is drawn as it is, unless names matter: none is made up for an empty cell.
        as_it_is = reader.format in _SHEETS and not picks(options)
        plain = dataclasses.replace(options, header_row=False) if as_it_is else options
        return reader.load()(source, plain, warn)

    run = getattr(transfer, f"{reader.shape}_to_workbook")
    search = {"find_rows": False} if run.__name__.startswith("documents") else {}
    with nesting.room():
        run(read, _PAGES.load(), source, target, options, warn, keeps=_PAGES.keeps, **search)


def _paged(reader: Adapter) -> None:
    parts = [options.SheetPages if reader.format in _SHEETS else reader.options]
    parts += _rows_of_documents(reader, _PAGES) if reader.shape == "documents" else _picking(reader)
    parts = [part for part in (*parts, options.PdfOut) if part is not NoOptions]
    modules = [f"{_PACKAGE}.transfer", _PAGES.module, *HTML_PDF.modules]
    if not reader.function.startswith(_LOADED_BY_JOBS):
        modules.append(reader.module)
    converter(
        reader.format,
        PDF,
        profile="pdf",
        engine=Engine(
            HTML_PDF.distribution,
            tuple(modules),
            lazy=(reader.library[1],) if reader.library else (),
            further=(reader.library[0],) if reader.library else (),
        ),
        options=combine(f"{reader.format.id.title()}ToPdfOptions", *parts),
        summary=f"Draw {reader.words.replace('a sheet', 'the sheets')} as tables on the pages of a PDF.",
        alternative="pages" if reader.format in (XLSX, XLS, ODS) else None,
    )(functools.partial(_to_pages, reader))


for _reader in READERS:
    if _reader.format in _PAGED:
        _paged(_reader)
