"""Convert a PDF to PDF/A-2b."""

from __future__ import annotations

import pikepdf

from engine.families.html_pdf.tagged.identification import identify
from engine.families.html_pdf.tagged.output_intent import declare_srgb
from engine.families.pdf.tasks import smaller_fonts
from engine.families.pdf.tasks.archive import colours, fonts, outside_content, pages
from engine.families.pdf.unchanged.replaced import Replaced
from engine.toolkit.warnings import Warn

VERSION = "1.7"


def to_archive(pdf: pikepdf.Pdf, replaced: Replaced, warn: Warn) -> bool:
    """Convert the document in place; save it as VERSION and unencrypted.

    `replaced` records the fonts that are subset once they conform. Returns whether CMYK colours got a profile, which
    displays them only as exactly as its table allows. Raises InvalidOption, with the reason, if the document can't be
    made to conform without changing its appearance.
    """
    if pdf.is_encrypted:
        warn("CONTENT_DROPPED", "PDF/A can't be encrypted, so anyone can open the result.")
    outside_content.clean(pdf, warn)
    pages.clean(pdf, warn)
    pages.check_instructions(pdf)
    resources = pages.own_resources(pdf)
    fonts.embed_and_check(pdf, warn)
    smaller_fonts.make_smaller(pdf, replaced)
    inks = colours.profile_cmyk(pdf, resources)
    declare_srgb(pdf)
    identify(pdf, "a-2b")
    return inks
