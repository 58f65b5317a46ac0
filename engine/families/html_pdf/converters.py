"""Convert HTML, SVG and metafiles to PDF, and HTML to pictures."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT, PRINTED, SEEN, PageOptions
from engine.toolkit.declaring import converter
from engine.toolkit.formats import EMF, HTML, PDF, SVG, WMF
from engine.toolkit.options import NoOptions, combine
from engine.toolkit.warnings import Warn

SVG_PDF = dataclasses.replace(HTML_PDF, modules=("engine.families.images.svg", *HTML_PDF.modules))

METAFILE_PDF = dataclasses.replace(
    SVG_PDF,
    modules=("metafile_render", "engine.toolkit.metafiles.drawing", *SVG_PDF.modules),
    further=(*SVG_PDF.further, "metafile-render"),
)


@converter(HTML, PDF, profile="pdf", engine=HTML_PDF, options=PRINTED)
def html_to_pdf(source: Path, target: Path, options: PageOptions, warn: Warn) -> None:
    """Convert an HTML page with its styles to PDF."""
    from engine.families.html_pdf.render import render

    render(source.read_bytes(), target, options, warn)


def _to_picture(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert an HTML page to {output}, as seen on a screen."""
    from engine.families.html_pdf.render import picture

    picture(source.read_bytes(), target, options, warn)


for _output, _groups in SEEN.items():
    converter(
        HTML, _output, profile="pdf", engine=PLUTOPRINT, options=combine(f"HtmlTo{_output.id.title()}Options", *_groups)
    )(_to_picture)


@converter(SVG, PDF, profile="pdf", engine=SVG_PDF)
def svg_to_pdf(source: Path, target: Path, options: NoOptions, warn: Warn) -> None:
    """Convert {input} to a PDF page of the same size. Lines and text stay vector."""
    from engine.families.html_pdf import render
    from engine.families.images import svg

    drawing = svg.cleaned(source.read_bytes(), warn)
    render.draw(drawing, svg.size(drawing), target, warn)


@converter((EMF, WMF), PDF, profile="pdf", engine=METAFILE_PDF)
def metafile_to_pdf(source: Path, target: Path, options: NoOptions, warn: Warn) -> None:
    """Convert {input} to a PDF page of the same size. Lines and text stay vector."""
    from engine.families.html_pdf import render
    from engine.families.images import svg
    from engine.toolkit.metafiles import drawing

    drawn = drawing.drawn(source.read_bytes())
    drawn.report(warn)
    cleaned = svg.cleaned(drawn.svg, warn)
    render.draw(cleaned, svg.size(cleaned), target, warn)
