"""Taking the text out of a page's instructions: all of it, or what is invisible."""

from __future__ import annotations

import pikepdf
from pikepdf import Name

_SHOWS = frozenset({"Tj", "TJ", "'", '"'})
_INVISIBLE = 3
"""The text rendering mode that neither fills nor strokes (ISO 32000-1, table 106)."""


def without_invisible_text(pdf: pikepdf.Pdf, sheet: pikepdf.Page) -> None:
    """Take the invisible text from a page's own instructions, and leave all that is seen as it is."""
    kept: list[pikepdf.ContentStreamInstruction | pikepdf.ContentStreamInlineImage] = []
    saved: list[int] = []
    mode = dropped = 0
    for each in pikepdf.parse_content_stream(sheet):
        operands, name = each.operands, str(each.operator)
        if name == "q":
            saved.append(mode)
        elif name == "Q" and saved:
            mode = saved.pop()
        elif name == "Tr" and operands:
            mode = int(float(str(operands[0])))
        elif name in _SHOWS and mode == _INVISIBLE:
            dropped += 1
            continue
        kept.append(each)
    if dropped:
        sheet.obj[Name.Contents] = pdf.make_stream(pikepdf.unparse_content_stream(kept))


def without_anything(pdf: pikepdf.Pdf, sheet: pikepdf.Page) -> None:
    """Leave a page without instructions."""
    sheet.obj[Name.Contents] = pdf.make_stream(b"")
