"""Files that hold one thing of each kind that is counted."""

from __future__ import annotations

import io
from collections.abc import Callable

from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.drawing.image import Image as Picture
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
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


def formatted_workbook() -> bytes:
    """A workbook with one of each look and rule that is counted, but for a pivot table."""
    book, out = Workbook(), io.BytesIO()
    sheet = book.active
    sheet.title = "Paid"
    for row in (["name", "paid", "share", "note"], ["Ada", 3, 0.5, "x"], ["Bea", 4, 0.25], ["Cy", 5, 0.25]):
        sheet.append(row)
    sheet["A1"].font = Font(bold=True, color="FFFF0000", size=14)
    sheet["A2"].fill = PatternFill("solid", fgColor="FFFFFF00")
    sheet["A3"].border = Border(top=Side("thin"))
    sheet["B2"].alignment = Alignment(horizontal="center", wrap_text=True)
    sheet["C2"].number_format = "0.00%"
    above = CellIsRule(operator="greaterThan", formula=["3"], fill=PatternFill("solid", bgColor="FFFF0000"))
    sheet.conditional_formatting.add("B2:B4", above)
    names = DataValidation(type="list", formula1='"Ada,Bea"')
    names.add("A2:A9")
    sheet.add_data_validation(names)
    sheet.auto_filter.ref = "A1:C4"
    sheet.freeze_panes = "A2"
    sheet.column_dimensions["A"].width = 30
    sheet.row_dimensions[3].hidden = True
    sheet.merge_cells("D2:D3")
    sheet.oddHeader.center.text = "Confidential"
    sheet.page_setup.orientation = "landscape"
    sheet.protection.sheet = True
    book.defined_names["shares"] = DefinedName("shares", attr_text="Paid!$C$2:$C$4")
    book.save(out)
    return out.getvalue()
