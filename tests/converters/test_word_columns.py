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


def _tops(data: bytes) -> list[dict[str, tuple[float, float]]]:
    """Where each word of a page stands: from the left, and from below."""
    found = []
    for page in pypdfium2.PdfDocument(io.BytesIO(data)):
        text = page.get_textpage()
        whole = text.get_text_range()
        boxes = {match[0]: text.get_charbox(match.start()) for match in re.finditer(r"\S+", whole)}
        found.append({word: (left, below) for word, (left, below, _, _) in boxes.items()})
    return found


def _ended(columns: int, kind: str = "continuous", text: str = "", more: str = "") -> str:
    """A paragraph that ends a section."""
    run = f"<w:r><w:t>{text}</w:t></w:r>" if text else ""
    return f"<w:p><w:pPr>{_section(columns, kind, more)}</w:pPr>{run}</w:p>"


@drawn
def test_columns_above_a_continuous_break_are_levelled_and_what_follows_stands_below_them(tmp_path: Path) -> None:
    lines = "".join(p(f"L{at}") for at in range(6))
    body = p("Head") + _ended(1) + lines + _ended(2) + p("Between") + _ended(1) + lines.replace("L", "M") + _ended(3)
    data = Convert(tmp_path, "docx-to-pdf", files.word(body + p("Below") + _section(1, "continuous"))).data
    (page,) = _tops(data)
    lefts = [[round(page[f"{letter}{at}"][0]) for at in range(6)] for letter in "LM"]
    assert lefts[0][0] == lefts[0][2] < lefts[0][3] == lefts[0][5]
    assert lefts[1][0] == lefts[1][1] < lefts[1][2] == lefts[1][3] < lefts[1][4] == lefts[1][5]
    assert page["L0"][1] == page["L3"][1]
    assert page["M0"][1] == page["M2"][1] == page["M4"][1]
    downs = [page[each][1] for each in ("Head", "L0", "L2", "Between", "M0", "M1", "Below")]
    assert downs == sorted(downs, reverse=True)
    assert 10 < page["L2"][1] - page["Between"][1] < 20


@drawn
def test_the_last_columns_of_a_document_are_filled_one_after_the_other(tmp_path: Path) -> None:
    (page,) = _tops(Convert(tmp_path, "docx-to-pdf", files.word(p("One") + p("Two") + p("Three") + _section(2))).data)
    assert max(left for left, _ in page.values()) < 74


@drawn
@pytest.mark.parametrize("count", range(2, 8))
def test_short_columns_are_as_many_as_the_section_has(count: int, tmp_path: Path) -> None:
    body = "".join(p(f"L{at}") for at in range(count)) + _ended(2) + p("Below") + _section(1, "continuous")
    done = Convert(tmp_path, "docx-to-pdf", files.word(body))
    (page,) = _tops(done.data)
    lefts = [left > 200 for word, (left, _) in page.items() if word != "Below"]
    assert lefts == [False] * (count - count // 2) + [True] * (count // 2)
    assert not done.codes


@drawn
def test_a_continuous_section_with_a_footer_at_another_height_begins_no_page(tmp_path: Path) -> None:
    def margins(footer: int) -> str:
        sides = 'w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="700"'
        return f'<w:pgMar {sides} w:footer="{footer}"/><w:cols w:num="1"/></w:sectPr>'

    first = f"<w:p><w:pPr><w:sectPr>{margins(300)}</w:pPr><w:r><w:t>One</w:t></w:r></w:p>"
    body = first + p("Two") + f'<w:sectPr><w:type w:val="continuous"/>{margins(0)}'
    (page,) = _tops(Convert(tmp_path, "docx-to-pdf", files.word(body)).data)
    assert page.keys() == {"One", "Two"}


@drawn
def test_sections_in_columns_go_on_over_pages_one_below_the_other(tmp_path: Path) -> None:
    text = _numbered(50)
    body = text[: text.index("N20")].rpartition("<w:p>")[0] + _ended(2)
    rest = "<w:p>" + text[: text.index("N20")].rpartition("<w:p>")[2] + text[text.index("N20") :]
    body += p("Between") + _ended(1) + rest + _ended(3) + p("Below") + _section(1, "continuous")
    done = Convert(tmp_path, "docx-to-pdf", files.word(body))
    texts = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(io.BytesIO(done.data))]
    whole = " ".join(texts)
    assert [int(each) for each in re.findall(r"N(\d+)\.", whole)] == list(range(50))
    assert whole.split() == (" ".join(re.findall(r"<w:t>(.*?)</w:t>", body))).split()
    assert whole.index("N19.") < whole.index("Between") < whole.index("N20.")
    assert whole.rstrip().endswith("Below")
    pages = _tops(done.data)
    assert 2 <= len(pages) <= 3
    assert len({round(left) for word, (left, _) in pages[-1].items() if word.startswith("N")}) == 3
    assert not done.codes


@drawn
def test_a_line_is_drawn_between_columns_on_every_page(tmp_path: Path) -> None:
    ruled = Convert(tmp_path, "docx-to-pdf", files.word(_numbered(60) + _section(2, more=' w:sep="1"')))
    pages = list(pypdfium2.PdfDocument(io.BytesIO(ruled.data)))
    assert len(pages) > 1
    for page in pages:
        width, height = page.get_size()
        middle = page.render(scale=2, crop=(width / 2 - 3, height / 2, width / 2 - 3, 100)).to_pil().convert("L")
        assert min(middle.resize((middle.width, 1)).tobytes()) < 200
    assert not ruled.codes


@drawn
def test_columns_after_the_fortieth_are_one_column_and_named(tmp_path: Path) -> None:
    body = "".join(p(f"N{at}.") + _ended(2) + p("Between") + _ended(1) for at in range(43))
    done = Convert(tmp_path, "docx-to-pdf", files.word(body + p("Below") + _section(1, "continuous")))
    text = " ".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(io.BytesIO(done.data)))
    assert [int(each) for each in re.findall(r"N(\d+)\.", text)] == list(range(43))
    assert "VALUE_CONVERTED" in done.codes


@drawn
def test_spaces_at_the_end_of_a_line_make_no_page_wider(tmp_path: Path) -> None:
    blank = f'<w:p><w:r><w:t>Name</w:t></w:r><w:r><w:t xml:space="preserve">{" " * 500}</w:t></w:r></w:p>'
    assert not Convert(tmp_path, "docx-to-pdf", files.word(blank + p("Next"))).codes


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
