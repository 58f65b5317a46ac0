"""Count the contents of a Word document (ISO/IEC 29500-1, section 17) from the elements of its parts."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from engine.toolkit import unchanged
from engine.toolkit.census import Census
from engine.toolkit.grids import Grids
from engine.toolkit.word_search import DIVISION

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_VML = "{urn:schemas-microsoft-com:vml}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_MATHS = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_LINE = "{urn:schemas-microsoft-com:office:office}hr"
"""Marks a shape as a horizontal line, which divides slides."""
_STRICT = b"http://purl.oclc.org/ooxml/"

CHARTS = ("/chart", "/chartex")
"""The ends of the kinds of graphics that are charts."""
_SKIPPED = frozenset({_FALLBACK, f"{W}moveFrom", f"{W}del", f"{_MATHS}oMath", f"{_MATHS}oMathPara"})
"""Fallbacks of alternatives, text that a tracked change deleted or moved away, and formulas, which have no words."""
_SCRIPT = re.compile("(?:java|vb)script:", re.IGNORECASE)
BLANK = frozenset({f"{W}tab", f"{W}br", f"{W}cr", f"{W}ptab"})
_TOLD = (
    *(f"{W}{each}" for each in ("p", "t", "tbl", "tr", "tc", "hyperlink", "footnoteReference", "endnoteReference")),
    *BLANK,
    f"{_DRAWING}blip",
    f"{_DRAWING}graphicData",
    f"{_VML}imagedata",
)
"""The elements that count; most others are properties."""
_PARTS = {"footnotes": f"{W}footnote", "endnotes": f"{W}endnote"}
_NUMBERED = re.compile(r"\s*(?:PAGE|NUMPAGES|SECTIONPAGES|PAGEREF)\b", re.IGNORECASE)
OFF = frozenset({"0", "false", "off"})
NO_FILL = frozenset({"auto", "ffffff", ""})
_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})


@dataclass(frozen=True)
class Parts:
    """The name of the part with the body, and those of all parts by their lower case."""

    body: str
    names: Mapping[str, str]

    def beside(self, name: str) -> str | None:
        """Return the name of a part in the folder of the body, in whatever letters; None if there is none."""
        folder = self.body.rpartition("/")[0]
        return self.names.get(f"{folder}/{name}".lower())


def count(path: Path) -> Census:
    """Return the census of a document: its body and notes, without headers, footers and comments."""
    census = Census()
    with zipfile.ZipFile(path) as archive:
        parts = parts_of(archive)
        targets = _targets(archive, parts)
        body = body_of(path)
        census.add("slides", body.lines + 1)
        _story(body.root, census, targets)
        for part, element in _PARTS.items():
            if name := parts.beside(f"{part}.xml"):
                for note in parsed(archive, name).iter(element):
                    if note.get(f"{W}type") not in _SEPARATORS:
                        _story(pruned(note), census, {})
    return census


@dataclass(frozen=True)
class Body:
    """The body of a document, without what is not shown, and the number of horizontal lines in all of it."""

    root: Any
    lines: int


@unchanged.kept
def body_of(path: Path) -> Body:
    """Return the body of a document, which is parsed once for its contents and for its looks."""
    with zipfile.ZipFile(path) as archive:
        root = parsed(archive, parts_of(archive).body)
    lines = sum(each.get(_LINE) == "t" for each in root.iter(f"{_VML}rect"))
    return Body(pruned(root), lines)


def parts_of(archive: zipfile.ZipFile) -> Parts:
    """Return the names of the parts of a document."""
    names = {each.lower(): each for each in archive.namelist()}
    return Parts(_main_part(archive, names), names)


def _main_part(archive: zipfile.ZipFile, names: Mapping[str, str]) -> str:
    root = etree.fromstring(archive.read("_rels/.rels"), _parser())
    for each in root:
        if str(each.get("Type")).endswith("/officeDocument"):
            target = str(each.get("Target")).lstrip("/")
            return names.get(target.lower(), target)
    return "word/document.xml"


def _parser() -> Any:
    return etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, recover=True, remove_comments=True, remove_pis=True
    )


def parsed(archive: zipfile.ZipFile, name: str) -> Any:
    """Return the root of a part, with the namespaces of the transitional form."""
    data = archive.read(name)
    if _STRICT in data:
        for strict, transitional in (
            (b"http://purl.oclc.org/ooxml/wordprocessingml/main", W[1:-1].encode()),
            (b"http://purl.oclc.org/ooxml/drawingml/main", _DRAWING[1:-1].encode()),
            (b"http://purl.oclc.org/ooxml/officeDocument/relationships", _RELATION[1:-1].encode()),
        ):
            data = data.replace(strict, transitional)
    return etree.fromstring(data, _parser())


def _relations(archive: zipfile.ZipFile, parts: Parts) -> Any:
    relations = parts.beside(f"_rels/{parts.body.rpartition('/')[2]}.rels")
    return () if relations is None else parsed(archive, relations)


def has_styles(archive: zipfile.ZipFile, parts: Parts) -> bool:
    """Return whether the body refers to styles: a part of the package that none refers to has no effect."""
    return any(str(each.get("Type")).endswith("/styles") for each in _relations(archive, parts))


def _targets(archive: zipfile.ZipFile, parts: Parts) -> dict[str, str]:
    """Return the addresses of the links of the body by their ids."""
    return {str(each.get("Id")): str(each.get("Target")) for each in _relations(archive, parts)}


def _target(element: Any, targets: dict[str, str]) -> str:
    """Return the address of a link out of the document; empty for anything else, and for code, which is removed."""
    id = "" if element is None or element.tag != f"{W}hyperlink" else element.get(f"{_RELATION}id", "")
    target = targets.get(id) or id
    return "" if _SCRIPT.match(target) else target


def _story(root: Any, census: Census, targets: dict[str, str]) -> None:
    pieces: list[list[str]] = [[]]
    grids = Grids(census)
    for event, element in etree.iterwalk(root, events=("start", "end"), tag=_TOLD):
        tag = element.tag
        if event == "start":
            if tag == f"{W}p":
                pieces.append([])
            elif tag == f"{W}t":
                raised = element.getparent().find(f"{W}rPr/{W}vertAlign") is not None
                pieces[-1].append(f"{DIVISION}{element.text or ''}{DIVISION}" if raised else element.text or "")
                grids.text(element.text)
            elif tag == f"{W}tbl":
                grids.begin()
            elif tag == f"{W}tr":
                grids.begin_row()
            elif tag == f"{W}tc":
                grids.begin_cell()
            elif tag in BLANK:
                pieces[-1].append(" ")
            elif tag == f"{_DRAWING}graphicData":
                census.add("charts", element.get("uri", "").endswith(CHARTS))
            elif (tag == f"{_DRAWING}blip" and _shows(element)) or tag == f"{_VML}imagedata":
                census.add("pictures")
            elif target := _target(element, targets):
                if target != _target(element.getprevious(), targets):  # pieces of one link
                    census.add("links")
            elif tag in (f"{W}footnoteReference", f"{W}endnoteReference"):
                census.add("notes")
        elif tag == f"{W}p":
            text = "".join(pieces.pop()).strip()
            if text:
                census.texts.append(text)
        elif tag == f"{W}tc":
            grids.end_cell()
        elif tag == f"{W}tbl":
            grids.end()


def _shows(blip: Any) -> bool:
    """Return whether a picture is in the file: as pixels, or as a drawing alone (Microsoft's extension svgBlip)."""
    return bool(blip.get(f"{_RELATION}embed")) or blip.find(".//{*}svgBlip") is not None


def pruned(root: Any) -> Any:
    """Remove what is not shown: deleted and hidden text, and alternatives for older readers."""
    for element in list(_hidden(root)):
        parent = element.getparent()
        if parent is not None:
            parent.remove(element)
    return root


def _hidden(root: Any) -> Iterator[Any]:
    yield from _page_numbers(root)
    for element in root.iter(*_SKIPPED, f"{W}vanish"):
        if element.tag in _SKIPPED:
            yield element
        elif element.get(f"{W}val") not in OFF:
            properties = element.getparent()
            run = None if properties is None else properties.getparent()
            if run is not None and run.tag == f"{W}r":
                yield run


def _page_numbers(root: Any) -> Iterator[Any]:
    """The stored results of page number fields, which are recomputed.

    An open field is the pieces of its instruction, and whether it is a page number after that.
    """
    opened: list[list[str] | bool] = []
    numbered = 0
    for element in root.iter(f"{W}fldChar", f"{W}instrText", f"{W}fldSimple", f"{W}t"):
        last = opened[-1] if opened else None
        if element.tag == f"{W}fldSimple":
            if _NUMBERED.match(element.get(f"{W}instr") or ""):
                yield element
        elif element.tag == f"{W}instrText":
            if isinstance(last, list):
                last.append(element.text or "")
        elif element.tag == f"{W}t":
            if numbered:
                yield element
        elif element.get(f"{W}fldCharType") == "begin":
            opened.append([])
        elif opened and element.get(f"{W}fldCharType") == "separate":
            if isinstance(last, list):
                opened[-1] = is_number = _NUMBERED.match("".join(last)) is not None
                numbered += is_number
        elif opened:
            numbered -= opened.pop() is True
