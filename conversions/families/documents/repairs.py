"""Repairs: office texts as pandoc reads them without loss, with boxes and readings behind what they belong to."""

from __future__ import annotations

import posixpath
import re
import zipfile
from html import escape
from pathlib import Path

from conversions.families.documents import ruby, text_boxes
from conversions.families.documents.ooxml import diagram
from conversions.families.documents.ooxml.package import Package

_ROW = re.compile(rb"<w:trPr[ >].*?</w:trPr>", re.DOTALL)
_SKIPPED = re.compile(rb'<w:gridBefore\b[^>]*?w:val="([1-9]\d?)"')
_WRAPPERS = re.compile(
    rb"<w:customXmlPr\b(?:[^<>]*/>|>(?:\s*</?w:(?:attr|placeholder)\b[^<>]*>)*\s*</w:customXmlPr>)"
    rb"|</?w:(?:customXml|dir|bdo)\b[^<>]*>"
)
"""Around runs and paragraphs that pandoc would leave out with them."""
_NOTED = re.compile(rb"(</w:t>)(?=<w:(?:foot|end)noteReference\b)|(<w:(?:foot|end)noteReference\b[^<>]*/>)(?=<w:t\b)")
"""Where text and the mark of a note stand in one run, of which pandoc would keep the mark."""
_NOTES = ("footnotes", "endnotes", "comments")
_BODIES = re.compile(rb"</w:body>\s*<w:body>")
_STYLE = re.compile(rb'<w:style\b[^<>]*w:styleId="([^"<>]*)"[^<>]*>\s*<w:name w:val="([^"<>]*)"')
_OF_STYLE = re.compile(rb'<w:pStyle w:val="([^"<>]*)"\s*/>')
_FIRST = re.compile(rb"(?:\s|<w:bookmark(?:Start|End)\b[^<>]*/>)*")
_SAID_ONCE = {b"title", b"subtitle", b"date", b"abstract"}
_BLANK = b'<w:tc><w:tcPr><w:gridSpan w:val="%s"/></w:tcPr><w:p/></w:tc>'


def release(source: Path, target: Path, part: str) -> tuple[int, int] | None:
    """Write the docx or odt `source` to `target` as pandoc reads it without loss; `part` is the one with the text.

    The paragraphs of text boxes and diagrams stand after those that hold them, readings in brackets behind their words,
    rows that begin beside the first column of their table have an empty cell there, results of fields are text, all of
    them in one body, and only one paragraph is the title. Gives in how many places there were boxes, and how many
    readings; None where all is as it should be and nothing is written. Raises Unreadable for XML that is malformed.
    """
    with zipfile.ZipFile(source) as parts:
        changed: dict[str, bytes] = {}
        readings = 0
        names = parts.namelist()
        if part == "content.xml":
            changed[part], readings = ruby.in_odt(parts.read(part))
        else:
            folder = posixpath.dirname(part)
            for each in (part, *(posixpath.join(folder, f"{name}.xml") for name in _NOTES)):
                if each in names:
                    changed[each], count = ruby.in_word(_one_body(_plain_fields(_whole_rows(parts.read(each)))))
                    readings += count
            styles = posixpath.join(folder, "styles.xml")
            changed[part] = _titles(changed[part], parts.read(styles) if styles in names else b"")
        with Package(source) as package:
            changed[part], boxes = text_boxes.moved(changed[part], lambda id: _diagram(package, part, id))
        if all(parts.read(name) == data for name, data in changed.items()):
            return None
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as copy:
            for entry in parts.infolist():
                content = changed[entry.filename] if entry.filename in changed else parts.read(entry)
                copy.writestr(zipfile.ZipInfo(entry.filename), content)
    return boxes, readings


def _diagram(package: Package, part: str, id: str) -> bytes:
    said = (line for _, body in diagram.of_relation(package, part, id) for line in diagram.lines(body))
    return "".join(f"<w:p><w:r><w:t>{escape(each, quote=False)}</w:t></w:r></w:p>" for each in said).encode()


def _whole_rows(data: bytes) -> bytes:
    """The same text with an empty cell for the columns that a row leaves out (ECMA-376, part 1, 17.4.15)."""
    if b"<w:gridBefore" not in data:
        return data

    def filled(row: re.Match[bytes]) -> bytes:
        skipped = _SKIPPED.search(row[0])
        return row[0] + _BLANK % skipped[1] if skipped else row[0]

    return _ROW.sub(filled, data)


def _plain_fields(data: bytes) -> bytes:
    """The same text with what fields in one element say as runs."""
    first, *rest = data.split(b"<w:fldSimple ")
    pieces = [first]
    for piece in rest:
        inside, ended, after = piece.partition(b"</w:fldSimple>")
        attributes, _, content = inside.partition(b">")
        if b"HYPERLINK" in attributes or attributes.endswith(b"/") or not ended:
            pieces += [b"<w:fldSimple ", piece]
        else:
            pieces += [content, after]
    return b"".join(pieces)


def _one_body(data: bytes) -> bytes:
    """The same text in one body, without what is around runs and paragraphs, marks of notes in runs of their own."""
    data = _NOTED.sub(rb"\g<0></w:r><w:r>", data)
    return _BODIES.sub(b"", _WRAPPERS.sub(b"", data))


def _titles(data: bytes, styles: bytes) -> bytes:
    """The same text where only the first paragraph that says the title, and so on, has the style of one.

    Of several at the start of a document pandoc keeps none.
    """
    names = {id: name.lower() for id, name in _STYLE.findall(styles) if name.lower() in _SAID_ONCE}
    start = data.find(b"<w:body>")
    if start < 0 or not names:
        return data
    at, seen = start + len(b"<w:body>"), set()
    pieces, copied = [], 0
    while True:
        opening = _FIRST.match(data, at)
        at = opening.end() if opening else at
        end = data.find(b"</w:p>", at)
        if end < 0 or not data.startswith((b"<w:p>", b"<w:p "), at):
            break
        paragraph = data[at : end + len(b"</w:p>")]
        style = _OF_STYLE.search(paragraph)
        said = b"<w:t>" in paragraph or b"<w:t " in paragraph
        if style is None or style[1] not in names:
            if said:
                break
        elif names[style[1]] in seen or not said:
            pieces += [data[copied : at + style.start()]]
            copied = at + style.end()
        else:
            seen.add(names[style[1]])
        at = end + len(b"</w:p>")
    return b"".join([*pieces, data[copied:]])
