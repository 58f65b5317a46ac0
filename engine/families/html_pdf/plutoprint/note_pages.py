"""Measure footnotes, and draw pages on top of those of a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import plutoprint

from engine.families.html_pdf.css import pages
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.paper import LARGEST, Margins
from engine.families.html_pdf.parts import Notes
from engine.families.html_pdf.plutoprint import clusters, footnotes, link_targets
from engine.families.html_pdf.plutoprint.layout import UNSEEN, laid_out, prepared, style_sheet
from engine.families.html_pdf.tagged.document import Tagged
from engine.toolkit.warnings import Warn


@dataclass(frozen=True)
class NotePages:
    """A book of notes, and which of its pages belongs to which page of the text."""

    book: plutoprint.Book
    sheets: Mapping[int, int]
    last: Mapping[int, int] = field(default_factory=dict)
    """The number of links in the notes of each page of the text."""
    own: frozenset[str] = frozenset()
    """The names of link targets in the notes."""


def heights(notes: Notes, paper: pages.Paper, warn: Warn, shaped: clusters.Clusters) -> dict[str, float]:
    """The space each note takes at the foot of a page."""
    names = [f"{each}-h" for each in notes.texts]
    texts = zip(names, notes.texts.values(), strict=True)
    inside = "".join(f'<div id="{name}" style="overflow:hidden">{text}</div>' for name, text in texts)
    links = "".join(f'<a href="#{name}"></a>' for name in (*names, "end-h"))
    html = notes.page(f'{inside}<div id="end-h">.</div><div style="display:none">{links}</div>')
    endless = pages.Paper(_width(notes, paper), LARGEST, Margins(0.0, 0.0, 0.0, 0.0))
    page, _ = prepared(html, warn, media="print", backgrounds=True)
    link_targets.name(page)
    book = laid(page.root, endless, warn, shaped.replace(page))
    found = footnotes.find_marks(book, frozenset((*names, "end-h"))).places
    tops = [found[name][0] * LARGEST + found[name][1] for name in (*names, "end-h")]
    rooms = (after - before for before, after in pairwise(tops))
    return {name: room + footnotes.RULE for name, room in zip(notes.texts, rooms, strict=True)}


def drawn(
    notes: Notes,
    wanted: Mapping[int, Sequence[str]],
    paper: pages.Paper,
    warn: Warn,
    shaped: clusters.Clusters,
    elsewhere: frozenset[str],
    tags: Tagged | None,
) -> NotePages:
    """The notes of each page, by its number, as full-size pages; with `tags`, those of their twin."""
    sheets = {at: number for number, at in enumerate(sorted(wanted))}
    found = []
    beside = paper.margins.left + notes.left
    for at, number in sheets.items():
        inside = [notes.texts[name] for name in wanted[at]]
        block = footnotes.sheet(inside, left=beside, width=_width(notes, paper), bottom=paper.margins.bottom)
        after = ";break-after:page" if number < len(sheets) - 1 else ""
        room = f"position:relative;overflow:hidden;height:{paper.height - 0.5:.2f}pt;width:{paper.width:.2f}pt{after}"
        found.append(f'<div style="{room}">{block}</div>')
    page, _ = prepared(notes.page("".join(found)), warn, media="print", backgrounds=True)
    link_targets.name(page, elsewhere)
    whole = pages.Paper(paper.width, paper.height, Margins(0.0, 0.0, 0.0, 0.0))
    written = shaped.replace(page)
    own = frozenset(name for each in page.root.iter() if (name := each.get("id")))
    if tags is not None:
        tags.coloured(page.root, links=False)
    book = laid(page.root, whole, warn, written, last=tags is None)
    links = footnotes.find_marks(book, frozenset()).links
    last = {at: links[number] for at, number in sheets.items() if number < len(links)}
    return NotePages(book, sheets, last, own)


def laid(root: Any, paper: pages.Paper, warn: Warn, shaped: str, *, last: bool = True) -> plutoprint.Book:
    """Lay out a page that we wrote on its paper; `shaped` is the style sheet of its shaped characters.

    With `last`, its tree is cleared.
    """
    style_sheet(root, UNSEEN + shaped, first=True)
    style_sheet(root, pages.sheet(None, paper, PageOptions(), "", scale=1.0))
    return laid_out(root, paper, PageOptions(), warn, last=last)


def _width(notes: Notes, paper: pages.Paper) -> float:
    return max(paper.room[0] - notes.left - notes.right, 30.0)
