"""Real pages as PDF where PlutoPrint isn't installed: no letter may be lost or too small, wherever it comes to be."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pypdfium2
import pytest

from engine.families.html_pdf import render
from engine.families.html_pdf.options import PageOptions
from engine.toolkit.warnings import Warn
from tests.converters import page_references as references
from tests.converters import printed


@pytest.mark.parametrize("name", references.names())
def test_page_loses_no_letter_and_can_be_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "engine", "xhtml2pdf")
    target = tmp_path / "output.pdf"
    render.render(references.source(name).read_bytes(), target, PageOptions(), Warn())
    drawn = target.read_bytes()
    assert not _letters(references.words(name)) - _letters(printed.words(drawn))
    assert printed.smallest_letter(drawn) >= 4.95


WITHOUT_PLACE = {
    "left of the page": "<p style='text-indent: -5000px'>first</p><p>second</p>",
    "right of the page": "<p style='white-space: nowrap; margin-left: 900px'>first</p><p>second</p>",
    "smaller than can be read": "<p>second</p><div style='break-inside: avoid'>" + "<p>first</p>" * 300 + "</div>",
}


@pytest.mark.parametrize("where", WITHOUT_PLACE)
def test_text_without_a_place_is_put_at_the_end_and_reported(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, codes = _drawn(WITHOUT_PLACE[where], tmp_path, monkeypatch)
    assert {"first", "second"} <= set(printed.words(drawn))
    assert printed.smallest_letter(drawn) >= 4.95 or "CONTENT_CLIPPED" in codes
    with pypdfium2.PdfDocument(drawn) as document:
        for page in document:
            shown = page.get_textpage().get_text_bounded(0, 0, *page.get_size())
            assert "first" in shown or "second" in shown


NESTED = "<table border=1 cellpadding=8><tr><td>{}<td>beside</table>"


@pytest.mark.parametrize("depth", [2, 4, 8])
def test_nested_tables_stay_readable(depth: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "unbreakableinnermost"
    for _ in range(depth):
        page = NESTED.format(page)
    drawn, _ = _drawn(page, tmp_path, monkeypatch)
    assert printed.smallest_letter(drawn) >= 4.95
    assert "".join(printed.words(drawn)).count("beside") == depth


def test_a_long_table_keeps_its_rows_header_and_columns_across_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "".join(f"<tr><td>n{at}<td rowspan={2 if at % 7 == 0 else 1}>{'wide' * (at % 5)}x" for at in range(400))
    drawn, codes = _drawn(f"<table><thead><tr><th>Head<th>er</thead>{rows}</table>", tmp_path, monkeypatch)
    assert codes == set()
    with pypdfium2.PdfDocument(drawn) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    assert all(text.startswith("Head") for text in texts)
    assert all(text.count("Head") == 1 for text in texts)
    found = [word for word in printed.words(drawn) if word[0] == "n"]
    assert found == [f"n{at}" for at in range(400)]


def test_margin_boxes_are_printed_with_their_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    style = (
        '@page { @top-left { content: "Left {title}" } }'
        '@page { @bottom-center { content: counter(page) " of " counter(pages) } }'
        "@page :first { @top-left { content: none } } @page { @top-right { content: element(x) } }"
    )
    page = f"<style>{style}</style><p>one<p style='page-break-before: always'>two"
    drawn, codes = _drawn(page, tmp_path, monkeypatch)
    with pypdfium2.PdfDocument(drawn) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    assert ["Left {title}" in text for text in texts] == [False, True]
    assert ["1 of 2" in texts[0], "2 of 2" in texts[1]] == [True, True]
    assert codes == {"CSS_UNSUPPORTED"}


def test_no_two_lines_lie_on_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tag = "<b style='font-size: 8pt; border: 1px solid; padding: 0 3px'>{}</b> "
    page = "<div style='width: 150pt; font-size: 12pt'>" + "".join(
        map(tag.format, ("first" * 5, "second" * 3, "third" * 5))
    )
    drawn, _ = _drawn(page, tmp_path, monkeypatch)
    with pypdfium2.PdfDocument(drawn) as document:
        text = document[0].get_textpage()
        tops = [text.get_charbox(text.get_text_range().index(word))[1] for word in ("first", "second", "third")]
    assert tops[0] - tops[1] > 8
    assert tops[1] - tops[2] > 8


def test_a_foot_comes_after_the_rows_wherever_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "<tfoot><tr><td>foot<td>x</tfoot><tr><td>body<td>x"
    drawn, _ = _drawn(f"<table>{rows}</table>", tmp_path, monkeypatch)
    assert printed.words(drawn) == ["body", "x", "foot", "x"]


def test_a_header_of_more_rows_than_a_page_is_printed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f"<tr><td>n{at}<td>x" for at in range(90))
    drawn, codes = _drawn(f"<table><thead>{rows}</thead><tr><td>end<td>x</table>", tmp_path, monkeypatch)
    assert [word for word in printed.words(drawn) if word != "x"] == [*(f"n{at}" for at in range(90)), "end"]
    assert codes == set()


def test_lists_are_numbered_as_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (
        "<ol start=9><li>a<li value=20>b<li>c</ol><ol type=i><li>d<li>e</ol><ol reversed><li>f<li>g</ol>"
        "<ol style='list-style-type: upper-alpha'><li>h</ol><ul style='list-style: none'><li>i</ul><ul><li><p>j</ul>"
    )
    drawn, _ = _drawn(page, tmp_path, monkeypatch)
    assert " ".join(printed.words(drawn)) == "9. a 20. b 21. c i. d ii. e 2. f 1. g A. h i j"


ITEMS = (
    "<div style='display: flex'><div style='width: 30%'>Amounts owed</div><div style='width: 70%'>beside</div></div>",
    "<div style='display: grid'><span>one</span><span>two</span></div>",
)


def test_items_of_boxes_are_as_wide_as_they_say_and_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, _ = _drawn("".join(ITEMS), tmp_path, monkeypatch)
    assert printed.words(drawn) == ["Amounts", "owed", "beside", "one", "two"]
    with pypdfium2.PdfDocument(drawn) as document:
        text = document[0].get_textpage()
        places = {word: text.get_charbox(text.get_text_range().index(word)) for word in ("Amounts", "owed", "beside")}
    assert places["Amounts"][1] == pytest.approx(places["owed"][1], abs=3)
    assert places["Amounts"][1] == pytest.approx(places["beside"][1], abs=3)


def _drawn(page: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[bytes, set[str]]:
    """The PDF of a page, and the codes of its warnings."""
    monkeypatch.setattr(render, "engine", "xhtml2pdf")
    target, warn = folder / "output.pdf", Warn()
    render.render(page, target, PageOptions(), warn)
    return target.read_bytes(), {each.code for each in warn.warnings}


def _letters(words: list[str]) -> Counter[str]:
    """How often there is each letter, large or small: where words end is a guess where two lie side by side."""
    return Counter("".join(words).upper())
