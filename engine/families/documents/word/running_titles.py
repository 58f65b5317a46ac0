"""The paragraphs of each page whose texts headers and footers show (ECMA-376, part 1, 17.16.5.59)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import W

_FIELD = re.compile(r'STYLEREF\s++(?:"([^"]*)"|(\S+))', re.IGNORECASE)
_OTHER = re.compile(r"\\[nrwspt]\b", re.IGNORECASE)
"""Switches for the number of the paragraph, or its place."""
_LAST = re.compile(r"\\l\b", re.IGNORECASE)
_UNSAFE = re.compile("[:\x01-\x04]")


@dataclass(frozen=True)
class Title:
    """What a field asks for: the first or last paragraph of a page with a style, by its name in lower case."""

    style: str
    last: bool

    @property
    def key(self) -> str:
        return f"{self.style}/{'last' if self.last else 'first'}"

    def mark(self, stored: str) -> str:
        """A placeholder for the text; until the page is known the field shows its `stored` result."""
        return f"\x01title::{self.key}:{_UNSAFE.sub('', escape(stored, quote=False))}\x02"


@dataclass(frozen=True)
class Titled:
    """A paragraph that a field may ask for: the id at its start, its style, and its text as markup."""

    place: str
    style: str
    text: str


def asked_by(instruction: str) -> Title | None:
    """What a field asks for; None if that is not the text of a paragraph."""
    match = _FIELD.match(instruction.lstrip())
    if match is None or _OTHER.search(instruction):
        return None
    name = _UNSAFE.sub("", (match[1] or match[2] or "").lower())
    return Title(f"heading {name}" if re.fullmatch("[1-9]", name) else name, bool(_LAST.search(instruction)))


def asked(roots: Iterable[Element]) -> set[str]:
    """The styles that the fields of headers and footers ask for."""
    found = set()
    for root in roots:
        for paragraph in root.iter(W + "p"):
            texts = [each.get(W + "instr") or "" for each in paragraph.iter(W + "fldSimple")]
            texts.append("".join(each.text or "" for each in paragraph.iter(W + "instrText")))
            for text in texts:
                for match in _FIELD.finditer(text):
                    if (title := asked_by(match[0])) is not None:
                        found.add(title.style)
    return found


def on_pages(
    paragraphs: Iterable[Titled], places: Mapping[str, tuple[int, float]], pages: Iterable[int]
) -> dict[int, dict[str, str]]:
    """The text for each field on each of the `pages`, which are in order.

    It is that of the first or last such paragraph on the page, else of the one before the page, else of the first one.
    """
    by_page: dict[int, list[Titled]] = {}
    now: dict[str, str] = {}
    for each in paragraphs:
        if each.place in places:
            by_page.setdefault(places[each.place][0], []).append(each)
            for last in (False, True):
                now.setdefault(Title(each.style, last).key, each.text)
    found = {}
    for page in pages:
        on_page = by_page.get(page, [])
        after = now | {Title(each.style, last).key: each.text for each in on_page for last in (False, True)}
        first = {Title(each.style, False).key: each.text for each in reversed(on_page)}
        found[page] = after | first
        now = after
    return found
