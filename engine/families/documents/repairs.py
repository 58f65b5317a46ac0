"""Repair office documents for pandoc, which reads the stored text rather than the displayed one."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections import Counter
from html import escape
from pathlib import Path

from lxml import etree

from engine.families.documents import open_cells, ruby, text_boxes
from engine.families.documents.odf import form_fields, picture_places, plain_rows, written_fields
from engine.families.documents.odf import hidden_text as odf_hiding
from engine.families.documents.ooxml import diagram
from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.word import capitals as _capitals
from engine.families.documents.word import (
    declared_grid,
    document_properties,
    field_values,
    fields,
    hidden_text,
    long_merges,
    written_labels,
)
from engine.families.documents.word.field_values import FieldValues
from engine.families.documents.word.job import CONTROL
from engine.families.documents.word.names import W, child
from engine.families.documents.word.numbering import Numbering
from engine.families.documents.word.styles import Styles
from engine.families.documents.word.theme import Theme
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_WRAPPERS = re.compile(
    rb"<w:customXmlPr\b(?:[^<>]*/>|>(?:\s*</?w:(?:attr|placeholder)\b[^<>]*>)*\s*</w:customXmlPr>)"
    rb"|</?w:(?:customXml|dir|bdo)\b[^<>]*>"
)
"""Elements around runs and paragraphs that pandoc would drop with their content."""
_NOTED = re.compile(rb"(</w:t>)(?=<w:(?:foot|end)noteReference\b)|(<w:(?:foot|end)noteReference\b[^<>]*/>)(?=<w:t\b)")
"""A run with both text and a note reference, of which pandoc would keep only the reference."""
_NOTES = ("footnotes", "endnotes", "comments")
_BODIES = re.compile(rb"</w:body>\s*<w:body>")
_STYLE = re.compile(rb'<w:style\b[^<>]*w:styleId="([^"<>]*)"[^<>]*>\s*<w:name w:val="([^"<>]*)"')
_OF_STYLE = re.compile(rb'<w:pStyle w:val="([^"<>]*)"\s*/>')
_FIRST = re.compile(rb"(?:\s|<w:bookmark(?:Start|End)\b[^<>]*/>)*")
_MORE = b"More"
"""Ends the ids of the styles of further titles."""
_FURTHER = (
    b'<w:style w:type="paragraph" w:customStyle="1" w:styleId="%b"><w:name w:val="%b"/><w:basedOn w:val="%b"/>'
    b"</w:style>"
)
_SINGLE_STYLES = {b"title", b"subtitle", b"date", b"abstract"}


def repair(
    source: Path, target: Path, part: str, warn: Warn, *, numbered: bool, capitals: bool
) -> tuple[int, int] | None:
    """Write the docx or odt `source` to `target` in a form that pandoc reads without loss; `part` holds the text.

    Text boxes and diagrams become paragraphs after those that contain them, and ruby readings follow their words in
    brackets. Table rows that start beyond the first column get an empty cell there, and tables as many columns as their
    widest row. Pictures move to the folder where pandoc looks for them. Field results become text, and if `numbered`
    the numbers of headings, too; hidden text is left out, there is one body, and only one paragraph is the title.
    Text in capitals is written with such letters if `capitals`, for outputs without the style.
    Returns the number of places with boxes, and of readings; None if nothing had to change and nothing was written.
    Raises Unreadable for malformed XML.
    """
    with zipfile.ZipFile(source) as parts:
        changed: dict[str, bytes] = {}
        places: dict[str, str] = {}
        readings = 0
        names = parts.namelist()
        if part == "content.xml":
            content = written_fields.written(_without_hidden(source, parts.read(part), warn))
            content = _plain(plain_rows.GROUPS.sub(b"", content), warn)
            content, places = picture_places.moved(content, names)
            changed[part], readings = ruby.in_odt(content)
        else:
            folder = posixpath.dirname(part)
            with Package(source) as package:
                shown = _as_shown(package, part, folder, warn, numbered=numbered, capitals=capitals)
            for each in (part, *(posixpath.join(folder, f"{name}.xml") for name in _NOTES)):
                if each in names:
                    data = shown[each] if each in shown else parts.read(each)
                    changed[each], count = ruby.in_word(_one_body(_plain_fields(data)))
                    readings += count
            changed = shown | changed
            styles = posixpath.join(folder, "styles.xml")
            if styles in names:
                changed[part], changed[styles] = _titles(changed[part], parts.read(styles))
        with Package(source) as package:
            changed[part], boxes = text_boxes.with_boxes_moved(changed[part], lambda id: _diagram(package, part, id))
        if all(parts.read(name) == data for name, data in changed.items()):
            return None
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as copy:
            for entry in parts.infolist():
                content = changed[entry.filename] if entry.filename in changed else parts.read(entry)
                copy.writestr(zipfile.ZipInfo(places.get(entry.filename, entry.filename)), content)
    return boxes, readings


def _without_hidden(source: Path, content: bytes, warn: Warn) -> bytes:
    """The content of an OpenDocument text without its hidden parts."""
    with Package(source) as package:
        sheet = package.read("styles.xml") if "styles.xml" in package.names else b""
        if not any(hint in each for hint in odf_hiding.HINTS for each in (content, sheet)):
            return content
        root = package.xml("content.xml")
        sheets = [root, *(package.xml(each) for each in ("styles.xml",) if each in package.names)]
    hidden = odf_hiding.leave_out(root, sheets)
    hidden_text.report(hidden, warn)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8")) if hidden else content


def _plain(content: bytes, warn: Warn) -> bytes:
    """The content of an OpenDocument text with the values of its form fields, and with plain tables."""
    has_fields, has_cells = any(hint in content for hint in form_fields.HINTS), open_cells.HINT in content
    if not (has_fields or has_cells):
        return content
    try:
        root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, huge_tree=True))
    except etree.XMLSyntaxError:
        return content  # pandoc refuses it, too
    fields = form_fields.write(root) if has_fields else 0
    warn.tally(CONTROL, fields)
    changed = [fields > 0]
    if has_cells:
        if any(hint in content for hint in plain_rows.HINTS):
            changed.append(plain_rows.write_out(root))
        changed.append(plain_rows.widen(root))
        simplified, rows = open_cells.simplified(root)
        changed.append(simplified)
        if rows:
            warn(
                "VALUE_CONVERTED",
                say("{nested} rows of tables inside table cells became lines of text.", nested=rows),
            )
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8")) if any(changed) else content


def _as_shown(
    package: Package, part: str, folder: str, warn: Warn, *, numbered: bool, capitals: bool
) -> dict[str, bytes]:
    """The parts of a text as Word displays them: without hidden text, with computed fields and regular tables."""
    sheet = package.related(part, "styles")
    styles = Styles(None if sheet is None else package.xml(sheet), Theme(None))
    defined = package.related(part, "numbering")
    lists = defined if numbered else None
    found: dict[str, bytes] = {}
    hidden: list[str] = []
    forms = 0
    missing: Counter[str] = Counter()
    known = document_properties.read(package)
    capitals = capitals and (
        b"<w:caps" in package.read(part) or (sheet is not None and b"<w:caps" in package.read(sheet))
    )
    for name in package.names.intersection((part, *(posixpath.join(folder, f"{each}.xml") for each in _NOTES))):
        data = package.read(name)
        covers = styles.hides or hidden_text.MARK.search(data) is not None
        computes = b"w:instr" in data or b"w:ffData" in data
        labelled = lists is not None and name == part
        if not (covers or computes or labelled or capitals or b"<w:tbl>" in data):
            continue
        root: Element = package.xml(name)
        changes = [declared_grid.widen(each) | declared_grid.fill(each) for each in root.iter(W + "tbl")]
        cut = long_merges.cut(root.iter(W + "tbl"))
        warn.tally(long_merges.CUT, cut)
        if covers:
            hidden += hidden_text.leave_out(root, styles)
        if computes:
            values = FieldValues(root, known)
            forms += fields.write_results(root, values)
            missing += values.missing
        written = lists is not None and labelled and _numbered(root, styles, package.xml(lists), warn)
        raised = capitals and _capitals.write(root, styles)
        if covers or computes or cut or written or raised or any(changes):
            found[name] = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    if defined is not None:
        found |= _with_starts(package, defined)
    hidden_text.report(hidden, warn)
    warn.tally(CONTROL, forms)
    field_values.report(missing, warn)
    return found


def _with_starts(package: Package, lists: str) -> dict[str, bytes]:
    """The definitions of lists with a start for each level: without one pandoc counts from 1, and Word from 0."""
    root: Element = package.xml(lists)
    levels = [each for each in root.iter(W + "lvl") if child(each, "start") is None]
    for each in levels:
        start = etree.Element(W + "start")
        start.set(W + "val", "0")
        each.insert(0, start)
    return {lists: etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)} if levels else {}


def _numbered(root: Element, styles: Styles, lists: Element, warn: Warn) -> bool:
    return written_labels.write(root, styles, Numbering(lists, styles.theme), warn)


def _diagram(package: Package, part: str, id: str) -> bytes:
    texts = (line for _, body in diagram.bodies_by_relation(package, part, id) for line in diagram.lines(body))
    return "".join(f"<w:p><w:r><w:t>{escape(each, quote=False)}</w:t></w:r></w:p>" for each in texts).encode()


def _plain_fields(data: bytes) -> bytes:
    """The same text with simple fields replaced by their runs."""
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
    """The same text in one body, without wrappers of runs and paragraphs, and note references in separate runs."""
    data = _NOTED.sub(rb"\g<0></w:r><w:r>", data)
    return _BODIES.sub(b"", _WRAPPERS.sub(b"", data))


def _titles(data: bytes, styles: bytes) -> tuple[bytes, bytes]:
    """The same text with each title style only on the first paragraph that has it; others have a style based on it.

    Given several at the start of a document, pandoc keeps none.
    """
    names = {id: name.lower() for id, name in _STYLE.findall(styles) if name.lower() in _SINGLE_STYLES}
    start = data.find(b"<w:body>")
    if start < 0 or not names:
        return data, styles
    at, seen = start + len(b"<w:body>"), set()
    more: set[bytes] = set()
    pieces, copied = [], 0
    while True:
        opening = _FIRST.match(data, at)
        at = opening.end() if opening else at
        end = data.find(b"</w:p>", at)
        if end < 0 or not data.startswith((b"<w:p>", b"<w:p "), at):
            break
        paragraph = data[at : end + len(b"</w:p>")]
        style = _OF_STYLE.search(paragraph)
        has_text = b"<w:t>" in paragraph or b"<w:t " in paragraph
        if style is None or style[1] not in names:
            if has_text:
                break
        elif names[style[1]] in seen or not has_text:
            pieces += [data[copied : at + style.start(1)], style[1], _MORE]
            copied = at + style.end(1)
            more.add(style[1])
        else:
            seen.add(names[style[1]])
        at = end + len(b"</w:p>")
    added = b"".join(_FURTHER % (each + _MORE, each + _MORE, each) for each in sorted(more))
    return b"".join([*pieces, data[copied:]]), styles.replace(b"</w:styles>", added + b"</w:styles>")
