"""Tables in scans and pictures: their columns are kept, with lines around the cells and without."""

from __future__ import annotations

import csv
import io
import time
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from engine.families.ocr.options import LANGUAGES
from engine.families.ocr.page import Line, Page, Paragraph, Word
from engine.families.ocr.rules import rules_of
from engine.families.ocr.tables import Table, parts
from engine.families.registry import CONVERTERS
from engine.toolkit import own_fonts
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

read = pytest.mark.skipif("eng" not in LANGUAGES, reason="no model")
_ROWS = [
    ("Item", "Quantity", "Unit price", "Total"),
    ("Blue paint, 5 litres", "12", "18.50", "222.00"),
    ("Brush", "40", "2.25", "90.00"),
    ("Ladder, aluminium, three parts", "3", "149.00", "447.00"),
    ("Tape", "100", "1.10", "110.00"),
]
_FONT = ImageFont.truetype(str(own_fonts.FONTS / "liberation" / "LiberationSans-Regular.ttf"), 24)
_WIDE, _NARROW = (120, 560, 760, 960, 1160), (120, 474, 588, 716, 806)


def _drawn(xs: tuple[int, ...], *, ruled: bool, tilt: float = 0.0) -> Image.Image:
    image = Image.new("L", (1240, 900), 255)
    pen = ImageDraw.Draw(image)
    pen.text((120, 60), "The goods below were handed over at the gate.", 0, _FONT)
    for row, texts in enumerate(_ROWS):
        for x, text in zip(xs, texts, strict=False):
            pen.text((x + 8, 150 + 50 * row), text, 0, _FONT)
    if ruled:
        for row in range(len(_ROWS) + 1):
            pen.line((xs[0], 138 + 50 * row, xs[-1], 138 + 50 * row), 0, 2)
        for x in xs:
            pen.line((x, 138, x, 138 + 50 * len(_ROWS)), 0, 2)
    pen.text((120, 520), "Both parties keep a copy of this note.", 0, _FONT)
    return image.rotate(tilt, fillcolor=255, resample=Image.Resampling.BICUBIC)


def _converted(slug: str, image: Image.Image, folder: Path) -> str:
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    image.save(source, resolution=150)
    converter.run(source, target, build(converter.options, {}), Warn())
    return target.read_text("utf-8")


def _rows(markdown: str) -> list[tuple[str, ...]]:
    lines = [line for line in markdown.splitlines() if line.startswith("|") and not line.startswith("| ---")]
    return [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines]


@read
@pytest.mark.parametrize("slug", ["png-to-markdown", "pdf-to-markdown"])
@pytest.mark.parametrize(
    ("xs", "ruled", "tilt"), [(_WIDE, True, 0.0), (_WIDE, False, 0.0), (_NARROW, True, 0.0), (_WIDE, True, 1.5)]
)
def test_a_table_in_a_scan_keeps_its_columns(
    slug: str, xs: tuple[int, ...], ruled: bool, tilt: float, tmp_path: Path
) -> None:
    text = _converted(slug, _drawn(xs, ruled=ruled, tilt=tilt), tmp_path)
    found = _rows(text)
    assert [len(row) for row in found] == [4] * len(_ROWS)
    pairs = [pair for read_, row in zip(found, _ROWS, strict=True) for pair in zip(read_, row, strict=True)]
    assert sum(one != other for one, other in pairs) <= 1, found  # a digit may be misread
    assert text.startswith("The goods below")
    assert text.rstrip().endswith("copy of this note.")


@read
def test_a_scanned_table_with_narrow_cells_becomes_rows(tmp_path: Path) -> None:
    rows = list(csv.reader(io.StringIO(_converted("pdf-to-csv", _drawn(_NARROW, ruled=True), tmp_path))))
    assert [len(row) for row in rows] == [4] * 5
    assert rows[3] == ["Ladder, aluminium, three parts", "3", "149.0", "447.0"]


@read
def test_columns_of_a_table_stand_below_each_other_in_text(tmp_path: Path) -> None:
    text = _converted("png-to-txt", _drawn(_WIDE, ruled=True), tmp_path)
    lines = [line for line in text.splitlines() if line.split() and line.split()[-1] in {row[-1] for row in _ROWS}]
    starts = [line.rindex(row[-1]) for line, row in zip(lines, _ROWS, strict=True)]
    assert len(set(starts)) == 1


def _words(*rows: tuple[tuple[float, str], ...]) -> Page:
    """A page on which each row is one line of text."""
    lines = []
    for at, row in enumerate(rows):
        words, y = [], 40.0 * at
        for x, text in row:
            for each in text.split():
                right = x + 12 * len(each)
                words.append(Word(each, 99.0, (x, y, right, y + 20), (x, y + 18, right, y + 18)))
                x = right + 8
        lines.append(Line(tuple(words), 22.0))
    return Page((Paragraph(tuple(lines)),), (1000, 1000))


def test_two_columns_of_text_are_no_table() -> None:
    text = ((0.0, "and so the text goes on and on"), (500.0, "while another text stands beside it"))
    page = _words(*[text] * 6)
    assert parts(page) == list(page.paragraphs)


def test_text_around_a_table_stays_in_its_order() -> None:
    row = ((0.0, "Name"), (300.0, "12"), (500.0, "13"))
    page = _words(((0.0, "Above it"),), *[row] * 3, ((0.0, "Below it"),))
    above, table, below = parts(page)
    assert isinstance(above, Paragraph)
    assert isinstance(below, Paragraph)
    assert [each.text for part in (above, below) for each in part.lines] == ["Above it", "Below it"]
    assert table == Table((("Name", "12", "13"),) * 3)


def test_a_picture_without_crossing_lines_has_no_rules() -> None:
    image = Image.new("L", (1200, 800), 255)
    pen = ImageDraw.Draw(image)
    pen.text((100, 100), "A heading that is underlined", 0, _FONT)
    pen.line((100, 140, 700, 140), 0, 3)
    pen.rectangle((100, 300, 700, 600), outline=0, width=3)
    assert rules_of(image) == ()


@pytest.mark.parametrize("step", [4, 17])
def test_a_picture_full_of_lines_is_searched_quickly(step: int) -> None:
    image = Image.new("L", (2400, 2400), 255)
    pen = ImageDraw.Draw(image)
    for at in range(0, 2400, step):
        pen.line((0, at, 2400, at), 0, 1)
        pen.line((at, 0, at, 2400), 0, 1)
    begun = time.process_time()
    rules_of(image)
    assert time.process_time() - begun < 3
