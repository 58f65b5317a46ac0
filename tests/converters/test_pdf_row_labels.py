"""Ruled tables whose rows are named beside the rules, not between them."""

from __future__ import annotations

import io
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from tests.converters.test_pdf_pages import tables
from tests.converters.test_pdfs import convert

HEADS = ("Costs", "Direct", "Federal")
ROWS = (
    ("Salaries", "1,314", "940", "(14)"), ("Office rent", "170", "150", "2"), ("Bad debts", "10", "", ""),
    ("Training materials", "82", "8.2", "12 %"),
)  # fmt: skip
LEFT, STEP, TOP = 220, 70, 700


def page(rows: tuple[tuple[str, ...], ...], *, beside: tuple[str, ...], heads: tuple[str, ...] = HEADS) -> bytes:
    """A grid with what follows the first text of each row in it, and `beside` at the left of its rows."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    canvas.setFont("Helvetica", 10)
    bottom = TOP - 18 * (len(rows) + 1)
    for at in range(len(heads) + 1):
        canvas.line(LEFT + STEP * at, TOP, LEFT + STEP * at, bottom)
    for at in range(len(rows) + 2):
        canvas.line(LEFT, TOP - 18 * at, LEFT + STEP * len(heads), TOP - 18 * at)
    for number, row in enumerate((("", *heads), *rows)):
        for at, text in enumerate(row[1:]):
            canvas.drawString(LEFT + STEP * at + 5, TOP - 18 * number - 13, text)
    for number, text in enumerate(beside):
        canvas.drawString(60, TOP - 18 * number - 13, text)
    canvas.save()
    return file.getvalue()


def read(folder: Path, source: bytes) -> tuple[list[list[list[str]]], str]:
    text = convert(folder, "pdf-to-markdown", source)[0].decode()
    return tables(text), text


def test_names_beside_the_rules_are_the_first_column(tmp_path: Path) -> None:
    found, _ = read(tmp_path, page(ROWS, beside=("Category", *(row[0] for row in ROWS))))
    assert found == [[["Category", *HEADS], *map(list, ROWS)]]


def test_a_text_beside_a_table_stays_a_text(tmp_path: Path) -> None:
    lines = (
        "What was spent in the year and for", "whom is told in the table at the right,", "in thousands, as far as it",
        "has been settled by the end of it,", "and without what is in dispute.",
    )  # fmt: skip
    found, text = read(tmp_path, page(ROWS, beside=lines))
    assert found == [[list(HEADS), *(list(row[1:]) for row in ROWS)]]
    assert "told in the table at the right" in " ".join(text.split())


def test_words_beside_a_table_that_has_names_of_its_own_stay_outside(tmp_path: Path) -> None:
    rows = tuple(("", *row[:3]) for row in ROWS)
    found, _ = read(tmp_path, page(rows, beside=("", *"ABCD"), heads=("Category", *HEADS[:2])))
    assert found == [[["Category", *HEADS[:2]], *(list(row[:3]) for row in ROWS)]]
