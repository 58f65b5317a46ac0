"""Expressions that read uploads take time in proportion to the text."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import engine.families
import engine.toolkit
from tests.examples import examples
from tests.hostile.costs import slowness
from tests.hostile.patterns import slow

LENGTH = 20_000
SECONDS = 1.0
"""Of processor time; what takes the square of the length needs 25 s for 100 KB then. Others need a hundredth of it, or,
where they are bounded otherwise, less than half."""
WAYS = {
    "match": "match", "fullmatch": "fullmatch", "search": "search", "sub": "search", "subn": "search",
    "finditer": "search", "findall": "search", "split": "search",
}  # fmt: skip
EXTRAS = {"pyogrio", "trimesh"}
"""Libraries of requirements-extras.txt that modules import when they begin."""
_COUNTING = "it counts a finished result, and is ended after a time without harm to it"
_OWN = "it reads what the engine wrote, which closes all that it opens"
_PARTS = {
    _COUNTING: (
        "data.counting.excel_looks._COLUMN_WITH_VALUE", "data.counting.excel_looks._IN_FIRST_COLUMN",
        "data.counting.ods_looks._SPLIT", "data.counting.office_xml._CDATA", "data.counting.office_xml._READING",
        "data.counting.open_document._NOTE", "documents.counting.markup.asciidoc._GONE",
        "documents.counting.markup.asciidoc._MACRO", "documents.counting.markup.org._GONE",
        "documents.counting.markup.typst._CODE", "documents.counting.markup.typst._MARKUP",
        "documents.counting.markup.wiki._FORMULA", "documents.counting.plain._ALTERNATIVE",
        "documents.counting.plain._MATHS", "documents.counting.plain._NOTE", "documents.counting.plain._NOTE_LABEL",
        "documents.counting.plain._NOT_TEXT", "documents.counting.plain._TABLE", "documents.counting.plain._UNSEEN",
    ),
    _OWN: (
        "data.writers.ods_layout._SHOWN", "documents.style_transfer.rich_text._FONTS",
        "documents.style_transfer.rich_text._GAP", "html_pdf.tagged.lettering._CHARS",
        "html_pdf.tagged.lettering._RANGES", "html_pdf.tagged.lettering._SPAN", "html_pdf.printed_text._SECTION",
        "html_pdf.printed_text._SHOWN",
    ),
    "its texts have at most 2,000 characters": ("html_pdf.plutoprint.row_pictures._DOWN",),
    "its texts have at most 4,000 characters": ("data.printed.ods_setup._RANGE",),
}  # fmt: skip
LEFT = {f"engine.families.{name}": reason for reason, names in _PARTS.items() for name in names}
"""Expressions that take longer, and why that does no harm."""
PACKAGES = sorted(
    each.name
    for package in (engine.families, engine.toolkit)
    for each in pkgutil.iter_modules(package.__path__, package.__name__ + ".")
)


def modules(name: str) -> Iterator[ModuleType]:
    """The module of this name and all below it, except those that need a library that is not installed."""
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        return
    yield module
    for each in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{name}."):
        if not each.name.endswith("__main__"):
            yield from modules(each.name)


def uses(module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any], str]]:
    """The name of each expression that a module uses, the expression, and the way of looking for it."""
    for node in ast.walk(ast.parse(Path(module.__file__ or "").read_bytes())):
        if isinstance(node, ast.Attribute) and node.attr in WAYS and isinstance(node.value, ast.Name):
            found = vars(module).get(node.value.id)
            if isinstance(found, re.Pattern):
                yield f"{module.__name__}.{node.value.id}", found, WAYS[node.attr]


@pytest.mark.examples
@pytest.mark.parametrize("package", PACKAGES)
def test_expressions_of_the_engine_take_time_in_proportion_to_the_text(package: str) -> None:
    ways: dict[tuple[str, re.Pattern[Any]], set[str]] = defaultdict(set)
    for module in modules(package):
        for name, expression, way in uses(module):
            ways[name, expression].add(way)
    budget = SECONDS * slowness()
    tried = random.sample(sorted(ways, key=str), examples(len(ways)))
    found = {
        name: text
        for name, expression in tried
        if name not in LEFT and (text := slow(expression, LENGTH, budget, tuple(sorted(ways[name, expression]))))
    }
    assert not found


def test_expressions_that_take_longer_are_told_apart() -> None:
    assert slow(re.compile(r"([a-z])+="), LENGTH, SECONDS, ("search",))
    assert slow(re.compile(r"[ \t]*(?:x[ \t]*)*=(?=y)"), LENGTH, SECONDS, ("search",))
    assert not slow(re.compile(r"(?<![a-z])[a-z]++="), LENGTH, SECONDS, ("search",))
    assert not slow(re.compile(r"[a-z]+="), LENGTH, SECONDS, ("match",))
    assert slow(re.compile(r"<img\b[^>]*\bcid:[^>]*>"), LENGTH, SECONDS, ("search",))
    assert not slow(re.compile(r"<img\b[^<>]*>"), LENGTH, SECONDS, ("search",))
