"""Unmapped letters: numbers of glyphs, which PDFium gives for characters where a file does not say what they are."""

from __future__ import annotations

from collections.abc import Iterable

import pypdfium2
import pypdfium2.raw as raw

from conversions.families.pdf.page.glyphs import Glyph
from conversions.toolkit.warnings import Warn

UNKNOWN = "\ufffd"
_UNUSED = frozenset("ƂƃƄƅƇƈƉƋƌƍƐƔƕƖƚƛƜƞƟƢƣƤƥƦƧƨƩƪƫƬƮƱƵƶƸƹƺƻƼƽƾƿǀǁǂǃǄǅǆǇǈǉǊǋǌ")
"""Letters that next to no text has, at numbers that the small letters of Microsoft's fonts have as glyphs."""


def told(page: pypdfium2.PdfPage, glyphs: Iterable[Glyph]) -> list[Glyph]:
    """The letters of a page, those without a meaning as U+FFFD in fonts whose letters are numbers of glyphs.

    A file without a table of what letters mean may have the characters themselves in their place, which no font tells
    from the numbers: one that gives letters of no text does.
    """
    found = [*glyphs]
    suspects = [each for each in found if each.text in _UNUSED]
    if not suspects:
        return found
    text = page.get_textpage()
    try:
        fonts = {each.style.font for each in _unmapped(text, suspects)}
        unknown = {each.order for each in _unmapped(text, found) if each.style.font in fonts}
    finally:
        text.close()
    return [each._replace(text=UNKNOWN) if each.order in unknown else each for each in found]


def _unmapped(text: pypdfium2.PdfTextPage, glyphs: Iterable[Glyph]) -> list[Glyph]:
    return [each for each in glyphs if raw.FPDFText_HasUnicodeMapError(text.raw, each.order) == 1]


def tell(warn: Warn) -> None:
    """Name letters that are U+FFFD."""
    warn("ENCODING_REPLACED", "The PDF does not say which characters some letters are; they became U+FFFD.")
