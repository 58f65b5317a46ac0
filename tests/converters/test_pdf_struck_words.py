"""Lines through words of a PDF are named by number, and other lines near words are not."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from engine.conversion import convert

_SIZE = 12.0


def told_of_styles(folder: Path, draw: Callable[[Canvas], None], extension: str, **options: str) -> list[str]:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    canvas.setFont("Helvetica", _SIZE)
    draw(canvas)
    canvas.save()
    source = folder / "input.pdf"
    source.write_bytes(file.getvalue())
    found = convert(source, folder / f"output.{extension}", sandbox=False, ocr="off", **options).warnings
    return [str(each.message) for each in found if each.code == "STYLE_DROPPED"]


def _sentence(canvas: Canvas, height: float) -> None:
    canvas.drawString(40, 700, "Pay 500 euros today")
    start = 40 + canvas.stringWidth("Pay ", "Helvetica", _SIZE)
    end = start + canvas.stringWidth("500 euros", "Helvetica", _SIZE)
    canvas.line(start, 700 + height * _SIZE, end, 700 + height * _SIZE)


@pytest.mark.parametrize("extension", ["docx", "md", "html"])
def test_words_that_are_struck_through_are_named(extension: str, tmp_path: Path) -> None:
    told = told_of_styles(tmp_path, lambda canvas: _sentence(canvas, 0.3), extension)
    assert told == ["Lines through words are missing from the result: 2 (“500”, “euros”)."]


@pytest.mark.parametrize("height", [-0.12, 0.95])
def test_lines_below_and_above_words_are_not_named(height: float, tmp_path: Path) -> None:
    assert told_of_styles(tmp_path, lambda canvas: _sentence(canvas, height), "docx") == []


def test_a_text_or_an_exact_layout_names_none(tmp_path: Path) -> None:
    assert told_of_styles(tmp_path, lambda canvas: _sentence(canvas, 0.3), "txt") == []
    assert told_of_styles(tmp_path, lambda canvas: _sentence(canvas, 0.3), "docx", layout="exact") == []


def test_a_thick_line_behind_words_is_their_ground_and_no_line_through_them(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setStrokeColorRGB(0.7, 0.4, 0.2)
        canvas.setLineWidth(14)
        canvas.line(30, 703, 300, 703)
        canvas.drawString(40, 700, "A caption on a ground")

    assert not any("Lines through" in each for each in told_of_styles(tmp_path, draw, "docx"))


def test_filled_lines_strike_words_through_whatever_pen_is_set(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setLineWidth(14)
        canvas.drawString(40, 700, "Gone")
        canvas.drawString(40, 600, "too")
        lines = canvas.beginPath()
        for height, width in ((703.3, 34), (603.3, 20)):
            lines.rect(38, height, width, 0.6)
        canvas.drawPath(lines, stroke=0, fill=1)

    assert told_of_styles(tmp_path, draw, "docx") == [
        "Lines through words are missing from the result: 2 (“Gone”, “too”)."
    ]


def _told_of_lines(folder: Path, draw: Callable[[Canvas], None]) -> bool:
    return any("Lines through" in each for each in told_of_styles(folder, draw, "docx"))


def test_a_line_that_reaches_far_beyond_words_is_none_through_them(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(300, 700, "388.8")
        canvas.line(40, 704, 550, 704)  # as in a chart, or the rule of a table

    assert not _told_of_lines(tmp_path, draw)


def test_the_border_of_a_box_below_a_label_is_no_line_through_it(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.line(38, 703.6, 105, 703.6)
        canvas.setFillColorRGB(0.2, 0.5, 0.8)
        canvas.roundRect(36, 694, 72, 20, 8, stroke=0, fill=1)
        canvas.setFillColorRGB(1, 1, 1)
        canvas.drawString(40, 700, "Two words")

    assert not _told_of_lines(tmp_path, draw)


def test_a_line_that_is_cut_off_is_none_through_words(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(40, 700, "A caption")
        canvas.saveState()
        clip = canvas.beginPath()
        clip.rect(30, 715, 200, 100)
        canvas.clipPath(clip, stroke=0, fill=0)
        canvas.line(40, 703.6, 90, 703.6)
        canvas.restoreState()

    assert not _told_of_lines(tmp_path, draw)


def test_a_line_that_is_cut_off_at_the_ends_of_words_strikes_them(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(40, 700, "A caption")
        clip = canvas.beginPath()
        clip.rect(38, 690, 56, 100)
        canvas.clipPath(clip, stroke=0, fill=0)
        canvas.line(0, 703.6, 500, 703.6)

    assert _told_of_lines(tmp_path, draw)


def test_a_bar_of_an_outlined_letter_is_no_line_through_it(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 18)
        canvas.drawString(40, 700, "e")
        canvas.line(42, 705, 47, 705)

    assert not _told_of_lines(tmp_path, draw)
