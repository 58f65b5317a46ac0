"""The texts of an OpenDocument presentation as paragraphs of DrawingML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lxml import etree

from engine.families.documents.odf.names import FO, OFFICE, STYLE, TEXT, XLINK, colour, count, twips
from engine.families.documents.odf.properties import Properties
from engine.families.documents.odf.styles import Scope
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import A, R

_ALIGNMENTS = {"center": "ctr", "end": "r", "right": "r", "justify": "just"}
_NUMBERS = {"1": "arabicPeriod", "a": "alphaLcPeriod", "A": "alphaUcPeriod", "i": "romanLcPeriod", "I": "romanUcPeriod"}
_LEVELS, _DEEPEST, _MOST_SPACES = 9, 40, 1_000
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


class Writer:
    """Writes the paragraphs of a shape or cell; `link` gives the relationship to an address."""

    def __init__(self, looks: Looks, link: Callable[[str], str], number: int) -> None:
        self._scope, self._known, self._link = looks.scope, looks.lists, link
        self._text, self._block = (
            looks.scope.resolved(looks.family, looks.style, part) if looks.family else {}
            for part in ("text", "paragraph")
        )
        self._number = number

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

    def _paragraph(self, body: Element, source: Element, level: int, listed: str) -> None:
        name = source.get(TEXT + "style-name") or ""
        made = etree.SubElement(body, A + "p")
        properties = etree.SubElement(made, A + "pPr")
        block = {**self._block, **self._scope.resolved("paragraph", name, "paragraph")}
        if (aligned := _ALIGNMENTS.get(block.get(FO + "text-align", ""))) is not None:
            properties.set("algn", aligned)
        at = max(0, min(level, _LEVELS) - 1)
        if at:
            properties.set("lvl", str(at))
        mark = self._known.get(listed, {}).get(level) if level else None
        letter = None if mark is None else mark.get(TEXT + "bullet-char")
        number = None if mark is None else _NUMBERS.get(mark.get(STYLE + "num-format") or "")
        if letter or number:
            properties.set("marL", str(342_900 * (at + 1)))
            properties.set("indent", "-342900")
        if letter:
            shown = letter if letter.isprintable() and not "\ue000" <= letter[0] <= "\uf8ff" else "•"
            etree.SubElement(properties, A + "buChar").set("char", shown)
        elif number:
            etree.SubElement(properties, A + "buAutoNum").set("type", number)
        else:
            etree.SubElement(properties, A + "buNone")
        self._inline(made, source, {**self._text, **self._scope.resolved("paragraph", name, "text")}, "", 0)

    def _inline(self, made: Element, source: Element, looks: Properties, address: str, depth: int) -> None:
        self._run(made, source.text, looks, address)
        for each in source if depth <= _DEEPEST else ():
            tag = each.tag if isinstance(each.tag, str) else ""
            if tag == TEXT + "s":
                self._run(made, " " * count(each.get(TEXT + "c"), most=_MOST_SPACES), looks, address)
            elif tag == TEXT + "tab":
                self._run(made, "\t", looks, address)
            elif tag == TEXT + "line-break":
                etree.SubElement(made, A + "br")
            elif tag == TEXT + "page-number" and self._number:
                self._run(made, str(self._number), looks, address)
            elif tag == TEXT + "span":
                own = self._scope.resolved("text", each.get(TEXT + "style-name") or "", "text")
                self._inline(made, each, {**looks, **own}, address, depth + 1)
            elif tag == TEXT + "a":
                target = each.get(XLINK + "href") or ""
                self._inline(made, each, looks, target if target.startswith(_SCHEMES) else address, depth + 1)
            elif tag and tag not in _SKIPPED:
                self._inline(made, each, looks, address, depth + 1)
            self._run(made, each.tail, looks, address)

    def _run(self, made: Element, text: str | None, looks: Properties, address: str) -> None:
        if not text:
            return
        if text.strip(" \t") or "\n" in text:
            text = " ".join(text.split("\n"))
        run = etree.SubElement(made, A + "r")
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
