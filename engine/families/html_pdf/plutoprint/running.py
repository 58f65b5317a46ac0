"""Draw headers and footers of any content into the margins of finished pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from html import escape
from io import BytesIO
from typing import Literal

import pikepdf
from lxml import html as markup

from engine.families.html_pdf.css import margin_boxes
from engine.families.html_pdf.css.pages import EDGE, GAP, Paper
from engine.families.html_pdf.options import PageOptions, PrintOptions, Running
from engine.families.html_pdf.paper import LEAST_TEXT, Margins
from engine.families.html_pdf.plutoprint import clusters, output
from engine.families.html_pdf.plutoprint.laid_part import beside
from engine.families.html_pdf.plutoprint.layered_backgrounds import HEAVIEST
from engine.families.html_pdf.source import cleaning
from engine.toolkit.failures import InvalidOption, OverLimit
from engine.toolkit.warnings import Warn

Edge = Literal["header", "footer"]
EDGES: tuple[Edge, Edge] = ("header", "footer")
MOST_TEXT = 16_000_000
"""The characters of all headers and footers together: 2 s of layout."""
_AT_ONCE = 200
_FIELD = re.compile(r"\{(page|pages|title|date)\}")
_CLASSES = {
    "pageNumber": "page", "page": "page", "totalPages": "pages", "topage": "pages", "title": "title", "date": "date",
}  # fmt: skip
"""The classes of empty elements that Puppeteer and wkhtmltopdf fill, and what with."""
PLAIN = ";".join(
    f"{each}!important"
    for each in (
        "position:static", "float:none", "display:block", "columns:auto", "margin:0", "border:0", "padding:0",
        "background:none", "box-sizing:content-box", "min-width:0", "max-width:none", "min-height:0", "max-height:none",
        "transform:none", "opacity:1", "overflow:visible", "break-before:auto", "break-after:auto", "break-inside:auto",
        "counter-increment:none",
    )
)  # fmt: skip
"""Declarations of a box that holds others, so that no rule for all elements moves it."""
SHEET = f"{PLAIN};position:relative!important;overflow:hidden!important;break-inside:avoid!important"
"""Declarations of a box for each page."""
_RESET = (
    f"html,body{{{PLAIN};width:auto!important;height:auto!important}}"
    f"html{HEAVIEST},body{HEAVIEST}{{background:none!important}}"
)


@dataclass(frozen=True)
class Heads:
    """The header and footer of the first page, and of the others, as HTML with fields; empty for none."""

    first: Mapping[Edge, str]
    others: Mapping[Edge, str]
    sheets: Sequence[str]
    """The style sheets in them."""
    number: int
    title: str
    size: float

    def page(self, paper: Paper, numbers: Sequence[int], count: int) -> str:
        """An HTML page with a sheet for each of these pages, of `count` in all, from 0."""
        sides = paper.margins
        across = f"{PLAIN};position:absolute!important;left:{sides.left:.2f}pt;width:{paper.room[0]:.2f}pt!important"
        size = f"width:{paper.width:.2f}pt!important;height:{paper.height - 0.1:.2f}pt!important"
        rules = (
            f"fc-run.fc-sheet{{{SHEET};{size}}}"
            f"fc-run.fc-header{{{across};top:{EDGE:.2f}pt}}fc-run.fc-footer{{{across};bottom:{EDGE:.2f}pt}}"
        )
        sheets = "".join(self._sheet(at, count) for at in numbers)
        return f"<!DOCTYPE html><html><head>{self._styles(rules)}</head><body>{sheets}</body></html>"

    def height(self, edge: Edge, width: float, warn: Warn) -> float:
        """The height of the header or footer on paper of a `width`, in points; 0 without one."""
        from engine.families.html_pdf.plutoprint import binding  # 8 modules for the few pages with these

        tallest = 0.0
        for each in {self.first[edge], self.others[edge]} - {""}:
            filled = self._filled(each, self.number + 999, 999)
            tallest = max(tallest, binding.height(f"{self._styles()}{self._box(filled)}", width, warn))
        return tallest

    def _sheet(self, at: int, count: int) -> str:
        heads = self.others if at else self.first
        boxes = [
            f"<fc-run class=fc-{edge}>"
            f"{self._box(self._filled(heads[edge], self.number + at, self.number + count - 1))}</fc-run>"
            for edge in EDGES
            if heads[edge]
        ]
        return f"<fc-run class=fc-sheet>{''.join(boxes)}</fc-run>"

    def _styles(self, rules: str = "") -> str:
        box = f"fc-run.fc-head{{{PLAIN};font:{self.size:g}pt/1.3 sans-serif;color:#444}}"
        return "".join(f"<style>{each}</style>" for each in (_RESET, *self.sheets, box, rules))

    @staticmethod
    def _box(text: str) -> str:
        return f"<fc-run class=fc-head>{text}</fc-run>"

    def _filled(self, text: str, page: int, total: int) -> str:
        values = {
            "page": str(page), "pages": str(total), "title": escape(self.title),
            "date": datetime.now(UTC).date().isoformat(),
        }  # fmt: skip
        return _FIELD.sub(lambda match: values[match[1]], text)


def batches(papers: Sequence[Paper]) -> Iterator[tuple[Paper, Sequence[int]]]:
    """The pages on each paper in turns, as the time for positioned boxes is quadratic in those of one layout."""
    for paper in dict.fromkeys(papers):
        own = [at for at, each in enumerate(papers) if each == paper]
        yield from ((paper, own[at : at + _AT_ONCE]) for at in range(0, len(own), _AT_ONCE))


def check_length(length: int) -> None:
    """Raise OverLimit if what is on all pages together is too long."""
    if length > MOST_TEXT:
        raise OverLimit("limit", "The header and footer are too long for so many pages. Use smaller pictures.")


def heads(options: PageOptions, title: str, *, apart: bool = False) -> Heads | None:
    """What the options ask for beyond a text in the middle; None if they ask for nothing else.

    If pages are drawn `apart` from their margins, texts in the middle are part of it.
    """
    apart = apart and bool(options.header_text or options.footer_text)
    if not isinstance(options, PrintOptions) or not (apart or _asked(options)):
        return None
    sheets: list[str] = []
    others = {edge: _head(options, edge, sheets) for edge in EDGES}
    first = others
    if options.first_page == "none":
        first = dict.fromkeys(EDGES, "")
    elif options.first_page == "own":
        first = {edge: _html(getattr(options, f"first_{edge}_html"), sheets) for edge in EDGES}
    return Heads(first, others, sheets, options.first_page_number, title, options.margin_text_size)


def with_room(paper: Paper, heads: Heads, warn: Warn) -> Paper:
    """The paper with margins that fit the header and the footer. Raises InvalidOption if no room is left for text."""
    needed = {}
    for edge in EDGES:
        height = heads.height(edge, paper.room[0], warn)
        needed[edge] = EDGE + height + GAP if height else 0.0
    sides = paper.margins
    sides = replace(sides, top=max(sides.top, needed["header"]), bottom=max(sides.bottom, needed["footer"]))
    grown = replace(paper, margins=sides)
    if grown.room[1] < LEAST_TEXT:
        raise InvalidOption("margin", "The header and footer leave no room for text. Make them shorter.")
    return grown


def without_texts(options: PageOptions) -> PageOptions:
    """The options without the texts that the margin boxes of pages would show."""
    return replace(options, header_text=None, footer_text=None)


def own_boxes(heads: Heads) -> str:
    """Rules that remove the document's own margin boxes where there is a header or footer."""
    edges = [name for edge, name in zip(EDGES, ("top", "bottom"), strict=True) if heads.others[edge]]
    boxes = "".join(margin_boxes.without(margin_boxes.BESIDE[each]) for each in edges)
    return f"@page{{{boxes}}}@page :first{{{boxes}}}" if boxes else ""


def draw(
    pdf: pikepdf.Pdf, heads: Heads, papers: Sequence[Paper], warn: Warn, shaped: clusters.Clusters, *, cover: int
) -> None:
    """Draw the header and footer on each page but those of the `cover`, with their links to web addresses.

    `papers` are those of these pages. Raises OverLimit.
    """
    check_length(sum(map(len, heads.first.values())) + len(papers) * sum(map(len, heads.others.values())))
    targets = list(pdf.pages)[cover:]
    for paper, numbers in batches(papers):
        whole = Paper(paper.width, paper.height, Margins(0.0, 0.0, 0.0, 0.0))
        stream = BytesIO()
        beside(heads.page(paper, numbers, len(papers)), whole, warn, shaped).write_to_pdf_stream(stream)
        with output.opened(stream) as drawn:
            for at, source in zip(numbers, drawn.pages, strict=False):
                targets[at].add_overlay(source, pikepdf.Rectangle(*map(float, targets[at].mediabox)))
                _copy_links(pdf, targets[at], source)


def _copy_links(pdf: pikepdf.Pdf, target: pikepdf.Page, source: pikepdf.Page) -> None:
    for each in source.get("/Annots", ()):
        if "/A" in each and "/URI" in each.A:
            link = pikepdf.Dictionary(
                Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Link, Rect=[float(side) for side in each.Rect],
                Border=[0, 0, 0], A=pikepdf.Dictionary(S=pikepdf.Name.URI, URI=pikepdf.String(str(each.A.URI))),
            )  # fmt: skip
            if "/Annots" not in target:
                target.obj.Annots = pikepdf.Array()
            target.obj.Annots.append(pdf.make_indirect(link))


def _asked(options: PrintOptions) -> bool:
    if any(getattr(options, each.name) != each.default for each in fields(Running)):
        return True
    # Margin boxes would count a cover, and not the pages of contents.
    return bool((options.cover_html or options.contents) and (options.header_text or options.footer_text))


def _head(options: PrintOptions, edge: Edge, sheets: list[str]) -> str:
    """The header or footer of a page: HTML above a row of texts, and a line."""
    own = _html(getattr(options, f"{edge}_html"), sheets)
    texts = [getattr(options, f"{edge}_{side}") or "" for side in ("left", "text", "right")]
    row = ""
    if any(each.strip() for each in texts):
        cells = "".join(
            f"<td style='width:33.3%;padding:0;vertical-align:top;white-space:pre-wrap;text-align:{side}'>"
            f"{escape(text)}</td>"
            for side, text in zip(("left", "center", "right"), texts, strict=True)
        )
        row = f"<table style='width:100%;border-collapse:collapse;font:inherit;color:inherit'><tr>{cells}</table>"
    both = f"{own}{row}"
    if not getattr(options, f"{edge}_line"):
        return both
    style = "border-bottom:.5pt solid #888;padding-bottom:3pt" if edge == "header" else ""
    style = style or "border-top:.5pt solid #888;padding-top:3pt"
    return f"<div style='{style}'>{both}</div>"


def _html(text: str | None, sheets: list[str]) -> str:
    """The content of an HTML text, with fields for what Puppeteer and wkhtmltopdf fill; its style sheets are moved."""
    if not (text and text.strip()):
        return ""
    root = cleaning.parse(text)
    for style in list(root.iter("style")):
        sheets.append(style.text or "")
        style.drop_tree()
    for element in root.iter():
        found = {_CLASSES[each] for each in (element.get("class") or "").split() if each in _CLASSES}
        if found and not len(element) and not (element.text or "").strip():
            element.text = f"{{{found.pop()}}}"
    body = root.find("body")
    return (body.text or "") + "".join(markup.tostring(each, encoding="unicode") for each in body)
