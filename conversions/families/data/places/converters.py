"""Places: GeoJSON from and to rows with coordinates."""

from __future__ import annotations

from conversions.families.data.adapters import Adapter
from conversions.families.data.converters import declare_all
from conversions.families.data.places.options import FeaturesIn, FeaturesOut
from conversions.toolkit.formats import CSV, GEOJSON, JSON, ODS, PARQUET, TSV, XLSX

_MSGSPEC = ("msgspec", "msgspec")
OUTPUTS = INPUTS = (CSV, TSV, JSON, XLSX, ODS, PARQUET)

READER = Adapter(GEOJSON, "places.reading:read", "documents", FeaturesIn, "the features of a GeoJSON file", _MSGSPEC)
WRITER = Adapter(GEOJSON, "places.writing:write", "documents", FeaturesOut, "as GeoJSON", _MSGSPEC, FeaturesOut)

declare_all(__name__, readers=[READER], outputs=OUTPUTS, writers=[WRITER], inputs=INPUTS)
