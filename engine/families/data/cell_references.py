"""Cell and area references such as B2, A1:D20 or C:E."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ROWS, COLUMNS = 1_048_576, 16_384
_LAST_ROW, _LAST_COLUMN = ROWS - 1, COLUMNS - 1
Place = tuple[int, int]
"""The row and column of a cell, from 0."""

_AREA = re.compile(r"\$?([A-Za-z]{1,3})?\$?(\d{1,7})?(?::\$?([A-Za-z]{1,3})?\$?(\d{1,7})?)?")


def column(name: str) -> int:
    """The index of a column, from 0, by its letters."""
    index = 0
    for letter in name.upper():
        index = index * 26 + ord(letter) - 64
    return index - 1


def column_name(index: int) -> str:
    """The letters of a column by its index, from 0."""
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = _LETTERS[rest] + name
    return name


def cell(row: int, index: int) -> str:
    """The name of a cell by row and column, from 0."""
    return f"{column_name(index)}{row + 1}"


def at(name: str) -> tuple[int, int]:
    """The row and column of a cell, from 0, by its name, such as B2."""
    digits = name.lstrip(_LETTERS)
    return int(digits) - 1, column(name[: len(name) - len(digits)])


@dataclass(frozen=True)
class Area:
    """A rectangle of cells by its first and last row and column, all from 0."""

    top: int = 0
    left: int = 0
    bottom: int = _LAST_ROW
    right: int = _LAST_COLUMN

    def holds(self, place: Place) -> bool:
        """Whether it contains a cell."""
        return self.top <= place[0] <= self.bottom and self.left <= place[1] <= self.right


def area(text: str) -> Area | None:
    """The area of a text such as A1:D20, C:E, 2:50 or a single cell; None if it is invalid."""
    match = _AREA.fullmatch(text.strip())
    if match is None or not any(match.groups()):
        return None
    first, top, last, bottom = match.groups()
    if ":" not in text:
        last, bottom = first, bottom or top
    elif (first is None) != (last is None) or (top is None) != (bottom is None):
        return None
    columns = sorted((column(first), column(last))) if first and last else [0, _LAST_COLUMN]
    rows = sorted((int(top) - 1, int(bottom) - 1)) if top and bottom else [0, _LAST_ROW]
    if columns[1] > _LAST_COLUMN or rows[0] < 0 or rows[1] > _LAST_ROW:
        return None
    return Area(rows[0], columns[0], rows[1], columns[1])
