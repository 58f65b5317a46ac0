"""What counts and reads the notations of documents takes no longer than their length deserves."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.families.documents import census, directives, list_numbers, safe_html
from engine.families.documents.counting import plain
from engine.families.documents.counting.markup import org, restructured, tex, typst, wiki
from engine.families.documents.dialect import written
from engine.families.documents.markup import comments
from engine.families.documents.presenting import document
from engine.families.documents.style_transfer import picture_sizes
from tests.hostile.patterns import slow, within

LENGTH = 12_000
"""Characters: what takes their square needs over the budget, and minutes for a file of 100 KB."""
BUDGET = 0.2
"""Seconds of processor time; the slowest of these takes 0.1."""
SECONDS = 1
"""For 100 KB; the slowest of these takes 0.1."""
READ: dict[str, tuple[re.Pattern[Any], str]] = {
    "a table": (census._RULE, "findall"),
    "the line under a header": (plain._RULE, "match"),
    "a picture": (plain._PICTURE, "findall"),
    "a link": (plain._LINK, "findall"),
    "tags in Org": (org._TAGS, "search"),
    "a link in Org": (org._LINK, "findall"),
    "a role": (restructured._ROLE, "findall"),
    "a name in TeX": (tex._NAME, "match"),
    "an argument in TeX": (tex._NEXT, "match"),
    "prose in TeX": (tex._PROSE, "match"),
    "a language in Typst": (typst._LANGUAGE, "match"),
    "a link in a wiki": (wiki._OUTER, "findall"),
    "a cell in a wiki": (wiki._CELL, "findall"),
    "a callout": (written._CALLOUT, "findall"),
    "a fence": (directives._FENCE, "fullmatch"),
    "an attribute of a list": (list_numbers._ATTRIBUTE, "findall"),
    "the edge of a comment": (comments._EDGE, "fullmatch"),
    "an active address": (safe_html._ACTIVE_URL, "search"),
    "the size of a picture": (picture_sizes._NUMBER, "fullmatch"),
    "notes of a slide": (document._OPENING, "fullmatch"),
}
REPEATED = {
    "a picture": ["![", "![[a](x[y]z)", "[a](![)", "<img ", "<img src "],
    "a link": ["[", "[![x", "\\[", "[![a]([)", "![a][x\\]", "<http://", "<a ", "[x ![a](b)"],
    "a link in Org": ["[[", "[[a", "[[a]["],
    "a role": [":", ":a:`"],
    "a link in a wiki": ["[https:", "[https:a ", "[https:a b"],
    "a cell in a wiki": ["||a=b ", "||a=!!", 'a="!!', ' a="||b=c" d="', ' a="x y=z"', "a=bb"],
    "a callout": ["<blockquote> <p>[!note] "],
}


@pytest.mark.parametrize("name", READ)
def test_the_notations_of_documents_are_read_in_linear_time(name: str) -> None:
    expression, way = READ[name]
    assert not slow(expression, LENGTH, BUDGET, (way,))


@pytest.mark.parametrize(("name", "marks"), [(name, marks) for name, all_ in REPEATED.items() for marks in all_])
def test_marks_that_nothing_closes_are_read_in_linear_time(name: str, marks: str) -> None:
    expression, _ = READ[name]
    for before in ("", *REPEATED[name]):
        text = before + marks * (100_000 // len(marks)) + "!"
        assert within(SECONDS, lambda text=text: expression.findall(text)), before  # type: ignore[misc]
