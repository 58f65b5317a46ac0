"""GDAL, with the drivers alone that a conversion names: content never decides what else is read."""

from __future__ import annotations

import pyogrio
from pyogrio._ogr import _register_drivers

from conversions.toolkit.formats import CSV, FGB, GEOJSON, GPKG, GPX, KML, SHP, Format

DRIVERS: dict[Format, str] = {
    GEOJSON: "GeoJSON",
    KML: "LIBKML",
    GPX: "GPX",
    SHP: "ESRI Shapefile",
    GPKG: "GPKG",
    FGB: "FlatGeobuf",
    CSV: "CSV",
}


def only(*formats: Format) -> None:
    """Take all drivers away from this process but those of these formats, until it is called again."""
    _skip(set())
    every = set(pyogrio.list_drivers())
    kept = {DRIVERS[each] for each in formats}
    _skip(every - kept)
    if (left := set(pyogrio.list_drivers())) != kept:
        raise RuntimeError(f"GDAL has the drivers {sorted(left)}, not {sorted(kept)}")


def _skip(drivers: set[str]) -> None:
    pyogrio.set_gdal_config_options(
        {
            "GDAL_SKIP": ",".join(sorted(drivers)) or None,
            "OGR_CURRENT_DATE": "1980-01-01T00:00:00.000Z",  # the same input gives the same bytes
            "SHAPE_RESTORE_SHX": "YES",
        }
    )
    _register_drivers()
