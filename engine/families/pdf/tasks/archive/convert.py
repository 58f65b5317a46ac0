"""Convert a PDF to PDF/A-2b."""

from __future__ import annotations

import pikepdf

from engine.families.pdf.tasks import smaller_fonts
from engine.families.pdf.tasks.archive import around, colours, fonts, identification, pages
from engine.families.pdf.unchanged.replaced import Replaced
from engine.toolkit.warnings import Warn

VERSION = "1.7"


def to_archive(pdf: pikepdf.Pdf, replaced: Replaced, warn: Warn) -> bool:
    """Change the document in place; it has to be saved in VERSION and not encrypted.

    `replaced` notes the fonts that are made smaller once they conform. Whether inks got a profile, which shows them as
    nearly as its table does.
    Raises InvalidOption, with the reason, where it can't be made to conform without looking different.
    """
    if pdf.is_encrypted:
        warn("CONTENT_DROPPED", "The archive is not encrypted: everybody can open it.")
    around.clean(pdf, warn)
    pages.clean(pdf, warn)
    pages.check_instructions(pdf)
    resources = pages.own_resources(pdf)
    fonts.embed_and_check(pdf, warn)
    smaller_fonts.make_smaller(pdf, replaced)
    inks = colours.profile_cmyk(pdf, resources)
    colours.add_screen(pdf)
    identification.write_metadata(pdf)
    return inks
