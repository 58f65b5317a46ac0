"""Count the pictures and drawings of a page of which only the text is read, and report what is left out."""

from __future__ import annotations

from collections.abc import Sequence

import pypdfium2
import pypdfium2.raw as raw

from engine.families.pdf.page.drawing import drawn_on
from engine.families.pdf.page.illustrations import counted
from engine.families.pdf.page.unmapped import page_numbers
from engine.families.pdf.page.view import Box, view_of
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn


def pictures_and_drawings(page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage) -> tuple[int, int]:
    """The number of pictures that a page shows, and of its drawings beside them."""
    view = view_of(page)

    def characters_in(box: Box) -> int:
        left, bottom, right, top = view.rectangle_of(box)
        return int(raw.FPDFText_GetBoundedText(text_page.raw, left, top, right, bottom, None, 0))

    return counted(drawn_on(page, view), view, characters_in)


def report_left_out(pictures: int, drawings: Sequence[int], warn: Warn) -> None:
    """Report the number of pictures that are left out, and the pages, from 0, whose drawings are."""
    if drawings:
        warn("CONTENT_DROPPED", say("Vector drawings were left out on page {shapes}.", shapes=page_numbers(drawings)))
    if pictures:
        warn(
            "CONTENT_DROPPED",
            say("1 picture was left out.")
            if pictures == 1
            else say("{pictures} pictures were left out.", pictures=pictures),
        )
