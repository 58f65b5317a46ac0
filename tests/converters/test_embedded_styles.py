"""What style sheets hold in themselves: pictures, fonts, and names with escapes."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from engine.families.html_pdf.fonts.bundled import FOLDER
from tests.converters.test_documents import Convert
from tests.converters.test_word_looks import drawn

pytestmark = drawn
_JUNK = b"\0\1\0\0" + b"x" * 300
_TORN = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><rect width="99" height="99" fill="#f00"/><rect'
)


def _uri(data: bytes, kind: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def _picture(format: str) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (8, 8), (255, 0, 0)).save(target, format)
    return target.getvalue()


def _red(data: bytes) -> bool:
    page = pypdfium2.PdfDocument(io.BytesIO(data))[0].render().to_pil().convert("RGB")
    return any(red > 250 and green < 5 > blue for _, (red, green, blue) in page.getcolors(1 << 20) or ())


def test_a_damaged_font_of_a_page_is_named(tmp_path: Path) -> None:
    style = f"@font-face{{font-family:'Own';src:url({_uri(_JUNK, 'font/ttf')})}}p{{font-family:Own,serif}}"
    done = Convert(tmp_path, "html-to-pdf", f"<style>{style}</style><p>Text")
    assert done.codes == {"FONT_SUBSTITUTED"}
    assert "Damaged embedded fonts were replaced: 1 (“Own”)." in done.messages


def test_a_readable_font_of_a_page_is_used_without_a_word(tmp_path: Path) -> None:
    font = _uri((FOLDER / "dejavu/DejaVuSans-Bold.ttf").read_bytes(), "font/ttf")
    style = f"@font-face{{font-family:Own;src:url('{font}') format('truetype')}}p{{font-family:Own}}"
    done = Convert(tmp_path, "html-to-pdf", f"<style>{style}</style><p>Text")
    assert not done.codes
    with pikepdf.open(io.BytesIO(done.data)) as pdf:
        fonts = [str(each.BaseFont) for each in pdf.pages[0].Resources.Font.values()]
    assert [each.partition("+")[2] for each in fonts] == ["DejaVuSans-Bold"]


@pytest.mark.parametrize(
    "rule", ["p{{background:url({})}}", "li{{list-style-image:url('{}')}}", 'p::before{{content:url("{}")}}']
)
def test_damaged_pictures_of_styles_are_named(tmp_path: Path, rule: str) -> None:
    style = rule.format(_uri(_JUNK, "image/png"))
    done = Convert(tmp_path, "html-to-pdf", f"<style>{style}</style><p>Text<ul><li>Item</ul>")
    assert done.codes == {"CONTENT_DROPPED"}
    assert "pictures in styles were left out" in done.messages
    assert "1 (image/png)." in done.messages


@pytest.mark.parametrize("format", ["PNG", "TIFF", "ICO", "AVIF"])
def test_pictures_of_styles_are_drawn_from_every_format(tmp_path: Path, format: str) -> None:
    style = f"background:url({_uri(_picture(format), f'image/{format.lower()}')});height:9px"
    done = Convert(tmp_path, "html-to-pdf", f'<p style="{style}">Text')
    assert _red(done.data)
    assert not done.codes


@pytest.mark.parametrize("place", ['<img src="{}">', '<p style="background:url({});height:50px">x'])
def test_a_damaged_drawing_is_drawn_in_part_and_named(tmp_path: Path, place: str) -> None:
    done = Convert(tmp_path, "html-to-pdf", place.format(_uri(_TORN, "image/svg+xml")))
    assert _red(done.data)
    assert "Damaged SVG pictures are shown as far as they can be read: 1." in done.messages


@pytest.mark.parametrize("page", ['<p style="back\\67round:r\\65 d">x', "<style>p{b\\61 ckground:\\72 ed}</style><p>x"])
def test_names_of_styles_may_be_spelled_with_escapes(tmp_path: Path, page: str) -> None:
    done = Convert(tmp_path, "html-to-pdf", page)
    assert _red(done.data)
    assert not done.codes


def test_escapes_that_are_no_letters_stay(tmp_path: Path) -> None:
    style = ".\\31 a::before{content:'\\201c \\41 \\201d'}"
    done = Convert(tmp_path, "html-to-pdf", f'<style>{style}</style><p class="1a">x')
    assert pypdfium2.PdfDocument(io.BytesIO(done.data))[0].get_textpage().get_text_range().strip() == "“A”x"
