"""The words of a page on one level, parted where gaps are wide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

from engine.families.ocr.page import Page, Word

GAP = 1.2
"""Times the height of a line: words farther apart are in different cells."""


@dataclass
class Row:
    """Cells from the left, their vertical middle, and the height of their lines."""

    cells: list[list[Word]]
    middle: float
    height: float


def heights_of(page: Page) -> Mapping[int, float]:
    """The height of the line of each word."""
    return {id(word): line.height for line in page.lines for word in line.words}


def rows_of(words: Sequence[Word], heights: Mapping[int, float]) -> Iterator[Row]:
    """The words on one level, parted where gaps are wide."""
    waiting: list[Word] = []

    def row() -> Row:
        height = median(heights[id(each)] for each in waiting)
        cells: list[list[Word]] = []
        for each in sorted(waiting, key=lambda each: each.box[0]):
            if cells and each.box[0] - cells[-1][-1].box[2] <= GAP * height:
                cells[-1].append(each)
            else:
                cells.append([each])
        return Row(cells, mean((each.box[1] + each.box[3]) / 2 for each in waiting), height)

    for word in sorted(words, key=lambda each: each.baseline[1] + each.baseline[3]):
        at = (word.baseline[1] + word.baseline[3]) / 2
        if waiting and at - (waiting[0].baseline[1] + waiting[0].baseline[3]) / 2 > heights[id(word)] / 2:
            yield row()
            waiting = []
        waiting.append(word)
    if waiting:
        yield row()
