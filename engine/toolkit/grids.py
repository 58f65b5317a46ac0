"""Count the tables of a document, and their cells with text."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.toolkit.census import Census

_LEAST = 2
"""Cells with text in one row that make a table: a single column is a frame around texts, which converters unwrap."""
_GROUPS = frozenset({"thead", "tbody", "tfoot"})
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def is_text(text: str) -> bool:
    """Return whether a cell has letters or digits: bullets and dashes are often drawn otherwise, or left out."""
    return any(map(str.isalnum, text))


def add(census: Census, rows: list[int], *, certain: bool = True) -> None:
    """Count a table by the number of cells with text in each of its rows.

    One that is not `certain` to be a table in another format, as it may be layout, need not be in a result.
    """
    cells = sum(rows)
    if certain and max(rows, default=0) >= _LEAST:
        census.add("tables")
        census.add("cells", cells)
    elif cells:
        census.optional.setdefault("tables", Counter())[""] += 1
        census.optional.setdefault("cells", Counter())[""] += cells


class _Table:
    def __init__(self) -> None:
        self.rows: list[int] = []
        self.has_text = self.has_tables = False


class Grids:
    """Counts tables in the order of a file's elements. A table in a cell of another may become text of that cell."""

    def __init__(self, census: Census) -> None:
        self._census = census
        self._open: list[_Table] = []

    def begin(self) -> None:
        """A table begins."""
        for each in self._open:
            each.has_tables = True
        self._open.append(_Table())

    def begin_row(self) -> None:
        """A row begins."""
        if self._open:
            self._open[-1].rows.append(0)

    def begin_cell(self) -> None:
        """A cell begins."""
        if self._open:
            self._open[-1].has_text = False

    def text(self, text: str | None) -> None:
        """A text, which may be outside of any table."""
        if self._open and is_text(text or ""):
            for each in self._open:
                each.has_text = True

    def end_cell(self) -> None:
        """A cell ends."""
        if self._open and self._open[-1].rows:
            self._open[-1].rows[-1] += self._open[-1].has_text

    def end(self) -> None:
        """A table ends."""
        table = self._open.pop()
        add(self._census, table.rows, certain=not self._open and not table.has_tables)


def of_tree(root: Any, census: Census) -> None:
    """Count the tables in a parsed page; element names may have a namespace."""
    for table in root.iter("table", "{*}table"):
        cells = [[cell for cell in row if _name(cell) in ("td", "th")] for row in _rows(table)]
        outer = next(table.iterancestors("table", "{*}table"), None)
        certain = outer is None and not _is_layout(table, cells)
        add(census, [sum(map(_has_text, row)) for row in cells], certain=certain)


def _is_layout(table: Any, rows: list[list[Any]]) -> bool:
    if table.get("role") in ("presentation", "none"):
        return True
    found = {_name(each) for row in rows for cell in row for each in cell.iter()}
    return "table" in found or ("th" not in found and not found.isdisjoint(_HEADINGS))


def _rows(table: Any) -> list[Any]:
    rows = [each for each in table if _name(each) == "tr"]
    return rows + [row for group in table if _name(group) in _GROUPS for row in group if _name(row) == "tr"]


def _has_text(cell: Any) -> bool:
    return any(map(is_text, cell.itertext()))


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
