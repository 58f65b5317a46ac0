"""Separate the text of DocBook, outlines (OPML) and notebooks from their metadata."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from engine.families.documents.counting import plain
from engine.families.documents.counting.markup.found import ADDRESS, Found
from engine.toolkit.census import Census

_ASIDE = frozenset({
    "info", "bookinfo", "articleinfo", "chapterinfo", "sectioninfo", "sect1info", "indexterm", "remark", "equation",
    "informalequation", "inlineequation", "textobject", "objectinfo", "refmeta", "toc", "index", "bibliomisc", "date",
    "math", "subtitle", "titleabbrev",
})  # fmt: skip
"""Elements of DocBook whose text is not shown where they are."""

_PARTS_OF_NAMES = re.compile(r"[A-Za-z][a-z]*")
"""Names of attributes are the columns of a table, as in `xmlUrl` for XML URL."""
_NESTING = "folder"
"""The column of a table that the nesting of an outline stands for."""
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_RELATIVE = re.compile(r"(?![a-z]+:|#)[^\s#]*[./]", re.IGNORECASE)
"""The address of another file of the same place."""


def doc_book(path: Path) -> Census:
    """Return the census of the elements with visible text."""
    from lxml import etree

    found = Found()
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, remove_comments=True)
    root = etree.parse(path, parser).getroot()
    source = "".join(root.xpath("//text()"))
    relative = 0
    for each in [*root.iter("{*}*", "*")]:
        name = each.tag.rpartition("}")[2] if isinstance(each.tag, str) else ""
        if name in _ASIDE and each.getparent() is not None:
            each.getparent().replace(each, _tail(etree, each))
        found.notes += name == "footnote"
        found.links += name in ("link", "ulink") and any(ADDRESS.match(value) for value in each.values())
        found.pictures += name == "imagedata" and "//" not in str(each.get("fileref", "//"))
        relative += name in ("link", "ulink") and any(_RELATIVE.match(value) for value in each.values())
    found.text += root.xpath("//text()")
    census = found.census(source)
    if relative:
        census.optional["links"] = census.optional.get("links", Counter()) + Counter({"": relative})
    return census


def _tail(etree: Any, element: Any) -> Any:
    empty = etree.Element("anchor")
    empty.tail = element.tail
    return empty


def outline(path: Path) -> Census:
    """Return the census of the texts in an outline; in a result, Markdown in notes is looked through as well."""
    from lxml import etree

    found, lines = Found(), list[str]()
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root = etree.parse(path, parser).getroot()
    for each in root.iter("{*}outline"):
        found.text.append(ADDRESS.sub(" ", str(each.get("text", "")).partition("<")[0]))
        lines.append(_TAG.sub("", str(each.get("text", ""))))
        lines += plain.notation(str(each.get("_note", ""))).texts
    census = found.census("\n".join(value for each in root.iter("*") for value in (*each.values(), each.text or "")))
    names = {str(key) for each in root.iter("{*}outline") for key in each.attrib}
    lines.append(" ".join((*names, *_PARTS_OF_NAMES.findall(" ".join(names)), _NESTING)))
    census.markup += lines
    return census


def notebook(path: Path) -> Census:
    """Return the census of a notebook's cells: text as Markdown, code unchanged."""
    whole = Census()
    book = json.loads(path.read_bytes())
    cells = [*book.get("cells", ()), *(each for sheet in book.get("worksheets", ()) for each in sheet.get("cells", ()))]
    for each in cells:
        source = each.get("source", each.get("input", ""))
        source = source if isinstance(source, str) else "".join(source)
        if each.get("cell_type") == "markdown":
            whole.include(plain.notation(source))
        elif each.get("cell_type") != "raw":
            whole.include(Found([source]).census(source))
    return whole
