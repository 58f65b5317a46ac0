"""Read the looks of the letters and the paragraphs of a Word document (ISO/IEC 29500-1, 17.3.2 and 17.7)."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.families.documents.counting import blocks, word_blocks
from engine.families.documents.counting.lettering import TOGGLED, Look, Paragraph, Styles, inherited
from engine.families.documents.counting.word import (
    BLANK,
    NO_FILL,
    OFF,
    W,
    body_of,
    has_styles,
    parsed,
    parts_of,
    pruned,
)
from engine.toolkit.census import Census

_ON_OFF = {f"{W}b": "bold", f"{W}i": "italics", f"{W}strike": "strikes", f"{W}dstrike": "strikes"}
_BLACK = frozenset({"auto", "000000", ""})
_TEXT_COLOURS = frozenset({"text1", "dark1", "tx1", "dk1"})
_BOX = f"{W}txbxContent"
_TEXTS = (f"{W}t", *BLANK, f"{W}noBreakHyphen")


def count(path: Path) -> Census:
    """Return the census of the words of the body and the notes by the look of their letters, and of the paragraphs of
    the body by theirs."""
    census = Census()
    with zipfile.ZipFile(path) as archive:
        parts = parts_of(archive)
        stylesheet = parts.beside("styles.xml") if has_styles(archive, parts) else None
        sheet = _Sheet() if stylesheet is None else _read(parsed(archive, stylesheet))
        body = body_of(path).root
        _count(body, sheet, census)
        _count_blocks(body, sheet, census)
        for part in ("footnotes", "endnotes"):
            if name := parts.beside(f"{part}.xml"):
                _count(pruned(parsed(archive, name)), sheet, census)
    return census


@dataclass
class _Sheet:
    """The styles of a document for letters and for paragraphs, the looks of all its text, and the name of the default
    paragraph style."""

    styles: Styles = field(default_factory=Styles)
    defaults: Look = field(default_factory=dict)
    usual: str = ""
    blocks: Styles = field(default_factory=Styles)
    every_block: Look = field(default_factory=dict)


def _read(root: Any) -> _Sheet:
    sheet = _Sheet(
        defaults=_look(root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")),
        every_block=word_blocks.look(root.find(f"{W}docDefaults/{W}pPrDefault/{W}pPr")),
    )
    for each in root.iterfind(f"{W}style"):
        name = each.get(f"{W}styleId", "")
        parent = _value(each.find(f"{W}basedOn"))
        sheet.styles.add(name, _look(each.find(f"{W}rPr")), parent=parent)
        sheet.blocks.add(name, word_blocks.look(each.find(f"{W}pPr")), parent=parent)
        if each.get(f"{W}type") == "paragraph" and each.get(f"{W}default") in ("1", "true", "on"):
            sheet.usual = name
    return sheet


def _value(element: Any) -> str:
    return "" if element is None else str(element.get(f"{W}val", ""))


def _look(properties: Any) -> Look:
    found: dict[str, bool] = {}
    for each in () if properties is None else properties:
        value = _value(each).lower()
        if each.tag in _ON_OFF:
            found[_ON_OFF[each.tag]] = value not in OFF
        elif each.tag == f"{W}u":
            found["underlines"] = value not in ("none", "")
        elif each.tag == f"{W}vertAlign":
            found["scripts"] = value in ("superscript", "subscript")
        elif each.tag == f"{W}highlight":
            found["highlights"] = value not in ("none", "white", "")
        elif each.tag == f"{W}shd" and not found.get("highlights"):
            found["highlights"] = each.get(f"{W}fill", "").lower() not in NO_FILL
        elif each.tag == f"{W}color":
            found["inks"] = value not in _BLACK and each.get(f"{W}themeColor") not in _TEXT_COLOURS
    return found


def _count(root: Any, sheet: _Sheet, census: Census) -> None:
    for paragraph in root.iter(f"{W}p"):
        name = _value(paragraph.find(f"{W}pPr/{W}pStyle"))
        around = sheet.styles.of(name if name in sheet.styles else sheet.usual)
        pieces = Paragraph(census)
        for run, text in _runs(paragraph):
            if text:
                pieces.text(text, _of_run(run.find(f"{W}rPr"), around, sheet))
        pieces.end()


def _runs(paragraph: Any) -> Iterator[tuple[Any, str]]:
    """The runs of a paragraph and their texts, without those of text boxes, which have their own turn."""
    for run in paragraph.iter(f"{W}r"):
        if next(run.iterancestors(f"{W}p")) is paragraph:
            yield run, "".join(each.text or "" if each.tag == f"{W}t" else " " for each in run.iterchildren(*_TEXTS))


def _count_blocks(root: Any, sheet: _Sheet, census: Census) -> None:
    """Count the paragraphs; those of cells without what a style for all tables may set anew, none of text boxes."""
    for paragraph in root.iter(f"{W}p"):
        if next(paragraph.iterancestors(_BOX), None) is not None:
            continue
        properties = paragraph.find(f"{W}pPr")
        name = "" if properties is None else _value(properties.find(f"{W}pStyle"))
        of_cell = next(paragraph.iterancestors(f"{W}tc"), None) is not None
        named = sheet.blocks.of(name if name in sheet.blocks else "" if of_cell else sheet.usual)
        look = inherited(({} if of_cell else sheet.every_block, named, word_blocks.look(properties)))
        blocks.add(census, "".join(text for _, text in _runs(paragraph)), look)


def _of_run(properties: Any, around: Look, sheet: _Sheet) -> Look:
    if properties is None:
        return inherited((sheet.defaults, around))
    named = sheet.styles.of(_value(properties.find(f"{W}rStyle")))
    toggled = {each: around.get(each, False) != on for each, on in named.items() if each in TOGGLED and on}
    return inherited((sheet.defaults, around, named, toggled, _look(properties)))
