"""Columns of Word documents that go over several pages, and where links to places in a document lead."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from engine.families.html_pdf.plutoprint.finishing import destinations
from tests.converters.test_documents import Convert
from tests.converters.test_word_looks import drawn, p
from tests.families.documents import files

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TEXT = "and so it goes on and on, line after line, as texts do that fill more than one page of a paper "
_LINK = '<w:p><w:hyperlink w:anchor="far"><w:r><w:t>go</w:t></w:r></w:hyperlink></w:p>'
_PLACE = '<w:p><w:bookmarkStart w:id="1" w:name="far"/><w:bookmarkEnd w:id="1"/><w:r><w:t>There</w:t></w:r></w:p>'


def _section(columns: int, kind: str = "nextPage", more: str = "") -> str:
    return f'<w:sectPr><w:type w:val="{kind}"/><w:cols w:num="{columns}" w:space="400"{more}/></w:sectPr>'


def _numbered(count: int) -> str:
    return "".join(p(f"N{at}. {_TEXT * 3}") for at in range(count))


def _halves(data: bytes) -> list[tuple[str, str]]:
    """The texts of the left and the right half of each page."""
    found = []
    for page in pypdfium2.PdfDocument(io.BytesIO(data)):
        (width, height), text = page.get_size(), page.get_textpage()
        halves = ((0, 0, width / 2, height), (width / 2, 0, width, height))
        found.append((text.get_text_bounded(*halves[0]), text.get_text_bounded(*halves[1])))
    return found


def _order(halves: list[tuple[str, str]]) -> list[int]:
    return [int(each) for left, right in halves for each in re.findall(r"N(\d+)\.", left + " " + right)]


@drawn
def test_a_column_ends_with_its_page_and_the_next_one_begins_beside_it(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(_numbered(60) + _section(2)))
    halves = _halves(done.data)
    assert len(halves) > 1
    assert _order(halves) == list(range(60))
    assert all("N" in right for _, right in halves)
    assert not done.codes & {"VALUE_CONVERTED", "STYLE_DROPPED"}


@drawn
def test_what_stands_above_columns_stands_above_all_of_them(tmp_path: Path) -> None:
    above = f"<w:p><w:pPr>{_section(1)}</w:pPr><w:r><w:t>Head over both</w:t></w:r></w:p>"
    done = Convert(tmp_path, "docx-to-pdf", files.word(above + _numbered(60) + _section(2, "continuous")))
    halves = _halves(done.data)
    assert halves[0][0].startswith("Head over both")
    assert halves[0][0].count("N") > 2
    assert _order(halves) == list(range(60))
    page = pypdfium2.PdfDocument(io.BytesIO(done.data))[0].get_textpage()
    tops = [
        page.get_charbox(page.get_text_range().index(each))[3] for each in ("Head over", f"N{_order(halves[:1])[0]}")
    ]
    firsts = [re.search(r"N\d+\.", half) for half in halves[0]]
    assert all(firsts)
    assert tops[0] > tops[1]


@drawn
def test_breaks_of_columns_and_pages_hold_in_columns(tmp_path: Path) -> None:
    def broken(text: str, kind: str) -> str:
        return f'<w:p><w:r><w:br w:type="{kind}"/></w:r><w:r><w:t>{text}</w:t></w:r></w:p>'

    body = p("One") + broken("Two", "column") + broken("Three", "page") + _numbered(40) + _section(2)
    halves = _halves(Convert(tmp_path, "docx-to-pdf", files.word(body)).data)
    assert [each.strip() for each in halves[0]] == ["One", "Two"]
    assert halves[1][0].startswith("Three")
    assert _order(halves) == list(range(40))


@drawn
def test_columns_that_can_not_be_kept_over_pages_are_one_column_and_named(tmp_path: Path) -> None:
    first = f"<w:p><w:pPr>{_section(2)}</w:pPr></w:p>"
    between = f"<w:p><w:pPr>{_section(1, 'continuous')}</w:pPr><w:r><w:t>Between</w:t></w:r></w:p>"
    body = p("Before") + first + between + _numbered(60) + _section(2, "continuous")
    done = Convert(tmp_path, "docx-to-pdf", files.word(body))
    text = " ".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(io.BytesIO(done.data)))
    assert [int(each) for each in re.findall(r"N(\d+)\.", text)] == list(range(60))
    assert "VALUE_CONVERTED" in done.codes
    ruled = Convert(tmp_path, "docx-to-pdf", files.word(_numbered(60) + _section(2, more=' w:sep="1"')))
    assert "STYLE_DROPPED" in ruled.codes


@drawn
def test_columns_are_kept_where_what_stands_above_them_has_notes(tmp_path: Path) -> None:
    note = '<w:footnote w:id="1"><w:p><w:r><w:t>Said below</w:t></w:r></w:p></w:footnote>'
    part = ("footnotes", "footnotes.xml", f'<w:footnotes xmlns:w="{W}">{note}</w:footnotes>')
    above = f'<w:p><w:pPr>{_section(1)}</w:pPr><w:r><w:t>Head</w:t><w:footnoteReference w:id="1"/></w:r></w:p>'
    body = above + _numbered(60) + _section(2, "continuous")
    done = Convert(tmp_path, "docx-to-pdf", files.word(body, {"n": part}))
    halves = _halves(done.data)
    assert _order(halves) == list(range(60))
    assert "Said below" in halves[-1][0]
    assert "VALUE_CONVERTED" in done.codes


@drawn
@pytest.mark.parametrize("columns", [1, 2])
def test_links_lead_to_the_page_where_their_bookmark_is(tmp_path: Path, columns: int) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(_LINK + _numbered(60) + _PLACE + _section(columns)))
    with pikepdf.open(io.BytesIO(done.data)) as pdf:
        (link,) = pdf.pages[0].Annots
        place = link.Dest if isinstance(link.Dest, pikepdf.Array) else destinations(pdf)[str(link.Dest)]
        assert pdf.pages.index(pikepdf.Page(place[0])) == len(pdf.pages) - 1


@drawn
def test_columns_that_reach_the_end_of_a_page_leave_it_its_scale(tmp_path: Path) -> None:
    above = "".join(p(f"Line {at}") for at in range(60))
    ended = f"<w:p><w:pPr>{_section(1)}</w:pPr><w:r><w:t>Head</w:t></w:r></w:p>"
    done = Convert(tmp_path, "docx-to-pdf", files.word(above + ended + _numbered(3) + _section(2, "continuous")))
    assert "WIDTH_FITTED" not in done.codes
    assert "N2." in "".join(left + right for left, right in _halves(done.data))
