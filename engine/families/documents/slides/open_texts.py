"""The texts of an OpenDocument presentation as paragraphs of DrawingML."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from lxml import etree

from engine.families.documents.odf.names import FO, OFFICE, STYLE, TEXT, XLINK, colour, count, share, twips
from engine.families.documents.odf.properties import Properties
from engine.families.documents.odf.styles import Scope
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import A, R

_ALIGNMENTS = {"center": "ctr", "end": "r", "right": "r", "justify": "just"}
_NUMBERS = {"1": "arabicPeriod", "a": "alphaLcPeriod", "A": "alphaUcPeriod", "i": "romanLcPeriod", "I": "romanUcPeriod"}
_LEVELS, _DEEPEST, _MOST_SPACES = 9, 40, 1_000
_EMU = 635
_USUAL = 540
"""Twentieths of a point of the label of a list whose level says none."""
_BLANKS = re.compile("[ \t\r\n]+")
_SCHEMES = ("http://", "https://", "mailto:", "tel:", "ftp://")
_SKIPPED = frozenset({OFFICE + "annotation", OFFICE + "annotation-end", TEXT + "note-citation"})
Lists = dict[str, dict[int, Element]]


def lists(*roots: Element | None) -> Lists:
    """The levels of the list styles of a document, by name and number."""
    found: Lists = {}
    for root in roots:
        for each in () if root is None else root.iter(TEXT + "list-style"):
            levels = {count(level.get(TEXT + "level"), most=10): level for level in each if isinstance(level.tag, str)}
            found.setdefault(each.get(STYLE + "name") or "", levels)
    return found


@dataclass(frozen=True)
class Looks:
    """The styles that hold for the text of a shape or cell, whose own are `family` and `style`, and all list styles."""

    scope: Scope
    lists: Lists
    family: str
    style: str
    below: str = ""
    """The style of the same family that holds where that one says nothing."""


class Writer:
    """Writes the paragraphs of a shape or cell; `link` gives the relationship to an address."""

    def __init__(self, looks: Looks, link: Callable[[str], str], number: int) -> None:
        self._scope, self._known, self._link = looks.scope, looks.lists, link
        self._text, self._block = (
            {
                **looks.scope.resolved(looks.family, looks.below, part),
                **looks.scope.resolved(looks.family, looks.style, part),
            }
            if looks.family
            else {}
            for part in ("text", "paragraph")
        )
        own = (each.get(STYLE + "name") or "" for each in looks.scope.chain(looks.family, looks.style))
        self._outline = next((each[:-1] for each in own if each.endswith("-outline1")), "")
        self._number = number
        self._is_blank = True
        """Whether white space is not shown here, at the start of a paragraph or after other white space."""

    def blocks(self, body: Element, source: Element, level: int = 0, listed: str = "", depth: int = 0) -> None:
        """Append paragraphs, those of lists with their level from 1."""
        if depth > _DEEPEST:
            return
        for each in source:
            if each.tag == TEXT + "list":
                name = each.get(TEXT + "style-name") or listed
                self.blocks(body, each, level + 1, name, depth + 1)
            elif each.tag in (TEXT + "list-item", TEXT + "list-header", TEXT + "section"):
                self.blocks(body, each, level, listed, depth + 1)
            elif each.tag in (TEXT + "p", TEXT + "h"):
                self._paragraph(body, each, level, listed)

    def _outlined(self, level: int) -> tuple[Properties, Properties]:
        """The text and paragraph properties of a deeper level of an outline, which has a style of its own."""
        if level < 2 or not self._outline:
            return {}, {}
        name = f"{self._outline}{min(level, _LEVELS)}"
        return self._scope.resolved("presentation", name, "text"), self._scope.resolved(
            "presentation", name, "paragraph"
        )

    def _paragraph(self, body: Element, source: Element, level: int, listed: str) -> None:
        name = source.get(TEXT + "style-name") or ""
        made = etree.SubElement(body, A + "p")
        properties = etree.SubElement(made, A + "pPr")
        level_text, level_block = self._outlined(level)
        block = {**self._block, **level_block, **self._scope.resolved("paragraph", name, "paragraph")}
        if (aligned := _ALIGNMENTS.get(block.get(FO + "text-align", ""))) is not None:
            properties.set("algn", aligned)
        at = max(0, min(level, _LEVELS) - 1)
        if at:
            properties.set("lvl", str(at))
        mark = self._known.get(listed, {}).get(level) if level else None
        letter = None if mark is None else mark.get(TEXT + "bullet-char")
        number = None if mark is None else _NUMBERS.get(mark.get(STYLE + "num-format") or "")
        left, indent = _indents(block, mark if letter or number else None, at)
        properties.set("marL", str(left * _EMU))
        properties.set("indent", str(indent * _EMU))
        _spaced(properties, block)
        if mark is not None and (letter or number):
            _bulleted(properties, mark)
        if letter:
            shown = letter if letter.isprintable() and not "\ue000" <= letter[0] <= "\uf8ff" else "•"
            etree.SubElement(properties, A + "buChar").set("char", shown)
        elif number:
            etree.SubElement(properties, A + "buAutoNum").set("type", number)
        else:
            etree.SubElement(properties, A + "buNone")
        self._is_blank = True
        self._inline(
            made, source, {**self._text, **level_text, **self._scope.resolved("paragraph", name, "text")}, "", 0
        )

    def _inline(self, made: Element, source: Element, looks: Properties, address: str, depth: int) -> None:
        self._words(made, source.text, looks, address)
        for each in source if depth <= _DEEPEST else ():
            tag = each.tag if isinstance(each.tag, str) else ""
            if tag == TEXT + "s":
                self._run(made, " " * count(each.get(TEXT + "c"), most=_MOST_SPACES), looks, address)
            elif tag == TEXT + "tab":
                self._run(made, "\t", looks, address)
            elif tag == TEXT + "line-break":
                etree.SubElement(made, A + "br")
                self._is_blank = False
            elif tag == TEXT + "page-number":
                self._run(made, str(self._number), looks, address, field="slidenum")
            elif tag == TEXT + "span":
                own = self._scope.resolved("text", each.get(TEXT + "style-name") or "", "text")
                self._inline(made, each, {**looks, **own}, address, depth + 1)
            elif tag == TEXT + "a":
                target = each.get(XLINK + "href") or ""
                self._inline(made, each, looks, target if target.startswith(_SCHEMES) else address, depth + 1)
            elif tag and tag not in _SKIPPED:
                self._inline(made, each, looks, address, depth + 1)
            self._words(made, each.tail, looks, address)

    def _words(self, made: Element, text: str | None, looks: Properties, address: str) -> None:
        """Append text whose white space is that of XML: much is as little (6.1.2)."""
        shown = _BLANKS.sub(" ", text or "")
        shown = shown.removeprefix(" ") if self._is_blank else shown
        if shown:
            self._run(made, shown, looks, address)
            self._is_blank = shown.endswith(" ")

    def _run(self, made: Element, text: str, looks: Properties, address: str, *, field: str = "") -> None:
        self._is_blank = False
        run = etree.SubElement(made, A + ("fld" if field else "r"))
        if field:
            run.set("type", field)
        properties = etree.SubElement(run, A + "rPr")
        size = twips(looks.get(FO + "font-size"))
        if size is not None and 20 <= size <= 80_000:
            properties.set("sz", str(size * 5))
        if looks.get(FO + "font-weight") == "bold":
            properties.set("b", "1")
        if looks.get(FO + "font-style") in ("italic", "oblique"):
            properties.set("i", "1")
        if looks.get(STYLE + "text-underline-style", "none") != "none":
            properties.set("u", "sng")
        if looks.get(STYLE + "text-line-through-style", "none") != "none":
            properties.set("strike", "sngStrike")
        place = looks.get(STYLE + "text-position", "")
        if place.startswith(("super", "sub")):
            properties.set("baseline", "30000" if place.startswith("super") else "-25000")
        if (shade := colour(looks.get(FO + "color"))) is not None:
            etree.SubElement(etree.SubElement(properties, A + "solidFill"), A + "srgbClr").set("val", shade.upper())
        face = self._scope.common.fonts.get(looks.get(STYLE + "font-name", "")) or looks.get(FO + "font-family", "")
        if face := face.strip("'\" "):
            etree.SubElement(properties, A + "latin").set("typeface", face[:100])
        if address:
            etree.SubElement(properties, A + "hlinkClick").set(R + "id", self._link(address))
        etree.SubElement(run, A + "t").text = text


def _indents(block: Properties, mark: Element | None, at: int) -> tuple[int, int]:
    """The left edge of the lines of a paragraph, and how far its first line is from there (17.20 and 17.21)."""
    left, first = (twips(block.get(FO + name)) or 0 for name in ("margin-left", "text-indent"))
    if mark is None:
        return max(left, 0), first
    level = mark.find(STYLE + "list-level-properties")
    said = {} if level is None else level.attrib
    aligned = None if level is None else level.find(STYLE + "list-level-label-alignment")
    if aligned is not None:
        start, hanging = (twips(aligned.get(FO + name)) or 0 for name in ("margin-left", "text-indent"))
        return max(start, 0), hanging
    before, label = (twips(said.get(TEXT + name)) for name in ("space-before", "min-label-width"))
    if before is None and label is None:
        return _USUAL * (at + 1), -_USUAL
    return max(left + (before or 0) + (label or 0), 0), -(label or 0)


def _spaced(properties: Element, block: Properties) -> None:
    """Append the line height and the space around a paragraph."""
    line = block.get(FO + "line-height", "")
    part, length = share(line), twips(line)
    if part is not None and part != 100 and 10 <= part <= 1_000:
        _space(properties, "lnSpc", "spcPct", round(part * 1_000))
    elif length is not None and length > 0:
        _space(properties, "lnSpc", "spcPts", length * 5)
    for name, side in (("spcBef", "top"), ("spcAft", "bottom")):
        gap = twips(block.get(f"{FO}margin-{side}"))
        if gap:
            _space(properties, name, "spcPts", max(gap, 0) * 5)


def _space(properties: Element, name: str, kind: str, value: int) -> None:
    etree.SubElement(etree.SubElement(properties, A + name), A + kind).set("val", str(value))


def _bulleted(properties: Element, mark: Element) -> None:
    """Append the colour and size of the label of a list level."""
    looks = mark.find(STYLE + "text-properties")
    if looks is None:
        return
    shade, size = colour(looks.get(FO + "color")), share(looks.get(FO + "font-size"))
    if shade is not None and looks.get(STYLE + "use-window-font-color") != "true":
        etree.SubElement(etree.SubElement(properties, A + "buClr"), A + "srgbClr").set("val", shade.upper())
    if size is not None and size != 100:
        etree.SubElement(properties, A + "buSzPct").set("val", str(round(min(max(size, 25), 400) * 1_000)))
