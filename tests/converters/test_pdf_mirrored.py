"""Mirrored pages of PDFs, as they are made for prints that are ironed on: they are read as what they say."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Name
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tests.converters.test_pdfs import convert
from tests.families.images.looks import look, members, near

FONT = "engine/fonts/liberation/LiberationSans-Regular.ttf"
LEFT = [f"The left column says in line {count} of twelve" for count in range(12)]
RIGHT = [f"while the right one has its line {count} here" for count in range(12)]
MIRRORS = [(-1, 0, 0, 1, 600, 0), (1, 0, 0, -1, 0, 400), (0, 1, 1, 0, 0, 0), (0, -1, -1, 0, 400, 600)]


def page(matrix: tuple[float, ...]) -> bytes:
    """A page of two columns and a picture that is red to the left and blue to the right, moved by a matrix."""
    file = io.BytesIO()
    size = (600, 400) if matrix[0] else (400, 600)
    canvas = Canvas(file, pagesize=size, invariant=True)
    canvas.transform(*matrix)
    canvas.setFont("Helvetica", 10)
    for row, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        canvas.drawString(40, 360 - 14 * row, left)
        canvas.drawString(320, 360 - 14 * row, right)
    picture = Image.new("RGB", (40, 20), "red")
    picture.paste("blue", (20, 0, 40, 20))
    canvas.drawImage(ImageReader(picture), 40, 60, 120, 60)
    canvas.save()
    return file.getvalue()


@pytest.mark.parametrize("matrix", MIRRORS)
def test_a_mirrored_page_is_read_in_order(matrix: tuple[float, ...], tmp_path: Path) -> None:
    found, _ = convert(tmp_path, "pdf-to-markdown", page(matrix), ocr="off")
    words = re.sub(r"!\[.*?\)", "", found.decode()).split()
    assert words == " ".join((*LEFT, *RIGHT)).split()


@pytest.mark.parametrize("matrix", [*MIRRORS, (-1, 0, 0, -1, 600, 400)])
def test_plain_text_has_the_parts_of_lines_that_run_to_the_left_in_order(
    matrix: tuple[float, ...], tmp_path: Path
) -> None:
    found, _ = convert(tmp_path, "pdf-to-txt", page(matrix), ocr="off")
    words = found.decode().split()
    by_lines = " ".join(" ".join(both) for both in zip(LEFT, RIGHT, strict=True)).split()
    assert words in (by_lines, " ".join((*LEFT, *RIGHT)).split())


def test_a_ligature_stays_in_its_word_on_a_mirrored_page(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(600, 400), invariant=True)
    pdfmetrics.registerFont(TTFont("Ligatures", FONT))
    for row in range(4):
        canvas.saveState()
        canvas.transform(-1, 0, 0, 1, 600, 0)
        canvas.setFont("Ligatures", 12)
        canvas.drawString(40, 360 - 14 * row, f"The \ufb01rst of\ufb01cers \ufb01nd line {row}")
        canvas.restoreState()
    canvas.save()
    found, _ = convert(tmp_path, "pdf-to-markdown", file.getvalue(), ocr="off")
    assert found.decode().split() == " ".join(f"The first officers find line {row}" for row in range(4)).split()


@pytest.mark.parametrize("matrix", MIRRORS)
def test_a_picture_on_a_mirrored_page_is_seen_as_its_text_is(matrix: tuple[float, ...], tmp_path: Path) -> None:
    found, _ = convert(tmp_path, "pdf-to-docx", page(matrix), ocr="off")
    (data,) = (each for name, each in members(found).items() if "picture-" in name)
    seen = look(data, "png")
    assert near(seen.at(seen.width // 4, seen.height // 2), (255, 0, 0), 6)
    assert near(seen.at(3 * seen.width // 4, seen.height // 2), (0, 0, 255), 6)


@pytest.mark.parametrize("slug", ["pdf-to-txt", "pdf-to-markdown"])
def test_letters_that_their_font_has_mirrored_are_not(slug: str, tmp_path: Path) -> None:
    # A font of single drawings with its letters upside down, as programs have them whose pages begin at the top.
    lines = [b"BT /F1 12 Tf 1 0 0 -1 40 %d Tm (ab ba) Tj ET" % (350 - 20 * row) for row in range(6)]
    lines += [b"BT /F1 12 Tf 1 0 0 -1 200 %d Tm (%s) Tj ET" % (350 - 20 * row, b"b" * (row + 3)) for row in range(6)]
    shape = b"600 0 0 -700 500 0 d1 0 -700 500 700 re f"
    file = io.BytesIO()
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(400, 400))
        glyph, blank = pdf.make_stream(shape), pdf.make_stream(b"600 0 0 0 0 0 d1")
        font = pikepdf.Dictionary(
            Type=Name.Font, Subtype=Name.Type3, FontBBox=[0, -700, 500, 0], FontMatrix=[0.001, 0, 0, 0.001, 0, 0],
            CharProcs=pikepdf.Dictionary(a=glyph, b=glyph, space=blank), FirstChar=32, LastChar=98,
            Encoding=pikepdf.Dictionary(Differences=[32, Name.space, 97, Name.a, Name.b]), Widths=[600] * 67,
        )  # fmt: skip
        pdf.pages[0].Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=font))
        pdf.pages[0].Contents = pdf.make_stream(b"\n".join(lines))
        pdf.save(file)
    found, _ = convert(tmp_path, slug, file.getvalue(), ocr="off", **({"tables": "none"} if "mark" in slug else {}))
    longs = [word for word in found.decode().split() if set(word) == {"b"}]
    assert longs == ["b" * (row + 3) for row in range(6)]
