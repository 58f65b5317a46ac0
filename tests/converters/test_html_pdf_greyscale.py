"""Pages in shades of grey: texts, lines, gradients, pictures, drawings and emoji."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from tests.converters.test_plutoprint import Result


def _picture(format: str, mode: str = "RGB") -> str:
    data = io.BytesIO()
    Image.new("RGB", (20, 20), (255, 0, 0)).convert(mode).save(data, format)
    return f"<img src='data:image/{format.lower()};base64,{base64.b64encode(data.getvalue()).decode()}'>"


def _colours(made: Result) -> set[tuple[int, int, int]]:
    with pypdfium2.PdfDocument(made.path) as document:
        drawn = document[0].render(scale=1).to_pil().convert("RGB")
    return {colour for _, colour in drawn.getcolors(1_000_000)}


@pytest.mark.parametrize(
    "body",
    [
        "<p style='color: red; border: 2pt dashed blue'>text",
        "<div style='height: 90pt; background: linear-gradient(90deg, red, lime 30%, blue)'></div>",
        "<div style='height: 90pt; background: radial-gradient(red, blue)'></div>",
        "<div style='height: 90pt; background: lime; opacity: 0.5'></div>",
        "<svg width=40 height=40><circle cx=20 cy=20 r=20 fill=orange /></svg> 😀",
        _picture("PNG"),
        _picture("PNG", "P"),
        _picture("PNG", "RGBA"),
        _picture("JPEG"),
        _picture("JPEG", "CMYK"),
    ],
)
def test_nothing_is_coloured(body: str, tmp_path: Path) -> None:
    page = f"<style>@page {{ size: 200pt 200pt; margin: 0 }}</style>{body}"
    assert any(len(set(each)) > 1 for each in _colours(Result(page, tmp_path)))
    made = Result(page, tmp_path, grayscale=True)
    shades = _colours(made)
    assert all(max(each) - min(each) <= 1 for each in shades)
    assert len(shades) > 1
    assert made.messages("CONTENT_DROPPED") == ""


def test_a_shade_has_the_lightness_that_css_gives_it(tmp_path: Path) -> None:
    page = "<style>@page { margin: 0 } body { margin: 0; background: #0f0 }</style>x"
    assert Result(page, tmp_path, grayscale=True).pixel(400, 400) == (182, 182, 182)


def test_a_jpeg_of_printing_inks_is_drawn(tmp_path: Path) -> None:
    page = f"<style>@page {{ margin: 0 }} body {{ margin: 0 }} img {{ width: 200pt }}</style>{_picture('JPEG', 'CMYK')}"
    red, green, blue = Result(page, tmp_path).pixel(100, 100)
    assert red > 200
    assert max(green, blue) < 60
