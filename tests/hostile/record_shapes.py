"""Shapes of maps, models, tables, settings, calendars, contacts, subtitles and headers of mails of any size."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Mapping

from tests.hostile.shapes import Make, after, nested, numbered

_KML = b'<kml xmlns="http://www.opengis.net/kml/2.2"><Document>'
_KML_END = b"</Document></kml>"
_PLACE = b"<Placemark><name>#</name><Point><coordinates>1,2</coordinates></Point></Placemark>"
_GPX = b'<gpx version="1.1" creator="a" xmlns="http://www.topografix.com/GPX/1/1">'
_GEO = b'{"type":"FeatureCollection","features":['
_FEATURE = b'{"type":"Feature","properties":{%s},"geometry":{"type":"Point","coordinates":[1,2]}}'
_SHAPE = b'{"type":"Feature","properties":{},"geometry":{"type":"%s","coordinates":'
_ICS, _ICS_END = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", b"END:VCALENDAR\r\n"
_EVENT, _EVENT_END = b"BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20260101\r\n", b"END:VEVENT\r\n"
_VCF, _VCF_END = b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:a\r\n", b"END:VCARD\r\n"
_CUE = b"1\n00:00:01,000 --> 00:00:02,000\n"
_VTT = b"WEBVTT\n\n"
_VTT_CUE = b"00:01.000 --> 00:02.000\n"
_ASS = (
    b"[Script Info]\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n[Events]\n"
    b"Format: Layer, Start, End, Style, Text\n"
)
_SAID = b"Dialogue: 0,0:00:01.00,0:00:02.00,Default,"
_TTML = b'<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling">'
_TTML_BODY, _TTML_END = b"<body><div>", b"</div></body></tt>"
_TRIANGLE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\n"
_RSS, _RSS_END = b'<rss version="2.0"><channel><title>t</title>', b"</channel></rss>"
_MODEL = '<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>'
_MESH = (
    '<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices>'
    '<triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>'
)


def _glb(document: Mapping[str, object]) -> bytes:
    """A scene with one buffer: three corners, and the indexes of a triangle."""
    binary = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + struct.pack("<3I", 0, 1, 2)
    whole = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(binary)}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 12}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": 3, "type": "SCALAR"},
        ],
        "meshes": [{"primitives": [_PRIMITIVE]}],
        "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}],
        "scene": 0,
        **document,
    }
    text = json.dumps(whole, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + len(binary))
    return head + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary


_PRIMITIVE = {"attributes": {"POSITION": 0}, "indices": 1}
_POINTS = {"attributes": {"POSITION": 0}, "mode": 0}


def _three_mf(objects: str, items: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("3D/3dmodel.model", f"{_MODEL}{objects}</resources><build>{items}</build></model>")
    return out.getvalue()


def _doubled_objects(size: int) -> bytes:
    """Empty objects, each of which has the next one twice."""
    most = max(1, size // 110)
    objects = f'<object id="{most}"><mesh><vertices/><triangles/></mesh></object>' + "".join(
        f'<object id="{at}"><components>' + f'<component objectid="{at + 1}"/>' * 2 + "</components></object>"
        for at in range(most)
    )
    return _three_mf(objects, '<item objectid="0"/>')


def _ply(head: bytes, tail: bytes = b"") -> bytes:
    return b"ply\nformat ascii 1.0\n" + head + b"end_header\n" + tail


def _binary_ply(size: int) -> bytes:
    corners = max(3, size // 25)
    head = (
        b"ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\n"
        b"property float z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n" % (corners, corners)
    )
    return head + struct.pack("<3f", 0, 1, 2) * corners + struct.pack("<B3i", 3, 0, 1, 2) * corners


def _many(size: int, text: bytes, joint: bytes = b",") -> bytes:
    return joint.join([text] * max(1, size // len(text)))


SHAPES: Mapping[str, Mapping[str, Make]] = {
    "geojson": {
        "features": lambda size: _GEO + _many(size, _FEATURE % b'"a":1') + b"]}",
        "own properties": lambda size: (
            _GEO + b",".join(_FEATURE % (b'"a%d":1' % at) for at in range(size // 100)) + b"]}"
        ),
        "properties": lambda size: _GEO + _FEATURE % b",".join(b'"a%d":1' % at for at in range(size // 10)) + b"]}",
        "nested properties": lambda size: (
            _GEO + _FEATURE % (b'"a":' + b'{"a":' * (size // 6) + b"1" + b"}" * (size // 6)) + b"]}"
        ),
        "objects in lists": lambda size: _GEO + _FEATURE % (b'"a":[' + _many(size, b'{"b":1}') + b"]") + b"]}",
        "types by turns": lambda size: _GEO + _many(size, _FEATURE % b'"a":1' + b"," + _FEATURE % b'"a":"b"') + b"]}",
        "line": lambda size: _GEO + _SHAPE % b"LineString" + b"[" + _many(size, b"[1,2]") + b"]}}]}",
        "rings": lambda size: _GEO + _SHAPE % b"Polygon" + b"[" + _many(size, b"[[0,0],[1,0],[1,1],[0,0]]") + b"]}}]}",
        "polygons": lambda size: (
            _GEO + _SHAPE % b"MultiPolygon" + b"[" + _many(size, b"[[[0,0],[1,0],[1,1],[0,0]]]") + b"]}}]}"
        ),
        "empty polygons": lambda size: _GEO + _SHAPE % b"MultiPolygon" + b"[" + _many(size, b"[[]]") + b"]}}]}",
        "collections": lambda size: (
            _GEO
            + b'{"type":"Feature","properties":{},"geometry":'
            + b'{"type":"GeometryCollection","geometries":[' * (size // 50)
            + b'{"type":"Point","coordinates":[1,2]}'
            + b"]}" * (size // 50)
            + b"}]}"
        ),
        "brackets": after(_GEO + _SHAPE % b"LineString", b"["),
    },
    "kml": {
        "places": numbered(_PLACE, _KML, _KML_END),
        "folders": numbered(b"<Folder><name>#</name>" + _PLACE + b"</Folder>", _KML, _KML_END),
        "nested folders": nested(b"<Folder>", b"</Folder>", _KML, _PLACE, _KML_END),
        "own data": numbered(
            b"<Placemark><ExtendedData><Data name='a#'><value>b</value></Data></ExtendedData>"
            b"<Point><coordinates>1,2</coordinates></Point></Placemark>",
            _KML,
            _KML_END,
        ),
        "data": numbered(
            b"<Data name='a#'><value>b</value></Data>",
            _KML + b"<Placemark><ExtendedData>",
            b"</ExtendedData><Point><coordinates>1,2</coordinates></Point></Placemark>" + _KML_END,
        ),
        "line": after(
            _KML + b"<Placemark><LineString><coordinates>",
            b"1,2 ",
            b"</coordinates></LineString></Placemark>" + _KML_END,
        ),
        "geometries": nested(
            b"<MultiGeometry>",
            b"</MultiGeometry>",
            _KML + b"<Placemark>",
            b"<Point><coordinates>1,2</coordinates></Point>",
            b"</Placemark>" + _KML_END,
        ),
        "rings": after(
            _KML + b"<Placemark><Polygon>",
            b"<innerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></innerBoundaryIs>",
            b"</Polygon></Placemark>" + _KML_END,
        ),
        "styles": numbered(b"<Style id='a#'/>", _KML, _PLACE + _KML_END),
        "schemas": numbered(
            b"<Schema id='a#' name='a#'><SimpleField name='b' type='int'/></Schema>", _KML, _PLACE + _KML_END
        ),
        "fields": numbered(
            b"<SimpleField name='b#' type='int'/>", _KML + b"<Schema id='a' name='a'>", b"</Schema>" + _PLACE + _KML_END
        ),
        "comments": after(_KML, b"<!-- a", b""),
        "attributes": numbered(b"a#='b' ", b"<kml ", b"/>"),
        "open": after(_KML, b"<Folder>"),
        "text": after(_KML + b"<Placemark><description>", b"a&lt;", b"</description></Placemark>" + _KML_END),
    },
    "gpx": {
        "points": numbered(b"<wpt lat='1' lon='2'><name>#</name></wpt>", _GPX, b"</gpx>"),
        "tracks": numbered(b"<trk><name>#</name><trkseg><trkpt lat='1' lon='2'/></trkseg></trk>", _GPX, b"</gpx>"),
        "segments": after(_GPX + b"<trk>", b"<trkseg><trkpt lat='1' lon='2'/></trkseg>", b"</trk></gpx>"),
        "track": after(_GPX + b"<trk><trkseg>", b"<trkpt lat='1' lon='2'/>", b"</trkseg></trk></gpx>"),
        "routes": numbered(b"<rte><name>#</name><rtept lat='1' lon='2'/></rte>", _GPX, b"</gpx>"),
        "extensions": numbered(
            b"<a#>b</a#>", _GPX + b"<wpt lat='1' lon='2'><extensions>", b"</extensions></wpt></gpx>"
        ),
        "own extensions": numbered(b"<wpt lat='1' lon='2'><extensions><a#>b</a#></extensions></wpt>", _GPX, b"</gpx>"),
        "nested extensions": nested(
            b"<a>", b"</a>", _GPX + b"<wpt lat='1' lon='2'><extensions>", b"x", b"</extensions></wpt></gpx>"
        ),
        "links": after(_GPX + b"<wpt lat='1' lon='2'>", b"<link href='a'/>", b"</wpt></gpx>"),
        "comments": after(_GPX, b"<!-- a"),
        "open": after(_GPX, b"<wpt lat='1' lon='2'>"),
        "nested tracks": nested(b"<trk>", b"</trk>", _GPX, b"", b"</gpx>"),
    },
    "obj": {
        "faces": after(_TRIANGLE, b"f 1 2 3\n"),
        "corners": after(b"", b"v 0 0 0\n", b"f 1 2 3\n"),
        "groups": numbered(b"g a#\nf 1 2 3\n", _TRIANGLE),
        "objects": numbered(b"o a#\nv 0 0 0\nf 1 2 3\n", _TRIANGLE),
        "materials": numbered(b"usemtl a#\nf 1 2 3\n", _TRIANGLE),
        "corners of materials": numbered(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a#\nf -3 -2 -1\n"),
        "materials by turns": after(_TRIANGLE, b"usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n"),
        "libraries": numbered(b"mtllib a#\n", _TRIANGLE, b"f 1 2 3\n"),
        "long face": after(_TRIANGLE + b"f", b" 1", b"\n"),
        "polygons by turns": lambda size: (
            _TRIANGLE + b"".join(b"f" + b" 1" * at + b"\n" for at in range(3, int(size**0.5)))
        ),
        "textures": after(_TRIANGLE + b"vt 0 0\n", b"f 1/1 2/1 3/1\n"),
        "textures by turns": after(_TRIANGLE + b"vt 0 0\n", b"f 1/1 2/1 3/1\nf 1 2 3\n"),
        "normals": after(_TRIANGLE + b"vn 0 0 1\n", b"f 1//1 2//1 3//1\n"),
        "continued": after(_TRIANGLE + b"f 1 2 3", b"\\\n"),
        "relative": after(b"", b"v 0 0 0\nf -1 -1 -1\n"),
        "lines": after(_TRIANGLE, b"l 1 2\n", b"f 1 2 3\n"),
        "comments": after(_TRIANGLE, b"#\n", b"f 1 2 3\n"),
        "blanks": after(_TRIANGLE, b" ", b"f 1 2 3\n"),
    },
    "stl": {
        "facets": after(
            b"solid a\n",
            b"facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n",
            b"endsolid a\n",
        ),
        "solids": numbered(
            b"solid a#\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
            b"endsolid a#\n"
        ),
        "binary": lambda size: b"x" * 80 + struct.pack("<I", size // 50) + bytes(50) * (size // 50),
        "names": after(b"solid ", b"a ", b"\nfacet normal 0 0 1\nendsolid\n"),
        "openings": after(b"", b"solid facet\n", b"endsolid\n"),
        "corners": after(b"solid a\nfacet normal 0 0 1\nouter loop\n", b"vertex 0 0 0\n", b"endsolid a\n"),
        "lines": after(b"solid a\nfacet\n", b"\n", b"endsolid a\n"),
    },
    "ply": {
        "binary": _binary_ply,
        "properties": lambda size: _ply(
            b"element vertex 1\n"
            + b"".join(b"property float a%d\n" % at for at in range(size // 20))
            + b"element face 1\nproperty list uchar int vertex_indices\n",
            b"0 " * (size // 20) + b"\n3 0 0 0\n",
        ),
        "elements": lambda size: _ply(b"".join(b"element a%d 0\nproperty float x\n" % at for at in range(size // 35))),
        "faces": lambda size: _ply(
            b"element vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face %d\n"
            b"property list uchar int vertex_indices\n" % (size // 8),
            b"0 0 0\n1 0 0\n0 1 0\n" + b"3 0 1 2\n" * (size // 8),
        ),
        "long face": lambda size: _ply(
            b"element vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
            b"property list int int vertex_indices\n",
            b"0 0 0\n1 0 0\n0 1 0\n%d " % (size // 2) + b"1 " * (size // 2) + b"\n",
        ),
        "faces by turns": lambda size: _ply(
            b"element vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face %d\n"
            b"property list int int vertex_indices\n" % int(size**0.5),
            b"0 0 0\n1 0 0\n0 1 0\n" + b"".join(b"%d " % at + b"1 " * at + b"\n" for at in range(int(size**0.5))),
        ),
        "comments": after(b"ply\nformat ascii 1.0\n", b"comment a\n", b"end_header\n"),
        "blanks": after(b"ply\nformat ascii 1.0\nelement vertex", b" \t", b"\nend_header\n"),
    },
    "off": {
        "faces": lambda size: b"OFF\n3 %d 0\n0 0 0\n1 0 0\n0 1 0\n" % (size // 8) + b"3 0 1 2\n" * (size // 8),
        "long face": lambda size: b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n%d " % (size // 2) + b"1 " * (size // 2) + b"\n",
        "faces by turns": lambda size: (
            b"OFF\n3 %d 0\n0 0 0\n1 0 0\n0 1 0\n" % int(size**0.5)
            + b"".join(b"%d " % at + b"1 " * at + b"\n" for at in range(int(size**0.5)))
        ),
        "comments": after(b"OFF\n", b"# a\n", b"3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
        "comments within": after(b"OFF\n3 1 0\n", b"# a\n", b"0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
        "blank lines": after(b"OFF\n3 1 0\n", b"\n", b"0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
    },
    "glb": {
        "nodes": lambda size: _glb(
            {"nodes": [{"mesh": 0}] * (size // 15), "scenes": [{"nodes": list(range(size // 15))}]}
        ),
        "nodes in nodes": lambda size: _glb(
            {"nodes": [{"children": [at + 1]} for at in range(size // 20)] + [{"mesh": 0}]}
        ),
        "meshes in nodes in nodes": lambda size: _glb(
            {"nodes": [{"mesh": 0, "children": [at + 1]} for at in range(size // 28)] + [{"mesh": 0}]}
        ),
        "doubled nodes": lambda size: _glb(
            {"nodes": [{"children": [at + 1, at + 1]} for at in range(size // 25)] + [{"mesh": 0}]}
        ),
        "nodes that have each other": lambda size: _glb(
            {"nodes": [{"mesh": 0, "children": [at + 1, 0]} for at in range(size // 30)] + [{"mesh": 0}]}
        ),
        "meshes": lambda size: _glb({"meshes": [{"primitives": [_PRIMITIVE]}] * (size // 65)}),
        "primitives": lambda size: _glb({"meshes": [{"primitives": [_PRIMITIVE] * (size // 45)}]}),
        "points": lambda size: _glb({"meshes": [{"primitives": [_POINTS] * (size // 45)}]}),
        "points of nodes": lambda size: _glb(
            {
                "meshes": [{"primitives": [_POINTS] * (size // 90)}],
                "nodes": [{"mesh": 0}] * (size // 30),
                "scenes": [{"nodes": list(range(size // 30))}],
            }
        ),
        "primitives of nodes": lambda size: _glb(
            {
                "meshes": [{"primitives": [_PRIMITIVE] * (size // 90)}],
                "nodes": [{"mesh": 0}] * (size // 30),
                "scenes": [{"nodes": list(range(size // 30))}],
            }
        ),
        "names of meshes": lambda size: _glb(
            {
                "meshes": [{"name": "a", "primitives": [_PRIMITIVE]}] * (size // 110),
                "nodes": [{"name": "a", "mesh": at} for at in range(size // 110)],
                "scenes": [{"nodes": list(range(size // 110))}],
            }
        ),
        "materials": lambda size: _glb({"materials": [{"name": f"a{at}"} for at in range(size // 15)]}),
        "accessors": lambda size: _glb(
            {
                "accessors": [
                    {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
                    {"bufferView": 1, "componentType": 5125, "count": 3, "type": "SCALAR"},
                ]
                * (size // 120)
            }
        ),
        "empty accessors": lambda size: _glb(
            {"accessors": [{"componentType": 5126, "count": 5_000_000, "type": "MAT4"}] * (size // 60)}
        ),
        "views": lambda size: _glb({"bufferViews": [{"buffer": 0, "byteLength": 36}] * (size // 35)}),
        "scenes": lambda size: _glb({"scenes": [{"nodes": [0]}] * (size // 13)}),
        "deep": lambda size: _glb({}).replace(b'"scene":0', b'"extras":' + b"[" * size),
    },
    "3mf": {
        "objects": lambda size: _three_mf(
            "".join(f'<object id="{at}">{_MESH}</object>' for at in range(max(1, size // 200))), ""
        ),
        "items": lambda size: _three_mf(f'<object id="1">{_MESH}</object>', '<item objectid="1"/>' * (size // 20)),
        "triangles": lambda size: _three_mf(
            f'<object id="1">{_MESH}</object>'.replace(
                "</triangles>", '<triangle v1="0" v2="1" v3="2"/>' * (size // 33) + "</triangles>"
            ),
            "",
        ),
        "doubled objects": _doubled_objects,
        "components": lambda size: _three_mf(
            f'<object id="1">{_MESH}</object><object id="2"><components>'
            + '<component objectid="1"/>' * (size // 25)
            + "</components></object>",
            '<item objectid="2"/>',
        ),
        "materials": lambda size: _three_mf(
            '<basematerials id="9">' + '<base name="a" displaycolor="#FFFFFF"/>' * (size // 40) + "</basematerials>"
            f'<object id="1" pid="9">{_MESH}</object>',
            "",
        ),
        "unknown": lambda size: _three_mf("<a>" * size, ""),
    },
    "yaml": {
        "items": after(b"", b"- a\n"),
        "keys": numbered(b"a#: b\n"),
        "equal keys": after(b"", b"a: b\n"),
        "rows of own keys": numbered(b"- a#: b\n"),
        "anchors": numbered(b"- &a# b\n"),
        "aliases": after(b"- &a b\n", b"- *a\n"),
        "aliases in aliases": numbered(b"- &a# [*b]\n", b"- &b c\n"),
        "growing aliases": lambda size: (
            b"- &a0 [x]\n" + b"".join(b"- &a%d [*a%d, x]\n" % (at + 1, at) for at in range(size // 20))
        ),
        "merges": lambda size: (
            b"- &a0 {x: 1}\n" + b"".join(b"- &a%d {<<: *a%d, k%d: 1}\n" % (at + 1, at, at) for at in range(size // 30))
        ),
        "merges of one": lambda size: (
            b"- &a {" + b",".join(b"k%d: 1" % at for at in range(size // 20)) + b"}\n" + b"- <<: *a\n" * (size // 20)
        ),
        "list of merges": after(b"- &a {x: 1}\n- <<: [", b"*a,", b"*a]\n"),
        "comments": after(b"", b"a: b # c\n"),
        "comment lines": after(b"", b"# c\n", b"a: b\n"),
        "folded": after(b"a: >\n", b"  b\n"),
        "folded blanks": after(b"a: >\n  b\n", b"\n", b"  c\n"),
        "literal": after(b"a: |\n", b"  b\n"),
        "plain lines": after(b"a: b\n", b"  c\n"),
        "plain blanks": after(b"a: b\n", b"\n", b"  c\n"),
        "quoted lines": after(b'a: "b\n', b"  c\n", b'"\n'),
        "quoted escapes": after(b'a: "', b"\\u00e4", b'"\n'),
        "open quotes": after(b"", b'- "'),
        "documents": after(b"", b"---\na\n"),
        "directives": after(b"", b"%TAG !a! b\n", b"---\na\n"),
        "tags": after(b"", b"- !!str a\n"),
        "own tags": numbered(b"- !a# b\n"),
        "long tag": after(b"- !", b"%41", b" b\n"),
        "explicit keys": after(b"", b"? a\n: b\n"),
        "open keys": after(b"", b"? "),
        "flow": after(b"[", b"a,", b"]"),
        "flow keys": after(b"{", b"a,", b"}"),
        "flow pairs": after(b"[", b"a: b,", b"]"),
        "flow of two": nested(b"{a: ", b"}"),
        "flow lists": nested(b"[", b"]"),
        "flow in columns": after(b"[", b"\n[a],", b"]"),
        "indents": lambda size: b"".join(b" " * at + b"a:\n" for at in range(1, int((2 * size) ** 0.5))),
        "numbers": after(b"- ", b"1", b"\n"),
        "sexagesimal": after(b"- 1", b":1", b"\n"),
        "colons": after(b"", b"a:"),
        "dashes": after(b"", b"-\n"),
        "blanks": after(b"a:", b" ", b"b"),
        "tabs": after(b"a:", b"\t", b"b"),
    },
    "xml": {
        "rows": after(b"<a>", b"<b><c>1</c><d>2</d></b>", b"</a>"),
        "own names": numbered(b"<b#>c</b#>", b"<a>", b"</a>"),
        "rows of own names": numbered(b"<b><c#>d</c#></b>", b"<a>", b"</a>"),
        "own attributes": numbered(b"<b c#='d'/>", b"<a>", b"</a>"),
        "names of spaces": numbered(b"xmlns:a#='b' ", b"<a ", b"/>"),
        "texts": after(b"<a>", b"b<c/>", b"</a>"),
        "apart": after(b"<a>", b"<b/><c/>", b"</a>"),
        "mixed": numbered(b"<b#>c<d/></b#>", b"<a>", b"</a>"),
        "comments": after(b"<a>", b"<!-- b -->", b"</a>"),
        "text and comments": after(b"<a>", b"b<!-- c -->", b"</a>"),
        "open comments": after(b"<a>", b"<!-- b"),
        "instructions": after(b"<a>", b"<?b c?>", b"</a>"),
        "own instructions": numbered(b"<?b# c?>", b"<a>", b"</a>"),
        "sections": after(b"<a>", b"<![CDATA[b]]>", b"</a>"),
        "sections between": after(b"<a>", b" <![CDATA[b]]> ", b"</a>"),
        "open sections": after(b"<a>", b"<![CDATA[b"),
        "entities": after(b"<a>", b"&amp;", b"</a>"),
        "characters": after(b"<a>", b"&#228;", b"</a>"),
        "own entities": numbered(b"<!ENTITY a# 'b'>", b"<!DOCTYPE a [", b"]><a/>"),
        "entities used": after(b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>", b"&b;", b"</a>"),
        "empty entities": after(b"<!DOCTYPE a [<!ENTITY b ''>]><a>", b"&b;", b"</a>"),
        "chained entities": lambda size: (
            b"<!DOCTYPE a [<!ENTITY b0 'c'>"
            + b"".join(b"<!ENTITY b%d '&b%d;'>" % (at + 1, at) for at in range(size // 30))
            + b"]><a>&b%d;</a>" % (size // 30)
        ),
        "empty doubled entities": lambda size: (
            b"<!DOCTYPE a [<!ENTITY b0 ''>"
            + b"".join(b"<!ENTITY b%d '&b%d;&b%d;'>" % (at + 1, at, at) for at in range(min(60, size // 40)))
            + b"]><a>&b%d;</a>" % min(60, size // 40)
        ),
        "parameters": after(b"<!DOCTYPE a [<!ENTITY % b ''>", b"%b;", b"]><a/>"),
        "declared attributes": numbered(b"<!ATTLIST a b# CDATA 'c'>", b"<!DOCTYPE a [", b"]><a/>"),
        "declared attributes used": lambda size: (
            b"<!DOCTYPE a ["
            + b"".join(b"<!ATTLIST b c%d CDATA 'd'>" % at for at in range(size // 60))
            + b"]><a>"
            + b"<b/>" * (size // 8)
            + b"</a>"
        ),
        "declared elements": numbered(b"<!ELEMENT a# (b)>", b"<!DOCTYPE a [", b"]><a/>"),
        "declared groups": after(b"<!DOCTYPE a [<!ELEMENT a ", b"("),
        "declared names": after(b"<!DOCTYPE a [<!ELEMENT a (b", b"|b", b")>]><a/>"),
        "doctype": after(b"<!DOCTYPE ", b"a "),
        "long name": after(b"<", b"a", b"/>"),
        "long attribute": after(b"<a b='", b"c ", b"'/>"),
        "blanks": after(b"<a", b" ", b"/>"),
        "lines": after(b"<a>", b"b\r\n", b"</a>"),
        "nested": nested(b"<a>", b"</a>"),
    },
    "ini": {
        "sections": numbered(b"[a#]\nb=c\n"),
        "equal sections": after(b"", b"[a]\nb=c\n"),
        "keys": numbered(b"a#=b\n", b"[a]\n"),
        "equal keys": after(b"[a]\n", b"a=b\n"),
        "lines": after(b"[a]\na=b\n", b"  c\n"),
        "blank lines": after(b"[a]\na=b\n", b"\n", b"  c\n"),
        "comments": after(b"[a]\n", b"; a\n"),
        "references": after(b"[a]\na=", b"%(a)s"),
        "brackets": after(b"", b"["),
        "signs": after(b"[a]\na", b"="),
        "blanks": after(b"[a]\na", b" ", b"=b\n"),
        "dots": numbered(b"[a.#.b]\n"),
        "deep": after(b"[a", b".a", b"]\nb=c\n"),
        "quotes": after(b"[a]\na=", b'"b'),
    },
    "properties": {
        "keys": numbered(b"a#=b\n"),
        "equal keys": after(b"", b"a=b\n"),
        "continued": after(b"a=", b"b\\\n"),
        "slashes": after(b"a=", b"\\"),
        "escapes": after(b"a=", b"\\u00e4"),
        "deep": after(b"a", b".a", b"=b\n"),
        "prefixes": lambda size: b"".join(b"a" + b".a" * at + b"=b\n" for at in range(int(size**0.5))),
        "comments": after(b"", b"#a\n"),
        "blanks": after(b"a", b" ", b"b\n"),
    },
    "env": {
        "keys": numbered(b"A#=b\n"),
        "open quotes": after(b"", b'A="b\n'),
        "quotes": after(b"A=", b"'b'"),
        "escapes": after(b'A="', b"\\n", b'"\n'),
        "references": after(b"A=b\n", b"B=${A}\n"),
        "doubled": lambda size: (
            b"A0=b\n" + b"".join(b"A%d=${A%d}${A%d}\n" % (at + 1, at, at) for at in range(size // 25))
        ),
        "exports": after(b"", b"export "),
        "comments": after(b"A=b", b" # c"),
    },
    "toml": {
        "tables": numbered(b"[a#]\nb=1\n"),
        "keys": numbered(b"a#=1\n"),
        "deep tables": after(b"[a", b".a", b"]\n"),
        "arrays of tables": after(b"", b"[[a]]\n"),
        "arrays in arrays": lambda size: b"".join(b"[[a" + b".a" * at + b"]]\n" for at in range(int(size**0.5))),
        "dotted": numbered(b"a.b.c#=1\n"),
        "inline": nested(b"{a=", b"}", b"a=", b"1"),
        "lists": nested(b"[", b"]", b"a=", b"1"),
        "long text": after(b'a="""', b"b\n", b'"""'),
        "escapes": after(b'a="', b"\\u00e4", b'"'),
        "quotes": after(b'a="""', b'""b', b'"""'),
        "numbers": after(b"a=1", b"_1"),
        "comments": after(b"", b"# a\n"),
        "digits": after(b"a=", b"1"),
        "flat": after(b"a=[", b"1,", b"]"),
    },
    "ics": {
        "events": numbered(_EVENT.replace(b"a", b"#") + _EVENT_END, _ICS, _ICS_END),
        "open events": after(_ICS, _EVENT),
        "calendars": after(b"", _ICS + _EVENT + _EVENT_END + _ICS_END),
        "alarms": after(_ICS + _EVENT, b"BEGIN:VALARM\r\nTRIGGER:-PT1M\r\nEND:VALARM\r\n", _EVENT_END + _ICS_END),
        "nested alarms": nested(b"BEGIN:VALARM\r\n", b"END:VALARM\r\n", _ICS + _EVENT, b"", _EVENT_END + _ICS_END),
        "own properties": numbered(b"X-A#:b\r\n", _ICS + _EVENT, _EVENT_END + _ICS_END),
        "properties of own events": numbered(_EVENT + b"X-A#:b\r\n" + _EVENT_END, _ICS, _ICS_END),
        "equal properties": after(_ICS + _EVENT, b"X-A:b\r\n", _EVENT_END + _ICS_END),
        "attendees": after(_ICS + _EVENT, b"ATTENDEE;CN=a:mailto:a@b\r\n", _EVENT_END + _ICS_END),
        "categories": after(_ICS + _EVENT + b"CATEGORIES:", b"a,", b"\r\n" + _EVENT_END + _ICS_END),
        "many categories": after(_ICS + _EVENT, b"CATEGORIES:a\r\n", _EVENT_END + _ICS_END),
        "dates": after(_ICS + _EVENT + b"EXDATE:20260101", b",20260101", b"\r\n" + _EVENT_END + _ICS_END),
        "many dates": after(_ICS + _EVENT, b"EXDATE;TZID=a:20260101\r\n", _EVENT_END + _ICS_END),
        "parameters": after(_ICS + _EVENT + b"SUMMARY", b";A=b", b":c\r\n" + _EVENT_END + _ICS_END),
        "own parameters": numbered(b"SUMMARY;A#=b:c\r\n", _ICS + _EVENT, _EVENT_END + _ICS_END),
        "values of a parameter": after(_ICS + _EVENT + b"SUMMARY;A=b", b",b", b":c\r\n" + _EVENT_END + _ICS_END),
        "quotes": after(_ICS + _EVENT + b"SUMMARY;A=", b'"b', b":c\r\n" + _EVENT_END + _ICS_END),
        "escapes": after(_ICS + _EVENT + b"SUMMARY:", b"\\,\\n", b"\r\n" + _EVENT_END + _ICS_END),
        "folded": after(_ICS + _EVENT + b"SUMMARY:a\r\n", b" b\r\n", _EVENT_END + _ICS_END),
        "semicolons": after(_ICS + _EVENT + b"X-A:", b"a;", b"\r\n" + _EVENT_END + _ICS_END),
        "zones": numbered(b"BEGIN:VTIMEZONE\r\nTZID:a#\r\nEND:VTIMEZONE\r\n", _ICS, _EVENT + _EVENT_END + _ICS_END),
        "rules": after(
            _ICS + b"BEGIN:VTIMEZONE\r\nTZID:a\r\n",
            b"BEGIN:STANDARD\r\nDTSTART:20260101T000000\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n",
            b"END:VTIMEZONE\r\n" + _EVENT + _EVENT_END + _ICS_END,
        ),
        "properties of the calendar": numbered(b"X-A#:b\r\n", _ICS, _EVENT + _EVENT_END + _ICS_END),
        "ends": after(_ICS, b"END:VEVENT\r\n"),
        "percent": after(_ICS + _EVENT + b"SUMMARY;A=", b"^n", b":c\r\n" + _EVENT_END + _ICS_END),
        "blank lines": after(_ICS, b"\r\n", _EVENT + _EVENT_END + _ICS_END),
    },
    "vcf": {
        "contacts": after(b"", _VCF + _VCF_END),
        "open contacts": after(b"", _VCF),
        "emails": after(_VCF, b"EMAIL;TYPE=home:a@b\r\n", _VCF_END),
        "addresses": after(_VCF, b"ADR;TYPE=home:;;a;b;;c;d\r\n", _VCF_END),
        "own properties": numbered(b"X-A#:b\r\n", _VCF, _VCF_END),
        "properties of own contacts": numbered(_VCF + b"X-A#:b\r\n" + _VCF_END),
        "emails of growing number": lambda size: b"".join(
            _VCF + b"EMAIL:a@b\r\n" * at + _VCF_END for at in range(int((size / 6) ** 0.5))
        ),
        "groups": numbered(b"item#.URL:a\r\nitem#.X-ABLABEL:b\r\n", _VCF, _VCF_END),
        "types": after(_VCF + b"EMAIL", b";TYPE=a", b":b\r\n" + _VCF_END),
        "own types": numbered(b"EMAIL;TYPE=a#:b\r\n", _VCF, _VCF_END),
        "list of types": after(_VCF + b"EMAIL;TYPE=a", b",a", b":b\r\n" + _VCF_END),
        "bare types": after(_VCF.replace(b"3.0", b"2.1") + b"EMAIL", b";HOME", b":b\r\n" + _VCF_END),
        "units": after(_VCF + b"ORG:a", b";b", b"\r\n" + _VCF_END),
        "quoted-printable": after(
            _VCF.replace(b"3.0", b"2.1") + b"NOTE;ENCODING=QUOTED-PRINTABLE:", b"=E4=\r\n", b"\r\n" + _VCF_END
        ),
        "photos": after(_VCF, b"PHOTO;ENCODING=b:AAAA\r\n", _VCF_END),
        "long photo": after(_VCF + b"PHOTO;ENCODING=b:AAAA\r\n", b" AAAA\r\n", _VCF_END),
        "labels": after(_VCF, b"item1.X-ABLABEL:_$!<a\r\n", _VCF_END),
        "long label": after(_VCF + b"item1.URL:a\r\nitem1.X-ABLABEL:", b"_$!<", b"\r\n" + _VCF_END),
        "agents": after(_VCF, b"AGENT:" + _VCF + _VCF_END, _VCF_END),
        "nested agents": nested(_VCF, _VCF_END, b"", b""),
        "semicolons": after(_VCF + b"N:", b"a;", b"\r\n" + _VCF_END),
        "folded": after(_VCF + b"NOTE:a\r\n", b" b\r\n", _VCF_END),
        "charsets": after(_VCF, b"NOTE;CHARSET=utf-7:+AOQ-\r\n", _VCF_END),
    },
    "srt": {
        "cues": numbered(b"#\n00:00:01,000 --> 00:00:02,000\na\n\n"),
        "cues without blank lines": after(b"", _CUE + b"a\n"),
        "lines": after(_CUE, b"a\n"),
        "arrows": after(_CUE, b"-->"),
        "times": after(b"", b"00:00:01,000 --> 00:00:02,000\n"),
        "tags": after(_CUE, b"<i>a</i>"),
        "nested tags": nested(b"<i>", b"</i>", _CUE),
        "fonts": after(_CUE, b"<font color='red'>a</font>"),
        "open fonts": after(_CUE, b"<font color="),
        "braces": after(_CUE, b"{\\an8}a"),
        "open braces": after(_CUE, b"{\\an"),
        "angles": after(_CUE, b"<"),
        "crossing tags": after(_CUE, b"<i><b></i></b>"),
        "digits": after(b"", b"1", b"\n"),
        "numbers": after(b"", b"1\n"),
        "overlaps": after(b"", b"1\n00:00:01,000 --> 99:00:02,000\na\n\n"),
        "overlapping steps": lambda size: b"".join(
            b"1\n00:%02d:%02d,000 --> 99:00:00,000\na\n\n" % (at // 60 % 60, at % 60) for at in range(size // 35)
        ),
        "digits of a time": after(b"1\n", b"0", b":00:01,000 --> 00:00:02,000\na\n"),
        "entities": after(_CUE, b"&amp;"),
    },
    "vtt": {
        "cues": after(_VTT, _VTT_CUE + b"a\n\n"),
        "settings": after(_VTT + _VTT_CUE[:-1], b" line:1", b"\na\n"),
        "classes": after(_VTT + _VTT_CUE, b"<c.a>b</c>"),
        "long class": after(_VTT + _VTT_CUE + b"<c", b".a", b">b</c>"),
        "voices": after(_VTT + _VTT_CUE, b"<v a>b"),
        "nested": nested(b"<c>", b"</c>", _VTT + _VTT_CUE),
        "rubies": after(_VTT + _VTT_CUE, b"<ruby>a<rt>b</rt></ruby>"),
        "stamps": after(_VTT + _VTT_CUE, b"<00:01.000>a"),
        "notes": after(_VTT, b"NOTE a\n\n"),
        "long note": after(_VTT + b"NOTE\n", b"a\n"),
        "styles": after(_VTT, b"STYLE\n::cue{color:red}\n\n", _VTT_CUE + b"a\n"),
        "long style": after(_VTT + b"STYLE\n", b"::cue(.a){color:red}\n", b"\n" + _VTT_CUE + b"a\n"),
        "own styles": numbered(b"::cue(.a#){color:red}\n", _VTT + b"STYLE\n", b"\n" + _VTT_CUE + b"<c.a1>a\n"),
        "open styles": after(_VTT + b"STYLE\n", b"::cue{", b"\n\n" + _VTT_CUE + b"a\n"),
        "regions": numbered(b"REGION\nid:a#\n\n", _VTT, _VTT_CUE + b"a\n"),
        "entities": after(_VTT + _VTT_CUE, b"&lt;"),
        "open entities": after(_VTT + _VTT_CUE, b"&a"),
        "head": after(b"WEBVTT\n", b"a: b\n", b"\n" + _VTT_CUE + b"a\n"),
    },
    "ass": {
        "lines": after(_ASS, _SAID + b"a\n"),
        "codes": after(_ASS + _SAID, b"{\\b1}a{\\b0}"),
        "one code": after(_ASS + _SAID + b"{", b"\\b1", b"}a\n"),
        "open codes": after(_ASS + _SAID, b"{\\b"),
        "brackets of codes": after(_ASS + _SAID + b"{\\t", b"(\\t", b"}a\n"),
        "drawings": after(_ASS + _SAID, b"{\\p1}m 0 0{\\p0}"),
        "breaks": after(_ASS + _SAID, b"a\\N"),
        "styles": numbered(
            b"Style: A#,Arial\n", b"[V4+ Styles]\nFormat: Name, Fontname\n", b"[Events]\n" + _SAID + b"a\n"
        ),
        "styles used": lambda size: (
            b"[V4+ Styles]\nFormat: Name, Fontname\n"
            + b"".join(b"Style: A%d,Arial\n" % at for at in range(size // 60))
            + b"[Events]\nFormat: Layer, Start, End, Style, Text\n"
            + b"".join(b"Dialogue: 0,0:00:01.00,0:00:02.00,A%d,a\n" % at for at in range(size // 60))
        ),
        "formats": after(_ASS + b"Format: a", b", a", b"\n" + _SAID + b"a\n"),
        "many formats": after(_ASS, b"Format: Layer, Start, End, Style, Text\n", _SAID + b"a\n"),
        "sections": numbered(b"[a#]\nb: c\n", _ASS),
        "fonts": after(b"[Fonts]\nfontname: a\n", b"ABCD\n", _ASS + _SAID + b"a\n"),
        "resets": numbered(b"{\\rA#}a", _ASS + _SAID, b"\n"),
        "karaoke": after(_ASS + _SAID, b"{\\k10}a"),
        "commas": after(_ASS + _SAID, b","),
        "comments": after(_ASS, b"Comment: 0,0:00:01.00,0:00:02.00,Default,a\n", _SAID + b"a\n"),
        "info": numbered(b"A#: b\n", b"[Script Info]\n", _ASS + _SAID + b"a\n"),
    },
    "ttml": {
        "paragraphs": after(_TTML + _TTML_BODY, b"<p begin='1s' end='2s'>a</p>", _TTML_END),
        "spans": after(_TTML + _TTML_BODY + b"<p begin='1s' end='2s'>", b"<span>a</span>", b"</p>" + _TTML_END),
        "timed spans": after(
            _TTML + _TTML_BODY + b"<p begin='1s' end='2s'>", b"<span begin='1s' end='2s'>a</span>", b"</p>" + _TTML_END
        ),
        "breaks": after(_TTML + _TTML_BODY + b"<p begin='1s' end='2s'>", b"a<br/>", b"</p>" + _TTML_END),
        "styles": numbered(
            b"<style xml:id='a#' tts:color='red'/>",
            _TTML + b"<head><styling>",
            b"</styling></head>" + _TTML_BODY + b"<p begin='1s' end='2s' style='a1'>a</p>" + _TTML_END,
        ),
        "styles of styles": numbered(
            b"<style xml:id='a#' style='a0'/>",
            _TTML + b"<head><styling>",
            b"</styling></head>" + _TTML_BODY + b"<p begin='1s' end='2s' style='a1'>a</p>" + _TTML_END,
        ),
        "chained styles": lambda size: (
            _TTML
            + b"<head><styling>"
            + b"".join(b"<style xml:id='a%d' style='a%d a%d'/>" % (at, at + 1, at + 1) for at in range(size // 45))
            + b"</styling></head>"
            + _TTML_BODY
            + b"<p begin='1s' end='2s' style='a0'>a</p>"
            + _TTML_END
        ),
        "list of styles": after(
            _TTML
            + b"<head><styling><style xml:id='a'/></styling></head>"
            + _TTML_BODY
            + b"<p begin='1s' end='2s' style='",
            b"a ",
            b"'>a</p>" + _TTML_END,
        ),
        "styles used": lambda size: (
            _TTML
            + b"<head><styling>"
            + b"".join(b"<style xml:id='a%d' tts:color='red'/>" % at for at in range(size // 90))
            + b"</styling></head>"
            + _TTML_BODY
            + b"".join(b"<p begin='1s' end='2s' style='a%d'>a</p>" % at for at in range(size // 90))
            + _TTML_END
        ),
        "regions": numbered(
            b"<region xml:id='a#'/>",
            _TTML + b"<head><layout>",
            b"</layout></head>" + _TTML_BODY + b"<p begin='1s' end='2s' region='a1'>a</p>" + _TTML_END,
        ),
        "divisions": nested(b"<div>", b"</div>", _TTML + b"<body>", b"<p begin='1s' end='2s'>a</p>", b"</body></tt>"),
        "timed divisions": nested(
            b"<div begin='1s'>", b"</div>", _TTML + b"<body>", b"<p begin='1s' end='2s'>a</p>", b"</body></tt>"
        ),
        "sequence": after(_TTML + b"<body><div timeContainer='seq'>", b"<p dur='1s'>a</p>", b"</div></body></tt>"),
        "metadata": after(_TTML + b"<head>", b"<metadata/>", b"</head>" + _TTML_BODY + _TTML_END),
        "blanks": after(_TTML + _TTML_BODY + b"<p begin='1s' end='2s'>", b" ", b"</p>" + _TTML_END),
        "digits": after(_TTML + _TTML_BODY + b"<p begin='", b"1", b"s' end='2s'>a</p>" + _TTML_END),
    },
    "sub": {
        "lines": after(b"{1}{1}25\n", b"{1}{2}a\n"),
        "breaks": after(b"{1}{1}25\n{1}{2}", b"a|"),
        "codes": after(b"{1}{1}25\n{1}{2}", b"{y:i}"),
        "open codes": after(b"{1}{1}25\n{1}{2}", b"{y:"),
        "starts": after(b"", b"{1}"),
        "subviewer": after(b"[INFORMATION]\n", b"00:00:01.00,00:00:02.00\na\n\n"),
        "subviewer breaks": after(b"[INFORMATION]\n00:00:01.00,00:00:02.00\n", b"a[br]"),
        "subviewer tags": numbered(b"[A#]b\n", b"[INFORMATION]\n", b"00:00:01.00,00:00:02.00\na\n"),
    },
    "csv": {
        "rows": after(b"a,b\n", b"1,2\n"),
        "columns": numbered(b"a#,", b"", b"\n1\n"),
        "equal columns": after(b"", b"a,", b"\n1\n"),
        "growing rows": lambda size: b"a\n" + b"".join(b"1" + b",1" * at + b"\n" for at in range(int(size**0.5))),
        "quoted": after(b"a\n", b'"b"\n'),
        "quoted lines": after(b'a\n"', b"b\n", b'"\n'),
        "quotes within": after(b"a\n", b'b"c\n'),
        "doubled quotes": after(b'a\n"', b'""', b'"\n'),
        "odd quotes": after(b"a\n", b'"b"c\n'),
        "open quotes": after(b"a,b\n", b'1,"2\n'),
        "delimiters by turns": after(b"a;b,c\td|e\n", b"1;2,3\t4|5\n"),
        "returns": after(b"a\r", b"1\r"),
        "dates": after(b"a\n", b"2026-01-01T00:00:00Z\n"),
        "digits": after(b"a\n", b"1", b"\n"),
        "numbers": after(b"a\n", b"1.5e3\n"),
        "title lines": after(b"", b"a\n", b"b,c\n1,2\n"),
        "blank lines": after(b"a,b\n", b"\n", b"1,2\n"),
        "blanks": after(b"a,b\n", b" ", b"1,2\n"),
        "nul": after(b"a,b\n", b"\0,1\n"),
        "long cell": after(b"a\n", b"b ", b"\n"),
        "nested names": after(b"a", b".b", b"\n1\n"),
        "own nested names": numbered(b"a.#.b,", b"", b"c\n1\n"),
        "short rows": lambda size: (
            b"lat,lon" + b"".join(b",a%d" % at for at in range(size // 12)) + b"\n" + b"1,2\n" * (size // 8)
        ),
    },
    "json": {
        "rows": lambda size: b"[" + _many(size, b'{"a":1}') + b"]",
        "own keys": numbered(b'{"a#":1},', b"[", b"{}]"),
        "keys": numbered(b'"a#":1,', b"[{", b'"a":1}]'),
        "equal keys": after(b"[{", b'"a":1,', b'"a":1}]'),
        "nested rows": lambda size: b"[" + _many(size, b'{"a":{"b":[1,2,{"c":3}]}}') + b"]",
        "lists in rows": lambda size: b'[{"a":[' + _many(size, b'{"b":1}') + b"]}]",
        "deep": nested(b'{"a":', b"}", b"[", b"1", b"]"),
        "deep lists": nested(b"[", b"]"),
        "types by turns": lambda size: b"[" + _many(size, b'{"a":1},{"a":"b"},{"a":[]},{"a":{}},{"a":null}') + b"]",
        "escapes": after(b'[{"a":"', b"\\u00e4", b'"}]'),
        "surrogates": after(b'[{"a":"', b"\\ud83d", b'"}]'),
        "digits": after(b'[{"a":', b"1", b"}]"),
        "fractions": after(b'[{"a":0.', b"1", b"}]"),
        "comments": after(b"[", b"/* a */", b'{"a":1}]'),
        "line comments": after(b"[", b"// a\n", b'{"a":1}]'),
        "commas": after(b"[", b",", b'{"a":1}]'),
        "trailing commas": lambda size: b"[" + _many(size, b'{"a":1,}') + b",]",
        "single quotes": lambda size: b"[" + _many(size, b"{'a':1}") + b"]",
        "bare keys": lambda size: b"[" + _many(size, b"{a:1}") + b"]",
        "values": after(b"", b'{"a":1}'),
        "lines": after(b"", b'{"a":1}\n'),
        "lines with a mistake": after(b"", b'{"a":1}\n', b'{"a":'),
        "lists by lines": after(b"", b"[1]\n"),
        "open": after(b"[", b'{"a":1},'),
        "blanks": after(b"[", b" ", b"1]"),
        "keys with dots": numbered(b'"a.#":1,', b"[{", b'"a":{"1":1}}]'),
        "keys and paths": lambda size: b"[" + _many(size, b'{"a":{"b":1},"a.b":2}') + b"]",
        "growing lists": lambda size: (
            b"[" + b",".join(b'{"a":[' + b",".join([b"1"] * at) + b"]}" for at in range(1, int(size**0.5))) + b"]"
        ),
        "growing objects": lambda size: (
            b"["
            + b",".join(
                b"{" + b",".join(b'"a%d":1' % one for one in range(at)) + b"}"
                for at in range(1, int((size / 4) ** 0.5))
            )
            + b"]"
        ),
        "NaN": lambda size: b"[" + _many(size, b'{"a":NaN}') + b"]",
        "nul": after(b'[{"a":"', b"\\u0000", b'"}]'),
        "apart": lambda size: b"[" + _many(size // 2, b'{"a":1}') + b"," + _many(size // 2, b'{"b":1}') + b"]",
        "tails": after(b"[]", b" x"),
        "open texts": after(b"[", b'"a'),
        "slashes": after(b'["', b"\\"),
    },
    "ndjson": {
        "rows": after(b"", b'{"a":1}\n'),
        "own keys": numbered(b'{"a#":1}\n'),
        "blank lines": after(b'{"a":1}\n', b"\n", b'{"a":1}\n'),
        "several on a line": after(b"", b'{"a":1} '),
        "open": after(b"", b'{"a":\n'),
        "mistake at the end": after(b"", b'{"a":1}\n', b"x"),
        "nested": after(b"", b'{"a":{"b":[{"c":1}]}}\n'),
    },
    "rss": {
        "items": after(_RSS, b"<item><title>a</title></item>", _RSS_END),
        "own elements": numbered(b"<item><a#>b</a#></item>", _RSS, _RSS_END),
        "elements": numbered(b"<a#>b</a#>", _RSS + b"<item>", b"</item>" + _RSS_END),
        "equal elements": after(_RSS + b"<item>", b"<category>b</category>", b"</item>" + _RSS_END),
        "enclosures": after(_RSS + b"<item>", b"<enclosure url='a'/>", b"</item>" + _RSS_END),
        "nested": nested(b"<item>", b"</item>", _RSS, b"", _RSS_END),
        "spaces": numbered(b"<a:b xmlns:a='c#'/>", _RSS + b"<item>", b"</item>" + _RSS_END),
        "html": after(_RSS + b"<item><description>", b"&lt;b&gt;", b"</description></item>" + _RSS_END),
        "dates": after(_RSS, b"<item><pubDate>Thu, 01 Jan 2026 00:00:00 GMT</pubDate></item>", _RSS_END),
        "long date": after(_RSS + b"<item><pubDate>", b"1 ", b"</pubDate></item>" + _RSS_END),
        "channels": after(b"<rss>", b"<channel><item/></channel>", b"</rss>"),
        "atom": after(
            b'<feed xmlns="http://www.w3.org/2005/Atom">',
            b"<entry><title>a</title><link href='b'/></entry>",
            b"</feed>",
        ),
    },
    "csljson": {
        "entries": numbered(b'{"id":"a#","type":"book","title":"b"},', b"[", b"{}]"),
        "equal ids": after(b"[", b'{"id":"a","type":"book"},', b"{}]"),
        "equal keys": after(b"[", b'{"id":"","type":"book","author":[{"family":"A"}]},', b"{}]"),
        "authors": after(b'[{"id":"a","type":"book","author":[', b'{"family":"A"},', b"{}]}]"),
        "own fields": numbered(b'"a#":"b",', b'[{"id":"a",', b'"type":"book"}]'),
        "marked titles": after(b'[{"id":"a","type":"book","title":"', b"<i>a</i>", b'"}]'),
        "open titles": after(b'[{"id":"a","type":"book","title":"', b"<i>a ", b'"}]'),
        "braces": after(b'[{"id":"a","type":"book","title":"', b"{", b'"}]'),
        "dates": after(b'[{"id":"a","type":"book","issued":{"date-parts":[', b"[1,1],", b"[1]]}}]"),
        "capitals": after(b'[{"id":"a","type":"book","title":"', b"Ab Cd ", b'"}]'),
    },
    "eml": {
        "own headers": numbered(b"A#: b\n", b"Subject: x\n", b"\nx"),
        "received": after(b"Subject: x\n", b"Received: from a by b; Thu, 1 Jan 2026 00:00:00 +0000\n", b"\nx"),
        "folded": after(b"Subject: a\n", b" b\n", b"\nx"),
        "folded people": after(b"To: a@b\n", b" , a <a@b>\n", b"\nx"),
        "comments": after(b"To: ", b"(a", b"\n\nx"),
        "quotes": after(b"To: ", b'"a', b"\n\nx"),
        "groups": after(b"To: ", b"a: b@c;, ", b"\n\nx"),
        "open angles": after(b"To: ", b"<a", b"\n\nx"),
        "routes": after(b"To: <", b"@a,", b":a@b>\n\nx"),
        "at signs": after(b"To: ", b"a@", b"\n\nx"),
        "dots": after(b"To: a", b".a", b"@b\n\nx"),
        "commas": after(b"To: ", b",", b"\n\nx"),
        "domain": after(b"To: a@", b"[", b"\n\nx"),
        "date": after(b"Date: ", b"1 ", b"\n\nx"),
        "date comments": after(b"Date: Thu, 1 Jan 2026 00:00:00 +0000 ", b"(a", b"\n\nx"),
        "words of people": after(b"To: ", b"=?utf-8?q?a?= <a@b>, ", b"\n\nx"),
        "open words": after(b"Subject: ", b"=?utf-8?q?", b"\n\nx"),
        "long word": after(b"Subject: =?utf-8?q?", b"=C3=A4", b"?=\n\nx"),
        "many recipients": after(b"Subject: x\n", b"To: a@b\n", b"\nx"),
        "references": after(b"References: ", b"<a@b> ", b"\n\nx"),
        "open references": after(b"References: ", b"<a", b"\n\nx"),
        "quoted parameter": after(b'Content-Type: text/plain; a="', b'\\"', b'"\n\nx'),
        "continued parameters": numbered(b"; a*#=b", b"Content-Type: text/plain", b"\n\nx"),
        "coded parameters": numbered(b"; a*#*=utf-8''%C3", b"Content-Type: text/plain", b"\n\nx"),
        "own parameters": numbered(b"; a#=b", b"Content-Type: text/plain", b"\n\nx"),
        "nested parts": lambda size: (
            b"Subject: x\n"
            + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (at, at) for at in range(size // 55))
        ),
        "nested mails": after(b"Subject: x\n", b"Content-Type: message/rfc822\n\n"),
        "attachments": after(
            b"Content-Type: multipart/mixed; boundary=b\n\n",
            b"--b\nContent-Disposition: attachment; filename=a\n\nx\n",
            b"--b--\n",
        ),
        "related": numbered(
            b"--b\nContent-Type: image/png\nContent-ID: <a#>\n\nx\n",
            b"Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=cid:a1>\n",
            b"--b--\n",
        ),
        "pictures of parts": lambda size: (
            b"Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n"
            + b"".join(b"<img src=cid:a%d>" % at for at in range(size // 80))
            + b"\n"
            + b"".join(b"--b\nContent-Type: image/png\nContent-ID: <a%d>\n\nx\n" % at for at in range(size // 80))
            + b"--b--\n"
        ),
        "boundary lines": after(b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n", b"--bb\n", b"--b--\n"),
        "false boundaries": after(b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n", b"--b ", b"\n--b--\n"),
        "flowed": after(b"Content-Type: text/plain; format=flowed\n\n", b"> a \n"),
        "deep quotes": after(b"Content-Type: text/plain; format=flowed\n\n", b">", b" a\n"),
        "alternatives": after(
            b"Content-Type: multipart/alternative; boundary=b\n\n",
            b"--b\nContent-Type: text/html\n\n<p>x\n",
            b"--b--\n",
        ),
        "addresses in text": after(b"Subject: x\n\n", b"http://a "),
        "one address in text": after(b"Subject: x\n\nhttp://", b"a(", b"\n"),
        "html": after(b"Content-Type: text/html\n\n", b"<b>"),
        "quoted-printable": after(b"Content-Transfer-Encoding: quoted-printable\n\n", b"=E4=\n"),
        "base64": after(b"Content-Transfer-Encoding: base64\n\n", b"QQ==\n"),
        "uuencoded": after(b"Content-Transfer-Encoding: uuencode\n\nbegin 644 a\n", b"#0V%T\n"),
        "enriched": after(b"Content-Type: text/enriched\n\n", b"<bold>"),
        "calendars": after(
            b"Content-Type: multipart/mixed; boundary=b\n\n",
            b"--b\nContent-Type: text/calendar\n\n" + _ICS + _EVENT + _EVENT_END + _ICS_END,
            b"--b--\n",
        ),
    },
}
