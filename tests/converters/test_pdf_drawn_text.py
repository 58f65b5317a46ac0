"""Texts of several scripts laid over pages: in the order in which they are read, and as large as is asked for."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops
from reportlab.pdfgen.canvas import Canvas

from engine.families.pdf.directions import levels_of, visual_order
from tests.converters.test_pdfs import convert


def seen(text: str) -> str:
    """The letters of a line from left to right."""
    return "".join(visual_order(list(text), levels_of(text)))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("abc 123", "abc 123"),
        ("abc \u05d0\u05d1\u05d2 def", "abc \u05d2\u05d1\u05d0 def"),
        ("abc \u05d0\u05d1 \U0001f600 \u05d2\u05d3 2024", "abc 2024 \u05d3\u05d2 \U0001f600 \u05d1\u05d0"),
        ("\u05d0\u05d1 \u4e2d\u6587 abc", "\u4e2d\u6587 abc \u05d1\u05d0"),
        ("\u05d0\u05d1 12.5% xy", "xy 12.5% \u05d1\u05d0"),
        ("\u0627\u0628 12.5 xy", "xy 12.5 \u0628\u0627"),
        ("\u05d0-12", "12-\u05d0"),
        ("a 12,5", "a 12,5"),
        ("12 \u05d0", "\u05d0 12"),
        ("", ""),
    ],
)
def test_a_line_is_ordered_as_unicode_has_it(text: str, shown: str) -> None:
    assert seen(text) == shown


def sheet(folder: Path, **values: object) -> pypdfium2.PdfDocument:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 100), invariant=True)
    canvas.showPage()
    canvas.showPage()
    canvas.save()
    result, codes = convert(folder, "pdf-to-pdf", file.getvalue(), **values)
    assert codes == []
    return pypdfium2.PdfDocument(result)


def ink(document: pypdfium2.PdfDocument, part: tuple[int, int] = (0, 400)) -> tuple[int, int, int, int]:
    """The box around what is dark on the first page between two of its columns, in points."""
    picture = document[0].render(scale=1, grayscale=True).to_pil().crop((part[0], 0, part[1], 100))
    box: tuple[int, int, int, int] | None = picture.point([255] * 128 + [0] * 128).getbbox()
    assert box is not None
    return box


def test_letters_are_as_large_beside_others_as_alone(tmp_path: Path) -> None:
    options = {"operation": "stamp", "textSize": 40, "position": "topLeft"}
    alone = ink(sheet(tmp_path, text="\u6f22", **options))
    beside = ink(sheet(tmp_path, text="\u6f22 g\u0627", **options), (0, alone[2] + 1))
    assert max(abs(one - other) for one, other in zip(alone, beside, strict=True)) <= 1
    assert 30 <= alone[3] - alone[1] <= 42


def test_parts_in_several_fonts_run_from_the_right_together(tmp_path: Path) -> None:
    options = {"operation": "stamp", "textSize": 30, "position": "topLeft", "colour": "#000000"}
    # A wide letter first and a narrow one last: what is read first is at the right.
    shown = sheet(tmp_path, text="\u05e9\u05e9\u05e9 \U0001f600 \u05d5", **options)
    whole = ink(shown)
    picture = shown[0].render(scale=1, grayscale=True).to_pil()
    dark = [
        picture.crop((at, 0, at + 1, 100)).point([255] * 128 + [0] * 128).getbbox() is not None
        for at in range(whole[0], whole[2])
    ]
    first, last = dark.index(False), len(dark) - dark[::-1].index(False)
    assert first < 12 < len(dark) - last


@pytest.mark.parametrize(("start", "numbers"), [(0, ["0", "1"]), (None, ["1", "2"]), (7, ["7", "8"])])
def test_pages_are_numbered_from_the_number_that_is_given(
    tmp_path: Path, start: int | None, numbers: list[str]
) -> None:
    found = sheet(tmp_path, operation="number", **({} if start is None else {"startAt": start}))
    assert [page.get_textpage().get_text_bounded() for page in found] == numbers


def test_a_page_is_drawn_as_pdfium_draws_it(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 120), invariant=True)
    for at, (font, space, stretch) in enumerate(
        (("Helvetica", 0, 100), ("Times-Roman", 1.5, 80), ("Courier", -1, 130))
    ):
        text = canvas.beginText(10, 90 - 30 * at)
        text.setFont(font, 14)
        text.setCharSpace(space)
        text.setHorizScale(stretch)
        text.textLine("Letters apart, AVATAR")
        canvas.drawText(text)
    canvas.showPage()
    canvas.save()
    data, codes = convert(tmp_path, "pdf-to-png", file.getvalue(), dpi=144)
    theirs = pypdfium2.PdfDocument(file.getvalue())[0].render(scale=2).to_pil()
    with Image.open(io.BytesIO(data)) as ours:
        assert codes == []
        assert ImageChops.difference(ours.convert("RGB"), theirs.convert("RGB")).getbbox() is None
