"""Measure text in the fonts that word processors use for a font name."""

from __future__ import annotations

import ctypes
import unicodedata
from types import TracebackType

import pypdfium2
import pypdfium2.raw as raw

_STANDARD = {
    "Arial": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"),
    "Times New Roman": ("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"),
    "Courier New": ("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"),
}
"""Families by the standard PDF font with the same metrics (ISO 32000-1, 9.6.2.2)."""

_FIRST, _LAST = 32, 126
"""The characters with the same code in every encoding of the standard fonts."""

_ALIKE = str.maketrans("‘’“”–\u2011•·\u00a0", "''\"\"0-*: ")
"""Other characters, with one of about the same width."""


class Widths:
    """Measures texts; closes the fonts it opens."""

    def __init__(self) -> None:
        self._document = pypdfium2.PdfDocument.new()
        self._fonts: dict[str, raw.FPDF_FONT] = {}
        self._known: dict[tuple[str, str], float] = {}

    def __enter__(self) -> Widths:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for font in self._fonts.values():
            raw.FPDFFont_Close(font)
        self._document.close()

    def width(self, text: str, family: str, *, bold: bool, italic: bool, size: float) -> float | None:
        """The width of a text in points; None if the font, or a character in it, is unknown."""
        if family not in _STANDARD:
            return None
        text = "".join(unicodedata.normalize("NFD", letter)[0] for letter in text.translate(_ALIKE))
        if not all(_FIRST <= ord(letter) <= _LAST for letter in text):
            return None
        name = _STANDARD[family][bold + 2 * italic]
        return sum(self._width(letter, name) for letter in text) * size

    def _width(self, letter: str, name: str) -> float:
        known = self._known.get((letter, name))
        if known is None:
            font = self._fonts.get(name)
            if font is None:
                font = self._fonts[name] = raw.FPDFText_LoadStandardFont(self._document.raw, name.encode())
            width = ctypes.c_float()
            raw.FPDFFont_GetGlyphWidth(font, ord(letter), 1000.0, width)
            known = self._known[letter, name] = width.value / 1000
        return known
