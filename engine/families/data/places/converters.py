"""Convert GeoJSON to and from rows with coordinates."""

from __future__ import annotations

from engine.families.data.adapters import Adapter
from engine.families.data.converters import declare_all
from engine.families.data.places.options import FeaturesIn, FeaturesOut
from engine.toolkit.formats import CSV, GEOJSON, JSON, ODS, PARQUET, TSV, XLSM, XLSX

_MSGSPEC = ("msgspec", "msgspec")
OUTPUTS = (CSV, TSV, JSON, XLSX, ODS, PARQUET)
INPUTS = (*OUTPUTS, XLSM)

READER = Adapter(GEOJSON, "places.reading:read", "documents", FeaturesIn, "a GeoJSON file", _MSGSPEC)
WRITER = Adapter(GEOJSON, "places.writing:write", "documents", FeaturesOut, "to GeoJSON", _MSGSPEC, FeaturesOut)

declare_all(__name__, readers=[READER], outputs=OUTPUTS, writers=[WRITER], inputs=INPUTS)
