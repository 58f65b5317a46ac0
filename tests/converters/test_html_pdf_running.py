"""Headers and footers of any content, in the margins of each page."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from engine.families.html_pdf import render
from engine.families.html_pdf.options import PrintOptions
from engine.toolkit.failures import InvalidOption, OverLimit
from engine.toolkit.warnings import Warn
from tests.converters.test_plutoprint import Result

_PAGES = "<title>Report</title><p>one<p style='break-before:page'>two<p style='break-before:page'>three"


def _printed(folder: Path, html: str = _PAGES, **options: object) -> Result:
    return Result(html, folder, **options)


def _lines(path: Path) -> list[int]:
    """The rows of the first page, in points from the top, that are a line from margin to margin."""
    with pypdfium2.PdfDocument(path) as document:
        drawn = document[0].render(scale=1).to_pil().convert("L")
    return [y for y in range(drawn.height) if max(drawn.getpixel((x, y)) for x in range(60, 530)) < 230]


def test_a_header_of_html_is_on_every_page_with_its_fields(tmp_path: Path) -> None:
    header = "<style>b { font-size: 12pt }</style><b>ACME</b> {title} <i class=pageNumber></i> of {pages}"
    made = _printed(tmp_path, header_html=header)
    assert [f"ACME Report {at} of 3" in each for at, each in enumerate(made.pages, 1)] == [True] * 3
    assert made.at("ACME")[1] < 40 < made.at("one")[1]


def test_texts_at_the_left_the_middle_and_the_right_are_on_one_line(tmp_path: Path) -> None:
    made = _printed(tmp_path, footer_left="LEFT {date}", footer_text="{page}/{pages}", footer_right="RIGHT")
    left, middle, right = (made.at(each) for each in ("LEFT", "1/3", "RIGHT"))
    assert left[0] < middle[0] < right[0]
    assert max(abs(left[1] - each[1]) for each in (middle, right)) < 2
    assert ["2/3" in each for each in made.pages] == [False, True, False]


def test_a_tall_header_moves_the_text_down(tmp_path: Path) -> None:
    made = _printed(tmp_path, header_html="<p style='height: 200pt; margin: 0'>TALL")
    assert made.at("one")[1] > 200


@pytest.mark.parametrize(
    ("options", "first"),
    [({"first_page": "none"}, "one"), ({"first_page": "own", "first_header_html": "OTHER {page}"}, "OTHER 1 one")],
)
def test_the_first_page_may_have_no_header_or_another_one(options: dict[str, str], first: str, tmp_path: Path) -> None:
    made = _printed(tmp_path, header_html="SAME", **options)
    assert " ".join(sorted(made.pages[0].split())) == " ".join(sorted(first.split()))
    assert ["SAME" in each for each in made.pages] == [False, True, True]


def test_page_numbers_begin_where_the_option_says(tmp_path: Path) -> None:
    made = _printed(tmp_path, header_text="p{page}of{pages}", first_page_number=7)
    assert [f"p{number}of9" in each for number, each in enumerate(made.pages, 7)] == [True] * 3


def test_lines_are_drawn_below_the_header_and_above_the_footer(tmp_path: Path) -> None:
    assert _lines(_printed(tmp_path, header_text="head", footer_text="foot", first_page_number=2).path) == []
    above, *between, below = _lines(_printed(tmp_path, header_line=True, footer_line=True, footer_text="f").path)
    assert above < 60
    assert below > 780
    assert between == [] or set(between) <= {above + 1, below - 1}


def test_links_in_a_header_can_be_clicked(tmp_path: Path) -> None:
    made = _printed(tmp_path, header_html="<a href='https://example.org/a'>site</a>")
    with pikepdf.open(made.path) as pdf:
        assert [[str(each.A.URI) for each in page.Annots] for page in pdf.pages] == [["https://example.org/a"]] * 3


def test_a_header_without_room_for_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption) as refused:
        _printed(tmp_path, header_html="<p style='height: 900pt'>x")
    assert refused.value.option == "margin"


def test_long_headers_of_many_pages_are_refused(tmp_path: Path) -> None:
    pages = "".join("<p style='break-before:page'>x" for _ in range(200))
    with pytest.raises(OverLimit):
        _printed(tmp_path, pages, header_html="<!--" + "x" * 10 + f"--><p title='{'y' * 90_000}'>{{page}}")


def test_a_style_sheet_of_the_users_own_wins_over_that_of_the_page(tmp_path: Path) -> None:
    page = "<style>p { background: red; margin: 0 }</style><p>x"
    path = tmp_path / "styled.pdf"
    render.render(page.encode(), path, PrintOptions(css="p { background: lime } @page { margin: 0 }"), Warn())
    with pypdfium2.PdfDocument(path) as document:
        assert document[0].render(scale=1).to_pil().convert("RGB").getpixel((300, 15)) == (0, 255, 0)


def test_a_style_sheet_of_the_users_own_can_not_add_elements(tmp_path: Path) -> None:
    path = tmp_path / "styled.pdf"
    render.render(b"<p>x", path, PrintOptions(css="</style><p>added"), Warn())
    with pypdfium2.PdfDocument(path) as document:
        assert document[0].get_textpage().get_text_range().split() == ["x"]


def test_one_page_is_as_long_as_its_content(tmp_path: Path) -> None:
    made = _printed(tmp_path, "<style>p { height: 900pt; margin: 0 }</style>" + _PAGES, single_page=True, margin="20mm")
    assert len(made.pages) == 1
    with pypdfium2.PdfDocument(made.path) as document:
        assert document[0].get_height() == pytest.approx(2700 + 2 * 20 * 72 / 25.4, abs=15)


def test_one_page_is_as_long_as_content_that_was_made_smaller(tmp_path: Path) -> None:
    wide = "<div style='width: 1600pt; height: 1000pt; background: #00f'></div><p style='margin: 0'>end</p>"
    made = _printed(tmp_path, f"<body style='margin: 0'>{wide}", single_page=True, margin="20mm", page_size="a4")
    assert "scaled to" in made.messages("WIDTH_FITTED")
    with pypdfium2.PdfDocument(made.path) as document:
        assert document[0].get_height() - made.at("end")[1] == pytest.approx(20 * 72 / 25.4, abs=15)


def test_more_than_five_metres_are_several_pages(tmp_path: Path) -> None:
    made = _printed(tmp_path, "<p style='height: 10000pt'>a<p style='height: 10000pt'>b", single_page=True)
    assert len(made.pages) == 2


def test_words_of_a_header_that_can_not_be_seen_are_named(tmp_path: Path) -> None:
    warn = Warn()
    options = PrintOptions(header_html="<p style='color: white'>Unseen letterhead</p>", css="p { margin: 1px }")
    render.render(b"<p>x", tmp_path / "out.pdf", options, warn)
    assert "TEXT_NOT_SHOWN" in {each.code for each in warn.warnings}


@pytest.mark.parametrize(
    "rule",
    [
        "div { padding: 20px; border: 1px solid }",
        "* { margin: 10px }",
        "body { padding: 20px }",
        "body { display: flex }",
    ],
)
def test_rules_of_a_header_leave_it_on_its_page(rule: str, tmp_path: Path) -> None:
    made = _printed(tmp_path, header_html=f"<style>{rule}</style><div>TOP {{page}}</div>", footer_right="END {page}")
    assert [(f"TOP {at}" in each, f"END {at}" in each) for at, each in enumerate(made.pages, 1)] == [(True, True)] * 3
    assert made.at("TOP")[1] < made.at("one")[1] < made.at("END")[1]
