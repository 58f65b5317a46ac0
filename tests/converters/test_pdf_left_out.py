"""Pictures and drawings of a PDF are named by number where only its text or its tables are taken."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from engine.conversion import convert
from engine.families.ocr import options as installed

_TEXT = "Some words of the page, which is long enough to be no scan. " * 2


def _picture(colour: str) -> ImageReader:
    return ImageReader(Image.new("RGB", (60, 40), colour))


def _page(canvas: Canvas) -> None:
    for line in range(4):
        canvas.drawString(40, 760 - 14 * line, _TEXT[:90])
    for row in range(4):
        for column in range(3):
            canvas.rect(40 + 90 * column, 600 - 20 * row, 90, 20)
            canvas.drawString(44 + 90 * column, 605 - 20 * row, f"cell {row} {column}")


def _pages(draw: object, *, turn: int = 0) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    _page(canvas)
    draw(canvas)  # type: ignore[operator]
    canvas.showPage()
    canvas.save()
    if turn:
        with pikepdf.open(file) as pdf:
            pdf.pages[0].rotate(turn, relative=False)
            out = io.BytesIO()
            pdf.save(out)
            return out.getvalue()
    return file.getvalue()


def _told(folder: Path, data: bytes, extension: str) -> list[str]:
    source = folder / "input.pdf"
    source.write_bytes(data)
    result = convert(source, folder / f"output.{extension}", sandbox=False, ocr="off")
    return [str(each.message) for each in result.warnings if "left out" in str(each.message)]


def _two_pictures(canvas: Canvas) -> None:
    canvas.drawImage(_picture("red"), 100, 300, 120, 80)
    canvas.drawImage(_picture("blue"), 300, 300, 120, 80)
    canvas.drawImage(_picture("green"), 500, 300, 6, 4)  # a bullet


def _chart(canvas: Canvas) -> None:
    for each in range(5):
        canvas.wedge(200, 200, 360, 360, 72 * each, 72, stroke=1, fill=0)
    canvas.drawString(250, 280, "Shares")


@pytest.mark.parametrize("extension", ["txt", "csv", "json", "xlsx"])
def test_pictures_are_counted_where_only_text_is_taken(extension: str, tmp_path: Path) -> None:
    assert _told(tmp_path, _pages(_two_pictures), extension) == ["2 pictures were left out."]


@pytest.mark.parametrize("extension", ["txt", "csv"])
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_drawing_is_named_with_its_page(extension: str, turn: int, tmp_path: Path) -> None:
    assert _told(tmp_path, _pages(_chart, turn=turn), extension) == ["Vector drawings were left out on page 1."]


@pytest.mark.parametrize("extension", ["txt", "csv"])
def test_rules_of_a_table_and_bullets_are_no_pictures(extension: str, tmp_path: Path) -> None:
    def bullets(canvas: Canvas) -> None:
        for each in range(6):
            canvas.circle(40, 300 + 14 * each, 2, fill=1)
            canvas.drawImage(_picture("green"), 60, 300 + 14 * each, 5, 5)

    assert _told(tmp_path, _pages(bullets), extension) == []


def test_a_frame_around_text_is_no_drawing(tmp_path: Path) -> None:
    def frame(canvas: Canvas) -> None:
        canvas.roundRect(30, 100, 535, 400, 12)
        for line in range(20):
            canvas.drawString(40, 480 - 14 * line, _TEXT[:90])

    assert _told(tmp_path, _pages(frame), "txt") == []


@pytest.mark.skipif(not installed.LANGUAGES, reason="needs a model of text recognition")
def test_what_stands_beside_recognised_text_is_named(tmp_path: Path) -> None:
    # Letters with a name and no character, as on pages whose text is recognised because nobody can read it.
    def draw(canvas: Canvas) -> None:
        canvas.drawImage(_picture("red"), 100, 420, 120, 80)
        for column in range(3):
            canvas.rect(60 + 150 * column, 200, 90, 60)
            canvas.line(150 + 150 * column, 230, 210 + 150 * column, 260)

    source = tmp_path / "input.pdf"
    source.write_bytes(_pages(draw))
    found = convert(source, tmp_path / "output.docx", sandbox=False, ocr="force")
    told = [str(each.message) for each in found.warnings if "left out" in str(each.message)]
    assert told == ["Vector drawings were left out on page 1.", "1 picture was left out."]


def _points(canvas: Canvas) -> None:
    canvas.setFillColorRGB(1, 1, 1)
    canvas.rect(0, 0, 595, 842, stroke=0, fill=1)
    canvas.setFillColorRGB(0, 0, 1)
    canvas.rect(100, 150, 300, 200)
    for point in range(8):
        canvas.circle(120 + 30 * point, 170 + 20 * point, 3, fill=1)


def test_the_points_of_a_chart_are_a_drawing(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    _points(canvas)
    canvas.setFillColorRGB(0, 0, 0)
    _page(canvas)
    canvas.save()
    assert _told(tmp_path, file.getvalue(), "txt") == ["Vector drawings were left out on page 1."]


def test_round_bullets_are_no_drawing(tmp_path: Path) -> None:
    def bullets(canvas: Canvas) -> None:
        for row in range(6):
            canvas.circle(50, 300 - 20 * row, 3, fill=1)
            canvas.drawString(60, 297 - 20 * row, "An item of a list of several words")

    assert _told(tmp_path, _pages(bullets), "txt") == []
