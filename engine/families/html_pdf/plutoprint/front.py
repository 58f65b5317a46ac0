"""Put a cover and a table of contents before the finished pages of a document."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from io import BytesIO

import pikepdf

from engine.families.html_pdf.css.pages import Paper
from engine.families.html_pdf.options import PrintOptions
from engine.families.html_pdf.paper import Margins
from engine.families.html_pdf.plutoprint import clusters, link_targets, output
from engine.families.html_pdf.plutoprint.finishing import Heading, destinations
from engine.families.html_pdf.plutoprint.laid_part import beside
from engine.families.html_pdf.source.reading import with_styles
from engine.families.html_pdf.tagged.document import Tagged
from engine.toolkit.warnings import Warn

_STYLE = (
    "body{font-family:sans-serif;font-size:11pt;margin:0}h1{font-size:18pt;margin:0 0 12pt}"
    "a{color:inherit;text-decoration:none}table{width:100%;border-collapse:collapse;border-spacing:0}"
    "td{padding:2pt 0;vertical-align:bottom;border-bottom:.5pt solid #999}tr{break-inside:avoid}"
    ".number{width:3em;text-align:right}"
)
_DOTTED = "td{border-bottom-style:dotted}"
_FEW = 500
"""The entries up to which lines are dotted: each page takes as long as the dots of all, 0.1 s, and is drawn thrice."""
_TRIES = 3
"""Longer numbers may take another page, which makes the numbers longer once more at most."""
_INDENT = 14
"""Points by which each level is indented."""


def insert(
    pdf: pikepdf.Pdf,
    options: PrintOptions,
    paper: Paper,
    headings: Sequence[Heading],
    title: str,
    warn: Warn,
    shaped: clusters.Clusters,
    tags: Tagged | None,
) -> int:
    """Insert what the options ask for, and return the number of cover pages.

    With `tags`, they are read. Pages of contents count with those of the text, the cover doesn't.
    """
    contents = _contents(pdf, options, paper, headings, title, warn, shaped, tags) if options.contents else []
    cover: list[pikepdf.Page] = []
    if options.cover_html and options.cover_html.strip():
        sheet = Paper(paper.width, paper.height, Margins(0.0, 0.0, 0.0, 0.0))
        styled = with_styles(options.cover_html, options.css, warn)
        cover = _drawn(styled, sheet, pdf, warn, shaped)
        if tags is not None:
            _tag(styled, cover, sheet, shaped, tags)
    for page in reversed([*cover, *contents]):
        pdf.pages.insert(0, page)
    return len(cover)


def _contents(
    pdf: pikepdf.Pdf,
    options: PrintOptions,
    paper: Paper,
    headings: Sequence[Heading],
    title: str,
    warn: Warn,
    shaped: clusters.Clusters,
    tags: Tagged | None,
) -> list[pikepdf.Page]:
    """The pages of the table of contents; their own number shifts the numbers in them."""
    numbers = {page.obj.objgen: at for at, page in enumerate(pdf.pages, options.first_page_number)}
    found = {name: numbers.get(place[0].objgen) for name, place in destinations(pdf).items()}
    entries = [(each, found.get(each.place)) for each in headings if each.level <= options.contents_depth]
    known = [(each, number) for each, number in entries if number is not None]  # hidden headings have no place
    if not known:
        warn("CONTENT_DROPPED", "There is no table of contents, as the document has no headings.")
        return []
    least = min(each.level for each, _ in known)
    made: list[pikepdf.Page] = []
    for _ in range(_TRIES):
        shift = len(made)
        rows = "".join(
            f"<tr><td style='padding-left:{(each.level - least) * _INDENT}pt'>"
            f"<a href='{link_targets.ELSEWHERE}{each.place}'>{escape(each.text)}</a></td>"
            f"<td class=number>{number + shift}</td></tr>"
            for each, number in known
        )
        heading = escape(options.contents_title or title)
        style = _STYLE + _DOTTED * (len(known) <= _FEW)
        html = f"<style>{style}</style>{f'<h1>{heading}</h1>' if heading else ''}<table role='doc-toc'>{rows}</table>"
        styled = with_styles(html, options.css, warn)
        made = _drawn(styled, paper, pdf, warn, shaped)
        if shift == len(made):
            break
    if tags is not None:
        _tag(styled, made, paper, shaped, tags)
    return made


def _drawn(
    html: str | bytes, paper: Paper, pdf: pikepdf.Pdf, warn: Warn, shaped: clusters.Clusters
) -> list[pikepdf.Page]:
    """The pages of an HTML text as pages of `pdf`, not yet in its order."""
    stream = BytesIO()
    beside(html, paper, warn, shaped).write_to_pdf_stream(stream)
    with output.opened(stream) as drawn:
        return [pikepdf.Page(pdf.copy_foreign(each.obj)) for each in drawn.pages]


def _tag(
    html: str | bytes, pages: Sequence[pikepdf.Page], paper: Paper, shaped: clusters.Clusters, tags: Tagged
) -> None:
    """Read the tags of pages of an HTML text, which comes before what was read until now."""
    twin = BytesIO()
    beside(html, paper, Warn(), shaped, tags).write_to_pdf_stream(twin)
    tags.read(pages, twin)
