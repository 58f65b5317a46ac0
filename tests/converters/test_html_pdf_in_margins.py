"""Positioned boxes in the page margins are on the pages, as dompdf and wkhtmltopdf have them."""

from __future__ import annotations

import time
from pathlib import Path

import pypdfium2
import pytest

from engine.toolkit.failures import OverLimit
from tests.converters.test_plutoprint import Result

_PAPER = "<style>@page { margin: 100pt; size: 400pt 600pt } body { margin: 0 } .top { top: -60pt; left: 0 }</style>"
_TEXT = "<p>one<p style='break-before: page'>two"


def test_a_fixed_box_above_the_text_is_on_every_page(tmp_path: Path) -> None:
    made = Result(f"{_PAPER}<div class=top style='position: fixed'>Letterhead</div>{_TEXT}", tmp_path)
    assert ["Letterhead" in each for each in made.pages] == [True, True]
    left, top = made.at("Letterhead")
    assert (left, top) == pytest.approx((100, 42), abs=6)


def test_a_fixed_box_below_the_text_counts_pages(tmp_path: Path) -> None:
    style = "<style>.n::after { content: 'Page ' counter(page) ' of ' counter(pages) }</style>"
    made = Result(f"{_PAPER}{style}<p class=n style='position: fixed; bottom: -50pt'></p>{_TEXT}", tmp_path)
    assert [f"Page {at} of 2" in each for at, each in enumerate(made.pages, 1)] == [True, True]
    assert made.at("Page 1")[1] > 500


def test_an_absolute_box_above_the_text_is_on_the_first_page_only(tmp_path: Path) -> None:
    made = Result(f"{_PAPER}<div class=top style='position: absolute'>Letterhead</div>{_TEXT}", tmp_path)
    assert ["Letterhead" in each for each in made.pages] == [True, False]


def test_a_box_in_the_margin_has_the_styles_of_where_it_stands(tmp_path: Path) -> None:
    style = "<style>#a .b { position: fixed } #a { color: #f00; font-size: 20pt; padding: 30pt }</style>"
    box = "<div class='b top'><div style='background: currentColor; width: 50pt; height: 20pt'></div></div>"
    made = Result(f"{_PAPER}{style}<div id=a>{box}</div>{_TEXT}", tmp_path)
    assert made.pixel(110, 50) == (255, 0, 0)


def test_the_text_after_a_box_in_the_margin_stays_where_it_is(tmp_path: Path) -> None:
    box = "<b class=top style='position: fixed'>Letterhead</b>"
    made = Result(f"{_PAPER}<p>before {box} after</p>", tmp_path)
    assert "before after" in " ".join(made.text.split())


def test_a_box_that_is_hidden_far_outside_stays_hidden(tmp_path: Path) -> None:
    made = Result(f"{_PAPER}<p style='position: absolute; left: -9999px'>Hidden</p>{_TEXT}", tmp_path)
    with pypdfium2.PdfDocument(made.path) as document:
        assert "Hidden" not in document[0].get_textpage().get_text_bounded()


def test_long_boxes_on_many_pages_are_refused(tmp_path: Path) -> None:
    box = f"<div class=top style='position: fixed' title='{'x' * 200_000}'>Letterhead</div>"
    with pytest.raises(OverLimit):
        Result(_PAPER + box + "<p style='break-after: page'>x" * 100, tmp_path)


def test_many_boxes_within_an_element_of_long_attributes_are_refused_at_once(tmp_path: Path) -> None:
    boxes = f"<div class='{'x' * 300_000}'>" + "<b class=top style='position: fixed'>x</b>" * 2_000
    begun = time.process_time()
    with pytest.raises(OverLimit):
        Result(_PAPER + boxes, tmp_path)
    assert time.process_time() - begun < 1.5


@pytest.mark.parametrize("rule", ["* { margin: 10pt }", "fc-run, html, body { padding: 9pt !important }"])
def test_rules_for_all_elements_leave_a_box_on_its_page(rule: str, tmp_path: Path) -> None:
    box = "<div class=top style='position: fixed; margin: 0'>Letterhead</div>"
    made = Result(f"{_PAPER}<style>{rule}</style>{box}{_TEXT}", tmp_path)
    assert ["Letterhead" in each for each in made.pages] == [True, True]
    assert made.at("Letterhead")[0] == pytest.approx(100, abs=6)


_COVER = "<div style='position: absolute; top: -100pt; left: -100pt; width: 400pt; height: 600pt; {}'>{}</div>"


@pytest.mark.parametrize(
    ("box", "style", "colour"),
    [
        ("z-index: 0", "position: relative", (255, 0, 0)),
        ("", "position: relative", (255, 0, 0)),
        ("", "position: static", (0, 0, 255)),
        ("z-index: 1", "position: relative", (0, 0, 255)),
        ("", "position: relative; z-index: -1", (0, 0, 255)),
    ],
)
def test_what_is_positioned_after_a_cover_is_above_it(
    box: str, style: str, colour: tuple[int, int, int], tmp_path: Path
) -> None:
    cover = _COVER.format(f"background: #00f; {box}", "Cover")
    text = f"<div style='{style}'><div style='background: #f00; height: 50pt'></div></div>"
    made = Result(f"{_PAPER}{cover}{text}", tmp_path)
    assert made.pixel(200, 120) == colour
    assert made.pixel(50, 50) == (0, 0, 255)


def test_a_cover_is_not_behind_the_background_of_its_page(tmp_path: Path) -> None:
    cover = _COVER.format("background: #00f", "Cover")
    made = Result(f"{_PAPER}<style>body {{ background: #fff }}</style>{cover}<p style='position: relative'>x", tmp_path)
    assert made.pixel(200, 400) == (0, 0, 255)


_NUMBERED = "<style>.n::after { content: 'Page ' counter(page) ' of ' counter(pages) }</style>"


def test_a_fixed_box_within_the_text_counts_pages(tmp_path: Path) -> None:
    made = Result(f"{_PAPER}{_NUMBERED}<div style='position: fixed; bottom: 0'><b class=n></b></div>{_TEXT}", tmp_path)
    assert [f"Page {at} of 2" in each for at, each in enumerate(made.pages, 1)] == [True, True]
    assert 480 < made.at("Page 1")[1] < 500
    assert made.warn.warnings == ()


def test_page_numbers_in_the_text_are_named(tmp_path: Path) -> None:
    running = "<style>@page { @top-left { content: element(h) } } .h { position: running(h) }</style>"
    others = "<p class='n h'>Head </p><p class=n style='display: none'>"
    made = Result(f"{_PAPER}{_NUMBERED}{running}<p class=n>{others}{_TEXT}", tmp_path)
    assert made.messages("CSS_UNSUPPORTED").startswith("Page numbers in the text that are drawn as 0: 1.")


def test_a_counter_of_the_document_named_page_is_not_a_page_number(tmp_path: Path) -> None:
    style = "<style>li { counter-increment: page } li::before { content: counter(page) }</style>"
    made = Result(f"{_PAPER}{style}<ul><li>a<li>b</ul>", tmp_path)
    assert made.warn.warnings == ()
    assert made.text.split() == ["•", "1a", "•", "2b"]
