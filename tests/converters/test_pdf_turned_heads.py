"""Heads of columns that are written upwards or downwards stand in their cells."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.converters.test_pdf_pages import tables
from tests.converters.test_pdfs import convert

LEFT, TOP, STEP, HEAD, ROW = 150, 700, 80, 70, 20
ROWS = (("Apples", "12", "3.50"), ("Pears", "7", "4.20"))


def page(angle: int, rows: tuple[tuple[str, ...], ...]) -> bytes:
    """A grid with an upright head and two turned ones."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    canvas.setFont("Helvetica", 10)
    bottom = TOP - HEAD - ROW * len(rows)
    for at in range(4):
        canvas.line(LEFT + STEP * at, TOP, LEFT + STEP * at, bottom)
    for height in (TOP, *(TOP - HEAD - ROW * at for at in range(len(rows) + 1))):
        canvas.line(LEFT, height, LEFT + 3 * STEP, height)
    canvas.drawString(LEFT + 5, TOP - HEAD + 6, "Item")
    for at, text in enumerate(("Weight kg", "Price EUR"), 1):
        canvas.saveState()
        canvas.translate(LEFT + STEP * at + 40, TOP - (HEAD - 6 if angle > 0 else 6))
        canvas.rotate(angle)
        canvas.drawString(0, 0, text)
        canvas.restoreState()
    for number, row in enumerate(rows):
        for at, text in enumerate(row):
            canvas.drawString(LEFT + STEP * at + 5, TOP - HEAD - ROW * number - 14, text)
    canvas.save()
    return file.getvalue()


@pytest.mark.parametrize("angle", [90, -90])
def test_turned_heads_are_in_their_cells(tmp_path: Path, angle: int) -> None:
    text = convert(tmp_path, "pdf-to-markdown", page(angle, ROWS))[0].decode()
    assert tables(text) == [[["Item", "Weight kg", "Price EUR"], *map(list, ROWS)]]
    assert text.count("Weight") == 1
    data, _ = convert(tmp_path, "pdf-to-csv", page(angle, ROWS))
    assert data.decode().splitlines()[0] == "Item,Weight kg,Price EUR"


def test_a_turned_text_that_may_be_of_several_cells_stays_a_text(tmp_path: Path) -> None:
    text = convert(tmp_path, "pdf-to-markdown", page(90, (("Apples", "", "3.50"), *ROWS)))[0].decode()
    assert tables(text)[0][0] == ["Item", "", "Price EUR"]
    assert text.count("Weight kg") == 1
