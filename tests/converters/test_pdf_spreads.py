"""Two pages printed side by side are read one after the other; a wide page is read as one."""

from __future__ import annotations

import io
import time
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from engine.families.pdf.page.segments import Segment
from engine.families.pdf.page.spreads import halves
from tests.converters.test_pdfs import convert

_ROWS = [("Profit", "233", "201"), ("Income", "318", "644"), ("Expenses", "235", "845"), ("Dividends", "152", "215")]


def spread(*, numbers: tuple[str, str], across: str = "") -> bytes:
    """A sheet of two pages with a table each, whose rows are level, drawn row by row across the sheet."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(1190, 842), invariant=True)
    canvas.setFont("Helvetica", 10)
    for at, row in enumerate(_ROWS):
        for left, mark in ((60, "l"), (655, "r")):
            for column, text in enumerate(row):
                canvas.drawString(left + 150 * column, 700 - 16 * at, text + mark)
    canvas.drawString(40, 30, f"{numbers[0]} Yearbook")
    canvas.drawRightString(1150, 30, f"Yearbook {numbers[1]}")
    canvas.drawCentredString(595, 400, across)
    canvas.save()
    return file.getvalue()


def rows_of(data: bytes, folder: Path) -> list[str]:
    text, _ = convert(folder, "pdf-to-markdown", data, ocr="off")
    return [line for line in text.decode().splitlines() if "Profit" in line]


def test_pages_of_a_spread_are_read_one_after_the_other(tmp_path: Path) -> None:
    left, right = rows_of(spread(numbers=("62", "63")), tmp_path)
    assert ("Profitl" in left, "Profitr" in left) == (True, False)
    assert ("Profitl" in right, "Profitr" in right) == (False, True)


def test_a_wide_page_without_two_numbers_is_one_page(tmp_path: Path) -> None:
    (row,) = rows_of(spread(numbers=("62", "of 70")), tmp_path)
    assert "Profitl" in row
    assert "Profitr" in row


def test_a_page_with_a_text_across_its_middle_is_one_page(tmp_path: Path) -> None:
    (row,) = rows_of(spread(numbers=("62", "63"), across="The results of both years in one text"), tmp_path)
    assert "Profitl" in row
    assert "Profitr" in row


def test_very_many_texts_in_the_margins_are_compared_in_little_time() -> None:
    texts = [
        Segment(spans=[], x0=float(at % 99), x1=at % 99 + 1.0, base=at / 1e4, size=8.0, order=at) for at in range(8_000)
    ]
    begun = time.process_time()
    assert len(halves(texts, [], 1190, 842)) == 1
    assert time.process_time() - begun < 1
