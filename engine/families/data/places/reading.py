"""Read GeoJSON features (RFC 7946) as rows of properties and coordinates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.families.data.places import wkt
from engine.families.data.readers import json_text
from engine.families.data.table import Documents, batched
from engine.families.data.values import Value, text
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_MEMBERS = {"type", "id", "geometry", "properties"}
_WORLD = ("CRS84", "EPSG::4326", "EPSG:4326")
_METADATA = Kind(
    "METADATA_DROPPED", "Members of the collection other than its features are not in the output: {count}{places}."
)
_FOREIGN = Kind(
    "CONTENT_DROPPED", "Members of features other than their properties are not in the output: {count}{places}."
)


def read(source: Path, options: Any, warn: Warn) -> Documents:
    """Return the features of a file as objects of their properties; a single feature or geometry is one row.

    A point is in `lon`, `lat` and, where points have one, `alt`; other geometries are in `geometry`; the member `id` is
    in `id`. If a property has the same name, it gets a number. Raises Unreadable if the file is not GeoJSON.
    """
    documents = json_text.read(source, options, warn)
    values = [value for batch in documents.batches() for value in batch]
    # Several features on lines or in an array are read as a collection.
    features = [_checked(each, at) for at, each in enumerate(_features(values, warn), 1)]
    if not features:
        raise Unreadable("The GeoJSON file has no features.", reason="empty")
    foreign = Counter(name for each in features for name in each.keys() - _MEMBERS)
    warn.tally(_FOREIGN, foreign.total(), sorted(foreign))
    rows = _Rows(features, options.geometry, warn)
    return Documents(lambda: batched(map(rows.row, features)), many=True)


def _features(values: list[Value], warn: Warn) -> Iterator[Value]:
    for value in values:
        kind = value.get("type") if isinstance(value, dict) else None
        if kind == "FeatureCollection" and isinstance(value.get("features"), list):
            _report(value, warn)
            yield from value["features"]
        elif kind == "Feature":
            yield value
        elif kind in wkt.DEPTHS or kind == "GeometryCollection":
            yield {"type": "Feature", "properties": None, "geometry": value}
        else:
            shown = say("its type is “{kind}”", kind=kind) if isinstance(kind, str) else say("it has no type")
            raise Unreadable(
                say("The file is not GeoJSON: {shown}. Use a FeatureCollection.", shown=shown), reason="format"
            )


def _report(collection: dict[str, Value], warn: Warn) -> None:
    """Report members of the collection that are not in the output; a reference system only if it is not the default."""
    beside = {name: value for name, value in collection.items() if name not in ("type", "features", "bbox")}
    if any(each in text(beside.get("crs")) for each in _WORLD):
        del beside["crs"]
    warn.tally(_METADATA, len(beside), (f"{name}: {text(value)[:60]}" for name, value in beside.items()))


def _checked(feature: Any, number: int) -> dict[str, Value]:
    if not isinstance(feature, dict) or feature.get("type") != "Feature":
        raise Unreadable(say("Item {number} of the features is not a feature.", number=number), reason="damaged")
    if not isinstance(feature.get("properties"), dict | None):
        raise Unreadable(say("The properties of feature {number} are not an object.", number=number), reason="damaged")
    if feature.get("geometry") is not None:
        try:
            wkt.check(feature["geometry"])
        except wkt.NoGeometry:
            raise Unreadable(
                say("The geometry of feature {number} is not a GeoJSON geometry.", number=number), reason="damaged"
            ) from None
    return feature


def _is_point(geometry: Any) -> bool:
    return geometry is not None and geometry["type"] == "Point" and bool(geometry["coordinates"])


class _Rows:
    """Turns features into rows that all have the same columns for their location."""

    def __init__(self, features: list[dict[str, Value]], spelling: str, warn: Warn) -> None:
        self.spelling = spelling
        geometries = [each["geometry"] for each in features if each.get("geometry") is not None]
        points = [each for each in geometries if _is_point(each)] if spelling == "auto" else []
        taken = {name for each in features for name in each.get("properties") or ()}
        wanted = {
            "id": any(each.get("id") is not None for each in features),
            "lon": bool(points),
            "lat": bool(points),
            "alt": any(len(each["coordinates"]) > 2 for each in points),
            "geometry": len(points) < len(geometries),
        }
        self.names = {name: _free(name, taken, warn) for name, is_there in wanted.items() if is_there}

    def row(self, feature: dict[str, Value]) -> dict[str, Value]:
        geometry = feature.get("geometry")
        place = dict.fromkeys(self.names)
        place["id"] = feature.get("id")
        if geometry is not None and self.spelling == "auto" and _is_point(geometry):
            place |= dict(zip(("lon", "lat", "alt"), geometry["coordinates"], strict=False))
        elif geometry is not None:
            place["geometry"] = text(geometry) if self.spelling == "geojson" else wkt.written(geometry)
        first = {self.names["id"]: place["id"]} if "id" in self.names else {}
        rest = {name: place[key] for key, name in self.names.items() if key != "id"}
        return first | (feature.get("properties") or {}) | rest


def _free(name: str, taken: set[str], warn: Warn) -> str:
    number, free = 2, name
    while free in taken:
        free = f"{name}_{number}"
        number += 1
    if free != name:
        warn(
            "COLUMN_RENAMED",
            say("The features' own {name} is called “{free}”, as they have a property “{name}”.", name=name, free=free),
        )
    return free
