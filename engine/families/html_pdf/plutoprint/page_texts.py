"""Texts that depend on the pages of elements: named strings, page numbers of links, and numbers that begin anew.

CSS Generated Content for Paged Media 3, 1.1 and CSS Generated Content 3, 2.6. PlutoPrint has none of them: the pages of
a first layout tell them, and a second one shows them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from engine.families.html_pdf.css import content
from engine.families.html_pdf.css.counters import number
from engine.families.html_pdf.css.equivalents import PAGE_OF_TARGET, TEXT_OF_TARGET
from engine.families.html_pdf.plutoprint.declared import of_page
from engine.families.html_pdf.plutoprint.first_words import Marks
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Kind, Warn

_ASKED = re.compile(r"string-set\s*:|counter-reset\s*:[^:;{}]*(?<![\w-])page(?![\w-])")
_NUMBERED = re.compile(rf"attr\(\s*({PAGE_OF_TARGET}[\w-]*|{TEXT_OF_TARGET})\s*\)")
_RESTART = re.compile(r"(?<![\w-])page(?![\w-])\s*(-?\d{1,6})?")
_PAIR = re.compile(r"([\w-]+)\s+(.+)", re.DOTALL)
_COMMA = re.compile(r",(?![^()]*\))(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)")
_LONGEST = 1_000
_MOST = 5_000
"""Elements that set strings."""
_UNKNOWN = Kind("CSS_UNSUPPORTED", "Texts of margin boxes that could not be set: {count}{places}.")
_ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\A ", "<": "\\3C "})

Placed = dict[str, list[tuple[int, str]]]
"""The pages on which named strings are set, in order, and their texts."""


@dataclass
class PageTexts:
    """What a page's elements set, in their order, with the names of their first words."""

    strings: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """The mark and the text of each element that sets a string, by the string's name."""
    restarts: list[tuple[str, int]] = field(default_factory=list)
    links: list[tuple[Element, str, tuple[str, ...]]] = field(default_factory=list)
    """Links with the marks of their targets, and the attributes that get the number of its page."""

    @property
    def marks(self) -> set[str]:
        """The marks of elements at which a string changes or the numbers begin anew."""
        return {mark for each in self.strings.values() for mark, _ in each} | {mark for mark, _ in self.restarts}

    def number(self, pages: Mapping[str, int], numbers: Sequence[int]) -> bool:
        """Write the page numbers into the links; returns whether any has changed."""
        changed = False
        for link, mark, attributes in self.links:
            at = pages.get(mark)
            for each in attributes:
                said = "" if at is None else number(numbers[at], each.removeprefix(PAGE_OF_TARGET))
                changed |= link.get(each) != said
                link.set(each, said)
        return changed

    def placed(self, pages: Mapping[str, int]) -> Placed:
        """The strings with the pages of the elements that set them."""
        return {
            name: sorted(((pages[mark], said) for mark, said in found if mark in pages), key=lambda each: each[0])
            for name, found in self.strings.items()
        }


def on_page(strings: Placed, page: int, name: str, keyword: str) -> str:
    """The text of a named string on a page, as a CSS string; `keyword` says which of several on it."""
    found = strings.get(name.lower(), [])
    begin = bisect_left(found, page, key=lambda each: each[0])
    end = bisect_right(found, page, key=lambda each: each[0])
    at = begin if begin < end and keyword != "start" else begin - 1
    if keyword == "last":
        at = end - 1
    if at < 0 or (keyword == "first-except" and begin < end):
        return '""'
    return f'"{found[at][1].translate(_ESCAPED)}"'


def prepare(page: Page, sheets: Sequence[str], marks: Marks, warn: Warn, *, media: str) -> PageTexts:
    """Mark the elements that set such texts, and give links the texts of their targets."""
    made = PageTexts()
    if any(_ASKED.search(each) for each in sheets):
        _read(page, sheets, made, marks, warn, media=media)
    attributes = {each for sheet in sheets for each in _NUMBERED.findall(sheet)}
    if attributes:
        targets = {each.get("id"): each for each in page.root.iter() if each.get("id")}
        for link in page.root.iter("a"):
            target = targets.get((link.get("href") or "").removeprefix("#"))
            if target is None or not (link.get("href") or "").startswith("#"):
                continue
            if TEXT_OF_TARGET in attributes:
                link.set(TEXT_OF_TARGET, _text(target))
            numbered = tuple(each for each in attributes if each != TEXT_OF_TARGET)
            if numbered:
                for each in numbered:
                    link.set(each, "0")
                made.links.append((link, marks.inside(target), numbered))
    return made


def _read(page: Page, sheets: Sequence[str], made: PageTexts, marks: Marks, warn: Warn, *, media: str) -> None:
    names = ("string-set", "counter-reset", "display")
    found = of_page(page, sheets, names, media=media)
    unknown: list[str] = []
    left = _MOST
    for element in [each for each in page.root.iter() if each in found]:
        own = found[element]
        if own.get("display", "").strip() == "none":
            continue
        for said in _COMMA.split(own.get("string-set", "")):
            pair = _PAIR.fullmatch(said.replace("!important", "").strip())
            if pair is None:
                continue
            text, left_out = content.written(pair[2], partial(_filled, element))
            if left_out or not left:
                unknown.append(said.strip()[:60])
                continue
            left -= 1
            made.strings.setdefault(pair[1].lower(), []).append((marks.inside(element), text[:_LONGEST]))
        restart = _RESTART.search(own.get("counter-reset", ""))
        if restart and element.tag not in ("html", "body"):
            made.restarts.append((marks.inside(element), int(restart[1] or 0)))
    warn.tally(_UNKNOWN, len(unknown), dict.fromkeys(unknown))


def _filled(element: Element, name: str, arguments: str) -> str | None:
    if name == "content" and arguments in ("", "text", "element"):
        return _text(element)
    return (element.get(arguments.lower()) or "") if name == "attr" else None


def _text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())[:_LONGEST]
