"""Options of GeoJSON."""

from __future__ import annotations

from typing import Literal

from engine.toolkit.options import option, options


@options
class FeaturesIn:
    """Reading features as rows."""

    geometry: Literal["auto", "wkt", "geojson"] = option(
        "auto",
        "How to write places: points as columns lon and lat and other shapes as WKT text, "
        "everything as WKT, or everything as GeoJSON text.",
        choices={
            "auto": "Points as columns: Points in lon and lat, other shapes as text (WKT).",
            "wkt": "Text (WKT): Every place as text such as POINT (10 60).",
            "geojson": "GeoJSON: Every place as GeoJSON text.",
        },
    )


@options
class FeaturesOut:
    """Writing rows as features."""

    longitude: str = option(
        "", "Column with the longitude in degrees. Leave empty to use lon, lng, long, longitude or x.", max_length=200
    )
    latitude: str = option(
        "", "Column with the latitude in degrees. Leave empty to use lat, latitude or y.", max_length=200
    )
    geometry: str = option(
        "",
        "Column with WKT or GeoJSON text. Leave empty to use geometry, geom, the_geom, wkt or geojson.",
        max_length=200,
    )
