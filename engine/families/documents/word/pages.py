"""Convert a Word document to PDF pages, or to one page for browsers."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Literal, cast

from engine.families.documents.html_document import HtmlDocument
from engine.families.documents.ooxml.package import Package
from engine.families.documents.word import other_heads
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
_MOST_RUNNING = 5_000
"""The number of pages whose headers are drawn at once."""


def to_pdf(source: Package, target: Path, options: PageOptions, warn: Warn, *, changes: Changes) -> None:
    """Draw the document page by page. Raises what `reading.read` and `render.bound` do."""
    found = read(source, changes, warn, drawn=True)
    render.report_fonts(found.fonts, warn, east_asian=found.east_asian_fonts)
    _number(found, target.with_name("numbered.pdf"), options)
    parts = [_part(found, each, options, warn) for each in found.sheets]
    render.bound(parts, target, options, warn, title=found.title, places=frozenset(found.links) | found.notes)


def _number(found: Read, scratch: Path, options: PageOptions) -> None:
    """Write the page numbers in the text, as determined by a first layout with the stored ones."""
    wanted = {place for sheets in found.sheets for text in sheets.texts for place in asked(text)}
    numbers: dict[str, PageNumber] = {}
    if wanted:
        drawn = deepcopy(found.sheets)
        for sheets in drawn:
            sheets.fill(lambda _: None)
        laid: list[tuple[Sequence[int], int]] = []

        def noted(part: Part) -> Part:
            def running(width: float, height: float, numbers: Sequence[int], total: int) -> str | None:
                laid.append((numbers, total))
                return part.running(width, height, numbers, total)

            return replace(part, running=running)

        first = replace(found, sheets=drawn)
        parts = [noted(_part(first, each, options, Warn())) for each in drawn]
        places = frozenset(found.links) | found.notes
        indexes = render.page_indexes(parts, scratch, options, places=places)
        pages = _page_numbers(drawn, laid)
        numbers = {place: pages[at] for place, at in indexes.items() if place in wanted and at in pages}
        numbers[""] = PageNumber(0, laid[0][1], 0)
    for sheets in found.sheets:
        sheets.fill(numbers.get)


def _page_numbers(sheets: Sequence[Sheets], laid: Sequence[tuple[Sequence[int], int]]) -> dict[int, PageNumber]:
    """The page numbers by page index; a blank page precedes a section that begins on the other side of a sheet."""
    found: dict[int, PageNumber] = {}
    at = last = 0
    for each, (numbers, total) in zip(sheets, laid, strict=True):
        side = {"oddPage": 1, "evenPage": 0}.get(each.section.start)
        wrong = numbers[0] != last + 1 if each.section.number is None else numbers[0] % 2 != side
        at += bool(found) and side is not None and wrong
        for number in numbers:
            found[at] = PageNumber(number, total, len(numbers), each.running.number_format)
            at += 1
        last = numbers[-1]
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
    top, bottom = _blank(found, used, paper, warn)
    size = f"@page{{size:{pt(paper.width)} {pt(paper.height)};margin:{pt(top)} 0 {pt(bottom)}}}"
    if not options.margin:  # content wider than its column may extend into the margin, where pages are clipped
        size += f"body{{padding:0 {pt(paper.right)} 0 {pt(paper.left)}}}"
    ids = set(IDS.findall(sheets.body))
    links = "".join(f'<a href="#{each}"></a>' for each in found.links if each in ids)
    hidden = f'<div class="links">{links}</div>' if links else ""
    start = sheets.section.start if sheets.section.start in ("oddPage", "evenPage") else "nextPage"

    def along(width: float, height: float, numbers: Sequence[int], total: int) -> str | None:
        if not (heads or feet or used.borders) or len(numbers) > _MOST_RUNNING:
            return None
        return _page(found.style, "".join(_along(used, paper, width, height, numbers, total)))

    def page(ended: Sequence[str]) -> str:
        inside = sheets.body + as_endnotes(sheets.notes[each] for each in ended) + hidden
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
        0.0 if options.margin else paper.left + paper.right,
    )


def _blank(found: Read, running: Running, paper: Paper, warn: Warn) -> tuple[float, float]:
    """The top and bottom margins: a header higher than its margin moves the text down, a footer up."""
    lengths = []
    for parts, margin, edge in ((running.heads, paper.top, paper.head), (running.feet, paper.bottom, paper.foot)):
        used = {"default": True, "first": running.first_differs, "even": running.even_differs}
        wanted = [kind for kind, markup in parts.items() if markup and used.get(kind)]
        highest = max(
            (render.height(_page(found.style, filled(parts[kind], _FIRST.get)), paper.room, warn) for kind in wanted),
            default=0.0,
        )
        lengths.append(min(max(margin, edge + highest), paper.height * 0.45))
    return lengths[0], lengths[1]


def _along(
    running: Running, paper: Paper, width: float, height: float, numbers: Sequence[int], total: int
) -> list[str]:
    found = []
    room = width - paper.left - paper.right
    for at, number in enumerate(numbers):
        kind = header_kind(running, at=at, page=number)
        inside = running.borders.on(at) if running.borders is not None else ""
        for parts, edge, length in ((running.heads, "top", paper.head), (running.feet, "bottom", paper.foot)):
            if markup := parts.get(kind):
                page = PageNumber(number, total, len(numbers), running.number_format)
                sheet = filled(markup, {"": page}.get)
                where = f"position:absolute;{edge}:{pt(length)};left:{pt(paper.left)};width:{pt(room)}"
                inside += f'<div style="{where}">{sheet}</div>'
        after = ";break-after:page" if at < len(numbers) - 1 else ""
        room_ = f"position:relative;overflow:hidden;height:{pt(height - 0.5)};width:{pt(width)}{after}"
        found.append(f'<div style="{room_}">{inside}</div>')
    return found
