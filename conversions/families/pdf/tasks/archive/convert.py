"""A PDF as an archive keeps it, PDF/A-2b: everything it needs inside it, nothing that may change how it looks."""

from __future__ import annotations

import pikepdf

from conversions.families.pdf.tasks import smaller_fonts
from conversions.families.pdf.tasks.archive import around, colours, fonts, pages, saying
from conversions.toolkit.warnings import Warn

VERSION = "1.7"


def to_archive(pdf: pikepdf.Pdf, warn: Warn) -> None:
    """Change the document in place; it has to be saved in VERSION and not encrypted.

    Raises InvalidOption, with the reason, where it can't be made to conform without looking different.
    """
    if pdf.is_encrypted:
        warn("CONTENT_DROPPED", "The archive is not encrypted: everybody can open it.")
    around.clean(pdf, warn)
    pages.clean(pdf, warn)
    pages.check_instructions(pdf)
    resources = pages.own_resources(pdf)
    fonts.make_reliable(pdf, warn)
    smaller_fonts.make_smaller(pdf)
    colours.name_inks(pdf, resources)
    colours.add_screen(pdf)
    saying.say_so(pdf)
