"""Convert a Word document to PDF pages, or to one page for browsers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from html import escape
from operator import attrgetter
from pathlib import Path
from typing import Literal, cast

from engine.families.documents.html_document import HtmlDocument
from engine.families.documents.ooxml.package import Package
from engine.families.documents.word import job, line_numbers, other_heads, page_positions, running_titles
from engine.families.documents.word.base_style import PLACED_APART
from engine.families.documents.word.names import pt
from engine.families.documents.word.page_numbers import PageNumber, asked, filled
from engine.families.documents.word.reading import (
    IDS,
    Read,
    Running,
    Sheets,
    as_endnotes,
    header_kind,
    read,
)
from engine.families.documents.word.sections import Paper
from engine.families.html_pdf import render
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.parts import Notes, Part
from engine.toolkit.warnings import Warn

Changes = Literal["accept", "reject", "all"]
_FIRST = {"": PageNumber(1, 1, 1)}
_LAYOUTS = 3
"""Layouts after which places that still move are left as they are."""
_MODES = {"rl": "vertical-rl", "lr": "vertical-lr", "up": "sideways-lr"}
_ALIGNED = re.compile(r'<div id="(y\d+)"')
_SHARES = {"center": 0.5, "bottom": 1.0}
"""The share of the empty room of a page that is above its text."""
_NEAR = 1.0
"""Points between two places that look the same."""
_MOST_RUNNING = 5_000
"""The number of pages whose headers are drawn at once."""


def to_pdf(source: Package, target: Path, options: PageOptions, warn: Warn, *, changes: Changes) -> None:
    """Draw the document page by page. Raises what `reading.read` and `render.bound` do."""
    found = read(source, changes, warn, drawn=True)
    render.report_fonts(found.fonts, warn, east_asian=found.east_asian_fonts)
    _complete(found, target.with_name("numbered.pdf"), options, warn)
    parts = [_part(found, each, options, warn) for each in found.sheets]
    render.bound(parts, target, options, warn, title=found.title, places=frozenset(found.links) | found.notes)


def _complete(found: Read, scratch: Path, options: PageOptions, warn: Warn) -> None:
    """Write the page numbers and the positions on pages in the text, as determined by a layout with the stored ones."""
    texts = [text for sheets in found.sheets for text in sheets.texts]
    numbered = {place for text in texts for place in asked(text)}
    places: dict[str, tuple[int, float]] = {}
    before = places
    numbers: dict[str, PageNumber] = {}
    aligned = any(each.section.align for each in found.sheets)
    # A drawing that moves the text moves the places of later ones.
    layouts = _LAYOUTS if aligned or any(map(page_positions.moves_text, texts)) else 1
    laid: list[tuple[Sequence[int], int]] = []
    ends = [each.section.paper.height - _margins(found, each, options, Warn())[1] for each in found.sheets]
    seen: list[Sequence[Sequence[line_numbers.Line]]] = []

    def look(path: Path) -> None:
        if found.numbered:
            seen.append(line_numbers.lines(path))

    known = aligned or numbered or found.pinned or found.numbered or found.titled
    for _ in range(layouts if known or any(map(page_positions.asked, texts)) else 0):
        before = places
        _lead(found.sheets, before, ends)
        drawn = deepcopy(found.sheets)
        for sheets, end in zip(drawn, ends, strict=True):
            sheets.fill(lambda _: None, before.get, end)
        laid.clear()
        first = replace(found, sheets=drawn)
        parts = [_noted(_part(first, each, options, Warn()), laid) for each in drawn]
        places = render.page_places(parts, scratch, options, places=frozenset(found.links) | found.notes, look=look)
        pages = _page_numbers(drawn, laid)
        numbers = {place: pages[at] for place, (at, _) in places.items() if place in numbered and at in pages}
        numbers[""] = PageNumber(0, laid[0][1], 0)
        if places == before:
            break
    if layouts > 1:
        warn.tally(job.UNSETTLED, sum(_moved(before.get(name), at) for name, at in places.items() if name[0] == "v"))
    for sheets, end in zip(found.sheets, ends, strict=True):
        sheets.fill(numbers.get, places.get, end)
    warn.tally(job.SHAPE, _pin(found, places, laid), part="beside the text")
    warn.tally(job.TOP, _unaligned(found.sheets))
    if found.titled:
        by_sheets = _indexes(found.sheets, laid)
        titles = running_titles.on_pages(found.titled, places, [index for each in by_sheets for index in each])
        for sheets, indexes in zip(found.sheets, by_sheets, strict=True):
            sheets.titles = {at: titles[index] for at, index in enumerate(indexes)}
    numbers_of_lines = line_numbers.beside(found.numbered, places, seen[-1] if seen else (), *found.number_look)
    for sheets, indexes in zip(found.sheets, _indexes(found.sheets, laid) if numbers_of_lines else (), strict=False):
        for at, index in enumerate(indexes):
            if index in numbers_of_lines:
                sheets.pinned.setdefault(at, []).append(job.Pinned((True, 0), numbers_of_lines[index]))


def _lead(made: Sequence[Sheets], places: Mapping[str, tuple[int, float]], ends: Sequence[float]) -> None:
    """Move the text of a page that it does not fill to the middle or the foot, as its section asks (17.6.23)."""
    for sheets, end in zip(made, ends, strict=True):
        marks = _ALIGNED.findall(sheets.body) if sheets.section.align in _SHARES else []
        begins, stops = (places.get(each) for each in (marks[0], marks[-1])) if marks else (None, None)
        if begins is not None and stops is not None and begins[0] == stops[0]:
            top = sheets.margins[0] if sheets.margins is not None else sheets.section.paper.top
            sheets.lead = max(end - top - (stops[1] - begins[1]) - 1.0, 0.0) * _SHARES[sheets.section.align]


def _unaligned(made: Sequence[Sheets]) -> int:
    """The parts of a document whose text is at the top of their pages, but should not be."""
    return sum(bool(each.section.align) and each.lead is None for each in made)


def _moved(before: tuple[int, float] | None, after: tuple[int, float]) -> bool:
    """Whether a place, a page and the points from its upper edge, is another one."""
    return before is None or before[0] != after[0] or abs(before[1] - after[1]) > _NEAR


def _pin(found: Read, places: Mapping[str, tuple[int, float]], laid: Sequence[tuple[Sequence[int], int]]) -> int:
    """Give the drawings beside the text to the pages that they are on; returns how many are on none."""
    if not found.pinned:
        return 0
    on_pages = {
        index: (sheets, at)
        for sheets, indexes in zip(found.sheets, _indexes(found.sheets, laid), strict=True)
        for at, index in enumerate(indexes)
    }
    # What is anchored in a placed table is on the page of the table.
    around = {inner: place for place, drawing in found.pinned.items() for inner in IDS.findall(drawing.markup)}
    lost = 0
    for place, drawing in found.pinned.items():
        known = place if place in places else around.get(place, "")
        if known in places:
            sheets, at = on_pages[places[known][0]]
            sheets.pinned.setdefault(at, []).append(drawing)
        else:
            lost += 1
    return lost


def _noted(part: Part, laid: list[tuple[Sequence[int], int]]) -> Part:
    """A part that notes the numbers of its pages, and how many the document has."""

    def running(width: float, height: float, numbers: Sequence[int], total: int) -> str | None:
        laid.append((numbers, total))
        return part.running(width, height, numbers, total)

    return replace(part, running=running)


def _page_numbers(sheets: Sequence[Sheets], laid: Sequence[tuple[Sequence[int], int]]) -> dict[int, PageNumber]:
    """The page numbers by page index."""
    return {
        index: PageNumber(number, total, len(numbers), each.running.number_format)
        for each, (numbers, total), indexes in zip(sheets, laid, _indexes(sheets, laid), strict=True)
        for index, number in zip(indexes, numbers, strict=True)
    }


def _indexes(sheets: Sequence[Sheets], laid: Sequence[tuple[Sequence[int], int]]) -> list[range]:
    """The page indexes of each; a blank page precedes a section that begins on the other side of a sheet."""
    found: list[range] = []
    at = last = 0
    for each, (numbers, _) in zip(sheets, laid, strict=True):
        side = {"oddPage": 1, "evenPage": 0}.get(each.section.start)
        wrong = numbers[0] != last + 1 if each.section.number is None else numbers[0] % 2 != side
        at += bool(found) and side is not None and wrong
        found.append(range(at, at + len(numbers)))
        at, last = found[-1].stop, numbers[-1]
    return found


def to_document(source: Package, warn: Warn, *, changes: Changes, contents: bool) -> tuple[HtmlDocument, str]:
    """The document as an HTML page, and its style sheet."""
    found = read(source, changes, warn, drawn=False)
    made = [_shown(each) for each in found.sheets]
    other_heads.report(found.sheets, warn)
    if contents and found.headings:
        made.insert(0, _contents(found))
    document = HtmlDocument(
        "\n".join(made) + "\n",
        title=found.title,
        language=found.language,
        authors=(found.author,) if found.author else (),
    )
    return document, found.style + _SCREEN + "\n" + _printed(found.sheets[0].section.paper)


_SCREEN = """
body{background:#ffffff}
.sheet{margin:0 auto;box-sizing:border-box;max-width:100%}
.head{margin-bottom:12pt}.foot{margin-top:12pt}
img{max-width:100%}
a[href]{text-decoration:underline}
"""


def _printed(paper: Paper) -> str:
    sides = " ".join(map(pt, (paper.top, paper.right, paper.bottom, paper.left)))
    return (
        f"@page{{size:{pt(paper.width)} {pt(paper.height)};margin:{sides}}}\n"
        "@media print{.sheet{width:auto!important;padding:0!important}.sheet+.sheet{break-before:page}}\n"
    )


def _shown(sheets: Sheets) -> str:
    paper = sheets.section.paper
    padding = " ".join(map(pt, (paper.head, paper.right, paper.foot, paper.left)))
    first = other_heads.first_kind(sheets.running)

    def along(markup: str | None, name: str) -> str:
        return f'<div class="{name}">{filled(markup, _FIRST.get)}</div>' if markup else ""

    head = along(sheets.running.heads.get(first), "head")
    foot = along(sheets.running.feet.get(first), "foot")
    return f'<div class="sheet" style="width:{pt(paper.width)};padding:{padding}">{head}{sheets.body}{foot}</div>'


def _contents(found: Read) -> str:
    lines = "".join(
        f'<p style="margin-left:{(level - 1) * 18}pt"><a href="#{anchor}">{escape(text, quote=False)}</a></p>'
        for level, text, anchor in found.headings
    )
    width = pt(found.sheets[0].section.paper.width)
    return f'<div class="sheet" style="width:{width};padding:36pt">{lines}</div>'


def _page(style: str, body: str, language: str | None = None, author: str | None = None) -> str:
    named = f' lang="{escape(language)}"' if language else ""
    meta = f'<meta name="author" content="{escape(author)}">' if author else ""
    return f"<!DOCTYPE html><html{named}><head>{meta}<style>{style}</style></head><body>{body}</body></html>"


def _part(found: Read, sheets: Sheets, options: PageOptions, warn: Warn) -> Part:
    paper, running = sheets.section.paper, sheets.running
    heads = {} if options.header_text else running.heads
    feet = {} if options.footer_text else running.feet
    used = replace(running, heads=heads, feet=feet)
    top, bottom = _margins(found, sheets, options, warn)
    size = f"@page{{size:{pt(paper.width)} {pt(paper.height)};margin:{pt(top)} 0 {pt(bottom)}}}"
    sides = paper.left, paper.right
    if sheets.section.direction and not options.margin:
        margins = " ".join(map(pt, (top, paper.right, bottom, paper.left)))
        size = f"@page{{size:{pt(paper.width)} {pt(paper.height)};margin:{margins}}}"
    if sheets.section.direction:
        size += f"html{{writing-mode:{_MODES[sheets.section.direction]}}}"
        sides = 0.0, 0.0
    elif not options.margin:  # content wider than its column may extend into the margin, where pages are clipped
        size += f"body{{padding:0 {pt(paper.right)} 0 {pt(paper.left)}}}"
    ids = set(IDS.findall(sheets.body))
    links = "".join(f'<a href="#{each}"></a>' for each in found.links if each in ids)
    hidden = f'<div class="links">{links}</div>' if links else ""
    start = sheets.section.start if sheets.section.start in ("oddPage", "evenPage") else "nextPage"

    def along(width: float, height: float, numbers: Sequence[int], total: int) -> str | None:
        if not (heads or feet or used.borders or sheets.pinned) or len(numbers) > _MOST_RUNNING:
            return None
        return _page(found.style, "".join(_along(sheets, used, width, height, numbers, total)))

    def page(ended: Sequence[str]) -> str:
        lead = f'<div style="height:{pt(sheets.lead)}"></div>' if sheets.lead else ""
        inside = lead + sheets.body + as_endnotes(sheets.notes[each] for each in ended) + hidden
        return _page(found.style + size, inside, found.language, found.author)

    notes = None
    if sheets.notes:
        notes = Notes(
            sheets.notes,
            sheets.below,
            left=0.0 if options.margin else paper.left,
            right=0.0 if options.margin else paper.right,
            page=lambda inside: _page(found.style, inside),
            at_end=page,
        )
    return Part(
        page(()),
        along,
        cast(Literal["nextPage", "oddPage", "evenPage"], start),
        sheets.section.number,
        notes,
        0.0 if options.margin else sum(sides),
        sheets.section.direction,
    )


def _margins(found: Read, sheets: Sheets, options: PageOptions, warn: Warn) -> tuple[float, float]:
    """The top and bottom margins of its pages, with the headers and footers that the options leave."""
    if sheets.margins is None:
        heads = {} if options.header_text else sheets.running.heads
        feet = {} if options.footer_text else sheets.running.feet
        used = replace(sheets.running, heads=heads, feet=feet)
        sheets.margins = _blank(found, used, sheets.section.paper, warn)
    return sheets.margins


def _blank(found: Read, running: Running, paper: Paper, warn: Warn) -> tuple[float, float]:
    """The top and bottom margins: a header higher than its margin moves the text down, a footer up."""
    lengths = []
    style = found.style + PLACED_APART
    for parts, margin, edge in ((running.heads, paper.top, paper.head), (running.feet, paper.bottom, paper.foot)):
        used = {"default": True, "first": running.first_differs, "even": running.even_differs}
        wanted = [kind for kind, markup in parts.items() if markup and used.get(kind)]
        highest = max(
            (render.height(_page(style, filled(parts[kind], _FIRST.get)), paper.room, warn) for kind in wanted),
            default=0.0,
        )
        lengths.append(min(max(margin, edge + highest), paper.height * 0.45) if wanted else margin)
    return lengths[0], lengths[1]


def _along(
    sheets: Sheets, running: Running, width: float, height: float, numbers: Sequence[int], total: int
) -> list[str]:
    found = []
    paper = sheets.section.paper
    room = width - paper.left - paper.right
    for at, number in enumerate(numbers):
        kind = header_kind(running, at=at, page=number)
        inside = "".join(each.markup for each in sorted(sheets.pinned.get(at, ()), key=attrgetter("order")))
        inside += running.borders.on(at) if running.borders is not None else ""
        for parts, edge, length in ((running.heads, "top", paper.head), (running.feet, "bottom", paper.foot)):
            if markup := parts.get(kind):
                page = PageNumber(number, total, len(numbers), running.number_format, sheets.titles.get(at, {}))
                sheet = filled(markup, {"": page}.get)
                where = f"position:absolute;{edge}:{pt(length)};left:{pt(paper.left)};width:{pt(room)}"
                inside += f'<div style="{where}">{sheet}</div>'
        after = ";break-after:page" if at < len(numbers) - 1 else ""
        room_ = f"position:relative;overflow:hidden;height:{pt(height - 0.5)};width:{pt(width)}{after}"
        found.append(f'<div style="{room_}">{inside}</div>')
    return found
