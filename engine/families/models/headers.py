"""Check the sizes that a model declares against its file before allocating anything."""

from __future__ import annotations

import json
import re
import struct
from collections import Counter, deque
from itertools import chain
from typing import Any

from engine.families.models import parts
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.formats import GLB, OBJ, OFF, PLY, STL, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_ELEMENT = re.compile(rb"^element[ \t]+(\S+)[ \t]+(\S+)[ \t\r]*$", re.MULTILINE)
_PROPERTY = re.compile(rb"^property[ \t]+(?:list[ \t]+\S+[ \t]+)?\S+[ \t]+(\S+)[ \t\r]*$", re.MULTILINE)
_KNOWN = re.compile("x|y|z|n[xyz]|red|green|blue|alpha|vertex_ind(ex|ices)|[stuv]|texcoord|texture_[uv]|texnumber")
_PROPERTIES = Kind("METADATA_DROPPED", "PLY properties were left out: {count}{places}.")
_NOT_MODELS = Kind("CONTENT_DROPPED", "Parts of the scene other than triangles were left out: {count}{places}.")
MAX_STEPS = 200_000
"""From the root to all meshes of a scene: 1,000 nodes in one another take 500,000, and 4 s."""
_MATERIAL, _FACE = re.compile(rb"usemtl[ \t]+([^\r\n]*)"), re.compile(rb"^f[ \t]", re.MULTILINE)
MAX_MATERIALS = 4_000
"""2,400 take 1.3 s in an OBJ, and twice as many four times that: trimesh names each by trying all names before it."""
_TRIANGLES, _STRIP = 4, 5
"""Modes of a primitive (glTF 2.0, 3.7.2.1) that trimesh reads as triangles."""
MAX_ELEMENTS = 50_000_000
"""Of one list in a GLB: a longer one would not fit into the largest upload."""


def check(data: bytes, format: Format, warn: Warn) -> None:
    """Raise Unreadable if a declared count needs more bytes than there are, OverLimit for too many parts in a scene."""
    if format is PLY:
        _ply(data, warn)
    elif format is GLB:
        _glb(data, warn)
    elif format is OBJ:
        _obj(data)
    elif format is OFF:
        _off(data)
    elif format is STL:
        _stl(data)


def _lie() -> Unreadable:
    return Unreadable("The file is damaged: it ends too early.", reason="damaged")


def _ply(data: bytes, warn: Warn) -> None:
    head = data[:100_000].partition(b"end_header")[0]
    for _, count in _ELEMENT.findall(head):
        if not count.isdigit() or len(count) > 12 or int(count) > len(data):
            raise _lie()
    names = [each.decode("utf-8", "replace") for each in _PROPERTY.findall(head)]
    unknown = [each for each in names if not _KNOWN.fullmatch(each)]
    warn.tally(_PROPERTIES, len(unknown), unknown)


def _obj(data: bytes) -> None:
    """Count the parts of an OBJ: one for each of its materials."""
    parts.check(len(set(_MATERIAL.findall(data))), len(_FACE.findall(data)), most=MAX_MATERIALS)


def _off(data: bytes) -> None:
    for line in data[:100_000].decode("ascii", "replace").splitlines():
        words = line.partition("#")[0].replace("COFF", "").replace("OFF", "").split()
        if words:
            if not all(each.isdigit() and len(each) < 13 for each in words[:3]):
                raise Unreadable("The file is damaged: the second line has no counts.", reason="damaged")
            if sum(map(int, words[:2])) > len(data):
                raise _lie()
            return


def _stl(data: bytes) -> None:
    if data[:100_000].lstrip()[:5].lower() == b"solid" and b"facet" in data[:100_000].lower():
        if b"endsolid" not in data[-1_000:].lower():
            raise _lie()
        return
    if len(data) < 84 or struct.unpack_from("<I", data, 80)[0] * 50 + 84 > len(data):
        raise _lie()


def _glb(data: bytes, warn: Warn) -> None:
    try:
        _, version, length = struct.unpack_from("<4sII", data)
        size, kind = struct.unpack_from("<I4s", data, 12)
        if version != 2:
            raise Unreadable(
                say("The file uses glTF version {version}. Only version 2 is supported.", version=version),
                reason="unsupported_feature",
            )
        if length > len(data) or size > len(data) - 20 or kind != b"JSON":
            raise _lie()
        document: Any = json.loads(data[20 : 20 + size])
        for each in document.get("accessors", ()):
            if not 0 <= each["count"] <= MAX_ELEMENTS:
                raise _lie()
        for each in (*document.get("buffers", ()), *document.get("bufferViews", ())):
            if not 0 <= each["byteLength"] <= len(data):
                raise _lie()
        counts = {name: len(document.get(name, ())) for name in ("animations", "skins", "cameras")}
        parts.check(*_placed(document))
    except (ValueError, LookupError, TypeError, AttributeError, struct.error, RecursionError) as error:
        raise Unreadable(
            "The file is damaged: its description of the scene can't be read.", reason="damaged"
        ) from error
    warn.tally(_NOT_MODELS, sum(counts.values()), [name for name, count in counts.items() if count], part="scene")


def _placed(document: Any) -> tuple[int, int]:
    """How many primitives a scene places, points and lines included, and how many triangles these have.

    A few nodes that share a mesh of a few primitives place their product, and trimesh makes an object of each.
    """
    nodes, accessors = document.get("nodes", ()), document.get("accessors", ())
    own: list[tuple[int, int]] = []
    for mesh in document.get("meshes", ()):
        held = [each for each in mesh["primitives"] if each.get("mode", _TRIANGLES) in (_TRIANGLES, _STRIP)]
        corners = [accessors[each.get("indices", each["attributes"]["POSITION"])]["count"] for each in held]
        own.append((len(mesh["primitives"]), sum(corners) // 3))
    scenes = document.get("scenes")
    roots = scenes[document.get("scene", 0)].get("nodes", ()) if scenes else ()
    times = Counter(chain(roots, *(each.get("children", ()) for each in nodes)))
    _check_depth(roots, nodes)
    placed = [(times[at], own[node["mesh"]]) for at, node in enumerate(nodes) if "mesh" in node]
    return sum(count * found for count, (found, _) in placed), sum(count * found for count, (_, found) in placed)


def _check_depth(roots: Any, nodes: Any) -> None:
    """Raise OverLimit for scenes nested too deep: trimesh goes from the root to each mesh for each mesh."""
    depths: dict[int, int] = {}
    waiting = deque((each, 1) for each in roots)
    steps = 0
    while waiting:
        at, depth = waiting.popleft()
        if at in depths:
            continue
        depths[at] = depth
        steps += depth if "mesh" in nodes[at] else 0
        waiting.extend((each, depth + 1) for each in nodes[at].get("children", ()))
    if steps > MAX_STEPS:
        raise OverLimit("timeout", "The document is too complex to read in time.")
