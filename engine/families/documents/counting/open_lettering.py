"""Read the looks of the letters and the paragraphs of an OpenDocument text (OpenDocument 1.3, part 3, 16 and 20)."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from engine.families.documents.counting import blocks, open_blocks
from engine.families.documents.counting.blocks import LISTED
from engine.families.documents.counting.lettering import Look, Paragraph, Styles, inherited
from engine.families.documents.counting.open_document import (
    BLANK,
    DRAW,
    FO,
    NO_FILL,
    OFFICE,
    SKIPPED,
    STYLE,
    TEXT,
    parser,
    without,
)
from engine.toolkit.census import Census

_LINES = {"underlines": "text-underline", "strikes": "text-line-through"}
_BOLD = frozenset({"bold", "600", "700", "800", "900"})
_SLANTED = frozenset({"italic", "oblique"})
_APART = frozenset({f"{TEXT}note", f"{DRAW}text-box"})


def count(path: Path) -> Census:
    """Return the census of the words of the body and its notes by the look of their letters, and of the paragraphs of
    the body by theirs."""
    census = Census()
    styles, of_blocks = Styles(), Styles()
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        root = etree.fromstring(archive.read("content.xml"), parser())
        if "styles.xml" in names:
            _read(etree.fromstring(archive.read("styles.xml"), parser()), styles, of_blocks)
        _read(root, styles, of_blocks)
    body = root.find(f"{OFFICE}body")
    if body is not None:
        for each in list(body.iter(*SKIPPED)):
            if each.getparent() is not None:
                without(each)
        for paragraph in body.iter(f"{TEXT}p", f"{TEXT}h"):
            around = styles.of(("paragraph", paragraph.get(f"{TEXT}style-name", "")))
            pieces = [*_pieces(paragraph, around, styles)]
            words = Paragraph(census)
            for text, look in pieces:
                words.text(text, look)
            words.end()
            _add_block(paragraph, "".join(text for text, _ in pieces), of_blocks, census)
    return census


def _add_block(paragraph: Any, text: str, styles: Styles, census: Census) -> None:
    """Count a paragraph, unless it is of a note or a frame."""
    around = [each.tag for each in paragraph.iterancestors()]
    if not _APART.isdisjoint(around):
        return
    listed = {LISTED: True} if f"{TEXT}list" in around else {}
    look = inherited((styles.of(paragraph.get(f"{TEXT}style-name", "")), listed))
    blocks.add(census, text, look)


def _read(root: Any, styles: Styles, of_blocks: Styles) -> None:
    """Add the styles of a part by family and name; the default style of a family has no name."""
    for each in root.iter(f"{STYLE}style", f"{STYLE}default-style"):
        family, name = each.get(f"{STYLE}family", ""), each.get(f"{STYLE}name", "")
        parent = (family, each.get(f"{STYLE}parent-style-name", "")) if name else None
        styles.add((family, name), _look(each.find(f"{STYLE}text-properties")), parent=parent)
        if family == "paragraph":
            own = open_blocks.look(each.find(f"{STYLE}paragraph-properties"))
            of_blocks.add(name, own, parent=each.get(f"{STYLE}parent-style-name", "") if name else None)


def _look(properties: Any) -> Look:
    found: dict[str, bool] = {}
    if properties is None:
        return found
    if weight := properties.get(f"{FO}font-weight"):
        found["bold"] = weight in _BOLD
    if slant := properties.get(f"{FO}font-style"):
        found["italics"] = slant in _SLANTED
    for kind, name in _LINES.items():
        lines = [properties.get(f"{STYLE}{name}-{each}") for each in ("style", "type")]
        if any(lines):
            found[kind] = "none" not in lines
    if place := properties.get(f"{STYLE}text-position"):
        found["scripts"] = place.split()[0] not in ("0%", "0")
    if fill := properties.get(f"{FO}background-color"):
        found["highlights"] = fill.lower() not in NO_FILL
    if colour := properties.get(f"{FO}color"):
        found["inks"] = colour.lower() != "#000000"
    if properties.get(f"{STYLE}use-window-font-color") == "true":
        found["inks"] = False
    return found


def _pieces(element: Any, look: Look, styles: Styles) -> Iterator[tuple[str, Look]]:
    """The text of an element; paragraphs inside, such as those of notes and frames, have their own turn."""
    if element.text:
        yield element.text, look
    for each in element:
        if each.tag in BLANK:
            yield " ", {}
        elif each.tag in (f"{TEXT}span", f"{TEXT}a"):
            own = styles.of(("text", each.get(f"{TEXT}style-name", "")))
            yield from _pieces(each, inherited((look, own)), styles)
        elif each.find(f".//{TEXT}p") is None and isinstance(each.tag, str):
            yield from _pieces(each, look, styles)
        if each.tail:
            yield each.tail, look
