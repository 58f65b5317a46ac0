"""Prepare a page and lay it out with PlutoPrint."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from typing import Any

import plutoprint
from lxml import html as markup

from engine.families.html_pdf.css import pages
from engine.families.html_pdf.css.sheets import Sheets
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.paper import LARGEST, LEAST_TEXT, Margins
from engine.families.html_pdf.plutoprint import (
    alignment,
    aspect_ratios,
    batches,
    cell_padding,
    column_spans,
    cut_lines,
    dashes,
    empty_list_items,
    exponential_layout,
    flex_items,
    floats,
    grids,
    head_cells,
    headings,
    layered_backgrounds,
    legends,
    link_targets,
    missing_characters,
    missing_fonts,
    named_pages,
    page_notes,
    repeated_values,
    selector_steps,
    shares,
    small_caps,
    tab_stops,
    vertical_measures,
    vertical_text,
    writing_modes,
    zoomed,
)
from engine.families.html_pdf.plutoprint import effects as page_effects
from engine.families.html_pdf.plutoprint.grid_measure import MARGIN
from engine.families.html_pdf.plutoprint.laying_again import MOST_LAID_OUT, Work
from engine.families.html_pdf.source import cleaning, embedded, fields, gauges, limits, reading
from engine.families.html_pdf.source.references import blocked
from engine.families.html_pdf.source.set_aside import SetAside
from engine.families.images.drawings import effects
from engine.toolkit import emoji_font, own_fonts, symbol_fonts
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

own_fonts.configure()  # read when the first page is rendered

PX = 4 / 3
"""CSS pixels in a point."""
_NOTICED = 0.97
"""A scale above this one is not named: a text of 12 points still has 11.6."""
SMALLEST_SCALE = 0.1
_LEAST_MEASURED = 10
"""The layouts to measure any page: grids within a grid take 6, lengths that mix units 2, texts that are cut 2."""
PRODUCER = f"PlutoPrint {plutoprint.__version__}"

UNSEEN = (
    "fc-run{font:inherit;color:inherit}fc-run[hidden]{display:none!important}rp{display:none}"
    "rt::before{content:'('}rt::after{content:')'}"  # ruby readings are not drawn above words
)

_MEDIA = {"print": plutoprint.MEDIA_TYPE_PRINT, "screen": plutoprint.MEDIA_TYPE_SCREEN}


class Refusing(plutoprint.ResourceFetcher):
    """Fetches nothing: external resources are reported and left empty."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn

    def fetch_url(self, url: str, *_: Any, **__: Any) -> plutoprint.ResourceData:
        blocked(url.removeprefix(link_targets.BASE), self._warn)
        return plutoprint.ResourceData(b"", "text/plain")


_ONE_PAGE = "*{break-before:auto!important;break-after:auto!important;page:auto!important}"

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that style sheets may escape and an XML tree rejects (XML 1.0, 2.2)."""


def prepared(html: str | bytes, warn: Warn, *, media: str, backgrounds: bool) -> tuple[cleaning.Page, Sheets]:
    """A cleaned and checked page with lowered style sheets and its missing characters reported."""
    text = html if isinstance(html, str) else reading.decode(html, warn)
    page = cleaning.clean(cleaning.parse(symbol_fonts.written(text, warn)), warn)
    aside = SetAside()
    sheets = Sheets(frozenset(page.names), warn, page.style_texts, backgrounds=backgrounds, set_aside=aside)
    for element in page.sheets:
        queries = element.attrib.pop("media", "")
        element.attrib.pop("type", None)
        element.text = _NO_XML.sub(
            "\ufffd", embedded.checked(aside.whole(sheets.sheet(element.text or "", queries)), warn)
        )
    layers = layered_backgrounds.draw(page, sheets, aside, warn, media=media) if backgrounds else ""
    for element in page.styled:
        declared = embedded.checked(aside.whole(sheets.inline(element.get("style") or "")), warn)
        element.set("style", _NO_XML.sub("\ufffd", declared))
    if layers:
        style_sheet(page.root, layers)
    named_pages.unname(page, sheets.lowered, media=media)
    limits.check_variables(sheets.lowered)
    selector_steps.check(page.root, sheets.lowered, media=media)
    repeated_values.check(page.root, sheets.lowered, media=media)
    if page.names.intersection(fields.NAMES):
        style_sheet(page.root, fields.style(page.root), first=True)
    if page.names.intersection(gauges.NAMES):
        style_sheet(page.root, gauges.style(page.root), first=True)
    page_notes.move(page, sheets.lowered, warn, media=media)
    small_caps.draw(page, sheets.lowered, warn, media=media)
    zoomed.enlarge(page, sheets.lowered, media=media)
    alignment.align(page, sheets.lowered, media=media)
    if bare := cell_padding.removed(page, sheets.lowered, media=media):
        style_sheet(page.root, bare, first=True)
    head_cells.align(page, sheets.lowered, media=media)
    legends.raise_legends(page, sheets.lowered, media=media)
    empty_list_items.fill(page, sheets.lowered, media=media)
    headings.enlarge(page, sheets.lowered, media=media)
    exponential_layout.bound(page, sheets.lowered, warn, media=media)
    floats.bound(page, sheets.lowered, warn, media=media)
    column_spans.bound(page, sheets.lowered, warn, media=media)
    tab_stops.expand(page, sheets.lowered, media=media)
    missing_characters.report(page.characters, sheets.lowered, warn)
    emoji_font.report(page.joined_emoji(), warn)
    missing_fonts.report(sheets.fonts, sheets.lowered, warn, characters=page.characters)
    return page, sheets


def bound_effects(page: cleaning.Page, sheets: Sheets, paper: pages.Paper, options: PageOptions) -> None:
    """Raise OverLimit for masks that cover too many pixels of a PDF."""
    scale = page_effects.MASK_DPI / 72
    area = paper.width * paper.height * scale**2
    page_effects.check(
        page, sheets.lowered, area, effects.PRINT, scale=scale / PX * options.scale, media=options.media_type
    )


def measure_boxes(
    page: cleaning.Page,
    sheets: Sheets,
    wanted: pages.Paper,
    options: PageOptions,
    warn: Warn,
    *,
    asked: float,
    vertical: writing_modes.Mode = "",
    along_lines: bool = False,
) -> dict[str, str]:
    """Convert grids to flex boxes, and lengths that mix units to pixels, by the room that each box has; let flex items
    shrink, and cut text.

    Media queries are evaluated for a width of `asked` CSS pixels. Pages of `vertical` text will be rotated.
    Returns the texts that private characters stand for.
    """
    written: dict[str, str] = {}
    cuts, turns = cut_lines.may_occur(sheets.lowered), writing_modes.may_occur(sheets.lowered)
    shrinking = flex_items.found(page, sheets.lowered, media=options.media_type)
    ratios = aspect_ratios.found(page, sheets.lowered, media=options.media_type)
    if not (sheets.has_grids or sheets.has_shares or cuts or turns or shrinking or ratios):
        return {}
    lengths = (wanted.width, wanted.height, *wanted.margins.around)
    width, height, top, right, bottom, left = (each / options.scale for each in lengths)
    sides = Margins(top, right + MARGIN, bottom, left)
    wide_paper = replace(wanted, width=width + MARGIN, height=height, margins=sides)
    rules = pages.sheet(None, wide_paper, PageOptions(), "", scale=1.0)

    def drawn(root: Any) -> bytes:
        batches.group(root)
        style_sheet(root, UNSEEN + vertical_measures.UNTURNED + rules)
        stream = BytesIO()
        laid_out(root, wide_paper, options, warn).write_to_pdf_stream(stream)
        return stream.getvalue()

    media = options.media_type
    size = exponential_layout.size(page, sheets.lowered, media=media)
    visited = batches.number(page, sheets.lowered, media=media)
    draw = Work(drawn, size + visited, max(MOST_LAID_OUT, _LEAST_MEASURED * size))
    if turns:
        high, wide = (each * PX for each in reversed(wanted.room))
        room = high / options.scale, wide / options.scale
        written = vertical_text.lower(
            page, sheets.lowered, draw, warn, media=media, room=room, pages=vertical, along_lines=along_lines
        )
    outside, within = shares.found(page, sheets.lowered, warn, media=media) if sheets.has_shares else ([], [])
    shares.lower(page.root, outside, draw, warn)
    if sheets.has_grids:
        grids.lower(page, sheets.lowered, draw, warn, media=media, width=asked)
    shares.lower(page.root, within, draw, warn)
    flex_items.let_shrink(page.root, shrinking, draw)
    aspect_ratios.lower(page.root, ratios, draw, warn)
    if cuts:
        cut_lines.lower(page, sheets.lowered, draw, warn, media=media)
    batches.forget(page.root)
    return written


def vertical_texts(
    page: cleaning.Page,
    sheets: Sheets,
    paper: pages.Paper,
    options: PageOptions,
    warn: Warn,
    *,
    vertical: writing_modes.Mode,
) -> dict[str, str]:
    """Turn the vertical boxes of a part of a document, or its pages, whose sides are those of its lines.

    Returns the texts that private characters stand for.
    """
    if not writing_modes.may_occur(sheets.lowered):
        return {}
    asked = paper.width * PX / options.scale
    return measure_boxes(page, sheets, paper, options, warn, asked=asked, vertical=vertical, along_lines=bool(vertical))


def one_page(root: Any, wanted: pages.Paper, options: PageOptions, warn: Warn) -> pages.Paper:
    """The paper that is as long as the content, at most as long as a page may be; page breaks are ignored."""
    style_sheet(root, _ONE_PAGE)
    tall = replace(wanted, height=LARGEST)
    rules = style_sheet(root, "")

    def laid(scale: float) -> plutoprint.Book:
        rules.text = pages.sheet(None, tall, PageOptions(), "", scale=scale)
        return laid_out(root, tall, options, warn, scale=scale)

    scale, room = options.scale, tall.room[0] * PX
    book = laid(scale)
    if options.fit_to_width and book.get_document_width() * scale > room + 2:
        scale = max(room / book.get_document_width(), SMALLEST_SCALE)
        book = laid(scale)
    content = book.get_document_height() / PX * scale
    rules.drop_tree()
    sides = wanted.margins
    return replace(wanted, height=min(max(content + 1, LEAST_TEXT) + sides.top + sides.bottom, LARGEST))


def laid_out(
    root: Any, paper: pages.Paper, options: PageOptions, warn: Warn, *, scale: float | None = None, last: bool = False
) -> plutoprint.Book:
    """Return the page laid out on a paper; with `last`, its tree is cleared.

    Raises Unreadable for markup that PlutoPrint refuses, and OverLimit for too many pages.
    """
    text = markup.tostring(root, encoding="unicode", doctype="<!DOCTYPE html>")
    if last:
        clear(root)
    # The requested width of the document is that on this paper.
    lengths = (paper.width, paper.height, *paper.margins.around)
    width, height, *sides = (each / (scale or 1.0) for each in lengths)
    book = plutoprint.Book(
        plutoprint.PageSize(width, height), plutoprint.PageMargins(*sides), _MEDIA[options.media_type]
    )
    book.custom_resource_fetcher = Refusing(warn)
    try:
        book.load_html(text, base_url=link_targets.BASE)
        limits.check_pages(book.get_page_count())
        if dashes.are_too_many(book, text):
            warn("CSS_UNSUPPORTED", "Dotted and dashed borders were drawn solid: they are too long.")
            book.load_html(dashes.solid(text), base_url=link_targets.BASE)
    except plutoprint.Error as error:
        raise Unreadable("The page can't be laid out. Simplify it and try again.", reason="limit") from error
    return book


def clear(root: Any) -> None:
    """Release a tree, which is most of the memory of a large page."""
    for each in reversed(list(root.iter("*"))):  # one by one, as lxml searches a detached tree for each element in it
        each.clear()


def style_sheet(root: Any, text: str, *, first: bool = False) -> Any:
    """One of our own style sheets, before or after those of the page."""
    element = root.makeelement("style")
    element.text = text
    if first:
        root.find("head").insert(0, element)
    else:
        root.find("body").append(element)
    return element


def warn_fitted(width: float, room: float, options: PageOptions, warn: Warn) -> None:
    """Warn of a page of a `width` that does not fit the `room` of its paper, both in CSS pixels."""
    scale = options.scale
    if width * scale <= room + 2:
        return
    if not options.fit_to_width:
        warn(
            "CONTENT_CLIPPED",
            say(
                "The page is {width} as wide as the paper; the excess was cut off.", width=f"{width / room * scale:.0%}"
            ),
        )
        return
    fitted = room / width
    if fitted > _NOTICED:
        return
    if fitted < SMALLEST_SCALE:
        warn("CONTENT_CLIPPED", "The page is more than ten times as wide as the paper; the excess was cut off.")
    small = say(" Its text is hard to read. Choose larger paper.") if fitted < 0.42 else ""
    warn(
        "WIDTH_FITTED",
        say(
            "The page is wider than the paper and was scaled to {fitted}.{small}",
            fitted=f"{max(fitted, SMALLEST_SCALE):.0%}",
            small=small,
        ),
    )
