"""Count the words, pictures and links of e-books."""

from __future__ import annotations

import posixpath
import re
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from engine.toolkit.census import Census, Counting
from engine.toolkit.formats import EPUB, FB2

_ITEM = re.compile(rb"<(?:\w+:)?item\b([^>]*)>")
_SPINE = re.compile(rb"<(?:\w+:)?itemref\b([^>]*)>")
_ROOT = re.compile(rb"<(?:\w+:)?rootfile\b([^>]*)>")
_ATTRIBUTE = re.compile(rb"""([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_INLINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "label", "mark", "q", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "time", "tt", "u",
    "var", "wbr", "emphasis", "strikethrough", "style",
})  # fmt: skip
_HIDDEN = frozenset({"script", "style", "head", "title", "template", "rp", "rt", "svg", "math", "nav", "annotation"})


def _pages(path: Path) -> Census:
    """Count the pages of an EPUB's spine."""
    from lxml import html

    census = Census()
    with zipfile.ZipFile(path) as archive:
        package = _given(_ROOT.findall(archive.read("META-INF/container.xml"))[0])["full-path"]
        listed = archive.read(package)
        items = {each.get("id", ""): each for each in map(_given, _ITEM.findall(listed))}
        for each in map(_given, _SPINE.findall(listed)):
            item = items.get(each.get("idref", ""), {})
            if "html" not in item.get("media-type", "") or "nav" in item.get("properties", "").split():
                continue
            name = posixpath.normpath(posixpath.join(posixpath.dirname(package), unquote(item.get("href", ""))))
            if name in archive.NameToInfo and (page := archive.read(name)).strip():
                _walk(html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8")), census)
    return census


def _fiction(path: Path) -> Census:
    """Count the bodies of a FictionBook file."""
    from lxml import etree

    census = Census()
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, huge_tree=False)
    root = etree.parse(path, parser).getroot()
    held = {f"#{each.get('id')}" for each in root.iter("{*}binary")}
    for body in root.iter("{*}body"):
        for each in [*body.iter("{*}image")]:
            if not held.intersection(each.values()):  # the picture that it refers to is missing from the file
                each.attrib.clear()
        _walk(body, census)
    return census


def _walk(root: Any, census: Census) -> None:
    pieces: list[str] = []

    def visit(element: Any) -> None:
        tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        if tag and tag not in (_HIDDEN if element.tag[0] != "{" else ()):
            is_note = tag == "a" and ("noteref" in element.get("epub:type", "") or element.get("role") == "doc-noteref")
            mark = "" if tag in _INLINE and not is_note else "\n"
            pieces.append(mark + (element.text or ""))
            for each in element:
                visit(each)
            pieces.append(mark)
        pieces.append(element.tail or "")

    for each in root.iter("img", "{*}image"):
        source = each.get("src") or next((value for name, value in each.items() if name.endswith("href")), "")
        if source and "//" not in source[:8]:
            census.add("pictures")
    visit(root)
    census.texts += [each.strip() for each in "".join(pieces).split("\n") if each.strip()]


def _given(tag: bytes) -> dict[str, str]:
    return {name.decode(): (a or b).decode("utf-8", "replace") for name, a, b in _ATTRIBUTE.findall(tag)}


_KINDS = frozenset({"words", "pictures"})

COUNTINGS = {
    EPUB: Counting(_pages, _KINDS, modules=("lxml.html",)),
    FB2: Counting(_fiction, _KINDS, modules=("lxml.etree",)),
}
