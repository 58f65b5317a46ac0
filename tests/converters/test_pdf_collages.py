"""Pictures of PDFs that are made of many, as tiles, strips and layers are: what is seen as one is one."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.converters.test_pdfs import convert
from tests.families.images.looks import look, members, near

WHOLE = Image.new("RGB", (120, 120))
WHOLE.putdata([(2 * x, 2 * y, 90) for y in range(120) for x in range(120)])
BLACK = Image.new("RGB", (8, 8), "black")


class Sheet:
    """A page of 400 points a side, with pictures on it."""

    def __init__(self) -> None:
        self._file = io.BytesIO()
        self.canvas = Canvas(self._file, pagesize=(400, 400), invariant=True)

    def put(self, picture: Image.Image, x: float, y: float, width: float, height: float) -> None:
        self.canvas.drawImage(ImageReader(picture), x, y, width, height)

    def tiles(self, across: int, down: int, *, side: float = 120.0) -> None:
        """One picture at (100, 200), from left to right and from the top down, in parts."""
        wide, high = 120 // across, 120 // down
        for row in range(down):
            for column in range(across):
                part = WHOLE.crop((column * wide, row * high, (column + 1) * wide, (row + 1) * high))
                x, y = 100 + column * side / across, 200 + side - (row + 1) * side / down
                self.put(part, x, y, side / across, side / down)

    @property
    def data(self) -> bytes:
        self.canvas.save()
        return self._file.getvalue()


def pictures(folder: Path, data: bytes, slug: str = "pdf-to-docx") -> Iterator[tuple[str, bytes]]:
    options = {} if slug == "pdf-to-docx" else {"images": "zip"}
    found, warnings = convert(folder, slug, data, ocr="off", **options)
    assert warnings in ([], ["NO_TEXT"])
    return ((name, each) for name, each in members(found).items() if "picture-" in name)


def is_whole(data: bytes, format: str) -> bool:
    seen = look(data, format)
    spots = [(0.1, 0.1), (0.9, 0.1), (0.5, 0.5), (0.1, 0.9), (0.9, 0.9)]
    return abs(seen.width - seen.height) <= 4 and all(
        near(seen.at(int(x * seen.width), int(y * seen.height)), (round(240 * x), round(240 * y), 90), 12)
        for x, y in spots
    )


@pytest.mark.parametrize("slug", ["pdf-to-docx", "pdf-to-markdown", "pdf-to-html"])
@pytest.mark.parametrize(("across", "down"), [(1, 12), (4, 1), (4, 3), (1, 40)])
def test_a_tiled_image_is_one_image(slug: str, across: int, down: int, tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.tiles(across, down)
    ((_, data),) = pictures(tmp_path, sheet.data, slug)
    assert is_whole(data, "png")


@pytest.mark.parametrize(("across", "down"), [(1, 1), (4, 3)])
@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_picture_is_upright_on_a_turned_page(turn: int, across: int, down: int, tmp_path: Path) -> None:
    sheet = Sheet()
    # Turned against the page, so that it is seen upright.
    sheet.canvas.translate(160, 260)
    sheet.canvas.rotate(turn)
    sheet.canvas.translate(-160, -260)
    sheet.tiles(across, down)
    file = io.BytesIO()
    with pikepdf.open(io.BytesIO(sheet.data)) as pdf:
        pdf.pages[0].rotate(turn, relative=False)
        pdf.save(file)
    ((_, data),) = pictures(tmp_path, file.getvalue())
    assert is_whole(data, "png")


def test_a_picture_that_a_form_mirrors_is_as_the_page_shows_it(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.canvas.beginForm("mirrored")
    sheet.canvas.transform(1, 0, 0, -1, 0, 400)
    sheet.tiles(1, 1)
    sheet.canvas.endForm()
    sheet.canvas.doForm("mirrored")
    file = io.BytesIO()
    with pikepdf.open(io.BytesIO(sheet.data)) as pdf:
        for form in (
            each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"
        ):
            form["/Matrix"] = pikepdf.Array([1, 0, 0, -1, 0, 400])
        pdf.save(file)
    ((_, data),) = pictures(tmp_path, file.getvalue())
    assert is_whole(data, "png")


def test_signs_on_a_picture_are_of_it(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.tiles(1, 1)
    for x in (110, 150, 190):
        sheet.put(BLACK, x, 210, 12, 12)
    ((_, data),) = pictures(tmp_path, sheet.data)
    seen = look(data, "png")
    assert near(seen.at(seen.width * 16 // 120, seen.height * 104 // 120), (0, 0, 0), 12)
    assert near(seen.at(seen.width // 2, seen.height // 2), (120, 120, 90), 12)


def test_pictures_apart_are_pictures_of_their_own(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.tiles(1, 1)
    sheet.put(BLACK, 230, 200, 50, 50)
    assert len(list(pictures(tmp_path, sheet.data))) == 2


def test_lines_drawn_on_a_picture_are_of_it(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.tiles(1, 1)
    sheet.canvas.setFillColorRGB(1, 0, 0)
    sheet.canvas.circle(160, 260, 20, stroke=0, fill=1)
    ((_, data),) = pictures(tmp_path, sheet.data)
    seen = look(data, "png")
    assert near(seen.at(seen.width // 2, seen.height // 2), (255, 0, 0), 12)
    assert near(seen.at(seen.width // 10, seen.height // 10), (24, 24, 90), 12)


@pytest.mark.parametrize("slug", ["pdf-to-docx", "pdf-to-markdown"])
def test_words_on_a_picture_in_parts_are_written_once(slug: str, tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.tiles(4, 3)
    sheet.canvas.setFont("Helvetica-Bold", 40)
    sheet.canvas.drawString(110, 240, "Words")
    source = sheet.data
    found, _ = convert(tmp_path, slug, source, ocr="off", images="embed")
    ((_, data),) = pictures(tmp_path, source, slug)
    assert is_whole(data, "png")
    text = members(found)["word/document.xml"] if slug == "pdf-to-docx" else found
    assert text.count(b"Words") == 1


@pytest.mark.parametrize("hidden", [True, False])
def test_a_tiled_scan_behind_its_text_is_reported_and_other_tiles_stay(hidden: bool, tmp_path: Path) -> None:
    sheet = Sheet()
    for row in range(10):
        sheet.put(WHOLE.resize((row + 8, 8)), 0, 40 * row, 400, 40)
    text = sheet.canvas.beginText(20, 380)
    text.setTextRenderMode(3 if hidden else 0)
    text.textLines(["A line of a text that is on a coloured paper"] * 30)
    sheet.canvas.drawText(text)
    found, warnings = convert(tmp_path, "pdf-to-docx", sheet.data, ocr="off")
    assert warnings == (["CONTENT_DROPPED"] if hidden else [])
    assert len([name for name in members(found) if "picture-" in name]) == (0 if hidden else 10)
