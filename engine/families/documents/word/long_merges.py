"""Cut cells that are merged over very many rows, for which pandoc takes the square of their number."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.declared_grid import cells_of, rows_of
from engine.families.documents.word.names import W, child, integer, value
from engine.toolkit.warnings import Kind

MOST = 20_000_000
"""The maximum sum of the squares of merged rows in a document: 240 million, 60 cells over 2,000 rows, take 60 s."""
LONGEST = 100
"""The rows of a cell in a document with more."""

CUT = Kind("VALUE_CONVERTED", "Cells merged over more than 100 rows were divided: {count}{places}.")


def cut(tables: Iterable[Element]) -> int:
    """Divide the cells merged over more than LONGEST rows, if a document has too many, and return their number.

    What a merged cell covers stays hidden: the new cells are empty.
    """
    runs = [run for table in tables for run in _runs(table)]
    if sum(len(run) ** 2 for run in runs) <= MOST:
        return 0
    long = [run for run in runs if len(run) > LONGEST]
    for run in long:
        for cell in run[LONGEST::LONGEST]:
            properties = child(cell, "tcPr")
            merge = child(properties, "vMerge")
            assert merge is not None
            merge.set(W + "val", "restart")
            for each in [each for each in cell if each is not properties]:
                cell.remove(each)
            cell.append(etree.Element(W + "p"))
    return len(long)


def _runs(table: Element) -> list[list[Element]]:
    """The cells that are merged with each other, from the first row to the last (ECMA-376, part 1, 17.4.84)."""
    found: list[list[Element]] = []
    above: dict[int, list[Element]] = {}
    for row in rows_of(table):
        column = integer(value(child(child(row, "trPr"), "gridBefore"))) or 0
        below: dict[int, list[Element]] = {}
        for cell in cells_of(row):
            properties = child(cell, "tcPr")
            merge = child(properties, "vMerge")
            if merge is not None:
                run = above.get(column) if merge.get(W + "val") != "restart" else None
                if run is None:
                    found.append(run := [])
                run.append(cell)
                below[column] = run
            column += max(integer(value(child(properties, "gridSpan"))) or 1, 1)
        above = below
    return found
