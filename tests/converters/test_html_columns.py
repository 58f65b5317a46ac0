"""Columns that a page's own styles ask for: each page is read down one column, then down the next."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2
import pytest

from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from engine.families.html_pdf.plutoprint import column_pages
from tests.converters.test_documents import Convert

pytestmark = pytest.mark.skipif(HTML_PDF is not PLUTOPRINT, reason="only PlutoPrint has columns")

_SENTENCE = "The text of this column goes on to the next one and then to the page after it. "


def _paragraphs(count: int, first: int = 0) -> str:
    return "".join(f"<p>N{number:03d} {_SENTENCE * 3}</p>" for number in range(first, first + count))


def _numbers(data: bytes) -> list[list[tuple[int, float, float]]]:
    """The numbers of the paragraphs on each page, with where they stand from the left and from below."""
    found = []
    for page in pypdfium2.PdfDocument(data):
        text = page.get_textpage()
        whole = text.get_text_range()
        starts = [match.start() for match in re.finditer(r"N\d{3}", whole)]
        boxes = [text.get_charbox(at) for at in starts]
        found.append([(int(whole[at + 1 : at + 4]), box[0], box[1]) for at, box in zip(starts, boxes, strict=True)])
    return found


def _in_columns(page: list[tuple[int, float, float]]) -> list[int]:
    """The numbers of a page as it is read: by columns from the left, each from above."""
    return [number for number, *_ in sorted(page, key=lambda each: (round(each[1] / 60), -each[2]))]


@pytest.mark.parametrize(
    ("style", "columns"),
    [("column-count:2", 2), ("columns:3;column-gap:20pt;text-align:justify", 3), ("column-width:150px", 4)],
)
def test_columns_are_filled_page_by_page(tmp_path: Path, style: str, columns: int) -> None:
    text = f"<h1>Head</h1><main><div style='{style}'>{_paragraphs(90)}</div></main><p>Below all of them</p>"
    made = Convert(tmp_path, "html-to-pdf", text.encode())
    pages = _numbers(made.data)
    assert len(pages) >= 3
    assert [number for page in pages for number in _in_columns(page)] == list(range(90))
    for page in pages[:-1]:
        assert len({round(left / 60) for _, left, _ in page}) == columns
    words = " ".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(made.data)).split()
    assert len(words) == len(re.sub("<[^>]*>", " ", text).split())
    assert not made.codes


def test_several_columns_are_each_filled_page_by_page(tmp_path: Path) -> None:
    text = (
        f"<style>.a{{column-count:2}}.b{{columns:3}}</style><div class=a>{_paragraphs(40)}</div><h2>Between</h2>"
        f"<div class=b>{_paragraphs(50, 40)}</div>"
    )
    made = Convert(tmp_path, "html-to-pdf", text.encode())
    pages = _numbers(made.data)
    assert len(pages) >= 3
    read = [number for page in pages for part in (range(40), range(40, 90))
            for number in _in_columns([each for each in page if each[0] in part])]  # fmt: skip
    assert read == list(range(90))


def test_no_words_of_many_columns_are_cut_off(tmp_path: Path) -> None:
    text = "".join(f"<h2>T</h2><div style='columns:2'>{_paragraphs(4, 4 * at)}</div>" for at in range(60))
    made = Convert(tmp_path, "html-to-pdf", text.encode())
    assert made.codes == {"VALUE_CONVERTED"}
    assert sorted(number for page in _numbers(made.data) for number, *_ in page) == list(range(240))


def test_lists_and_paragraphs_go_on_where_a_page_ends(tmp_path: Path) -> None:
    items = "".join(f"<li>N{number:03d} {_SENTENCE * 3}</li>" for number in range(80))
    made = Convert(tmp_path, "html-to-pdf", f"<div style='column-count:2'><ol>{items}</ol></div>".encode())
    pages = _numbers(made.data)
    assert len(pages) >= 3
    assert [number for page in pages for number in _in_columns(page)] == list(range(80))
    text = "".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(made.data))
    assert [int(each) for each in re.findall(r"(\d+)\.\s+N\d{3}", text)] == [
        int(each) + 1 for each in re.findall(r"\d+\.\s+N(\d{3})", text)
    ]
    assert len(re.findall(r"\d+\.\s+N\d{3}", text)) == 80


def test_columns_that_can_not_be_kept_become_one_and_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_pages, "_MOST_WORDS", 100)
    made = Convert(tmp_path, "html-to-pdf", f"<div style='column-count:2'>{_paragraphs(60)}</div>".encode())
    pages = _numbers(made.data)
    assert [number for page in pages for number in _in_columns(page)] == list(range(60))
    assert len({round(left) for page in pages for _, left, _ in page}) == 1
    assert made.codes == {"VALUE_CONVERTED"}


@pytest.mark.parametrize("style", ["column-fill:auto", "column-fill:auto;height:9cm"])
def test_columns_that_are_not_balanced_begin_where_the_one_before_is_full(style: str, tmp_path: Path) -> None:
    made = Convert(tmp_path, "html-to-pdf", f"<div style='columns:2;{style}'>{_paragraphs(3)}</div>".encode())
    assert len({round(left) for page in _numbers(made.data) for _, left, _ in page}) == 1
    assert made.messages == ""


def test_the_last_page_of_columns_that_are_not_balanced_is_filled_from_the_left(tmp_path: Path) -> None:
    made = Convert(tmp_path, "html-to-pdf", f"<div style='columns:2;column-fill:auto'>{_paragraphs(42)}</div>".encode())
    *whole, last = _numbers(made.data)
    assert whole
    assert all(len({round(left) for _, left, _ in page}) == 2 for page in whole)
    assert len({round(left) for _, left, _ in last}) == 1
    assert made.messages == ""


@pytest.mark.parametrize("style", [".b { break-inside: avoid }", ".b { page-break-inside: avoid }", ""])
def test_boxes_that_must_not_break_stay_whole_in_columns_over_pages(style: str, tmp_path: Path) -> None:
    own = "" if style else "break-inside: avoid"
    boxes = "".join(
        f"<div class=b style='{own}'><p>N{at:03d} a<p>{_SENTENCE * 4}<p>E{at:03d}</div>" for at in range(30)
    )
    made = Convert(tmp_path, "html-to-pdf", f"<style>{style}</style><div style='columns:2'>{boxes}</div>".encode())
    pages = _numbers(made.data)
    assert [number for page in pages for number in _in_columns(page)] == list(range(30))
    assert {len({round(left / 60) for _, left, _ in page}) for page in pages} == {2}
    with pypdfium2.PdfDocument(made.data) as document:
        for page, found in zip(document, pages, strict=True):
            text = page.get_textpage()
            whole = text.get_text_range()
            for number, left, below in found:
                end = text.get_charbox(whole.index(f"E{number:03d}"))
                assert end[0] == pytest.approx(left, abs=2)
                assert end[1] < below
    assert made.messages == ""


def test_columns_that_are_not_divided_become_one_and_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_pages, "_MOST_BLOCKS", 1)
    columns = f"<div style='columns:2'>{_paragraphs(40)}</div>" * 3
    messages = Convert(tmp_path, "html-to-pdf", columns.encode()).messages
    assert "Multi-column sections that cross pages became one column." in messages
