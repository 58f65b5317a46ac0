"""The substitutes with which PDFium draws fonts that are not embedded.

Without them, letters outside Western European scripts are not drawn, and PDFium leaves words of such letters out of the
text of a page.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import pypdfium2.raw as raw
from pypdfium2 import PdfDocument, PdfSysfontBase

from engine.toolkit import font_twins

_FOLDER = Path(__file__).resolve().parents[2] / "fonts"
_PATHS = (
    *(str(_FOLDER / each) for each in ("liberation", "carlito", "caladea", "droid", "dejavu", "noto")),
    "/usr/share/fonts",
    "/usr/local/share/fonts",
)
"""The font folders PDFium searches: ours, then the operator's."""

_BOLD = 600
"""The font weight from which on a font is bold."""


class _Substitutes(PdfSysfontBase):  # type: ignore[misc]
    """Finds system fonts by name, else our metric-compatible ones."""

    def MapFont(self, info: Any, weight: int, italic: int, charset: int, pitch: int, face: Any, exact: Any) -> Any:
        """PDFium's request, with a CSS weight, and the charset and pitch of Windows' LOGFONT."""
        found = super().MapFont(info, weight, italic, charset, pitch, face, exact)
        if found or charset == raw.FXFONT_SYMBOL_CHARSET:
            return found
        fixed, serif = pitch & raw.FXFONT_FF_FIXEDPITCH, pitch & raw.FXFONT_FF_ROMAN
        named = ctypes.string_at(face).decode("latin-1") if face else ""
        family = font_twins.stand_in(named.replace("-", ",").partition(",")[0])
        name = [family or f"Liberation {'Mono' if fixed else 'Serif' if serif else 'Sans'}"]
        if weight >= _BOLD:
            name.append("Bold")
        if italic:
            name.append("Italic")
        return self.GetFont(info, ctypes.create_string_buffer(" ".join(name).encode()))


def install() -> None:
    """Install the font mapper in PDFium; call it before any document is opened."""
    paths = (ctypes.POINTER(ctypes.c_char) * (len(_PATHS) + 1))()
    for at, path in enumerate(_PATHS):
        paths[at] = ctypes.cast(ctypes.c_char_p(path.encode()), ctypes.POINTER(ctypes.c_char))
    raw.FPDF_DestroyLibrary()
    raw.FPDF_InitLibraryWithConfig(raw.FPDF_LIBRARY_CONFIG(version=2, m_pUserFontPaths=paths))
    _Substitutes().setup()
    # PDFium scans all fonts when it needs the first one: do it once here, not in every child.
    with PdfDocument.new() as document:
        raw.FPDFFont_Close(raw.FPDFText_LoadStandardFont(document, b"Helvetica"))
