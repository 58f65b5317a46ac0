"""A picture that is much wider than the paper does not make the text of its page too small to read."""

from __future__ import annotations

import base64
from io import BytesIO
from pathlib import Path

import pypdfium2
import pypdfium2.raw
import pytest
from PIL import Image

from engine.families.html_pdf import render
from engine.families.html_pdf.options import HTML_PDF, PrintOptions
from engine.toolkit.warnings import Warn

pytestmark = pytest.mark.skipif(HTML_PDF.distribution != "plutoprint", reason="PlutoPrint is not installed")

_ROOM = 595.28 - 2 * 42.52
_NAMED = ("WIDTH_FITTED", "Pictures much wider than the page were made as wide as it: 1.")


def _source(width: int = 4000, height: int = 1000) -> str:
    stream = BytesIO()
    Image.new("RGB", (width, height), "#08f").save(stream, "PNG")
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"


def _made(body: str, folder: Path) -> tuple[float, tuple[float, float], list[tuple[str, str]]]:
    """The size of the text and of the picture of a page in points, and its warnings."""
    warn, path = Warn(), folder / "page.pdf"
    render.render(f"<body style='margin:0;font-size:16px'><p>Text</p>{body}", path, PrintOptions(), warn)
    with pypdfium2.PdfDocument(path) as document:
        page = document[0]
        found = next(iter(page.get_objects(filter=(pypdfium2.raw.FPDF_PAGEOBJ_IMAGE,))))
        left, bottom, right, top = found.get_bounds()
        _, low, _, high = page.get_textpage().get_charbox(0)
    return high - low, (right - left, top - bottom), [(each.code, str(each.message)) for each in warn.warnings]


@pytest.mark.parametrize("attributes", ["", "width=4000 height=1000", "width=4000"])
def test_the_picture_becomes_smaller_and_the_text_stays(attributes: str, tmp_path: Path) -> None:
    plain, _, _ = _made(f"<img src='{_source(40, 10)}'>", tmp_path)
    text, size, named = _made(f"<img {attributes} src='{_source()}'>", tmp_path)
    assert text == pytest.approx(plain, abs=0.1)
    assert size == pytest.approx((_ROOM, _ROOM / 4), abs=1)
    assert named == [_NAMED]


@pytest.mark.parametrize(
    ("body", "width"),
    [
        ("<img style='width:200px' src='{}'>", 150),
        ("<style>img{{max-width:50%}}</style><img src='{}'>", _ROOM / 2),
    ],
)
def test_a_picture_that_has_room_is_not_changed(body: str, width: float, tmp_path: Path) -> None:
    _, size, named = _made(body.format(_source()), tmp_path)
    assert size[0] == pytest.approx(width, abs=1)
    assert not named


def test_the_part_of_a_picture_that_its_box_shows_stays_the_same(tmp_path: Path) -> None:
    picture = f"<div style='width:300px;height:800px;overflow:hidden'><img src='{_source(4000, 900)}'></div>"
    render.render(picture, tmp_path / "page.pdf", PrintOptions(), warn := Warn())
    with pypdfium2.PdfDocument(tmp_path / "page.pdf") as document:
        blue = (
            document[0].render().to_pil().convert("RGB").point(lambda value: 255 * (value < 100)).split()[0].getbbox()
        )
    assert blue == pytest.approx((43, 43, 43 + 225, 43 + 600), abs=8)
    assert not warn.warnings
