"""Small models with colours or pictures on them, and the same without."""

from __future__ import annotations

import io
import json
import struct
import zipfile

from tests.engine import test_picture_census as pictures

PICTURE = pictures.saved(pictures.picture(), "PNG")
PLAIN = (
    b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    b"element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
)
_CHANNELS = b"property uchar red\nproperty uchar green\nproperty uchar blue\n"
COLOURED = (
    PLAIN.replace(b"element face", _CHANNELS + b"element face")
    .replace(b"\n0 0 0\n", b"\n0 0 0 255 0 0\n")
    .replace(b"\n1 0 0\n", b"\n1 0 0 0 255 0\n")
    .replace(b"\n0 1 0\n", b"\n0 1 0 0 0 255\n")
)
"""A triangle, and one whose corners have colours."""
OFF_PLAIN = b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
OFF_FACES = b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 255 0 0\n"
OFF_CORNERS = b"COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 0 255 0 255\n0 1 0 0 0 255 255\n3 0 1 2\n"
OBJ_PLAIN = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
OBJ_COLOURED = b"v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nf 1 2 3\n"


def stl(*, colour: int = 0) -> bytes:
    """A binary STL of one face; `colour` is its attribute."""
    return bytes(80) + struct.pack("<I12fH", 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, colour)


STL_COLOURED = stl(colour=0x801F)


def glb(*textures: str) -> bytes:
    """A GLB of a triangle, with a picture in each of these places of its material."""
    points = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    places = struct.pack("<6f", 0, 0, 1, 0, 0, 1)
    picture = PICTURE + bytes(-len(PICTURE) % 4)
    views, at = [], 0
    for each in (points, places, picture):
        views.append({"buffer": 0, "byteOffset": at, "byteLength": len(each)})
        at += len(each)
    look = {name: {"index": 0} for name in textures}
    base = {name: look.pop(name) for name in textures if name == "baseColorTexture"}
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": base, **look}],
        "textures": [{"source": 0}],
        "images": [{"bufferView": 2, "mimeType": "image/png"}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"},
        ],
        "bufferViews": views,
        "buffers": [{"byteLength": at}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    whole = (
        struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", at, b"BIN\0") + points + places + picture
    )
    return struct.pack("<4sII", b"glTF", 2, 12 + len(whole)) + whole


def three_mf() -> bytes:
    """A 3MF of a triangle with a material, and a picture for another."""
    model = (
        '<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>'
        '<basematerials id="9"><base name="red" displaycolor="#FF0000"/></basematerials>'
        '<texture2d id="8" path="/3D/Texture/a.png" contenttype="image/png"/>'
        '<object id="1" type="model" pid="9" pindex="0"><mesh><vertices><vertex x="0" y="0" z="0"/>'
        '<vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices><triangles><triangle v1="0" v2="1" v3="2"/>'
        '</triangles></mesh></object></resources><build><item objectid="1"/></build></model>'
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("3D/3dmodel.model", model)
    return out.getvalue()
