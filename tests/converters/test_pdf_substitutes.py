"""Fonts that a PDF names and does not have in it: their letters are read, and drawn, whatever they are of."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfgen.canvas import Canvas

from tests.converters.test_pdfs import convert

STEP, BASE = 30, 30
"""Points between the letters of a page, each of which is put there by itself, and from their line to its edge."""

NAMES = {
    "АБабв": ("afii10017", "afii10018", "afii10065", "afii10066", "afii10067"),
    "ΓΠαβγ": ("Gamma", "Pi", "alpha", "beta", "gamma"),
    "אבג": ("afii57664", "afii57665", "afii57666"),
    "čřŁőă": ("ccaron", "rcaron", "Lslash", "ohungarumlaut", "abreve"),
}
"""Letters, and what Adobe's Glyph List calls them."""

FONTS = ("Helvetica", "Helvetica-BoldOblique", "Times-Roman", "Courier-Bold")


def named(font: str, letters: str) -> bytes:
    """A page with letters in one of the fonts that every reader has to have, by their names."""
    encoding = Dictionary(Type=Name.Encoding, Differences=Array([65, *(Name(f"/{each}") for each in NAMES[letters])]))
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(STEP * (len(letters) + 1), 2 * BASE))
        pdf.pages[0].Resources = Dictionary(
            Font=Dictionary(
                F1=Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(f"/{font}"), Encoding=encoding)
            )
        )
        pdf.pages[0].Contents = pdf.make_stream(
            b"".join(
                b"BT /F1 20 Tf %d %d Td (%c) Tj ET " % (STEP // 2 + STEP * at, BASE, 65 + at)
                for at in range(len(letters))
            )
        )
        file = io.BytesIO()
        pdf.save(file)
    return file.getvalue()


def of_asia(font: str, letters: str) -> bytes:
    """A page with letters in a font of Adobe's Asian packs."""
    registerFont(UnicodeCIDFont(font))
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(STEP * (len(letters) + 1), 2 * BASE), invariant=True)
    canvas.setFont(font, 20)
    for at, letter in enumerate(letters):
        canvas.drawString(STEP // 2 + STEP * at, BASE, letter)
    canvas.save()
    return file.getvalue()


SOURCES = [
    *(pytest.param(named(font, letters), letters, id=f"{font}-{letters}") for font in FONTS for letters in NAMES),
    *(
        pytest.param(of_asia(font, letters), letters, id=font)
        for font, letters in (
            ("HeiseiMin-W3", "朝から雨"),
            ("HYSMyeongJo-Medium", "서울특별시"),
            ("STSong-Light", "简体中文"),
            ("MSung-Light", "繁體中文"),
        )
    ),
]


@pytest.mark.parametrize(("source", "letters"), SOURCES)
def test_letters_of_a_font_that_is_not_in_the_file_are_read(tmp_path: Path, source: bytes, letters: str) -> None:
    text = convert(tmp_path, "pdf-to-txt", source)[0].decode()
    assert sorted("".join(text.split())) == sorted(letters)


@pytest.mark.parametrize(("source", "letters"), SOURCES)
def test_letters_of_a_font_that_is_not_in_the_file_are_drawn(tmp_path: Path, source: bytes, letters: str) -> None:
    data, _ = convert(tmp_path, "pdf-to-png", source, dpi=72)
    with Image.open(io.BytesIO(data)) as image:
        grey = image.convert("L")
    for at in range(len(letters)):
        left = STEP // 2 + STEP * at
        dark = sum(grey.crop((left, 0, left + STEP, grey.height)).histogram()[:160])
        assert dark > 10, letters[at]
