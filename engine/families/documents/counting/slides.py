"""Count the contents of a presentation (ISO/IEC 29500-1, section 19) from the elements of its slides."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

from lxml import etree

from engine.toolkit import grids
from engine.toolkit.census import Census

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SLIDE = re.compile(r"ppt/slides/slide\d+\.xml")
_CHARTS = ("/chart", "/chartex")
_TRUE = ("1", "true")
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def count(path: Path) -> Census:
    """Return the census of a presentation: the text of its visible slides, without notes and layouts."""
    census = Census()
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    with zipfile.ZipFile(path) as archive:
        for name in sorted(filter(_SLIDE.fullmatch, archive.namelist()), key=lambda each: (len(each), each)):
            root = etree.fromstring(archive.read(name), parser)
            if root.get("show") not in ("0", "false"):
                census.add("slides")
                _slide(root, _outside(archive, name, parser), census)
    return census


def _outside(archive: zipfile.ZipFile, slide: str, parser: Any) -> set[str]:
    """Return the ids of the relationships of a slide to places outside the file."""
    folder, name = slide.rsplit("/", 1)
    try:
        root = etree.fromstring(archive.read(f"{folder}/_rels/{name}.rels"), parser)
    except KeyError:
        return set()
    return {str(each.get("Id")) for each in root if each.get("TargetMode") == "External"}


def _slide(root: Any, outside: set[str], census: Census) -> None:
    for fallback in list(root.iter(_FALLBACK)):
        fallback.getparent().remove(fallback)
    for paragraph in root.iter(f"{_DRAWING}p"):
        text = "".join(
            " " if each.tag.endswith("}br") else each.text or "" for each in paragraph.iter() if _is_text(each)
        )
        if text.strip():
            census.texts.append(text.strip())
    for number in root.iter(f"{_DRAWING}buAutoNum"):  # what a text calls “217.” may be the number of an item
        census.markup.append(number.get("startAt", "1"))
    for table in root.iter(f"{_DRAWING}tbl"):
        rows = [sum(map(_has_text, row.iter(f"{_DRAWING}tc"))) for row in table.iter(f"{_DRAWING}tr")]
        grids.add(census, rows)
    for data in root.iter(f"{_DRAWING}graphicData"):
        census.add("charts", data.get("uri", "").endswith(_CHARTS))
    for blip in root.iter(f"{_DRAWING}blip"):
        if blip.get(f"{_RELATION}embed"):
            census.add("pictures")
    for link in root.iter(f"{_DRAWING}hlinkClick"):
        if link.get(_LINK) in outside and not link.get("action"):
            census.add("links")


def _has_text(cell: Any) -> bool:
    if cell.get("hMerge") in _TRUE or cell.get("vMerge") in _TRUE:  # covered by another one
        return False
    return any(grids.is_text(each.text or "") for each in cell.iter(f"{_DRAWING}t"))


def _is_text(element: Any) -> bool:
    if element.tag == f"{_DRAWING}br":
        return True
    return bool(element.tag == f"{_DRAWING}t" and element.getparent().tag != f"{_DRAWING}fld")
