"""Write the parts of an Office Open XML package (ECMA-376, part 2) to a file."""

from __future__ import annotations

import posixpath
import zipfile
from pathlib import Path

from lxml import etree

from engine.families.documents.ooxml.made import MAIN, Made, W
from engine.families.documents.ooxml.package import Element
from engine.toolkit.formats import BMP, EMF, GIF, HEAD_BYTES, JPG, PNG, SVG, TIFF, WEBP, WMF

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_OFFICE = "application/vnd.openxmlformats-officedocument."
_CORE = f"{_PACKAGE}relationships/metadata/core-properties"
_PREFIXES = {
    "w": W[1:-1],
    "r": _R[1:-1],
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "a": f"{_DRAWING}main",
    "wp": f"{_DRAWING}wordprocessingDrawing",
    "pic": f"{_DRAWING}picture",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
}
"""The prefixes that programs write, which some readers expect."""
_PICTURES = {
    "png": "image/png", "jpeg": "image/jpeg", "bmp": "image/bmp", "tiff": "image/tiff", "gif": "image/gif",
    "emf": "image/x-emf", "wmf": "image/x-wmf", "pict": "image/x-pict", "webp": "image/webp", "svg": "image/svg+xml",
}  # fmt: skip
_EXTENSIONS = {PNG: "png", JPG: "jpeg", GIF: "gif", BMP: "bmp", TIFF: "tiff", WEBP: "webp", EMF: "emf", WMF: "wmf",
               SVG: "svg"}  # fmt: skip
_CREATOR = "{http://purl.org/dc/elements/1.1/}"


class Parts:
    """The parts of one package; each has a content type and relationships to others."""

    def __init__(self) -> None:
        self._parts: dict[str, bytes] = {}
        self._types: dict[str, str] = {}
        self._relations: dict[str, dict[tuple[str, str, bool], str]] = {}

    def put(self, name: str, content: Element, kind: str) -> None:
        """Add an XML part of a content type, such as `wordprocessingml.styles`."""
        root = etree.Element(content.tag, attrib=dict(content.attrib), nsmap=_PREFIXES)
        root.extend(list(content))
        self._parts[name] = etree.tostring(root, encoding="UTF-8", xml_declaration=True, standalone=True)
        self._types[name] = f"{_OFFICE}{kind}+xml"

    def picture(self, folder: str, data: bytes, extension: str) -> str:
        """Add a picture, and return the name of its part."""
        name = f"{folder}/media/image{len(self._parts)}.{extension}"
        self._parts[name] = data
        return name

    def core(self, title: str, author: str) -> None:
        """Add the title and the author."""
        prefixes = {None: f"{_PACKAGE}metadata/core-properties", "dc": _CREATOR[1:-1]}
        root = etree.Element(f"{{{_PACKAGE}metadata/core-properties}}coreProperties", nsmap=prefixes)
        for name, text in (("title", title), ("creator", author)):
            if text:
                etree.SubElement(root, f"{{http://purl.org/dc/elements/1.1/}}{name}").text = text
        self._parts["docProps/core.xml"] = etree.tostring(root, encoding="UTF-8", xml_declaration=True)
        self._types["docProps/core.xml"] = "application/vnd.openxmlformats-package.core-properties+xml"
        self.relate("", "core-properties", "docProps/core.xml")

    def relate(self, part: str, kind: str, target: str, *, external: bool = False) -> str:
        """The id of a relationship of a part; the same target has the same id."""
        known = self._relations.setdefault(part, {})
        return known.setdefault((kind, target, external), f"rId{len(known) + 1}")

    def write(self, path: Path) -> None:
        """Write the package, the same bytes for the same parts."""
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:

            def write(name: str, data: bytes) -> None:
                made = zipfile.ZipInfo(name)  # with a date that is always the same
                made.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(made, data, compresslevel=1)

            write("[Content_Types].xml", etree.tostring(self._typed(), encoding="UTF-8"))
            for part, relations in self._relations.items():
                folder, _, file = part.rpartition("/")
                place = posixpath.join(folder, "_rels", f"{file}.rels")
                write(place, etree.tostring(_written(folder, relations), encoding="UTF-8"))
            for name, data in self._parts.items():
                write(name, data)

    def _typed(self) -> Element:
        root = etree.Element(f"{{{_PACKAGE}content-types}}Types", nsmap={None: f"{_PACKAGE}content-types"})
        for extension, kind in {
            "rels": "application/vnd.openxmlformats-package.relationships+xml", "xml": "application/xml", **_PICTURES,
        }.items():  # fmt: skip
            each = etree.SubElement(root, f"{{{_PACKAGE}content-types}}Default")
            each.set("Extension", extension)
            each.set("ContentType", kind)
        for name, kind in self._types.items():
            each = etree.SubElement(root, f"{{{_PACKAGE}content-types}}Override")
            each.set("PartName", f"/{name}")
            each.set("ContentType", kind)
        return root


def _written(folder: str, relations: dict[tuple[str, str, bool], str]) -> Element:
    root = etree.Element(f"{{{_PACKAGE}relationships}}Relationships", nsmap={None: f"{_PACKAGE}relationships"})
    for (kind, target, external), number in relations.items():
        each = etree.SubElement(root, f"{{{_PACKAGE}relationships}}Relationship")
        each.set("Id", number)
        each.set("Type", _CORE if kind == "core-properties" else _RELATIONS + kind)
        each.set("Target", target if external else posixpath.relpath(target, folder or "."))
        if external:
            each.set("TargetMode", "External")
    return root


def pack(made: Made, target: Path) -> None:
    """Write a Word document that was made in memory as a file."""
    parts = Parts()
    written = {"": "", MAIN: "word/document.xml"}
    waiting = ["", MAIN]
    for source in waiting:
        for each in made.relations(source).values():
            place = each.target
            if each.kind == "core-properties":
                core = made.xml(place)
                parts.core(*(core.findtext(f"{_CREATOR}{name}") or "" for name in ("title", "creator")))
                continue
            if not each.external:
                if place not in written:
                    waiting.append(place)
                    written[place] = _put(parts, made, place, each.kind)
                place = written[place]
            parts.relate(written[source], each.kind, place, external=each.external)
    parts.put(written[MAIN], made.xml(MAIN), "wordprocessingml.document.main")
    parts.write(target)


def _put(parts: Parts, made: Made, name: str, kind: str) -> str:
    """Add a part of a document that was made, and return its name in the package."""
    if kind == "image":
        data = made.read(name) if name in made.names else b""
        known = (extension for format, extension in _EXTENSIONS.items() if format.recognises(data[:HEAD_BYTES]))
        return parts.picture("word", data, next(known, "bin"))
    place = f"word/{name}.xml"
    parts.put(place, made.xml(name), f"wordprocessingml.{kind}")
    return place


def linked(made: Element, relation: str) -> None:
    """Refer to a relationship from an element."""
    made.set(f"{_R}id", relation)
