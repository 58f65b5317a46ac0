"""Sort rows by some of their columns in bounded memory.

Rows that exceed memory are sorted in runs, written to the job's own folder, and merged.
"""

from __future__ import annotations

import heapq
import pickle
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO

from engine.families.data.picking import sort_keys
from engine.families.data.table import BATCH, Row, batched

RUN_CELLS = 1_000_000
RUN_TEXT = 50_000_000
"""Maximum cells, and characters in them, that are sorted in memory."""


@dataclass(frozen=True)
class By:
    """One column to sort by; without `nulls`, an empty text counts as null."""

    at: int
    down: bool
    nulls: bool

    def keys(self, rows: list[Row]) -> list[bytes]:
        """Return the sort key of each row; rows without a value come last in both directions."""
        at, nothing, key = self.at, (None,) if self.nulls else (None, ""), sort_keys.key
        if self.down:
            return [sort_keys.NOTHING if row[at] in nothing else sort_keys.down(key(row[at])) for row in rows]
        return [sort_keys.NOTHING if row[at] in nothing else key(row[at]) for row in rows]


class Sorter:
    """Sorts the rows of one table, which can then be read any number of times. The sort is stable."""

    def __init__(self, by: list[By], folder: Path, most: int | None) -> None:
        self.by = by
        self.folder = folder
        self.file: IO[bytes] | None = None
        self.most = most
        self.runs: list[list[int]] = []
        self.keys: list[bytes] = []
        self.rows: list[Row] = []

    def take(self, batches: Iterable[list[Row]]) -> None:
        """Read all rows; only the first `most` in sorted order are kept."""
        cells = text = 0
        for batch in batches:
            self.rows += batch
            self.keys += map(b"".join, zip(*(by.keys(batch) for by in self.by), strict=True))
            cells += sum(map(len, batch))
            text += _characters(batch)
            if cells > RUN_CELLS or text > RUN_TEXT:
                self._sort()
                cells, text = sum(map(len, self.rows)), _characters(self.rows)
                if cells > RUN_CELLS // 2 or text > RUN_TEXT // 2:
                    self._keep()
                    cells = text = 0
        self._sort()

    def batches(self) -> Iterator[list[Row]]:
        """The rows in order."""
        if not self.runs:
            yield from batched(self.rows)
            return
        last = ((key, len(self.runs), row) for key, row in zip(self.keys, self.rows, strict=True))
        # Run numbers differ, so that rows themselves are never compared.
        merged = heapq.merge(*(self._read(number) for number in range(len(self.runs))), last)
        yield from batched(row for _, _, row in merged)

    def _sort(self) -> None:
        order = sorted(range(len(self.rows)), key=self.keys.__getitem__)[: self.most]
        self.keys = list(map(self.keys.__getitem__, order))
        self.rows = list(map(self.rows.__getitem__, order))

    def _keep(self) -> None:
        """Write a run, and record the offset of each of its blocks."""
        if self.file is None:
            self.file = tempfile.NamedTemporaryFile(dir=self.folder)  # noqa: SIM115  # it is deleted with the sorter
        starts = []
        for start in range(0, len(self.rows), BATCH):
            starts.append(self.file.tell())
            block = (self.keys[start : start + BATCH], self.rows[start : start + BATCH])
            pickle.dump(block, self.file, protocol=5)
        self.runs.append(starts)
        self.keys, self.rows = [], []

    def _read(self, number: int) -> Iterator[tuple[bytes, int, Row]]:
        assert self.file is not None
        for start in self.runs[number]:
            self.file.seek(start)
            # Written by this process, into its own folder.
            keys, rows = pickle.load(self.file)  # noqa: S301
            for key, row in zip(keys, rows, strict=True):
                yield key, number, row


def _characters(rows: list[Row]) -> int:
    try:
        return len("".join(chain.from_iterable(rows)))
    except TypeError:
        return sum(len(cell) for row in rows for cell in row if isinstance(cell, str))
