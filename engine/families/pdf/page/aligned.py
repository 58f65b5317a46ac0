"""Detect tables without rules, by the alignment of their cells."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from engine.families.pdf.page import prose
from engine.families.pdf.page.bullets import BULLETS
from engine.families.pdf.page.segments import Segment
from engine.families.pdf.page.spacing import spaces_in
from engine.families.pdf.page.tables import Cell, Table, in_lines

_FARTHEST = 3.6
"""Times the text size: rows farther apart belong to different tables."""

_GUTTER = 2.0
"""The minimum gap between two columns in points."""

_EDGE = 2.5
"""Edges at most this many points apart are aligned."""

MARKER = re.compile(
    rf"^(?:[{re.escape(BULLETS)}☐☑☒✓✗]|\(?[0-9]{{1,3}}[.)]|\(?(?:[a-zA-Z]|[ivx]{{2,5}}|[IVX]{{2,5}})[.)]|\[[\w+]{{1,12}}\])$"
)
"""List markers that stand alone before an item."""
_CUT_WORD = re.compile(r"[^\W\d_]-$")
_LARGER = 1.6
"""Times the text size of the first row: a line in larger text, such as a heading, ends the table. An estimate: no PDF
test depends on it between 1.05 and 9."""
_WRAPPED = 1.45
"""Times the text size: a single line at most this far below a row continues a cell of it. An estimate: the PDF tests
pass with anything from 1.2 to 1.8."""
_LEADING = 2.0
"""The same limit if such lines are known to end in a row."""
_NEAR = 3
"""Rows above and below a table through which text may continue: lines of other columns may come between."""

_IN_PLACE = 3
"""Cells of a row that prove its columns although the text of one overflows others."""

_INDENT = 2.0
"""Times the text size: the largest first-line indent of a paragraph."""

_CLOSE = 1.5
"""Times the text size: lines this close that look alike certainly belong to one text."""

_MOST_COLUMNS = 200
"""The maximum columns: on an A3 page they are 4 points wide."""

_LINE_GAP = 1.8
"""Times the text size: the largest line spacing of a text."""

_LINE_WORDS = 3
"""Spaces in each of two consecutive lines that make them a text rather than two cells."""


@dataclass(slots=True)
class _Row:
    segments: list[Segment]
    base: float
    size: float
    extra: list[list[Segment]] = field(default_factory=list)


@dataclass(slots=True)
class _Group:
    rows: list[_Row]
    columns: list[list[float]]


def tables_in(segments: list[Segment]) -> tuple[list[Table], list[Segment]]:
    """The tables formed by the upright segments of one region, and the segments in none."""
    rows = _rows(segments)
    found: list[Table] = []
    used: set[int] = set()
    at = 0
    while at < len(rows):
        if not 2 <= len(rows[at].segments) <= _MOST_COLUMNS:
            at += 1
            continue
        group, after = _grown(rows, at)
        table = _table(group, [*rows[max(0, at - _NEAR) : at], *rows[after : after + _NEAR]])
        if table is None:
            at += 1
            continue
        found.append(table)
        for row in group.rows:
            used.update(id(each) for line in (row.segments, *row.extra) for each in line)
        at = after
    return found, [each for each in segments if id(each) not in used]


def _rows(segments: list[Segment]) -> list[_Row]:
    rows = []
    for line in in_lines(segments):
        size = max(each.size for each in line)
        rows.append(_Row(line, max(line, key=lambda each: each.size).base, size))
    return rows


def _grown(rows: list[_Row], start: int) -> tuple[_Group, int]:
    """The rows from `start` on that fit one set of columns, and the index of the next row."""
    first = rows[start]
    group = _Group([first], [[each.x0, each.x1] for each in first.segments])
    previous, at = first, start + 1
    while at < len(rows):
        row = rows[at]
        gap = row.base - previous.base
        if gap > _FARTHEST * max(row.size, previous.size) or row.size > _LARGER * first.size:
            break
        columns = _fitted(group.columns, row.segments)
        if columns is None:
            break
        if len(row.segments) == 1:
            # A single line continues the cell above it, or begins what follows the table.
            below = at + 1 < len(rows) and _goes_on_after(group, rows[at + 1], row)
            in_first = row.segments[0].x0 <= group.columns[0][1]
            close = gap <= (_WRAPPED if in_first or not _ends_in_row(group, rows, at) else _LEADING) * row.size
            if not (below or (close and not in_first)) or len(columns) != len(group.columns):
                break
            if close and (not in_first or _wraps(group, row)):
                group.rows[-1].extra.append(row.segments)
            else:
                group.rows.append(_Row(row.segments, row.base, row.size))
        else:
            group.rows.append(_Row(row.segments, row.base, row.size))
        group.columns = columns
        previous = row
        at += 1
    while group.rows and len(group.rows[-1].segments) < 2:
        group.rows.pop()
        at -= 1
    return group, max(at, start + 1)


def _ends_in_row(group: _Group, rows: list[_Row], start: int) -> bool:
    """Whether aligned single lines from `start` on precede the next row, or follow one with as many."""
    left, at = rows[start].segments[0].x0, start
    while at < len(rows) and len(rows[at].segments) == 1 and abs(rows[at].segments[0].x0 - left) <= _EDGE:
        if at > start and rows[at].base - rows[at - 1].base > _LEADING * rows[at].size:
            return False
        at += 1
    if any(len(row.extra) >= at - start for row in group.rows[:-1]):
        return True
    return (
        at < len(rows)
        and len(rows[at].segments) > len(group.columns) / 2
        and _goes_on_after(group, rows[at], rows[at - 1])
    )


def _goes_on_after(group: _Group, row: _Row, previous: _Row) -> bool:
    return (
        len(row.segments) >= 2
        and row.base - previous.base <= _FARTHEST * row.size
        and _fitted(group.columns, row.segments) is not None
    )


def _wraps(group: _Group, row: _Row) -> bool:
    """Whether a line in the first column continues the row above it: no other two rows are as close."""
    gaps = [after.base - before.base for before, after in pairwise(group.rows)]
    return bool(gaps) and row.base - group.rows[-1].base < 0.8 * median(gaps)


def _fitted(columns: list[list[float]], segments: list[Segment]) -> list[list[float]] | None:
    """The columns widened, or extended, so that each segment is in a single one; None if impossible."""
    wider = [list(each) for each in columns]
    taken: set[int] = set()
    for each in segments:
        over = _over(wider, each)
        if len(over) > 1:
            if over[0] in taken or not _runs_over(wider, each, segments):
                return None
            taken.add(over[0])
        elif over:
            at = over[0]
            if at in taken:
                return None
            taken.add(at)
            wider[at] = [min(wider[at][0], each.x0), max(wider[at][1], each.x1)]
        else:
            at = bisect_right([x0 for x0, _ in wider], each.x0)
            wider.insert(at, [each.x0, each.x1])
            taken = {number + (number >= at) for number in taken} | {at}
            if len(wider) > _MOST_COLUMNS:
                return None
    for before, after in pairwise(wider):
        if before[1] + _GUTTER > after[0]:
            return None
    return wider


def _over(columns: list[list[float]], each: Segment) -> list[int]:
    """The columns that a segment overlaps."""
    return [at for at, (x0, x1) in enumerate(columns) if each.x0 < x1 + _GUTTER and each.x1 > x0 - _GUTTER]


def _runs_over(columns: list[list[float]], each: Segment, row: list[Segment]) -> bool:
    """Whether a cell's text overflows the next cells of a row whose other cells are in place."""
    first = _over(columns, each)[0]
    others = [_over(columns, other) for other in row if other is not each]
    in_place = len(others) >= _IN_PLACE and all(len(over) == 1 and over[0] != first for over in others)
    return in_place and abs(columns[first][0] - each.x0) <= _EDGE


def _table(group: _Group, around: list[_Row]) -> Table | None:
    columns, rows = group.columns, group.rows
    full = [row for row in rows if len(row.segments) >= 2]
    if len(columns) < 2 or len(full) < (3 if len(columns) == 2 else 2):
        return None
    by_column: list[list[Segment]] = [[] for _ in columns]
    for row in rows:
        for each in row.segments:
            by_column[_column(columns, each)].append(each)
    if any(_CUT_WORD.search(row.segments[-1].text) for row in rows[-1:]) or _reads_on(group, around):
        return None
    if any(prose.is_running_text(column, x1 - x0) for column, (x0, x1) in zip(by_column, columns, strict=True)):
        return None
    lines: list[list[Segment]] = [[] for _ in columns]
    for row in rows:
        for line in (row.segments, *row.extra):
            for each in line:
                lines[_column(columns, each)].append(each)
    if prose.are_parallel_texts(lines, columns, len(full)) or prose.are_listings(lines):
        return None
    if sum(len(column) >= min(2, len(rows) - 1) for column in by_column) < len(columns) * 0.7:
        return None
    if len(columns) == 2 and all(MARKER.match(each.text) for each in by_column[0]):
        return None
    if sum(map(_is_aligned, by_column)) < len(columns) * (1 if len(columns) == 2 else 0.6):
        return None
    if len(full) < 0.5 * len(rows):
        return None
    if (
        len(columns) == 2
        and len(full) < 4
        and not any(each.text[-1] in ":%" or each.text[-1].isdigit() for r in full for each in r.segments)
    ):
        return None
    rows = _with_continued(rows)
    cells = []
    for number, row in enumerate(rows):
        inside: list[list[Segment]] = [[] for _ in columns]
        for line in (row.segments, *row.extra):
            for each in line:
                inside[_column(columns, each)].append(each)
        cells += [Cell(number, at, 1, 1, in_lines(found)) for at, found in enumerate(inside)]
    edges = [columns[0][0], *((before[1] + after[0]) / 2 for before, after in pairwise(columns)), columns[-1][1]]
    every = [each for row in rows for line in (row.segments, *row.extra) for each in line]
    box = (edges[0], min(each.top for each in every), edges[-1], max(each.bottom for each in every))
    return Table(box, [after - before for before, after in pairwise(edges)], cells, len(rows), ruled=False)


def _reads_on(group: _Group, around: list[_Row]) -> bool:
    """Whether a column is part of a text that continues above or below the group; the first column, above and below."""
    edges = (group.rows[0].base, group.rows[-1].base)
    ends: list[list[Segment]] = [[] for _ in group.columns]
    for row in (*group.rows[:_NEAR], *group.rows[-_NEAR:]):
        for line in (row.segments, *row.extra):
            for segment in line:
                ends[_column(group.columns, segment)].append(segment)
    sides: set[bool] = set()
    for row in around:
        near = min(abs(row.base - edge) for edge in edges)
        if near <= _CLOSE * row.size and _lines_of_texts(group.columns, row) > 1:
            return True
        for each in row.segments:
            words = spaces_in(each.text)
            for at, (start, end) in enumerate(group.columns):
                if words < _LINE_WORDS:
                    continue
                if not at:
                    begins = -_EDGE <= each.x0 - start <= _INDENT * row.size
                    ends_alike = prose.FILL * (end - start) < each.x1 - start and each.x1 < end + _EDGE
                    if begins and ends_alike and near <= _LINE_GAP * row.size:
                        sides.add(row.base < edges[0])
                    continue
                if all(abs(each.x0 - other.x0) > _EDGE for other in ends[at]):
                    continue
                if words >= prose.WORDS and near <= _CLOSE * row.size:
                    return True
                if each.x1 - each.x0 > prose.FILL * (end - start) and any(
                    abs(other.base - each.base) <= _LEADING * each.size
                    and abs(other.size - each.size) < 0.1
                    and spaces_in(other.text) >= _LINE_WORDS
                    for other in ends[at]
                ):
                    return True
    # Rows of labels may resemble the lines around a table, but not both above and below it, at the same length.
    return len(sides) == 2 and 2 * sum(spaces_in(each.text) >= _LINE_WORDS for each in ends[0]) >= len(ends[0])


def _lines_of_texts(columns: list[list[float]], row: _Row) -> int:
    """The number of columns in which a row has a line as long as the column is wide."""
    return sum(
        spaces_in(each.text) >= _LINE_WORDS
        and abs(each.x0 - start) <= _EDGE
        and prose.FILL * (end - start) < each.x1 - start
        and each.x1 < end + _EDGE
        for each in row.segments
        for start, end in columns
    )


def _column(columns: list[list[float]], each: Segment) -> int:
    if len(over := _over(columns, each)) > 1:
        return over[0]
    return min(range(len(columns)), key=lambda at: max(columns[at][0] - each.x1, each.x0 - columns[at][1]))


def _with_continued(rows: list[_Row]) -> list[_Row]:
    """The rows, with those without a first cell merged into the row above if they are much closer to it than usual."""
    gaps = [after.base - before.base for before, after in pairwise(rows)]
    if len(gaps) < 3:
        return rows
    usual = median(gaps)
    left = min(each.x0 for row in rows for each in row.segments)
    found = [rows[0]]
    for row, gap in zip(rows[1:], gaps, strict=True):
        if gap < 0.75 * usual and row.segments[0].x0 > left + row.size:
            found[-1].extra += [row.segments, *row.extra]
        else:
            found.append(row)
    return found


def _is_aligned(column: list[Segment]) -> bool:
    """Whether most cells share a left or right edge, or their centre."""
    if len(column) < 2:
        return True
    for places in (
        [each.x0 for each in column],
        [each.x1 for each in column],
        [(each.x0 + each.x1) / 2 for each in column],
    ):
        places.sort()
        most = max(bisect_right(places, place + _EDGE) - at for at, place in enumerate(places))
        if most >= 0.6 * len(places) and most >= 2:
            return True
    return False
