"""Convert tables to PDF pages."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path
from typing import Any

from engine.families.data.adapters import MODULES, READERS, Adapter
from engine.families.data.converters import SHEETS, picking, rows_of_documents
from engine.families.data.pages.options import PdfOut, PrintedSheets
from engine.families.data.picking.options import picks
from engine.families.data.workbooks.options import SheetPages
from engine.families.html_pdf.options import HTML_PDF
from engine.families.images.options import Pages
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import CSV, JSON, NDJSON, ODS, PARQUET, PDF, TSV, XLS, XLSB, XLSM, XLSX
from engine.toolkit.options import NoOptions, combine
from engine.toolkit.warnings import Warn

_PAGES = Adapter(PDF, "pages.drawing:write", "workbook", PdfOut, "to PDF")
_PAGED = (CSV, TSV, JSON, NDJSON, XLSX, XLSM, XLSB, XLS, ODS, PARQUET)
_LOADED_BY_JOBS = ("readers.workbooks", "columnar.parquet")
"""Readers whose libraries are too large to be in every process that draws pages."""
_PRINTED = (XLSX, XLSM, ODS)
"""Workbooks whose looks are read."""


def _to_pages(reader: Adapter, source: Path, target: Path, options: Any, warn: Warn) -> None:
    from engine.families.data import nesting, transfer
    from engine.families.data.json_input import mending
    from engine.families.html_pdf import page_choice

    def read(source: Path, options: Any, warn: Warn) -> Any:
        # The first row of a sheet is drawn unchanged unless column names matter: empty cells get no generated name.
        as_it_is = reader.format in SHEETS and not picks(options)
        plain = dataclasses.replace(options, header_row=False) if as_it_is else options
        return reader.load()(source, plain, warn)

    run = getattr(transfer, f"{reader.shape}_to_workbook")
    search = {"find_rows": False} if run.__name__.startswith("documents") else {}

    def draw(file: Path) -> None:
        run(read, _PAGES.load(), file, target, options, warn, keeps=_PAGES.keeps, **search)

    if reader.format in _PRINTED and options.layout == "sheet" and not (picks(options) or options.fill_merged):
        from engine.families.data.printed import workbook

        workbook.write(source, target, options, warn)
    else:
        with nesting.room():
            mending.reading(source, draw, warn, format=reader.format)
    if reader.format in _PRINTED and options.pages:
        page_choice.keep(target, options.pages)


def _paged(reader: Adapter) -> None:
    parts = [SheetPages if reader.format in SHEETS else reader.options]
    parts += rows_of_documents(reader, _PAGES) if reader.shape == "documents" else picking(reader)
    pages = (PrintedSheets, Pages) if reader.format in _PRINTED else (PdfOut,)
    parts = [part for part in (*parts, *pages) if part is not NoOptions]
    modules = [*MODULES, _PAGES.module, *HTML_PDF.modules]
    if not reader.function.startswith(_LOADED_BY_JOBS):
        modules.append(reader.module)
    lazy = [reader.library[1]] if reader.library else []
    lazy += ["metafile_render"] if reader.format in _PRINTED else []
    converter(
        reader.format,
        PDF,
        profile="pdf",
        engine=Engine(
            HTML_PDF.distribution,
            tuple(modules),
            lazy=tuple(lazy),
            further=(reader.library[0],) if reader.library else (),
        ),
        options=combine(f"{reader.format.id.title()}ToPdfOptions", *parts),
        summary=f"Convert {reader.words.replace('a sheet', 'the sheets')} to tables in a PDF.",
        alternative="pages" if reader.format is XLS else None,
    )(functools.partial(_to_pages, reader))


for _reader in READERS:
    if _reader.format in _PAGED:
        _paged(_reader)
