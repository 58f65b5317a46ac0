"""Vertical texts are drawn as browsers draw them: heads of tables, blocks, and whole pages."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest

from engine.families.html_pdf.options import Viewport
from engine.toolkit.warnings import Warn
from tests.converters.test_plutoprint import Result, engine

_STYLE = (
    "<style>@page { margin: 20pt; size: 400pt 400pt } body { margin: 0; font: 10pt 'Liberation Sans' }"
    "table { border-collapse: collapse } td, th { border: 1pt solid; padding: 0; font-weight: normal }</style>"
)


def _places(made: Result, word: str, page: int = 0) -> list[tuple[float, float]]:
    """The middle of each letter of a word, in points from the left and from the top."""
    with pypdfium2.PdfDocument(made.path) as document:
        sheet = document[page]
        text = sheet.get_textpage()
        letters = [(at, each) for at, each in enumerate(text.get_text_range()) if not each.isspace()]
        start = "".join(each for _, each in letters).index(word)
        boxes = [text.get_charbox(at) for at, _ in letters[start : start + len(word)]]
        return [((left + right) / 2, sheet.get_height() - (low + high) / 2) for left, low, right, high in boxes]


@pytest.mark.parametrize(
    ("style", "down"),
    [
        ("writing-mode: vertical-rl", True),
        ("writing-mode: vertical-lr", True),
        ("writing-mode: sideways-lr", False),
        ("writing-mode: vertical-rl; transform: rotate(180deg)", False),
    ],
)
def test_the_head_of_a_column_is_on_its_side(style: str, down: bool, tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<table><tr><th style='{style}'>Heading</th><th>x<tr><td>1<td>2</table>", tmp_path)
    places = _places(made, "Heading")
    across = [left for left, _ in places]
    along = [top for _, top in places]
    assert max(across) - min(across) < 5
    assert along == sorted(along, reverse=not down)
    assert 20 < min(along) < max(along) < made.at("1")[1]
    assert made.warn.warnings == ()


def test_the_cell_of_vertical_text_is_narrow_and_as_high_as_the_text(tmp_path: Path) -> None:
    cells = "<tr><th style='writing-mode: vertical-rl'>A long heading</th><th>next<tr><td>1<td>2</table>"
    made = Result(f"{_STYLE}<table>{cells}", tmp_path)
    assert made.at("next")[0] < 45
    assert made.at("1")[1] == pytest.approx(90, abs=8)


def test_chinese_letters_stand_one_below_the_other(tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<table><tr><th style='writing-mode: vertical-rl'>数量单位<th>x</table>", tmp_path)
    places = [made.at(each) for each in "数量单位"]
    assert [top for _, top in places] == sorted(top for _, top in places)
    assert max(left for left, _ in places) - min(left for left, _ in places) < 5
    assert made.warn.warnings == ()


_NOVEL = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"


def _columns(made: Result, text: str, page: int = 0) -> list[list[tuple[float, float]]]:
    """The places of the letters of a text, in its lines from top to bottom."""
    lines: list[list[tuple[float, float]]] = []
    for left, top in _places(made, text, page):
        if not lines or top < lines[-1][-1][1]:
            lines.append([])
        lines[-1].append((left, top))
    return lines


def test_a_vertical_block_has_lines_of_its_height_from_right_to_left(tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<div style='writing-mode: vertical-rl; height: 100pt'>{_NOVEL}</div>after", tmp_path)
    lines = _columns(made, _NOVEL)
    assert [len(each) for each in lines] == [10, 10, 10, 3]
    middles = [sum(left for left, _ in each) / len(each) for each in lines]
    assert middles == sorted(middles, reverse=True)
    assert all(20 <= top <= 120 for each in lines for _, top in each)
    assert made.at("after")[1] > 120
    assert made.warn.warnings == ()


def test_no_line_starts_with_a_full_stop(tmp_path: Path) -> None:
    text = "一二三四五六七八九十。一二三"
    made = Result(f"{_STYLE}<div style='writing-mode: vertical-rl; height: 100pt'>{text}</div>", tmp_path)
    assert [len(each) for each in _columns(made, text)] == [9, 5]


def test_blocks_lists_and_links_are_within_a_vertical_block(tmp_path: Path) -> None:
    html = (
        "<h2>見出しです</h2><p>段落と<b>太字</b>と<a href='https://example.org/'>連結先</a>です</p>"
        "<ul><li>一つ目です</li><li>二つ目です</li></ul>"
    )
    made = Result(f"{_STYLE}<div style='writing-mode: vertical-rl; height: 200pt'>{html}</div>", tmp_path)
    lefts = [_places(made, each)[0][0] for each in ("見出しです", "段落と", "一つ目", "二つ目")]
    assert lefts == sorted(lefts, reverse=True)
    assert made.text.split() == ["見出しです", "段落と太字と連結先です", "•", "一つ目です", "•", "二つ目です"]
    with pikepdf.open(made.path) as pdf:
        (link,) = pdf.pages[0].Annots
        across, along = float(link.Rect[2] - link.Rect[0]), float(link.Rect[3] - link.Rect[1])
    assert along > 2 * across
    assert made.warn.warnings == ()


def test_latin_text_lies_on_its_side_and_combined_digits_stand(tmp_path: Path) -> None:
    html = "日本ABC<span style='text-combine-upright: all'>12</span>月"
    made = Result(f"{_STYLE}<div style='writing-mode: vertical-rl'>{html}</div>", tmp_path)
    letters, digits, after = _places(made, "ABC"), _places(made, "12"), _places(made, "月")
    assert letters[0][1] < letters[1][1] < letters[2][1] < digits[0][1] < after[0][1]
    assert after[0][1] - digits[0][1] == pytest.approx(10, abs=3)
    assert made.text == "日本ABC12月"


def test_short_lines_are_read_in_their_order(tmp_path: Path) -> None:
    html = "<p>一二三四五六七八九十甲乙</p><p>天地玄黄</p><p>宇宙</p><p>洪荒日月盈昃</p>"
    made = Result(f"{_STYLE}<div style='writing-mode: vertical-rl; height: 100pt'>{html}</div>", tmp_path)
    with pypdfium2.PdfDocument(made.path) as document:
        text = document[0].get_textpage().get_text_range()
    assert "".join(text.split()) == re.sub(r"</?p>", "", html)


def test_upright_orientation_lets_latin_letters_stand(tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<div style='writing-mode: vertical-rl; text-orientation: upright'>HELLO</div>", tmp_path)
    tops = [top for _, top in _places(made, "HELLO")]
    assert [round(later - top) for top, later in pairwise(tops)] == [10] * 4


def test_sides_within_a_vertical_block_are_those_of_the_page(tmp_path: Path) -> None:
    html = "<p style='margin: 0 50pt 0 0; padding-top: 30pt'>一</p><p style='margin: 0'>二</p>"
    made = Result(f"{_STYLE}<div style='writing-mode: vertical-rl; height: 90pt; width: 200pt'>{html}</div>", tmp_path)
    (one,), (two,) = _places(made, "一"), _places(made, "二")
    assert one == pytest.approx((220 - 50 - 6.5, 55), abs=2)
    assert two == pytest.approx((220 - 50 - 19.5, 25), abs=2)


def test_pictures_and_horizontal_boxes_stand_in_vertical_text(tmp_path: Path) -> None:
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='20'><rect width='60' height='20'/></svg>"
    html = f"前{svg}<div style='writing-mode: horizontal-tb; width: 80pt'>level text</div>"
    made = Result(f"{_STYLE}<div style='writing-mode: vertical-rl; height: 90pt'>{html}</div>", tmp_path)
    places = _places(made, "level")
    assert max(top for _, top in places) - min(top for _, top in places) < 3
    assert [left for left, _ in places] == sorted(left for left, _ in places)
    with pypdfium2.PdfDocument(made.path) as document:
        black = document[0].render(scale=1, grayscale=True).to_numpy() < 50
    assert black.sum(axis=1).max() == pytest.approx(45, abs=2)
    assert made.warn.warnings == ()


def test_a_vertical_page_continues_from_right_to_left_over_pages(tmp_path: Path) -> None:
    style = "<style>@page { size: 200pt 140pt; margin: 20pt; @bottom-center { content: counter(page) } }</style>"
    html = f"<html style='writing-mode: vertical-rl'>{_STYLE}{style}<p>{_NOVEL * 6}</p><p id=end>終わり</p>"
    made = Result(f"{html}<a href='#end'>最後へ</a>", tmp_path)
    with pypdfium2.PdfDocument(made.path) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
        assert [page.get_size() for page in document] == [(200, 140)] * 2
    assert re.sub(r"\s|\d", "", "".join(texts)) == f"{_NOVEL * 6}終わり最後へ"
    assert [re.findall(r"\d", each) for each in texts] == [["1"], ["2"]]
    lines = _columns(made, "吾輩は猫である。名前は")
    assert lines[0][0] == pytest.approx((164, 25), abs=3)


@pytest.mark.parametrize("content", ["<section>{}</section>", "<p>before</p><section>{}</section>"])
def test_a_long_text_fills_pages_if_it_is_alone_and_is_named_if_not(content: str, tmp_path: Path) -> None:
    style = "<style>section { writing-mode: vertical-rl; height: 300pt }</style>"
    made = Result(f"{_STYLE}{style}{content.format(_NOVEL * 100)}", tmp_path)
    alone = content.startswith("<section")
    named = "" if alone else "Vertical texts that are drawn from left to right: 1."
    assert made.messages("CSS_UNSUPPORTED") == named
    assert made.messages("WIDTH_FITTED") == ""
    assert "".join(made.text.split()).replace("before", "") == _NOVEL * 100


def test_lines_of_vertical_lr_follow_from_left_to_right_and_are_not_mirrored(tmp_path: Path) -> None:
    style = f"{_STYLE}<style>div {{ writing-mode: vertical-lr; height: 100pt }}</style>"
    made = Result(
        f"{style}<div>{_NOVEL}<ol><li>Seven</ol><p style='writing-mode: horizontal-tb'>level</p></div>", tmp_path
    )
    lines = _columns(made, _NOVEL)
    assert [len(each) for each in lines] == [10, 10, 10, 3]
    lefts = [left for each in lines for left, _ in each[:1]]
    assert lefts == sorted(lefts)
    seven, level = _places(made, "Seven"), _places(made, "level")
    assert seven[0][1] < seven[4][1]
    assert level[0][0] < level[4][0]
    assert seven[0][0] > lefts[-1]
    upright = Result(f"{style}<p style='writing-mode: vertical-rl'>国F</p>", tmp_path)
    expected = _ink(upright, "国F")
    assert _ink(Result(f"{style}<div>国F<br>x</div>", tmp_path), "国F") == pytest.approx(expected, abs=1.5)


def _ink(made: Result, text: str) -> list[float]:
    """How far the ink of each letter is from the middle of its box, towards the right and the bottom."""
    places = _places(made, text)
    with pypdfium2.PdfDocument(made.path) as document:
        ink = 255 - document[0].render(scale=4, grayscale=True).to_numpy().squeeze().astype(float)
    found = []
    for left, top in places:
        x, y = int(left * 4), int(top * 4)
        part = ink[y - 24 : y + 24, x - 24 : x + 24]
        found += [
            float((part.sum(axis=0) * range(48)).sum() / part.sum()),
            float((part.sum(axis=1) * range(48)).sum() / part.sum()),
        ]
    return found


def test_vertical_pages_have_headers_tags_and_links_where_they_are_seen(tmp_path: Path) -> None:
    html = f"<html lang=ja style='writing-mode: vertical-rl'><title>題</title>{_STYLE}<h1 id=top>章の題</h1>"
    html += f"<p>{_NOVEL * 40}</p><p><a href='#top'>先頭へ</a></p>"
    made = Result(html, tmp_path, pdf_standard="ua-1", header_text="Header {page}", page_size="a5", margin="20mm")
    assert made.warn.warnings == ()
    assert len(made.pages) == 2
    header = _places(made, "Header1")
    assert header[0][1] < 40
    assert max(top for _, top in header) - min(top for _, top in header) < 3
    place = _places(made, "先頭へ", page=1)
    with pikepdf.open(made.path) as pdf:
        assert [float(each) for each in pdf.pages[0].mediabox[2:]] == pytest.approx([419.5, 595.3], abs=0.5)
        left, low, right, high = map(float, pdf.pages[1].Annots[0].Rect)
        assert all(left <= x <= right and low <= 595.3 - y <= high for x, y in place)
        assert "/StructTreeRoot" in pdf.Root


@pytest.mark.parametrize("mode", ["vertical-rl", "vertical-lr", "sideways-rl", "sideways-lr"])
def test_margin_boxes_of_a_single_vertical_page_are_in_its_margins(mode: str, tmp_path: Path) -> None:
    style = "<style>@page { size: 300pt 200pt; margin: 20pt 30pt 60pt 90pt; @top-left { content: 'Head' } }</style>"
    made = Result(f"<html style='writing-mode: {mode}'>{style}<p>text", tmp_path, single_page=True)
    left, top = _places(made, "Head")[0]
    assert 90 <= left < 100
    assert top < 20


def test_a_header_replaces_the_margin_boxes_of_vertical_pages_at_its_side(tmp_path: Path) -> None:
    style = "<style>@page { @top-left { content: 'Own' } @bottom-right { content: 'Foot' } }</style>"
    made = Result(f"<html style='writing-mode: vertical-rl'>{style}<p>一", tmp_path, header_html="<p>Header</p>")
    assert sorted(made.text.split()) == ["Foot", "Header", "一"]


def test_many_vertical_texts_are_drawn_together(tmp_path: Path) -> None:
    heads = "".join(f"<th style='writing-mode: vertical-rl'>Head {at}</th>" for at in range(20))
    made = Result(
        f"{_STYLE}<style>@page {{ size: a4 landscape }}</style>{f'<table><tr>{heads}</table>' * 60}", tmp_path
    )
    assert made.text.count("Head") == 1200
    assert made.warn.warnings == ()


@pytest.mark.parametrize("box", ["<div style='display: grid; {}'><p>一</p></div>", "<div style='{}'>" * 2])
def test_what_is_not_drawn_vertically_is_counted(box: str, tmp_path: Path) -> None:
    style = "writing-mode: vertical-rl"
    inner = "<div style='writing-mode: sideways-lr'>word</div>" if "grid" not in box else ""
    made = Result(f"{_STYLE}{box.format(style, style)}{inner}", tmp_path)
    assert made.messages("CSS_UNSUPPORTED") == "Vertical texts that are drawn from left to right: 1."


def test_letters_beyond_a_limit_in_a_block_lie_on_their_side_and_are_named(tmp_path: Path) -> None:
    made = Result(f"{_STYLE}<body style='writing-mode: vertical-rl'><p>{'あa' * 3000}</p>", tmp_path)
    assert made.messages("CSS_UNSUPPORTED") == "Vertical texts that are drawn from left to right: 1."
    assert "".join(made.text.split()) == "あa" * 3000


def test_a_label_is_in_the_middle_of_the_row_that_it_is_as_high_as(tmp_path: Path) -> None:
    label = "<div style='writing-mode: vertical-rl; transform: rotate(180deg); text-align: center'>Label</div>"
    made = Result(f"{_STYLE}<div style='height: 200pt; display: flex'>{label}<p>text</p></div>", tmp_path)
    tops = [top for _, top in _places(made, "Label")]
    assert tops == sorted(tops, reverse=True)
    assert (tops[0] + tops[-1]) / 2 == pytest.approx(120, abs=3)


@pytest.mark.parametrize(("length", "named"), [(3, ""), (400, "Vertical texts that are drawn from left to right: 1.")])
def test_a_vertical_page_on_a_screen_is_a_block_or_named(length: int, named: str) -> None:
    warn = Warn()
    html = f"<html style='writing-mode: vertical-rl'><body>{_NOVEL * length}"
    picture = engine.on_screen(html, Viewport(viewport_width=400, viewport_height=300), "png", warn).convert("L")
    ink = np.asarray(picture) < 128
    assert (ink.any(axis=0).sum() < 200) == (not named)
    assert [each.message for each in warn.warnings] == [named] * bool(named)
