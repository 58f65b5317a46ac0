"""Flattening: the rows of a table out of documents of objects, lists or single values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from conversions.families.data.features import Found
from conversions.families.data.table import MAX_CELLS, Documents, Row, Table, Widened, check_width, one
from conversions.families.data.values import Value, text
from conversions.toolkit.failures import InvalidOption, OverLimit, Unreadable
from conversions.toolkit.warnings import Kind, Warn

Path = tuple[str, ...]
_COLLISION = Kind("COLUMN_COLLISION", "Different paths give columns of the same name, which are all kept")
_KINDS: dict[type, str] = {dict: "object", list: "list"}


def table(documents: Documents, options: Any, warn: Warn, *, find_rows: bool) -> Table:
    """One row for each object of a list; nested objects become columns with a dotted name.

    A list of lists has columns `0`, `1`, ...; a list of single values has the column `value`; one object is one row.
    `options.row_path` names the list that holds the rows; without it, `find_rows` says to look for it: from the top
    down through objects, the first list of objects. Raises Unreadable for a mix, with the index of the first odd item,
    and InvalidOption for a path that leads nowhere.
    """
    found = documents.found
    if options.row_path:
        documents = one([row for batch in documents.batches() for value in batch for row in _at(value, options)])
    elif find_rows and not documents.many:
        document = next(documents.batches())[0]
        documents = one(_sought(document))
    return _Flattened(documents, found, options, warn).table


def _at(value: Value, options: Any) -> list[Value]:
    """What the row path leads to in one document, through every list on the way."""
    found = [value]
    for name in options.row_path.split("."):
        step = [inner for each in found for inner in (each if isinstance(each, list) else [each])]
        found = [each[name] for each in step if isinstance(each, dict) and name in each]
    if not found:
        raise InvalidOption("rowPath", f"Nothing is found at “{options.row_path}”. Name the keys from the top down.")
    return [inner for each in found for inner in (each if isinstance(each, list) else [each])]


def _sought(document: Value) -> Value:
    level = [document]
    while level:
        for value in level:
            if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
                return value
        level = [inner for value in level if isinstance(value, dict) for inner in value.values()]
        if len(level) == 1 and not isinstance(level[0], dict | list):
            break
    return document


class _Flattened:
    """The table of a stream of values; its columns grow, once, to all keys when a later row has others."""

    def __init__(self, documents: Documents, found: Found, options: Any, warn: Warn) -> None:
        self.documents = documents
        self.flatten = options.flatten
        self.separator = options.separator
        self.arrays = options.arrays
        self.join_with = options.join_with
        self.warn = warn
        self.paths: dict[Path, int] = {}
        first = next(documents.batches(), None)
        if first is None:
            raise Unreadable("The file has no rows.")
        self.kind = type(first[0]) if type(first[0]) in _KINDS else None
        self.table = Table("Sheet1", [], self.batches, found=found)
        self._learn(first, 0)

    def batches(self) -> Iterator[list[Row]]:
        done = 0
        batches = self.documents.batches()
        for batch in batches:
            rows = self._rows(batch, done)
            if rows is None:
                for later in chain([batch], batches):
                    self._learn(later, done)
                    done += len(later)
                raise Widened
            done += len(batch)
            if done * len(self.paths) > MAX_CELLS:
                raise OverLimit("output", f"The table has more than {MAX_CELLS:,} cells. Convert fewer rows at once.")
            yield rows

    def _rows(self, batch: list[Value], done: int) -> list[Row] | None:
        """The rows of a batch, or None where one has a path that is not a column yet."""
        width = len(self.paths)
        names = [path[0] for path in self.paths] if all(len(path) == 1 for path in self.paths) else None
        rows = []
        for at, value in enumerate(batch):
            if names is not None and self.kind is dict and type(value) is dict and list(value) == names:
                row = list(value.values())
                if not any(type(cell) in _KINDS for cell in row):
                    rows.append(row)
                    continue
            row = [None] * width
            for path, leaf in self._leaves(value, done + at):
                column = self.paths.get(path)
                if column is None:
                    return None
                row[column] = leaf
            rows.append(row)
        return rows

    def _learn(self, batch: list[Value], done: int) -> None:
        paths = self.paths
        for at, value in enumerate(batch):
            for path, _ in self._leaves(value, done + at):
                if path not in paths:
                    paths[path] = len(paths)
            check_width(len(paths))
        self.table.columns = [self.separator.join(path) for path in paths]
        names: set[str] = set()
        collisions = []
        for name in self.table.columns:
            if name in names:
                collisions.append(f"“{name}”")
            names.add(name)
        if collisions:
            self.warn.tally(_COLLISION, len(collisions), collisions)

    def _leaves(self, value: Value, index: int) -> Iterator[tuple[Path, Value]]:
        kind = type(value) if type(value) in _KINDS else None
        if kind is not self.kind:
            wanted = _KINDS[self.kind] if self.kind else "single value"
            raise Unreadable(
                f"Item {index} is not {'an object' if wanted == 'object' else f'a {wanted}'} like the items before it. "
                "A table needs items of one kind."
            )
        if kind is dict:
            return self._object(value, ())
        if kind is list:
            return self._list(value, ())
        return iter(((("value",), value),))

    def _object(self, value: dict[str, Value], path: Path) -> Iterator[tuple[Path, Value]]:
        for key, inner in value.items():
            yield from self._leaf((*path, key), inner)

    def _list(self, value: list[Value], path: Path) -> Iterator[tuple[Path, Value]]:
        for index, inner in enumerate(value):
            yield from self._leaf((*path, str(index)), inner)

    def _leaf(self, path: Path, value: Value) -> Iterator[tuple[Path, Value]]:
        if type(value) is dict and value and self.flatten:
            yield from self._object(value, path)
        elif type(value) is list and value and self.arrays == "columns":
            yield from self._list(value, path)
        elif type(value) is list and self.arrays == "join" and not any(type(each) in _KINDS for each in value):
            yield path, self.join_with.join(map(text, value))
        elif type(value) in _KINDS:
            yield path, text(value)
        else:
            yield path, value
