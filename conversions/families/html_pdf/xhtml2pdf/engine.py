"""One page through xhtml2pdf: cleaned, its styles said in the engine's words, laid out, and what is lost reported."""

from __future__ import annotations

import gc
import importlib
from io import BytesIO
from pathlib import Path

import pikepdf
from PIL import Image
from reportlab.graphics import renderPDF
from reportlab.pdfgen.canvas import Canvas

from conversions.families.html_pdf.css.styles import StyleSheets
from conversions.families.html_pdf.fonts import bundled
from conversions.families.html_pdf.options import PageOptions
from conversions.families.html_pdf.page_choice import kept
from conversions.families.html_pdf.source import dom, parsing, reading
from conversions.families.html_pdf.xhtml2pdf import spans
from conversions.families.html_pdf.xhtml2pdf.library import lay_out, load
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.options import camel
from conversions.toolkit.warnings import Warn

_SCRIPTS = "Ünï Żółw Ελλάς Русь עברית العربية हिन्दी ไทย 東京 中文 한국 ☑ →"


def render(html: str | bytes, target: Path, options: PageOptions, warn: Warn, *, title: str | None = None) -> None:
    """Write `html` as a PDF to `target`.

    `title` is the document's title where neither the options nor the document has one. Raises Unreadable for bytes
    that are no HTML and for markup that can't be laid out, OverLimit for more than a page can hold, and InvalidOption
    for a paper size or a margin that leaves no room.
    """
    load()  # first of all, as the style sheets are read by what it knows
    _say_ignored(options, warn)
    text = html if isinstance(html, str) else reading.decode(html, warn)
    page = dom.clean(parsing.parse(text), warn)
    spans.check(page.tables)
    names = frozenset((*(f".{each}" for each in page.classes), *(f"#{each}" for each in page.ids)))
    sheets = StyleSheets(warn, names)
    for sheet in page.sheets:
        sheets.add(sheet)
    pdf = lay_out(page.document, sheets, options, warn, title=title)
    if options.page_ranges is None:
        target.write_bytes(pdf)
        return
    with pikepdf.open(BytesIO(pdf)) as document:
        kept(document, options.page_ranges)
        document.save(target, deterministic_id=True)


def draw(svg: bytes, size: tuple[float, float], target: Path, warn: Warn) -> None:
    """Write a drawing as a PDF of one page, as `html_pdf.render.draw` says; `size` is in points."""
    from conversions.families.html_pdf.svg import drawing_of, report_svg

    report_svg(svg, warn)
    drawing = drawing_of(svg)
    if drawing is None or drawing.width <= 0 or drawing.height <= 0:
        raise Unreadable("The SVG can't be drawn: simplify it, and try again.")
    drawing.scale(size[0] / drawing.width, size[1] / drawing.height)
    canvas = Canvas(str(target), pagesize=size, invariant=True)
    renderPDF.draw(drawing, canvas, 0, 0)
    canvas.save()


def _say_ignored(options: PageOptions, warn: Warn) -> None:
    """Report the options that this engine knows no way to follow."""
    for name in ("scale", "fit_to_width", "background", "media_type"):
        value = getattr(options, name)
        if value != getattr(PageOptions, name):
            shown = {True: "yes", False: "no"}.get(value, value)
            warn("OPTION_IGNORED", f"{camel(name)}={shown} has no effect with the layout engine of this service.")


def warm() -> None:
    """Load the fonts and fill the tables that the first document would otherwise wait for."""
    importlib.import_module("conversions.families.html_pdf.svg")
    Image.preinit()
    warn = Warn()
    latin = "".join(f"<{tag}>Warm</{tag}>" for tag in ("b", "i", "pre", "h1"))
    page = dom.clean(parsing.parse(f"<p>{_SCRIPTS}<table><tr><td>{latin}</table><ul><li>1</ul>"), warn)
    lay_out(page.document, StyleSheets(warn), PageOptions(footer_text="{page}"), warn, title="")
    bundled.give_back()
    gc.collect()
