"""Read 3MF (core specification 1.3): zipped XML meshes assembled from components and build items."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy
from lxml import etree

from engine.families.models.parts import MAX_PARTS, MAX_TRIANGLES, Model, Part, check
from engine.toolkit.archive import entry, preflight
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
METRES = {"micron": 1e-6, "millimeter": 1e-3, "centimeter": 1e-2, "inch": 0.0254, "foot": 0.3048, "meter": 1.0}
_MAX_DEPTH = 32
_ROWS = 10_000
_COLOURS = Kind("STYLE_DROPPED", "3MF colours and materials were left out: {count}{places}.", counts="colours")

Place = tuple[str, str]
"""The file in the archive, and the id of an object in it."""


@dataclass
class _Object:
    name: str = ""
    vertices: list[float] = field(default_factory=list)
    triangles: list[int] = field(default_factory=list)
    components: list[tuple[Place, Any]] = field(default_factory=list)


def read(source: Path, warn: Warn) -> Model:
    """All build items; raises Unreadable and OverLimit as for any model."""
    preflight(source, visited=(), max_ratio=200)
    objects: dict[Place, _Object] = {}
    items: list[tuple[Place, Any]] = []
    unit = "millimeter"
    try:
        with zipfile.ZipFile(source) as archive:
            names = [each for each in archive.namelist() if each.lower().endswith(".model")]
            for name in names:
                with archive.open(name) as file:
                    found = _model(file, f"/{name}", objects, items, warn)
                if name.lower() == "3d/3dmodel.model" or len(names) == 1:
                    unit = found
        parts = list(_placed(items or [(place, numpy.eye(4)) for place in objects], objects, 0, [0, 0]))
    except (etree.XMLSyntaxError, ValueError, KeyError, TypeError) as error:
        raise Unreadable(
            "The file can't be read as 3MF: it is damaged, or has another format.", reason="damaged"
        ) from error
    check(len(parts), sum(len(each.triangles) for each in parts))
    return Model(tuple(parts), unit if unit in METRES else "millimeter")


def _model(file: Any, path: str, objects: dict[Place, _Object], items: list[Any], warn: Warn) -> str:
    """Add the objects and items of one XML file, and return its unit."""
    unit, current, coloured = "millimeter", _Object(), 0
    walk = etree.iterparse(file, events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False)
    for event, element in walk:
        tag = etree.QName(element).localname if isinstance(element.tag, str) else ""
        if event == "start":
            if tag == "model":
                unit = element.get("unit", unit)
            elif tag == "object":
                current = objects.setdefault((path, str(element.get("id"))), _Object(element.get("name", "")))
                coloured += element.get("pid") is not None
            continue
        if tag == "vertex":
            current.vertices += (float(element.get("x")), float(element.get("y")), float(element.get("z")))
        elif tag == "triangle":
            current.triangles += (int(element.get("v1")), int(element.get("v2")), int(element.get("v3")))
            coloured += element.get("pid") is not None
            if len(current.triangles) > 3 * MAX_TRIANGLES:
                check(1, len(current.triangles) // 3)
        elif tag in ("component", "item"):
            place = (element.get(f"{{{_PRODUCTION}}}path", path), str(element.get("objectid")))
            (current.components if tag == "component" else items).append((place, _matrix(element.get("transform"))))
        element.clear()
        if tag in ("vertex", "triangle"):
            while element.getprevious() is not None:
                del element.getparent()[0]
    warn.tally(_COLOURS, coloured, part=path)
    return unit


def _matrix(text: str | None) -> Any:
    """The twelve numbers of a transform as a matrix for column vectors (section 3.3)."""
    found = numpy.eye(4)
    if text:
        found[:3, :] = numpy.array([float(each) for each in text.split()]).reshape(4, 3).T
    return found


def _placed(
    items: list[tuple[Place, Any]], objects: dict[Place, _Object], depth: int, so_far: list[int]
) -> Iterator[Part]:
    if depth > _MAX_DEPTH:
        raise Unreadable("The objects of the file contain each other.", reason="damaged")
    for place, matrix in items:
        found = objects[place]
        so_far[0] += 1
        so_far[1] += len(found.triangles) // 3
        if so_far[0] > MAX_PARTS or so_far[1] > MAX_TRIANGLES:
            raise OverLimit(
                "memory",
                say(
                    "The model has more than {max_triangles} triangles or {max_parts} parts.",
                    max_triangles=MAX_TRIANGLES,
                    max_parts=MAX_PARTS,
                ),
            )
        if found.triangles:
            vertices = numpy.array(found.vertices).reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
            triangles = numpy.array(found.triangles, dtype="int64").reshape(-1, 3)
            yield Part(found.name or f"object {place[1]}", vertices, triangles)
        deeper = [(inner, matrix @ their) for inner, their in found.components]
        yield from _placed(deeper, objects, depth + 1, so_far)


def write(model: Model, target: Path) -> None:
    """Write each part as an object and a build item."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            entry("[Content_Types].xml"),
            f'<?xml version="1.0" encoding="UTF-8"?>\n<Types xmlns="{_TYPES}"><Default Extension="rels" ContentType='
            '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="model" ContentType='
            '"application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>',
        )
        archive.writestr(
            entry("_rels/.rels"),
            f'<?xml version="1.0" encoding="UTF-8"?>\n<Relationships xmlns="{_RELATIONS}"><Relationship Id="model" '
            'Target="/3D/3dmodel.model" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>'
            "</Relationships>",
        )
        with archive.open(entry("3D/3dmodel.model"), "w") as file, etree.xmlfile(file, encoding="UTF-8") as xml:
            xml.write_declaration()
            with xml.element("model", {"unit": model.unit or "millimeter", "xmlns": _CORE}):
                with xml.element("resources"):
                    for number, part in enumerate(model.parts, 1):
                        _object(xml, file, part, number)
                with xml.element("build"):
                    for number in range(1, len(model.parts) + 1):
                        xml.write(etree.Element("item", objectid=str(number)))


def _object(xml: Any, file: Any, part: Part, number: int) -> None:
    name = "".join(each if each.isprintable() else " " for each in part.name)[:200]
    with xml.element("object", {"id": str(number), "type": "model", "name": name}), xml.element("mesh"):
        with xml.element("vertices"):
            _put(xml, file, '<vertex x="%r" y="%r" z="%r"/>', part.vertices)
        with xml.element("triangles"):
            _put(xml, file, '<triangle v1="%d" v2="%d" v3="%d"/>', part.triangles)


def _put(xml: Any, file: Any, pattern: str, rows: Any) -> None:
    """Write an element for each row of numbers: one by one, lxml takes 17 microseconds for each."""
    xml.flush()
    for at in range(0, len(rows), _ROWS):
        file.write("".join([pattern % (x, y, z) for x, y, z in rows[at : at + _ROWS].tolist()]).encode())
