"""Remove text from a page's content stream: all or only invisible text."""

from __future__ import annotations

import pikepdf
from pikepdf import Name

_SHOWS = frozenset({"Tj", "TJ", "'", '"'})
_INVISIBLE = 3
"""The text rendering mode that neither fills nor strokes (ISO 32000-1, table 106)."""


def without_invisible_text(pdf: pikepdf.Pdf, sheet: pikepdf.Page) -> None:
    """Remove the invisible text from a page's content stream, and leave visible content unchanged."""
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


def clear(pdf: pikepdf.Pdf, sheet: pikepdf.Page) -> None:
    """Empty a page's content stream."""
    sheet.obj[Name.Contents] = pdf.make_stream(b"")
