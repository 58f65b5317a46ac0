"""Render one page with PlutoPrint: clean and check it, lower its styles, draw and finish the PDF."""

from __future__ import annotations

import gc
import importlib
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path

import pikepdf

from engine.families.html_pdf.css import ignored, page_selectors, pages, unlike_pages
from engine.families.html_pdf.css.media import PAGE_WIDTH, answered
from engine.families.html_pdf.css.sheets import Sheets
from engine.families.html_pdf.options import PageOptions, PrintOptions
from engine.families.html_pdf.plutoprint import (
    batches,
    box_shadows,
    breaks,
    clusters,
    column_boxes,
    divided_groups,
    finishing,
    first_page,
    first_words,
    greyscale,
    hyphenation,
    hyphens,
    in_margins,
    keeping,
    lines_apart,
    link_targets,
    long_texts,
    missing_characters,
    named_pages,
    open_rows,
    paged,
    repeated_heads,
    row_pictures,
    running,
    standards,
    table_breaks,
    vertical_pages,
    whole_words,
    wide_pictures,
    writing_modes,
)
from engine.families.html_pdf.plutoprint.drawing import draw
from engine.families.html_pdf.plutoprint.layout import (
    PRODUCER,
    PX,
    UNSEEN,
    bound_effects,
    laid_out,
    measure_boxes,
    one_page,
    prepared,
    style_sheet,
    warn_fitted,
)
from engine.families.html_pdf.plutoprint.layouts import Layouts
from engine.families.html_pdf.plutoprint.papers import Papers, turned
from engine.families.html_pdf.plutoprint.screen_pages import on_screen
from engine.families.html_pdf.source import cleaning
from engine.toolkit import emoji_sequences
from engine.toolkit.warnings import Warn

__all__ = ["draw", "on_screen", "render", "warm"]

_LATER = (
    "engine.families.html_pdf.plutoprint.front", "engine.families.html_pdf.plutoprint.binding",
    "engine.families.html_pdf.tagged.conformity",
)  # fmt: skip
"""Modules that few pages need, which a process of one page imports only then."""
_SCRIPTS = "Ünï Żółw Ελλάς Русь עברית العربية हिन्दी ไทย 東京 中文 한국 ☑ → 😀"


def render(html: str | bytes, target: Path, options: PageOptions, warn: Warn, *, title: str | None = None) -> None:
    """Write `html` as a PDF to `target`, as `html_pdf.render.render` says."""
    page, sheets = prepared(html, warn, media=options.media_type, backgrounds=options.background)
    generated = [each for each in (options.header_text, options.footer_text) if each]
    single = isinstance(options, PrintOptions) and options.single_page
    runs = named_pages.Runs() if single else named_pages.find(page, sheets.lowered, media=options.media_type)
    unlike_pages.warn_of_named(sheets.lowered, warn, named=runs.names)
    own = pages.declared(sheets.lowered)
    named = options.title or page.title or title or ""
    plain = not runs.begins and pages.others(sheets.lowered) is None
    vertical = writing_modes.of_pages(page, sheets.lowered, media=options.media_type) if plain else ""
    heads = running.heads(options, named, apart=bool(vertical))
    if heads is not None:
        options = running.without_texts(options)

    def sized(paper: pages.Paper) -> pages.Paper:
        return paper if heads is None else running.with_room(paper, heads, warn)

    def paper_of(name: str) -> pages.Paper:
        paper = pages.chosen(pages.declared_by(sheets.lowered, name) if name else own, options, warn)
        if name and options.page_size and options.orientation == "auto":
            paper = turned(paper, pages.declared_by(sheets.lowered, name))
        return sized(paper)

    wanted = paper_of("")
    asked = (wanted.width * PX if options.page_size or options.orientation != "auto" else PAGE_WIDTH) / options.scale
    for element in page.sheets:
        element.text = answered(element.text or "", asked)
    sheets.lowered[:] = [answered(each, asked) for each in sheets.lowered]
    ignored.report(page.root, sheets.ignored, sheets.read, warn, media=options.media_type, width=asked, vertical=True)
    first = None
    main_rules: pages.Paper | None = own
    others: pages.Paper | None = None if single else pages.others(sheets.lowered)
    if others is not None and wanted != (following := sized(pages.chosen(others, options, warn))):
        trial = partial(first_page.trial, page, options, named)
        if runs.begins or trial(wanted).get_page_count() > 1:
            # A cover is drawn apart from the other pages, which named pages and tags can't be.
            if not (runs.begins or (isinstance(options, PrintOptions) and options.pdf_standard == "ua-1")):
                first = first_page.found(page, sheets.lowered, wanted, trial, media=options.media_type)
            if first is None:
                unlike_pages.warn_of_first(warn, applied=False)
            wanted, main_rules = following, None
    real = wanted
    wanted, main_rules = (vertical_pages.turned(real, vertical), None) if vertical else (wanted, main_rules)
    papers = Papers(runs, wanted, paper_of, warn)
    with papers.as_wide_as_papers():
        combined = measure_boxes(page, sheets, papers.widest, options, warn, asked=asked, vertical=vertical)
    if options.fit_to_width and not (single or vertical):
        wide_pictures.fit(page, wanted, options.scale, warn, partial(first_page.trial, page, options, named))
    box_shadows.draw(page, sheets.lowered, warn, media=options.media_type)
    row_pictures.report(page, sheets.read, warn, media=options.media_type)
    hyphenation.divide(page, sheets.lowered, warn, media=options.media_type)
    hung = in_margins.take(page, sheets.lowered, warn, media=options.media_type)
    long_texts.split(page)
    whole_words.keep(page, sheets.lowered, media=options.media_type)
    named_pages.part(page, sheets.lowered, runs, media=options.media_type)
    if not single:
        tagged = isinstance(options, PrintOptions) and options.pdf_standard == "ua-1"
        table_breaks.make(page, sheets.lowered, warn, media=options.media_type, tagged=tagged)
        breaks.move(page, sheets.lowered, media=options.media_type)
    batches.batch(page, sheets.lowered, media=options.media_type)
    bound_effects(page, sheets, wanted, options)
    outline = link_targets.name(page)
    right = sheets.set_aside.whole(page_selectors.first_is_right(sheets.lowered))
    style_sheet(page.root, right, first=True)
    shaped = clusters.Clusters(written=combined)
    style_sheet(page.root, UNSEEN + shaped.replace(page), first=True)
    if not options.background:
        style_sheet(page.root, pages.without_backgrounds())
    replaced = running.own_boxes(heads) if heads is not None else ""
    if replaced:
        style_sheet(page.root, replaced)
    if vertical:
        style_sheet(page.root, vertical_pages.without_boxes())
    divided = None
    if not single:
        divided = paged.prepare(page, sheets, runs, papers, warn, media=options.media_type)
    if divided is not None:
        papers.show(wanted)
    if single:
        wanted = one_page(page.root, wanted, options, warn)
        real = replace(real, width=wanted.height) if vertical else wanted
    layouts = Layouts(page, sheets, papers, divided, options, warn, wanted=wanted, own=main_rules, title=named)
    parted = column_boxes.wrappers(page, sheets.lowered, media=options.media_type)
    if first is not None:
        first.collapse()
    columns = [each.element for each in parted]
    without = {paper: [*columns, *papers.elsewhere(paper)] for paper in papers.all}
    kept = keeping.prepare(page, sheets.lowered, media=options.media_type, without=without)
    long_rows = [] if single else repeated_heads.long_rows(page, sheets.lowered, media=options.media_type)
    groups = [] if single else divided_groups.found(page, sheets.lowered, media=options.media_type)
    hyphened = hyphens.may_occur(page)
    conforming = standards.asked(options, shaped.written, warn)
    tags = conforming.tagged if conforming is not None else None
    openable = not (single or parted or divided or first) and open_rows.may_occur(page)
    again = parted or kept or divided or hyphened or tags or first or long_rows or groups or openable
    book = layouts.first(last=not again)
    if openable:
        book = layouts.opened_rows(book)
    if hyphened:
        book = layouts.hyphened(book)
    book = layouts.columned(book, parted)
    warn_fitted(book.get_document_width(), wanted.room[0] * PX, options, warn)
    several = book.get_page_count() > 1
    stream = layouts.kept(book, kept)
    del book  # it holds several copies of the page
    if long_rows and several:
        repeated_heads.report(long_rows, page.root, layouts.opened, warn)
    if groups and several:
        divided_groups.report(groups, page.root, layouts.opened, warn)
    stream, each_paper = layouts.divided(stream)
    twin = None
    if tags is not None:
        # Where pages begin is known by the names of positions.
        tags.coloured(page.root, links=divided is None)
        twin = layouts.again()

    def mended(pdf: pikepdf.Pdf) -> None:
        if kept or divided is not None:
            first_words.forget(pdf)
        if tags is not None and twin is not None:
            tags.read(list(pdf.pages), twin)
        if first is not None:
            first.replace(pdf, layouts.alone, first_words.forget if kept else lambda _: None)
        on_papers = each_paper or [wanted] * len(pdf.pages)
        if first is not None:
            on_papers = [first.paper, *on_papers[1:]]
        if hung is not None:
            hung.draw(pdf, on_papers, layouts.scale or 1.0, warn)
        if vertical:
            vertical_pages.rotate(pdf, vertical)
            whole = list(map(sheets.set_aside.whole, sheets.lowered))
            vertical_pages.draw_boxes(pdf, page.root, real, options, warn, whole, without=replaced)
            on_papers = [real] * len(on_papers)
        cover = 0
        if isinstance(options, PrintOptions) and (options.contents or options.cover_html):
            from engine.families.html_pdf.plutoprint import front  # with `_LATER`

            cover = front.insert(pdf, options, real, outline, named, warn, shaped, tags)
        link_targets.join(pdf)
        if heads is not None:
            contents = [real] * (len(pdf.pages) - cover - len(on_papers))
            running.draw(pdf, heads, [*contents, *on_papers], warn, shaped, cover=cover)
        if tags is not None:
            tags.mark()
        if writing_modes.may_occur(sheets.lowered):
            lines_apart.part(pdf)
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
        drawn=shaped.drawn | emoji_sequences.all_in("".join((*sheets.lowered, *generated))),
        mend=mended,
        conform=conforming.conform if conforming is not None else None,
    )
    if conforming is not None:
        conforming.verify(target)


def warm() -> None:
    """Load the fonts and fill the caches that the first document would otherwise have to wait for."""
    latin = "".join(f"<{tag}>Warm</{tag}>" for tag in ("b", "i", "pre", "h1", "code"))
    text = f"<style>p{{color:#123;& b{{margin:1px}}}}</style><p>{_SCRIPTS}<p style='font-family:Arial'>{latin}"
    book = laid_out(cleaning.parse(text), pages.Paper(), PageOptions(), Warn())
    book.write_to_pdf_stream(BytesIO())
    warn = Warn()
    Sheets(frozenset(("p",)), warn).sheet("p{color:oklch(0.7 0.1 200)}")
    missing_characters.report(set(_SCRIPTS), (), warn)
    for name in _LATER:
        importlib.import_module(name)
    gc.collect()
