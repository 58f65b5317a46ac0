"""Apache Arrow, which is Feather: to and from rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.data import converters as data
from conversions.families.data.arrow import options
from conversions.families.data.converters import READERS, WRITERS, Adapter, declare
from conversions.toolkit.formats import ARROW, CSV, JSON, NDJSON, PARQUET, TSV, XLSX, Format
from conversions.toolkit.options import NoOptions
from conversions.toolkit.warnings import Warn

_POLARS = ("polars", "polars")

READER = Adapter(ARROW, "arrow.files:read", "tables", NoOptions, "the rows of an Arrow file", _POLARS)
WRITER = Adapter(ARROW, "arrow.files:write", "table", options.ArrowOut, "as an Arrow file with typed columns", _POLARS)

OUTPUTS = (CSV, TSV, JSON, NDJSON, XLSX, PARQUET)
INPUTS = (CSV, TSV, JSON, NDJSON, XLSX, PARQUET)


def _convert(reader: Adapter, writer: Adapter, source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    return data.convert(reader, writer, source, target, options, warn)


for _writer in WRITERS:
    if _writer.format in OUTPUTS:
        declare(READER, _writer, _convert)

for _reader in READERS:
    if _reader.format in INPUTS:
        declare(_reader, WRITER, _convert)
