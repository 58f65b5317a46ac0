"""Pages that hold only positioned boxes end where a page break is forced."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from engine.families.html_pdf import render
from engine.families.html_pdf.options import HTML_PDF, PageOptions
from engine.toolkit.warnings import Warn

pytestmark = pytest.mark.skipif(HTML_PDF.distribution != "plutoprint", reason="PlutoPrint is not installed")

_RULES = "@page{size:A6;margin:15mm}section{position:relative;break-before:page}i{position:absolute;top:1cm;left:1cm}"


def _words(page: str, folder: Path) -> list[list[str]]:
    warn = Warn()
    render.render(page, folder / "page.pdf", PageOptions(), warn)
    assert not warn.warnings
    with pypdfium2.PdfDocument(folder / "page.pdf") as document:
        return [each.get_textpage().get_text_range().split() for each in document]


@pytest.mark.parametrize(
    ("rules", "body", "words"),
    [
        ("", "<section><i>two</i></section><section>three</section>", [["one"], ["two"], ["three"]]),
        ("", "<section><i>two</i><b hidden>x</b></section><section><i>three</i></section><section>four</section>",
         [["one"], ["two"], ["three"], ["four"]]),
        ("section,p{break-before:auto;break-after:page}", "<section><i>two</i></section><p>three",
         [["one"], ["two"], ["three"]]),
        ("", "<section></section><section>three</section>", [["one"], [], ["three"]]),
    ],
)  # fmt: skip
def test_a_page_of_positioned_boxes_ends_at_a_forced_break(
    rules: str, body: str, words: list[list[str]], tmp_path: Path
) -> None:
    assert _words(f"<style>{_RULES}{rules}</style><body><p>one</p>{body}", tmp_path) == words


def test_an_empty_box_after_a_full_page_makes_no_empty_page(tmp_path: Path) -> None:
    style = "@page{size:300pt 400pt;margin:50pt}body{margin:0}main{height:300pt}div{page-break-after:always}"
    assert _words(f"<style>{style}</style><main>one</main><div></div><p>two", tmp_path) == [["one"], ["two"]]
