"""The list of CSS that has an effect is what PlutoPrint does, and what browsers do beside it is named."""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2
import pytest

from engine.families.html_pdf.css.equivalents import translated
from engine.families.html_pdf.css.ignored import is_foreign, is_handled, standard
from engine.families.html_pdf.css.properties import PREFIXED, PREFIXED_ONLY, REFINEMENTS, RENAMED, WITHOUT_EFFECT
from engine.families.html_pdf.css.supported import FUNCTIONS, GRID, SELECTORS, UNDERSTOOD, WORDS
from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT, PageOptions
from engine.families.html_pdf.render import render
from engine.toolkit.warnings import Warn
from tests.converters import page_references
from tests.converters.style_specimens import Specimen, specimens

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(HTML_PDF is not PLUTOPRINT, reason="The list is PlutoPrint's."),
]

ALL = [each for each in specimens() if not is_foreign(each.value)]
_SCALE = 0.8
_PAPER = "<!DOCTYPE html><style>@page{size:A4;margin:15mm}</style>"

UNMEASURED = {
    "grid-template-areas", "grid-auto-columns",  # they need items that name them
    "grid-gap", "grid-row-gap", "grid-column-gap",  # other names
}  # fmt: skip
"""Names that no specimen shows."""

BY_CLASS = {("shape", "transform"), ("rectangle", "width"), ("rectangle", "height")}
"""What is obeyed on boxes and, in drawings inside a page, only as an attribute."""

SELECTED = """<body lang=en><p class=p>xx<b>y</b></p><p class=p>y</p><p></p><ul><li>q</ul><a href=http://x.org/>l</a>
<i class=o>only</i><table><tr><td>a<td>b<tr><td>c<td>d</table>"""


def _pixels(pdf: bytes) -> tuple[bytes, ...]:
    with pypdfium2.PdfDocument(pdf) as document:
        return tuple(page.render(scale=_SCALE).to_numpy().tobytes() for page in document)


@functools.cache
def ours(page: str) -> tuple[bytes, ...]:
    with TemporaryDirectory() as folder:
        target = Path(folder) / "output.pdf"
        render(f"{_PAPER}{page}", target, PageOptions(), Warn())
        return _pixels(target.read_bytes())


@functools.cache
def _warnings(page: str) -> frozenset[str]:
    with TemporaryDirectory() as folder:
        warn = Warn()
        render(f"{_PAPER}{page}", Path(folder) / "output.pdf", PageOptions(), warn)
        return frozenset(each.message for each in warn.warnings if each.code in ("NOT_UNDERSTOOD", "CSS_UNSUPPORTED"))


def named(each: Specimen) -> bool:
    return _warnings(each.without) != _warnings(each.with_it)


def changes(each: Specimen) -> bool:
    return ours(each.without) != ours(each.with_it)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Callable[[str], tuple[bytes, ...]]]:
    missing = shutil.which(page_references.CHROMIUM) is None or importlib.util.find_spec("playwright") is None
    if missing:
        pytest.skip("There is no browser to compare with.")
    from playwright.sync_api import sync_playwright  # it may be missing

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=page_references.CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--no-first-run", "--font-render-hinting=none"],
            env={**os.environ, "FONTCONFIG_FILE": str(page_references.FONTS)},
        )
        page = browser.new_page()

        @functools.cache
        def printed(text: str) -> tuple[bytes, ...]:
            page.set_content(f"{_PAPER}{text}")
            return _pixels(page.pdf(print_background=True, prefer_css_page_size=True))

        yield printed
        browser.close()


def test_each_property_of_the_list_changes_what_is_drawn() -> None:
    drawn = {standard(RENAMED.get(each.name, each.name)) for each in ALL if changes(each)}
    assert sorted((UNDERSTOOD | GRID) - drawn - UNMEASURED) == []


def test_each_selector_of_the_list_selects_something() -> None:
    rule = "{color:red;font-size:30px;content:'c';background:#ff0}"
    arguments = {"has": "(b)", "is": "(.p)", "where": "(.p)", "not": "(.p)"}
    written = {each: each + arguments.get(each, "(1)" if each.startswith("nth") else "") for each in SELECTORS}
    of_pages = {"first", "left", "right", "blank", "nth"}
    unlike = {
        each
        for each, text in written.items()
        if each not in of_pages
        and ours(SELECTED) != ours(f"<style>body :{text}{rule} body ::{text}{rule}</style>{SELECTED}")
    }
    assert sorted(SELECTORS - unlike - of_pages) == ["root"]


def test_what_the_list_leaves_out_is_on_no_other_list_by_mistake() -> None:
    lists = {"UNDERSTOOD": UNDERSTOOD, "GRID": GRID, "WITHOUT_EFFECT": WITHOUT_EFFECT, "REFINEMENTS": REFINEMENTS}
    found = defaultdict(list)
    for name, names in lists.items():
        for each in names:
            found[each].append(name)
    assert {each: names for each, names in found.items() if len(names) > 1} == {}
    assert set(FUNCTIONS) <= UNDERSTOOD
    assert {standard(each) for each in PREFIXED}.isdisjoint(PREFIXED_ONLY)


def test_what_browsers_obey_and_we_do_not_is_named(chromium: Callable[[str], tuple[bytes, ...]]) -> None:
    silent = []
    for each in ALL:
        name = standard(RENAMED.get(each.name, each.name))
        if (each.context, each.name) in BY_CLASS or each.name.removeprefix("-webkit-") in ("appearance",):
            continue
        if name in REFINEMENTS and (name not in WORDS or is_handled(name, each.value)):
            continue
        if changes(each) or chromium(each.without) == chromium(each.with_it):
            continue
        if not named(each):
            silent.append(f"{each.context}: {each.name}: {each.value}")
    assert silent == []


def test_what_browsers_print_alike_with_and_without_is_not_named(
    chromium: Callable[[str], tuple[bytes, ...]],
) -> None:
    false = [
        f"{each.name}: {each.value}"
        for each in ALL
        if standard(RENAMED.get(each.name, each.name)) in WITHOUT_EFFECT
        and (named(each) or chromium(each.without) != chromium(each.with_it))
    ]
    assert false == []


def test_what_is_translated_is_understood() -> None:
    for each in ALL:
        for name, value in translated(each.name, each.value):
            if (name, value) != (each.name, each.value):
                assert name in UNDERSTOOD | GRID | set(WORDS), (each, name)
                assert not re.search("^-webkit-", name)
