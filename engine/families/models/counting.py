"""Count the faces, colours and textures of 3D models from their bytes, without trimesh."""

from __future__ import annotations

import json
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lxml import etree

from engine.toolkit.census import Census
from engine.toolkit.formats import GLB, OBJ, OFF, PLY, STL, THREE_MF, Format

_FACET = re.compile(rb"^\s*facet\s", re.MULTILINE | re.IGNORECASE)
_FACE = re.compile(rb"^f[ \t]+(\S[^\r\n]*)", re.MULTILINE)
_PLY_FACES = re.compile(rb"^element[ \t]+face[ \t]+(\d+)", re.MULTILINE)
_PLY_COLOUR = re.compile(rb"^property[ \t]+\S+[ \t]+red\b", re.MULTILINE)
_COLOURED_VERTEX = re.compile(rb"^v[ \t]+(?:\S+[ \t]+){5}\S", re.MULTILINE)
_STL_FACE, _STL_MARK, _STL_COLOURED = 50, 84 + 49, 0x80
"""The bytes of a face in a binary STL, the place of the last of the first one, and its bit for a colour of its own."""
_MOST_NODES = 100_000
_TEXTURES = ("baseColorTexture", "metallicRoughnessTexture", "normalTexture", "occlusionTexture", "emissiveTexture")
"""Members of a material of glTF that refer to a picture."""

Counts = tuple[int, bool, int]
"""Faces, whether there are colours, and textures."""


def count(path: Path, format: Format) -> Census:
    """Return the census of a model; a polygon may count as one face where triangulating would take longer."""
    faces, colours, textures = _COUNTERS[format](path)
    census = Census()
    for kind, number in (("faces", faces), ("colours", int(colours)), ("textures", textures)):
        if number:
            census.add(kind, number)
    return census


def _stl(path: Path) -> Counts:
    data = path.read_bytes()
    if data[:100_000].lstrip()[:5].lower() == b"solid" and b"facet" in data[:100_000].lower():
        return len(_FACET.findall(data)), False, 0
    (faces,) = struct.unpack_from("<I", data, 80)
    marks = data[_STL_MARK::_STL_FACE][:faces]
    return faces, b"COLOR=" in data[:80] or any(each & _STL_COLOURED for each in marks), 0


def _obj(path: Path) -> Counts:
    data = path.read_bytes().replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")
    faces = sum(max(1, len(each.partition(b"#")[0].split()) - 2) for each in _FACE.findall(data))
    return faces, _COLOURED_VERTEX.search(data) is not None, 0


def _ply(path: Path) -> Counts:
    head = path.read_bytes()[:100_000].partition(b"end_header")[0]
    found = _PLY_FACES.search(head)
    return int(found[1]) if found else 0, _PLY_COLOUR.search(head) is not None, 0


def _off(path: Path) -> Counts:
    """Count the face lines, or use the declared number if a line may have several faces; look for colours in both
    kinds of line."""
    lines = (line.partition(b"#")[0].split() for line in path.read_bytes().splitlines())
    rows = [line for line in lines if line]
    head = rows[0][1:] if rows[0][0].upper().endswith(b"OFF") else rows[0]
    at = 1
    if len(head) < 2:
        head, at = rows[1], 2
    vertices, faces = int(head[0]), int(head[1])
    listed = rows[at + vertices : at + vertices + faces]
    coloured = b"C" in rows[0][0].upper()
    if len(listed) < faces or not all(row[0].isdigit() for row in listed):
        return faces, coloured, 0
    coloured = coloured or any(len(row) > int(row[0]) + 1 for row in listed)
    return sum(max(1, int(row[0]) - 2) for row in listed), coloured, 0


def _glb(path: Path) -> Counts:
    data = path.read_bytes()
    (size,) = struct.unpack_from("<I", data, 12)
    document: Any = json.loads(data[20 : 20 + size])
    accessors, meshes, nodes = (document.get(each, []) for each in ("accessors", "meshes", "nodes"))
    materials, textures = document.get("materials", []), set()
    roots = document.get("scenes", [{}])[document.get("scene", 0)].get("nodes", [])
    waiting, faces, colours, seen = list(roots), 0, False, 0
    while waiting and seen < _MOST_NODES:
        seen += 1
        node = nodes[waiting.pop()]
        waiting += node.get("children", ())
        for each in meshes[node["mesh"]]["primitives"] if "mesh" in node else ():
            held = each.get("indices", each["attributes"].get("POSITION"))
            corners = accessors[held]["count"] if held is not None else 0
            mode = each.get("mode", 4)
            faces += corners // 3 if mode == 4 else max(0, corners - 2) if mode in (5, 6) else 0
            colours |= "COLOR_0" in each["attributes"]
            if "material" in each:
                material = materials[each["material"]]
                look = material.get("pbrMetallicRoughness", {})
                colours |= "baseColorFactor" in look
                textures |= {part[name]["index"] for part in (material, look) for name in _TEXTURES if name in part}
    return faces, colours, len(textures)


def _three_mf(path: Path) -> Counts:
    """Count the triangles of all build items, or of all objects if there are none."""
    triangles: dict[tuple[str, str], int] = {}
    coloured, textures = False, 0
    parts: dict[tuple[str, str], list[tuple[str, str]]] = {}
    built: list[tuple[str, str]] = []
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.lower().endswith(".model"):
                with archive.open(name) as file:
                    painted, pictures = _model(file, f"/{name}", triangles, parts, built)
                coloured, textures = coloured or painted, textures + pictures

    def total(place: tuple[str, str], depth: int = 0) -> int:
        if depth > 32:
            return 0
        return triangles.get(place, 0) + sum(total(each, depth + 1) for each in parts.get(place, ()))

    return sum(map(total, built or triangles)), coloured, textures


def _model(file: Any, path: str, triangles: Any, parts: Any, built: Any) -> tuple[bool, int]:
    """Count the triangles of one XML file; return whether an object or a triangle has a material, and the textures."""
    current, coloured, textures = ("", ""), False, 0
    walk = etree.iterparse(file, events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False)
    for event, element in walk:
        tag = str(element.tag).rpartition("}")[2]
        if event == "start":
            if tag == "object":
                current = (path, element.get("id", ""))
                coloured |= element.get("pid") is not None
            continue
        if tag == "triangle":
            triangles[current] = triangles.get(current, 0) + 1
            coloured |= element.get("pid") is not None
        elif tag == "texture2d":
            textures += 1
        elif tag in ("component", "item"):
            elsewhere = next((value for name, value in element.items() if name.endswith("}path")), path)
            place = (elsewhere, element.get("objectid", ""))
            if tag == "item":
                built.append(place)
            else:
                parts.setdefault(current, []).append(place)
        element.clear()
    return coloured, textures


_COUNTERS: dict[Format, Callable[[Path], Counts]] = {
    STL: _stl,
    OBJ: _obj,
    PLY: _ply,
    OFF: _off,
    GLB: _glb,
    THREE_MF: _three_mf,
}
