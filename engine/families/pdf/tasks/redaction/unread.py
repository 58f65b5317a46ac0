"""Report pictures on redacted pages, whose words are not searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pypdfium2
import pypdfium2.raw as raw

from engine.families.pdf.tasks.redaction.alike import for_all
from engine.families.pdf.tasks.redaction.finding import pages
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_LEAST = 6.0
"""Height in points below which no text in a picture is legible; small print has letters of 4 points in lines of 6."""
_DEEPEST = 15
"""The nesting of forms that PDFium still draws."""


def report(source: Path, password: str | None, groups: Mapping[int, Sequence[int]], warn: Warn) -> None:
    """Warn of the pages that have pictures, by the first of those alike, and count the pictures. Raises Unreadable."""
    pictures = {number: _pictures(page) for number, page in pages(source, password, groups)}
    counted = sorted(for_all(pictures, groups).items())
    named = ", ".join(f"page {number + 1} ({count:,})" for number, count in counted if count)
    if named:
        warn(
            "TEXT_UNREADABLE",
            say(
                "Words in pictures are not searched. Check {named} before you share the file, or use "
                "ocr=force to recognise them.",
                named=named,
            ),
        )


def _pictures(page: pypdfium2.PdfPage) -> int:
    boxes = (each.get_bounds() for each in page.get_objects([raw.FPDF_PAGEOBJ_IMAGE], max_depth=_DEEPEST))
    return sum(right - left >= _LEAST and top - bottom >= _LEAST for left, bottom, right, top in boxes)
