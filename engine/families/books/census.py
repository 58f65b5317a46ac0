"""Count the words, pictures, notes, links and pages of e-books."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from engine.toolkit import grids
from engine.toolkit.census import Census, Counting
from engine.toolkit.formats import AZW3, CBZ, EPUB, FB2, MOBI
from engine.toolkit.word_search import DIVISION

_ITEM = re.compile(rb"<(?:\w+:)?item\b([^<>]*)>")
_SPINE = re.compile(rb"<(?:\w+:)?itemref\b([^<>]*)>")
_ROOT = re.compile(rb"<(?:\w+:)?rootfile\b([^<>]*)>")
_ATTRIBUTE = re.compile(rb"""(?<![\w:-])([\w:-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_INLINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "label", "mark", "q", "rb", "rt", "rtc", "ruby", "s", "samp", "small", "span", "strike", "strong", "time",
    "tt", "u", "var", "wbr", "emphasis", "strikethrough", "style",
})  # fmt: skip
_RAISED = frozenset({"sub", "sup"})
_HIDDEN = frozenset({"script", "style", "head", "title", "template", "rp", "svg", "math", "nav", "annotation"})


_REFERENCES = frozenset({"noteref", "doc-noteref", "note"})
_NOTE = re.compile(r"\b(?:footnote|rearnote|endnote)\b")
_NUMBER = re.compile(r"[\W\d_]{1,40}")
"""The title of a note that is its number or sign, which the writer generates."""
_BACK = re.compile(r"\b(?:backlink|referrer|doc-backlink)\b")
_TAG_OF_PAGE = re.compile(rb"<\?xml[^<>]*\?>|<!DOCTYPE[^<>]*>|</?(?:html|body|mbp:\w+)\b[^<>]*>", re.IGNORECASE)
_PICTURE = re.compile(r"\.(?:jpe?g?|png|gif|webp|avif|hei[cf]|jxl|bmp|tiff?)$", re.IGNORECASE)
_PICTURE_HEAD = re.compile(
    rb"\xff\xd8\xff|\x89PNG|GIF8|RIFF....WEBP|....ftyp(?:avi|he|mif)|\xff\n|\0\0\0\x0cJXL|BM|II\*\0|MM\0\*", re.DOTALL
)
_OUTSIDE = re.compile(r"(?!javascript:|vbscript:|data:|kindle:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def _pages(path: Path) -> Census:
    """Count the pages of an EPUB's spine."""
    from lxml import html

    census = Census()
    notes: Counter[str] = Counter()
    with zipfile.ZipFile(path) as archive:
        package = _given(_ROOT.findall(archive.read("META-INF/container.xml"))[0])["full-path"]
        listed = archive.read(package)
        items = {each.get("id", ""): each for each in map(_given, _ITEM.findall(listed))}
        for each in map(_given, _SPINE.findall(listed)):
            item = items.get(each.get("idref", ""), {})
            name = posixpath.normpath(posixpath.join(posixpath.dirname(package), unquote(item.get("href", ""))))
            if "nav" in item.get("properties", "").split() or name not in archive.NameToInfo:
                continue
            if item.get("media-type") == "image/svg+xml":
                census.add("pictures")
            elif "html" in item.get("media-type", "") and (page := archive.read(name)).strip():
                root = html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8"))
                notes.update(_notes(root, name))
                _walk(root, census)
    _add_notes(notes, census)
    return census


def _notes(root: Any, name: str) -> Iterator[str]:
    """Yield the location of each note that the page `name` refers to, except from inside notes."""
    for each in root.iter("a"):
        part, mark, place = each.get("href", "").partition("#")
        if mark and _is_reference(each) and not any(map(_is_note, each.iterancestors())):
            there = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(part))) if part else name
            yield f"{there}#{place}"


def _add_notes(notes: Counter[str], census: Census) -> None:
    # A text that several places refer to is not a note in other formats, but a text with links to it.
    if count := sum(times == 1 for times in notes.values()):
        census.add("notes", count)


def _kinds_of(element: Any) -> str:
    return f"{element.get('epub:type', '')} {element.get('role', '')} {element.get('type', '')}"


def _is_reference(element: Any) -> bool:
    return not _REFERENCES.isdisjoint(_kinds_of(element).split())


def _is_note(element: Any) -> bool:
    return bool(_NOTE.search(_kinds_of(element)))


def _fiction(path: Path) -> Census:
    """Count the bodies of a FictionBook file."""
    from lxml import etree

    census = Census()
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, huge_tree=False)
    root = etree.parse(path, parser).getroot()
    held = {f"#{each.get('id')}" for each in root.iter("{*}binary")}
    for body in root.iter("{*}body"):
        for each in [*body.iter("{*}image")]:
            if not held.intersection(each.values()):  # the file lacks the picture that it refers to
                each.attrib.clear()
    notes = Counter(_address(each) for each in root.iter("{*}a") if _is_reference(each))
    for section in root.iter("{*}section"):
        title = section.find("{*}title") if f"#{section.get('id')}" in notes else None
        if title is not None and _NUMBER.fullmatch("".join(title.itertext())):
            title.clear(keep_tail=True)
    for body in root.iter("{*}body"):
        _walk(body, census)
    _add_notes(notes, census)
    return census


def _walk(root: Any, census: Census) -> None:
    pieces: list[str] = []

    def visit(element: Any) -> None:
        tag = re.split("[}:]", element.tag)[-1] if isinstance(element.tag, str) else ""
        if tag and tag not in (_HIDDEN if element.tag[0] != "{" else ()):
            # Note numbers, and the links back from notes, are generated by the writer.
            is_number = tag == "a" and (_is_reference(element) or bool(_BACK.search(_kinds_of(element))))
            mark = DIVISION if tag in _RAISED else "" if tag in _INLINE and not is_number else "\n"
            pieces.append(mark + ("" if is_number else element.text or ""))
            for each in () if is_number else element:
                visit(each)
            pieces.append(mark)
        pieces.append(element.tail or "")

    for each in root.iter("img", "{*}image"):
        source = each.get("src") or next((value for name, value in each.items() if name.endswith("href")), "")
        if source and "//" not in source[:8]:
            census.add("pictures")
    grids.of_tree(root, census)
    links = sum(bool(_OUTSIDE.match(_address(each))) for each in root.iter("a", "{*}a"))
    if links:
        census.add("links", links)
    visit(root)
    census.texts += [each.strip() for each in "".join(pieces).split("\n") if each.strip()]


def _kindle(path: Path) -> Census:
    """Count the markup of a Mobipocket or Kindle book, in the newer format if a file has both."""
    from lxml import html

    from engine.families.books.mobi import records, unpacking

    census = Census()
    book = records.read(path.read_bytes())
    found = records.header(book)
    header = records.second(book, found) or found
    text = unpacking.pages(book, header, unpacking.text(book, header))
    if book.kind == records.PALM and not header.version:
        census.texts += [each.decode("latin-1") for each in text.split(b"\n") if each.isascii()]
        return census
    # The parser counts text between two pages as part of the page before.
    root = html.document_fromstring(_TAG_OF_PAGE.sub(b"\n", text), parser=html.HTMLParser(encoding=header.encoding))
    for each in root.iter("img"):
        if each.get("recindex") or each.get("hirecindex"):
            each.set("src", "picture")
    _walk(root, census)
    return census


def _comic(path: Path) -> Census:
    """Count the pictures of an archive, each of which is a page."""
    census = Census()
    with zipfile.ZipFile(path) as archive:
        for each in archive.namelist():
            folder, _, name = each.rpartition("/")
            if "__MACOSX" in folder or name.startswith(".") or not _PICTURE.search(name):
                continue
            with archive.open(each) as file:
                if _PICTURE_HEAD.match(file.read(32)):
                    census.add("pictures")
                    census.add("pages")
    return census


def _address(link: Any) -> str:
    return next((value.strip() for name, value in link.items() if name.endswith("href")), "")


def _given(tag: bytes) -> dict[str, str]:
    return {name.decode(): (a or b).decode("utf-8", "replace") for name, a, b in _ATTRIBUTE.findall(tag)}


_KINDS = frozenset({"words", "pictures", "notes", "links", "tables", "cells"})
_KINDLE = ("lxml.html", "engine.families.books.mobi.unpacking")

COUNTINGS = {
    EPUB: Counting(_pages, _KINDS, modules=("lxml.html",)),
    FB2: Counting(_fiction, _KINDS, modules=("lxml.etree",)),
    MOBI: Counting(_kindle, _KINDS - {"notes"}, modules=_KINDLE),
    AZW3: Counting(_kindle, _KINDS - {"notes"}, modules=_KINDLE),
    CBZ: Counting(_comic, frozenset({"pictures", "pages"})),
}
