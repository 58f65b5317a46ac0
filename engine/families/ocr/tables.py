"""Find the tables of a recognised page, by their ruled lines or by columns of words with wide gaps between them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from engine.families.ocr.aligned_words import aligned
from engine.families.ocr.page import Box, Line, Page, Paragraph, Word, is_upright
from engine.families.ocr.rules import grid
from engine.families.ocr.word_rows import heights_of, rows_of

_USUAL, _LONGEST = 15.0, 60
"""The most words of a ruled table's cells on average, and of one of them."""


@dataclass(frozen=True)
class Table:
    """The texts of a table's cells, row by row."""

    rows: tuple[tuple[str, ...], ...]


@dataclass
class _Found:
    table: Table
    words: set[int]


def without_frames(page: Page) -> Page:
    """The page with the lines of what are tables only."""
    return page.ruled(tuple(lines for lines in page.rules if _ruled(page, lines) is not None))


def parts(page: Page) -> list[Paragraph | Table]:
    """The paragraphs and tables of a page in reading order."""
    found = [each for lines in page.rules if (each := _ruled(page, lines)) is not None]
    taken = {word for each in found for word in each.words}
    free = [each for each in page.words if id(each) not in taken]
    found += [_Found(Table(tuple(rows)), words) for rows, words in aligned(free, page)]
    if not found:
        return list(page.paragraphs)
    table_of = {word: each for each in found for word in each.words}
    made: list[Paragraph | Table] = []
    written: set[int] = set()
    for paragraph in page.paragraphs:
        lines: list[Line] = []
        for line in paragraph.lines:
            rest = tuple(each for each in line.words if id(each) not in table_of)
            first = next((table_of[id(each)] for each in line.words if id(each) in table_of), None)
            if first is not None and id(first) not in written:
                made += [Paragraph(tuple(lines))] * bool(lines)
                lines = []
                made.append(first.table)
                written.add(id(first))
            if rest:
                lines.append(Line(rest, line.height))
        made += [Paragraph(tuple(lines))] * bool(lines)
    return made


def _ruled(page: Page, lines: Sequence[Box]) -> _Found | None:
    near = max(page.size) / 200
    standing = list(filter(is_upright, lines))
    xs, ys = grid(lines, near)
    cells: dict[tuple[int, int], list[Word]] = {}
    for each in page.words:
        x, y = (each.box[0] + each.box[2]) / 2, (each.box[1] + each.box[3]) / 2
        row, column = bisect_right(ys, y) - 1, bisect_right(xs, x) - 1
        if not (0 <= row < len(ys) - 1 and 0 <= column < len(xs) - 1):
            continue
        # A cell over several columns has no line between them.
        while column and not any(
            abs((box[0] + box[2]) / 2 - xs[column]) <= near and box[1] <= y <= box[3] for box in standing
        ):
            column -= 1
        cells.setdefault((row, column), []).append(each)
    columns = sorted({column for _, column in cells})
    heights = heights_of(page)
    rows = [
        texts
        for row in sorted({row for row, _ in cells})
        for texts in _lines([cells.get((row, column), []) for column in columns], heights)
    ]
    if len(rows) < 2 or len(columns) < 2:
        return None
    counts = [len(text.split()) for row in rows for text in row if text]
    if mean(counts) > _USUAL or max(counts) > _LONGEST:
        return None  # the frames of a newspaper
    return _Found(Table(tuple(rows)), {id(word) for words in cells.values() for word in words})


def _lines(cells: Sequence[Sequence[Word]], heights: Mapping[int, float]) -> list[tuple[str, ...]]:
    """The rows between two lines: each line of text, if all of them have a first cell and another one."""
    levels = list(rows_of([word for words in cells for word in words], heights))
    column_of = {id(word): column for column, words in enumerate(cells) for word in words}
    split: list[list[list[str]]] = [[[] for _ in cells] for _ in levels]
    for texts, level in zip(split, levels, strict=True):
        for word in (word for cell in level.cells for word in cell):
            texts[column_of[id(word)]].append(word.text)
    if all(texts[0] and sum(map(bool, texts)) > 1 for texts in split):
        return [tuple(" ".join(words) for words in texts) for texts in split]
    return [tuple(" ".join(word.text for word in words) for words in cells)]
