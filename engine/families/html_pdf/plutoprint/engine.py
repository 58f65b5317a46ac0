"""Render one page with PlutoPrint: clean and check it, lower its styles, draw and finish the PDF."""

from __future__ import annotations

import gc
from io import BytesIO
from pathlib import Path

import pikepdf
import plutoprint
from PIL import Image

from engine.families.html_pdf.css import ignored, pages, unlike_pages
from engine.families.html_pdf.css.media import PAGE_WIDTH, answered
from engine.families.html_pdf.css.sheets import Sheets
from engine.families.html_pdf.options import PageOptions, PrintOptions, Viewport
from engine.families.html_pdf.paper import Margins
from engine.families.html_pdf.plutoprint import (
    batches,
    breaks,
    clusters,
    column_pages,
    finishing,
    first_page,
    first_words,
    front,
    greyscale,
    hyphens,
    in_margins,
    keeping,
    link_targets,
    long_texts,
    missing_characters,
    running,
    screen,
    whole_words,
)
from engine.families.html_pdf.plutoprint import effects as page_effects
from engine.families.html_pdf.plutoprint.drawing import draw
from engine.families.html_pdf.plutoprint.layout import (
    PRODUCER,
    PX,
    SMALLEST_SCALE,
    UNSEEN,
    bound_effects,
    laid_out,
    measure_boxes,
    one_page,
    prepared,
    style_sheet,
    warn_fitted,
)
from engine.families.html_pdf.plutoprint.output import Written, opened
from engine.families.html_pdf.source import cleaning
from engine.families.html_pdf.source.cleaning import Element
from engine.families.images.drawings import effects
from engine.toolkit.warnings import Warn

__all__ = ["draw", "on_screen", "render", "warm"]

_SCRIPTS = "Ünï Żółw Ελλάς Русь עברית العربية हिन्दी ไทย 東京 中文 한국 ☑ → 😀"


def render(html: str | bytes, target: Path, options: PageOptions, warn: Warn, *, title: str | None = None) -> None:
    """Write `html` as a PDF to `target`, as `html_pdf.render.render` says."""
    page, sheets = prepared(html, warn, media=options.media_type, backgrounds=options.background)
    unlike_pages.warn_of_named(sheets.lowered, warn)
    requested = pages.declared(sheets.lowered)
    own: pages.Paper | None = requested
    named = options.title or page.title or title or ""
    heads = running.heads(options, named)
    if heads is not None:
        options = running.without_texts(options)

    def paper(wanted: pages.Paper) -> pages.Paper:
        chosen = pages.chosen(wanted, options, warn)
        return running.with_room(chosen, heads, warn) if heads is not None else chosen

    wanted = paper(requested)
    asked = (wanted.width * PX if options.page_size or options.orientation != "auto" else PAGE_WIDTH) / options.scale
    for element in page.sheets:
        element.text = answered(element.text or "", asked)
    sheets.lowered[:] = [answered(each, asked) for each in sheets.lowered]
    ignored.report(page.root, sheets.ignored, sheets.read, warn, media=options.media_type, width=asked)
    single = isinstance(options, PrintOptions) and options.single_page
    others = pages.others(sheets.lowered)
    first = None
    if others is not None and not single and wanted != (following := paper(others)):

        def trial(on: pages.Paper) -> plutoprint.Book:
            rules = style_sheet(page.root, pages.sheet(None, on, options, named, scale=options.scale))
            book = laid_out(page.root, on, options, Warn(), scale=options.scale)
            rules.drop_tree()
            return book

        if trial(wanted).get_page_count() > 1:
            first = first_page.found(page, sheets.lowered, wanted, trial, media=options.media_type)
            if first is None:
                unlike_pages.warn_of_first(warn, applied=False)
            wanted, own = following, None
    measure_boxes(page, sheets, wanted, options, warn, asked=asked)
    hung = in_margins.take(page, sheets.lowered, media=options.media_type)
    long_texts.split(page)
    whole_words.keep(page, sheets.lowered, media=options.media_type)
    if not single:
        breaks.move(page, sheets.lowered, media=options.media_type)
    batches.batch(page, sheets.lowered, media=options.media_type)
    bound_effects(page, sheets, wanted, options)
    outline = link_targets.name(page)
    style_sheet(page.root, pages.first_is_right(sheets.lowered), first=True)
    shaped = clusters.Clusters()
    style_sheet(page.root, UNSEEN + shaped.replace(page), first=True)
    if not options.background:
        style_sheet(page.root, pages.without_backgrounds())
    if heads is not None:
        style_sheet(page.root, running.own_boxes(heads))
    injected = style_sheet(page.root, "")
    scale = None if options.fit_to_width and options.scale == 1 else options.scale
    if single:
        wanted = one_page(page.root, wanted, options, warn)
    injected.text = pages.sheet(own if options.scale == 1 else None, wanted, options, named, scale=scale)
    again = scale is not None and options.fit_to_width
    columned = breaks.in_columns(sheets.lowered)
    parted = column_pages.wrappers(page, sheets.lowered, media=options.media_type)
    within = [each.element for each in parted]
    if first is not None:
        first.collapse()
    kept = keeping.prepare(page, sheets.lowered, media=options.media_type, without=within)
    divided = hyphens.may_occur(page)
    book = laid_out(
        page.root,
        wanted,
        options,
        warn,
        scale=scale,
        last=not (again or columned or parted or kept or divided or first),
    )
    width, room = book.get_document_width(), wanted.room[0] * PX
    if columned and width * options.scale > room + 2:
        breaks.free_columns(page, sheets.lowered, media=options.media_type)
        book = laid_out(
            page.root, wanted, options, warn, scale=scale, last=not (again or parted or kept or divided or first)
        )
        width = book.get_document_width()
    if again and width * options.scale > room + 2:
        scale = max(room / width, SMALLEST_SCALE)
        injected.text = pages.sheet(None, wanted, options, named, scale=scale)
        book = laid_out(page.root, wanted, options, warn, scale=scale)
        width = book.get_document_width()

    def lay() -> plutoprint.Book:
        return laid_out(page.root, wanted, options, warn, scale=scale)

    def drawn(book: plutoprint.Book) -> tuple[Written, int]:
        stream = Written(book.get_page_count(), warn)
        book.write_to_pdf_stream(stream)
        return stream, book.get_page_count()

    if divided and hyphens.show(page, lambda root: _opened(root, wanted, options, warn, scale)):
        book = lay()
        width = book.get_document_width()
    if parted and book.get_page_count() > 1:
        book = column_pages.kept(page.root, parted, wanted, scale, lay, warn)
        width = book.get_document_width()
    warn_fitted(width, room, options, warn)
    stream, count = drawn(book)
    del book  # it holds several copies of the page
    if kept is not None:
        stream = kept.written(stream, count, lambda: drawn(lay()), warn)

    def alone(on: pages.Paper) -> plutoprint.Book:
        injected.text = pages.sheet(None, on, options, named, scale=scale or options.scale)
        return laid_out(page.root, on, options, warn, scale=scale)

    def mended(pdf: pikepdf.Pdf) -> None:
        if kept is not None:
            first_words.forget(pdf)
        if first is not None:
            first.replace(pdf, alone, first_words.forget if kept is not None else lambda _: None)
        if hung is not None:
            hung.draw(pdf, wanted, scale or 1.0, warn)
        cover = 0
        if isinstance(options, PrintOptions):
            cover = front.insert(pdf, options, wanted, outline, named, warn, shaped)
        if heads is not None:
            running.draw(pdf, heads, wanted, warn, shaped, cover=cover)
        if isinstance(options, PrintOptions) and options.grayscale:
            greyscale.make_grey(pdf, warn)

    finishing.finish(
        stream,
        target,
        title=named,
        language=page.language,
        metadata=page.metadata,
        headings=outline,
        ranges=options.page_ranges,
        producer=PRODUCER,
        written=shaped.written,
        mend=mended,
    )


def on_screen(html: str | bytes, options: Viewport, format: str, warn: Warn) -> Image.Image:
    """A page as on a screen, as RGB, or RGBA if the background is transparent. Raises OverLimit."""
    page, sheets = prepared(html, warn, media=options.media_type, backgrounds=True)
    ignored.report(page.root, sheets.ignored, sheets.read, warn, media=options.media_type, width=options.viewport_width)
    width, height = (each / PX for each in (options.viewport_width, options.viewport_height))
    window = pages.Paper(width, height, Margins(0.0, 0.0, 0.0, 0.0))
    media = PageOptions(media_type=options.media_type)
    measure_boxes(page, sheets, window, media, warn, asked=options.viewport_width)
    long_texts.split(page)
    whole_words.keep(page, sheets.lowered, media=options.media_type)
    style_sheet(page.root, UNSEEN, first=True)
    filled = "" if options.full_page else "html{min-height:100vh}"
    style_sheet(page.root, filled + pages.sheet(None, window, PageOptions(), "", scale=1.0))
    visited = screen.visited(page)
    apart = page_effects.present(page, sheets.lowered, effects.SCREEN)
    if hyphens.may_occur(page):
        hyphens.show(page, lambda root: _opened(root, window, media, warn, None))
    book = laid_out(page.root, window, media, warn, last=not apart)
    size = screen.size(book, options, format, warn)
    if apart:
        page_effects.check(
            page, sheets.lowered, size[0] * size[1], effects.SCREEN, scale=options.scale, media=options.media_type
        )
        page.root.clear()
    return screen.drawn(book, size, options, visited)


def _opened(root: Element, paper: pages.Paper, options: PageOptions, warn: Warn, scale: float | None) -> pikepdf.Pdf:
    stream = BytesIO()
    laid_out(root, paper, options, warn, scale=scale).write_to_pdf_stream(stream)
    return opened(stream)


def warm() -> None:
    """Load the fonts and fill the caches that the first document would otherwise have to wait for."""
    latin = "".join(f"<{tag}>Warm</{tag}>" for tag in ("b", "i", "pre", "h1", "code"))
    text = f"<style>p{{color:#123;& b{{margin:1px}}}}</style><p>{_SCRIPTS}<p style='font-family:Arial'>{latin}"
    book = laid_out(cleaning.parse(text), pages.Paper(), PageOptions(), Warn())
    book.write_to_pdf_stream(BytesIO())
    warn = Warn()
    Sheets(frozenset(("p",)), warn).sheet("p{color:oklch(0.7 0.1 200)}")
    missing_characters.report(set(_SCRIPTS), (), warn)
    gc.collect()
