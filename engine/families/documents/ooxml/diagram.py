"""The texts of a SmartArt diagram in order, with their levels (ECMA-376, part 1, 21.4)."""

from __future__ import annotations

from engine.families.documents.ooxml.package import Element, Package

_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MOST = 2_000


def bodies(package: Package, part: str, data: Element) -> list[tuple[int, Element]]:
    """The text bodies, each with its level from 0, of the diagram that a part's `a:graphicData` refers to."""
    ids = data.find(_DGM + "relIds")
    return [] if ids is None else bodies_by_relation(package, part, ids.get(_R + "dm") or "")


def bodies_by_relation(package: Package, part: str, id: str) -> list[tuple[int, Element]]:
    """The same, given the id of the relationship to the diagram's data."""
    found = package.relations(part).get(id)
    if found is None or found.external or found.target not in package.names:
        return []
    root = package.xml(found.target)
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


def lines(body: Element) -> list[str]:
    """The paragraphs of a text body, without formatting."""
    texts = ("".join(each.text or "" for each in one.iter(_A + "t")).strip() for one in body.iterfind(_A + "p"))
    return [each for each in texts if each]
