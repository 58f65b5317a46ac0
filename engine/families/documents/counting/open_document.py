"""Count the contents of OpenDocument texts and presentations (OpenDocument 1.3, part 3) from their elements."""

from __future__ import annotations

import posixpath
import re
import zipfile
from pathlib import Path
from typing import Any

from lxml import etree

from engine.toolkit.census import Census
from engine.toolkit.grids import Grids

_NAMESPACE = "{urn:oasis:names:tc:opendocument:xmlns:"
TEXT = f"{_NAMESPACE}text:1.0}}"
DRAW = f"{_NAMESPACE}drawing:1.0}}"
OFFICE = f"{_NAMESPACE}office:1.0}}"
_SVG = f"{_NAMESPACE}svg-compatible:1.0}}"
STYLE = f"{_NAMESPACE}style:1.0}}"
FO = f"{_NAMESPACE}xsl-fo-compatible:1.0}}"
_PRESENTATION = f"{_NAMESPACE}presentation:1.0}}"
_TABLE = f"{_NAMESPACE}table:1.0}}"
_XLINK = "{http://www.w3.org/1999/xlink}"

SKIPPED = frozenset({
    f"{OFFICE}annotation", f"{TEXT}tracked-changes", f"{OFFICE}forms", f"{TEXT}hidden-text", f"{TEXT}note-citation",
    f"{DRAW}object", f"{TEXT}sequence-decls", f"{TEXT}ruby-text", f"{OFFICE}event-listeners",
    f"{OFFICE}binary-data", f"{_SVG}title", f"{_SVG}desc", f"{TEXT}page-number", f"{TEXT}page-count",
})  # fmt: skip
"""Elements that are not body text: comments, deleted text, forms, and the numbers of notes and pages."""
_BESIDE_SLIDES = frozenset({
    f"{_PRESENTATION}notes", f"{_PRESENTATION}header", f"{_PRESENTATION}footer", f"{_PRESENTATION}date-time",
    f"{TEXT}date", f"{TEXT}time",
})  # fmt: skip
_MATHS = re.compile(rb"<(?:\w+:)?math[\s>]")
BLANK = frozenset({f"{TEXT}s", f"{TEXT}tab", f"{TEXT}line-break"})

NO_FILL = frozenset({"transparent", "#ffffff"})


def count(path: Path) -> Census:
    """Return the census of a text: its body and notes, without headers, footers and comments."""
    census = Census()
    with zipfile.ZipFile(path) as archive:
        root = etree.fromstring(archive.read("content.xml"), parser())
        for each in [*root.iter(f"{DRAW}object")]:
            if _is_formula(archive, str(each.get(f"{_XLINK}href", ""))):
                without(each.getparent())
        stored = frozenset(archive.namelist())
    body = root.find(f"{OFFICE}body")
    if body is not None:
        _walk(body, census, stored)
    return census


def slides(path: Path) -> Census:
    """Return the number and the words of the visible slides of a presentation, without notes and fields."""
    census = Census()
    with zipfile.ZipFile(path) as archive:
        root = etree.fromstring(archive.read("content.xml"), parser())
        stored = frozenset(archive.namelist())
    hidden = {
        style.get(f"{STYLE}name")
        for style in root.iter(f"{STYLE}style")
        for each in style.iter(f"{STYLE}drawing-page-properties")
        if each.get(f"{_PRESENTATION}visibility") == "hidden"
    }
    shown = [each for each in root.iter(f"{DRAW}page") if each.get(f"{DRAW}style-name") not in hidden]
    census.add("slides", len(shown))
    for page in shown:
        for each in [*page.iter(*_BESIDE_SLIDES)]:
            without(each)
        _walk(page, census, stored)
    return census


def parser() -> Any:
    """Return a parser that reads nothing but the given bytes, damaged ones as far as possible, without comments."""
    return etree.XMLParser(resolve_entities=False, no_network=True, recover=True, remove_comments=True, remove_pis=True)


def _is_formula(archive: zipfile.ZipFile, address: str) -> bool:
    """Whether an embedded object is MathML, which a result has as a formula: the picture beside it shows the same."""
    name = f"{address.removeprefix('./')}/content.xml"
    return name in archive.namelist() and _MATHS.search(archive.read(name)[:1000]) is not None


def _is_stored(picture: Any, stored: frozenset[str]) -> bool:
    """Whether a picture is in the file: as a part of it, or as its own text."""
    address = str(picture.get(f"{_XLINK}href", ""))
    return posixpath.normpath(address) in stored or picture.find(f"{OFFICE}binary-data") is not None


def _walk(body: Any, census: Census, stored: frozenset[str]) -> None:
    pictures = {each for each in body.iter(f"{DRAW}image") if _is_stored(each, stored)}
    for element in list(body.iter(*SKIPPED)):
        if element.getparent() is not None:
            without(element)
    pieces: list[list[str]] = [[]]
    grids = Grids(census)
    for event, element in etree.iterwalk(body, events=("start", "end")):
        tag = element.tag
        paragraph = tag in (f"{TEXT}p", f"{TEXT}h")
        if event == "start":
            if paragraph:
                pieces.append([element.text or ""])
                continue
            if tag == f"{_TABLE}table":
                grids.begin()
            elif tag == f"{_TABLE}table-row":
                grids.begin_row()
            elif tag == f"{_TABLE}table-cell":
                grids.begin_cell()
            elif tag in BLANK:
                pieces[-1].append(" ")
            elif element in pictures:
                census.add("pictures")
            elif tag == f"{TEXT}a" and not str(element.get(f"{_XLINK}href", "#")).startswith("#"):
                census.add("links")
            elif tag == f"{TEXT}note":
                census.add("notes")
            if len(pieces) > 1:
                pieces[-1].append(element.text or "")
        else:
            if paragraph:
                text = "".join(pieces.pop()).strip()
                if text:
                    census.texts.append(text)
                    grids.text(text)
            elif tag == f"{_TABLE}table-cell":
                grids.end_cell()
            elif tag == f"{_TABLE}table":
                grids.end()
            if len(pieces) > 1:
                pieces[-1].append(element.tail or "")


def without(element: Any) -> None:
    """Remove an element from its tree, but keep its tail."""
    parent, before = element.getparent(), element.getprevious()
    tail = element.tail or ""
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)
