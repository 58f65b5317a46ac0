"""One page through PlutoPrint: cleaned and bounded, its styles lowered, drawn, and finished as a PDF."""

from __future__ import annotations

import gc
import os
import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

os.environ["FONTCONFIG_FILE"] = str(
    Path(__file__).resolve().parents[3] / "fonts/fonts.conf"
)  # read when the first page is drawn

import plutoprint
from lxml import etree
from lxml import html as markup
from PIL import Image

from conversions.families.html_pdf.css import pages
from conversions.families.html_pdf.css.media import PAGE_WIDTH, answered
from conversions.families.html_pdf.css.sheets import Sheets
from conversions.families.html_pdf.options import PageOptions, Viewport
from conversions.families.html_pdf.paper import Margins
from conversions.families.html_pdf.plutoprint import (
    alignment,
    batches,
    breaks,
    clusters,
    column_pages,
    families,
    finishing,
    grids,
    headings,
    legends,
    missing,
    places,
    screen,
)
from conversions.families.html_pdf.plutoprint.grid_measure import MARGIN
from conversions.families.html_pdf.plutoprint.written import Written
from conversions.families.html_pdf.source import cleaning, fields, limits, pictures, reading
from conversions.families.html_pdf.source.references import blocked
from conversions.toolkit.data_uris import data_uri
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

PX = 4 / 3
_SVG = "{http://www.w3.org/2000/svg}"
_SMALLEST_SCALE = 0.1
_SCRIPTS = "Ünï Żółw Ελλάς Русь עברית العربية हिन्दी ไทย 東京 中文 한국 ☑ → 😀"
PRODUCER = f"PlutoPrint {plutoprint.__version__}"
UNSEEN = (
    "fc-run{font:inherit;color:inherit}fc-run[hidden]{display:none!important}rp{display:none}"
    "rt::before{content:'('}rt::after{content:')'}"  # no reading is drawn above its words
)
_MEDIA = {"print": plutoprint.MEDIA_TYPE_PRINT, "screen": plutoprint.MEDIA_TYPE_SCREEN}


class _Refusing(plutoprint.ResourceFetcher):
    """Fetches nothing: whatever is not inside the page is reported, and empty."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn

    def fetch_url(self, url: str, *_: Any, **__: Any) -> plutoprint.ResourceData:
        blocked(url.removeprefix(places.BASE), self._warn)
        return plutoprint.ResourceData(b"", "text/plain")


def render(html: str | bytes, target: Path, options: PageOptions, warn: Warn, *, title: str | None = None) -> None:
    """Write `html` as a PDF to `target`, as `html_pdf.render.render` says."""
    page, sheets = prepared(html, warn, media=options.media_type, backgrounds=options.background)
    pages.say_unlike(sheets.lowered, warn)
    own = pages.declared(sheets.lowered)
    wanted = pages.chosen(own, options, warn)
    asked = (wanted.width * PX if options.page_size or options.orientation != "auto" else PAGE_WIDTH) / options.scale
    for element in page.sheets:
        element.text = answered(element.text or "", asked)
    sheets.lowered[:] = [answered(each, asked) for each in sheets.lowered]
    if sheets.has_grids:
        _lower_grids(page, sheets, wanted, options, warn, asked=asked)
    cleaning.split_texts(page)
    breaks.move(page, sheets.lowered, media=options.media_type)
    batches.batch(page, sheets.lowered, media=options.media_type)
    outline = places.name(page)
    named = options.title or page.title or title or ""
    letters = clusters.Clusters()
    style_sheet(page.root, UNSEEN + letters.replace(page), first=True)
    if not options.background:
        style_sheet(page.root, pages.without_backgrounds())
    injected = style_sheet(page.root, "")
    scale = None if options.fit_to_width and options.scale == 1 else options.scale
    injected.text = pages.sheet(own if options.scale == 1 else None, wanted, options, named, scale=scale)
    again = scale is not None and options.fit_to_width
    columned = breaks.in_columns(sheets.lowered)
    parted = column_pages.wrappers(page, sheets.lowered, media=options.media_type)
    book = laid_out(page.root, wanted, options, warn, scale=scale, last=not (again or columned or parted))
    width, room = book.get_document_width(), wanted.room[0] * PX
    if columned and width * options.scale > room + 2:
        breaks.free_columns(page, sheets.lowered, media=options.media_type)
        book = laid_out(page.root, wanted, options, warn, scale=scale, last=not (again or parted))
        width = book.get_document_width()
    if again and width * options.scale > room + 2:
        scale = max(room / width, _SMALLEST_SCALE)
        injected.text = pages.sheet(None, wanted, options, named, scale=scale)
        book = laid_out(page.root, wanted, options, warn, scale=scale)
        width = book.get_document_width()
    if parted and book.get_page_count() > 1:

        def lay() -> plutoprint.Book:
            return laid_out(page.root, wanted, options, warn, scale=scale)

        book = column_pages.kept(page.root, parted, wanted, scale, lay, warn)
        width = book.get_document_width()
    say_fitted(width, room, options, warn)
    stream = Written(book.get_page_count(), warn)
    book.write_to_pdf_stream(stream)
    del book  # it holds the page several times over
    finishing.finish(
        stream,
        target,
        title=named,
        language=page.language,
        metadata=page.metadata,
        headings=outline,
        ranges=options.page_ranges,
        producer=PRODUCER,
        written=letters.written,
    )


_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What style sheets may have, escaped, and the tree of a page may not (XML 1.0, 2.2)."""


def prepared(html: str | bytes, warn: Warn, *, media: str, backgrounds: bool) -> tuple[cleaning.Page, Sheets]:
    """A page that is cleaned and bounded, its style sheets lowered and its characters looked up."""
    text = html if isinstance(html, str) else reading.decode(html, warn)
    page = cleaning.clean(cleaning.parse(text), warn)
    sheets = Sheets(frozenset(page.names), warn, backgrounds=backgrounds)
    for element in page.sheets:
        queries = element.attrib.pop("media", "")
        element.attrib.pop("type", None)
        element.text = _NO_XML.sub("\ufffd", sheets.sheet(element.text or "", queries))
    for element in page.styled:
        element.set("style", _NO_XML.sub("\ufffd", sheets.inline(element.get("style") or "")))
    limits.check_variables(sheets.lowered)
    if page.names.intersection(fields.NAMES):
        style_sheet(page.root, fields.style(page.root), first=True)
    alignment.align(page, sheets.lowered, media=media)
    legends.raise_them(page, sheets.lowered, media=media)
    headings.enlarge(page, sheets.lowered, media=media)
    missing.report(page.characters, sheets.lowered, warn)
    families.report(sheets.fonts, sheets.lowered, warn)
    return page, sheets


def draw(svg: bytes, size: tuple[float, float], target: Path, warn: Warn) -> None:
    """Write a drawing as a PDF of one page, as `html_pdf.render.draw` says; `size` is in points."""
    root = _plainly_named(svg)
    try:
        uri = pictures.readable(data_uri("image/svg+xml", etree.tostring(root)), warn)
    except pictures.Unusable as reason:
        raise Unreadable(f"The SVG can't be drawn: {reason}.") from reason
    if next(root.iter(f"{_SVG}mask"), None) is not None:
        warn("DRAWING_RASTERIZED", "What <mask> covers in the drawing became a picture of 300 dots per inch.")
    missing.report(set("".join(root.itertext(f"{_SVG}text", f"{_SVG}tspan"))), (), warn)
    title = " ".join((root.findtext(f"{_SVG}title") or "").split())
    width, height = (f"{each:.4f}pt" for each in size)
    page = (
        f"<!DOCTYPE html><style>@page{{size:{width} {height};margin:0}}html,body{{margin:0}}"
        f"img{{position:absolute;top:0;left:0;width:{width};height:{height}}}</style><img src='{uri}'>"
    )
    book = plutoprint.Book(plutoprint.PageSize(*size), plutoprint.PAGE_MARGINS_NONE, plutoprint.MEDIA_TYPE_PRINT)
    book.custom_resource_fetcher = _Refusing(warn)
    stream = BytesIO()
    try:
        book.load_html(page, base_url=places.BASE)
        book.write_to_pdf_stream(stream, 1, 1)
    except plutoprint.Error as error:
        raise Unreadable("The SVG can't be drawn: simplify it, and try again.") from error
    finishing.finish(
        stream, target, title=title[:300], language=None, metadata={}, headings=(), ranges=None, producer=PRODUCER,
        written={},
    )  # fmt: skip


def on_screen(html: str | bytes, options: Viewport, format: str, warn: Warn) -> Image.Image:
    """A page as it is on a screen, as RGB or, where what is behind it is transparent, RGBA. Raises OverLimit."""
    page, sheets = prepared(html, warn, media=options.media_type, backgrounds=True)
    width, height = (each / PX for each in (options.viewport_width, options.viewport_height))
    window = pages.Paper(width, height, Margins(0.0, 0.0, 0.0, 0.0))
    media = PageOptions(media_type=options.media_type)
    if sheets.has_grids:
        _lower_grids(page, sheets, window, media, warn, asked=options.viewport_width)
    cleaning.split_texts(page)
    style_sheet(page.root, UNSEEN, first=True)
    filled = "" if options.full_page else "html{min-height:100vh}"
    style_sheet(page.root, filled + pages.sheet(None, window, PageOptions(), "", scale=1.0))
    book = laid_out(page.root, window, media, warn, last=True)
    return screen.drawn(book, options, format, warn)


def _plainly_named(svg: bytes) -> Any:
    """The root of a drawing, whose elements have no prefix, whichever they had."""
    root = etree.fromstring(svg)
    for element in root.iter():
        if isinstance(element.tag, str) and not element.tag.startswith("{"):
            element.tag = _SVG + element.tag
    plain = etree.Element(root.tag, root.attrib, nsmap={None: _SVG[1:-1], "xlink": "http://www.w3.org/1999/xlink"})
    plain.text = root.text
    plain.extend(list(root))
    etree.cleanup_namespaces(plain)
    return plain


def _lower_grids(
    page: cleaning.Page, sheets: Sheets, wanted: pages.Paper, options: PageOptions, warn: Warn, *, asked: float
) -> None:
    """Turn grids into what PlutoPrint knows; media queries are answered for a width of `asked` CSS pixels."""
    lengths = (wanted.width, wanted.height, *wanted.margins.around)
    width, height, top, right, bottom, left = (each / options.scale for each in lengths)
    sides = Margins(top, right + MARGIN, bottom, left)
    room = replace(wanted, width=width + MARGIN, height=height, margins=sides)
    said = pages.sheet(None, room, PageOptions(), "", scale=1.0)

    def draw(root: Any) -> bytes:
        style_sheet(root, UNSEEN + said)
        stream = BytesIO()
        laid_out(root, room, options, warn).write_to_pdf_stream(stream)
        return stream.getvalue()

    grids.lower(page, sheets.lowered, draw, warn, media=options.media_type, width=asked)


def laid_out(
    root: Any, paper: pages.Paper, options: PageOptions, warn: Warn, *, scale: float | None = None, last: bool = False
) -> plutoprint.Book:
    text = markup.tostring(root, encoding="unicode", doctype="<!DOCTYPE html>")
    if last:
        root.clear()  # for a large page its tree is most of the memory
    # The width of the document that is asked for later is the one that it has on this paper.
    lengths = (paper.width, paper.height, *paper.margins.around)
    width, height, *sides = (each / (scale or 1.0) for each in lengths)
    book = plutoprint.Book(
        plutoprint.PageSize(width, height), plutoprint.PageMargins(*sides), _MEDIA[options.media_type]
    )
    book.custom_resource_fetcher = _Refusing(warn)
    try:
        book.load_html(text, base_url=places.BASE)
        limits.check_pages(book.get_page_count())
    except plutoprint.Error as error:
        raise Unreadable("The page can't be laid out: simplify it, and try again.") from error
    return book


def say_fitted(width: float, room: float, options: PageOptions, warn: Warn) -> None:
    scale = options.scale
    if width * scale <= room + 2:
        return
    if not options.fit_to_width:
        warn("CONTENT_CLIPPED", f"The page is {width / room * scale:.0%} as wide as its paper; the rest is cut off.")
        return
    fitted = room / width
    if fitted < _SMALLEST_SCALE:
        warn("CONTENT_CLIPPED", "The page is more than ten times as wide as its paper; what is beyond it is cut off.")
    small = " Its text is hard to read: choose a larger paper." if fitted < 0.42 else ""
    warn(
        "WIDTH_FITTED",
        f"The page is wider than its paper and was printed at {max(fitted, _SMALLEST_SCALE):.0%}.{small}",
    )


def style_sheet(root: Any, text: str, *, first: bool = False) -> Any:
    """A style sheet of our own, before or after those of the page."""
    element = root.makeelement("style")
    element.text = text
    if first:
        root.find("head").insert(0, element)
    else:
        root.find("body").append(element)
    return element


def warm() -> None:
    """Load the fonts and fill the tables that the first document would otherwise wait for."""
    latin = "".join(f"<{tag}>Warm</{tag}>" for tag in ("b", "i", "pre", "h1", "code"))
    text = f"<style>p{{color:#123;& b{{margin:1px}}}}</style><p>{_SCRIPTS}<p style='font-family:Arial'>{latin}"
    book = laid_out(cleaning.parse(text), pages.Paper(), PageOptions(), Warn())
    book.write_to_pdf_stream(BytesIO())
    warn = Warn()
    Sheets(frozenset(("p",)), warn).sheet("p{color:oklch(0.7 0.1 200)}")
    missing.report(set(_SCRIPTS), (), warn)
    gc.collect()
