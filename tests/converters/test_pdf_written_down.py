"""Vertical writing: columns that run down, the next to the left, are read as the lines that they are."""

from __future__ import annotations

import io
import itertools
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from tests.converters.test_pdfs import convert

COLUMNS = ("昨日は朝から雨が降りつづいていた。", "町の人々は傘をさして歩いていた。", "夕方になってようやく止んだ。")
SIZE, LEADING = 12, 20


def canvas_of(file: io.BytesIO, *, vertical: bool) -> Canvas:
    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3", isVertical=vertical))
    canvas = Canvas(file, pagesize=(420, 595), invariant=True)
    canvas.setFont("HeiseiMin-W3", SIZE)
    return canvas


def letter_by_letter(*bands: tuple[float, tuple[str, ...]], head: str = "") -> bytes:
    """Columns from a height of the page down, each letter of which is put there by itself, as many programs do."""
    file = io.BytesIO()
    canvas = canvas_of(file, vertical=False)
    if head:
        canvas.drawString(60, 560, head)
    for top, columns in bands:
        for number, column in enumerate(columns):
            for at, letter in enumerate(column):
                canvas.drawString(380 - LEADING * number, top - SIZE * at, letter)
    canvas.save()
    return file.getvalue()


def read(folder: Path, source: bytes) -> str:
    return convert(folder, "pdf-to-markdown", source)[0].decode()


def in_order(text: str, parts: tuple[str, ...]) -> bool:
    places = [text.find(part) for part in parts]
    return min(places) >= 0 and all(one < other for one, other in itertools.pairwise(places))


def test_columns_of_a_vertical_font_are_lines(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = canvas_of(file, vertical=True)
    for number, column in enumerate(COLUMNS):
        canvas.drawString(380 - LEADING * number, 540, column)
    canvas.save()
    assert "".join(COLUMNS) in read(tmp_path, file.getvalue())


def test_columns_of_letters_that_are_placed_one_by_one_are_lines(tmp_path: Path) -> None:
    assert "".join(COLUMNS) in read(tmp_path, letter_by_letter((540, COLUMNS)))


def test_bands_below_each_other_are_read_one_after_the_other_and_are_no_table(tmp_path: Path) -> None:
    upper = tuple(f"{number}日目は朝から雨が降りつづいていた。" for number in "一二三四五六七八")
    lower = tuple(f"山の上の{number}番の寺へ行く道は細く険しい。" for number in "一二三四五六七八")
    text = read(tmp_path, letter_by_letter((540, upper), (270, lower)))
    assert "|" not in text
    assert in_order(text, (*upper, *lower))


def test_a_head_that_runs_across_stays_a_line_beside_them(tmp_path: Path) -> None:
    text = read(tmp_path, letter_by_letter((520, COLUMNS), head="官報第百号"))
    assert "".join(COLUMNS) in text
    assert "官報第百号" in text


def test_a_number_beside_itself_in_a_column_stays_at_its_place(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = canvas_of(file, vertical=False)
    for at, letters in enumerate(("平", "成", "20", "年", "四", "月", "二", "日")):
        canvas.setFont("HeiseiMin-W3" if letters != "20" else "Helvetica", SIZE if letters != "20" else 9)
        canvas.drawString(380, 540 - SIZE * at, letters)
    canvas.save()
    assert "平成20年四月二日" in read(tmp_path, file.getvalue())


def test_lines_across_and_cells_of_one_letter_are_left_as_they_are(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = canvas_of(file, vertical=False)
    for number, line in enumerate(COLUMNS):
        canvas.drawString(60, 540 - 16 * number, line)
    for number, (name, kind) in enumerate((("田中", "男"), ("鈴木", "女"), ("佐藤", "男"), ("高橋", "女"))):
        canvas.drawString(60, 400 - 16 * number, name)
        canvas.drawString(140, 400 - 16 * number, kind)
    canvas.save()
    text = read(tmp_path, file.getvalue())
    assert "".join(COLUMNS) in text
    assert in_order(text, ("田中", "男", "鈴木", "女", "佐藤", "高橋"))


def test_plain_text_has_a_line_for_each_column(tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-txt", letter_by_letter((540, COLUMNS)))
    assert text.decode().splitlines() == [*COLUMNS]
