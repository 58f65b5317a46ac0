"""Vectors of GeoJSON: points as columns, other geometries as text, and back."""

from __future__ import annotations

import csv
import io
import json
from functools import partial
from typing import Any

from engine.families.data.places.converters import OUTPUTS
from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs, unfit
from tests.converters.vector import Check, fail, refuse, take
from tests.families.data.checks import equal, is_text
from tests.families.data.files import TABLES
from tests.families.data.seen import SEEN

HEADER = ["name", "people", "lon", "lat"]
CITIES = [["Köln", 1087863, 6.9578, 50.9422], ["São Paulo", 11451999, -46.6339, -23.5507]]


def collection(*features: Any, **more: Any) -> bytes:
    return json.dumps({"type": "FeatureCollection", **more, "features": features}, ensure_ascii=False).encode()


def feature(geometry: Any, /, **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def geometry(kind: str, coordinates: Any) -> dict[str, Any]:
    return {"type": kind, "coordinates": coordinates}


def cities() -> bytes:
    return collection(*(feature(geometry("Point", [x, y]), name=name, people=people) for name, people, x, y in CITIES))


_SHAPES = {
    "POINT Z (1 2 3.50)": geometry("Point", [1, 2, "3.50"]),
    "POINT EMPTY": geometry("Point", []),
    "LINESTRING (1 2, 3 4)": geometry("LineString", [[1, 2], [3, 4]]),
    "POLYGON ((0 0, 1 0, 1 1, 0 0), EMPTY)": geometry("Polygon", [[[0, 0], [1, 0], [1, 1], [0, 0]], []]),
    "MULTIPOINT (1 2, 3 4)": geometry("MultiPoint", [[1, 2], [3, 4]]),
    "MULTILINESTRING Z ((1 2 0, 3 4 5))": geometry("MultiLineString", [[[1, 2, 0], [3, 4, 5]]]),
    "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)))": geometry("MultiPolygon", [[[[0, 0], [1, 0], [1, 1], [0, 0]]]]),
    "GEOMETRYCOLLECTION (POINT (1 2), GEOMETRYCOLLECTION EMPTY)": {
        "type": "GeometryCollection",
        "geometries": [geometry("Point", [1, 2]), {"type": "GeometryCollection", "geometries": []}],
    },
}


def shapes() -> bytes:
    data = collection(*(feature(each, n=number) for number, each in enumerate(_SHAPES.values())))
    return data.replace(b'"3.50"', b"3.50")


def _cells(output: str, *rows: list[Any]) -> Check:
    """The table, whatever the order of its rows' types."""

    def check(data: bytes) -> None:
        assert SEEN[output](data) == [[str(cell) for cell in row] for row in rows]

    return check


def is_collection(*features: Any) -> Check:
    """Each number spelled as it is here."""

    def check(data: bytes) -> None:
        found = json.loads(data, parse_float=str, parse_int=str)
        assert found == {"type": "FeatureCollection", "features": json.loads(json.dumps(features, default=str))}

    return check


def _texts(value: Any) -> Any:
    """The value with every number as text."""
    if isinstance(value, dict):
        return {key: _texts(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_texts(each) for each in value]
    return str(value) if type(value) in (int, float) else value


_ODD = [
    feature({"type": "LineString", "coordinates": [[1, 2], [3, 4]]}, name="a line", lon="taken"),
    {**feature(geometry("Point", [1.0, 2.0, 3.0]), name="up"), "id": 7},
    feature(None, name="nowhere"),
]
_ODD_ROWS = [
    ["id", "name", "lon", "lon_2", "lat", "alt", "geometry"],
    ["", "a line", "taken", "", "", "", "LINESTRING (1 2, 3 4)"],
    ["7", "up", "", "1.0", "2.0", "3.0", ""],
    ["", "nowhere", "", "", "", "", ""],
]


def odd_cells(output: str) -> Check:
    def check(data: bytes) -> None:
        if output == "json":
            found = json.loads(data, parse_float=str, parse_int=str)
            assert [{key: cell for key, cell in row.items() if cell is not None} for row in found] == [
                {key: cell for key, cell in zip(_ODD_ROWS[0], row, strict=True) if cell} for row in _ODD_ROWS[1:]
            ]
            return
        rows = SEEN[output](data)
        # In what order columns stand is up to the features; spreadsheets write whole floats as integers.
        found = [
            {key: cell.removesuffix(".0") for key, cell in zip(rows[0], row, strict=False) if cell} for row in rows[1:]
        ]
        assert found == [
            {key: cell.removesuffix(".0") for key, cell in zip(_ODD_ROWS[0], row, strict=True) if cell}
            for row in _ODD_ROWS[1:]
        ]

    return check


_COLLECTION: Readers = {
    "geojson": (
        ordinary("points become two columns", cities),
        awkward(
            "other shapes, a height, an id, names that are taken, no place", lambda: collection(*_ODD), "COLUMN_RENAMED"
        ),
        broken("a topology", b'{"type": "Topology", "objects": {}}'),
    )
}


def _writer(output: str) -> Writer:
    return lambda source, given: Wanted(
        _cells(output, HEADER, *CITIES) if given.kind == "ordinary" else odd_cells(output)
    )


_ROWS: Readers = {
    id: (
        ordinary("two columns become points", partial(make, HEADER, CITIES)),
        awkward(
            "columns that are named, and rows beyond the world",
            partial(make, ["Rechts", "Hoch", "n"], [[7.5, 51.5, "a"], [2601234.5, 51.5, "b"]]),
            "GEOMETRY_MISSING",
            longitude="Rechts",
            latitude="Hoch",
        ),
        unfit("no columns of coordinates", partial(make, ["a", "b"], [["x", 1]])),
    )
    for id, make in TABLES.items()
}


def _geojson(source: str, given: Given) -> Wanted:
    if given.kind == "awkward":
        far = feature(None, Rechts="2601234.5", Hoch="51.5", n="b")
        return Wanted(is_collection(feature(geometry("Point", ["7.5", "51.5"]), n="a"), far))
    points = (
        feature(geometry("Point", [str(x), str(y)]), name=name, people=str(people)) for name, people, x, y in CITIES
    )
    return Wanted(is_collection(*points))


_DEEP = b'{"type": "GeometryCollection", "geometries": [' * 100 + b"]}" * 100

_VECTORS = (
    take("geojson-to-csv", "every type of geometry as WKT", shapes,
         lambda data: equal([row["geometry"] for row in csv.DictReader(io.StringIO(data.decode()))], list(_SHAPES)),
         geometry="wkt"),
    take("geojson-to-json", "geometries as GeoJSON text, digits as they are", shapes,
         lambda data: equal([json.loads(row["geometry"], parse_float=str) for row in json.loads(data)],
                            list(_SHAPES.values())), geometry="geojson"),
    take("geojson-to-csv", "digits as they are written",
         b'{"type":"Feature","geometry":{"type":"Point","coordinates":[10.1000,-0.00000012345678901234567]},'
         b'"properties":null}', is_text("lon,lat\r\n10.1000,-0.00000012345678901234567\r\n")),
    take("geojson-to-csv", "a geometry alone", b'{"type": "Point", "coordinates": [1, 2]}',
         is_text("lon,lat\r\n1,2\r\n")),
    take("geojson-to-csv", "features on lines", b'{"type":"Feature","properties":{"a":1},"geometry":null}\n' * 2,
         is_text("a\r\n1\r\n1\r\n")),
    take("geojson-to-csv", "nested properties", lambda: collection(feature(geometry("Point", [1, 2]), a={"b": [1]})),
         is_text("a.b,lon,lat\r\n[1],1,2\r\n")),
    take("geojson-to-csv", "another reference system and what features have beside",
         lambda: collection({**feature(geometry("Point", [1, 2]), a=1), "when": "now"},
                            crs={"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25832"}}, bbox=[1]),
         is_text("a,lon,lat\r\n1,1,2\r\n"), "METADATA_DROPPED", "CONTENT_DROPPED"),
    take("geojson-to-csv", "the reference system that all have",
         lambda: collection(feature(geometry("Point", [1, 2]), a=1),
                            crs={"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}),
         is_text("a,lon,lat\r\n1,1,2\r\n")),
    *(
        fail("geojson-to-csv", name, data)
        for name, data in {
            "no features": b'{"type": "FeatureCollection", "features": []}',
            "a collection without a list": b'{"type": "FeatureCollection"}',
            "a position of text": b'{"type": "Point", "coordinates": ["1", 2]}',
            "too few lists": b'{"type": "Polygon", "coordinates": [[1, 2]]}',
            "no coordinates": b'{"type": "Point"}',
            "a collection in collections": _DEEP,
            "features of numbers": b'{"type": "FeatureCollection", "features": [1]}',
            "properties that are a list": b'{"type": "Feature", "properties": [1], "geometry": null}',
        }.items()
    ),
    *(
        take("csv-to-geojson", f"a geometry as text: {name}", f'n,wkt\r\n1,"{name}"\r\n'.encode(),
             is_collection(feature(_texts(each), n="1")))
        for name, each in _SHAPES.items()
    ),
    *(
        take("csv-to-geojson", f"a geometry as others write it: {name}", f'n,geom\r\n1,"{name}"\r\n'.encode(),
             is_collection(feature(_texts(each), n="1")), *(["CONTENT_DROPPED"] if " M " in name else []))
        for name, each in {
            "SRID=4326;Point(1 2)": geometry("Point", [1, 2]),
            "multipoint((1 2),(3 4))": geometry("MultiPoint", [[1, 2], [3, 4]]),
            "POINT M (1 2 9)": geometry("Point", [1, 2]),
            "POINT(+1e1 -.5)": geometry("Point", [10.0, -0.5]),
            " LINESTRING(1 2 3,4 5 6) ": geometry("LineString", [[1, 2, 3], [4, 5, 6]]),
        }.items()
    ),
    *(
        take("csv-to-geojson", f"text that is no geometry: {name[:20]}", f'n,wkt\r\n1,"{name}"\r\n'.encode(),
             is_collection(feature(None, n="1", wkt=name)), "GEOMETRY_MISSING")
        for name in ("POINT", "POINT(1)", "CIRCLE(1 2)", "POINT(1 2", "POINT(1 2) x", "x", "GEOMETRYCOLLECTION(" * 100,
                     "POINT(1 2, 3 4)", "((1 2))", "{}", "1;2")
    ),
    take("csv-to-geojson", "GeoJSON text, heights, numbers as others write them, nothing",
         b'lat,lng,alt,geometry,n\r\n50.10,+7,100,,1\r\n,,,"{""type"":""Point"",""coordinates"":[1,2.50]}",2\r\n'
         b',,,,3\r\n51,8,high,,4\r\n91,8,,,5\r\nx,8,,,6\r\n',
         is_collection(
             feature(geometry("Point", ["7.0", "50.10", "100"]), n="1"),
             feature(geometry("Point", ["1", "2.50"]), n="2", alt=""),
             feature(None, n="3", alt=""),
             feature(geometry("Point", ["8", "51"]), alt="high", n="4"),
             feature(None, lat="91", lng="8", alt="", n="5"),
             feature(None, lat="x", lng="8", alt="", n="6"),
         ), "GEOMETRY_MISSING"),
    take("json-to-geojson", "nested values stay, and so does a collection", lambda: collection(*_ODD),
         is_collection(*map(_texts, _ODD)), "GEOMETRY_MISSING"),
    take("json-to-geojson", "properties of any structure", b'[{"lon": 1.50, "lat": 2, "tags": {"a": [1, null]}}]',
         is_collection(feature(geometry("Point", ["1.50", "2"]), tags={"a": ["1", None]}))),
    fail("json-to-geojson", "values that are no objects", b"[1, 2]"),
    fail("json-to-geojson", "a collection whose geometries are none",
         b'{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Point"}}]}'),
    refuse("csv-to-geojson", "a column that is not there", lambda: b"a,b\r\n1,2\r\n", longitude="c", latitude="b"),
)  # fmt: skip

VECTORS = (
    *pairs("data.places", _COLLECTION, {each.id: _writer(each.id) for each in OUTPUTS}),
    *pairs("data.places", _ROWS, {"geojson": _geojson}),
    *_VECTORS,
)
