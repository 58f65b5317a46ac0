"""Sorting: rows in order of some of their columns, in memory that does not grow with their number.

What is too much for memory is sorted in runs, which are kept on disk, in the job's own folder, and merged.
"""

from __future__ import annotations

import heapq
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from conversions.families.data.picking.comparing import place
from conversions.families.data.table import BATCH, Row, batched

RUN_CELLS = 1_000_000
RUN_TEXT = 50_000_000
"""How many cells, and characters in them, are sorted at once."""

_LAST = (9,)
_FIRST = (-1,)


@dataclass(frozen=True)
class By:
    """One column to sort by; without `nulls`, an empty text is what stands for no value."""

    at: int
    down: bool
    nulls: bool

    def key(self, row: Row) -> tuple[Any, ...]:
        """What to compare; rows without a value come last in both directions."""
        cell = row[self.at]
        if cell is None or (cell == "" and not self.nulls):
            return _FIRST if self.down else _LAST
        return place(cell)


class _Down:
    """A key that is the smaller the greater it is."""

    __slots__ = ("key",)

    def __init__(self, key: tuple[Any, ...]) -> None:
        self.key = key

    def __lt__(self, other: _Down) -> bool:
        return other.key < self.key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Down) and self.key == other.key

    __hash__ = None  # type: ignore[assignment]


class Sorter:
    """Sorts the rows of one table, which can then be read any number of times; equal rows stay in their order."""

    def __init__(self, by: list[By], folder: Path, most: int | None) -> None:
        self.by = by
        self.folder = folder
        self.file: IO[bytes] | None = None
        self.most = most
        self.runs: list[list[int]] = []
        self.last: list[Row] = []

    def take(self, batches: Iterable[list[Row]]) -> None:
        """Take in all rows; only the first `most` of them in their order are ever needed."""
        rows: list[Row] = []
        cells = text = 0
        for batch in batches:
            rows += batch
            cells += sum(map(len, batch))
            text += _characters(batch)
            if cells > RUN_CELLS or text > RUN_TEXT:
                rows = self._sorted(rows)
                cells, text = sum(map(len, rows)), _characters(rows)
                if cells > RUN_CELLS // 2 or text > RUN_TEXT // 2:
                    self.runs.append(self._keep(rows))
                    rows, cells, text = [], 0, 0
        self.last = self._sorted(rows)

    def batches(self) -> Iterator[list[Row]]:
        """The rows in order."""
        if not self.runs:
            yield from batched(self.last)
            return
        runs: list[Iterator[Row]] = [self._rows(run) for run in self.runs]
        yield from batched(heapq.merge(*runs, iter(self.last), key=self._key()))

    def _sorted(self, rows: list[Row]) -> list[Row]:
        for by in reversed(self.by):
            rows.sort(key=by.key, reverse=by.down)
        return rows if self.most is None else rows[: self.most]

    def _key(self) -> Callable[[Row], Any]:
        return lambda row: [_Down(by.key(row)) if by.down else by.key(row) for by in self.by]

    def _keep(self, rows: list[Row]) -> list[int]:
        """Write a run; where each of its blocks begins."""
        if self.file is None:
            self.file = tempfile.NamedTemporaryFile(dir=self.folder)  # noqa: SIM115  # it ends with the sorter
        starts = []
        for start in range(0, len(rows), BATCH):
            starts.append(self.file.tell())
            pickle.dump(rows[start : start + BATCH], self.file, protocol=5)
        return starts

    def _rows(self, starts: list[int]) -> Iterator[Row]:
        assert self.file is not None
        for start in starts:
            self.file.seek(start)
            # Written by this process, into a folder that is its own.
            yield from pickle.load(self.file)  # noqa: S301


def _characters(rows: list[Row]) -> int:
    return sum(len(cell) for row in rows for cell in row if isinstance(cell, str))
