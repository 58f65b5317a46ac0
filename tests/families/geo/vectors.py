"""Vectors of maps: the same places in every format, and shapes of all kinds."""

from __future__ import annotations

import csv
import io
import json
import math
import sqlite3
import struct
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from lxml import etree

from engine.families.geo.converters import ELSEWHERE, MAPS
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs, unfit
from tests.converters.vector import Vector
from tests.families.data.places.vectors import collection, feature, geometry

CITIES = {"Köln": (6.9578, 50.9422), "São Paulo": (-46.6339, -23.5507)}
Places = dict[str, tuple[float, float]]


def cities() -> bytes:
    return collection(
        *(feature(geometry("Point", [x, y]), name=name, number=at) for at, (name, (x, y)) in enumerate(CITIES.items()))
    )


def shapes() -> bytes:
    """A place of each kind, one that is nowhere, and a name that is too long for dBASE."""
    long = {"a_name_of_more_than_ten": "x"}
    return collection(
        feature(geometry("Point", [1, 2]), name="point", **long),
        feature(geometry("LineString", [[1, 2], [3, 4]]), name="line", **long),
        feature(geometry("Polygon", [[[0, 0], [1, 0], [1, 1], [0, 0]]]), name="area", **long),
        feature(None, name="nowhere", **long),
    )


@cache
def made(source: Callable[[], bytes], slug: str) -> bytes:
    """What a converter makes of a file."""
    converter = CONVERTERS[slug]
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder, f"input.{converter.input.id}")
        given.write_bytes(source())
        target = Path(folder, f"output.{converter.output.id}")
        converter.run(given, target, build(converter.options, {}), Warn())
        return target.read_bytes()


def file(format: str, source: Callable[[], bytes]) -> bytes:
    """The places of a GeoJSON file in a format; as text where that is easily written by hand."""
    if format == "geojson":
        return source()
    if format == "csv" and source is shapes:
        return (
            b'name,wkt\npoint,POINT (1 2)\nline,"LINESTRING (1 2,3 4)"\narea,"POLYGON ((0 0,1 0,1 1,0 0))"\nnowhere,\n'
        )
    if format == "csv":
        rows = "".join(f"{name},{at},{x},{y}\n" for at, (name, (x, y)) in enumerate(CITIES.items()))
        return f"name,number,lon,lat\n{rows}".encode()
    return made(source, f"geojson-to-{format}")


def _geojson(data: bytes) -> Places:
    return {
        str(_name(each["properties"])): tuple(each["geometry"]["coordinates"][:2])
        for each in json.loads(data)["features"]
    }


def _name(properties: dict[str, object]) -> object:
    return next(value for key, value in properties.items() if key.lower() == "name")


def _csv(data: bytes) -> Places:
    rows = csv.DictReader(io.StringIO(data.decode()))
    return {str(_name(dict(row))): (float(row["X"]), float(row["Y"])) for row in rows}


def _kml(data: bytes) -> Places:
    root = etree.fromstring(data)
    return {
        str(each.findtext("{*}name")): _pair(str(each.findtext(".//{*}coordinates")).split(",")[:2])
        for each in root.iter("{*}Placemark")
    }


def _pair(texts: list[str]) -> tuple[float, float]:
    return float(texts[0]), float(texts[1])


def _gpx(data: bytes) -> Places:
    root = etree.fromstring(data)
    return {str(each.findtext("{*}name")): _pair([each.get("lon"), each.get("lat")]) for each in root.iter("{*}wpt")}


def _shp(data: bytes) -> Places:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(".shp"))
        shape, table = archive.read(name), archive.read(name.replace(".shp", ".dbf"))
        assert archive.read(name.replace(".shp", ".prj")).startswith(b"GEOGCS")
    count, start, size = struct.unpack_from("<IHH", table, 4)
    columns = [table[at : at + 32] for at in range(32, start - 1, 32)]
    place = 1 + sum(each[16] for each in columns[: [each[:4].lower() for each in columns].index(b"name")])
    width = next(each[16] for each in columns if each[:4].lower() == b"name")
    found = {}
    for number in range(count):
        row = table[start + size * number :]
        found[row[place : place + width].decode().strip()] = struct.unpack_from("<2d", shape, 100 + 28 * number + 12)
    return found


def _gpkg(data: bytes) -> Places:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(data)
    (table,) = connection.execute("SELECT table_name FROM gpkg_contents").fetchone()
    rows = connection.execute(f'SELECT name, geom FROM "{table}"').fetchall()
    return {name: struct.unpack("<2d", blob[-16:]) for name, blob in rows}


def _fgb(data: bytes) -> Places:
    assert data.startswith(b"fgb\x03fgb")
    return _geojson(made(lambda: data, "fgb-to-geojson"))


SEEN: dict[str, Callable[[bytes], Places]] = {
    "geojson": _geojson, "csv": _csv, "kml": _kml, "gpx": _gpx, "shp": _shp, "gpkg": _gpkg, "fgb": _fgb,
}  # fmt: skip


def has(places: Places, output: str) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        found = SEEN[output](data)
        assert found.keys() == places.keys()
        assert all(abs(a - b) < 1e-7 for name in places for a, b in zip(found[name], places[name], strict=True))

    return check


def _count(output: str, data: bytes) -> int:
    """The places in a file of any kinds."""
    if output == "geojson":
        return len(json.loads(data)["features"])
    if output == "csv":
        return len(list(csv.DictReader(io.StringIO(data.decode()))))
    if output in ("kml", "gpx"):
        return sum(len(list(etree.fromstring(data).iter(f"{{*}}{name}"))) for name in ("Placemark", "wpt", "trk"))
    if output == "shp":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            rows = [archive.read(each)[4:8] for each in archive.namelist() if each.endswith(".dbf")]
        return sum(int.from_bytes(each, "little") for each in rows)
    if output == "gpkg":
        connection = sqlite3.connect(":memory:")
        connection.deserialize(data)
        tables = [name for (name,) in connection.execute("SELECT table_name FROM gpkg_contents")]
        return sum(connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables)
    return _count("geojson", made(lambda: data, "fgb-to-geojson"))


def _counts(number: int, output: str) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        assert _count(output, data) == number

    return check


def _lost(source: str, output: str) -> frozenset[str]:
    lost = set()
    if output == "gpx" or (source in ("gpx", "shp") and output not in ("gpkg", "shp")):
        lost.add("CONTENT_DROPPED")
    if output == "shp" and source not in ("shp", "csv"):
        lost.add("COLUMN_RENAMED")
    if source == "csv":
        lost.add("GEOMETRY_MISSING")
    return frozenset(lost)


def _damaged(format: str) -> bytes:
    if format == "geojson":
        return b'{"type": "FeatureCollection", "features": [{"type": "Feature", "geom'
    data = file(format, cities)
    return data[: len(data) // 2] if format != "gpkg" else data[:4096]


READERS: Readers = {
    each.id: (
        ordinary("cities", partial(file, each.id, cities)),
        awkward("shapes of all kinds", partial(file, each.id, shapes)),
        unfit("no column of places", b"a,b\r\n1,2\r\n")
        if each.id == "csv"
        else broken("a file that ends too early", partial(_damaged, each.id)),
    )
    for each in (*ELSEWHERE, *MAPS)
}


def _writer(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        if given.kind == "ordinary":
            return Wanted(has(CITIES, output))
        return Wanted(_counts(2 if "gpx" in (source, output) else 4, output), _lost(source, output))

    return wanted


def _mercator(data: bytes) -> None:
    found = _csv(data)["Köln"]
    assert all(abs(a - b) < 0.001 for a, b in zip(found, _projected(*CITIES["Köln"]), strict=True))


def _projected(longitude: float, latitude: float) -> tuple[float, float]:
    """EPSG:3857, by its formula (EPSG method 1024)."""
    around = 6_378_137.0
    return (around * math.radians(longitude), around * math.log(math.tan(math.pi / 4 + math.radians(latitude) / 2)))


_KML = b"""<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Style id="a"/>
<NetworkLink><Link><href>http://127.0.0.1/x.kml</href></Link></NetworkLink>
<Placemark><name>a</name><Point><coordinates>1,2</coordinates></Point></Placemark></Document></kml>"""
_GPX = b"""<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>a</name>
<trkseg><trkpt lat="2" lon="1"><time>2020-01-01T00:00:00Z</time></trkpt><trkpt lat="3" lon="1"/></trkseg></trk></gpx>"""
_MOMENTS = b"""<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">
<rte><name>empty</name></rte><rte><name>moment</name><rtept lat="2" lon="1"/></rte><trk><name>none</name><trkseg/></trk>
<trk><name>parts</name><trkseg><trkpt lat="2" lon="1"><ele>3</ele></trkpt></trkseg><trkseg/>
<trkseg><trkpt lat="2" lon="1"/><trkpt lat="3" lon="1"/></trkseg></trk></gpx>"""
_VRT = b"""<OGRVRTDataSource><OGRVRTLayer name="passwd"><SrcDataSource>/etc/passwd</SrcDataSource></OGRVRTLayer>
</OGRVRTDataSource>"""

VECTORS: tuple[Vector, ...] = (
    *pairs("geo", READERS, {id: _writer(id) for id in SEEN}),
    Vector("gpkg-to-csv", "another reference system", "awkward", lambda: file("gpkg", cities), {"crs": "EPSG:3857"},
           _mercator, frozenset({"VALUE_CONVERTED"})),
    Vector("csv-to-kml", "coordinates of another system", "awkward",
           lambda: "name,x,y\na,{},{}\n".format(*_projected(*CITIES["Köln"])).encode(), {"sourceCrs": "EPSG:3857"},
           lambda data: _close(_kml(data)["a"], CITIES["Köln"]), frozenset({"VALUE_CONVERTED"})),
    Vector("csv-to-fgb", "a system that there is not", "failing", lambda: file("csv", cities), {"crs": "EPSG:99999"},
           error="VALIDATION_ERROR"),
    Vector("kml-to-geojson", "styles and links", "awkward", lambda: _KML, check=has({"a": (1, 2)}, "geojson"),
           warnings=frozenset({"STYLE_DROPPED", "REMOTE_RESOURCE_BLOCKED"})),
    Vector("gpx-to-geojson", "times of a track", "awkward", lambda: _GPX, check=_counts(1, "geojson"),
           warnings=frozenset({"CONTENT_DROPPED"})),
    *(Vector(f"gpx-to-{output}", "lines of nothing and of one position", "awkward", lambda: _MOMENTS,
             check=_counts(4, output), warnings=frozenset(warnings))
      for output, warnings in (("kml", ("VALUE_CONVERTED", "CONTENT_DROPPED")), ("fgb", ("CONTENT_DROPPED",)))),
    Vector("kml-to-csv", "a list of other files", "failing", lambda: _VRT, error="UNSUPPORTED_FORMAT"),
    Vector("geojson-to-gpx", "a list of other files", "failing", lambda: _VRT, error="UNSUPPORTED_FORMAT"),
)  # fmt: skip


def _close(found: tuple[float, float], wanted: tuple[float, float]) -> None:
    assert all(abs(a - b) < 1e-7 for a, b in zip(found, wanted, strict=True)), found
