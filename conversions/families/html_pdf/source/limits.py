"""Limits: what a layout engine would crash on or never finish, found before it sees the page."""

from __future__ import annotations

import re
from collections.abc import Iterable

from conversions.toolkit.failures import OverLimit

MOST_ELEMENTS = 200_000
MOST_DEPTH = 200
MOST_ATTRIBUTES = 500
MOST_TABLES = 16
"""Tables within tables; each level doubles the time that the widths of columns take."""
MOST_CHARACTERS = 3_000_000
MOST_SHEETS = 4_000_000
MOST_RULES = 30_000
MOST_BRACKETS = 60
MOST_EXPANDED = 50_000
MOST_PAGES = 5_000
MOST_SIBLINGS = 60_000
"""Children of one element other than rows; the time for more grows with their square."""
LONGEST_TEXT = 4_000
"""Characters of one text; the time for a longer one grows with its square."""

_LONG = 20_000
"""Characters of a tag that may have more attributes than a parser has time for, which grows with their square."""

_TAG = re.compile(r"""<[a-zA-Z](?:[^>"']|"[^"]*"|'[^']*')*+""")
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
_BRACKETS = re.compile(r"[\[({]|[\])}]")
_CUSTOM = re.compile(r"(?<![\w-])(--[\w-]+)\s*:([^;{}]*)")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)")


def too_many_elements() -> OverLimit:
    return OverLimit("timeout", f"The page has more than {MOST_ELEMENTS} elements: split it into several pages.")


def too_many_attributes() -> OverLimit:
    return OverLimit("timeout", f"An element of the page has more than {MOST_ATTRIBUTES} attributes.")


def check_tags(text: str) -> None:
    """Raise OverLimit for a tag of too many attributes in an HTML text, before it is parsed."""
    if len(text) < _LONG:
        return
    for tag in _TAG.finditer(text):
        if tag.end() - tag.start() < _LONG:
            continue
        words = _QUOTED.sub("", tag[0]).split()
        # A slash is a space, but for one in a value without quotes.
        if sum(1 + word.partition("=")[0].count("/") for word in words) > MOST_ATTRIBUTES:
            raise too_many_attributes()


def too_deep() -> OverLimit:
    return OverLimit("memory", f"The page's elements are nested more than {MOST_DEPTH} deep.")


def too_many_tables() -> OverLimit:
    return OverLimit("timeout", f"The page has tables nested more than {MOST_TABLES} deep: take some of them out.")


def too_long() -> OverLimit:
    return OverLimit("timeout", f"The page has more than {MOST_CHARACTERS:,} characters of text: split it.")


def check_siblings(count: int) -> None:
    """Raise OverLimit for an element of too many children, each of which is looked at for each page."""
    if count > MOST_SIBLINGS:
        raise OverLimit(
            "timeout",
            f"An element of the page has {count:,} others right inside it; at most {MOST_SIBLINGS:,} are laid out: "
            "group them, for instance in <div> elements.",
        )


def check_pages(count: int) -> None:
    """Raise OverLimit for a document of too many pages; lengths beyond all measure make them."""
    if count > MOST_PAGES:
        raise OverLimit("output", f"The document would have {count:,} pages; at most {MOST_PAGES:,} are drawn.")


def check_sheet(text: str) -> None:
    """Raise OverLimit for a style sheet that is too large, has too many rules, or is nested too deeply."""
    if len(text) > MOST_SHEETS:
        raise OverLimit("memory", "The page's style sheets are too large: keep them below 4 MB.")
    if text.count("{") > MOST_RULES:
        raise OverLimit("timeout", f"The page has more than {MOST_RULES} style rules: remove those it does not use.")
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth = depth + 1 if bracket[0] in "[({" else max(depth - 1, 0)
        if depth > MOST_BRACKETS:
            raise OverLimit("memory", f"A style sheet of the page has brackets more than {MOST_BRACKETS} deep.")


def check_variables(sheets: Iterable[str]) -> None:
    """Raise OverLimit where custom properties grow beyond bounds when each is replaced by its value."""
    variables: dict[str, tuple[int, tuple[str, ...]]] = {}
    for sheet in sheets:
        for name, value in _CUSTOM.findall(sheet):
            own, references = variables.get(name, (0, ()))
            variables[name] = max(own, len(value)), max(tuple(_VARIABLE.findall(value)), references, key=len)
    sizes: dict[str, int] = {}

    def size(name: str, path: tuple[str, ...]) -> int:
        if name in path or len(path) > 100:
            return 0  # a cycle is no value (CSS Custom Properties 1, 2.3)
        if name not in sizes:
            own, references = variables.get(name, (0, ()))
            sizes[name] = own + sum(size(each, (*path, name)) for each in references)
        return sizes[name]

    if any(size(name, ()) > MOST_EXPANDED for name in variables):
        raise OverLimit("memory", "The page's style variables (var()) grow too large when they are filled in.")
