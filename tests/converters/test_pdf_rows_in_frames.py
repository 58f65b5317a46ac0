"""Rows that stand in ruled cells and across them, and contents whose dots lead to numbers: lines that stay lines."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.converters.test_pdf_pages import tables
from tests.converters.test_pdfs import convert

XS = (50, 300, 545)
TOP, STEP = 700, 16


def ruled(heads: tuple[tuple[float, str], ...], rows: list[tuple[tuple[float, str], ...]]) -> bytes:
    """Two boxes beside each other below their heads, with rows of texts in each."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    canvas.setFont("Helvetica", 10)
    bottom = TOP - STEP * len(rows) - 6
    for y in (TOP + 20, TOP, bottom):
        canvas.line(XS[0], y, XS[-1], y)
    for x in XS:
        canvas.line(x, bottom, x, TOP + 20)
    for x, text in heads:
        canvas.drawString(x, TOP + 6, text)
    for number, row in enumerate(rows, 1):
        for x, text in row:
            canvas.drawString(x, TOP - STEP * number, text)
    canvas.save()
    return file.getvalue()


def test_rows_across_ruled_cells_with_two_columns_each_are_rows_below_their_heads(tmp_path: Path) -> None:
    xs = (60, 200, 310, 450)
    heads = ("Age", "Women", "Age", "Men")
    rows = [(f"{at} years", f"{at * 37}", f"{at + 40} years", f"{at * 91}") for at in range(1, 13)]
    source = ruled(tuple(zip(xs, heads, strict=True)), [tuple(zip(xs, row, strict=True)) for row in rows])
    text, _ = convert(tmp_path, "pdf-to-markdown", source)
    assert tables(text.decode()) == [[list(heads), *map(list, rows)]]


def test_lines_of_ruled_cells_stay_in_them(tmp_path: Path) -> None:
    # Addresses beside each other: as many lines, at the same heights.
    left = [
        "Wood and Sons",
        "Mill Lane 4",
        "Back door",
        "10115 Berlin",
        "Germany",
        "Ms Aalto",
        "030 1234",
        "wood@x.org",
        "Mon",
    ]
    right = [
        "Iron Ltd",
        "Forge Street 9",
        "Second floor",
        "1010 Wien",
        "Austria",
        "Mr Berg",
        "01 5678",
        "iron@x.org",
        "Tue",
    ]
    source = ruled(
        ((60, "From"), (310, "To")),
        [((60, one), (310, other)) for one, other in zip(left, right, strict=True)],
    )
    text, _ = convert(tmp_path, "pdf-to-markdown", source)
    (found,) = tables(text.decode())
    assert len(found) == 2
    assert all(word in found[1][0] for word in left)
    assert all(word in found[1][1] for word in right)


def test_two_rows_beside_what_is_said_of_both_are_rows(tmp_path: Path) -> None:
    xs, top, row = (50, 110, 180, 260, 340), 700, 30
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    canvas.setFont("Helvetica", 10)
    for y in range(top - 3 * row, top + 1, row):
        canvas.line(xs[0], y, xs[-1], y)
    for x in xs:
        canvas.line(x, top - 3 * row, x, top)
    for x, text in zip(xs, ("Layers", "Language", "Score", "Time"), strict=False):
        canvas.drawString(x + 4, top - 19, text)
    values = [
        (6, ("OTSL", "HTML"), ("0.965", "0.969"), ("2.73", "5.39")),
        (4, ("OTSL", "HTML"), ("0.938", "0.952"), ("1.97", "3.77")),
    ]
    for at, (layers, *pairs) in enumerate(values, 1):
        canvas.drawString(xs[0] + 4, top - row * at - 19, str(layers))
        for x, pair in zip(xs[1:], pairs, strict=False):
            for line, text in enumerate(pair):
                canvas.drawString(x + 4, top - row * at - 12 - 13 * line, text)
    canvas.save()
    found, _ = convert(tmp_path, "pdf-to-markdown", file.getvalue())
    assert tables(found.decode()) == [
        [
            ["Layers", "Language", "Score", "Time"],
            ["6", "OTSL", "0.965", "2.73"],
            ["", "HTML", "0.969", "5.39"],
            ["4", "OTSL", "0.938", "1.97"],
            ["", "HTML", "0.952", "3.77"],
        ]
    ]


def contents(*columns: list[str]) -> bytes:
    """Entries with dots up to their numbers, in columns."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    canvas.setFont("Courier", 9)
    for at, entries in enumerate(columns):
        for number, entry in enumerate(entries):
            canvas.drawString(
                50 + 260 * at, 760 - 13 * number, f"{entry} {'.' * (36 - len(entry))} {number + 10 * at + 3}"
            )
    canvas.save()
    return file.getvalue()


ENTRIES = [
    "The Veil",
    "Culture and History",
    "Aravels",
    "The Long Walk",
    "Uthenera",
    "The Anderfels",
    "Antiva",
    "Storms",
]


@pytest.mark.parametrize("columns", [1, 2])
def test_contents_are_read_entry_by_entry_and_column_by_column(columns: int, tmp_path: Path) -> None:
    lists = [ENTRIES, [f"{entry} again" for entry in ENTRIES]][:columns]
    text, _ = convert(tmp_path, "pdf-to-markdown", contents(*lists))
    lines = [line for line in text.decode().splitlines() if line]
    assert [line.split(" ..")[0] for line in lines] == [entry for each in lists for entry in each]
    assert [line.rsplit(" ", 1)[-1] for line in lines] == [
        str(at + 10 * n + 3) for n in range(columns) for at in range(8)
    ]


@pytest.mark.parametrize("rules", [(1,), (3,), (1, 3)])
def test_a_rule_beside_labels_or_totals_leaves_the_rows_and_columns(tmp_path: Path, rules: tuple[int, ...]) -> None:
    xs = (60, 180, 280, 380, 480)
    rows = [
        ("Region", "North", "South", "East", "Sum"),
        ("Apples", "12", "3", "1", "16"),
        ("Pears", "7", "4", "2", "13"),
        ("Plums", "8", "19", "0", "27"),
    ]
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    canvas.setFont("Helvetica", 10)
    for y in (716, 698, 644):
        canvas.line(50, y, 545, y)
    for at in rules:
        canvas.line(xs[at] - 8, 644, xs[at] - 8, 716)
    for number, row in enumerate(rows):
        for x, text in zip(xs, row, strict=True):
            canvas.drawString(x, 704 - 18 * number, text)
    canvas.save()
    made, _ = convert(tmp_path, "pdf-to-markdown", file.getvalue())
    assert tables(made.decode()) == [[*map(list, rows)]]
