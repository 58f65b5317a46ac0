"""Zoomed elements are larger or smaller with all that is in them, as in browsers."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.converters.test_plutoprint import Result
from tests.families.documents.files import png

_STYLE = "@page { margin: 0; size: 400pt 300pt } body { margin: 0; font: 20px/30px 'Liberation Mono' }"
_PICTURE = f"<img style='display:block' src='data:image/png;base64,{base64.b64encode(png(40, 40)).decode()}'>"


@pytest.mark.parametrize(
    ("body", "left", "top"),
    [
        ("<div style='zoom: .5; padding-left: 100px'>word</div>", 50, 0),
        ("<div style='zoom: 50%; padding-left: 100px'>word</div>", 50, 0),
        ("<div class=two><p>abcd<b>word</b></p></div>", 120, 40),
        ("<div class=two><div class=two><p>a<b>word</b></p></div></div>", 60, 80),
        ("<div class=two style='font-size: 10px'>abcd<b>word</b></div>", 48, 0),
        ("<div class=two style='font-size: 1em'>abcd<b>word</b></div>", 96, 0),
        (f"<div class=two>{_PICTURE}word</div>", 0, 80),
        (f"<div class=two>{_PICTURE.replace('<img', '<img width=30 height=30')}word</div>", 0, 60),
        ("<div style='zoom: 1'><p>abcd<b>word</b></p></div>", 60, 20),
    ],
)
def test_lengths_and_text_grow_with_the_zoom(body: str, left: int, top: int, tmp_path: Path) -> None:
    style = f"{_STYLE} .two {{ zoom: 2 }} p {{ margin: 20px 0 0; font-size: 25px; line-height: 1 }}"
    result = Result(f"<style>{style}</style>{body}", tmp_path)
    at = result.at("word")
    assert at[0] / 0.75 == pytest.approx(left, abs=3)
    assert at[1] / 0.75 == pytest.approx(top, abs=25)
    assert result.warn.warnings == ()


def test_a_zoom_of_the_root_is_that_of_the_page(tmp_path: Path) -> None:
    result = Result(f"<style>{_STYLE} html {{ zoom: 2 }} p {{ margin: 0 0 0 2rem }}</style><p>word", tmp_path)
    assert result.at("word")[0] / 0.75 == pytest.approx(64, abs=3)


def test_a_zoom_beyond_what_can_be_drawn_is_named(tmp_path: Path) -> None:
    assert "zoom: 90" in Result(f"<style>{_STYLE}</style><p style='zoom: 90'>word", tmp_path).messages("NOT_UNDERSTOOD")
