"""Headers and footers of an OpenDocument text: its master page and their space (ODF 1.3, 16)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree

from engine.families.documents.odf.names import FO, OFFICE, STYLE, TEXT, XLINK
from engine.families.documents.ooxml.package import Element
from engine.families.documents.style_transfer.heads import Heads, Kind, Line, Lines, Piece
from engine.families.documents.style_transfer.open_document_styles import (
    Automatic,
    block_properties,
    run_properties,
    tab_stops,
)

_KINDS: tuple[tuple[Kind, str], ...] = (("default", ""), ("even", "-left"), ("first", "-first"))
_TAG = {"text": "span", "tab": "tab", "break": "line-break", "page": "page-number", "pages": "page-count"}
_INCH = 72.0
_LEAST = 2.8
"""The height of an empty header or footer in points; the remaining space is spacing that its text may use."""
_BLANKS = re.compile(r"(^ +| {2,}| +$)")


def write(root: Element, heads: Heads) -> None:
    """Give all pages of the text, whose common styles are `root`, exactly these headers and footers."""
    styles = Automatic(root)
    page = root.find(f"{OFFICE}master-styles/{STYLE}master-page")
    layout = next(root.iter(f"{STYLE}page-layout"))
    for each in list(page):
        page.remove(each)
    for name, side, edge, distance in (
        ("header", heads.heads, "top", heads.above),
        ("footer", heads.feet, "bottom", heads.below),
    ):
        for each in layout.findall(f"{STYLE}{name}-style"):
            layout.remove(each)
        made = etree.SubElement(layout, f"{STYLE}{name}-style")
        if shown := heads.shown(side):
            _side(page, name, shown, styles)
            _room(layout, made, edge, distance)


def _side(page: Element, name: str, shown: Mapping[Kind, Lines], styles: Automatic) -> None:
    for kind, ending in _KINDS:
        if kind in shown:
            at = etree.SubElement(page, f"{STYLE}{name}{ending}")
            for line in shown[kind] or (Line(),):
                _line(at, line, styles)


def _room(layout: Element, side: Element, edge: str, distance: float) -> None:
    """Place the header or footer at its distance, leaving the text where it was."""
    page = layout.find(f"{STYLE}page-layout-properties")
    margin = page.get(f"{FO}margin-{edge}") or ""
    whole = float(margin.removesuffix("pt")) if margin.endswith("pt") else _INCH
    kept = min(distance, max(whole - 1, 0.0))
    page.set(f"{FO}margin-{edge}", f"{kept:g}pt")
    room = max(whole - kept, _LEAST)
    within = {f"{FO}min-height": f"{room:g}pt", f"{STYLE}dynamic-spacing": "true"}
    within[f"{FO}margin-{'bottom' if edge == 'top' else 'top'}"] = f"{room - _LEAST:g}pt"
    etree.SubElement(side, f"{STYLE}header-footer-properties", within)


def _line(at: Element, line: Line, styles: Automatic) -> None:
    paragraph = etree.SubElement(at, f"{TEXT}p", {f"{TEXT}style-name": "Standard"})
    styles.give(paragraph, TEXT, "paragraph", line.block, block_properties(line.block), tab_stops(line.block))
    for each in line.pieces:
        _piece(paragraph, each, styles)


def _piece(paragraph: Element, piece: Piece, styles: Automatic) -> None:
    if piece.link:
        paragraph = etree.SubElement(paragraph, f"{TEXT}a", {f"{XLINK}type": "simple", f"{XLINK}href": piece.link})
    span = etree.SubElement(paragraph, f"{TEXT}span")
    styles.give(span, TEXT, "text", piece.formatting, run_properties(piece.formatting))
    if piece.what == "text":
        _spaced(span, piece.text)
        return
    made = etree.SubElement(span, TEXT + _TAG[piece.what])
    if piece.what in ("page", "pages"):
        made.set(f"{STYLE}num-format", piece.text)
        made.text = "1"
        if piece.what == "page":
            made.set(f"{TEXT}select-page", "current")


def _spaced(span: Element, text: str) -> None:
    """Write a text, preserving all spaces."""
    pieces = _BLANKS.split(text)
    span.text = pieces[0]
    for blanks, after in zip(pieces[1::2], pieces[2::2], strict=True):
        etree.SubElement(span, f"{TEXT}s", {f"{TEXT}c": str(len(blanks))}).tail = after
