"""Pages of HTML that end where they may: what must not be apart from what follows it is on the same page."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from engine.families.html_pdf import render
from engine.families.html_pdf.options import HTML_PDF, PageOptions
from engine.toolkit.warnings import Warn

pytestmark = pytest.mark.skipif(HTML_PDF.distribution != "plutoprint", reason="PlutoPrint is not installed")

_STYLE = "<style>@page{size:A5;margin:15mm}body{margin:0}h2,h3{break-after:avoid}.filler{height:163mm}</style>"
_FILLER = "<div class=filler>Filler</div>"
_DRAWING = '<svg width="200" height="100"><rect width="200" height="100"/></svg>'


def printed(folder: Path, body: str) -> tuple[list[list[str]], Warn]:
    """The words of each page."""
    warn = Warn()
    render.render(_STYLE + body, folder / "page.pdf", PageOptions(), warn)
    pages = pypdfium2.PdfDocument(folder / "page.pdf")
    return [page.get_textpage().get_text_range().split() for page in pages], warn


@pytest.mark.parametrize(
    ("body", "last"),
    [
        ("<h3>Head</h3><p>one<p>two", "Head one two"),
        ("<h2>Part</h2><h3>Head</h3><p>one", "Part Head one"),
        ("<h3>Head</h3>bare <b>text</b>", "Head bare text"),
        ("<header><h3>Head</h3></header><p>one", "Head one"),
        ("<div><h3>Head</h3><div><div>one</div></div></div>", "Head one"),
        ("<h3>Head</h3><ul><li><p>one</ul>", "Head • one"),
        ("<h3>Head</h3><table><thead><tr><th>top<tbody><tr><td>cell</table>", "Head top cell"),
        (f"<h3>Head</h3>{_DRAWING}<p>one", "Head one"),
        ("<h3>Head</h3><div style='height:40mm;border:1px solid;break-inside:avoid'></div><p>one", "Head one"),
        ("<h3>Head</h3><div style='display:grid;grid-template-columns:1fr 1fr'><p>a<p>b</div>", "Head a b"),
        ("<h4 style='page-break-after:avoid'>Head</h4><p>one", "Head one"),
        ("<h4>Head</h4><p style='break-before:avoid'>one", "Head one"),
    ],
)
def test_a_heading_is_on_the_page_of_what_follows_it(tmp_path: Path, body: str, last: str) -> None:
    pages, warn = printed(tmp_path, _FILLER + body)
    assert pages == [["Filler"], last.split()]
    assert not warn.warnings


def test_a_heading_stays_where_what_follows_is_too_tall_for_both(tmp_path: Path) -> None:
    tall = "<h3>Head</h3><div style='height:175mm;break-inside:avoid'>tall</div>"
    for body in (_FILLER + tall, tall):
        pages, warn = printed(tmp_path, body)
        assert [each for page in pages for each in page][-2:] == ["Head", "tall"]
        assert len(pages) == 2
        assert not warn.warnings


def test_a_break_that_is_asked_for_is_no_reason_to_move_a_heading(tmp_path: Path) -> None:
    pages, _ = printed(tmp_path, f"{_FILLER}<h3>Head</h3><p style='break-before:page'>one")
    assert pages == [["Filler", "Head"], ["one"]]


def test_the_headings_of_a_long_document_are_all_kept(tmp_path: Path) -> None:
    parts = (
        f"<h2>Head{number}</h2>"
        + "".join(f"<p>Text{number} {'word ' * (7 * (number * at % 13))}" for at in range(1 + number % 4))
        for number in range(200)
    )
    pages, warn = printed(tmp_path, "".join(parts))
    assert len(pages) > 30
    for number in range(200):
        page = next(each for each in pages if f"Head{number}" in each)
        assert f"Text{number}" in page
    assert not warn.warnings


def test_the_marks_of_first_words_are_not_in_the_file(tmp_path: Path) -> None:
    printed(tmp_path, f"{_FILLER}<h3>Head</h3><p>one<p id=here>two <a href='#here'>link</a>")
    with pikepdf.open(tmp_path / "page.pdf") as pdf:
        names = [str(each) for each in pikepdf.NameTree(pdf.Root.Names.Dests)]
    assert "here" in names
    assert not [each for each in names if "first" in each]
