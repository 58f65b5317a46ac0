"""Avro: object container files from and to what has rows."""

from __future__ import annotations

from conversions.families.data.adapters import Adapter
from conversions.families.data.avro.options import AvroOut
from conversions.families.data.converters import declare_all
from conversions.toolkit.formats import AVRO, CSV, JSON, NDJSON, PARQUET, XLSX
from conversions.toolkit.options import NoOptions

_FASTAVRO = ("fastavro", "fastavro")

READER = Adapter(AVRO, "avro.reading:read", "tables", NoOptions, "the rows of an Avro file", _FASTAVRO)
WRITER = Adapter(
    AVRO, "avro.writing:write", "table", AvroOut, "as an Avro file with typed columns", _FASTAVRO, nested=True
)

OUTPUTS = (CSV, JSON, NDJSON, XLSX, PARQUET)
INPUTS = (CSV, JSON, NDJSON, PARQUET)

declare_all(__name__, readers=[READER], outputs=OUTPUTS, writers=[WRITER], inputs=INPUTS)
