"""Exchange: the places of one file of maps in another format, in the reference system that is wanted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.geo import gdal, reading, writing
from conversions.families.geo.systems import WGS_84, converted
from conversions.toolkit.formats import CSV, GEOJSON, GPX, KML, Format
from conversions.toolkit.warnings import Warn

ALWAYS_WGS_84 = (GEOJSON, KML, GPX)
"""RFC 7946, section 4; OGC 12-007r2, section 6.2; GPX 1.1, `latitudeType`."""


def convert(source: Path, target: Path, input: Format, output: Format, options: Any, warn: Warn) -> None:
    """Write the places of `source` to `target`."""
    gdal.only(input, output)
    layers = reading.read(source, input, options, warn)
    given = getattr(options, "source_crs", None) or (WGS_84 if input is CSV else None)
    fixed = output in ALWAYS_WGS_84
    wanted = WGS_84 if fixed else getattr(options, "crs", None)
    if wanted is None and len({each.system for each in layers}) > 1 and not writing.holds_layers(output):
        wanted = layers[0].system
    because = f", as {output.name} has no other" if fixed else ""
    layers = [converted(each, given, wanted, because, warn) for each in layers]
    writing.write(layers, target, output, warn)
