"""Count the options of the choice fields of a PDF, and how deep fields are: both are read again and again."""

from __future__ import annotations

import pikepdf
from pikepdf import Name

from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

MOST = 1_000_000
"""PDFium reads them whenever it draws a page: 1,500 fields that share a list of 5,000, in 45 KB, took it more than 8
seconds; a form with 100 lists of all countries has 25,000."""
DEEPEST = 500
"""The most fields around a field: its name has the names of all of them, so the time is their square, 3 s for 1,600."""


def check(pdf: pikepdf.Pdf) -> None:
    """Raise OverLimit for fields too deep, or with too many options, each counted again where fields share a list."""
    form = pdf.Root.get(Name.AcroForm)
    fields = form.get(Name.Fields) if isinstance(form, pikepdf.Dictionary) else None
    ahead = [(each, 0, 0) for each in fields] if isinstance(fields, pikepdf.Array) else []
    seen: set[tuple[int, int]] = set()
    count = 0
    while ahead:
        field, inherited, depth = ahead.pop()
        if not isinstance(field, pikepdf.Dictionary) or (field.is_indirect and field.objgen in seen):
            continue
        seen.add(field.objgen)
        if depth > DEEPEST:
            raise OverLimit("limit", say("The form fields of the PDF are more than {most} deep.", most=DEEPEST))
        options, kids = field.get(Name.Opt), field.get(Name.Kids)
        own = len(options) if isinstance(options, pikepdf.Array) else inherited
        count += own
        if count > MOST:
            raise OverLimit(
                "timeout", say("The form fields of the PDF have more than {most} options in all.", most=MOST)
            )
        if isinstance(kids, pikepdf.Array):
            ahead += [(each, own, depth + 1) for each in kids]
