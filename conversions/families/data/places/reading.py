"""Reading GeoJSON (RFC 7946): a row for each feature, of its properties and its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conversions.families.data.places import wkt
from conversions.families.data.readers import json_text
from conversions.families.data.table import Documents, batched
from conversions.families.data.values import Value, text
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Kind, Warn

_MEMBERS = {"type", "id", "geometry", "properties"}
_WORLD = ("CRS84", "EPSG::4326", "EPSG:4326")
_METADATA = Kind("METADATA_DROPPED", "What the collection says beside its features is not in the output")
_FOREIGN = Kind("CONTENT_DROPPED", "What features have beside their properties is not in the output")


def read(source: Path, options: Any, warn: Warn) -> Documents:
    """The features of a file, as objects of their properties; a feature or a geometry alone is one row.

    A point is in `lon`, `lat` and, where points have one, `alt`; other geometries are in `geometry`; the member `id` is
    in `id`. A name that a property has, too, gets a number. Raises Unreadable for what is no GeoJSON.
    """
    documents = json_text.read(source, options, warn)
    values = [value for batch in documents.batches() for value in batch]
    # Several features one after the other, on lines or in a list, are taken as if they stood in a collection.
    features = [_checked(each, at) for at, each in enumerate(_features(values, warn), 1)]
    if not features:
        raise Unreadable("The GeoJSON file has no features.")
    foreign = Counter(name for each in features for name in each.keys() - _MEMBERS)
    warn.tally(_FOREIGN, foreign.total(), sorted(foreign))
    rows = _Rows(features, options.geometry, warn)
    return Documents(lambda: batched(map(rows.row, features)), many=True)


def _features(values: list[Value], warn: Warn) -> Iterator[Value]:
    for value in values:
        kind = value.get("type") if isinstance(value, dict) else None
        if kind == "FeatureCollection" and isinstance(value.get("features"), list):
            _tell(value, warn)
            yield from value["features"]
        elif kind == "Feature":
            yield value
        elif kind in wkt.DEPTHS or kind == "GeometryCollection":
            yield {"type": "Feature", "properties": None, "geometry": value}
        else:
            shown = f"its type is “{kind}”" if isinstance(kind, str) else "it has no type"
            raise Unreadable(f"The file is no GeoJSON: {shown}. Write a FeatureCollection.")


def _tell(collection: dict[str, Value], warn: Warn) -> None:
    """Name what is said of the collection as a whole; a reference system only where it is not the usual one."""
    beside = {name: value for name, value in collection.items() if name not in ("type", "features", "bbox")}
    if any(each in text(beside.get("crs")) for each in _WORLD):
        del beside["crs"]
    warn.tally(_METADATA, len(beside), (f"{name}: {text(value)[:60]}" for name, value in beside.items()))


def _checked(feature: Any, number: int) -> dict[str, Value]:
    if not isinstance(feature, dict) or feature.get("type") != "Feature":
        raise Unreadable(f"Item {number} of the features is no feature.")
    if not isinstance(feature.get("properties"), dict | None):
        raise Unreadable(f"The properties of feature {number} are no object.")
    if feature.get("geometry") is not None:
        try:
            wkt.check(feature["geometry"])
        except wkt.NoGeometry:
            raise Unreadable(f"The geometry of feature {number} is none that GeoJSON has.") from None
    return feature


def _is_point(geometry: Any) -> bool:
    return geometry is not None and geometry["type"] == "Point" and bool(geometry["coordinates"])


class _Rows:
    """Makes features rows that all have the same columns for their places."""

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
        warn("COLUMN_RENAMED", f"The features' own {name} is called “{free}”, as they have a property “{name}”.")
    return free
