"""pdf-to-docx in the exact layout: fills and lines stand where the page has them."""

from __future__ import annotations

import io
from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from tests.converters.test_pdfs import convert
from tests.families.pdf.writers.vectors import docx

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
EMU = 12_700


def page() -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 200), invariant=True)
    canvas.setFillColor(HexColor("#CC3319"))
    canvas.rect(20, 150, 260, 30, stroke=0, fill=1)
    canvas.setFillColor(HexColor("#FFFFFF"))
    canvas.drawString(30, 160, "White on red")
    canvas.setStrokeColor(HexColor("#0000FF"))
    canvas.setLineWidth(2)
    canvas.line(20, 100, 280, 100)
    canvas.scale(2, 2)
    canvas.rect(10, 10, 50, 20, stroke=1, fill=0)
    canvas.save()
    return file.getvalue()


def rectangles(data: bytes) -> list[tuple[str, tuple[int, ...]]]:
    """The colour of each rectangle, and its left, top, width and height in points."""
    found = []
    for anchor in docx(data).iter(f"{WP}anchor"):
        x, y = (int(each.text or "") / EMU for each in anchor.iter(f"{WP}posOffset"))
        extent = next(anchor.iter(f"{WP}extent")).attrib
        colour = next(anchor.iter(f"{A}srgbClr")).attrib["val"]
        found.append((colour, tuple(map(round, (x, y, int(extent["cx"]) / EMU, int(extent["cy"]) / EMU)))))
    return found


def test_fills_and_lines_keep_their_colours_and_places(tmp_path: Path) -> None:
    data, codes = convert(tmp_path, "pdf-to-docx", page(), layout="exact")
    assert rectangles(data) == [
        ("CC3319", (20, 20, 260, 30)),
        ("0000FF", (19, 99, 262, 2)),
        ("0000FF", (18, 178, 104, 4)),
        ("0000FF", (118, 138, 4, 44)),
        ("0000FF", (18, 138, 104, 4)),
        ("0000FF", (18, 138, 4, 44)),
    ]
    assert codes == []
