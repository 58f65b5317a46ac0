"""Named pages have their own size, margins and margin boxes, and texts in margins follow the pages of elements."""

from __future__ import annotations

import base64
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from tests.converters.test_plutoprint import Result

_STYLE = (
    "<style>@page { size: 300pt 400pt; margin: 40pt;"
    "@bottom-center { content: 'p ' counter(page) ' of ' counter(pages) } }"
    "@page wide { size: 600pt 300pt; margin: 20pt } .wide { page: wide } body { margin: 0 }</style>"
)
_REPORT = f"{_STYLE}<p>before</p><div class=wide><p>table</p></div><p>after</p>"


def _sizes(made: Result) -> list[tuple[int, int]]:
    return [(int(each.mediabox.width), int(each.mediabox.height)) for each in made.reader.pages]


def test_a_named_page_has_its_own_size_and_margins(tmp_path: Path) -> None:
    made = Result(_REPORT, tmp_path)
    assert _sizes(made) == [(300, 400), (600, 300), (300, 400)]
    assert ["before" in made.pages[0], "table" in made.pages[1], "after" in made.pages[2]] == [True] * 3
    assert made.at("table")[0] == pytest.approx(20, abs=1)
    assert made.at("after")[0] == pytest.approx(40, abs=1)
    assert made.warn.warnings == ()


def test_pages_of_several_sizes_are_counted_in_one_row(tmp_path: Path) -> None:
    made = Result(_REPORT, tmp_path)
    assert [f"p {at} of 3" in each for at, each in enumerate(made.pages, 1)] == [True] * 3


def test_wide_content_of_a_wide_page_makes_no_other_page_smaller(tmp_path: Path) -> None:
    table = "<div class=wide><table style='width: 560pt'><tr><td>table<td>end</table></div>"
    made = Result(f"{_STYLE}<p>before<p>x{'<br>x' * 2}{table}<p>after", tmp_path)
    assert made.messages("WIDTH_FITTED") == ""
    assert _sizes(made) == [(300, 400), (600, 300), (300, 400)]


def test_a_grid_on_a_wide_page_is_as_wide_as_its_page(tmp_path: Path) -> None:
    grid = "<div class=wide style='display: grid; grid-template-columns: 1fr 1fr'><p>left<p>right</div>"
    made = Result(f"{_STYLE}<p>before</p>{grid}", tmp_path)
    assert made.at("right")[0] == pytest.approx(300, abs=2)


def test_margin_boxes_follow_the_name_the_side_and_the_first_page(tmp_path: Path) -> None:
    style = (
        "<style>@page :first { @top-left { content: 'FIRST' } } @page :left { @top-right { content: 'LEFT' } }"
        "@page :right { @top-right { content: 'RIGHT' } }"
        "@page a { @bottom-center { content: counter(page, lower-roman) } } .a { page: a }</style>"
    )
    made = Result(f"{_STYLE}{style}<div class=a>one</div><p>two</p><p class=wide>three<p class=a>four", tmp_path)
    assert ["FIRST" in each for each in made.pages] == [True, False, False, False]
    assert ["RIGHT" in each for each in made.pages] == [True, False, True, False]
    assert ["LEFT" in each for each in made.pages] == [False, True, False, True]
    assert [each.split()[-1] for each in made.pages] == ["i", "4", "4", "iv"]


def test_the_background_of_a_named_page_is_on_its_pages_only(tmp_path: Path) -> None:
    style = "<style>@page a { background: #f00 } .a { page: a }</style>"
    assert Result(f"{_STYLE}{style}<p class=a>one<p>two", tmp_path).pixel(10, 10) == (255, 0, 0)
    assert Result(f"{_STYLE}{style}<p>one<p class=a>two", tmp_path).pixel(10, 10) == (255, 255, 255)


@pytest.mark.parametrize("order", ["{0};{1}", "{1}{0}", "margin: 40pt;{1}{0};@top-left {{ content: '2' }}"])
def test_the_colours_of_a_page_with_margin_boxes_are_drawn(order: str, tmp_path: Path) -> None:
    rule = order.format("background: linear-gradient(oklch(0.6 0.2 30), #f00)", "@bottom-center { content: 'a;@b' }")
    made = Result(f"<style>@page {{ size: 300pt 400pt; {rule} }}</style><p>text", tmp_path)
    assert made.pixel(10, 390)[0] > 240
    assert max(made.pixel(10, 390)[1:]) < 20
    assert "a;@b" in made.pages[0]
    assert made.warn.warnings == ()


def _long_picture() -> str:
    """A green picture that is longer than a style sheet may hold while it is read."""
    stream = BytesIO()
    data = bytes(each for at in range(1_600) for each in (at % 64, 200, at % 61))
    Image.frombytes("RGB", (40, 40), data).save(stream, "PNG", compress_level=0)
    return f"url(data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()})"


def _greens(path: Path, at: tuple[int, int]) -> list[bool]:
    with pypdfium2.PdfDocument(path) as document:
        colours = [each.render().to_pil().convert("RGB").getpixel(at) for each in document]
    return [red < 70 and green > 190 for red, green, _ in colours]


def test_a_long_embedded_picture_is_behind_the_pages_of_its_name(tmp_path: Path) -> None:
    style = f"<style>@page wide {{ background: {_long_picture()} center/cover }}</style>"
    assert _greens(Result(f"{style}{_REPORT}", tmp_path).path, (5, 5)) == [False, True, False]


@pytest.mark.parametrize(("pages", "body"), [(":right", ""), ("", "body { writing-mode: vertical-rl }")])
def test_a_long_embedded_picture_is_behind_a_margin_box(pages: str, body: str, tmp_path: Path) -> None:
    box = f"@top-left {{ content: 'x'; width: 100pt; background: {_long_picture()} }}"
    page = f"<style>@page {{ size: 300pt 400pt; margin: 40pt }} @page {pages} {{ {box} }} {body}</style><p>text"
    assert _greens(Result(page, tmp_path).path, (60, 10)) == [True]


def test_pages_of_one_name_in_a_row_do_not_begin_anew(tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<div><p class=wide>one</div><div class=wide>two<p>three</div>", tmp_path)
    assert _sizes(made) == [(600, 300)]


def test_a_name_of_all_pages_is_no_name(tmp_path: Path) -> None:
    style = "<style>@page Section1 { size: 200pt 250pt; margin: 30pt } div.s { page: Section1 }</style>"
    made = Result(f"{style}<div class=s><p>one<p>two</div>", tmp_path)
    assert _sizes(made) == [(200, 250)]
    assert made.at("one")[0] == pytest.approx(36, abs=1)


def test_the_size_of_the_options_is_that_of_named_pages_too(tmp_path: Path) -> None:
    made = Result(_REPORT, tmp_path, page_size="letter")
    assert _sizes(made) == [(612, 792), (792, 612), (612, 792)]


def test_headers_of_the_options_are_in_place_on_pages_of_each_size(tmp_path: Path) -> None:
    made = Result(_REPORT, tmp_path, header_right="Right {page}")
    assert made.at("Right 1")[0] == pytest.approx(230, abs=15)
    assert made.at("Right 2")[0] == pytest.approx(550, abs=15)


def test_links_lead_to_pages_of_other_sizes(tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<p><a href='#there'>link</a><p class=wide id=there>target", tmp_path)
    assert made.reader.named_destinations["there"].page.get_object() == made.reader.pages[1].get_object()


def test_a_named_string_is_the_text_of_the_last_element_that_set_it(tmp_path: Path) -> None:
    style = (
        "<style>@page { @top-left { content: string(title) } @top-right { content: string(title, last) } }"
        "h2 { string-set: title content() } h2 + h2, .next { break-before: page }</style>"
    )
    made = Result(f'{_STYLE}{style}<h2>One</h2><h2>Two "x"</h2><p class=next>text<h2>Three</h2><h2>Four</h2>', tmp_path)
    heads = [each.split("\n")[-2] for each in made.pages]
    assert heads == ["One One", 'Two "x" Two "x"', "Three Three", "Four Four"]


def test_a_link_has_the_page_and_the_text_of_its_target(tmp_path: Path) -> None:
    style = (
        "<style>a::after { content: ' on ' target-counter(attr(href), page) ', ' target-text(attr(href url)) }"
        "h2 { break-before: page } .r::after { content: target-counter(attr(href url), page, lower-roman) }</style>"
    )
    body = "<p><a href='#b'>see</a><p><a class=r href='#b'>r</a><h2>A</h2><h2 id=b>The <i>end</i></h2>"
    made = Result(f"{_STYLE}{style}{body}", tmp_path)
    assert "see on 3, The end" in made.pages[0]
    assert "riii" in made.pages[0]


def test_page_numbers_begin_anew_where_an_element_says_so(tmp_path: Path) -> None:
    style = "<style>.new { counter-reset: page 1; break-before: page }</style>"
    made = Result(f"{_STYLE}{style}<p>cover<p class=new>one<p style='break-before: page'>two", tmp_path)
    assert [each.split("p ")[-1][0] for each in made.pages] == ["1", "1", "2"]


def test_texts_that_cannot_be_set_are_counted(tmp_path: Path) -> None:
    style = "<style>h2 { string-set: title counter(chapter) }</style>"
    assert Result(f"{_STYLE}{style}<h2>One</h2>", tmp_path).messages("CSS_UNSUPPORTED").count("1") == 1


def test_more_sizes_than_can_be_laid_out_are_named(tmp_path: Path) -> None:
    rules = "".join(f"@page n{at} {{ size: {300 + at}pt 300pt }} .n{at} {{ page: n{at} }}" for at in range(8))
    made = Result(f"<style>{rules}</style>" + "".join(f"<p class=n{at}>{at}" for at in range(8)), tmp_path)
    assert len(made.pages) == 8
    assert made.messages("CSS_UNSUPPORTED").count("@page n") == 3


def test_all_pages_may_have_sizes_of_their_own(tmp_path: Path) -> None:
    style = "<style>@page a { size: 200pt 300pt } @page b { size: 300pt 200pt } .a { page: a } .b { page: b }</style>"
    assert _sizes(Result(f"{style}<p class=a>one<p class=b>two", tmp_path)) == [(200, 300), (300, 200)]


def test_columns_on_a_wide_page_keep_all_their_words(tmp_path: Path) -> None:
    words = " ".join(f"word{at}" for at in range(700))
    made = Result(f"{_STYLE}<p>before<div class=wide style='columns: 2'>{words}</div><p>after", tmp_path)
    assert [each for each in made.text.split() if each.startswith("word")] == words.split()
    assert _sizes(made)[1:-1] == [(600, 300)] * (len(made.pages) - 2)
    assert made.at("after")[0] == pytest.approx(40, abs=1)
    assert made.warn.warnings == ()


@pytest.mark.parametrize("around", ["<div style='display: flex'>{}</div>", "<table><tr><td>{}</table>"])
def test_what_is_beside_something_else_begins_no_page(around: str, tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<p>before</p>{around.format('<div class=wide>wide</div>')}<p>after", tmp_path)
    assert _sizes(made) == [(300, 400)]


def test_a_list_of_contents_has_dots_up_to_its_page_numbers(tmp_path: Path) -> None:
    style = (
        "<style>a::after { content: leader('.') target-counter(attr(href), page) } h2 { break-before: page }</style>"
    )
    made = Result(f"{_STYLE}{style}<p><a href='#a'>First</a></p><h2 id=a>First</h2>", tmp_path)
    line = next(each for each in made.pages[0].split("\n") if each.startswith("First"))
    assert line.rstrip("2") == "First" + "." * (len(line) - 6)
    assert made.warn.warnings == ()


@pytest.mark.parametrize("height", [205, 215, 225])
def test_headings_on_pages_of_each_size_stay_with_their_text(height: int, tmp_path: Path) -> None:
    style = "<style>h2 { break-after: avoid; margin: 10pt 0; font-size: 20pt } p { margin: 0 }</style>"
    text = f"<div style='height: {{}}pt'></div><h2>{{}}</h2><p>{'word ' * 900}</p>"
    body = f"<div>{text.format(height + 60, 'narrow')}</div><div class=wide>{text.format(height, 'broad')}</div>"
    made = Result(f"{_STYLE}{style}{body}", tmp_path)
    assert not made.messages("CSS_UNSUPPORTED")
    for heading in ("narrow", "broad"):
        assert [f"{heading}\nword" in each for each in made.pages].count(True) == 1


@pytest.mark.parametrize("marked", ["", " class=wide"])
def test_nth_pages_have_their_margin_boxes(marked: str, tmp_path: Path) -> None:
    style = (
        "<style>@page :nth(2) { @top-left { content: 'SECOND' } } @page :nth(2n+1) { @top-right { content: 'ODD' } }"
        "@page :nth(-n+2) { @top-center { content: 'EARLY' } } p { break-after: page }</style>"
    )
    made = Result(f"{_STYLE}{style}<p>one<p>two<p{marked}>three<p>four<p>five", tmp_path)
    assert ["SECOND" in each for each in made.pages] == [False, True, False, False, False]
    assert ["ODD" in each for each in made.pages] == [True, False, True, False, True]
    assert ["EARLY" in each for each in made.pages] == [True, True, False, False, False]
    assert made.warn.warnings == ()
