"""The first page is a right one as well."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from engine.families.html_pdf import render
from engine.families.html_pdf.options import HTML_PDF, PageOptions
from engine.toolkit.warnings import Warn

pytestmark = pytest.mark.skipif(HTML_PDF.distribution != "plutoprint", reason="PlutoPrint is not installed")

_FIRST, _LEFT = "@page :first{@top-left{content:'FIRST'}}", "@page :left{@top-right{content:'LEFT'}}"
_RIGHT = "@page :right{@top-right{content:'RIGHT}'}}"


@pytest.mark.parametrize(
    ("rules", "first"),
    [
        (_RIGHT, ["RIGHT}"]),
        (_FIRST + _RIGHT, ["FIRST", "RIGHT}"]),
        (_RIGHT + _FIRST, ["FIRST", "RIGHT}"]),
        (_RIGHT + "@page :first{@top-right{content:'FIRST'}}", ["FIRST"]),
        (_RIGHT + "@page :first{@top-right{content:none}}", []),
    ],
)
def test_the_first_page_has_the_boxes_of_right_pages_that_it_does_not_replace(
    tmp_path: Path, rules: str, first: list[str]
) -> None:
    body = "<p>one<p style='break-before:page'>two<p style='break-before:page'>three"
    warn = Warn()
    page = f"<style>@page{{size:A6;margin:15mm}}{_LEFT}{rules}</style>{body}"
    render.render(page, tmp_path / "page.pdf", PageOptions(), warn)
    pages = pypdfium2.PdfDocument(tmp_path / "page.pdf")
    words = [page.get_textpage().get_text_range().split() for page in pages]
    assert words == [["one", *first], ["two", "LEFT"], ["three", "RIGHT}"]]
    assert not warn.warnings
