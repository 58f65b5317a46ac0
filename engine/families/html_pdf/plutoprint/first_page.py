"""The first page with a size and margins of its own (CSS Paged Media 3, 4.1): PlutoPrint has one paper for all pages.

A cover that fills its page or ends in a forced break is laid out on its own paper, and replaces the first page of the
others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

import pikepdf
import plutoprint

from engine.families.html_pdf.css import pages
from engine.families.html_pdf.css.pages import Paper
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.plutoprint import finishing, output
from engine.families.html_pdf.plutoprint.declared import of_page, word_of
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.plutoprint.layout import laid_out, style_sheet
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Warn

Lay = Callable[[Paper], plutoprint.Book]
_FORCED = frozenset(("page", "always", "left", "right", "recto", "verso"))
_BEFORE, _AFTER = ("break-before", "page-break-before"), ("break-after", "page-break-after")
_NAMES = (*_BEFORE, *_AFTER, "display", "position")
_OUT_OF_FLOW = ("absolute", "fixed", "running")
_COLLAPSED = ";".join(
    f"{each}!important"
    for each in (
        "height:1px", "min-height:0", "max-height:1px", "margin:0", "padding:0", "border:0", "overflow:hidden",
        "background:none",
    )
)  # fmt: skip
_LINE = "display:block!important;float:none!important;position:static!important"
_DRAWN = ("/Contents", "/Resources", "/MediaBox", "/Group")
"""What is drawn on a page, which refers to no other page."""


@dataclass
class Cover:
    """The box that fills the first page, and its paper."""

    box: Element
    paper: Paper
    _style: str | None = None

    def collapse(self) -> None:
        """Let the box take no room on the paper of the other pages."""
        self._style = self.box.get("style")
        add_style(self.box, _COLLAPSED)

    def replace(self, pdf: pikepdf.Pdf, lay: Lay, mend: Callable[[pikepdf.Pdf], None]) -> None:
        """Draw the box on its own paper as the first page of a PDF; `mend` is applied to the page before."""
        _set_style(self.box, self._style)
        stream = BytesIO()
        lay(self.paper).write_to_pdf_stream(stream)
        with output.opened(stream) as drawn:
            mend(drawn)
            self._take(pdf, drawn)

    def _take(self, pdf: pikepdf.Pdf, drawn: pikepdf.Pdf) -> None:
        links, places = drawn.pages[0].get("/Annots", ()), finishing.destinations(drawn)
        bare = drawn.make_indirect(
            pikepdf.Dictionary({each: drawn.pages[0].obj[each] for each in _DRAWN if each in drawn.pages[0].obj})
        )
        page, source = pdf.pages[0], pdf.copy_foreign(bare)
        for old, new in zip(page.get("/Annots", ()), links, strict=False):
            old.Rect = [float(each) for each in new.Rect]
        for name, place in finishing.destinations(pdf).items():
            if place[0].objgen == page.obj.objgen and name in places:
                place[1:] = [None if each is None else _plain(each) for each in list(places[name])[1:]]
        for key, value in source.items():
            page.obj[key] = value


def trial(page: Page, options: PageOptions, title: str, paper: Paper) -> plutoprint.Book:
    """The page on a paper, before anything of it is measured."""
    rules = style_sheet(page.root, pages.sheet(None, paper, options, title, scale=options.scale))
    book = laid_out(page.root, paper, options, Warn(), scale=options.scale)
    rules.drop_tree()
    return book


def found(page: Page, sheets: list[str], paper: Paper, lay: Lay, *, media: str) -> Cover | None:
    """The box that is alone on the first page of a document; None if there is no such box.

    It ends in a forced break, or leaves no room for a line behind it; then it gets such a break.
    """
    box, is_forced = _first_box(page, sheets, media=media)
    if box is None:
        return None
    rest = [each for up in (box, *box.iterancestors()) if up.tag != "body" for each in up.itersiblings()]
    rest = [each for each in rest if isinstance(each.tag, str) and each.tag not in ("style", "head")]
    styles = [each.get("style") for each in rest]
    for each in rest:
        add_style(each, "display:none!important")
    fits = lay(paper).get_page_count() == 1
    if fits and not is_forced:
        line = box.makeelement("fc-run", style=_LINE)
        line.text = "line"
        box.addnext(line)
        fits = lay(paper).get_page_count() == 2
        line.drop_tree()
    for each, style in zip(rest, styles, strict=True):
        _set_style(each, style)
    if fits and not is_forced:
        add_style(box, "break-after:page!important")
    return Cover(box, paper) if fits else None


def _first_box(page: Page, sheets: list[str], *, media: str) -> tuple[Element | None, bool]:
    """The first of several boxes, in whatever boxes these are, and whether it ends in a forced break."""
    declarations = of_page(page, sheets, _NAMES, media=media)

    def breaks(element: Element, names: tuple[str, ...]) -> bool:
        return any(word_of(declarations, element, each) in _FORCED for each in names)

    def flows(element: Element) -> bool:
        shown = isinstance(element.tag, str) and element.tag not in ("style", "head", "title")
        position = word_of(declarations, element, "position")
        return shown and word_of(declarations, element, "display") != "none" and not position.startswith(_OUT_OF_FLOW)

    box = page.root.find("body")
    while box is not None:
        if (box.text or "").strip():
            break
        inside = [each for each in box if flows(each)]
        if not inside or any((each.tail or "").strip() for each in box):
            break
        box, *after = inside
        if after:
            return box, breaks(box, _AFTER) or breaks(after[0], _BEFORE)
    return None, False


def _set_style(element: Element, style: str | None) -> None:
    if style is None:
        element.attrib.pop("style", None)
    else:
        element.set("style", style)


def _plain(value: object) -> object:
    return float(value) if not isinstance(value, pikepdf.Name) else value  # type: ignore[arg-type]
