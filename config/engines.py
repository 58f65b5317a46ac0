"""Which engine the environment selects, where a conversion has several."""

from __future__ import annotations

from config import environment


def text_pdf() -> str:
    """The engine for PDFs of docx, odt and rtf: `html` (built in), `libreoffice`, or `auto` for LibreOffice if
    installed.
    """
    return environment.choice("TEXT_PDF_ENGINE", "html", ("html", "libreoffice", "auto"))


def html_pdf() -> str:
    """The layout engine for HTML; `auto` is PlutoPrint if installed. The variable is passed to the sandbox."""
    return environment.choice("HTML_PDF_ENGINE", "auto", ("auto", "plutoprint", "xhtml2pdf"))


def models() -> str:
    """A folder with further OCR models. The variable is passed to the sandbox."""
    return environment.text("TESSDATA_PREFIX")


def fonts() -> str:
    """A folder with the operator's own fonts. The variable is passed to the sandbox."""
    return environment.text("FONTS_DIR")


def alternatives() -> tuple[str, ...]:
    """Names of the engines that replace the default ones; `auto` engines may be missing."""
    return () if text_pdf() == "html" else (text_pdf(),)
