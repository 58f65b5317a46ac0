"""Convert one map file to another format and reference system."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.families.geo import gdal, reading, writing
from engine.families.geo.systems import WGS_84, converted
from engine.toolkit.formats import CSV, GEOJSON, GPX, KML, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

ALWAYS_WGS_84 = (GEOJSON, KML, GPX)
"""RFC 7946, section 4; OGC 12-007r2, section 6.2; GPX 1.1, `latitudeType`."""


def convert(source: Path, target: Path, input: Format, output: Format, options: Any, warn: Warn) -> None:
    """Write the features of `source` to `target`."""
    gdal.restrict_drivers(input, output)
    layers = reading.read(source, input, options, warn)
    given = getattr(options, "source_crs", None) or (WGS_84 if input is CSV else None)
    fixed = output in ALWAYS_WGS_84
    wanted = WGS_84 if fixed else getattr(options, "crs", None)
    if wanted is None and len({each.system for each in layers}) > 1 and not writing.holds_layers(output):
        wanted = layers[0].system
    because = say(", as {name} has no other", name=output.name) if fixed else ""
    layers = [converted(each, given, wanted, because, warn) for each in layers]
    writing.write(layers, target, output, warn)
