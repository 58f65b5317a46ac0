"""Avro: object container files from and to what has rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.data import converters as data
from conversions.families.data.avro import options
from conversions.families.data.converters import READERS, WRITERS, Adapter, declare
from conversions.toolkit.formats import AVRO, CSV, JSON, NDJSON, PARQUET, XLSX, Format
from conversions.toolkit.options import NoOptions
from conversions.toolkit.warnings import Warn

_FASTAVRO = ("fastavro", "fastavro")

READER = Adapter(AVRO, "avro.reading:read", "tables", NoOptions, "the rows of an Avro file", _FASTAVRO)
WRITER = Adapter(AVRO, "avro.writing:write", "table", options.AvroOut, "as an Avro file with typed columns", _FASTAVRO)

OUTPUTS = (CSV, JSON, NDJSON, XLSX, PARQUET)
INPUTS = (CSV, JSON, NDJSON, PARQUET)


def _convert(reader: Adapter, writer: Adapter, source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    return data.convert(reader, writer, source, target, options, warn)


for _writer in WRITERS:
    if _writer.format in OUTPUTS:
        declare(READER, _writer, _convert)

for _reader in READERS:
    if _reader.format in INPUTS:
        declare(_reader, WRITER, _convert)
