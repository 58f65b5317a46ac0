"""Count the features of GeoJSON (RFC 7946), their properties, and what they have beside them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.families.data.counting import rows
from engine.families.data.counting.spellings import spelled
from engine.toolkit.census import Census

_GEOMETRY = re.compile(
    r"(?:SRID=\d+; ?)?(?:MULTI)?(?:POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION)\b.*|\{.*", re.IGNORECASE
)
_NUMBER = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d+)?")


def features(path: Path) -> Census:
    """Return the features and the values of their properties; numbers of places may match those of columns or texts."""
    document: Any = json.loads(path.read_bytes(), parse_int=str, parse_float=str)
    found = [each for each in _features(document) if isinstance(each, dict)]
    values, beside = rows.Values(), rows.Values()
    for first, last in rows.windows(len(found)):
        for each in found[first:last]:
            values.row(each.get("properties"))
            beside.leaf([value for name, value in each.items() if name != "properties"])
    places = Counter(beside.found)
    census = rows.counted(len(found))
    values.into(census, rows.sample_of(len(found)))
    census.optional["values"] += places + Counter(["FeatureCollection"])
    census.optional["texts"] = Counter([*map(str.lower, values.words), "type point feature"])

    def is_geometry(value: str) -> bool:
        if not _GEOMETRY.fullmatch(value):
            return False
        return all(spelled(number) in places for number in _NUMBER.findall(value.rpartition(";")[2]))

    census.contains = is_geometry
    return census


def _features(document: Any) -> Iterator[Any]:
    if isinstance(document, dict) and document.get("type") == "FeatureCollection":
        for each in document.get("features") or ():
            yield from _features(each)
    else:
        yield document
