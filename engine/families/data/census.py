"""Register how the contents of tables and documents are counted, by format."""

from __future__ import annotations

import importlib
from pathlib import Path

from engine.toolkit.census import Census, Counting
from engine.toolkit.formats import (
    ARROW,
    AVRO,
    BIBTEX,
    CSV,
    ENV,
    FEED,
    GEOJSON,
    ICS,
    INI,
    JSON,
    NDJSON,
    ODS,
    OPML,
    ORC,
    PARQUET,
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
_TABLE = frozenset({"rows", "columns", "values", "order"})
_ROWS = frozenset({"rows", "values", "order"})
_VALUES = frozenset({"values"})
_BOOK = _TABLE | {"sheets"}
_TOLD = frozenset({"words"})
_ENTRIES = frozenset({"rows", "values", "words"})
_NONE: frozenset[str] = frozenset()
_ON_SHEETS = frozenset({"comments", "formulas", "links", "pictures", "charts"})


def _by(
    module: str,
    function: str,
    kinds: frozenset[str],
    *,
    source_only: frozenset[str] = frozenset(),
    unsupported: frozenset[str] = frozenset(),
) -> Counting:
    def count(path: Path) -> Census:
        from engine.families.data import nesting

        with nesting.room():
            census: Census = getattr(importlib.import_module(f"engine.families.data.counting.{module}"), function)(path)
        return census

    name = f"engine.families.data.counting.{module}"
    modules = () if module in _HEAVY else (name,)
    return Counting(count, kinds, source_only=source_only, unsupported=unsupported, modules=modules)


COUNTINGS = {
    CSV: _by("delimited", "commas", _TABLE, unsupported=_ON_SHEETS, source_only=_TOLD),
    TSV: _by("delimited", "tabs", _TABLE, unsupported=_ON_SHEETS, source_only=_TOLD),
    JSON: _by("json_text", "documents", _ROWS, unsupported=_ON_SHEETS, source_only=_TOLD),
    NDJSON: _by("json_text", "json_lines", _ROWS, unsupported=_ON_SHEETS, source_only=_TOLD),
    YAML: _by("marked", "yaml", _VALUES, unsupported=_ON_SHEETS, source_only=_TOLD),
    TOML: _by("marked", "toml", _VALUES, unsupported=_ON_SHEETS, source_only=_TOLD),
    XML: _by("marked", "xml", _VALUES, unsupported=_ON_SHEETS, source_only=_TOLD),
    XLSX: _by("office_xml", "workbook", _BOOK | _ON_SHEETS),
    XLSM: _by("office_xml", "workbook", _BOOK | _ON_SHEETS),
    ODS: _by("open_document", "workbook", _BOOK | _ON_SHEETS - {"charts"}),
    PARQUET: _by("columnar", "parquet", _TABLE, unsupported=_ON_SHEETS, source_only=_TOLD),
    ARROW: _by("columnar", "arrow", _TABLE, unsupported=_ON_SHEETS, source_only=_TOLD),
    AVRO: _by("avro", "avro", _TABLE, unsupported=_ON_SHEETS, source_only=_TOLD),
    ORC: _by("orc", "orc", _TABLE, unsupported=_ON_SHEETS, source_only=_TOLD),
    XLS: _by("binary", "workbook", _BOOK),
    XLSB: _by("binary", "workbook", _BOOK),
    ICS: _by("small", "content_lines", _NONE, source_only=_ENTRIES),
    VCF: _by("small", "content_lines", _NONE, source_only=_ENTRIES),
    FEED: _by("small", "feed", _NONE, source_only=_VALUES | _TOLD),
    OPML: _by("small", "outline", _NONE, source_only=_VALUES),
    RIS: _by("small", "ris", _NONE, source_only=_ENTRIES),
    BIBTEX: _by("small", "bibtex", _NONE, source_only=frozenset({"rows", "values"})),
    **dict.fromkeys((INI, PROPERTIES, ENV), _by("small", "settings", _NONE, source_only=_VALUES)),
    GEOJSON: _by("small", "features", _NONE, source_only=frozenset({"rows", "values"})),
    SQLITE: _by("databases", "sqlite", _BOOK, unsupported=_ON_SHEETS, source_only=_TOLD),
}
