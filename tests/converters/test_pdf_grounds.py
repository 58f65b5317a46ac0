"""What flowing text can't show of a PDF is named by number: colours behind words, and form fields."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from engine.conversion import convert
from tests.converters.test_pdf_struck_words import told_of_styles


def _marked(canvas: Canvas, *colours: tuple[float, float, float]) -> None:
    for colour in colours:
        canvas.setFillColorRGB(*colour)
        canvas.rect(38, 696, canvas.stringWidth("Pay 500", "Helvetica", 12) + 4, 14, stroke=0, fill=1)
    canvas.setFillColorRGB(0, 0, 0)
    canvas.drawString(40, 700, "Pay 500 euros today")


YELLOW, WHITE = (1, 1, 0), (1, 1, 1)


@pytest.mark.parametrize("extension", ["docx", "md", "html"])
def test_words_on_a_colour_are_named(extension: str, tmp_path: Path) -> None:
    told = told_of_styles(tmp_path, lambda canvas: _marked(canvas, YELLOW), extension)
    assert told == ["Colours behind words are missing from the result: 2 (“Pay”, “500”)."]


@pytest.mark.parametrize("colours", [(WHITE,), (YELLOW, WHITE)])
def test_words_on_white_are_not_named(colours: tuple[tuple[float, float, float], ...], tmp_path: Path) -> None:
    assert told_of_styles(tmp_path, lambda canvas: _marked(canvas, *colours), "docx") == []


def test_a_text_or_an_exact_layout_names_none(tmp_path: Path) -> None:
    assert told_of_styles(tmp_path, lambda canvas: _marked(canvas, YELLOW), "txt") == []
    assert told_of_styles(tmp_path, lambda canvas: _marked(canvas, YELLOW), "docx", layout="exact") == []


def test_html_has_the_colours_of_words_and_the_lines_of_tables(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFillColorRGB(0, 0, 1)
        canvas.drawString(40, 700, "Blue words")
        canvas.setFillColorRGB(0, 0, 0)
        canvas.grid([40, 140, 240], [600, 620, 640])
        for at, word in enumerate(("one", "two", "three", "four")):
            canvas.drawString(45 + 100 * (at % 2), 625 - 20 * (at // 2), word)

    assert told_of_styles(tmp_path, draw, "html") == []
    page = (tmp_path / "output.html").read_text()
    assert '<span style="color:#0000ff">Blue words</span>' in page
    assert '<table border="1" style="border-collapse:collapse">' in page


@pytest.mark.parametrize(("extension", "is_named"), [("docx", True), ("html", True), ("txt", False)])
def test_form_fields_that_become_text_are_named(extension: str, is_named: bool, tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    canvas.drawString(40, 700, "Name")
    canvas.acroForm.textfield(name="name", value="Ada", x=100, y=690)
    canvas.save()
    source = tmp_path / "input.pdf"
    source.write_bytes(file.getvalue())
    found = convert(source, tmp_path / f"output.{extension}", sandbox=False, ocr="off").warnings
    told = "Form fields became text with their values: 1."
    assert (told in {str(each.message) for each in found}) is is_named
