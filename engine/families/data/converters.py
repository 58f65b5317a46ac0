"""Declare a converter from every reader of rows or documents to every compatible writer."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from engine.families.data.adapters import MODULES, READERS, REFORMATTERS, WRITERS, Adapter
from engine.families.data.picking.options import (
    EveryList,
    LeadingLines,
    LeadingRows,
    OneList,
    Picked,
    RowPath,
)
from engine.families.data.readers import options as reading
from engine.families.data.workbooks import options as sheets
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import (
    ARROW,
    AVRO,
    CSV,
    HTML,
    JSON,
    MARKDOWN,
    NDJSON,
    ODS,
    ORC,
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
from engine.toolkit.options import NoOptions, OptionGroups, combine
from engine.toolkit.warnings import Warn

_HEAVY = ("polars", "sqlite3", "fastavro", "pyarrow")

_ROWS = (CSV, TSV)
_TYPED = (XLSX, ODS, PARQUET, ARROW, AVRO, ORC)
"""Formats whose columns are expected to have types."""
_PAGES_WITH_TABLES = (HTML, MARKDOWN)
_FROM_PAGES = (CSV, TSV, JSON, NDJSON, XLSX, ODS, PARQUET)
SHEETS = (XLSX, XLSM, XLSB, XLS, ODS)
_LOCKS = ("msoffcrypto", "cryptography")
"""Options that open a workbook with its password."""
_BUILT_FOR_SPEED = ((JSON, CSV), (JSON, TSV), (NDJSON, CSV), (NDJSON, TSV))
"""Pairs with dedicated converters."""
_NESTED = (JSON, NDJSON, YAML, TOML)
"""Formats that distinguish an item from a list of one, so that a column has one type."""
_FIND_ROWS = (XML, TOML)
"""Formats whose root can't be a list, so that rows are nested."""


def makes_sense(reader: Adapter, writer: Adapter) -> bool:
    if (reader.format, writer.format) in _BUILT_FOR_SPEED:
        return False
    if reader.format in _PAGES_WITH_TABLES:
        return writer.format in _FROM_PAGES
    return reader.format is not writer.format or reader.format in _ROWS


def options_of(reader: Adapter, writer: Adapter) -> type | OptionGroups:
    """The options of a pair: the reader's, the writer's, and those of flattening documents."""
    parts = [reader.options, writer.options]
    if reader.format in SHEETS and writer.shape == "workbook":
        parts[0] = writer.workbook_options or sheets.SheetCopy
    if reader.workbook_options and writer.shape == "workbook":
        parts[0] = reader.workbook_options
    if reader.typed_options and writer.format in _TYPED:
        parts[0] = reader.typed_options
    if reader.shape == "tables" and writer.rows_options:
        parts[1] = writer.rows_options
    if reader.shape == "documents" and writer.shape != "documents":
        parts[1:1] = rows_of_documents(reader, writer)
    else:
        parts[1:1] = picking(reader) if reader.shape == "tables" else [RowPath, *picking(reader)]
    parts = [part for part in parts if part is not NoOptions]
    return combine(f"{reader.format.id.title()}To{writer.format.id.title()}Options", *parts)


def rows_of_documents(reader: Adapter, writer: Adapter) -> list[type]:
    """Return the options of flattening: its format, which rows, and whether one list or all."""
    lists = [EveryList if writer.shape == "workbook" else OneList] if reader.format in _FIND_ROWS else []
    rows = reading.NestedRows if writer.nested and reader.format in _NESTED else reading.Flatten
    return [rows, *lists, *picking(reader)]


def picking(reader: Adapter) -> list[type]:
    return [Picked] if issubclass(reader.options, LeadingLines) else [Picked, LeadingRows]


def engine(*adapters: Adapter) -> Engine:
    """The library of the last adapter that has one; large imports are left to the job."""
    libraries = [adapter.library for adapter in adapters if adapter.library]
    ready = [adapter for adapter in adapters if not adapter.library or adapter.library[1] not in _HEAVY]
    names = [name for adapter in ready for name in (*(adapter.library or ())[1:], adapter.module)]
    lazy = {name: None for _, name in libraries if name in _HEAVY}
    if any(adapter.format in SHEETS and adapter.options is sheets.SheetRows for adapter in adapters):
        lazy |= dict.fromkeys(_LOCKS)
    return Engine(
        libraries[-1][0] if libraries else "Python",
        modules=tuple(dict.fromkeys((*MODULES, *names))),
        lazy=tuple(lazy),
    )


def convert(reader: Adapter, writer: Adapter, source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    """Run a reader and a writer. Returns the format written if it is not the writer's."""
    from engine.families.data import nesting, transfer
    from engine.families.data.json_input import mending

    run = getattr(transfer, f"{reader.shape}_to_{writer.shape}")
    search = {"find_rows": reader.format in _FIND_ROWS} if run.__name__.startswith("documents") else {}

    def read(file: Path) -> Format | None:
        written: Format | None = run(
            reader.load(), writer.load(), file, target, options, warn, keeps=writer.keeps, **search
        )
        return written

    with nesting.room(), warn.reading(source):
        return mending.reading(source, read, warn, format=reader.format)


def _reformat(adapter: Adapter, source: Path, target: Path, options: Any, warn: Warn) -> None:
    from engine.families.data import nesting
    from engine.families.data.json_input import mending

    with nesting.room(), warn.reading(source):
        mending.reading(source, lambda file: adapter.load()(file, target, options, warn), warn, format=adapter.format)


def _packs(writer: Adapter, declared: type | OptionGroups) -> bool:
    """Whether all tables can be requested, each as a file."""
    groups = declared.groups if isinstance(declared, OptionGroups) else (declared,)
    return writer.shape != "workbook" and any(hasattr(each, "sheets") for each in groups)


def declare(reader: Adapter, writer: Adapter, module: str) -> None:
    """Declare the conversion from a reader to a writer, as one of the module of this name."""
    declared = options_of(reader, writer)
    converter(
        reader.format,
        writer.format,
        profile="text",
        engine=engine(reader, writer),
        options=declared,
        summary=f"Convert {reader.words} {writer.words}.",
        module=module,
        renames=writer.renames,
        packs=_packs(writer, declared),
    )(functools.partial(convert, reader, writer))


def declare_all(
    module: str,
    *,
    readers: Iterable[Adapter] = (),
    outputs: Collection[Format] = (),
    writers: Iterable[Adapter] = (),
    inputs: Collection[Format] = (),
) -> None:
    """Declare conversions of further readers to `outputs`, and of `inputs` to further writers.

    The adapters of the named formats are this family's own.
    """
    for reader in readers:
        for writer in WRITERS:
            if writer.format in outputs:
                declare(reader, writer, module)
    for reader in READERS:
        for writer in writers:
            if reader.format in inputs:
                declare(reader, writer, module)


for _reader in READERS:
    for _writer in WRITERS:
        if makes_sense(_reader, _writer):
            declare(_reader, _writer, __name__)

for _adapter in REFORMATTERS:
    converter(
        _adapter.format,
        _adapter.format,
        profile="text",
        engine=engine(_adapter),
        options=_adapter.options,
        summary=f"{_adapter.words}.",
    )(functools.partial(_reformat, _adapter))
