"""Write models with trimesh, and count what the format can't hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import trimesh

from engine.families.models import three_mf
from engine.families.models.parts import Model, Part
from engine.toolkit.census import ALL
from engine.toolkit.formats import GLB, OBJ, OFF, PLY, STL, THREE_MF, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_COLOURS = Kind("STYLE_DROPPED", "Parts lost their colours: {count}{places}.")
TEXTURES = Kind("STYLE_DROPPED", "Parts lost their textures: {count}{places}.")
_PARTS = Kind("CONTENT_DROPPED", "Parts were merged: {count}{places}.")


def write(model: Model, target: Path, format: Format, warn: Warn) -> None:
    """Write the model; lengths are scaled if both formats define a unit."""
    if format is not GLB:
        pictured = [each.name for each in model.parts if each.textured]
        warn.tally(TEXTURES, len(pictured), pictured)
        warn.account("textures", ALL if pictured else 0)
    if format in (STL, OFF, THREE_MF):
        coloured = [each.name for each in model.parts if each.colours is not None]
        warn.tally(_COLOURS, len(coloured), coloured)
        warn.account("colours", len(coloured))
    if format is THREE_MF:
        three_mf.write(model, target)
        return
    if format is GLB:
        target.write_bytes(_glb(model))
        return
    if len(model.parts) > 1:
        warn.tally(_PARTS, len(model.parts), [each.name for each in model.parts])
    if model.unit:
        warn(
            "METADATA_DROPPED",
            say("{name} has no units. Lengths are in “{unit}”.", name=format.name, unit=model.unit),
        )
    mesh = _mesh(model.joined())
    if format is OBJ:
        found = mesh.export(file_type="obj", include_texture=False, header=None, digits=9)
    elif format is PLY:
        found = mesh.export(file_type="ply")
    else:
        found = mesh.export(file_type=format.id)
    target.write_bytes(found if isinstance(found, bytes) else found.encode())


def _mesh(part: Part) -> trimesh.Trimesh:
    return trimesh.Trimesh(part.vertices, part.triangles, vertex_colors=part.colours, process=False, validate=False)


def _glb(model: Model) -> bytes:
    scale = three_mf.METRES[model.unit] if model.unit else 1.0
    scene = trimesh.Scene()
    for number, part in enumerate(model.parts):
        name = part.name or "part"
        if name in scene.geometry:
            name = f"{name} {number + 1}"
        scene.add_geometry(_mesh(replace(part, vertices=part.vertices * scale)), node_name=name, geom_name=name)
    found: bytes = scene.export(file_type="glb")
    return found
