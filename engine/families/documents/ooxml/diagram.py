"""The texts of a SmartArt diagram with their levels (ECMA-376, part 1, 21.4), and its drawing (MS-ODRAWXML, 2.24)."""

from __future__ import annotations

import copy

from lxml import etree

from engine.families.documents.ooxml.package import Element, Package
from engine.toolkit.xml_elements import local

_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MOST = 2_000
_DRAWN = ("sp", "pic", "grpSp", "cxnSp")


def bodies(package: Package, part: str, data: Element) -> list[tuple[int, Element]]:
    """The text bodies, each with its level from 0, of the diagram that a part's `a:graphicData` refers to."""
    ids = data.find(_DGM + "relIds")
    return [] if ids is None else bodies_by_relation(package, part, ids.get(_R + "dm") or "")


def bodies_by_relation(package: Package, part: str, id: str) -> list[tuple[int, Element]]:
    """The same, given the id of the relationship to the diagram's data."""
    found = _target(package, part, id)
    if found is None:
        return []
    root = package.xml(found)
    points = {each.get("modelId") or "": each for each in root.iter(_DGM + "pt")}
    below: dict[str, list[tuple[int, str]]] = {}
    for each in root.iter(_DGM + "cxn"):
        if (each.get("type") or "parOf") == "parOf":
            order = each.get("srcOrd") or "0"
            place = int(order) if order.isdecimal() and len(order) < 10 else 0
            below.setdefault(each.get("srcId") or "", []).append((place, each.get("destId") or ""))
    tops = [id for id, each in points.items() if each.get("type") == "doc"]
    made: list[tuple[int, Element]] = []
    waiting = [(id, -1) for id in reversed(tops)]
    while waiting and len(made) < _MOST:
        id, level = waiting.pop()
        point = points.pop(id, None)  # visits each point once
        if point is None:
            continue
        _take(point, max(level, 0), made)
        waiting += [(inner, level + 1) for _, inner in sorted(below.get(id, ()), reverse=True)]
    for each in points.values():  # points without a parent
        if (each.get("type") or "node") in ("node", "asst") and len(made) < _MOST:
            _take(each, 0, made)
    return made


def _take(point: Element, level: int, made: list[tuple[int, Element]]) -> None:
    body = point.find(_DGM + "t")
    if body is not None and any((each.text or "").strip() for each in body.iter(_A + "t")):
        made.append((level, body))


def drawing(package: Package, part: str, data: Element, namespace: str) -> tuple[str, list[Element]] | None:
    """The part and the shapes that an office suite drew for a diagram, as elements of a namespace; None without any.

    A text with a rectangle of its own is a shape of its own, on that rectangle.
    """
    ids = data.find(_DGM + "relIds")
    model = None if ids is None else _target(package, part, ids.get(_R + "dm") or "")
    if model is None:
        return None
    held = (_target(package, part, each.get("relId") or "") for each in package.xml(model).iter("{*}dataModelExt"))
    name = next(filter(None, held), None)
    tree = None if name is None else package.xml(name).find("{*}spTree")
    if name is None or tree is None:
        return None
    for each in list(tree.iter("{*}sp")):
        _divide(each)
    own = tree.tag.partition("}")[0] + "}"
    for each in tree.iter(own + "*"):
        each.tag = namespace + local(each)
    shapes = [each for each in tree if isinstance(each.tag, str) and local(each) in _DRAWN]
    return (name, shapes) if shapes else None


def _target(package: Package, part: str, id: str) -> str | None:
    found = package.relations(part).get(id)
    return None if found is None or found.external or found.target not in package.names else found.target


def _divide(shape: Element) -> None:
    """Move the text of a shape to one of its own, if it has a rectangle of its own."""
    place, body = (shape.find(f"{{*}}{name}") for name in ("txXfrm", "txBody"))
    if place is None or body is None:
        return
    text = etree.Element(shape.tag)
    for each in shape:
        if local(each) in ("nvSpPr", "style"):
            text.append(copy.deepcopy(each))
    properties = etree.SubElement(text, body.tag.replace("txBody", "spPr"))
    place.tag = _A + "xfrm"
    own = shape.find(f"{{*}}spPr/{_A}xfrm")
    if own is not None and own.get("rot") and place.get("rot") is None:
        place.set("rot", own.get("rot") or "0")
    properties.append(place)
    etree.SubElement(properties, _A + "prstGeom").set("prst", "rect")
    for name in ("noFill", "ln"):
        made = etree.SubElement(properties, _A + name)
    etree.SubElement(made, _A + "noFill")
    text.append(body)
    shape.addnext(text)


def lines(body: Element) -> list[str]:
    """The paragraphs of a text body, without formatting."""
    texts = ("".join(each.text or "" for each in one.iter(_A + "t")).strip() for one in body.iterfind(_A + "p"))
    return [each for each in texts if each]
