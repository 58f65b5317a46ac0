"""Numbers of pages in fields, which are known only after layout (ECMA-376, part 1, 17.16.5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from engine.families.documents.word.number_formats import ordinal

COUNTED = {"PAGE": "page", "NUMPAGES": "pages", "SECTIONPAGES": "section", "PAGEREF": "place"}
_SWITCHES = {
    "roman": "lowerRoman", "ROMAN": "upperRoman", "alphabetic": "lowerLetter", "ALPHABETIC": "upperLetter",
    "arabic": "decimal", "ordinal": "ordinal", "cardtext": "cardinalText", "ordtext": "ordinalText", "hex": "hex",
    "arabicdash": "numberInDash",
}  # fmt: skip
# XML has none of these characters.
_MARK = re.compile("\x01(\\w+):(\\w*):([^:\x01\x02]*):([^\x01\x02]*)\x02")


@dataclass(frozen=True)
class PageNumber:
    """The number of a page in its section's format, and the page counts of the document and of the section."""

    page: int
    pages: int
    section: int
    format: str = "decimal"
    titles: Mapping[str, str] = field(default_factory=dict)
    """The texts of paragraphs that headers and footers show, by what asks for them."""


def format_of(words: Sequence[str]) -> str:
    """The number format that the switches of a field ask for; empty if none."""
    switch = next((each for before, each in pairwise(words) if before == "\\*"), "")
    return _SWITCHES.get(switch, _SWITCHES.get(switch.lower(), ""))


def mark(words: Sequence[str], *, place: str = "", stored: str = "") -> str:
    """A placeholder for the number that a field with these words shows.

    The number of a `place`, an id of the body, is that of its page; without one, of the page it is drawn on. Until
    that is known the field shows its `stored` result.
    """
    return f"\x01{COUNTED[words[0].upper()]}:{format_of(words)}:{place}:{stored}\x02"


def asked(markup: str) -> list[str]:
    """The places whose pages the placeholders ask for; an empty one for a count of all pages."""
    return [match[3] for match in _MARK.finditer(markup)]


def filled(markup: str, find: Callable[[str], PageNumber | None]) -> str:
    """The same markup with numbers for its placeholders; `find` returns that of a place, if it is on a page."""

    def written(match: re.Match[str]) -> str:
        kind, format, place, stored = match.groups()
        number = find("" if kind == "title" else place)
        if number is None:
            return stored
        if kind == "title":
            return number.titles.get(place, stored)
        if kind in ("page", "place"):
            return ordinal(number.page, format or number.format)
        return ordinal(number.pages if kind == "pages" else number.section, format or "decimal")

    return _MARK.sub(written, markup)
