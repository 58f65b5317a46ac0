"""The texts of a SmartArt diagram with their levels (ECMA-376, part 1, 21.4), and its drawing (MS-ODRAWXML, 2.24)."""

from __future__ import annotations

import copy

from lxml import etree

from engine.families.documents.ooxml.package import Element, Package
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.xml_elements import local

_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MOST = 2_000
MOST_REPEATED = 5_000
"""The shapes and texts that are shown again: each takes 1 ms, and a file of 4 KB may show 200 of them 1,000 times."""
_ELEMENTS = 20
"""The elements of a shape with a text, roughly: those of its style, fill, line and paragraph."""
_DRAWN = ("sp", "pic", "grpSp", "cxnSp")


class Diagrams:
    """The diagrams of a package, and how much of them is shown again.

    Raises OverLimit for a file that shows the same diagrams again too often.
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        self._known: set[str] = set()
        self._left = MOST_REPEATED

    def bodies(self, part: str, data: Element) -> list[tuple[int, Element]]:
        """The text bodies, each with its level from 0, of the diagram that a part's `a:graphicData` refers to."""
        ids = data.find(_DGM + "relIds")
        id = "" if ids is None else ids.get(_R + "dm") or ""
        found = bodies_by_relation(self._package, part, id)
        self._show(_target(self._package, part, id) or "", len(found))
        return found

    def drawing(self, part: str, data: Element, namespace: str) -> tuple[str, list[Element]] | None:
        """The part and the shapes of a diagram's drawing, as `drawing` gives them."""
        found = drawing(self._package, part, data, namespace)
        if found is not None:
            name, shapes = found
            self._show(name, sum(1 for each in shapes for _ in each.iter()) // _ELEMENTS)
        return found

    def _show(self, name: str, count: int) -> None:
        if name in self._known:
            self._left -= max(count, 1)
        self._known.add(name)
        if self._left < 0:
            raise OverLimit("limit", say("The file repeats the same diagrams too often. Replace them with pictures."))


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
