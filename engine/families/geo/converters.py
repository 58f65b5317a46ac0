"""Convert maps: GeoJSON, KML, GPX, shapefiles, GeoPackage, FlatGeobuf and tables with coordinates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.families.geo import options as groups
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import CSV, FGB, FORMATS, GEOJSON, GPKG, GPX, KML, SHP
from engine.toolkit.options import combine
from engine.toolkit.warnings import Warn

PYOGRIO = Engine("pyogrio", lazy=("pyogrio", "pyproj", "numpy", "lxml"), further=("pyproj",))

MAPS = (KML, GPX, SHP, GPKG, FGB)
ELSEWHERE = (GEOJSON, CSV)
"""Pairs of formats that another family converts."""


def _convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert the places in {input} to {output}."""
    from engine.families.geo import exchange

    exchange.convert(source, target, FORMATS[source.suffix[1:]], FORMATS[target.suffix[1:]], options, warn)


for _source in (*ELSEWHERE, *MAPS):
    for _target in (*ELSEWHERE, *MAPS):
        if _source is _target or (_source in ELSEWHERE and _target in ELSEWHERE):
            continue
        _groups = (
            *((groups.Columns,) if _source is CSV else ()),
            *((groups.InputSystem,) if _source in (CSV, SHP, GPKG, FGB) else ()),
            *((groups.OutputSystem,) if _target in (CSV, SHP, GPKG, FGB) else ()),
        )
        converter(
            _source,
            _target,
            profile="image",
            engine=PYOGRIO,
            options=combine(f"{_source.id.title()}To{_target.id.title()}Options", *_groups),
        )(_convert)
