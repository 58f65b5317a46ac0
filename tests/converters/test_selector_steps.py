"""Selectors that go through siblings and descendants over and over are refused early; ordinary ones match."""

from __future__ import annotations

import time
from pathlib import Path

import cssselect2
import pytest
from lxml import html as markup

from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.plutoprint import selector_steps
from engine.families.html_pdf.render import render
from engine.toolkit import selectors
from engine.toolkit.failures import OverLimit
from engine.toolkit.warnings import Warn

ROW = "<p class=x>x" * 10_000
LAST = "</p><i class=y></i>"


def matching(page: str, selector: str) -> int:
    matcher = cssselect2.Matcher()
    for each in selectors.compiled(selector):
        matcher.add_selector(each, None)
    return sum(bool(matcher.match(each)) for each in selectors.visited(markup.fromstring(f"<body>{page}")))


@pytest.mark.parametrize(
    "rules",
    [
        [f".y ~ .x:not(.a{number})" for number in range(30)],
        [f".x:nth-last-child({number}n+3)" for number in range(2, 30)],
        [f"p:nth-of-type({number}n+3)" for number in range(2, 30)],
        [f"p:nth-child({number}n+3 of .x)" for number in range(2, 30)],
        [f"p ~ p ~ p:not(.z{number})" for number in range(20)],
        ["p:has(+ p:has(+ .y))"],
    ],
    ids=["siblings", "last children", "of type", "of class", "chains", "relations in relations"],
)
def test_too_many_steps_are_refused_before_they_are_taken(rules: list[str], tmp_path: Path) -> None:
    sheet = "".join(f"{each}{{margin-left:1px}}" for each in rules)
    started = time.process_time()
    with pytest.raises(OverLimit) as raised:
        render(f"<style>{sheet}</style>{ROW}{LAST}", tmp_path / "page.pdf", PageOptions(), Warn())
    assert raised.value.reason == "limit"
    assert time.process_time() - started < 3


def test_ordinary_rules_for_long_lists_are_none_too_many() -> None:
    root = markup.fromstring(f"<body><ul>{'<li class=x>x' * 20_000}</ul>")
    sheet = "li:last-child{margin:0}li + li{margin:1px}.x ~ .x{margin:2px}.form ~ .label:has(b){margin:3px}"
    selector_steps.check(root, [sheet + ".other:nth-child(2n){margin:1px}" * 1_000], media="print")


def test_a_selector_is_matched_after_a_thousand_siblings() -> None:
    assert matching(f"<b class=z></b>{ROW[:24_000]}{LAST}", ".z ~ .x ~ i") == 1


@pytest.mark.parametrize("selector", [".none ~ p", "p:nth-child(2 of .x)", "p:nth-last-of-type(2)"])
def test_siblings_that_are_gone_through_are_counted(selector: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "MOST_VISITED", 20_000)
    assert matching(ROW[:12_000], selector) < 1_000
    with pytest.raises(OverLimit):
        matching(ROW, selector)


@pytest.mark.parametrize(
    "selectors",
    [
        "li:last-child" + ",a" * 60_000,
        f".{'a' * 60_000} ~ li",
        f"li:last-child:not{'(' * 30_000}{')' * 30_000}",
        "li:last-child" + "[a" * 30_000,
    ],
    ids=["commas", "a long name", "brackets", "open brackets"],
)
def test_long_selectors_are_counted_in_time(selectors: str) -> None:
    root = markup.fromstring(f"<body><ul>{'<li>x' * 300}</ul>")
    started = time.process_time()
    selector_steps.check(root, [f"{selectors}{{margin:0}}"], media="print")
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    "selectors", ["b, .y ~ li", 'b:is(i, u), .y[title="),("] ~ li', ".y ~ li:not(b, i > p)", r".a\,b ~ li"]
)
def test_each_selector_of_a_list_is_counted(selectors: str, monkeypatch: pytest.MonkeyPatch) -> None:
    root = markup.fromstring(f"<body><ul>{'<li>x' * 300}</ul>")
    sheet = f"{selectors}{{margin:0}}"
    monkeypatch.setattr(selector_steps, "MOST_STEPS", 300 * 150)
    selector_steps.check(root, [sheet], media="print")
    monkeypatch.setattr(selector_steps, "MOST_STEPS", 300 * 150 - 1)
    with pytest.raises(OverLimit):
        selector_steps.check(root, [sheet], media="print")
