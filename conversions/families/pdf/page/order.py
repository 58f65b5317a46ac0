"""Reading order: columns one after the other, what goes across them in between."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from conversions.families.pdf.page.aligned import MARKER, tables_in
from conversions.families.pdf.page.segments import Segment, Span
from conversions.families.pdf.page.tables import Table
from conversions.families.pdf.page.view import Box

_DEEPEST = 12
_LINES = 3
"""Lines on each side of a gutter that make it one."""

_GUTTER = 5.0
"""Points that a gutter is wide at least."""

_CANDIDATES = 24
_NARROW = 45.0
"""Points: what is narrower is no column of text."""

_MARKER_GAP = 5.0
"""Times the size: how far the text of an item may be from its bullet."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the page at `box`: the name of the file that holds it, None where it is left out."""

    box: Box
    file: str | None


@dataclass(slots=True)
class Piece:
    """What is put in order: its box, and what it is."""

    box: Box
    what: Segment | Table | Picture


Region = list[Piece]
"""Pieces of one column, from top to bottom."""


def regions(segments: list[Segment], others: list[Table | Picture], *, aligned: bool) -> list[Region]:
    """All that is on a page as regions in reading order; tables without rules are found on the way where `aligned`."""
    pieces = [Piece((each.x0, each.top, each.x1, each.bottom), each) for each in segments]
    pieces += [Piece(each.box, each) for each in others]
    return [region for region in _split(pieces, 0, aligned) if region]


def _split(pieces: list[Piece], depth: int, aligned: bool) -> Iterator[Region]:
    if aligned:
        pieces = _with_tables(pieces)
    pieces = _with_markers(pieces)
    cut = _columns(pieces) if depth < _DEEPEST and len(pieces) >= 2 * _LINES else None
    if cut is None:
        yield sorted(pieces, key=lambda piece: (piece.box[1], piece.box[0]))
        return
    above, left, right, below = cut
    for part in (above, left, right, below):
        if part:
            yield from _split(part, depth + 1, aligned)


def _with_tables(pieces: list[Piece]) -> list[Piece]:
    segments = [piece.what for piece in pieces if isinstance(piece.what, Segment)]
    tables, left = tables_in(segments)
    if not tables:
        return pieces
    kept = {id(each) for each in left}
    rest = [piece for piece in pieces if not isinstance(piece.what, Segment) or id(piece.what) in kept]
    return rest + [Piece(table.box, table) for table in tables]


def _with_markers(pieces: list[Piece]) -> list[Piece]:
    """The pieces, each bullet and number of a list put before the text that stands after it on its line."""
    marks = [p for p in pieces if isinstance(p.what, Segment) and MARKER.match(p.what.text)]
    gone: set[int] = set()
    for mark in marks:
        segment = mark.what
        assert isinstance(segment, Segment)
        after = [
            piece
            for piece in pieces
            if isinstance(piece.what, Segment)
            and abs(piece.what.base - segment.base) <= 0.4 * max(segment.size, piece.what.size)
            and -0.1 < piece.box[0] - mark.box[2] < _MARKER_GAP * piece.what.size
        ]
        if not after:
            continue
        text = min(after, key=lambda piece: piece.box[0])
        assert isinstance(text.what, Segment)
        first, *rest = text.what.spans
        marker = Span(segment.text + " ", first.style)
        text.what.spans = [marker, Span(first.text.lstrip(), first.style, first.raised, first.link), *rest]
        text.what.x0, text.what.order = segment.x0, segment.order
        text.box = (mark.box[0], min(mark.box[1], text.box[1]), text.box[2], max(mark.box[3], text.box[3]))
        gone.add(id(mark))
    return [piece for piece in pieces if id(piece) not in gone]


def _columns(pieces: list[Piece]) -> tuple[list[Piece], list[Piece], list[Piece], list[Piece]] | None:
    """What is above two columns, in the left one, in the right one and below them; None where there are no columns."""
    starts = Counter(round(piece.box[0] / 3) for piece in pieces)
    likely = sorted(starts, key=lambda place: -(starts[place] + starts.get(place + 1, 0)))[:_CANDIDATES]
    best: tuple[float, list[Piece], list[Piece], list[Piece], list[Piece]] | None = None
    for place in likely:
        gutter = min(piece.box[0] for piece in pieces if round(piece.box[0] / 3) == place)
        found = _best_band(pieces, gutter)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return best[1:] if best is not None else None


def _best_band(
    pieces: list[Piece], gutter: float
) -> tuple[float, list[Piece], list[Piece], list[Piece], list[Piece]] | None:
    """The band between what goes across `gutter` that has most on both of its sides."""
    across = sorted(
        (y0 + y1) / 2 for x0, y0, x1, y1 in (p.box for p in pieces) if x0 < gutter - 0.5 and x1 > gutter - _GUTTER
    )
    bands: dict[int, tuple[list[Piece], list[Piece]]] = {}
    for piece in pieces:
        x0, y0, x1, y1 = piece.box
        middle = (y0 + y1) / 2
        if x0 < gutter - 0.5 and x1 > gutter - _GUTTER:
            continue
        sides = bands.setdefault(bisect_right(across, middle), ([], []))
        sides[x0 >= gutter - 0.5].append(piece)
    best: tuple[float, int] | None = None
    for number, (left, right) in bands.items():
        if not left or not right:
            continue
        lines = min(_lines(left), _lines(right))
        top = max(min(p.box[1] for p in left), min(p.box[1] for p in right))
        bottom = min(max(p.box[3] for p in left), max(p.box[3] for p in right))
        if min(_width(left), _width(right)) < _NARROW:
            continue  # numbers beside their text
        if lines < _LINES or bottom - top < 0.3 * min(_height(left), _height(right)):
            continue
        score = lines + 0.01 * len(left)
        if best is None or score > best[0]:
            best = score, number
    if best is None:
        return None
    score, number = best
    left, right = bands[number]
    inside = {id(piece) for piece in (*left, *right)}
    upper = across[number - 1] if number else float("-inf")
    above = [p for p in pieces if id(p) not in inside and (p.box[1] + p.box[3]) / 2 <= upper]
    above_ids = {id(piece) for piece in above}
    below = [p for p in pieces if id(p) not in inside and id(p) not in above_ids]
    return score, above, left, right, below


def _lines(pieces: list[Piece]) -> int:
    """How many lines of text pieces have: those on one height once; a table or picture counts as three."""
    heights = {round((p.box[1] + p.box[3]) / 6) for p in pieces if isinstance(p.what, Segment)}
    return len(heights) + sum(3 for p in pieces if not isinstance(p.what, Segment))


def _width(pieces: list[Piece]) -> float:
    return max(p.box[2] for p in pieces) - min(p.box[0] for p in pieces)


def _height(pieces: list[Piece]) -> float:
    return max(p.box[3] for p in pieces) - min(p.box[1] for p in pieces)
