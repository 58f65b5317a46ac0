"""Read pages as lines, tables and pictures in reading order, one page in memory at a time."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import pypdfium2

from engine.families.pdf.page import rotated_headers
from engine.families.pdf.page.bullets import replace_circles
from engine.families.pdf.page.drawing import drawn_on
from engine.families.pdf.page.frames import tables_of
from engine.families.pdf.page.glyphs import SLANTED, Glyph, glyphs_of
from engine.families.pdf.page.grids import Grid, grids_of
from engine.families.pdf.page.grounds import words_on_colour
from engine.families.pdf.page.illustrations import DrawRegions, SavePicture, illustrations_of
from engine.families.pdf.page.item_numbers import with_full_stops
from engine.families.pdf.page.letter_spacing import with_even_letters
from engine.families.pdf.page.lines import Line, lines_of
from engine.families.pdf.page.links_and_fields import Field, Link
from engine.families.pdf.page.mirrored import is_mirrored
from engine.families.pdf.page.order import Region, regions
from engine.families.pdf.page.out_of_order_glyphs import reattach
from engine.families.pdf.page.overprints import once
from engine.families.pdf.page.panels import Panel
from engine.families.pdf.page.pieces import Picture
from engine.families.pdf.page.row_labels import with_labels
from engine.families.pdf.page.segments import Segment, Span, segments_of
from engine.families.pdf.page.silent_fonts import is_unread
from engine.families.pdf.page.spreads import halves
from engine.families.pdf.page.struck import struck_words
from engine.families.pdf.page.tables import Table, in_lines
from engine.families.pdf.page.tagged import Tag, tags_of
from engine.families.pdf.page.text_pages import text_page_of
from engine.families.pdf.page.tick_boxes import is_inside, with_tick_boxes
from engine.families.pdf.page.turned_words import in_reading_order
from engine.families.pdf.page.underlined import with_underlines
from engine.families.pdf.page.unmapped import is_unmapped, with_unmapped_marked
from engine.families.pdf.page.vertical_writing import with_columns_rotated
from engine.families.pdf.page.view import View, view_of
from engine.families.pdf.page_text import UNKNOWN

TablesBy = Literal["auto", "lines", "text", "none"]
Column = list[Line | Table | Picture]
_CUT_WORDS = 3
_CUT = 0.1
"""The share of words crossed by rules above which the rules are the outlines of a drawing."""

_TOUCHING = 0.12
"""Times the text size: the maximum gap within a word."""

_SPACE = 0.4
"""Times the text size: the maximum gap that is a space rather than a cell edge."""


@dataclass(slots=True)
class Page:
    """One page: its number counted from 0, its size in points, and its columns in reading order.

    `characters` is their number, `garbled` that of unmapped ones, `unknown` that of those that became U+FFFD, `unread`
    whether most of its text is missing, `shapes` the number of drawings outside columns, `figures` that of groups of
    them that were only counted, `struck` the words with a line through them, `grounds` those on a colour. `panels` are
    rectangles and lines behind its text.
    """

    number: int
    width: float
    height: float
    columns: list[Column]
    fields: list[Field] = field(default_factory=list)
    characters: int = 0
    garbled: int = 0
    unknown: int = 0
    unread: bool = False
    pictures: int = 0
    background: bool = False
    shapes: int = 0
    figures: int = 0
    struck: Sequence[str] = ()
    grounds: Sequence[str] = ()
    panels: Sequence[Panel] = ()


def read_page(
    page: pypdfium2.PdfPage,
    number: int,
    *,
    by: TablesBy,
    links: list[Link],
    save: SavePicture,
    draw: DrawRegions | None,
    painted: bool = False,
) -> Page:
    """The content of a page; one whose text is rotated or mirrored is read as if it were turned back.

    Its panels are found if `painted`.
    """
    with text_page_of(page) as text_page:  # PDFium extracts all text again for each that is opened
        view, glyphs, written_down = _upright(page, text_page)
        drawn = drawn_on(page, view, painted=painted)
        unread = len(glyphs) < drawn.texts and is_unread(page, text_page)
    glyphs, ticked = with_tick_boxes(glyphs, drawn.squares, drawn.marks)
    drawn.shapes = [each for each in drawn.shapes if not any(is_inside(each, box) for box in ticked)]
    links = [link.seen(view) for link in links]
    glyphs = with_underlines(glyphs, drawn.lying, drawn.standing, links)
    grids = grids_of(drawn) if by in ("auto", "lines") else []
    tables, loose = _in_grids(grids, glyphs, aligned=by == "auto")
    segments = with_full_stops(segments_of(loose))
    in_cells = [[each for line in cell.lines for each in line] for table in tables for cell in table.cells]
    for texts in (segments, *in_cells):
        replace_circles(texts)
        for each in texts if links else ():
            each.spans = _linked(each, links)
    upright = [each for each in segments if each.turn == 0]
    shown = illustrations_of(drawn, glyphs, (table.box for table in tables), view, save=save, draw=draw)
    # Columns of vertical writing look like table cells, and tables in it always have rules.
    aligned = by in ("auto", "text") and 2 * written_down < max(len(glyphs), 1)
    pages = halves(upright, [*tables, *shown.pictures], view.width, view.height)
    found = [region for texts, others in pages for region in regions(texts, others, aligned=aligned)]
    columns = [_column(region) for region in found]
    laid = [each for column in columns for each in column if isinstance(each, Table)]
    for side in (1, 2, 3):
        if turned := [each for each in segments if each.turn == side]:
            columns.append(rotated_headers.filled([*lines_of(in_lines(turned))], laid))
    columns.append([*lines_of([each] for each in segments if each.turn == SLANTED)])
    return Page(
        number,
        view.width,
        view.height,
        columns,
        characters=len(glyphs),
        garbled=sum(is_unmapped(each.text) for each in glyphs),
        unknown=sum(each.text == UNKNOWN for each in glyphs),
        unread=unread,
        pictures=len(shown.pictures) + shown.background,
        background=shown.background,
        shapes=len(shown.shapes),
        figures=shown.figures,
        struck=struck_words(glyphs, drawn.lying, drawn.areas, view),
        grounds=words_on_colour(glyphs, drawn.panels, [each.box for each in shown.pictures]),
        panels=[each for each in drawn.panels if not any(is_inside(each.box, one.box) for one in shown.pictures)],
    )


def _upright(page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage) -> tuple[View, list[Glyph], int]:
    """The view in which a page can be read, its glyphs, and how many of them are in vertical columns."""
    view = view_of(page)
    tags = tags_of(page)
    glyphs, written_down = _glyphs_read(text_page, view, tags)
    if is_mirrored(text_page, [each.order for each in glyphs]):
        view = replace(view, mirrored=True)
        glyphs, written_down = _glyphs_read(text_page, view, tags)
    if turn := _turn(glyphs):
        view = _turned(view, turn)
        glyphs, written_down = _glyphs_read(text_page, view, tags)
    return view, glyphs, written_down


def _glyphs_read(text_page: pypdfium2.PdfTextPage, view: View, tags: Mapping[int, Tag]) -> tuple[list[Glyph], int]:
    """The glyphs of a page, and how many of them are in vertical columns."""
    found = in_reading_order(with_even_letters(once(glyphs_of(text_page, view, tags))))
    return with_columns_rotated(reattach(with_unmapped_marked(text_page, found)))


def _turn(glyphs: list[Glyph]) -> int:
    """The most common quarter turn of the page's glyphs."""
    turns = Counter(glyph.style.turn for glyph in glyphs)
    turn, count = turns.most_common(1)[0] if turns else (0, 0)
    return turn if turn != SLANTED and count > 0.6 * len(glyphs) else 0


def _turned(view: View, turn: int) -> View:
    width, height = (view.height, view.width) if turn % 2 else (view.width, view.height)
    return replace(view, turn=(view.turn + 90 * (turn if view.mirrored else -turn)) % 360, width=width, height=height)


def _in_grids(grids: list[Grid], glyphs: list[Glyph], *, aligned: bool) -> tuple[list[Table], list[Glyph]]:
    """The tables that the grids and the glyphs inside them form, and the other glyphs."""
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
    """The glyphs in words, which only a rule may split."""
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
    """The spans of a segment, split where a link area covers them; characters count as equally wide."""
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
    """The spans with the ends of links moved to word boundaries."""
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
