"""What writers of maps and models may lose is noticed; with the libraries of requirements-extras.txt."""

from __future__ import annotations

import io
import json
import struct
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.families import auditing
from engine.families.models import counting
from engine.families.registry import CONVERTERS
from engine.toolkit.census import LOSSES
from engine.toolkit.formats import GLB, OBJ, OFF, PLY, STL, THREE_MF
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.engine import rich_models

CUBE = b"OFF\n8 6 0\n" + b"".join(
    f"{x} {y} {z}\n".encode() for x in (0, 1) for y in (0, 1) for z in (0, 1)
) + b"4 0 1 3 2\n4 4 6 7 5\n4 0 4 5 1\n4 2 3 7 6\n4 0 2 6 4\n4 1 5 7 3\n"  # fmt: skip
PLACES = json.dumps({
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {"name": name, "people": people},
            "geometry": {"type": "Point", "coordinates": [people / 10, people]},
        }
        for name, people in (("Ulm", 12), ("Bern", 13), ("Linz", 28))
    ],
}).encode()  # fmt: skip


def fewer_stl(made: bytes) -> bytes:
    (count,) = struct.unpack_from("<I", made, 80)
    return made[:80] + struct.pack("<I", count - 2) + made[84 : 84 + 50 * (count - 2)]


def without_last_line(made: bytes) -> bytes:
    return made.rstrip().rpartition(b"\n")[0] + b"\n"


def one_face_less(made: bytes) -> bytes:
    return made.replace(b"element face 12", b"element face 8")


def no_triangle(made: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as archive, zipfile.ZipFile(out, "w") as torn:
        for each in archive.namelist():
            data = archive.read(each)
            at = data.find(b"<triangle ")
            torn.writestr(each, data if at < 0 else data[:at] + data[data.index(b">", at) + 1 :])
    return out.getvalue()


def one_place_less(made: bytes) -> bytes:
    at = made.index(b"<Placemark")
    return made[:at] + made[made.index(b"</Placemark>") + len(b"</Placemark>") :]


def one_way_less(made: bytes) -> bytes:
    at = made.index(b"<wpt")
    return made[:at] + made[made.index(b"</wpt>") + len(b"</wpt>") :]


def no_member(made: bytes) -> bytes:
    """A shapefile of two places and one column less."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as archive, zipfile.ZipFile(out, "w") as torn:
        for each in archive.namelist():
            data = archive.read(each)
            if each.endswith(".dbf"):
                rows, head = struct.unpack_from("<4xIH", data)
                data = data[:4] + struct.pack("<IH", rows - 1, head - 32) + data[10:]
            torn.writestr(each, data)
    return out.getvalue()


Source = bytes | Callable[[], bytes]


def poorer(slug: str, data: Source) -> Callable[[bytes], bytes]:
    """The result of a file that has less in it, in place of the result."""
    return lambda made: converted(slug, data() if callable(data) else data)


def converted(slug: str, data: bytes) -> bytes:
    converter = CONVERTERS[slug]
    with tempfile.TemporaryDirectory() as folder:
        source, target = (
            Path(folder, name) for name in (f"input.{converter.input.id}", f"output.{converter.output.id}")
        )
        source.write_bytes(data)
        converter.run(source, target, build(converter.options, {}), Warn())
        return target.read_bytes()


def layers(*names: str) -> bytes:
    """A shapefile for each name."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(converted("geojson-to-shp", PLACES))) as one, zipfile.ZipFile(out, "w") as several:
        for name in names:
            for each in one.namelist():
                several.writestr(name + Path(each).suffix, one.read(each))
    return out.getvalue()


def geopackage(*names: str) -> bytes:
    return converted("shp-to-gpkg", layers(*names))


def no_people(made: bytes) -> bytes:
    """A GeoJSON without one of its properties."""
    document = json.loads(made)
    for each in document["features"]:
        del each["properties"]["people"]
    return json.dumps(document).encode()


def places(*rows: dict[str, Any]) -> bytes:
    return json.dumps({
        "type": "FeatureCollection",
        "features": [
            {"type": "Feature", "properties": row, "geometry": {"type": "Point", "coordinates": [1, 2]}} for row in rows
        ],
    }).encode()  # fmt: skip


FEWER = places({"name": "Ulm", "people": 12}, {"name": "Bern", "people": 13})
NARROWER = places({"name": "Ulm"}, {"name": "Bern"}, {"name": "Linz"})
LESS = CUBE.replace(b"8 6 0", b"8 5 0").rpartition(b"4 1 5 7 3\n")[0]
FACET = b"facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex %d 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
FACETS, ONE_FACET = (
    b"solid a\n" + b"".join(FACET % each for each in sizes) + b"endsolid a\n" for sizes in ((1, 2), (1,))
)
TOWNS = (
    b'<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Ulm</name><Point><coordinates>1,2'
    b"</coordinates></Point></Placemark><Placemark><name>Bern</name><Point><coordinates>3,4</coordinates></Point>"
    b"</Placemark></Document></kml>"
)
ONE_TOWN = TOWNS[: TOWNS.rindex(b"<Placemark>")] + b"</Document></kml>"
TORN: list[tuple[str, Source, Callable[[bytes], bytes], str]] = [
    ("off-to-stl", CUBE, fewer_stl, "faces"),
    ("off-to-obj", CUBE, without_last_line, "faces"),
    ("off-to-ply", CUBE, one_face_less, "faces"),
    ("off-to-3mf", CUBE, no_triangle, "faces"),
    ("off-to-glb", CUBE, poorer("off-to-glb", LESS), "faces"),
    ("stl-to-off", FACETS, poorer("stl-to-off", ONE_FACET), "faces"),
    ("geojson-to-gpkg", PLACES, poorer("geojson-to-gpkg", FEWER), "features"),
    ("geojson-to-gpkg", PLACES, poorer("geojson-to-gpkg", NARROWER), "attributes"),
    ("geojson-to-fgb", PLACES, poorer("geojson-to-fgb", FEWER), "features"),
    ("geojson-to-fgb", PLACES, poorer("geojson-to-fgb", NARROWER), "attributes"),
    ("kml-to-geojson", TOWNS, poorer("kml-to-geojson", ONE_TOWN), "features"),
    ("geojson-to-csv", PLACES, without_last_line, "features"),
    ("geojson-to-kml", PLACES, one_place_less, "features"),
    ("geojson-to-gpx", PLACES, one_way_less, "features"),
    ("geojson-to-shp", PLACES, no_member, "features"),
    ("geojson-to-shp", PLACES, no_member, "attributes"),
    ("gpkg-to-geojson", lambda: geopackage("towns"), no_people, "attributes"),
    (
        "shp-to-gpkg",
        lambda: layers("towns", "rivers"),
        poorer("shp-to-gpkg", lambda: layers("towns")),
        "layers",
    ),
    (
        "gpkg-to-shp",
        lambda: geopackage("towns", "rivers"),
        poorer("gpkg-to-shp", lambda: geopackage("towns")),
        "layers",
    ),
    ("ply-to-obj", rich_models.COLOURED, poorer("ply-to-obj", rich_models.PLAIN), "colours"),
    ("ply-to-glb", rich_models.COLOURED, poorer("ply-to-glb", rich_models.PLAIN), "colours"),
    ("obj-to-ply", rich_models.OBJ_COLOURED, poorer("obj-to-ply", rich_models.OBJ_PLAIN), "colours"),
]


@pytest.mark.parametrize(("slug", "data", "tear", "kind"), TORN, ids=[f"{slug}: {kind}" for slug, _, _, kind in TORN])
def test_what_a_writer_loses_is_named(
    slug: str, data: Source, tear: Callable[[bytes], bytes], kind: str, tmp_path: Path
) -> None:
    if slug not in CONVERTERS:
        pytest.skip("what converts it is an extra")
    converter = CONVERTERS[slug]
    told = []
    for change in (None, tear):
        folder = tmp_path / ("torn" if change else "whole")
        folder.mkdir()
        source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
        source.write_bytes(data() if callable(data) else data)

        def run(given: Path, made: Path, options: Any, warn: Warn, change: Any = change) -> Any:
            written = converter.run(given, made, options, warn)
            if change:
                made.write_bytes(change(made.read_bytes()))
            return written

        warn = Warn()
        auditing.run(replace(converter, run=run), source, target, build(converter.options, {}), warn)
        assert "notCounted" not in warn.detected
        told.append(LOSSES[kind].template in {str(each.message.template) for each in warn.warnings})
    assert told == [False, True]


def glb(faces: int) -> bytes:
    document = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0}, {"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 0}, "indices": 1, "material": 0}]}],
        "accessors": [{"count": 8}, {"count": 3 * faces}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
    }
    text = json.dumps(document).encode()
    return struct.pack("<4sIIII", b"glTF", 2, 20 + len(text), len(text), 0x4E4F534A) + text


@pytest.mark.parametrize(
    ("format", "data", "faces", "colours", "textures"),
    [
        (GLB, glb(12), 24, 1, 1),
        (OFF, CUBE, 12, 0, 0),
        (OBJ, b"v 0 0 0 1 0 0\nf 1 2 3 4\nf 1/1 2/2 \\\n3/3\n", 3, 1, 0),
        (PLY, b"ply\nelement vertex 3\nproperty uchar red\nelement face 7\nend_header\n", 7, 1, 0),
        (STL, b"solid a\nfacet normal 0 0 1\nendfacet\n facet normal 0 0 1\nendsolid", 2, 0, 0),
        (STL, bytes(80) + struct.pack("<I", 5) + bytes(250), 5, 0, 0),
        (STL, rich_models.STL_COLOURED, 1, 1, 0),
        (OFF, rich_models.OFF_FACES, 1, 1, 0),
        (OFF, rich_models.OFF_CORNERS, 1, 1, 0),
        (GLB, rich_models.glb("baseColorTexture", "normalTexture"), 1, 0, 1),
        (THREE_MF, rich_models.three_mf(), 1, 1, 1),
    ],
)
def test_models_are_counted(format: Any, data: bytes, faces: int, colours: int, textures: int, tmp_path: Path) -> None:
    path = tmp_path / "model"
    path.write_bytes(data)
    census = counting.count(path, format)
    assert [census.total(each) for each in ("faces", "colours", "textures")] == [faces, colours, textures]
