"""Read models with trimesh from bytes only, so that it can't open referenced files."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import trimesh

from engine.families.models import headers, three_mf
from engine.families.models.parts import Model, Part, check
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import GLB, OBJ, THREE_MF, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_BROKEN = (
    ValueError, KeyError, IndexError, TypeError, NameError, AttributeError, AssertionError, ArithmeticError,
    NotImplementedError, struct.error, RecursionError, ImportError,
)  # fmt: skip
"""What trimesh raises for malformed files."""
_LOOSE = Kind("CONTENT_DROPPED", "Points and lines outside triangles were left out: {count}{places}.")
_MATERIALS = Kind("REMOTE_RESOURCE_BLOCKED", "Materials in separate files were not read: {count}{places}.")


def read(source: Path, format: Format, warn: Warn) -> Model:
    """The model in a file; raises Unreadable if it is damaged or has no triangles, OverLimit for too many."""
    if format is THREE_MF:
        model = three_mf.read(source, warn)
    else:
        data = source.read_bytes()
        headers.check(data, format, warn)
        if format is OBJ:
            named = re.findall(rb"^mtllib[ \t]+(\S[^\r\n]{0,80})", data, re.MULTILINE)
            warn.tally(_MATERIALS, len(named), [each.decode("utf-8", "replace") for each in named])
        model = _scene(data, format, warn)
    if not any(len(each.triangles) for each in model.parts):
        raise Unreadable("The file has no triangles.", reason="empty")
    return model


def _scene(data: bytes, format: Format, warn: Warn) -> Model:
    try:
        scene = trimesh.load_scene(io.BytesIO(data), file_type=format.id, process=False)
        meshes = {name: each for name, each in scene.geometry.items() if isinstance(each, trimesh.Trimesh)}
        loose = [name for name in scene.geometry if name not in meshes]
        warn.tally(_LOOSE, len(loose), loose)
        places = [(node, *scene.graph[node]) for node in scene.graph.nodes_geometry if scene.graph[node][1] in meshes]
        check(len(places), sum(len(meshes[name].faces) for _, _, name in places))
        parts = tuple(_parts(places, meshes))
    except _BROKEN as error:
        raise Unreadable(
            say("The file can't be read as {name}: it is damaged, or has another format.", name=format.name),
            reason="damaged",
        ) from error
    return Model(parts, "meter" if format is GLB else None)


def _parts(places: list[tuple[str, Any, str]], meshes: dict[str, Any]) -> Iterator[Part]:
    for _, place, name in places:
        mesh = meshes[name]
        vertices = numpy.asarray(mesh.vertices, dtype="float64").reshape(-1, 3)
        if not numpy.array_equal(place, numpy.eye(4)):
            vertices = trimesh.transform_points(vertices, place)
        triangles = numpy.asarray(mesh.faces, dtype="int64").reshape(-1, 3)
        if len(triangles) and numpy.linalg.det(place[:3, :3]) < 0:
            triangles = triangles[:, ::-1]
        colours, textured = None, False
        kind = mesh.visual.kind
        if kind == "texture":
            material = mesh.visual.material
            if hasattr(material, "to_simple"):
                textured = material.baseColorTexture is not None
                main = material.baseColorFactor
            else:
                textured, main = material.image is not None, material.main_color
            if main is not None:
                colours = numpy.asarray(main, dtype="uint8").reshape(1, 4).repeat(len(vertices), 0)
        elif kind == "face":
            of_faces = numpy.asarray(mesh.visual.face_colors, dtype="uint8")
            vertices = vertices[triangles].reshape(-1, 3)
            triangles = numpy.arange(len(vertices)).reshape(-1, 3)
            colours = of_faces.repeat(3, 0)
        elif kind == "vertex":
            colours = numpy.asarray(mesh.visual.vertex_colors, dtype="uint8")
        yield Part(name, vertices, triangles, colours, textured)
