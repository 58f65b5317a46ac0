"""Substitutes: the fonts in which PDFium draws the letters of fonts that a PDF names and does not have in it.

Without them letters beyond Western Europe are drawn as nothing, and PDFium leaves words that nothing is drawn of out of
the text of a page.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import pypdfium2.raw as raw
from pypdfium2 import PdfDocument, PdfSysfontBase

_FOLDER = Path(__file__).resolve().parents[2] / "fonts"
_PATHS = (
    *(str(_FOLDER / each) for each in ("liberation", "droid", "dejavu", "noto")),
    "/usr/share/fonts",
    "/usr/local/share/fonts",
)
"""Where PDFium looks for fonts: in ours, then where whoever runs the service has put some."""

_BOLD = 600
"""From this weight on letters are bold."""


class _Substitutes(PdfSysfontBase):  # type: ignore[misc]
    """The fonts of the machine by name, and where it has none of that name, ours that is like it."""

    def MapFont(self, info: Any, weight: int, italic: int, charset: int, pitch: int, face: Any, exact: Any) -> Any:
        """What PDFium asks for by weight in CSS's numbers, and charset and pitch in those of Windows' LOGFONT."""
        found = super().MapFont(info, weight, italic, charset, pitch, face, exact)
        if found or charset == raw.FXFONT_SYMBOL_CHARSET:
            return found
        fixed, serif = pitch & raw.FXFONT_FF_FIXEDPITCH, pitch & raw.FXFONT_FF_ROMAN
        name = ["Liberation", "Mono" if fixed else "Serif" if serif else "Sans"]
        if weight >= _BOLD:
            name.append("Bold")
        if italic:
            name.append("Italic")
        return self.GetFont(info, ctypes.create_string_buffer(" ".join(name).encode()))


def install() -> None:
    """Give PDFium its fonts, which it takes before any document is open."""
    paths = (ctypes.POINTER(ctypes.c_char) * (len(_PATHS) + 1))()
    for at, path in enumerate(_PATHS):
        paths[at] = ctypes.cast(ctypes.c_char_p(path.encode()), ctypes.POINTER(ctypes.c_char))
    raw.FPDF_DestroyLibrary()
    raw.FPDF_InitLibraryWithConfig(raw.FPDF_LIBRARY_CONFIG(version=2, m_pUserFontPaths=paths))
    _Substitutes().setup()
    # It looks at all of the fonts when it needs the first one: here once, not in every child.
    with PdfDocument.new() as document:
        raw.FPDFFont_Close(raw.FPDFText_LoadStandardFont(document, b"Helvetica"))
