"""Split ordered lists of HTML where an item's number isn't the next one, as pandoc counts up from the first."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.toolkit.warnings import Kind

RENUMBERED = Kind("VALUE_CONVERTED", "List items are numbered in another way than in the file: {count}{places}.")

NAMED = re.compile(r"<li\b[^<>]*?\svalue\s*=|<ol\b[^<>]*?\sreversed\b", re.IGNORECASE)
"""Whether a page has items with a number of their own, or lists that count down."""
_MOST = 1_000
"""The maximum lists that others become: each takes pandoc as long as a page of text."""
_TOKEN = re.compile(r"<(/?)(ol|ul|menu|li)\b((?:\"[^\"]*\"|'[^']*'|[^<>\"'])*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"(?<!\S)(start|value|reversed|type)(?:\s*=\s*(?:\"\s*+([^\"]*+)\"|'\s*+([^']*+)'|([^\s\"'>]+)))?"
)
_NUMBER = re.compile(r"\d{1,9}")
LETTERED = frozenset("aAiI")
"""The types of lists whose items have letters or Roman numerals (HTML, 4.4.5)."""


@dataclass
class _List:
    is_ordered: bool
    next: int = 1
    step: int = 1
    shown: int = 1
    """The number that pandoc gives to the next item."""
    kind: str = "1"
    place: tuple[int, int] | None = None
    """Where the tag of the list is, until it has an item."""


def split(markup: str) -> tuple[str, int]:
    """Return balanced markup with its lists split, and the number of items whose number could not be kept."""
    if not NAMED.search(markup):
        return markup, 0
    tokens = list(_TOKEN.finditer(markup))
    sizes = _sizes(tokens)
    opened: list[_List] = []
    changes: list[tuple[int, int, str]] = []
    lost = 0
    for at, token in enumerate(tokens):
        name = token[2].lower()
        if name != "li":
            if not token[1]:
                opened.append(_list(token, sizes[at]) if name == "ol" else _List(is_ordered=False))
            elif opened:
                opened.pop()
            continue
        if token[1] or not opened or not opened[-1].is_ordered:
            continue
        found = opened[-1]
        number = _number(_attributes(token[3]).get("value"), found.next)
        if number != found.shown:
            if number < 0 or len(changes) == _MOST:
                lost += 1
            else:
                tag = f'<ol start="{number}" type="{found.kind}">'
                changes.append((*found.place, tag) if found.place else (token.start(), token.start(), f"</ol>{tag}"))
                found.shown = number
        found.place = None
        found.shown += 1
        found.next = number + found.step
    pieces, last = list[str](), 0
    for start, end, text in changes:
        pieces += markup[last:start], text
        last = end
    return "".join([*pieces, markup[last:]]), lost


def _sizes(tokens: list[re.Match[str]]) -> dict[int, int]:
    """The number of items of each list, by the index of its tag."""
    sizes: dict[int, int] = {}
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token[2].lower() == "li":
            if opened and not token[1]:
                sizes[opened[-1]] += 1
        elif not token[1]:
            opened.append(at)
            sizes[at] = 0
        elif opened:
            opened.pop()
    return sizes


def _list(token: re.Match[str], size: int) -> _List:
    given = _attributes(token[3])
    backwards = "reversed" in given
    start = given.get("start")
    kind = given.get("type", "")
    shown = max(0, _number(start, 1))
    first = _number(start, size if backwards else 1)
    return _List(True, first, -1 if backwards else 1, shown, kind if kind in LETTERED else "1", token.span())


def _attributes(text: str) -> dict[str, str]:
    return {name.lower(): one or two or three for name, one, two, three in _ATTRIBUTE.findall(text)}


def _number(text: str | None, otherwise: int) -> int:
    found = (text or "").strip()
    return int(found) if _NUMBER.fullmatch(found.removeprefix("-")) else otherwise
