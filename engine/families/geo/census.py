"""Register what is counted in map files, by format."""

from __future__ import annotations

import functools
from pathlib import Path

from engine.toolkit.census import Census, Counting
from engine.toolkit.formats import CSV, FGB, GEOJSON, GPKG, GPX, KML, SHP, Format


def _count(path: Path, *, format: Format) -> Census:
    from engine.families.geo import counting

    return counting.count(path, format)


_KINDS = {
    GEOJSON: {"features", "attributes"},
    CSV: {"features"},  # some of its columns become the geometry
    KML: {"features"},
    GPX: {"features"},
    SHP: {"features", "attributes", "layers"},
    GPKG: {"features", "attributes", "layers"},
    FGB: {"features", "attributes"},
}
COUNTINGS = {
    format: Counting(
        functools.partial(_count, format=format),
        frozenset(kinds),
        modules=("engine.families.geo.counting",),
    )
    for format, kinds in _KINDS.items()
}
