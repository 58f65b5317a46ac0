"""Compressing a PDF: smaller pictures and fonts, nothing twice, and everything packed."""

from __future__ import annotations

from dataclasses import replace

import pikepdf
from pikepdf import Name

from conversions.families.pdf import read
from conversions.families.pdf.tasks import duplicates, smaller_fonts, smaller_pictures
from conversions.families.pdf.tasks.smaller_pictures import Level
from conversions.toolkit.failures import OverLimit
from conversions.toolkit.warnings import Warn

_PARTS = (Name.Image, Name.Form)

LEVELS = {
    "screen": Level(dpi=150, fax_dpi=300, quality=60),
    "print": Level(dpi=300, fax_dpi=600, quality=80),
    "archive": Level(dpi=None, fax_dpi=None, quality=None),
}


def compress(pdf: pikepdf.Pdf, level: str, quality: int | None, warn: Warn) -> None:
    """Change the document in place to what takes the fewest bytes at this level, or with JPEG of this `quality`."""
    chosen = LEVELS[level]
    if quality is not None:
        chosen = Level(chosen.dpi, chosen.fax_dpi, quality)
    followed = not LEVELS[level].lossless and _can_be_followed(pdf)
    smaller_pictures.make_smaller(pdf, chosen if followed else replace(chosen, dpi=None, fax_dpi=None), warn)
    if not LEVELS[level].lossless:
        if followed:
            smaller_fonts.make_smaller(pdf)
        _drop_private_data(pdf, warn)
    duplicates.drop(pdf)
    pdf.remove_unreferenced_resources()


def _can_be_followed(pdf: pikepdf.Pdf) -> bool:
    """Whether the pages have few enough instructions to find out where pictures and letters are used."""
    try:
        read.check_instructions(pdf, range(len(pdf.pages)))
    except OverLimit:
        return False
    return True


def _drop_private_data(pdf: pikepdf.Pdf, warn: Warn) -> None:
    """What programs keep in a file for themselves (ISO 32000-1, 14.5), small pictures of pages, metadata of parts."""
    dropped = False
    holders = [pdf.Root, *(page.obj for page in pdf.pages)]
    holders += [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get(Name.Subtype) in _PARTS]
    for holder in holders:
        for name in (Name.PieceInfo, Name.Thumb, Name.Metadata):
            if name in holder and (name != Name.Metadata or holder.objgen != pdf.Root.objgen):
                del holder[name]
                dropped = True
    if dropped:
        warn("METADATA_DROPPED", "Metadata of pictures and pages, and what programs kept in the file for themselves.")
