"""Reading order: columns one after another, with spanning content between."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from engine.families.pdf.page.aligned import MARKER, tables_in
from engine.families.pdf.page.pieces import Picture, Piece
from engine.families.pdf.page.segments import Segment, Span
from engine.families.pdf.page.spacing import spaces_in
from engine.families.pdf.page.structure_order import parts_of
from engine.families.pdf.page.tables import Table

_DEEPEST = 12
_LINES = 3
"""The minimum lines on each side of a gutter."""

_GUTTER = 5.0
"""The minimum width of a gutter, in points."""

_CANDIDATES = 24

MOST_VISITED = 1_500_000
"""The pieces that the search for columns may visit on one page, each as often as it is; the rest stays as it is.

100,000 letters at random places reach it and take 16 s as docx. A page of 600 lines in columns visits some 100,000.
"""
_NARROW = 45.0
"""Points: the minimum width of a text column."""

_FEW, _LEVEL = 0.1, 1.0
"""The share of the labels before a text that may not match; and their tolerance from its lines in points."""

_LARGER = 1.15
"""Times the usual text size: the minimum of a heading."""

_ROOM = 0.3
"""Times the usual text size: the free space above and below such a heading in the other columns."""

_WORDS = 3
"""The minimum words of a line that starts a text column."""

_MARKER_GAP = 5.0
"""Times the text size: the maximum distance of an item's text from its bullet."""


Region = list[Piece]
"""The pieces of one column, from top to bottom."""


@dataclass(slots=True)
class _Search:
    """The search for the columns of one page; `left` is how many pieces it may still visit."""

    left: int = MOST_VISITED


def regions(segments: list[Segment], others: list[Table | Picture], *, aligned: bool) -> list[Region]:
    """The content of a page as regions in reading order; with `aligned`, tables without rules are detected on the way.

    The order is that of the document structure, or if there is none, inferred from positions.
    """
    pieces = [Piece((each.x0, each.top, each.x1, each.bottom), each) for each in segments]
    pieces += [Piece(each.box, each) for each in others]
    parts = parts_of(pieces) or [pieces]
    search = _Search()
    return [region for part in parts for region in _split(part, 0, aligned, search) if region]


def _split(pieces: list[Piece], depth: int, aligned: bool, search: _Search) -> Iterator[Region]:
    if aligned:
        pieces = _with_tables(pieces)
    pieces = _with_markers(pieces)
    cut = _columns(pieces, search) if depth < _DEEPEST and len(pieces) >= 2 * _LINES else None
    if cut is None:
        yield sorted(pieces, key=lambda piece: (piece.box[1], piece.box[0]))
        return
    above, left, right, below = cut
    for part in (above, left, right, below):
        if part:
            yield from _split(part, depth + 1, aligned, search)


def _with_tables(pieces: list[Piece]) -> list[Piece]:
    segments = [piece.what for piece in pieces if isinstance(piece.what, Segment)]
    tables, left = tables_in(segments)
    if not tables:
        return pieces
    kept = {id(each) for each in left}
    rest = [piece for piece in pieces if not isinstance(piece.what, Segment) or id(piece.what) in kept]
    return rest + [Piece(table.box, table) for table in tables]


def _with_markers(pieces: list[Piece]) -> list[Piece]:
    """The pieces, with each list marker placed before the text that follows it on its line."""
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
        text.what.x0, text.what.order, text.what.marked = segment.x0, segment.order, True
        text.box = (mark.box[0], min(mark.box[1], text.box[1]), text.box[2], max(mark.box[3], text.box[3]))
        gone.add(id(mark))
    return [piece for piece in pieces if id(piece) not in gone]


def _columns(pieces: list[Piece], search: _Search) -> tuple[list[Piece], list[Piece], list[Piece], list[Piece]] | None:
    """The pieces above two columns, in the left one, in the right one and below; None if there are no columns."""
    starts = Counter(round(piece.box[0] / 3) for piece in pieces)
    likely = sorted(starts, key=lambda place: -(starts[place] + starts.get(place + 1, 0)))[:_CANDIDATES]
    best: tuple[float, list[Piece], list[Piece], list[Piece], list[Piece]] | None = None
    search.left -= len(pieces) * len(likely)
    if search.left < 0:
        return None
    for place in likely:
        gutter = min(piece.box[0] for piece in pieces if round(piece.box[0] / 3) == place)
        found = _best_band(pieces, gutter)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return best[1:] if best is not None else None


def _best_band(
    pieces: list[Piece], gutter: float
) -> tuple[float, list[Piece], list[Piece], list[Piece], list[Piece]] | None:
    """The band between the pieces across `gutter` that has the most lines on both sides."""
    across = sorted(
        (y0 + y1) / 2 for x0, y0, x1, y1 in (p.box for p in pieces) if x0 < gutter - 0.5 and x1 > gutter - _GUTTER
    )
    across = sorted((*across, *_headed(pieces, gutter)))
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
        if min(_width(left), _width(right)) < _NARROW or _are_labels(left, right):
            continue  # numbers next to their text
        if not (_is_beside(left, right) or _is_beside(right, left)):
            continue  # one below the other
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


def _headed(pieces: list[Piece], gutter: float) -> Iterator[float]:
    """The tops of headings that separate text columns although they end before the gutter.

    Nothing is beside them, and below them both columns start on the same line.
    """
    lines = [piece for piece in pieces if isinstance(piece.what, Segment)]
    if len(lines) < 4 * _LINES:
        return
    usual = median(piece.what.size for piece in lines if isinstance(piece.what, Segment))
    left = [piece for piece in lines if piece.box[2] <= gutter]
    right = [piece for piece in lines if piece.box[0] >= gutter - 0.5]
    beside = [piece.box for piece in pieces if piece.box[0] >= gutter - 0.5]
    for heading in left:
        assert isinstance(heading.what, Segment)
        _, top, _, bottom = heading.box
        room = _ROOM * usual
        if heading.what.size < _LARGER * usual or any(
            y0 < bottom + room and y1 > top - room for _, y0, _, y1 in beside
        ):
            continue
        columns = [[piece for piece in side if piece.box[1] >= bottom] for side in (left, right)]
        above = [piece for piece in right if piece.box[3] <= top]
        if min(map(_lines, (above, *columns))) < _LINES:
            continue
        firsts = [min(column, key=lambda piece: piece.box[1]) for column in columns]
        if abs(firsts[0].box[1] - firsts[1].box[1]) < room and all(map(_has_words, firsts)):
            yield top - 0.01  # it belongs to what is below


def _are_labels(left: list[Piece], right: list[Piece]) -> bool:
    """Whether single words or numbers precede the lines of a text, each level with one."""
    labels = [piece for piece in left if isinstance(piece.what, Segment)]
    if len(labels) < len(left) or sum(spaces_in(piece.what.text) > 0 for piece in labels) > _FEW * len(labels):  # type: ignore[union-attr]
        return False
    bases = sorted(piece.what.base for piece in right if isinstance(piece.what, Segment))
    beside = 0
    for piece in labels:
        assert isinstance(piece.what, Segment)
        at = bisect_right(bases, piece.what.base - _LEVEL)
        beside += at < len(bases) and bases[at] <= piece.what.base + _LEVEL
    return beside >= (1 - _FEW) * len(labels)


def _is_beside(some: list[Piece], others: list[Piece]) -> bool:
    """Whether the middle of one piece is at the height of one of the others."""
    middles = sorted((piece.box[1] + piece.box[3]) / 2 for piece in some)
    return any(bisect_right(middles, piece.box[3]) > bisect_right(middles, piece.box[1]) for piece in others)


def _has_words(piece: Piece) -> bool:
    return isinstance(piece.what, Segment) and spaces_in(piece.what.text) + 1 >= _WORDS


def _lines(pieces: list[Piece]) -> int:
    """The number of text lines in pieces, counting those at one height once, and a table or picture as three."""
    heights = {round((p.box[1] + p.box[3]) / 6) for p in pieces if isinstance(p.what, Segment)}
    return len(heights) + sum(3 for p in pieces if not isinstance(p.what, Segment))


def _width(pieces: list[Piece]) -> float:
    return max(p.box[2] for p in pieces) - min(p.box[0] for p in pieces)


def _height(pieces: list[Piece]) -> float:
    return max(p.box[3] for p in pieces) - min(p.box[1] for p in pieces)
