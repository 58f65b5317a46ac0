"""Register how the contents of tables and documents are counted, by format."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.families.data.counting import looks
from engine.toolkit.census import Census, Counting, combine
from engine.toolkit.formats import (
    ARROW,
    AVRO,
    BIBTEX,
    CSLJSON,
    CSV,
    DOCX,
    ENV,
    FEED,
    GEOJSON,
    HTML,
    ICS,
    INI,
    JSON,
    MARKDOWN,
    NDJSON,
    ODS,
    OPML,
    ORC,
    PARQUET,
    PDF,
    PROPERTIES,
    RIS,
    SQLITE,
    TOML,
    TSV,
    VCF,
    XLS,
    XLSB,
    XLSM,
    XLSX,
    XML,
    YAML,
)  # fmt: skip

_HEAVY = ("columnar", "databases")
"""Modules with heavy imports, loaded only by jobs that need them."""
_LIBRARIES = {"markup": ("lxml.etree", "cmarkgfm.cmark", "engine.toolkit.cmark_html")}
"""What functions of a module import when they count, which other converters of the same profile have imported."""
_TABLE = frozenset({"rows", "columns", "values", "order"})
_ROWS = frozenset({"rows", "values", "order"})
_VALUES = frozenset({"values"})
_BOOK = _TABLE | {"sheets"}
_TOLD = frozenset({"words"})
_TEXTS = frozenset({"texts"})
_WRITTEN = frozenset({"rows", "texts"})
_ENTRIES = frozenset({"entries"})
_FEATURES = frozenset({"rows", "values"})
_NONE: frozenset[str] = frozenset()
_ON_SHEETS = frozenset({"comments", "formulas", "links", "pictures", "charts"})
_BESIDE = _ON_SHEETS | looks.TOGETHER | {"shifts"}
"""What only workbooks have a place for."""


def _by(
    module: str,
    function: str,
    kinds: frozenset[str],
    *,
    source_only: frozenset[str] = frozenset(),
    result_only: frozenset[str] = frozenset(),
    unsupported: frozenset[str] = frozenset(),
) -> Counting:
    def count(path: Path) -> Census:
        from engine.families.data import nesting

        with nesting.room():
            census: Census = getattr(importlib.import_module(f"engine.families.data.counting.{module}"), function)(path)
        return census

    name = f"engine.families.data.counting.{module}"
    modules = ("engine.families.data.nesting", *(() if module in _HEAVY else (name, *_LIBRARIES.get(module, ()))))
    return Counting(
        count, kinds, source_only=source_only, result_only=result_only, unsupported=unsupported, modules=modules
    )


def _printed(texts: Sequence[str]) -> Census:
    from engine.families.data.counting import printed

    return printed.of_texts(texts)


COUNTINGS = {
    CSV: _by("delimited", "commas", _TABLE, unsupported=_BESIDE, source_only=_TOLD | _TEXTS),
    TSV: _by("delimited", "tabs", _TABLE, unsupported=_BESIDE, source_only=_TOLD | _TEXTS),
    JSON: _by("json_text", "documents", _ROWS, unsupported=_BESIDE, source_only=_TOLD | _TEXTS),
    NDJSON: _by("json_text", "json_lines", _ROWS, unsupported=_BESIDE, source_only=_TOLD | _TEXTS),
    YAML: _by("marked", "yaml", _VALUES, unsupported=_BESIDE, source_only=_TOLD),
    TOML: _by("marked", "toml", _VALUES, unsupported=_BESIDE, source_only=_TOLD),
    XML: _by("marked", "xml", _VALUES, unsupported=_BESIDE, source_only=_TOLD),
    XLSX: _by("office_xml", "workbook", _BOOK | _ON_SHEETS | looks.KINDS, source_only=_TEXTS | looks.TOGETHER),
    XLSM: _by("office_xml", "workbook", _BOOK | _ON_SHEETS | looks.KINDS, source_only=looks.TOGETHER),
    ODS: _by("open_document", "workbook", _BOOK | _ON_SHEETS | looks.KINDS, source_only=_TEXTS | looks.TOGETHER),
    PARQUET: _by("columnar", "parquet", _TABLE, unsupported=_BESIDE, source_only=_TOLD),
    ARROW: _by("columnar", "arrow", _TABLE, unsupported=_BESIDE, source_only=_TOLD),
    AVRO: _by("avro", "avro", _TABLE, unsupported=_BESIDE, source_only=_TOLD),
    ORC: _by("orc", "orc", _TABLE, unsupported=_BESIDE, source_only=_TOLD),
    XLS: _by("binary", "workbook", _BOOK, source_only=looks.KINDS | looks.TOGETHER),
    XLSB: _by("binary", "workbook", _BOOK, source_only=looks.KINDS | looks.TOGETHER),
    ICS: _by("small", "content_lines", _WRITTEN, result_only=_VALUES, source_only=_VALUES | _TOLD),
    VCF: _by("small", "content_lines", _WRITTEN, result_only=_VALUES, source_only=_VALUES | _TOLD),
    FEED: _by("small", "feed", _TEXTS | _ENTRIES, result_only=_VALUES, source_only=_VALUES | _TOLD),
    OPML: _by("small", "outline", _TEXTS, result_only=_VALUES, source_only=_VALUES),
    RIS: _by("bibliographies", "ris", _WRITTEN | _ENTRIES, result_only=_VALUES, source_only=_VALUES | _TOLD),
    BIBTEX: _by("bibliographies", "bibtex", _WRITTEN | _ENTRIES, result_only=_VALUES, source_only=_VALUES),
    CSLJSON: _by("bibliographies", "references", _WRITTEN | _ENTRIES),
    **dict.fromkeys((INI, PROPERTIES, ENV), _by("small", "settings", _NONE, source_only=_VALUES, result_only=_VALUES)),
    GEOJSON: _by("geojson", "features", _NONE, source_only=_FEATURES, result_only=_FEATURES),
    SQLITE: _by("databases", "sqlite", _BOOK, unsupported=_BESIDE, source_only=_TOLD),
    HTML: combine(
        _by("markup", "html", _NONE, result_only=_TABLE | _TOLD, unsupported=looks.TOGETHER),
        _by("markup", "entries", _NONE, result_only=_ENTRIES),
    ),
    MARKDOWN: combine(
        _by("markup", "markdown", _NONE, result_only=_TABLE | _TOLD, unsupported=looks.TOGETHER),
        _by("markup", "entries_in_markdown", _NONE, result_only=_ENTRIES),
    ),
    DOCX: _by("markup", "entries_in_word", _NONE, result_only=_ENTRIES),
    PDF: replace(_by("printed", "pdf", _NONE, result_only=_VALUES, unsupported=looks.TOGETHER), of_texts=_printed),
}
