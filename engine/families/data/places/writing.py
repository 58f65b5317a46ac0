"""Write rows as GeoJSON features (RFC 7946), located by coordinates or a geometry text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from engine.families.data.places import wkt
from engine.families.data.table import Documents
from engine.families.data.values import NotFinite, Value, integer, number
from engine.families.data.writers.json_text import encoder
from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import MAX_EXAMPLES, Kind, Warn

_NAMES = {
    "longitude": ("lon", "lng", "long", "longitude", "x"),
    "latitude": ("lat", "latitude", "y"),
    "geometry": ("geometry", "geom", "the_geom", "wkt", "geojson"),
    "altitude": ("alt", "altitude", "elevation"),
}
_MISSING = Kind(
    "GEOMETRY_MISSING",
    "Rows without readable coordinates became features without a place: {count}{places}. "
    "Degrees go from -180 to 180 for longitude and from -90 to 90 for latitude.",
)
Row = dict[str, Value]


def write(documents: Documents, target: Path, options: Any, warn: Warn) -> None:
    """Write one feature a line; the columns of a row other than its place become properties.

    A feature collection stays one. Raises InvalidOption if no column with places is found, and Unreadable for rows that
    are not objects.
    """
    encode = encoder(warn).encode
    columns: dict[str, str] | None = None
    missing, rows = 0, 0
    examples: list[str] = []
    with target.open("wb") as file:
        file.write(b'{"type":"FeatureCollection","features":[')
        for batch in documents.batches():
            for row in _rows(batch):
                if documents.table is None and row.get("type") == "Feature" and "geometry" in row:
                    feature = _kept(row, rows + 1)
                else:
                    columns = columns or _columns(documents, row, options)
                    feature = _feature(row, columns)
                rows += 1
                if feature["geometry"] is None:
                    missing += 1
                    if len(examples) < MAX_EXAMPLES:
                        examples.append(f"row {rows}")
                file.write((b",\n" if rows > 1 else b"\n") + encode(feature))
        file.write(b"\n]}\n")
    warn.tally(_MISSING, missing, examples)


def _rows(values: Iterable[Value]) -> Iterator[Row]:
    for value in values:
        if not isinstance(value, dict):
            raise Unreadable("Each feature must be an object, and the file has other values.", reason="format")
        if value.get("type") == "FeatureCollection" and isinstance(value.get("features"), list):
            yield from _rows(value["features"])
        else:
            yield value


def _kept(feature: Row, number: int) -> Row:
    try:
        if feature["geometry"] is not None:
            wkt.check(feature["geometry"])
    except wkt.NoGeometry:
        raise Unreadable(
            say("The geometry of feature {number} is not a GeoJSON geometry.", number=number), reason="damaged"
        ) from None
    return feature


def _columns(documents: Documents, first: Row, options: Any) -> dict[str, str]:
    """The column of each part of a place, as the options name them or as columns are usually named."""
    there = documents.table.columns if documents.table else list(first)
    usual = {name.strip().lower(): name for name in reversed(there)}
    found = {}
    for part, names in _NAMES.items():
        given = getattr(options, part, "")
        if given and documents.table and given not in there:
            known = ", ".join(f"“{name}”" for name in there[:10])
            raise InvalidOption(
                part, say("There is no column “{given}”. The columns are {known}.", given=given, known=known)
            )
        name = given or next((usual[each] for each in names if each in usual), None)
        if name is not None:
            found[part] = name
    if "geometry" not in found and not {"longitude", "latitude"} <= found.keys():
        raise InvalidOption("longitude", "No coordinate columns were found. Name them with longitude and latitude.")
    return found


def _feature(row: Row, columns: dict[str, str]) -> dict[str, Any]:
    geometry, used = _placed(row, columns)
    properties = {name: value for name, value in row.items() if name not in used}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def _placed(row: Row, columns: dict[str, str]) -> tuple[wkt.Geometry | None, set[str]]:
    """Return the geometry of a row, and its source columns; text that is not a geometry stays a property."""
    longitude, latitude, altitude, geometry = (
        columns.get(part, "") for part in ("longitude", "latitude", "altitude", "geometry")
    )
    place = {longitude, latitude, geometry}
    empty = {name for name in place if row.get(name) in (None, "")}
    try:
        if not {longitude, latitude} & empty:
            position = [wkt.coordinate(row[longitude]), wkt.coordinate(row[latitude])]
            if abs(float(position[0])) > 180 or abs(float(position[1])) > 90:
                raise wkt.NoGeometry
            used = {longitude, latitude} | (empty & {geometry})
            if row.get(altitude) in (None, ""):
                return {"type": "Point", "coordinates": position}, used | {altitude}
            try:
                return {"type": "Point", "coordinates": [*position, wkt.coordinate(row[altitude])]}, used | {altitude}
            except wkt.NoGeometry:
                return {"type": "Point", "coordinates": position}, used
        if geometry not in empty:
            return _geometry(row[geometry]), {geometry} | (empty & {longitude, latitude})
    except wkt.NoGeometry:
        pass
    return None, empty


def _geometry(value: Value) -> wkt.Geometry:
    if isinstance(value, dict):
        wkt.check(value)
        return value
    if not isinstance(value, str) or isinstance(value, NotFinite):
        raise wkt.NoGeometry
    if not value.lstrip().startswith("{"):
        return wkt.parsed(value)
    try:
        found: Any = json.loads(value, parse_float=number, parse_int=integer)
    except (ValueError, RecursionError):
        raise wkt.NoGeometry from None
    wkt.check(found)
    geometry: wkt.Geometry = found
    return geometry
