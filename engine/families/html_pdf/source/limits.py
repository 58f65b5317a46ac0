"""Refuse pages that would crash a layout engine or never finish."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

MOST_ELEMENTS = 200_000
"""160,000 elements in lines take 5 s, 96,000 paragraphs 2.6 s.

190,000 in one table take 11 s in rows of 14 cells, and 160,000 in rows of one cell; the time is quadratic in rows.
"""
MOST_DEPTH = 200
MOST_ATTRIBUTES = 500
MOST_TABLES = 16
"""The maximum nesting of tables; each level doubles the time for column widths."""
MOST_CHARACTERS = 3_000_000
"""One paragraph of that length takes 3.1 s."""
MOST_SHEETS = 4_000_000
"""3.7 million characters in 19,000 rules take 1 s and 220 MB, 3.9 million in one rule 0.6 s."""
MOST_RULES = 20_000
"""20,000 rules of two classes take 3 s, 29,000 others took 27 s; the time is quadratic.

Rules that match nothing are left out before those of a larger sheet are counted.
"""
MOST_BRACKETS = 60
"""Selectors and sums of 58 take less than 0.1 s: the depth is bounded for parsers that recurse."""
MOST_EXPANDED = 50_000
"""500 values of 49,800 characters take 0.1 s."""
MOST_PAGES = 5_000
"""5,000 short pages take 1.2 s."""
MOST_SIBLINGS = 60_000
"""The maximum children of one element other than rows; the time for more is quadratic."""
LONGEST_TEXT = 4_000
"""The maximum length of one text; the time for a longer one is quadratic."""

MOST_IN_WORD = 1_000
"""The maximum elements without a space between them; PlutoPrint takes 2 s for 15,000, and quadratic time."""

_LONG = 20_000
"""The length of a tag above which its attributes are counted, as parsing takes quadratic time."""

_TAG = re.compile(r"""<[a-zA-Z](?:[^>"']|"[^"]*"|'[^']*')*+""")
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
_BRACKETS = re.compile(r"[\[({]|[\])}]")
_CUSTOM = re.compile(r"(?<![\w-])(--[\w-]+)\s*:([^;{}]*)")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)")


def too_many_elements() -> OverLimit:
    return OverLimit(
        "timeout",
        say(
            "The page has more than {most_elements} elements. Split it into several pages.", most_elements=MOST_ELEMENTS
        ),
    )


def too_many_attributes() -> OverLimit:
    return OverLimit(
        "timeout",
        say("An element on the page has more than {most_attributes} attributes.", most_attributes=MOST_ATTRIBUTES),
    )


def check_tags(text: str) -> None:
    """Raise OverLimit for a tag with too many attributes in an HTML text, before it is parsed."""
    if len(text) < _LONG:
        return
    for tag in _TAG.finditer(text):
        if tag.end() - tag.start() < _LONG:
            continue
        words = _QUOTED.sub("", tag[0]).split()
        # A slash counts as a space, except in an unquoted value.
        if sum(1 + word.partition("=")[0].count("/") for word in words) > MOST_ATTRIBUTES:
            raise too_many_attributes()


def too_deep() -> OverLimit:
    return OverLimit(
        "memory", say("The page's elements are nested more than {most_depth} deep.", most_depth=MOST_DEPTH)
    )


def too_many_tables() -> OverLimit:
    return OverLimit(
        "timeout",
        say("The page has tables nested more than {most_tables} deep. Flatten some of them.", most_tables=MOST_TABLES),
    )


def too_long() -> OverLimit:
    return OverLimit(
        "timeout",
        say("The page has more than {most_characters} characters of text. Split it.", most_characters=MOST_CHARACTERS),
    )


def check_siblings(count: int) -> None:
    """Raise OverLimit for an element with too many children, each of which is visited once per page."""
    if count > MOST_SIBLINGS:
        raise OverLimit(
            "timeout",
            say(
                "An element on the page has {count} direct children, and the limit is {most_siblings}. "
                "Group them, for example in <div> elements.",
                count=count,
                most_siblings=MOST_SIBLINGS,
            ),
        )


def check_pages(count: int) -> None:
    """Raise OverLimit for a document with too many pages; enormous lengths cause them."""
    if count > MOST_PAGES:
        raise OverLimit(
            "output",
            say(
                "The document would have {count} pages, and the limit is {most_pages}.",
                count=count,
                most_pages=MOST_PAGES,
            ),
        )


def check_sheet(text: str) -> None:
    """Raise OverLimit for a style sheet that is too large, has too many rules, or is nested too deeply."""
    if len(text) > MOST_SHEETS:
        raise OverLimit("memory", "The page's style sheets are too large. Keep them below 4 MB.")
    if text.count("{") > MOST_RULES:
        raise OverLimit(
            "timeout",
            say("The page has more than {most_rules} style rules. Remove unused ones.", most_rules=MOST_RULES),
        )
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth = depth + 1 if bracket[0] in "[({" else max(depth - 1, 0)
        if depth > MOST_BRACKETS:
            raise OverLimit(
                "memory",
                say(
                    "A style sheet on the page has brackets nested more than {most_brackets} deep.",
                    most_brackets=MOST_BRACKETS,
                ),
            )


def check_variables(sheets: Iterable[str]) -> None:
    """Raise OverLimit if custom properties expand beyond bounds."""
    variables: dict[str, tuple[int, tuple[str, ...]]] = {}
    for sheet in sheets:
        for name, value in _CUSTOM.findall(sheet):
            own, references = variables.get(name, (0, ()))
            variables[name] = max(own, len(value)), max(tuple(_VARIABLE.findall(value)), references, key=len)
    sizes: dict[str, int] = {}

    def size(name: str, path: tuple[str, ...]) -> int:
        if name in path or len(path) > 100:
            return 0  # a cyclic one has no value (CSS Custom Properties 1, 2.3)
        if name not in sizes:
            own, references = variables.get(name, (0, ()))
            sizes[name] = own + sum(size(each, (*path, name)) for each in references)
        return sizes[name]

    if any(size(name, ()) > MOST_EXPANDED for name in variables):
        raise OverLimit("memory", "The page's style variables (var()) expand to too much text.")
