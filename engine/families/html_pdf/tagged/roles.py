"""The roles of a page's elements in a structure tree (ISO 32000-1, 14.8.4)."""

from __future__ import annotations

import re

from engine.families.html_pdf.source.cleaning import Element

INLINE = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "button", "cite", "code", "data", "del", "dfn", "em",
    "fc-input", "fc-select", "font", "i", "img", "ins", "kbd", "label", "mark", "q", "rb", "rp", "rt", "ruby", "s",
    "samp", "small", "span", "strike", "strong", "sub", "sup", "svg", "time", "tt", "u", "var", "wbr",
))  # fmt: skip
"""Elements within a line."""
_ROLES = {
    "p": "P", "pre": "P", "figcaption": "P", "legend": "P", "summary": "P", "address": "P", "caption": "Caption",
    "blockquote": "BlockQuote", "section": "Sect", "article": "Art", "ul": "L", "ol": "L", "menu": "L", "dir": "L",
    "dl": "L", **{f"h{level}": f"H{level}" for level in range(1, 7)},
}  # fmt: skip
_LEVEL = re.compile(r"[1-6]")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


def role_of(element: Element, said: str) -> str | None:
    """The role of a block, with the ARIA role that is `said` of it; None for one that only groups others."""
    if said == "heading":
        return f"H{level_of(element, 2)}"
    return None if said in ("presentation", "none") else _ROLES.get(element.tag)


def level_of(element: Element, otherwise: int) -> int:
    """The level that an element says it has (WAI-ARIA 1.2, aria-level)."""
    found = _LEVEL.fullmatch((element.get("aria-level") or "").strip())
    return int(found[0]) if found else otherwise


def language_of(element: Element) -> str | None:
    """The language that an element says its text is in, unless it is the whole page."""
    given = (element.get("lang") or "").strip()
    return given if element.tag != "html" and _LANGUAGE.fullmatch(given) else None
