"""GDAL restricted to the drivers a conversion names, so that content can't select another."""

from __future__ import annotations

import pyogrio
from pyogrio._ogr import _register_drivers

from engine.toolkit.formats import CSV, FGB, GEOJSON, GPKG, GPX, KML, SHP, Format

DRIVERS: dict[Format, str] = {
    GEOJSON: "GeoJSON",
    KML: "LIBKML",
    GPX: "GPX",
    SHP: "ESRI Shapefile",
    GPKG: "GPKG",
    FGB: "FlatGeobuf",
    CSV: "CSV",
}


def restrict_drivers(*formats: Format) -> None:
    """Deregister all drivers in this process except those of these formats, until it is called again."""
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
            "OGR_CURRENT_DATE": "1980-01-01T00:00:00.000Z",  # makes the output deterministic
            "SHAPE_RESTORE_SHX": "YES",
        }
    )
    _register_drivers()
