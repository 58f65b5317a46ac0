"""Render one page with xhtml2pdf: clean it, translate its styles, lay it out and report losses."""

from __future__ import annotations

import gc
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
from PIL import Image
from reportlab.graphics import renderPDF
from reportlab.pdfgen.canvas import Canvas

from engine.families.html_pdf import invisible_text
from engine.families.html_pdf.css import pages, unlike_pages
from engine.families.html_pdf.css.margin_boxes import boxes
from engine.families.html_pdf.css.sheets import Sheets
from engine.families.html_pdf.fonts import bundled
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.page_choice import kept
from engine.families.html_pdf.source import cleaning, limits, reading
from engine.families.html_pdf.source.references import blocked
from engine.families.html_pdf.svg import drawing_of, report_svg
from engine.families.html_pdf.xhtml2pdf import flow, furniture, layout, log, styles
from engine.toolkit import emoji_font, symbol_fonts
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.options import camel
from engine.toolkit.warnings import Warn

_SCRIPTS = "Ünï Żółw Ελλάς Русь עברית العربية हिन्दी ไทย 東京 中文 한국 ☑ →"

_BARS = {"progress": say("A progress bar"), "meter": say("A gauge")}


def render(html: str | bytes, target: Path, options: PageOptions, warn: Warn, *, title: str | None = None) -> None:
    """Write `html` as a PDF to `target`, as in `html_pdf.render.render`."""
    _report_ignored(options, warn)
    text = html if isinstance(html, str) else reading.decode(html, warn)
    page = cleaning.clean(cleaning.parse(symbol_fonts.written(text, warn)), warn)
    emoji_font.report(page.joined_emoji(), warn)
    for name, dropped in _BARS.items():
        if name in page.names:
            warn(
                "CONTENT_DROPPED",
                say("{dropped} (<{name}>) can't be printed and was left out.", dropped=dropped, name=name),
            )
    sheets = Sheets(frozenset(page.names), warn, page.style_texts, as_written=True)
    for element in page.sheets:
        sheets.sheet(element.text or "", element.get("media") or "")
    for element in page.styled:
        element.set("style", sheets.inline(element.get("style") or ""))
    limits.check_variables(sheets.lowered)
    for url in dict.fromkeys(styles.references(sheets.lowered)):
        blocked(url, warn)
    unlike_pages.warn_of_named(sheets.lowered, warn)
    if pages.others(sheets.lowered) is not None:
        unlike_pages.warn_of_first(warn, applied=True)
    paper = pages.chosen(pages.declared(sheets.lowered), options, warn)
    own = boxes(sheets.lowered, warn)
    described: dict[str, Any] = {
        "title": options.title or page.title or title or "", "lang": page.language,
        "author": page.metadata.get("author", ""), "subject": page.metadata.get("subject", ""),
        "keywords": [word.strip() for word in page.metadata.get("keywords", "").split(",") if word.strip()],
    }  # fmt: skip
    missing: list[str] = []
    with log.collected(warn):
        for again in (False, True):
            made = flow.Flow(styles.Styles(page.root, sheets.lowered, warn), warn, paper.room[0])
            made.run(page.root)
            if again:
                made.append(missing, invisible_text.HEAD)
            printed = furniture.Furniture(paper, options, described["title"], own)
            faces = list(styles.fonts(sheets.lowered))
            pdf, without_glyph = layout.lay_out(made.document, made.drawings, faces, printed, warn, **described)
            missing = [] if again else invisible_text.missing_words(made.owed(page.root), pdf, without_glyph)
            if not missing:
                break
            shown = "; ".join(missing)[:120]
            warn(
                "CONTENT_CLIPPED",
                say(
                    "{count} texts don't fit the layout and were moved to its end: “{shown}”.",
                    count=len(missing),
                    shown=shown,
                ),
            )
    if options.page_ranges is None:
        target.write_bytes(pdf)
        return
    with pikepdf.open(BytesIO(pdf)) as document:
        kept(document, options.page_ranges)
        document.save(target, deterministic_id=True)


def draw(svg: bytes, size: tuple[float, float], target: Path, warn: Warn) -> None:
    """Write an SVG as a PDF of one page, as in `html_pdf.render.draw`; `size` is in points."""
    report_svg(svg, warn)
    drawing = drawing_of(svg)
    if drawing is None or drawing.width <= 0 or drawing.height <= 0:
        raise Unreadable("The SVG can't be converted. Simplify it and try again.", reason="limit")
    drawing.scale(size[0] / drawing.width, size[1] / drawing.height)
    canvas = Canvas(str(target), pagesize=size, invariant=True)
    renderPDF.draw(drawing, canvas, 0, 0)
    canvas.save()


def _report_ignored(options: PageOptions, warn: Warn) -> None:
    """Report the options that this engine does not support."""
    for name in ("scale", "fit_to_width", "background", "media_type"):
        value = getattr(options, name)
        if value != getattr(PageOptions, name):
            shown = {True: "yes", False: "no"}.get(value, value)
            warn(
                "OPTION_IGNORED",
                say(
                    "{name}={shown} has no effect with the layout engine of this service.",
                    name=camel(name),
                    shown=shown,
                ),
            )


def warm() -> None:
    """Load the fonts and fill the tables that the first document would otherwise have to wait for."""
    Image.preinit()
    latin = "".join(f"<{tag}>Warm</{tag}>" for tag in ("b", "i", "pre", "h1"))
    page = f"<style>p{{color:#123}}</style><p>{_SCRIPTS}<table><tr><td>{latin}<td>x</table><ul><li>1</ul>"
    render(page, Path("/dev/null"), PageOptions(footer_text="{page}"), Warn())
    bundled.give_back()
    gc.collect()
