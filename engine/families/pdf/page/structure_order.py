"""Divide a tagged page into parts by its structure, each read from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence

from engine.families.pdf.page.pieces import Piece
from engine.families.pdf.page.segments import Segment
from engine.families.pdf.page.tables import Table
from engine.families.pdf.page.tagged import Tag
from engine.families.pdf.page.view import Box

_COVERED = 0.85
"""The minimum share of text that the structure covers: the rest is headers, footers and decoration."""

_UP = 1.2
"""Times the line height: what begins farther above the preceding text is in another column."""

_LINE = 0.5
_JUMPS = 2
_MOST_JUMPS = 0.6
"""Upward steps per downward step beyond which the structure order is implausible."""


def parts_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The parts of a page in structure order; none if the structure is incomplete or implausible."""
    tagged: list[tuple[Tag, Piece]] = []
    loose: list[Piece] = []
    total = covered = 0
    for piece in pieces:
        segments = _segments(piece)
        length = sum(len(each.text) for each in segments)
        found = [each.tag for each in segments if each.tag is not None]
        total += length
        if found:
            covered += length
            tagged.append((min(found), piece))
        else:
            loose.append(piece)
    if not tagged or covered < _COVERED * total:
        return []
    tagged.sort(key=lambda each: (each[0].place, each[1].box[1], each[1].box[0]))
    parts: list[list[Piece]] = []
    ups = downs = 0
    before: tuple[Tag, Piece] | None = None
    for tag, piece in tagged:
        lower = 0.0 if before is None else (piece.box[1] - before[1].box[1]) / _height(piece, before[1])
        same = before is not None and tag.table == before[0].table
        inside = same and tag.table > 0
        if not same or (lower < -_UP and not inside):
            parts.append([])
        if not inside:
            ups += lower < -_UP
            downs += lower > _LINE
        parts[-1].append(piece)
        before = tag, piece
    if ups > max(_JUMPS, _MOST_JUMPS * downs):
        return []
    return _with_loose(parts, loose)


def _segments(piece: Piece) -> list[Segment]:
    if isinstance(piece.what, Segment):
        return [piece.what]
    if isinstance(piece.what, Table):
        return [each for cell in piece.what.cells for line in cell.lines for each in line]
    return []


def _height(*pieces: Piece) -> float:
    """The smallest text size of the lines; 1 without lines."""
    return min((each.what.size for each in pieces if isinstance(each.what, Segment)), default=1.0)


def _with_loose(parts: list[list[Piece]], loose: list[Piece]) -> list[list[Piece]]:
    """The parts and what is outside the structure: above first, below last, the rest with the nearest."""
    boxes = [_around(part) for part in parts]
    top, bottom = min(box[1] for box in boxes), max(box[3] for box in boxes)
    above = [piece for piece in loose if piece.box[3] <= top]
    below = [piece for piece in loose if piece.box[1] >= bottom]
    outside = {id(piece) for piece in (*above, *below)}
    for piece in loose:
        if id(piece) not in outside:
            nearest = min(range(len(parts)), key=lambda at: _apart(boxes[at], piece.box))
            parts[nearest].append(piece)
    return [part for part in (above, *parts, below) if part]


def _around(pieces: list[Piece]) -> Box:
    boxes = [piece.box for piece in pieces]
    return (
        min(box[0] for box in boxes), min(box[1] for box in boxes),
        max(box[2] for box in boxes), max(box[3] for box in boxes),
    )  # fmt: skip


def _apart(one: Box, other: Box) -> float:
    return max(0.0, one[0] - other[2], other[0] - one[2]) + max(0.0, one[1] - other[3], other[1] - one[3])
