"""Which engine the environment selects, where a conversion has several."""

from __future__ import annotations

from config import environment


def office_pdf() -> str:
    """The engine for PDFs of office files: `own` (built in), `libreoffice`, or `auto` for both: the built-in one, and
    LibreOffice, if it is installed, for files that it doesn't draw completely.
    """
    environment.renamed(old="TEXT_PDF_ENGINE", new="OFFICE_PDF_ENGINE")
    return environment.choice("OFFICE_PDF_ENGINE", "auto", ("auto", "own", "libreoffice"))


def html_pdf() -> str:
    """The layout engine for HTML; `auto` is PlutoPrint if installed. The variable is passed to the sandbox."""
    return environment.choice("HTML_PDF_ENGINE", "auto", ("auto", "plutoprint", "xhtml2pdf"))


def models() -> str:
    """A folder with further OCR models. The variable is passed to the sandbox."""
    return environment.text("TESSDATA_PREFIX")


def fonts() -> str:
    """A folder with the operator's own fonts. The variable is passed to the sandbox."""
    return environment.text("FONTS_DIR")
