"""Files that hold one thing of each kind that is counted."""

from __future__ import annotations

import io
from collections.abc import Callable

from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.drawing.image import Image as Picture
from PIL.PngImagePlugin import PngInfo

from tests.engine import test_picture_census as pictures

PNG = pictures.saved(pictures.picture(), "PNG")


def photo() -> bytes:
    """A photo with all metadata that is counted, IPTC among it in a Photoshop block, and a map of gains."""
    made = pictures.photo(xmp=b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>")
    title = b"Photoshop 3.0\x008BIM\x04\x04\0\0" + (10).to_bytes(4, "big") + b"\x1c\x02\x05\0\x05Title"
    segments = ((0xED, title), (0xE2, b"urn:iso:std:iso:ts:21496:-1\0\0\0\0\0"), (0xE7, b"Own camera\0of this maker"))
    return made[:2] + b"".join(segment(marker, body) for marker, body in segments) + made[2:]


def segment(marker: int, body: bytes) -> bytes:
    """A segment of a JPEG."""
    return bytes((0xFF, marker)) + (len(body) + 2).to_bytes(2, "big") + body


def drawing() -> bytes:
    """A PNG with transparency, metadata and a note."""
    note = PngInfo()
    note.add_text("Comment", "a remark")
    return pictures.saved(
        pictures.picture("RGBA"),
        "PNG",
        dpi=(300, 300),
        exif=pictures.exif(),
        icc_profile=pictures.profile(),
        pnginfo=note,
    )


PICTURES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "photo": ("jpg", photo),
    "drawing": ("png", drawing),
    "deep": ("png", pictures.deep),
    "film": ("gif", pictures.film),
    "pages": ("tiff", pictures.pages),
}
"""Pictures that together hold each kind that is counted in pictures, by name, with their formats."""


def workbook() -> bytes:
    """A workbook with a formula, a comment, a link, a picture, a chart and a second sheet."""
    book, out = Workbook(), io.BytesIO()
    sheet = book.active
    for row in (["name", "paid"], ["Ada", 3], ["Bea", 4]):
        sheet.append(row)
    sheet["C1"], sheet["C2"] = "twice", "=B2*2"
    sheet["A2"].comment = Comment("Who is that?", "Eve")
    sheet["A3"].hyperlink = "https://example.org/a"
    sheet.add_image(Picture(io.BytesIO(PNG)), "E2")
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    sheet.add_chart(chart, "E9")
    book.create_sheet("Second").append(["more", "words"])
    book.save(out)
    return out.getvalue()
