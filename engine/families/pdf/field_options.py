"""Count the options of the choice fields of a PDF, which PDFium reads whenever it draws a page."""

from __future__ import annotations

import pikepdf
from pikepdf import Name

from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

MOST = 1_000_000
"""1,500 fields that share a list of 5,000, in 45 KB, took PDFium more than 8 seconds; a form with 100 lists of all
countries has 25,000."""


def check(pdf: pikepdf.Pdf) -> None:
    """Raise OverLimit if the fields have too many options, each counted again where fields share a list."""
    form = pdf.Root.get(Name.AcroForm)
    fields = form.get(Name.Fields) if isinstance(form, pikepdf.Dictionary) else None
    ahead = [(each, 0) for each in fields] if isinstance(fields, pikepdf.Array) else []
    seen: set[tuple[int, int]] = set()
    count = 0
    while ahead:
        field, inherited = ahead.pop()
        if not isinstance(field, pikepdf.Dictionary) or (field.is_indirect and field.objgen in seen):
            continue
        seen.add(field.objgen)
        options, kids = field.get(Name.Opt), field.get(Name.Kids)
        own = len(options) if isinstance(options, pikepdf.Array) else inherited
        count += own
        if count > MOST:
            raise OverLimit(
                "timeout", say("The form fields of the PDF have more than {most} options in all.", most=MOST)
            )
        if isinstance(kids, pikepdf.Array):
            ahead += [(each, own) for each in kids]
