"""Places: GeoJSON from and to rows with coordinates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.data import converters as data
from conversions.families.data.converters import READERS, WRITERS, Adapter, declare
from conversions.families.data.places import options
from conversions.toolkit.formats import CSV, GEOJSON, JSON, ODS, PARQUET, TSV, XLSX, Format
from conversions.toolkit.warnings import Warn

_MSGSPEC = ("msgspec", "msgspec")

READER = Adapter(
    GEOJSON, "places.reading:read", "documents", options.FeaturesIn, "the features of a GeoJSON file", _MSGSPEC
)
WRITER = Adapter(
    GEOJSON, "places.writing:write", "documents", options.FeaturesOut, "as GeoJSON", _MSGSPEC, options.FeaturesOut
)

OUTPUTS = (CSV, TSV, JSON, XLSX, ODS, PARQUET)
INPUTS = (CSV, TSV, JSON, XLSX, ODS, PARQUET)


def _convert(reader: Adapter, writer: Adapter, source: Path, target: Path, options: Any, warn: Warn) -> Format | None:
    return data.convert(reader, writer, source, target, options, warn)


for _writer in WRITERS:
    if _writer.format in OUTPUTS:
        declare(READER, _writer, _convert)

for _reader in READERS:
    if _reader.format in INPUTS:
        declare(_reader, WRITER, _convert)
