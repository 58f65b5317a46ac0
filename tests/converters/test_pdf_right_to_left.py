"""Words of right-to-left scripts are read in their order, whatever order a PDF shows their letters in."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tests.converters.test_pdfs import convert

_FONT = Path(__file__).resolve().parents[2] / "engine" / "fonts" / "dejavu" / "DejaVuSans.ttf"
_LINES = ("תפוחים ואגסים 2026 בגן", "تفتح المكتبة أبوابها")


def page(way: str) -> bytes:
    """The lines as one text from the left, word by word, or letter by letter, each at its place."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 200), invariant=True)
    pdfmetrics.registerFont(TTFont("Letters", str(_FONT)))
    canvas.setFont("Letters", 14)
    for number, line in enumerate(_LINES):
        right, y = 380.0, 150 - 40 * number
        for word in line.split():
            shown = word if word.isdigit() else word[::-1]
            width = pdfmetrics.stringWidth(shown, "Letters", 14)
            if way == "words":
                canvas.drawString(right - width, y, shown)
            else:
                at = right if not word.isdigit() else right - width
                for letter in word:
                    step = pdfmetrics.stringWidth(letter, "Letters", 14)
                    at -= 0 if word.isdigit() else step
                    canvas.drawString(at, y, letter)
                    at += step if word.isdigit() else 0
            right -= width + 5
    canvas.save()
    return file.getvalue()


@pytest.mark.parametrize("way", ["words", "letters"])
@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown"])
def test_words_are_in_reading_order(tmp_path: Path, slug: str, way: str) -> None:
    result, _ = convert(tmp_path, slug, page(way))
    assert [each for each in result.decode().split("\n") if each] == [*_LINES]


@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown", "pdf-to-html"])
def test_the_letters_of_a_ligature_are_in_reading_order(tmp_path: Path, slug: str) -> None:
    """Lam and alef are one glyph, whose characters PDFium turns with those of the line."""
    words = "الإنتاجية المشكلات الأخرى لآخر"
    drawn, _ = convert(tmp_path, "html-to-pdf", f"<body dir=rtl><p>{words}</p></body>".encode())
    text = convert(tmp_path, slug, drawn)[0].decode()
    assert all(each in text for each in words.split())
