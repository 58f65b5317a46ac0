"""Reading pages: what is on each, as lines, tables and pictures in reading order, one page in memory at a time."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import pypdfium2

from conversions.families.pdf.letters import UNKNOWN
from conversions.families.pdf.page.bullets import show_circles
from conversions.families.pdf.page.columns_down import in_columns
from conversions.families.pdf.page.drawing import drawn_on, is_unread
from conversions.families.pdf.page.frames import tables_of
from conversions.families.pdf.page.glyphs import SLANTED, Glyph, glyphs_of
from conversions.families.pdf.page.grids import Grid, grids_of
from conversions.families.pdf.page.illustrations import DrawRegions, SavePicture, illustrations_of
from conversions.families.pdf.page.lines import Line, lines_of
from conversions.families.pdf.page.marks import Field, Link
from conversions.families.pdf.page.mirrored import is_mirrored
from conversions.families.pdf.page.order import Region, regions
from conversions.families.pdf.page.pieces import Picture
from conversions.families.pdf.page.row_labels import with_labels
from conversions.families.pdf.page.segments import Segment, Span, segments_of
from conversions.families.pdf.page.strays import put_back
from conversions.families.pdf.page.tables import Table, in_lines
from conversions.families.pdf.page.tagged import Tag, tags_of
from conversions.families.pdf.page.tick_boxes import is_inside, with_tick_boxes
from conversions.families.pdf.page.unmapped import is_garbled, told
from conversions.families.pdf.page.view import View, view_of

TablesBy = Literal["auto", "lines", "text", "none"]
Column = list[Line | Table | Picture]
_CUT_WORDS = 3
_CUT = 0.1
"""Part of the words between rules: where the rules cut so many, they are the outlines of a drawing."""

_TOUCHING = 0.12
"""Times the size: letters no farther apart are of one word."""

_SPACE = 0.4
"""Times the size: words no farther apart have a space between them, not the edges of two cells."""


@dataclass(slots=True)
class Page:
    """One page: its number counted from 0, its size in points, and its columns in reading order.

    `letters` is how many it has, `garbled` how many of them mean nothing and how many of
    those are `unknown`, `unread` whether most of its text is none of
    them, `shapes` how many drawings are in no column.
    """

    number: int
    width: float
    height: float
    columns: list[Column]
    fields: list[Field] = field(default_factory=list)
    letters: int = 0
    garbled: int = 0
    unknown: int = 0
    unread: bool = False
    pictures: int = 0
    background: bool = False
    shapes: int = 0


def page_read(
    page: pypdfium2.PdfPage,
    number: int,
    *,
    by: TablesBy,
    links: list[Link],
    save: SavePicture,
    draw: DrawRegions | None,
) -> Page:
    """All that is on a page; one whose letters lie on their side, or are mirrored, is read as if it was turned."""
    view = view_of(page)
    tags = tags_of(page)
    glyphs, written_down = _glyphs_read(page, view, tags)
    if is_mirrored(page, [each.order for each in glyphs]):
        view = replace(view, mirrored=True)
        glyphs, written_down = _glyphs_read(page, view, tags)
    turn = _turn(glyphs)
    if turn:
        view = _turned(view, turn)
        glyphs, written_down = _glyphs_read(page, view, tags)
    drawn = drawn_on(page, view)
    glyphs, ticked = with_tick_boxes(glyphs, drawn.squares, drawn.marks)
    drawn.shapes = [each for each in drawn.shapes if not any(is_inside(each, box) for box in ticked)]
    links = [link.seen(view) for link in links]
    grids = grids_of(drawn) if by in ("auto", "lines") else []
    tables, loose = _in_grids(grids, glyphs, aligned=by == "auto")
    segments = segments_of(loose)
    in_cells = [[each for line in cell.lines for each in line] for table in tables for cell in table.cells]
    for texts in (segments, *in_cells):
        show_circles(texts)
        for each in texts if links else ():
            each.spans = _linked(each, links)
    upright = [each for each in segments if each.turn == 0]
    shown = illustrations_of(drawn, glyphs, (table.box for table in tables), view, save=save, draw=draw)
    # Bands of a page that is written down lie beside each other as cells do, and nobody sets tables without rules so.
    aligned = by in ("auto", "text") and 2 * written_down < max(len(glyphs), 1)
    found = regions(upright, [*tables, *shown.pictures], aligned=aligned)
    columns = [_column(region) for region in found]
    for side in (1, 2, 3):
        if turned := [each for each in segments if each.turn == side]:
            columns.append([*lines_of(in_lines(turned))])
    columns.append([*lines_of([each] for each in segments if each.turn == SLANTED)])
    return Page(
        number,
        view.width,
        view.height,
        columns,
        letters=len(glyphs),
        garbled=sum(is_garbled(each.text) for each in glyphs),
        unknown=sum(each.text == UNKNOWN for each in glyphs),
        unread=len(glyphs) < drawn.texts and is_unread(page),
        pictures=len(shown.pictures) + shown.background,
        background=shown.background,
        shapes=len(shown.shapes),
    )


def _glyphs_read(page: pypdfium2.PdfPage, view: View, tags: Mapping[int, Tag]) -> tuple[list[Glyph], int]:
    """The letters of a page as they are read, and how many of them are in columns that run down."""
    return in_columns(put_back(told(page, glyphs_of(page, view, tags))))


def _turn(glyphs: list[Glyph]) -> int:
    """The quarter turns that most letters of the page have."""
    turns = Counter(glyph.style.turn for glyph in glyphs)
    turn, count = turns.most_common(1)[0] if turns else (0, 0)
    return turn if turn != SLANTED and count > 0.6 * len(glyphs) else 0


def _turned(view: View, turn: int) -> View:
    width, height = (view.height, view.width) if turn % 2 else (view.width, view.height)
    return replace(view, turn=(view.turn + 90 * (turn if view.mirrored else -turn)) % 360, width=width, height=height)


def _in_grids(grids: list[Grid], glyphs: list[Glyph], *, aligned: bool) -> tuple[list[Table], list[Glyph]]:
    """The tables that the grids make with the letters inside them, and the letters that are in none."""
    tables: list[Table] = []
    words = _words(glyphs) if grids else []
    for grid in (with_labels(each, words) for each in grids):
        inside: dict[tuple[int, int], list[Glyph]] = {}
        places: list[tuple[int, int] | None] = []
        left, top, right, bottom = grid.box
        count = cut = 0
        before: Glyph | None = None
        for word in words:
            first, last = word[0], word[-1]
            height = first.base - 0.3 * first.style.size
            across = (first.x0 + last.x1) / 2
            place = None
            if top <= height <= bottom and left <= across <= right and not first.style.turn:
                place = grid.place(across, height)
            places.append(place)
            if place is None:
                continue
            inside.setdefault(place, []).extend(word)
            count += 1
            cut += grid.cuts(first.x1, last.x0, height, height) or (
                before is not None
                and abs(before.base - first.base) < 1
                and first.x0 - before.x1 < _SPACE * first.style.size
                and grid.cuts(before.x0, first.x1, height, height)
            )
            before = last
        if cut >= max(_CUT_WORDS, _CUT * count):
            continue
        found, free = tables_of(grid, inside, aligned=aligned)
        if found:
            tables += found
            words = [each for each, at in zip(words, places, strict=True) if at is None or at[0] in free]
    return tables, [glyph for word in words for glyph in word] if tables else glyphs


def _words(glyphs: list[Glyph]) -> list[list[Glyph]]:
    """The letters in groups that nothing but a rule may part."""
    words: list[list[Glyph]] = []
    previous: Glyph | None = None
    for glyph in glyphs:
        if (
            previous is not None
            and not glyph.spaced
            and glyph.style.turn == previous.style.turn
            and abs(glyph.base - previous.base) < 0.3 * previous.style.size
            and -0.5 * glyph.style.size < glyph.x0 - previous.x1 < _TOUCHING * glyph.style.size
        ):
            words[-1].append(glyph)
        else:
            words.append([glyph])
        previous = glyph
    return words


def _linked(segment: Segment, links: list[Link]) -> list[Span]:
    """The spans of a segment, those with an address that an area of a link covers; letters count as equally wide."""
    over = [
        link
        for link in links
        if link.box[0] < segment.x1
        and link.box[2] > segment.x0
        and link.box[1] < segment.base - 0.25 * segment.size < link.box[3]
    ]
    if not over or segment.turn:
        return segment.spans
    length = max(1, len(segment.text))
    width = (segment.x1 - segment.x0) / length
    found: list[Span] = []
    at = 0
    for span in segment.spans:
        for letter in span.text:
            middle = segment.x0 + (at + 0.5) * width
            address = next((link.address for link in over if link.box[0] - 1 <= middle <= link.box[2] + 1), "")
            last = found[-1] if found else None
            if last and last.style is span.style and last.raised == span.raised and last.link == address:
                last.text += letter
            else:
                found.append(Span(letter, span.style, span.raised, address))
            at += 1
    return _whole_words(found)


def _whole_words(spans: list[Span]) -> list[Span]:
    """The spans with the ends of links moved to the ends of the words they are in."""
    for before, after in itertools.pairwise(spans):
        if bool(before.link) == bool(after.link) or before.style is not after.style:
            continue
        if before.link:
            tail, space, rest = after.text.partition(" ")
            if before.text.endswith(" "):
                continue
            if len(tail) <= 3:
                before.text, after.text = before.text + tail, space + rest
            else:
                head, space, part = before.text.rpartition(" ")
                if space and len(part) <= 3:
                    before.text, after.text = head, " " + part + after.text
        elif not after.text.startswith(" "):
            head, space, part = before.text.rpartition(" ")
            if len(part) <= 3:
                before.text, after.text = head + space, part + after.text
    return [span for span in spans if span.text]


def _column(region: Region) -> Column:
    column: Column = []
    segments: list[Segment] = []
    for piece in region:
        if isinstance(piece.what, Segment):
            segments.append(piece.what)
        else:
            column += lines_of(in_lines(segments))
            segments = []
            column.append(piece.what)
    return column + lines_of(in_lines(segments))
