"""Rewrite what pandoc leaves out of the pages of an EPUB: title pages, notes in other files, drawings, directions."""

from __future__ import annotations

import copy
import posixpath
import re
from collections import Counter
from html.entities import name2codepoint
from urllib.parse import quote, unquote

from lxml import etree

from engine.families.documents import declared_columns, form_values, list_numbers
from engine.families.documents.ooxml.package import Element, Package
from engine.toolkit.data_uris import data_uri
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Warn

_OPF = "{http://www.idpf.org/2007/opf}"
_XHTML = "{http://www.w3.org/1999/xhtml}"
_SVG = "{http://www.w3.org/2000/svg}"
_TYPE = "{http://www.idpf.org/2007/ops}type"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_LANGUAGE_OF_BOOK = "{http://purl.org/dc/elements/1.1/}language"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NEEDED = re.compile(
    rb"\b(?:epub:type|role|dir)\s*=|<(?:html|body)\b[^<>]*\blang\s*=|<col\b|<(?:\w+:)?svg\b|\bsrcset\s*=|<(?:input|select|textarea)\b"
    rb"|<li\b[^<>]*\svalue\s*=|<ol\b[^<>]*\sreversed\b"
)
_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]*);")
_DOCTYPE = re.compile(rb"<!DOCTYPE[^<>\[]*>")
_NOTES = frozenset({"footnote", "rearnote", "endnote", "note", "doc-footnote", "doc-endnote"})
_REFERENCES = frozenset({"noteref", "doc-noteref"})
_BACK = frozenset({"backlink", "referrer", "doc-backlink"})
_PICTURES = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}
_SILENT = frozenset(_SVG + name for name in ("title", "desc", "metadata", "defs", "g", "style"))
"""Elements of a drawing that draw nothing themselves."""
_BLOCKS = frozenset(_XHTML + name for name in ("aside", "div", "li", "p", "section", "dd"))


def changed(book: Package, package: Element, folder: str, warn: Warn) -> dict[str, bytes]:
    """Return the parts to replace or to add, by name; `package` is changed where its list of parts changes.

    pandoc leaves out sections that are marked as title page or contents, notes in another file than their reference,
    pages that are drawings, what drawings inside of pages hold, the values of form fields, and pages outside the
    reading order (`linear`); it ignores the direction and the language of a page. All marks (`epub:type`) are removed
    except those of notes, which are moved to the end of the page that refers to them.
    """
    items = {each.get("id"): each for each in package.iter(f"{_OPF}item")}
    listed = [each for each in package.iter(f"{_OPF}itemref") if each.get("idref") in items]
    spine = [items[each.get("idref")] for each in listed]
    for each, item in zip(listed, spine, strict=True):
        if "nav" not in (item.get("properties") or "").split():
            each.attrib.pop("linear", None)
    named = next(package.iter(_LANGUAGE_OF_BOOK), None)
    language = "" if named is None else (named.text or "").strip()
    parts: dict[str, bytes] = {}
    pages: dict[str, Element] = {}
    for reference, item in zip(listed, spine, strict=True):
        name = posixpath.normpath(posixpath.join(folder, unquote(item.get("href") or "")))
        if name not in book.names:
            continue
        if item.get("media-type") == "image/svg+xml":
            parts |= _drawing(book, reference, item, name)
        elif _NEEDED.search(data := book.read(name)) and (page := _parsed(data)) is not None:
            pages[name] = page
    if pages:
        _mark_notes(pages)
        for name, page in pages.items():
            _turn(page, language)
            _choose_pictures(page)
            _simplify_fields(page, warn)
            for made, data in _draw(book, page, name).items():
                parts[made] = data
                _list(package, folder, made)
    return parts | {name: _written(page, name, warn) for name, page in pages.items()}


def _written(page: Element, name: str, warn: Warn) -> bytes:
    markup = form_values.boxes(form_values.written(etree.tostring(page, encoding="unicode")))
    markup, lost = list_numbers.split(markup)
    warn.tally(list_numbers.RENUMBERED, lost, part=name)
    return b"<?xml version='1.0' encoding='utf-8'?>\n" + declared_columns.written_out(markup).encode()


def _simplify_fields(page: Element, warn: Warn) -> None:
    """Leave the attributes of form fields that make their values, and report the fields that become text."""
    for name in form_values.TAGS:
        for each in page.iter(_XHTML + name):
            if name in form_values.FIELDS and each.get("type") != "checkbox":
                form_values.report(warn)
            if name == "textarea" and each.text is None:
                each.text = ""
            for attribute in {*each.attrib} - form_values.ATTRIBUTES.get(name, set()):
                del each.attrib[attribute]


def _parsed(data: bytes) -> Element | None:
    """Return the page; None for one that is not well-formed, which pandoc may still read."""
    plain = _ENTITY.sub(lambda found: b"&#%d;" % name2codepoint.get(found[1].decode(), 0xFFFD), _DOCTYPE.sub(b"", data))
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, collect_ids=False)
    try:
        return etree.fromstring(plain, parser)
    except etree.XMLSyntaxError:
        return None


# Notes


def _mark_notes(pages: dict[str, Element]) -> None:
    places = {
        (name, each.get("id")): each
        for name, page in pages.items()
        for each in page.iter(_XHTML + "*")
        if each.get("id")
    }
    wanted: Counter[Element] = Counter()
    references: list[tuple[Element, Element]] = []
    for name, page in pages.items():
        for link in page.iter(f"{_XHTML}a"):
            if not _is(link, _REFERENCES):
                continue
            part, _, place = unquote(link.get("href") or "").partition("#")
            there = posixpath.normpath(posixpath.join(posixpath.dirname(name), part)) if part else name
            note = places.get((there, place))
            if note is not None and note.tag in _BLOCKS and _is_apart(link, note):
                references.append((link, note))
                wanted[note] += 1
    # A note that several places refer to, or that is inside another one, remains a text with links to it.
    taken = [(link, note) for link, note in references if wanted[note] == 1]
    held = {note for _, note in taken}
    taken = [(link, note) for link, note in taken if held.isdisjoint((*link.iterancestors(), *note.iterancestors()))]
    for back in [each for _, note in taken for each in note.iter(f"{_XHTML}a") if _is(each, _BACK)]:
        _drop(back)
    for page in pages.values():
        for each in page.iter(_XHTML + "*"):
            each.attrib.pop(_TYPE, None)
            if (each.get("role") or "").startswith("doc-"):
                del each.attrib["role"]
    for number, (link, note) in enumerate(taken, start=1):
        _move(link, note, f"note-{number}")


def _is(element: Element, kinds: frozenset[str]) -> bool:
    return not kinds.isdisjoint(f"{element.get(_TYPE) or ''} {element.get('role') or ''}".split())


def _is_apart(link: Element, note: Element) -> bool:
    """Return whether a note is more than the place of its reference."""
    return note not in link.iterancestors() and (_is(note, _NOTES) or note.tag != f"{_XHTML}section")


def _move(link: Element, note: Element, name: str) -> None:
    """Put a note at the end of the page of its link, where pandoc finds it."""
    body = next(link.getroottree().getroot().iter(f"{_XHTML}body"))
    made = etree.SubElement(body, f"{_XHTML}aside", {_TYPE: "footnote", "id": name})
    inside = copy.copy(note)
    inside.tail = None
    if note.tag in (f"{_XHTML}li", f"{_XHTML}dd"):
        inside.tag = f"{_XHTML}div"
    inside.attrib.pop("id", None)
    made.append(inside)
    _drop(note)
    link.set("href", f"#{name}")
    link.set(_TYPE, "noteref")


def _drop(element: Element) -> None:
    """Remove an element, but not the text after it."""
    parent, tail = element.getparent(), element.tail or ""
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)


# Direction and language


def _turn(page: Element, language: str) -> None:
    """Wrap a page's content in elements with the direction and language that the page declares."""
    body = next(page.iter(f"{_XHTML}body"), None)
    if body is None:
        return
    said: dict[str, str] = {}
    for each in (page, body):
        if each.get("dir"):
            said["dir"] = each.get("dir")
        if each.get("lang") or each.get(_LANGUAGE):
            said["lang"] = each.get("lang") or each.get(_LANGUAGE)
    if said.get("dir", "ltr") == "ltr" and said.get("lang", language)[:2].lower() == language[:2].lower():
        return
    around = etree.Element(f"{_XHTML}div", said)
    around.text, body.text = body.text, None
    around.extend(list(body))
    body.append(around)


# Pictures and drawings


def _choose_pictures(page: Element) -> None:
    """Leave the picture that a page shows to every program, without those for other screens."""
    for each in page.iter(f"{_XHTML}img", f"{_XHTML}source"):
        others = each.attrib.pop("srcset", None)
        if others and each.tag == f"{_XHTML}img" and not each.get("src"):
            each.set("src", others.split()[0].rstrip(","))


def _draw(book: Package, page: Element, name: str) -> dict[str, bytes]:
    """Replace the drawings inside of a page by pictures; returns those that are files of their own, by name.

    A drawing around one picture, as covers have it, becomes that picture.
    """
    made: dict[str, bytes] = {}
    for each in [*page.iter(f"{_SVG}svg")]:
        inside = [child for child in each.iter() if isinstance(child.tag, str) and child is not each]
        parent = each.getparent()
        if parent is None or parent.tag.startswith(_SVG) or any(not child.tag.startswith(_SVG) for child in inside):
            continue
        shown = [child for child in inside if child.tag not in _SILENT]
        address = (
            (shown[0].get(_LINK) or shown[0].get("href")) if [each.tag for each in shown] == [f"{_SVG}image"] else None
        )
        if not address:
            drawing = f"{name}-drawing-{len(made) + 1}.svg"
            address = quote(posixpath.basename(drawing))
            made[drawing] = _embedded(book, copy.deepcopy(each), name)
        picture = etree.Element(f"{_XHTML}img", {"src": address, "alt": _words(each)})
        picture.tail = each.tail
        parent.replace(each, picture)
    return made


def _list(package: Element, folder: str, name: str) -> None:
    """Add a drawing to the parts of a package in `folder`."""
    manifest = next(package.iter(f"{_OPF}manifest"))
    address = quote(posixpath.relpath(name, folder or "."))
    etree.SubElement(
        manifest, f"{_OPF}item", {"id": f"drawing-{len(manifest)}", "href": address, "media-type": "image/svg+xml"}
    )


def _embedded(book: Package, drawing: Element, name: str) -> bytes:
    """A drawing of the part `name` as a file, with its pictures embedded."""
    for each in drawing.iter(f"{_SVG}image"):
        for key in (_LINK, "href"):
            part = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(each.get(key) or "")))
            kind = _PICTURES.get(part.rpartition(".")[2].lower())
            if kind and part in book.names:
                each.set(key, data_uri(kind, book.read(part)))
    drawing.tail = None
    file: bytes = etree.tostring(drawing, encoding="utf-8")
    return file


def _words(drawing: Element) -> str:
    return " ".join(" ".join(" ".join(each.itertext()) for each in drawing.iter(f"{_SVG}text")).split())


def _drawing(book: Package, reference: Element, item: Element, name: str) -> dict[str, bytes]:
    """Return a page that shows a drawing, described by its words, and the drawing with its pictures embedded.

    The `reference` of the spine is changed to refer to the page.
    """
    try:
        drawing = book.xml(name)
    except Unreadable:
        return {}
    page = etree.Element(f"{_XHTML}html", nsmap={None: _XHTML[1:-1]})
    paragraph = etree.SubElement(etree.SubElement(page, f"{_XHTML}body"), f"{_XHTML}p")
    etree.SubElement(paragraph, f"{_XHTML}img", {"src": quote(posixpath.basename(name)), "alt": _words(drawing)})
    listed = {
        "id": f"{item.get('id')}-page",
        "href": f"{item.get('href')}.xhtml",
        "media-type": "application/xhtml+xml",
    }
    etree.SubElement(item.getparent(), f"{_OPF}item", listed)
    reference.set("idref", listed["id"])
    return {f"{name}.xhtml": etree.tostring(page, encoding="utf-8"), name: _embedded(book, drawing, name)}
