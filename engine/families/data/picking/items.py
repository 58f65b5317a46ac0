"""Filter the items of a document by the values at dotted paths."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.families.data import row_lists
from engine.families.data.picking import conditions
from engine.families.data.picking.evaluation import Column, Uncompared
from engine.families.data.picking.names import ALL_OTHERS, Named, parse
from engine.families.data.picking.options import RowPath, picks
from engine.families.data.picking.sorting import By, Sorter
from engine.families.data.table import Documents
from engine.families.data.values import Value
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_NOTHING = object()


def pick(documents: Documents, options: Any, warn: Warn, folder: Path) -> Documents:
    """Return the items that the options select: those at the row path, unwound, filtered, sorted, limited, trimmed.

    Raises InvalidOption for options that can't be parsed and, after all items, for a name that no item has.
    """
    chosen = documents
    has_options = isinstance(options, RowPath)
    if not has_options:
        return documents
    if options.row_path:
        chosen = row_lists.at(documents, options.row_path)
    if picks(options) and options.unwind:
        chosen = row_lists.unwound(chosen, options.unwind, ".")
    if picks(options, unwound=True):
        chosen = Documents(_Picked(chosen, options, warn, folder).batches, many=True)
    return dataclasses.replace(chosen, found=documents.found)


class _Picked:
    def __init__(self, source: Documents, options: Any, warn: Warn, folder: Path) -> None:
        self.source = source
        self.warn = warn
        self.folder = folder
        self.skip = options.skip_rows
        self.limit = options.limit
        self.condition = conditions.parse(options.where) if options.where.strip() else None
        self.order = parse("sort", options.sort, signs=True)
        self.chosen = parse("columns", options.columns, signs=False)
        self.wanted: dict[str, str] = dict.fromkeys(self.condition.columns if self.condition else (), "where")
        for option, items in (("sort", self.order), ("columns", self.chosen)):
            for each in items:
                if each != Named(ALL_OTHERS):
                    self.wanted.setdefault(each.name, option)

    def batches(self) -> Iterator[list[Value]]:
        if self.order:
            by = [By(at, each.minus, nulls=True) for at, each in enumerate(self.order)]
            names = [each.name for each in self.order]
            sorter = Sorter(by, self.folder, self.limit)
            sorter.take([[*(_cell(item, name) for name in names), item] for item in batch] for batch in self._kept())
            kept: Iterator[list[Value]] = ([row[-1] for row in batch] for batch in sorter.batches())
        else:
            kept = self._kept()
        left = self.limit
        for batch in kept:
            if left is not None:
                batch = batch[:left]
                left -= len(batch)
            yield [self._trimmed(item) for item in batch] if self.chosen else batch
            if left == 0:
                return

    def _kept(self) -> Iterator[list[Value]]:
        """Yield the items that remain after skipping and filtering."""
        skip = self.skip
        missing = dict(self.wanted)
        names = list(self.condition.columns) if self.condition else []
        test = self.condition.bind(lambda name: Column(name, names.index(name))) if self.condition else None
        uncompared = Uncompared()
        items = 0
        try:
            for batch in self.source.batches():
                items += len(batch)
                for name in list(missing):
                    if any(_at(item, name) is not _NOTHING for item in batch):
                        del missing[name]
                if skip:
                    skip, batch = max(0, skip - len(batch)), batch[skip:]
                if test is not None and batch:
                    rows = [[_cell(item, name) for name in names] for item in batch]
                    batch = [item for item, holds in zip(batch, test(rows, uncompared), strict=True) if holds]
                if batch:
                    yield batch
        except GeneratorExit:  # enough items were found
            uncompared.report(self.warn)
            raise
        for name, option in missing.items() if items else ():
            raise InvalidOption(
                option, say("No item has a value at “{name}”. List the keys starting from the item.", name=name)
            )
        uncompared.report(self.warn)

    def _trimmed(self, item: Value) -> Value:
        trimmed: dict[str, Value] = {}
        for each in self.chosen:
            if each == Named(ALL_OTHERS) and isinstance(item, dict):
                named = {other.name for other in self.chosen}
                trimmed.update((key, value) for key, value in item.items() if key not in named)
            elif (found := _at(item, each.name)) is not _NOTHING:
                trimmed[each.new or each.name] = found
        return trimmed


def _cell(item: Value, name: str) -> Value:
    found = _at(item, name)
    return None if found is _NOTHING else found


def _at(item: Value, name: str) -> Any:
    """Return the value at a dotted name; a key that contains dots precedes a path. A non-object is called `value`."""
    if not isinstance(item, dict):
        return item if name == "value" else _NOTHING
    if name in item:
        return item[name]
    found: Any = item
    for key in name.split("."):
        if not isinstance(found, dict) or key not in found:
            return _NOTHING
        found = found[key]
    return found
