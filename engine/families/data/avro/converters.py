"""Convert Avro object container files to and from rows."""

from __future__ import annotations

from engine.families.data.adapters import Adapter
from engine.families.data.avro.options import AvroOut
from engine.families.data.converters import declare_all
from engine.toolkit.formats import AVRO, CSV, JSON, NDJSON, PARQUET, XLSX
from engine.toolkit.options import NoOptions

_FASTAVRO = ("fastavro", "fastavro")

READER = Adapter(AVRO, "avro.reading:read", "tables", NoOptions, "an Avro file", _FASTAVRO)
WRITER = Adapter(
    AVRO, "avro.writing:write", "table", AvroOut, "to an Avro file with typed columns", _FASTAVRO, nested=True
)

OUTPUTS = (CSV, JSON, NDJSON, XLSX, PARQUET)
INPUTS = (CSV, JSON, NDJSON, PARQUET)

declare_all(__name__, readers=[READER], outputs=OUTPUTS, writers=[WRITER], inputs=INPUTS)
