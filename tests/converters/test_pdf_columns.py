"""Columns of text: read one after the other, section by section, and taken for no table however narrow they are."""

from __future__ import annotations

import io
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from tests.converters.test_pdfs import convert

WORDS = (
    "harbour", "ferry", "island", "winter", "bicycle", "captain", "yellow", "second", "crossing", "lantern", "museum",
    "barley", "quarry", "juniper",
)  # fmt: skip


def lines(seed: int, count: int, words: int) -> list[str]:
    """Lines of so many words, none of them twice on a page."""
    return [
        " ".join(
            f"{WORDS[(seed + 5 * row + 3 * at) % len(WORDS)]}{chr(97 + seed)}{chr(97 + row)}" for at in range(words)
        )
        for row in range(count)
    ]


def drawn(*texts: tuple[float, float, float, list[str]]) -> bytes:
    """Lines from the place of the first of each text on, of this size, drawn across the columns row by row."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    every = [(y - 1.25 * size * row, x, size, line) for x, y, size, found in texts for row, line in enumerate(found)]
    for y, x, size, line in sorted(every, key=lambda each: (-each[0], each[1])):
        canvas.setFont("Helvetica", size)
        canvas.drawString(x, y, line)
    canvas.save()
    return file.getvalue()


def words_of(data: bytes, folder: Path) -> list[str]:
    text, _ = convert(folder, "pdf-to-markdown", data, ocr="off")
    return text.decode().replace("#", "").split()


def in_order(*texts: list[str]) -> list[str]:
    return [word for found in texts for line in found for word in line.split()]


def test_sections_of_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    columns = [[lines(3 * band + at, 8, 4) for at in range(3)] for band in range(2)]
    heads = [["First part"], ["Second part"]]
    source = drawn(
        *((50, 760 - 200 * band, 14, heads[band]) for band in range(2)),
        *((50 + 175 * at, 735 - 200 * band, 7, columns[band][at]) for band in range(2) for at in range(3)),
    )
    wanted = in_order(heads[0], *columns[0], heads[1], *columns[1])
    assert words_of(source, tmp_path) == wanted


def test_headings_in_a_column_beside_text_stay_in_it(tmp_path: Path) -> None:
    above, below, right = lines(1, 8, 5), lines(2, 8, 5), lines(3, 20, 5)
    head = ["A heading"]
    source = drawn((50, 760, 9, above), (50, 640, 14, head), (50, 615, 9, below), (315, 760, 9, right))
    assert words_of(source, tmp_path) == in_order(above, head, below, right)


def test_narrow_columns_of_text_are_no_table(tmp_path: Path) -> None:
    columns = [lines(at, 12, 4) for at in range(3)]
    for found in columns:
        found[5] = found[5].split()[0]  # where a paragraph ends
    source = drawn(*((50 + 170 * at, 760, 7, found) for at, found in enumerate(columns)))
    assert words_of(source, tmp_path) == in_order(*columns)


def test_short_texts_with_numbers_beside_each_other_are_a_table(tmp_path: Path) -> None:
    left = [f"Item {at} of steel" for at in range(8)]
    right = [f"{at} at {at}.50 each" for at in range(8)]
    text, _ = convert(tmp_path, "pdf-to-markdown", drawn((50, 760, 9, left), (250, 760, 9, right)), ocr="off")
    assert [line for line in text.decode().splitlines() if line.startswith("| Item")] == [
        f"| {one} | {other} |" for one, other in zip(left, right, strict=True)
    ]


def test_hanging_indents_beside_a_wide_gap_are_not_a_table(tmp_path: Path) -> None:
    left, right = lines(1, 12, 5), lines(2, 12, 5)
    # The last but one line of an entry is stretched to the width of its column, and an entry begins beside it.
    parted = left[4].split()
    left[4], left[5] = " ".join(parted[:3]), left[5].split()[0]
    source = drawn(
        (50, 766, 9, left[:4]),
        (50, 760 - 4 * 11.25, 9, left[4:6]),
        (235, 760 - 4 * 11.25, 9, [parted[3]]),
        (50, 754 - 6 * 11.25, 9, left[6:]),
        (325, 760, 9, right[:4]),
        (315, 760 - 4 * 11.25, 9, right[4:5]),
        (325, 760 - 5 * 11.25, 9, right[5:]),
    )
    left[4] += " " + parted[3]
    assert words_of(source, tmp_path) == in_order(left, right)
