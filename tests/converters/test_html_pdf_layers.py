"""Each layer of a background is drawn where browsers draw it (CSS Backgrounds 3)."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from engine.families.html_pdf.plutoprint import background_pictures
from engine.toolkit.data_uris import data_uri
from tests.converters.test_plutoprint import Result

_RED, _BLUE, _LIME, _WHITE = (255, 0, 0), (0, 0, 255), (0, 255, 0), (255, 255, 255)
_R, _B = "linear-gradient(red, red)", "linear-gradient(blue, blue)"
Colours = dict[tuple[int, int], tuple[int, int, int]]


def _picture(colour: tuple[int, int, int], width: int = 40, height: int = 20) -> str:
    target = BytesIO()
    Image.new("RGB", (width, height), colour).save(target, "PNG")
    return f"url({data_uri('image/png', target.getvalue())})"


def _drawing(attributes: str) -> str:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}><rect width="400" height="400" fill="lime"/></svg>'
    return f"url({data_uri('image/svg+xml', svg.encode())})"


SQUARE, WIDE = _drawing('width="40" height="40"'), _drawing('viewBox="0 0 20 10"')
RED, BLUE = _picture(_RED), _picture(_BLUE, 30, 30)
_STYLE = "@page { margin: 0; size: 400px 300px } body { margin: 0 } .a { width: 200px; height: 100px }"


def _drawn(page: str, colours: Colours, folder: Path) -> Result:
    """A page that has these colours at places in CSS pixels."""
    result = Result(f"<style>{_STYLE}</style>{page}", folder)
    assert {(x, y): result.pixel(x * 0.75, y * 0.75) for x, y in colours} == colours
    return result


@pytest.mark.parametrize(
    ("rule", "colours"),
    [
        (f"background: {RED} no-repeat, {BLUE}", {(20, 10): _RED, (60, 10): _BLUE, (20, 30): _BLUE}),
        (f"background: {BLUE}, {RED} no-repeat", {(20, 10): _BLUE}),
        (f"background-image: {RED}, {BLUE}; background-repeat: no-repeat; background-position: right bottom, 0 0",
         {(190, 90): _RED, (15, 15): _BLUE, (100, 50): _WHITE}),
        (f"background: {RED} right 10px bottom 20px no-repeat, {BLUE} 25% 50% no-repeat",
         {(155, 65): _RED, (185, 75): _RED, (195, 75): _WHITE, (47, 40): _BLUE, (40, 50): _WHITE}),
        (f"background: {RED} center / cover no-repeat, {BLUE}", {(5, 5): _RED, (195, 95): _RED}),
        (f"background: {BLUE} 100% 0 / contain no-repeat, {_R}", {(105, 50): _BLUE, (95, 50): _RED}),
        (f"background: {RED} 100% 100% / 50% auto no-repeat, {_B}",
         {(105, 55): _RED, (95, 55): _BLUE, (150, 45): _BLUE}),
        (f"background: {RED} 0 50% / auto 40% no-repeat, {_B}", {(75, 35): _RED, (85, 35): _BLUE, (40, 25): _BLUE}),
        (f"background: {RED} 10px 0 / 50% 50% no-repeat, {_B}", {(15, 45): _RED, (105, 45): _RED, (5, 5): _BLUE}),
        (f"background: {RED} 0 10px repeat-x, {BLUE} 50px 0 repeat-y",
         {(190, 20): _RED, (60, 95): _BLUE, (90, 50): _WHITE}),
        (f"background: {BLUE} calc(100% - 1em) 2em / 1em no-repeat, {_R}; font-size: 20px",
         {(170, 50): _BLUE, (190, 50): _RED, (170, 30): _RED}),
        (f"background: {SQUARE} 100% 0 no-repeat, {BLUE}",
         {(180, 20): _LIME, (150, 20): _BLUE}),
        (f"background: {WIDE} 0 0 / 50% no-repeat, {BLUE}", {(95, 45): _LIME, (95, 55): _BLUE}),
        (f"background: {RED} content-box, {BLUE} content-box; padding: 20px; box-sizing: border-box",
         {(10, 10): _WHITE, (30, 30): _RED}),
        (f"background: {_R} padding-box, {_B} border-box; border: 10px solid transparent; border-radius: 20px;"
         "box-sizing: border-box", {(5, 50): _BLUE, (100, 50): _RED, (11, 11): _BLUE, (1, 1): _WHITE}),
        (f"background: {RED} no-repeat, {BLUE} 100px 0 no-repeat, lime",
         {(20, 10): _RED, (110, 10): _BLUE, (20, 60): _LIME}),
        ("color: red; background: linear-gradient(currentColor, currentColor) left / 20px no-repeat, blue",
         {(10, 50): _RED, (30, 50): _BLUE}),
        (f"background: {_R} 10px 10px / calc(100% - 20px) 5px no-repeat,"
         f"{_B} 50% 100% / 5px calc(50% - 10px) no-repeat",
         {(11, 12): _RED, (188, 12): _RED, (192, 12): _WHITE, (5, 12): _WHITE, (100, 65): _BLUE, (100, 55): _WHITE}),
        (f"background: {RED} calc(100% - 20px) 0 no-repeat", {(150, 10): _RED, (185, 10): _WHITE}),
        (f"background-image: {RED}; background-repeat: no-repeat; background-position: calc(50% + 50px) 0",
         {(135, 10): _RED, (165, 10): _RED, (125, 10): _WHITE}),
        (f"background: none, {RED}", {(100, 50): _RED}),
        (f"--over: {RED} no-repeat; background: var(--over), {_B}", {(20, 10): _RED, (60, 10): _BLUE}),
        (f"background: {_R} left / 20px 100% no-repeat", {(10, 50): _RED, (30, 50): _WHITE}),
        ("background-image: linear-gradient(red 4px, transparent 4px), linear-gradient(90deg, red 4px, white 4px);"
         "background-size: 20px 20px", {(100, 2): _RED, (102, 10): _RED, (110, 10): _WHITE, (110, 42): _RED}),
        ("background: linear-gradient(to left, red 20px, blue 20px, blue 40px, lime 40px), white",
         {(190, 50): _RED, (170, 50): _BLUE, (50, 50): _LIME}),
        ("background: repeating-linear-gradient(45deg, red 0 10px, blue 10px 20px), white",
         {(2, 98): _RED, (13, 88): _BLUE, (30, 98): _RED, (58, 98): _RED}),
        ("background: radial-gradient(40px 10px at 50% 50%, red 100%, blue 100%), white",
         {(100, 50): _RED, (130, 50): _RED, (100, 65): _BLUE, (145, 50): _BLUE}),
        ("background: radial-gradient(circle at 10px 10px, red 6px, blue 0) 0 0 / 20px 20px, white",
         {(10, 10): _RED, (110, 50): _RED, (100, 40): _BLUE}),
    ],
)  # fmt: skip
def test_each_layer_is_drawn_where_browsers_draw_it(rule: str, colours: Colours, tmp_path: Path) -> None:
    result = _drawn(f"<style>.a {{ {rule} }}</style><div class=a></div>", colours, tmp_path)
    assert result.warn.warnings == ()
    _drawn(f'<div class=a style="{rule}"></div>', colours, tmp_path)


@pytest.mark.parametrize(
    "page",
    [
        f"<style>.a {{ background-size: 40px 100%, 100% }} .a.b {{ background-repeat: no-repeat }}"
        f".a {{ background-image: {_B}, {_R} }}</style><div class='a b'>",
        f"<style>.a {{ background-size: 40px 100%, 100%; background-repeat: no-repeat }}</style>"
        f"<div class=a style='background-image: {_B}, {_R}'>",
        f"<style>.a {{ background: {_B} 0 0 / 40px 100% no-repeat, {_R} !important }}</style>"
        "<div class=a style='background: lime'>",
        f"<style>.a {{ background: lime !important; background: {_B} 0 0 / 40px 100% no-repeat, {_R} !important }}"
        "#a { background: lime }</style><div class=a id=a>",
        "<style>.a::before { content: ''; display: block; height: 100%;"
        f"background: {_B} 0 0 / 40px no-repeat, {_R} }}</style><div class=a>",
        f"<style>.a {{ background: {_B} 0 0 / 40px 100% no-repeat, {_R} }} [class='a'] {{ margin: 0 }}</style>"
        "<div class=a>",
        f"<style>.a {{ background: {_B} 0 0 / 40px 100% no-repeat, {_R} }}"
        "@media screen { .a { background: lime } }</style><div class=a>",
        f"<style>td {{ padding: 0; width: 200px; height: 100px; background: {_B} 0 0 / 40px no-repeat, {_R} }}</style>"
        "<table cellspacing=0><td></table>",
    ],
    ids=["rules", "attribute", "important", "specific", "before", "class attribute", "media", "cell"],
)
def test_the_layers_are_those_of_the_winning_declarations(page: str, tmp_path: Path) -> None:
    _drawn(page, {(20, 50): _BLUE, (100, 50): _RED}, tmp_path)


def test_layers_are_enlarged_with_their_box(tmp_path: Path) -> None:
    rule = f"zoom: 2; width: 100px; height: 50px; background: {RED} 10px 0 no-repeat, {_B} 70px 0 / 1em no-repeat"
    colours = {(10, 10): _WHITE, (30, 30): _RED, (95, 30): _RED, (105, 30): _WHITE, (145, 20): _BLUE, (175, 20): _WHITE}
    _drawn(f"<div style='overflow: hidden'><div style='{rule}'></div></div>", colours, tmp_path)


def test_a_plain_background_that_wins_over_layers_is_drawn(tmp_path: Path) -> None:
    style = f"<style>.a {{ background: {RED}, {BLUE} }} .a.b {{ background: lime }}</style>"
    result = _drawn(f"{style}<div class='a b'></div>", {(20, 10): _LIME}, tmp_path)
    assert result.warn.warnings == ()


def test_layers_are_not_drawn_without_backgrounds(tmp_path: Path) -> None:
    page = f"<style>{_STYLE}</style><div class=a style='background: {RED}, {BLUE}'>word</div>"
    assert Result(page, tmp_path, background=False).pixel(20, 20) == _WHITE


def test_a_layer_that_can_not_be_loaded_is_reported_and_the_others_are_drawn(tmp_path: Path) -> None:
    result = _drawn(f"<div class=a style='background: url(b.png), {RED}'></div>", {(20, 10): _RED}, tmp_path)
    assert "b.png" in result.messages("REMOTE_RESOURCE_BLOCKED")
    damaged = "url(data:image/png;base64,iVBORw0KGgo=)"
    result = _drawn(f"<div class=a style='background: {damaged}, {RED}'></div>", {(20, 10): _RED}, tmp_path)
    assert result.messages("CONTENT_DROPPED")


def test_a_circle_of_unknown_size_is_drawn_nearly_and_named(tmp_path: Path) -> None:
    rule = "background: radial-gradient(circle at 0 0, red 50%, blue 50%), lime"
    result = _drawn(f"<div class=a style='{rule}'></div>", {(20, 10): _RED, (190, 90): _BLUE}, tmp_path)
    assert "radius" in result.messages("CSS_UNSUPPORTED")


def test_a_gradient_becomes_transparent_in_its_own_colour(tmp_path: Path) -> None:
    result = _drawn("<div class=a style='background: linear-gradient(red, transparent), white'></div>", {}, tmp_path)
    assert result.pixel(75, 36)[0] > 250


@pytest.mark.parametrize(
    "layer",
    [
        f"{_R} 0 0 / 1e999px 9px",
        f"{_R} 0 0 / calc(1e999px * 0) 9px",
        "repeating-linear-gradient(1e999deg, red, red 9px)",
        "repeating-linear-gradient(red 1e20px, red 1e20px)",
        _drawing('viewBox="0 0 inf 1"'),
        _drawing('viewBox="0 0 nan 1"'),
        _drawing('viewBox="0 0 1e200 1e-200"'),
    ],
)
def test_numbers_without_bounds_do_not_stop_a_page(tmp_path: Path, layer: str) -> None:
    assert "word" in _drawn(f"<div class=a style='background: {layer}, {_B}'>word</div>", {}, tmp_path).text


def test_text_is_above_the_layers_on_each_page(tmp_path: Path) -> None:
    words = "<p>word" * 40
    result = _drawn(f"<div style='background: {RED} repeat-x, {_B}'>{words}</div>", {(200, 200): _BLUE}, tmp_path)
    assert len(result.pages) > 1
    assert result.text.count("word") == 40


def test_layers_behind_the_page_are_not_above_it_where_boxes_hang_in_its_margins(tmp_path: Path) -> None:
    style = f"@page {{ margin: 50px }} body {{ background: {_R} 0 0 / 40px no-repeat, {_B} }} .h {{ top: -40px }}"
    page = f"<style>{style}</style><div class=h style='position: fixed'>head</div><p>word"
    assert "word" in _drawn(page, {(20, 20): _WHITE, (200, 200): _BLUE}, tmp_path).text


def test_pictures_are_copied_within_bounds_and_the_others_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_pictures, "MOST_COPIED", len(RED) * 5 // 2)
    boxes = "".join(f"<div class=a style='background: {RED} {x}px 0 no-repeat, white'></div>" for x in range(3))
    named = _drawn(boxes, {(20, 10): _RED, (20, 110): _RED}, tmp_path).messages("NOT_UNDERSTOOD")
    assert "1 (background: url(data:image/png" in named
