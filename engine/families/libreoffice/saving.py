"""Save a document in another LibreOffice format, reproducibly."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pikepdf

from engine.families.libreoffice import drawing
from engine.toolkit import archive
from engine.toolkit.formats import DOCX, FORMATS, ODT, PPTX
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

warm = drawing.warm

_FILTERS = {
    DOCX: "MS Word 2007 XML",
    ODT: "writer8",
    PPTX: "Impress MS PowerPoint 2007 XML",
}
"""The suite's own filter names."""

_MOMENTS = {
    "docProps/core.xml": re.compile(rb"<dcterms:(created|modified)\b[^<>]*>[^<]*</dcterms:\1>"),
    "docProps/app.xml": re.compile(rb"<(TotalTime)>[^<]*</TotalTime>"),
    "meta.xml": re.compile(rb"<(dc:date|meta:creation-date|meta:editing-duration|meta:editing-cycles)>[^<]*</\1>"),
    "word/settings.xml": re.compile(rb"<w:(rsids)>.*?</w:rsids>", re.DOTALL),
    "settings.xml": re.compile(rb"<config:config-item config:name=\"Rsid[^<>]*>[^<]*</config:config-item>"),
}
"""Content derived from the clock or random numbers, by the part that contains it."""

_FIELD = re.compile(rb'(<a:fld id=")\{[0-9A-Fa-f-]{36}\}')

_CHANGE = re.compile(rb'"ct[0-9]{6,}"')
"""The name of a tracked change in OpenDocument, which is a memory address."""

_ANNOTATION = re.compile(rb"(__Annotation__[0-9]+)_[0-9]+")

_SHOWN = "COMMENTS_DROPPED", "VALUE_CONVERTED"
"""Losses of a PDF that a saved document does not have."""


def to_office(source: Path, target: Path, warn: Warn) -> None:
    """Write the document in `source` in the format whose id is the suffix of `target`.

    Raises Unreadable for a damaged, protected or mismatched file, and OverLimit for one that is too large.
    """
    output = FORMATS[target.suffix[1:]]
    drawn = Warn()
    kit = drawing.opened(source, drawn, whole=True)
    for each in drawn.warnings:
        if each.code not in _SHOWN:
            warn(each.code, each.message)
    saved = target.with_name(f"saved.{output.id}")
    drawing.done(kit.run("WriteAs", saved.as_uri(), _FILTERS[output]), "written")
    with zipfile.ZipFile(saved) as parts, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name in parts.namelist():
            data = parts.read(name)
            if pattern := _MOMENTS.get(name):
                data = pattern.sub(b"", data)
            if name.startswith("ppt/"):
                data = _FIELD.sub(rb"\g<1>{00000000-0000-4000-8000-000000000001}", data)
            if name == "content.xml":
                data = _renamed(data)
            file.writestr(archive.entry(name, stored=name == "mimetype"), data)


def to_svg(source: Path, target: Path, warn: Warn) -> None:
    """Write the first page of the drawing in `source` as SVG; raises as `to_office` does."""
    kit = drawing.opened(source, warn)
    drawn = target.with_name("drawn.pdf")
    drawing.done(kit.run("WritePdf", drawn.as_uri(), "draw_pdf_Export", "", "no", "no", "no"), "written")
    with pikepdf.open(drawn) as pdf:
        if (more := len(pdf.pages) - 1) > 0:
            warn(
                "CONTENT_DROPPED",
                say("{more} more pages were left out. Use odg-to-pdf to convert all of them.", more=more),
            )
    drawing.done(kit.run("WriteAs", target.as_uri(), "draw_svg_Export"), "written")


def _renamed(data: bytes) -> bytes:
    names: dict[bytes, bytes] = {}
    data = _CHANGE.sub(lambda found: names.setdefault(found[0], b'"ct%d"' % (len(names) + 1)), data)
    return _ANNOTATION.sub(rb"\1", data)
