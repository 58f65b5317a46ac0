"""HTML to PDF and to pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.html_pdf.options import HTML_PDF, PLUTOPRINT, SEEN, PageOptions
from conversions.toolkit.declaring import converter
from conversions.toolkit.formats import HTML, PDF
from conversions.toolkit.options import combine
from conversions.toolkit.warnings import Warn


@converter(HTML, PDF, profile="pdf", engine=HTML_PDF, options=PageOptions, compares="words")
def html_to_pdf(source: Path, target: Path, options: PageOptions, warn: Warn) -> None:
    """Lay out an HTML page with its styles as a PDF document."""
    from conversions.families.html_pdf.render import render

    render(source.read_bytes(), target, options, warn)


def _to_picture(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Draw an HTML page as {output}, as it is on a screen."""
    from conversions.families.html_pdf.render import picture

    picture(source.read_bytes(), target, options, warn)


for _output, _groups in SEEN.items():
    converter(
        HTML, _output, profile="pdf", engine=PLUTOPRINT, options=combine(f"HtmlTo{_output.id.title()}Options", *_groups)
    )(_to_picture)
