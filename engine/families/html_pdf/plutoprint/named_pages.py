"""Find the runs of a page's elements that have pages of one name, and let each begin a page (CSS Paged Media 3, 8)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.families.html_pdf.plutoprint.declared import Declared, declared, of_page, word_of
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page

_ASKED = re.compile(r"(?:^|[;{])\s*page\s*:")
_BREAKS = ("break-before", "page-break-before")
_NAMES = ("page", "display", "position", "float", *_BREAKS)
_FORCED = frozenset(("page", "always", "left", "right", "recto", "verso"))
_UNSHOWN = frozenset(("style", "script", "title", "template"))
_TABLES = frozenset(("table", "thead", "tbody", "tfoot", "tr", "td", "th"))
_BESIDE = re.compile(r"flex|grid|table|inline")
_OF_ONE_NAME = r"@page\s+{}\b"


@dataclass
class Runs:
    """The elements at which the pages of another name begin, with these names, and all pieces of one name."""

    name: str = ""
    """The name of the first pages."""
    begins: list[tuple[Element, str]] = field(default_factory=list)
    pieces: list[tuple[Element, str]] = field(default_factory=list)

    @property
    def names(self) -> set[str]:
        return {self.name, *(name for _, name in self.begins)}


def find(page: Page, sheets: Sequence[str], *, media: str) -> Runs:
    """The runs of a page: none if none of its elements has named pages."""
    if not any(_ASKED.search(each) for each in sheets):
        return Runs()
    found = of_page(page, sheets, _NAMES, media=media)
    named = {each: name for each in found if (name := word_of(found, each, "page")) not in ("", "auto", "inherit")}
    body = page.root.find("body")
    named = {each: name for each, name in named.items() if not any(_holds_rows(up, found) for up in _around(each))}
    around = {up for each in named for up in (each, *each.iterancestors()) if up is body or body in up.iterancestors()}
    if body not in around:
        return Runs()
    return _Reading(found, named, around).runs(body)


def _around(element: Element) -> Iterator[Element]:
    """The elements around an element, and the element if it is a part of a table."""
    if element.tag in _TABLES and element.tag != "table":
        yield element
    yield from element.iterancestors()


def _holds_rows(element: Element, found: Declared) -> bool:
    """Whether what is in an element can't begin a page, as it may be beside something."""
    return element.tag in _TABLES or _BESIDE.search(word_of(found, element, "display")) is not None


def part(page: Page, sheets: list[str], runs: Runs, *, media: str) -> None:
    """Let each run begin a page."""
    found = declared(page.root, sheets, _BREAKS, [each for each, _ in runs.begins], media=media)
    styled = set(page.styled)
    for element, _ in runs.begins:
        if not any(word_of(found, element, each) in _FORCED for each in _BREAKS):
            add_style(element, "break-before:page!important")
            page.styled.extend(() if element in styled else (element,))
    if runs.begins:
        sheets.append("x{break-before:page}")


def unname(page: Page, sheets: list[str], *, media: str) -> None:
    """Apply the rules of named pages to all pages if all have that name, as in files of office programs."""
    runs = find(page, sheets, media=media) if any("@page" in each for each in sheets) else Runs()
    if runs.begins or not runs.name:
        return
    name = re.compile(_OF_ONE_NAME.format(re.escape(runs.name)), re.IGNORECASE)
    sheets[:] = [name.sub("@page ", each) for each in sheets]
    for element in page.sheets:
        element.text = name.sub("@page ", element.text or "")


@dataclass
class _Reading:
    """Reads the names of the pages of a tree (CSS Paged Media 3, 8.1), of elements that are or have named ones."""

    found: Declared
    named: dict[Element, str]
    around: set[Element]

    def runs(self, body: Element) -> Runs:
        made = Runs()
        made.name, _ = self._read(body, self.named.get(body, ""), made)
        return made

    def _read(self, element: Element, name: str, made: Runs) -> tuple[str, str]:
        """The names at the start and the end of an element whose own pages have a `name`."""
        if not any(each in self.around for each in element):
            made.pieces.append((element, name))
            return name, name
        start = end = name if element.text and element.text.strip() else None
        for child in element:
            if not self._flows(child):
                continue
            at = len(made.begins)
            first = last = name
            if child in self.around:
                first, last = self._read(child, self.named.get(child, name), made)
            else:
                made.pieces.append((child, name))
            if start is None:
                start = first
            elif end != first:
                made.begins.insert(at, (child, first))
            end = name if child.tail and child.tail.strip() else last
        return (name, name) if start is None or end is None else (start, end)

    def _flows(self, element: Element) -> bool:
        if not isinstance(element.tag, str) or element.tag in _UNSHOWN or "hidden" in element.attrib:
            return False
        return (
            word_of(self.found, element, "position") not in ("absolute", "fixed")
            and word_of(self.found, element, "float") in ("", "none")
            and word_of(self.found, element, "display") != "none"
        )
