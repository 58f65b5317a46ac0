"""Write headers and footers of a Word document from page margin texts (ECMA-376, part 1, 17.10)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from engine.families.documents.ooxml.package import Element
from engine.families.html_pdf.styles import LITERAL, Boxes

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_OVERRIDE = "{http://schemas.openxmlformats.org/package/2006/content-types}Override"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_PLACES = ("left", "center", "right")
_FIELD = re.compile(r"\{(pages?)\}")
_INSTRUCTIONS = {"page": "PAGE", "pages": "NUMPAGES"}


def add(parts: dict[str, bytes], root: Element, margins: tuple[Boxes, Boxes], room: int) -> None:
    """Add headers and footers to `parts` and reference them in `root`; `room` is the text width in twips."""
    first, others = margins
    section = next(root.iter(f"{_W}sectPr"), None)
    if section is None or not (any(first.values()) or any(others.values())):
        return
    relations = etree.fromstring(parts["word/_rels/document.xml.rels"])
    types = etree.fromstring(parts["[Content_Types].xml"])
    pages = [("default", others)] if first == others else [("first", first), ("default", others)]
    for at, (page, side, boxes) in enumerate(_sides(pages)):
        kind = "header" if side == "top" else "footer"
        name, mark = f"margin{at + 1}.xml", f"rIdMargin{at + 1}"
        parts[f"word/{name}"] = _part(kind, {place: boxes.get((side, place), "") for place in _PLACES}, room)
        etree.SubElement(relations, _RELATION, {"Id": mark, "Type": _KIND + kind, "Target": name})
        etree.SubElement(types, _OVERRIDE, {"PartName": f"/word/{name}", "ContentType": f"{_TYPE}{kind}+xml"})
        section.insert(at, etree.Element(f"{_W}{kind}Reference", {f"{_W}type": page, f"{_R}id": mark}))
    if len(pages) > 1:
        section.append(etree.Element(f"{_W}titlePg"))
    parts["word/_rels/document.xml.rels"] = etree.tostring(relations, xml_declaration=True, encoding="UTF-8")
    parts["[Content_Types].xml"] = etree.tostring(types, xml_declaration=True, encoding="UTF-8")


def _sides(pages: list[tuple[str, Boxes]]) -> Iterator[tuple[str, str, Boxes]]:
    for page, boxes in pages:
        for side in ("top", "bottom"):
            if any(text for (where, _), text in boxes.items() if where == side):
                yield page, side, boxes


def _part(kind: str, texts: dict[str, str], room: int) -> bytes:
    root = etree.Element(f"{_W}{'hdr' if kind == 'header' else 'ftr'}", nsmap={"w": _W[1:-1]})
    paragraph = etree.SubElement(root, f"{_W}p")
    tabs = etree.SubElement(etree.SubElement(paragraph, f"{_W}pPr"), f"{_W}tabs")
    for place, at in (("center", room // 2), ("right", room)):
        etree.SubElement(tabs, f"{_W}tab", {f"{_W}val": place, f"{_W}pos": str(at)})
    for place in _PLACES:
        if place != "left":
            etree.SubElement(etree.SubElement(paragraph, f"{_W}r"), f"{_W}tab")
        for number, piece in enumerate(_FIELD.split(texts[place])):
            if number % 2:
                field = etree.SubElement(paragraph, f"{_W}fldSimple", {f"{_W}instr": _INSTRUCTIONS[piece]})
                _run(field, "1")
            elif piece:
                _run(paragraph, piece.replace(LITERAL, "{"))
    made: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return made


def _run(parent: Element, text: str) -> None:
    run = etree.SubElement(parent, f"{_W}r")
    for at, line in enumerate(text.split("\n")):
        if at:
            etree.SubElement(run, f"{_W}br")
        etree.SubElement(run, f"{_W}t", {_SPACE: "preserve"}).text = line
