"""Apply marked styles to an OpenDocument text as automatic styles, and its paper size (ODF 1.3)."""

from __future__ import annotations

import zipfile
from pathlib import Path

from lxml import etree

from engine.families.documents.odf.names import FO, OFFICE, STYLE, TABLE, TEXT
from engine.families.documents.ooxml.package import Element
from engine.families.documents.style_transfer import open_document_heads
from engine.families.documents.style_transfer.marks import Marks, extract_styles
from engine.families.documents.style_transfer.open_document_styles import (
    Automatic,
    block_properties,
    cell_properties,
    run_properties,
    tab_stops,
)
from engine.families.documents.style_transfer.styles import Block, Cell, Grid, Run
from engine.toolkit import archive

_PARAGRAPHS = (f"{TEXT}p", f"{TEXT}h")
_SIDES = ("top", "right", "bottom", "left")


def apply(path: Path, marks: Marks) -> None:
    """Replace the marks in a text by styles, in place."""
    with zipfile.ZipFile(path) as file:
        parts = {each.filename: file.read(each) for each in file.infolist()}
        entries = {each.filename: each for each in file.infolist()}
    parts["content.xml"] = _content(parts["content.xml"], marks)
    parts["styles.xml"] = _common(parts["styles.xml"], marks)
    parts["meta.xml"] = marks.removed(parts["meta.xml"].decode()).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in parts.items():
            file.writestr(entries.get(name) or archive.entry(name), part)


def _parsed(data: bytes) -> Element:
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, huge_tree=True))


def _content(data: bytes, marks: Marks) -> bytes:
    root = _parsed(data)
    _plain_tables(root)
    styles = Automatic(root)
    _unhead(root.find(f"{OFFICE}body/{OFFICE}text"), marks)
    for paragraph, formatting in extract_styles(root, marks, _PARAGRAPHS):
        if isinstance(formatting, Block):
            styles.give(paragraph, TEXT, "paragraph", formatting, block_properties(formatting), tab_stops(formatting))
        elif (
            isinstance(formatting, Cell)
            and (cell := next(paragraph.iterancestors(f"{TABLE}table-cell"), None)) is not None
        ):
            styles.give(cell, TABLE, "table-cell", formatting, cell_properties(formatting))
            row = cell.getparent()
            if formatting.height and not row.get(f"{TABLE}style-name"):
                height = {f"{STYLE}min-row-height": f"{formatting.height:g}pt"}
                styles.give(row, TABLE, "table-row", formatting.height, height)
        elif (
            isinstance(formatting, Grid)
            and formatting.align
            and (table := next(paragraph.iterancestors(f"{TABLE}table"), None)) is not None
        ):
            styles.give(table, TABLE, "table", formatting.align, {f"{TABLE}align": formatting.align})
    if marks.heads is not None and marks.heads.starts is not None:
        _number(root, marks.heads.starts, styles)
    names: dict[Run, str] = {
        formatting: styles.name("text", "", formatting, run_properties(formatting))
        for formatting in marks.styles
        if isinstance(formatting, Run)
    }

    def span(formatting: Run, text: str) -> str:
        return f'<text:span text:style-name="{names[formatting]}">{text}</text:span>'

    text = marks.replaced(marks.outside_tags(etree.tostring(root, encoding="unicode")), span, tab="<text:tab/>")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + text.encode()


def _unhead(text: Element, marks: Marks) -> None:
    """Remove authors and a title that only the metadata states."""
    for author in [] if marks.bylined else text.findall(f"{TEXT}p[@{TEXT}style-name='Author']"):
        text.remove(author)
    for title in [] if marks.titled else text.findall(f"{TEXT}p[@{TEXT}style-name='Title']")[:1]:
        text.remove(title)


def _plain_tables(root: Element) -> None:
    """Remove the looks that pandoc gives tables, whose marks say how they look: centred, with bold heads."""
    for properties in root.iterfind(f"{OFFICE}automatic-styles/{STYLE}style/{STYLE}table-properties[@{TABLE}align]"):
        properties.set(f"{TABLE}align", "left")
    for style in root.iterfind(f"{OFFICE}automatic-styles/{STYLE}style[@{STYLE}parent-style-name='Table_20_Heading']"):
        style.set(f"{STYLE}parent-style-name", "Table_20_Contents")
    for paragraph in root.iter(f"{TEXT}p"):
        if paragraph.get(f"{TEXT}style-name") == "Table_20_Heading":
            paragraph.set(f"{TEXT}style-name", "Table_20_Contents")


def _number(root: Element, starts: int, styles: Automatic) -> None:
    """Set the first page number, through the first paragraph's style."""
    outside = (each for each in root.iterfind(f"{OFFICE}body/{OFFICE}text//*") if each.tag in _PARAGRAPHS)
    first = next((each for each in outside if next(each.iterancestors(f"{TABLE}table"), None) is None), None)
    if first is not None:
        style = styles.give(first, TEXT, "paragraph", ("starts", starts), {f"{STYLE}page-number": str(starts)})
        style.set(f"{STYLE}master-page-name", "Standard")


def _common(data: bytes, marks: Marks) -> bytes:
    """The default styles, and the paper."""
    root = _parsed(data)
    attributes = run_properties(marks.usual)
    for style in root.iterfind(f"{OFFICE}styles/{STYLE}style"):
        if style.get(f"{STYLE}name") == "Standard" and style.get(f"{STYLE}family") == "paragraph" and attributes:
            properties = style.find(f"{STYLE}text-properties")
            if properties is None:
                properties = etree.SubElement(style, f"{STYLE}text-properties")
            for attribute, value in attributes.items():
                properties.set(attribute, value)
    if marks.paper:
        width, height, *around = (f"{each:g}pt" for each in marks.paper)
        for layout in root.iter(f"{STYLE}page-layout-properties"):
            layout.set(f"{FO}page-width", width)
            layout.set(f"{FO}page-height", height)
            layout.set(f"{STYLE}print-orientation", "landscape" if marks.paper[0] > marks.paper[1] else "portrait")
            for side, length in zip(_SIDES, around, strict=True):
                layout.set(f"{FO}margin-{side}", length)
    if marks.heads is not None:
        open_document_heads.write(root, marks.heads)
    made: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return made
