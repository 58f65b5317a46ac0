"""Long values of style sheets are read in linear time."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from engine.families.html_pdf.css import cascade, content, pages
from engine.families.html_pdf.css.declarations import Declarations
from engine.families.html_pdf.css.ignored import is_handled, zoom_factor
from engine.families.html_pdf.css.rules import rules
from engine.families.html_pdf.css.sheets import Sheets
from engine.families.html_pdf.plutoprint import missing_fonts
from engine.families.html_pdf.visibility import soft_hyphens
from engine.toolkit.warnings import Warn

LONG = 90_000


def _lowered(text: str) -> str:
    return Declarations(Warn(), backgrounds=True).lowered(text, "p")


READERS: dict[str, tuple[Callable[[str], object], str]] = {
    "names": (cascade.declarations, "a" * LONG),
    "blanks": (cascade.declarations, " " * LONG),
    "declarations without end": (_lowered, "a:" * 45_000 + ")"),
    "dashes": (_lowered, "-" * LONG),
    "a zoom": (zoom_factor, "0" * LONG + "x"),
    "brackets": (lambda text: is_handled("display", text), "(" * 45_000 + ")" * 45_000),
    "no rule": (lambda text: list(rules([text], "print")), "a" * LONG),
    "escaped quotation marks": (lambda text: content.written(text, lambda _, __: ""), '"' + '\\"' * 45_000),
    "pages without a block": (pages.page_rules, "@page " * 15_000),
    "pages without an end": (pages.page_rules, "@page{" * 15_000),
    "attributes": (Sheets(frozenset(), Warn()).may_select, "[a" * 45_000),
    "a font": (lambda text: missing_fonts.report([("font", text)], (), Warn()), "0" * LONG),
    "a line": (lambda text: soft_hyphens.unhyphenated((), [text]), "a" * LONG),
}


def test_a_picture_in_a_style_sheet_is_read_in_linear_time() -> None:
    value = f"url(data:image/png;base64,{'iVBORw0KGgo' * 20_000})"
    started = time.process_time()
    assert is_handled("background", value)
    assert time.process_time() - started < 1


@pytest.mark.parametrize("name", READERS)
def test_a_long_text_that_is_no_style_sheet_is_read_in_linear_time(name: str) -> None:
    read, text = READERS[name]
    started = time.process_time()
    read(text)
    assert time.process_time() - started < 1


def test_a_brace_in_a_text_starts_no_rule() -> None:
    assert list(rules(["a{content:'{'}b{c:d}"], "print")) == [("a", "content:'{'"), ("b", "c:d")]
    assert list(rules(["'a{b:c}' \" d{e:f}"], "print")) == [("d", "e:f")]


def test_an_escaped_quotation_mark_starts_no_text() -> None:
    assert list(rules(['.a\\"b{c:d}e{f:g}'], "print")) == [('.a\\"b', "c:d"), ("e", "f:g")]


def test_a_declaration_without_end_is_kept_as_it_is() -> None:
    assert _lowered("color:red;width:(a;color:blue").startswith("color:red;width:(a;")
