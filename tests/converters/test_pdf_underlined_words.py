"""Underlines of words of a PDF are kept in Word and HTML and named in Markdown, as colours of words are."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from engine.conversion import convert
from tests.converters.test_pdf_struck_words import told_of_styles
from tests.engine.test_lettering_census import BODY
from tests.families.documents import files

_SIZE = 12.0


def _below(canvas: Canvas, before: str, words: str, *, beyond: float = 0.0) -> None:
    start = 40 + canvas.stringWidth(before, "Helvetica", _SIZE)
    end = start + canvas.stringWidth(words, "Helvetica", _SIZE)
    canvas.line(start, 698.5, end + beyond, 698.5)


def _underlined(canvas: Canvas) -> None:
    canvas.drawString(40, 700, "Pay 500 euros today, not later")
    canvas.drawString(40, 686, "and keep the receipt for the tax office")
    _below(canvas, "Pay ", "500 euros")


def test_underlined_words_are_underlined_in_word(tmp_path: Path) -> None:
    assert told_of_styles(tmp_path, _underlined, "docx") == []
    with zipfile.ZipFile(tmp_path / "output.docx") as parts:
        text = parts.read("word/document.xml").decode()
    assert re.findall(r'<w:u w:val="single"/></w:rPr><w:t[^>]*>([^<]*)', text) == ["500 euros"]


def test_underlined_words_are_underlined_in_html(tmp_path: Path) -> None:
    assert told_of_styles(tmp_path, _underlined, "html") == []
    assert "Pay <u>500 euros</u> today" in (tmp_path / "output.html").read_text()


def test_a_plain_text_has_no_looks_to_name(tmp_path: Path) -> None:
    assert told_of_styles(tmp_path, _underlined, "txt") == []
    (tmp_path / "word.docx").write_bytes(files.word(f"<w:p>{BODY}</w:p>"))
    assert convert(tmp_path / "word.docx", tmp_path / "word.txt", sandbox=False).warnings == ()


def test_underlined_words_are_named_in_markdown(tmp_path: Path) -> None:
    told = told_of_styles(tmp_path, _underlined, "md")
    assert told == ["Underlines of words are missing from the result: 2 (“500”, “euros”)."]
    assert "Pay 500 euros today" in (tmp_path / "output.md").read_text()


def test_coloured_words_are_named_in_markdown(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFillColorRGB(1, 0, 0)
        canvas.drawString(40, 700, "Red words")
        canvas.setFillColorRGB(0, 0, 0)
        canvas.drawString(40, 660, "and black ones")

    assert told_of_styles(tmp_path, draw, "md") == ["Colours of words are missing from the result: 2 (“Red”, “words”)."]


def _of_a_table(canvas: Canvas) -> None:
    canvas.grid([40, 140, 240], [658, 678, 698])
    for at, word in enumerate(("one", "two", "three", "four")):
        canvas.drawString(45 + 100 * (at % 2), 680.5 - 20 * (at // 2), word)


def _of_a_cell(canvas: Canvas) -> None:
    width = canvas.stringWidth("Total", "Helvetica", _SIZE)
    canvas.drawString(40, 700, "Total")
    canvas.rect(39, 698, width + 2, 14)


def _wider(canvas: Canvas) -> None:
    canvas.drawString(40, 700, "Name")
    _below(canvas, "", "Name", beyond=80)


def _of_a_fraction(canvas: Canvas) -> None:
    canvas.drawString(40, 700, "12")
    canvas.drawString(40, 688.5, "35")
    _below(canvas, "", "12")


def _of_a_link(canvas: Canvas) -> None:
    canvas.drawString(40, 700, "See our page")
    _below(canvas, "See ", "our page")
    canvas.linkURL("https://example.com/", (62, 697, 120, 710))


@pytest.mark.parametrize("draw", [_of_a_table, _of_a_cell, _wider, _of_a_fraction, _of_a_link])
def test_other_lines_below_words_are_no_underlines(draw: Callable[[Canvas], None], tmp_path: Path) -> None:
    told_of_styles(tmp_path, draw, "html")
    assert "<u>" not in (tmp_path / "output.html").read_text()
    assert told_of_styles(tmp_path, draw, "md") == []


def test_an_exact_layout_draws_the_lines_themselves(tmp_path: Path) -> None:
    assert told_of_styles(tmp_path, _underlined, "docx", layout="exact") == []
    with zipfile.ZipFile(tmp_path / "output.docx") as parts:
        assert "<w:u " not in parts.read("word/document.xml").decode()
