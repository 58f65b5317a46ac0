"""Maps: GeoJSON, KML, GPX, shapefiles, GeoPackage, FlatGeobuf and tables with places among each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.geo import options as groups
from conversions.toolkit.declaring import Engine, converter
from conversions.toolkit.formats import CSV, FGB, FORMATS, GEOJSON, GPKG, GPX, KML, SHP
from conversions.toolkit.options import combine
from conversions.toolkit.warnings import Warn

PYOGRIO = Engine("pyogrio", lazy=("pyogrio", "pyproj", "numpy", "lxml"), further=("pyproj",))

MAPS = (KML, GPX, SHP, GPKG, FGB)
ELSEWHERE = (GEOJSON, CSV)
"""Those that become each other in another family."""


def _convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert the places of {input} to {output}."""
    from conversions.families.geo import exchange

    exchange.convert(source, target, FORMATS[source.suffix[1:]], FORMATS[target.suffix[1:]], options, warn)


for _source in (*ELSEWHERE, *MAPS):
    for _target in (*ELSEWHERE, *MAPS):
        if _source is _target or (_source in ELSEWHERE and _target in ELSEWHERE):
            continue
        _groups = (
            *((groups.Columns,) if _source is CSV else ()),
            *((groups.Given,) if _source in (CSV, SHP, GPKG, FGB) else ()),
            *((groups.Wanted,) if _target in (CSV, SHP, GPKG, FGB) else ()),
        )
        converter(
            _source,
            _target,
            profile="image",
            engine=PYOGRIO,
            options=combine(f"{_source.id.title()}To{_target.id.title()}Options", *_groups),
        )(_convert)
