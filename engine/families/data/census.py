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
    tells: frozenset[str] = frozenset(),
    lacks: frozenset[str] = frozenset(),
) -> Counting:
    def count(path: Path) -> Census:
        from engine.families.data import nesting

        with nesting.room():
            census: Census = getattr(importlib.import_module(f"engine.families.data.counting.{module}"), function)(path)
        return census

    name = f"engine.families.data.counting.{module}"
    return Counting(count, kinds, tells=tells, lacks=lacks, modules=() if module in _HEAVY else (name,))


COUNTINGS = {
    CSV: _by("delimited", "commas", _TABLE, lacks=_ON_SHEETS, tells=_TOLD),
    TSV: _by("delimited", "tabs", _TABLE, lacks=_ON_SHEETS, tells=_TOLD),
    JSON: _by("json_text", "documents", _ROWS, lacks=_ON_SHEETS, tells=_TOLD),
    NDJSON: _by("json_text", "json_lines", _ROWS, lacks=_ON_SHEETS, tells=_TOLD),
    YAML: _by("marked", "yaml", _VALUES, lacks=_ON_SHEETS, tells=_TOLD),
    TOML: _by("marked", "toml", _VALUES, lacks=_ON_SHEETS, tells=_TOLD),
    XML: _by("marked", "xml", _VALUES, lacks=_ON_SHEETS, tells=_TOLD),
    XLSX: _by("office_xml", "workbook", _BOOK | _ON_SHEETS),
    XLSM: _by("office_xml", "workbook", _BOOK | _ON_SHEETS),
    ODS: _by("open_document", "workbook", _BOOK | _ON_SHEETS - {"charts"}),
    PARQUET: _by("columnar", "parquet", _TABLE, lacks=_ON_SHEETS, tells=_TOLD),
    ARROW: _by("columnar", "arrow", _TABLE, lacks=_ON_SHEETS, tells=_TOLD),
    AVRO: _by("avro", "avro", _TABLE, lacks=_ON_SHEETS, tells=_TOLD),
    ORC: _by("orc", "orc", _TABLE, lacks=_ON_SHEETS, tells=_TOLD),
    XLS: _by("binary", "workbook", _BOOK),
    XLSB: _by("binary", "workbook", _BOOK),
    ICS: _by("small", "content_lines", _NONE, tells=_ENTRIES),
    VCF: _by("small", "content_lines", _NONE, tells=_ENTRIES),
    FEED: _by("small", "feed", _NONE, tells=_VALUES | _TOLD),
    OPML: _by("small", "outline", _NONE, tells=_VALUES),
    RIS: _by("small", "ris", _NONE, tells=_ENTRIES),
    BIBTEX: _by("small", "bibtex", _NONE, tells=frozenset({"rows", "values"})),
    **dict.fromkeys((INI, PROPERTIES, ENV), _by("small", "settings", _NONE, tells=_VALUES)),
    GEOJSON: _by("small", "features", _NONE, tells=frozenset({"rows", "values"})),
    SQLITE: _by("databases", "sqlite", _BOOK, lacks=_ON_SHEETS, tells=_TOLD),
}
