"""Markup: HTML to PDF, and the page options that every conversion of text to PDF shares."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from conversions.converters.base import Engine, converter
from conversions.formats import HTML, PDF
from conversions.options import option
from conversions.warnings import Warn

HTML_PDF = Engine("xhtml2pdf", ("xhtml2pdf", "conversions.engines.html_pdf"))
"""The engine of every conversion that lays out HTML as pages."""

_LENGTH = r"\d{1,4}(\.\d{1,3})?"
_UNIT = r"([mM][mM]|[cC][mM]|[iI][nN]|[pP][tT]|[pP][xX])"
_NAMED = (
    r"[aA][0-6]|[bB][45]|[lL][eE][tT][tT][eE][rR]|[lL][eE][gG][aA][lL]"
    r"|[tT][aA][bB][lL][oO][iI][dD]|[lL][eE][dD][gG][eE][rR]"
)
_PAGE_SIZE = rf"({_NAMED}|{_LENGTH} ?{_UNIT}? ?[xX×] ?{_LENGTH} ?{_UNIT})"
_MARGIN = rf"{_LENGTH} ?{_UNIT}( {_LENGTH} ?{_UNIT}){{0,3}}"


@dataclass(frozen=True)
class PageOptions:
    """The paper, its margins and what is printed in them; what is left out is as the document says."""

    page_size: str | None = option(
        None,
        "Paper size: A0 to A6, B4, B5, Letter, Legal, Tabloid, Ledger, or a width and a height such as 210mm x 297mm.",
        max_length=40,
        pattern=_PAGE_SIZE,
    )
    orientation: Literal["auto", "portrait", "landscape"] = option(
        "auto", "Which side of the paper is up; auto keeps the paper as the document or the paper size has it."
    )
    margin: str | None = option(
        None,
        "Blank space around the page: one to four lengths such as 20mm or 1in 2cm: top, right, bottom, left.",
        max_length=60,
        pattern=_MARGIN,
    )
    header_text: str | None = option(
        None,
        "Text printed at the top of every page; {page}, {pages}, {title} and {date} are filled in.",
        max_length=500,
        multiline=True,
    )
    footer_text: str | None = option(
        None,
        "Text printed at the bottom of every page; {page}, {pages}, {title} and {date} are filled in.",
        max_length=500,
        multiline=True,
    )
    title: str | None = option(None, "Title of the document, as PDF readers show it.", max_length=300)


@converter(HTML, PDF, family="pdf", engine=HTML_PDF, options=PageOptions)
def html_to_pdf(source: Path, target: Path, options: PageOptions, warn: Warn) -> None:
    """Lay out an HTML page with its styles as a PDF document."""
    from conversions.engines import html_pdf

    html_pdf.render(source.read_bytes(), target, options, warn)
