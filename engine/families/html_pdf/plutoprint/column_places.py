"""Find where a layout puts elements, and which sections in columns cross pages."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from engine.families.html_pdf.plutoprint import output
from engine.families.html_pdf.plutoprint.column_boxes import Columns
from engine.families.html_pdf.plutoprint.column_cuts import NAME, unwrap
from engine.families.html_pdf.plutoprint.column_lines import Place
from engine.families.html_pdf.plutoprint.finishing import destinations
from engine.families.html_pdf.plutoprint.laying_again import PageWork
from engine.families.html_pdf.source.cleaning import Element

FLAT = "display:block;height:1px;margin-bottom:-1px"
"""Declarations of a mark that takes no room."""


def over_pages(root: Element, found: Sequence[Columns], lay: PageWork) -> list[Columns]:
    """The sections whose first and last words are on different pages."""
    ends: list[list[str]] = []
    marks: list[Element] = []
    for number, each in enumerate(columns.element for columns in found):
        before, after = (each.makeelement("fc-run", id=f"{NAME}-{side}-{number}") for side in ("a", "z"))
        for mark in (before, after):
            mark.set("style", FLAT)
        before.tail, each.text = each.text, None
        each.insert(0, before)
        each.append(after)
        marks += [before, after]
        ends.append([before.get("id"), after.get("id")])
    places, _ = look(root, [name for pair in ends for name in pair], lay)
    for mark in marks:
        unwrap(mark)
    return [
        each
        for each, (first, last) in zip(found, ends, strict=True)
        if first in places and last in places and places[first].page < places[last].page
    ]


def look(root: Element, names: list[str], lay: PageWork) -> tuple[dict[str, Place], float]:
    """The positions of elements by id, and the width of the document."""
    body = root.find("body")
    hidden = body.makeelement("fc-run", hidden="")
    for name in names:
        hidden.append(body.makeelement("a", href=f"#{name}"))
    body.append(hidden)
    stream = BytesIO()
    book = lay()
    book.write_to_pdf_stream(stream)
    body.remove(hidden)
    wanted = frozenset(names)
    with output.opened(stream) as pdf:
        numbers = {page.obj.objgen: (at, float(page.mediabox[3])) for at, page in enumerate(pdf.pages)}
        found = {}
        for name, place in destinations(pdf).items():
            if name in wanted:
                at, height = numbers[place[0].objgen]
                found[name] = Place(at, float(place[2]), height - float(place[3]))
        return found, book.get_document_width()
