"""Select, order and rename rows and columns of frames, with the same result as `picking.stage` row by row."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator
from dataclasses import dataclass

import polars

from engine.families.data.columnar.cells import has_bytes
from engine.families.data.exactness import Inexact
from engine.families.data.picking.by_columns import sorting, unwinding
from engine.families.data.picking.by_columns.comparing import View
from engine.families.data.picking.by_columns.evaluation import Test
from engine.families.data.picking.evaluation import Column, Uncompared
from engine.families.data.picking.sorting import By
from engine.toolkit.warnings import Warn

_LARGEST_SORT = 200_000_000
_CELL = 32
"""Bytes of frames that are sorted in memory, and of a cell beside its text, in two copies; larger tables are sorted as
rows, on disk."""
_ROWS = 1 << 16
"""Rows in a frame of sorted rows."""

Spelled = tuple[polars.DataFrame, Collection[int]]
"""A frame, and the indexes of the columns that hold numbers in source form."""


@dataclass(frozen=True)
class Picking:
    """What is picked: rows after the first `skip` that pass the `test`, in the order of `by`, at most `limit`.

    Before that, rows are repeated for each item of the lists in the column `unwind`, if there is one.
    `columns` are the index and the new name of each column; None is all. `spelled` is as in `View`. A reader that
    `counts` warns at the end of what it found in all rows: it is read to the end even if fewer rows are enough, and
    times in a time zone, of which only picked ones count, are inexact. `of_one_kind` is as in `Frames`.
    """

    unwind: Column | None
    skip: int
    test: Test | None
    by: list[By]
    limit: int | None
    columns: list[tuple[int, str]] | None
    spelled: bool
    counts: bool
    of_one_kind: Callable[[], bool] | None

    def frames(self, given: Generator[Spelled, None, None], warn: Warn) -> Iterator[Spelled]:
        """Yield what is picked of all rows. Raises Inexact where rows might be reported differently."""
        uncompared = Uncompared()
        kept = self._kept(self._unwound(given, warn), uncompared)
        left = self.limit
        unseen: list[str] | None = None
        for frame, numbers in self._sorted(kept) if self.by else kept:
            if left is not None:
                frame = frame.head(left)
                left -= frame.height
            chosen, numbers = self._chosen(frame, numbers)
            if self.of_one_kind:
                unseen = chosen.columns if unseen is None else unseen
                unseen = [name for name in unseen if not _shows_kind(chosen[name])]
            yield chosen, numbers
            if left == 0:
                break
        stopped = left == 0 and not self.by
        if unseen or len(uncompared.counts) > (0 if stopped else 1):
            raise Inexact
        if stopped and self.counts:
            for _ in given:
                pass
        given.close()
        uncompared.report(warn)

    def _unwound(self, given: Iterator[Spelled], warn: Warn) -> Iterator[Spelled]:
        known = self._known(given)
        return known if self.unwind is None else unwinding.unwound(known, self.unwind, warn)

    def _known(self, given: Iterator[Spelled]) -> Iterator[Spelled]:
        for frame, numbers in given:
            self._check(frame.schema)
            if self.of_one_kind and not self.of_one_kind():
                raise Inexact
            yield frame, numbers

    def _kept(self, given: Iterator[Spelled], uncompared: Uncompared) -> Iterator[Spelled]:
        skip = self.skip
        for frame, numbers in given:
            if skip:
                skip, frame = max(0, skip - frame.height), frame.slice(skip)
            if self.test is not None and frame.height:
                view = View(frame, numbers, self.spelled)
                # By index, as polars treats names like "*" as patterns.
                frame = frame.filter(self.test(view, uncompared))
            yield frame, numbers

    def _check(self, schema: polars.Schema) -> None:
        for kind in schema.values():
            if has_bytes(kind) or (self.counts and getattr(kind, "time_zone", None)):
                raise Inexact

    def _sorted(self, kept: Iterator[Spelled]) -> Iterator[Spelled]:
        frames: list[polars.DataFrame] = []
        found: set[int] = set()
        size = 0
        for frame, numbers in kept:
            found.update(numbers)
            frames.append(frame)
            size += int(frame.estimated_size()) + _CELL * frame.width * frame.height
            if size > _LARGEST_SORT:
                raise Inexact
        whole = polars.concat(frames, rechunk=True)  # rows of several pieces take six times as long to gather
        frames.clear()
        places = sorting.order(View(whole, found, self.spelled), self.by)
        if self.limit is not None:
            places = places.head(self.limit)
        yield whole.clear(), found
        for start in range(0, len(places), _ROWS):
            yield whole[places.slice(start, _ROWS)], found

    def _chosen(self, frame: polars.DataFrame, numbers: Collection[int]) -> Spelled:
        if self.columns is None:
            return frame, numbers
        chosen = polars.DataFrame([frame.to_series(at).alias(name) for at, name in self.columns])
        return chosen, [place for place, (at, _) in enumerate(self.columns) if at in numbers]


def _shows_kind(series: polars.Series) -> bool:
    """Return whether the type of a column would be learned from these values alone, too."""
    kind = series.dtype
    if isinstance(kind, polars.List):
        return _shows_kind(series.explode())
    if kind == polars.Float64:
        return bool((series.floor() != series).any())
    return kind == polars.String or (kind in (polars.Boolean, polars.Int64) and series.null_count() < len(series))
