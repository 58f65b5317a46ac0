"""Compress a PDF: smaller pictures and fonts, no duplicates, compressed streams."""

from __future__ import annotations

from dataclasses import replace

import pikepdf
from pikepdf import Name

from engine.families.pdf import read
from engine.families.pdf.tasks import duplicates, private_data, smaller_pictures
from engine.families.pdf.tasks.best_encoding import Level
from engine.families.pdf.tasks.used_codes import SMALLEST
from engine.families.pdf.unchanged.replaced import Replaced
from engine.toolkit.failures import OverLimit
from engine.toolkit.warnings import Warn

LEVELS = {
    "screen": Level(dpi=150, fax_dpi=300, quality=60),
    "print": Level(dpi=300, fax_dpi=600, quality=80),
    "archive": Level(dpi=None, fax_dpi=None, quality=None),
}


def compress(pdf: pikepdf.Pdf, level: str, quality: int | None, replaced: Replaced, warn: Warn) -> bool:
    """Compress the document in place at this level, or with JPEG of this `quality`.

    `replaced` records the fonts and pictures that are replaced. Returns whether the other streams may be recompressed
    too: in a decompression bomb they would have to be unpacked.
    """
    chosen = LEVELS[level]
    if quality is not None:
        chosen = Level(chosen.dpi, chosen.fax_dpi, quality)
    safe = _can_be_followed(pdf)
    followed = not LEVELS[level].lossless and safe
    # Before re-encoding, which takes time for each picture, and again after it, as more streams may then be equal.
    duplicates.merge_duplicates(pdf)
    smaller_pictures.make_smaller(pdf, chosen if followed else replace(chosen, dpi=None, fax_dpi=None), replaced, warn)
    if not LEVELS[level].lossless:
        if followed and _has_fonts(pdf):
            from engine.families.pdf.tasks import smaller_fonts  # the import takes longer than a PDF with only scans

            smaller_fonts.make_smaller(pdf, replaced)
        private_data.drop(pdf, warn)
    duplicates.merge_duplicates(pdf)
    pdf.remove_unreferenced_resources()
    return safe


def _has_fonts(pdf: pikepdf.Pdf) -> bool:
    """Whether an embedded font is large enough to be worth subsetting."""
    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary) and not isinstance(each, pikepdf.Stream):
            for key in (Name.FontFile, Name.FontFile2, Name.FontFile3):
                program = each.get(key)
                if isinstance(program, pikepdf.Stream) and len(program.read_raw_bytes()) >= SMALLEST:
                    return True
    return False


def _can_be_followed(pdf: pikepdf.Pdf) -> bool:
    """Whether the pages have few enough instructions to trace the use of pictures and glyphs."""
    try:
        read.check_instructions(pdf, range(len(pdf.pages)))
    except OverLimit:
        return False
    return True
