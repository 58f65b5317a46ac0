"""No text makes a regular expression of ours take longer than its length deserves."""

from __future__ import annotations

import importlib
import pkgutil
import re
from types import ModuleType
from typing import Any

import pytest

import accounts
import apikeys
import config
import conversions
import storage
from engine.families.registry import ALTERNATIVES, CONVERTERS
from engine.toolkit.options import describe
from tests.hostile.patterns import BUDGET, slow

HEADER_BYTES = 8190
"""The longest line of a head (gunicorn's limit); what takes the square of its length is far over the budget here."""
DECLARED = sorted(
    {
        (each.pattern, each.max_length or 0)
        for converter in (*CONVERTERS.values(), *ALTERNATIVES)
        for each in describe(converter.options)
        if each.pattern is not None
    }
)


def modules(package: ModuleType, *, below: bool = True) -> list[ModuleType]:
    found = [package]
    for each in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        if each.name.rpartition(".")[2] in ("gunicorn", "wsgi", "__main__", "migrations", "families", "sandbox"):
            continue
        module = importlib.import_module(each.name)
        found += modules(module) if each.ispkg and below else [module]
    return found


def expressions(*packages: ModuleType) -> dict[str, re.Pattern[Any]]:
    """The compiled expressions of the modules, by name."""
    return {
        f"{module.__name__}.{name}": value
        for package in packages
        for module in modules(package)
        for name, value in vars(module).items()
        if isinstance(value, re.Pattern)
    }


WEB = expressions(accounts, apikeys, config, conversions, storage)


@pytest.mark.parametrize(
    ("pattern", "catches"),
    [
        (r"(a+)+", True), (r"(a|a)*b", True), (r"([a-z]+\d?)*,", True), (r"(?:x|y|xy)*z", True), (r"(\w+\s?)*\.", True),
        (r"[a-z]+(,[a-z]+)*", False), (r"\d{1,4}(\.\d{1,3})?", False),
    ],
)  # fmt: skip
def test_an_expression_that_explodes_is_found(pattern: str, catches: bool) -> None:
    assert bool(slow(re.compile(rf"\A(?:{pattern})\Z"), 60, BUDGET, ("match",))) == catches


@pytest.mark.parametrize(("pattern", "length"), DECLARED, ids=range(len(DECLARED)))
def test_every_declared_pattern_has_a_length_and_keeps_its_budget(pattern: str, length: int) -> None:
    assert length, "a pattern without a greatest length can't have a budget"
    assert not slow(re.compile(rf"\A(?:{pattern})\Z"), length, BUDGET, ("match",))


@pytest.mark.parametrize("name", sorted(WEB))
def test_every_expression_of_the_web_process_keeps_its_budget(name: str) -> None:
    assert not slow(WEB[name], HEADER_BYTES, BUDGET, ("match", "search"))
