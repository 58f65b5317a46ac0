"""What the records of a sheet of a binary workbook declare, as far as it is counted."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.families.data.counting.rich_records import Runs

Font = tuple[object, ...]
"""Its height, what else shows of it, and its name."""


@dataclass
class Cell:
    """A cell, of which `runs` are the fonts of parts of its text."""

    row: int
    column: int
    style: int
    has_value: bool
    is_number: bool
    runs: Runs = ()


@dataclass
class Found:
    """What the records of a sheet declare."""

    cells: list[Cell] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    setups: int = 0
    locked: bool = False
