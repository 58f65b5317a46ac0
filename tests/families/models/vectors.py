"""Vectors of models: a box in every format, in colours, as two parts, as text."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Callable
from functools import partial

from lxml import etree
from PIL import Image

from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import Vector, fail

SIZE = (10.0, 20.0, 30.0)
CORNERS = [(x * SIZE[0], y * SIZE[1], z * SIZE[2]) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
TRIANGLES = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
    (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
]  # fmt: skip
Seen = tuple[int, tuple[float, ...]]
"""How many triangles there are, and the size of the box around them."""


def stl() -> bytes:
    facets = b"".join(
        struct.pack("<12fH", 0, 0, 0, *(value for at in each for value in CORNERS[at]), 0) for each in TRIANGLES
    )
    return b"a box".ljust(80) + struct.pack("<I", len(TRIANGLES)) + facets


def stl_text() -> bytes:
    facets = (
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {CORNERS[at][0]} {CORNERS[at][1]} {CORNERS[at][2]}\n" for at in each)
        + "endloop\nendfacet\n"
        for each in TRIANGLES
    )
    return f"solid box\n{''.join(facets)}endsolid box\n".encode()


def obj(colour: str = "") -> bytes:
    corners = "".join(f"v {x} {y} {z}{colour}\n" for x, y, z in CORNERS)
    faces = "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in TRIANGLES)
    return f"# a box\n{corners}{faces}".encode()


def ply(coloured: bool = False) -> bytes:
    words = "property uchar red\nproperty uchar green\nproperty uchar blue\n" if coloured else ""
    head = (
        f"ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n{words}"
        "element face 12\nproperty list uchar int vertex_indices\nend_header\n"
    )
    colour = " 200 20 20" if coloured else ""
    corners = "".join(f"{x} {y} {z}{colour}\n" for x, y, z in CORNERS)
    return (head + corners + "".join(f"3 {a} {b} {c}\n" for a, b, c in TRIANGLES)).encode()


def off() -> bytes:
    corners = "".join(f"{x} {y} {z}\n" for x, y, z in CORNERS)
    faces = "".join(f"3 {a} {b} {c}\n" for a, b, c in TRIANGLES)
    return f"OFF\n8 12 0\n{corners}{faces}".encode()


def off_quads() -> bytes:
    corners = "".join(f"{x} {y} {z}\n" for x, y, z in CORNERS)
    sides = ("0 1 3 2", "4 6 7 5", "0 4 5 1", "2 3 7 6", "0 2 6 4", "1 5 7 3")
    faces = "".join(f"4 {each}\n" for each in sides)
    return f"OFF # a box\n# of sides\n8 6 0\n{corners}{faces}".encode()


def glb(parts: int = 1) -> bytes:
    """Boxes, each beside the one before it, coloured where there are several."""
    places = b"".join(struct.pack("<3f", *each) for each in CORNERS)
    indexes = b"".join(struct.pack("<3H", *each) for each in TRIANGLES)
    primitive = {"attributes": {"POSITION": 0}, "indices": 1}
    said = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": list(range(parts))}],
        "nodes": [{"mesh": at, "name": f"box {at}", "translation": [SIZE[0] * at, 0, 0]} for at in range(parts)],
        "meshes": [{"name": f"box {at}", "primitives": [{**primitive, "material": 0} if parts > 1 else primitive]}
                   for at in range(parts)],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0.8, 0, 0, 1]}}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [0, 0, 0], "max": list(SIZE)},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(places)},
            {"buffer": 0, "byteOffset": len(places), "byteLength": len(indexes)},
        ],
        "buffers": [{"byteLength": len(places + indexes)}],
    }  # fmt: skip
    text = json.dumps(said).encode()
    text += b" " * (-len(text) % 4)
    data = places + indexes
    body = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def three_mf(parts: int = 1, body: str = "", unit: str = "millimeter") -> bytes:
    corners = "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in CORNERS)
    triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in TRIANGLES)
    mesh = f"<mesh><vertices>{corners}</vertices><triangles>{triangles}</triangles></mesh>"
    items = "".join(f'<item objectid="1" transform="1 0 0 0 1 0 0 0 1 {SIZE[0] * at} 0 0"/>' for at in range(parts))
    text = body or f'<resources><object id="1" name="box">{mesh}</object></resources><build>{items}</build>'
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "3D/3dmodel.model",
            f'<model unit="{unit}" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">{text}</model>',
        )
    return buffer.getvalue()


def _cut(make: Callable[[], bytes]) -> bytes:
    return make()[: len(make()) // 2]


def _of(make: Callable[[], bytes], name: str, odd: Callable[[], bytes]) -> tuple[Given, ...]:
    return (ordinary("a box", make), awkward(name, odd), broken("a file that ends too early", partial(_cut, make)))


READERS: Readers = {
    "stl": _of(stl, "as text", stl_text),
    "obj": _of(obj, "in colours, with materials elsewhere", lambda: b"mtllib box.mtl\n" + obj(" 0.8 0.1 0.1")),
    "ply": _of(ply, "in colours", lambda: ply(True)),
    "glb": _of(glb, "two boxes of a colour", lambda: glb(2)),
    "off": _of(off, "sides of four corners", off_quads),
    "3mf": _of(three_mf, "two boxes", lambda: three_mf(2)),
}


def _around(count: int, corners: list[tuple[float, ...]]) -> Seen:
    return count, tuple(round(max(axis) - min(axis), 5) for axis in zip(*corners, strict=True))


def _stl(data: bytes) -> Seen:
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    found = [struct.unpack_from("<12f", data, 84 + 50 * at) for at in range(count)]
    return _around(count, [each[at : at + 3] for each in found for at in (3, 6, 9)])


def _obj(data: bytes) -> Seen:
    lines = [each.split() for each in data.decode().splitlines()]
    corners = [tuple(map(float, each[1:4])) for each in lines if each[:1] == ["v"]]
    return _around(sum(each[:1] == ["f"] for each in lines), corners)


def _off(data: bytes) -> Seen:
    words = data.decode().split()
    count, faces = int(words[1]), int(words[2])
    numbers = list(map(float, words[4 : 4 + 3 * count]))
    return _around(faces, [tuple(numbers[at : at + 3]) for at in range(0, len(numbers), 3)])


def _ply(data: bytes) -> Seen:
    head, _, body = data.partition(b"end_header\n")
    lines = head.decode().splitlines()
    assert "format binary_little_endian 1.0" in lines
    vertices, faces = (int(each.split()[2]) for each in lines if each.startswith("element"))
    letters = {"float": "f", "double": "d", "uchar": "B", "int": "i", "uint": "I"}
    row = "<" + "".join(
        letters[each.split()[1]] for each in lines if each.startswith("property") and "list" not in each
    )
    size = struct.calcsize(row)
    return _around(faces, [struct.unpack_from(row, body, size * at)[:3] for at in range(vertices)])


def _glb(data: bytes) -> Seen:
    (size,) = struct.unpack_from("<I", data, 12)
    said = json.loads(data[20 : 20 + size])
    count, corners = 0, []
    for node in said["nodes"]:
        if "mesh" in node:
            assert "matrix" not in node
            for each in said["meshes"][node["mesh"]]["primitives"]:
                place = said["accessors"][each["attributes"]["POSITION"]]
                corners += [tuple(place["min"]), tuple(place["max"])]
                count += said["accessors"][each["indices"]]["count"] // 3
    return _around(count, corners)


def _three_mf(data: bytes) -> Seen:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        root = etree.fromstring(archive.read("3D/3dmodel.model"))
        assert {"[Content_Types].xml", "_rels/.rels"} <= set(archive.namelist())
    corners = [tuple(float(each.get(axis)) for axis in "xyz") for each in root.iter("{*}vertex")]
    objects, items = list(root.iter("{*}object")), list(root.iter("{*}item"))
    assert [each.get("id") for each in objects] == [each.get("objectid") for each in items]
    return _around(len(list(root.iter("{*}triangle"))), corners)


SEEN: dict[str, Callable[[bytes], Seen]] = {
    "stl": _stl, "obj": _obj, "ply": _ply, "glb": _glb, "off": _off, "3mf": _three_mf,
}  # fmt: skip


def has(output: str, parts: int, scale: float) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        wide = tuple(round(each * scale, 5) for each in (SIZE[0] * parts, *SIZE[1:]))
        assert SEEN[output](data) == (12 * parts, wide)

    return check


def is_drawn(views: int = 1, width: int = 1024, reddish: bool = False) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        picture = Image.open(io.BytesIO(data))
        tile = width // views
        assert (picture.format, picture.size) == ("PNG", (tile * views, tile))
        for at in range(views):
            assert picture.getpixel((at * tile + 2, 2)) == (255, 255, 255)
            middle = picture.getpixel((at * tile + tile // 2, tile // 2))
            assert isinstance(middle, tuple)
            assert middle != (255, 255, 255)
            assert (middle[0] > middle[2] + 20) == reddish

    return check


def _lost(source: str, output: str, *, odd: bool) -> frozenset[str]:
    lost = set()
    if output not in ("glb", "3mf", "png") and source in ("glb", "3mf"):
        lost |= {"METADATA_DROPPED", "CONTENT_DROPPED"} if odd else {"METADATA_DROPPED"}
    if odd and source == "obj":
        lost.add("REMOTE_RESOURCE_BLOCKED")
    if odd and source in ("obj", "ply", "glb") and output in ("stl", "off", "3mf"):
        lost.add("STYLE_DROPPED")
    return frozenset(lost)


def _writer(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        odd = given.kind == "awkward"
        parts = 2 if odd and source in ("glb", "3mf") else 1
        scale = 0.001 if (source, output) == ("3mf", "glb") else 1.0
        return Wanted(has(output, parts, scale), _lost(source, output, odd=odd))

    return wanted


def _drawn(source: str, given: Given) -> Wanted:
    if given.kind == "ordinary":
        return Wanted(is_drawn())
    check = is_drawn(3, 300, source in ("obj", "ply", "glb"))
    return Wanted(check, _lost(source, "png", odd=True), options={"views": 3, "width": 300})


def _glb_of(**changes: object) -> bytes:
    data = glb()
    (size,) = struct.unpack_from("<I", data, 12)
    said = json.loads(data[20 : 20 + size])
    for name, value in changes.items():
        said[name][0] |= value
    text = json.dumps(said).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text + data[20 + size :]
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


_CIRCLE = (
    '<resources><object id="1"><components><component objectid="2"/></components></object><object id="2"><components>'
    '<component objectid="1"/></components></object></resources><build><item objectid="1"/></build>'
)
_TENS = "".join(
    f'<object id="{at}"><components>' + f'<component objectid="{at + 1}"/>' * 10 + "</components></object>"
    for at in range(12)
)


def _behind_one_another(count: int) -> bytes:
    corners = (b"\0\0\0\0" * 3, struct.pack("<3f", 0, 0, 9), struct.pack("<3f", 9, 0, 9))
    return b"much".ljust(80) + struct.pack("<I", count) + (bytes(12) + b"".join(corners) + b"\0\0") * count


_HOSTILE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "four thousand million triangles": ("stl-to-obj", lambda: stl()[:80] + b"\xff\xff\xff\xff" + stl()[84:]),
    "four thousand million corners": ("ply-to-stl", lambda: ply().replace(b"vertex 8", b"vertex 4294967295")),
    "corners that are not there": ("ply-to-glb", lambda: ply().replace(b"3 0 1 3", b"3 0 1 99")),
    "more corners than bytes": ("off-to-stl", lambda: off().replace(b"8 12", b"99999999999 12")),
    "corners that are no numbers": ("obj-to-stl", lambda: obj().replace(b"v 10.0 0.0 0.0", b"v nan 0.0 0.0")),
    "an accessor of a million million": ("glb-to-stl", lambda: _glb_of(accessors={"count": 10**12})),
    "an accessor of its own making": ("glb-to-stl", lambda: _glb_of(accessors={"count": 9, "bufferView": 9})),
    "a buffer elsewhere": (
        "glb-to-stl",
        lambda: _glb_of(buffers={"uri": "file:///etc/passwd"}).replace(b"BIN\0", b"XXX\0"),
    ),
    "objects in a circle": ("3mf-to-stl", lambda: three_mf(body=_CIRCLE)),
    "ten of ten of ten": (
        "3mf-to-glb",
        lambda: three_mf(body=f'<resources>{_TENS}<object id="12"/></resources><build><item objectid="0"/></build>'),
    ),
    "entities of entities": ("3mf-to-obj", lambda: three_mf(body="<resources>&a;</resources>")),
    "a bomb": ("3mf-to-png", lambda: three_mf(body=" " * 60_000_000)),
    "large triangles behind one another": ("stl-to-png", lambda: _behind_one_another(25_000)),
    "a page": ("obj-to-stl", lambda: b"<html></html>"),
}

VECTORS: tuple[Vector, ...] = (
    *pairs("models", READERS, {**{id: _writer(id) for id in READERS}, "png": _drawn}),
    *(fail(slug, name, make) for name, (slug, make) in _HOSTILE.items()),
)
