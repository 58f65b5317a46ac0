"""Backgrounds of several layers, and clipped ones, are drawn as in browsers."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.html_pdf.plutoprint import layered_backgrounds
from tests.converters.test_plutoprint import Result

_STYLE = "@page { margin: 0; size: 300pt 200pt } body { margin: 0 } .a { width: 200pt; height: 100pt }"
_RED, _BLUE, _WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)
_R, _B = "linear-gradient(red, red)", "linear-gradient(blue, blue)"
Colours = dict[tuple[int, int], tuple[int, int, int]]


@pytest.mark.parametrize(
    ("rule", "colours"),
    [
        (f"background-image: {_R}, {_B}; background-repeat: no-repeat; background-size: 40px 40px, 80px 40px;"
         "background-position: 0 0, 100px 20px", {(10, 10): _RED, (40, 10): _WHITE, (100, 30): _BLUE}),
        (f"background: {_R} right bottom / 40px 40px no-repeat, {_B} center / 50% 50% no-repeat, #fff",
         {(190, 90): _RED, (60, 30): _BLUE, (10, 10): _WHITE}),
        ("background: repeating-linear-gradient(to right, red 0 25%, blue 0 50%, #fff 0 100%)",
         {(10, 50): _RED, (75, 50): _BLUE, (125, 50): _WHITE, (175, 50): _WHITE}),
        (f"background: {_R} 0 0 / 50% 100% no-repeat, {_B}", {(50, 50): _RED, (150, 50): _BLUE}),
        ("clip-path: polygon(50% 0, 100% 100%, 0 100%); background: red",
         {(100, 50): _RED, (10, 10): _WHITE, (190, 10): _WHITE}),
        ("clip-path: polygon(0 0, 40px 0, 40px 40px); background: red", {(25, 5): _RED, (5, 25): _WHITE}),
        ("clip-path: circle(20px at 50% 50%); background-color: red", {(100, 50): _RED, (130, 50): _WHITE}),
        ("clip-path: ellipse(50% 50%); background: red", {(100, 50): _RED, (3, 3): _WHITE, (10, 50): _RED}),
        ("clip-path: inset(10% 20%); background: red", {(45, 15): _RED, (35, 50): _WHITE, (100, 5): _WHITE}),
        ("clip-path: inset(0 round 40pt); background: red", {(100, 50): _RED, (3, 3): _WHITE}),
    ],
)  # fmt: skip
def test_a_background_is_drawn_in_all_its_layers_and_shape(rule: str, colours: Colours, tmp_path: Path) -> None:
    result = Result(f"<style>{_STYLE} .a {{ {rule} }}</style><div class=a></div>", tmp_path)
    assert {at: result.pixel(*at) for at in colours} == colours
    assert result.warn.warnings == ()


_CONIC = "conic-gradient(from 45deg, red 0 90deg, blue 0 180deg, #fff 0)"


@pytest.mark.parametrize(
    "rule",
    [
        f"background: {_CONIC}",
        f"background-image: {_CONIC}",
        f"--c: {_CONIC}; background: var(--c)",
        f"background: linear-gradient(transparent, transparent), {_CONIC}",
        "background: repeating-conic-gradient(from 45deg, red 0 25%, blue 0 50%, #fff 0 100%)",
    ],
)
def test_a_conic_gradient_is_drawn_around_its_centre(rule: str, tmp_path: Path) -> None:
    result = Result(f"<style>{_STYLE} .a {{ {rule} }}</style><div class=a></div>", tmp_path)
    colours = {(110, 50): _RED, (100, 60): _BLUE, (90, 50): _WHITE, (100, 40): _WHITE}
    assert {at: result.pixel(*at) for at in colours} == colours
    assert result.warn.warnings == ()


def test_a_conic_gradient_changes_its_colour_around_its_place(tmp_path: Path) -> None:
    rule = "background: conic-gradient(at 25% 50%, rgb(255 0 0), rgb(0 0 255), rgb(255 0 0))"
    result = Result(f"<style>{_STYLE} .a {{ {rule} }}</style><div class=a></div>", tmp_path)
    red, _, blue = result.pixel(140, 50)
    assert abs(red - 128) < 6
    assert abs(blue - 127) < 6
    assert result.pixel(51, 90)[2] > 245


def test_conic_gradients_beyond_a_number_are_one_colour_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layered_backgrounds, "MOST_CONIC", 1)
    boxes = "<div class=a></div><div class=a></div>"
    result = Result(f"<style>{_STYLE} .a {{ background: {_CONIC} }}</style>{boxes}", tmp_path)
    assert (result.pixel(100, 60), result.pixel(100, 160)) == (_BLUE, _RED)
    assert result.messages("CSS_UNSUPPORTED") == "background: conic-gradient is drawn as its first colour."


@pytest.mark.parametrize("word", ["space", "round", "fixed"])
def test_a_background_that_is_drawn_otherwise_is_still_drawn(word: str, tmp_path: Path) -> None:
    result = Result(f"<style>{_STYLE} .a {{ background: {_R} {word} }}</style><div class=a></div>", tmp_path)
    assert result.pixel(3, 3) == _RED


@pytest.mark.parametrize(
    "rule",
    [
        "clip-path: path('M0 0h9v9z'); background: red",
        "clip-path: polygon(0 0, 50% 10px, 9px 9px); background: red",
        f"background: {_R} fixed",
        f"background: {_R} 0 0 / 30px 20px round",
        "background: linear-gradient(red, blue) fixed",
        f"background: {_R} 0 0 / 30px 20px space, {_B}",
        f"background: {_R} content-box, {_B} border-box; padding: 5px",
        f"background-image: {_R}, {_B}; background-size: calc(50% - 3px) 20px",
    ],
)
def test_a_background_that_can_not_be_drawn_is_named(rule: str, tmp_path: Path) -> None:
    result = Result(f"<style>{_STYLE} .a {{ {rule} }}</style><div class=a></div>", tmp_path)
    assert rule.split(":")[0] in result.messages("NOT_UNDERSTOOD")


@pytest.mark.parametrize(
    ("background", "cells", "named"),
    [
        ("linear-gradient(to right, red, blue)", 2, True),
        ("linear-gradient(45deg, red, blue)", 2, True),
        ("linear-gradient(to right, red, blue)", 1, False),
        ("linear-gradient(red, blue)", 2, False),
        ("#f00", 2, False),
    ],
)
def test_a_picture_behind_a_row_that_each_cell_repeats_is_named(
    background: str, cells: int, named: bool, tmp_path: Path
) -> None:
    row = f"<tr style='background: {background}'>{'<td>x' * cells}<tr class=r>{'<td>x' * cells}"
    style = f"<style>{_STYLE} .r {{ background: {background} }}</style>"
    said = Result(f"{style}<table>{row}</table>", tmp_path).messages("CSS_UNSUPPORTED")
    assert ("drawn in each cell: 2." in said) == named
    assert ("in each cell" in said) == named
