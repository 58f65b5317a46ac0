"""Render a page as on a screen."""

from __future__ import annotations

from io import BytesIO

import pikepdf
from PIL import Image

from engine.families.html_pdf.css import ignored, pages
from engine.families.html_pdf.options import PageOptions, Viewport
from engine.families.html_pdf.paper import Margins
from engine.families.html_pdf.plutoprint import (
    box_shadows,
    clusters,
    hyphenation,
    hyphens,
    long_texts,
    screen,
    whole_words,
)
from engine.families.html_pdf.plutoprint import effects as page_effects
from engine.families.html_pdf.plutoprint.layout import PX, UNSEEN, clear, laid_out, measure_boxes, prepared, style_sheet
from engine.families.html_pdf.plutoprint.output import opened
from engine.families.html_pdf.source.cleaning import Element
from engine.families.images.drawings import effects
from engine.toolkit.warnings import Warn


def on_screen(html: str | bytes, options: Viewport, format: str, warn: Warn) -> Image.Image:
    """A page as on a screen, as RGB, or RGBA if the background is transparent. Raises OverLimit."""
    page, sheets = prepared(html, warn, media=options.media_type, backgrounds=True)
    ignored.report(
        page.root,
        sheets.ignored,
        sheets.read,
        warn,
        media=options.media_type,
        width=options.viewport_width,
        vertical=True,
    )
    width, height = (each / PX for each in (options.viewport_width, options.viewport_height))
    window = pages.Paper(width, height, Margins(0.0, 0.0, 0.0, 0.0))
    media = PageOptions(media_type=options.media_type)
    measure_boxes(page, sheets, window, media, warn, asked=options.viewport_width)
    box_shadows.draw(page, sheets.lowered, warn, media=options.media_type)
    hyphenation.divide(page, sheets.lowered, warn, media=options.media_type)
    long_texts.split(page)
    whole_words.keep(page, sheets.lowered, media=options.media_type)
    style_sheet(page.root, UNSEEN + clusters.Clusters(searchable=False).replace(page), first=True)
    filled = "" if options.full_page else "html{min-height:100vh}"
    style_sheet(page.root, filled + pages.sheet(None, window, PageOptions(), "", scale=1.0))
    visited = screen.visited(page)
    apart = page_effects.present(page, sheets.lowered, effects.SCREEN)
    if hyphens.may_occur(page):
        hyphens.show(page, lambda root: _opened(root, window, media, warn))
    book = laid_out(page.root, window, media, warn, last=not apart)
    size = screen.size(book, options, format, warn)
    if apart:
        page_effects.check(
            page, sheets.lowered, size[0] * size[1], effects.SCREEN, scale=options.scale, media=options.media_type
        )
        clear(page.root)
    return screen.drawn(book, size, options, visited)


def _opened(root: Element, window: pages.Paper, media: PageOptions, warn: Warn) -> pikepdf.Pdf:
    stream = BytesIO()
    laid_out(root, window, media, warn).write_to_pdf_stream(stream)
    return opened(stream)
