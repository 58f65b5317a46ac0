"""Which of several engines for one conversion the environment chooses."""

from __future__ import annotations

from config import environment


def text_pdf() -> str:
    """What makes a PDF of docx, odt and rtf: `html` this service, `libreoffice` that suite, `auto` it where it is."""
    return environment.choice("TEXT_PDF_ENGINE", "html", ("html", "libreoffice", "auto"))


def html_pdf() -> str:
    """What lays out HTML as pages; `auto` is PlutoPrint where it is installed. The sandbox is passed the variable."""
    return environment.choice("HTML_PDF_ENGINE", "auto", ("auto", "plutoprint", "xhtml2pdf"))


def models() -> str:
    """A folder with models that recognise text, beside the usual ones. The sandbox is passed the variable."""
    return environment.text("TESSDATA_PREFIX")


def alternatives() -> tuple[str, ...]:
    """The names of the engines that take the place of the usual ones; `auto` is one that may be missing."""
    return () if text_pdf() == "html" else (text_pdf(),)
