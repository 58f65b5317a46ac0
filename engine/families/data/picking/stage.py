"""Select, order and rename rows and columns between reading and writing."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Generator, Iterator
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

from engine.families.data.exactness import Inexact
from engine.families.data.picking import conditions, unwinding
from engine.families.data.picking.evaluation import Column, Uncompared
from engine.families.data.picking.names import ALL_OTHERS, Named, parse, unknown
from engine.families.data.picking.options import LeadingRows
from engine.families.data.picking.sorting import By, Sorter
from engine.families.data.schema import Type
from engine.families.data.table import Frames, Row, Table, Widened, settled
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_FEW_ROWS = 200_000
"""Rows that are read faster than a block of columns."""


def pick(table: Table, options: Any, warn: Warn, folder: Path, *, unwound: bool = False) -> Table:
    """Return the table that the options select: rows unwound, skipped, filtered, sorted, limited; columns chosen.

    Options name columns of the input. `unwound` means that `options.unwind` was already applied. Raises InvalidOption
    for options that can't be parsed and for unknown columns.
    """
    return _Picked(table, options, warn, folder, unwind="" if unwound else options.unwind).table


class _Picked:
    def __init__(self, source: Table, options: Any, warn: Warn, folder: Path, *, unwind: str) -> None:
        self.source = source
        self.warn = warn
        self.folder = folder
        self.unwind = unwind
        self.skip = options.skip_rows if isinstance(options, LeadingRows) else 0
        self.limit = options.limit
        self.condition = conditions.parse(options.where) if options.where.strip() else None
        self.order = parse("sort", options.sort, signs=True)
        self.chosen = parse("columns", options.columns, signs=False)
        self.sorter: Sorter | None = None
        self._check()
        self.table = dataclasses.replace(
            source,
            columns=self._names(),
            batches=self.batches,
            named=source.named or any(x.new for x in self.chosen),
            frames=self._frames(),
            tokens=None,
            schema=self._schema if source.schema else None,
            layout=None,
        )

    def _frames(self) -> Frames | None:
        """Return the frames of the table; None where rows are faster, or may be reported differently."""
        given = self.source.frames
        if given is None:
            return None
        if self.limit is not None and not self.order:
            # Only of text and of typed columns it is known where rows would stop.
            known = given.spelled or given.blocks is not None
            if not known or not (self.condition or self.limit > _FEW_ROWS):
                return None
        return dataclasses.replace(
            given,
            open=partial(self._picked_as_typed, given),
            blocks=None,
            in_source_form=partial(self._picked_in_source_form, given) if given.in_source_form else None,
        )

    def _picked_as_typed(self, source: Frames) -> Iterator[Any]:
        given = ((frame, ()) for frame in source.open())
        return (frame for frame, _ in self._picked(source, given, source.spelled))

    def _picked_in_source_form(self, source: Frames) -> Iterator[Any]:
        return self._picked(source, (each for each in source.as_written()), spelled=True)

    def _picked(self, source: Frames, given: Generator[Any, None, None], spelled: bool) -> Iterator[Any]:
        """Yield frames of the picked rows; if that can't be exact, the table starts again by rows."""
        from engine.families.data.picking.by_columns import evaluation, frames  # too large an import for small files

        picked = frames.Picking(
            unwind=self._column(self.unwind) if self.unwind else None,
            skip=self.skip,
            test=self.condition.bind(self._column, evaluation) if self.condition else None,
            by=self._by(),
            limit=self.limit,
            columns=self._choice() if self.chosen else None,
            spelled=spelled,
            counts=source.blocks is not None and not source.spelled,  # of text with inferred types
            of_one_kind=source.of_one_kind,
        )
        try:
            yield from picked.frames(given, self.warn)
        except Inexact:
            self.table.by_rows()
        except Widened:
            self.table.columns = self._names()
            if self.source.frames is None:
                self.table.frames = None
            raise

    def _by(self) -> list[By]:
        return [By(self._column(each.name).at, each.minus, self.source.nulls) for each in self.order]

    def batches(self) -> Iterator[list[Row]]:
        try:
            if self.sorter is None:
                rows = self._kept()
                if self.order:
                    self.sorter = self._sorted(rows)
            if self.sorter is not None:
                rows = self.sorter.batches()
            yield from self._cut(rows)
        except Widened:
            self.table.columns = self._names()
            raise

    def _kept(self) -> Iterator[list[Row]]:
        """Yield the rows that remain after skipping and filtering."""
        skip = self.skip
        test = self.condition.bind(self._column) if self.condition else None
        uncompared = Uncompared()
        try:
            for batch in self._unwound():
                if skip:
                    skip, batch = max(0, skip - len(batch)), batch[skip:]
                if test is not None and batch:
                    batch = [row for row, holds in zip(batch, test(batch, uncompared), strict=True) if holds]
                if batch:
                    yield batch
        except GeneratorExit:  # enough rows were found
            uncompared.report(self.warn)
            raise
        uncompared.report(self.warn)

    def _unwound(self) -> Iterator[list[Row]]:
        if not self.unwind:
            return self.source.batches()
        return unwinding.unwound(self.source.batches(), self._column(self.unwind), self.warn)

    def _sorted(self, rows: Iterator[list[Row]]) -> Sorter:
        sorter = Sorter(self._by(), self.folder, self.limit)
        sorter.take(rows)
        return sorter

    def _cut(self, rows: Iterator[list[Row]]) -> Iterator[list[Row]]:
        """Yield at most `limit` rows, with the chosen columns."""
        left = self.limit
        take = self._taker()
        for batch in rows:
            if left is not None:
                batch = batch[:left]
                left -= len(batch)
            yield batch if take is None else take(batch)
            if left == 0:
                return

    def _taker(self) -> Any:
        if not self.chosen:
            return None
        places = [at for at, _ in self._choice()]
        if len(places) == 1:
            (at,) = places
            return lambda batch: [[row[at]] for row in batch]
        get = itemgetter(*places)
        return lambda batch: list(map(list, map(get, batch)))

    def _choice(self) -> list[tuple[int, str]]:
        """Return the index and the new name of each chosen column."""
        columns = self.source.columns
        named = {each.name for each in self.chosen}
        choice: list[tuple[int, str]] = []
        for each in self.chosen:
            if each == Named(ALL_OTHERS) and ALL_OTHERS not in columns:
                choice += [(at, name) for at, name in enumerate(columns) if name not in named]
            else:
                choice.append((columns.index(each.name), each.new or each.name))
        return choice

    def _names(self) -> list[str]:
        if not self.chosen:
            return self.source.columns
        names = [name for _, name in self._choice()]
        given = Counter(self.source.columns)
        twice = next((name for name, count in Counter(names).items() if count > max(1, given[name])), None)
        if twice is not None:
            raise InvalidOption("columns", say("Two columns are called “{twice}”. Rename one with “as”.", twice=twice))
        return names

    def _schema(self) -> list[Type | None]:
        """Return the source's types of the chosen columns; for an unwound column, its item type."""
        declared = list(self.source.schema()) if self.source.schema else []
        if self.unwind:
            at = self._column(self.unwind).at
            known = declared[at]
            declared[at] = known.item if known and known.kind == "list" else None
        return [declared[at] for at, _ in self._choice()] if self.chosen else declared

    def _column(self, name: str) -> Column:
        return Column(name, self.source.columns.index(name), self.source.nulls)

    def _check(self) -> None:
        """Raise InvalidOption for a column that the table lacks, after reading all of it if necessary."""
        if self._missing() is not None:
            settled(self._read_all)
        missing = self._missing()
        if missing is not None:
            raise missing

    def _read_all(self) -> None:
        for _ in self.source.batches():
            pass

    def _missing(self) -> InvalidOption | None:
        columns = self.source.columns
        known = set(columns)
        unwound = [Named(self.unwind)] if self.unwind else []
        for option, items in (("columns", self.chosen), ("sort", self.order), ("unwind", unwound)):
            for each in items:
                if each.name not in known and (option, each) != ("columns", Named(ALL_OTHERS)):
                    return unknown(option, each.name, columns)
        for name, at in self.condition.columns.items() if self.condition else ():
            if name not in known:
                return unknown("where", name, columns, say("At character {at}: ", at=at))
        return None
