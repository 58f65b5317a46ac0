"""Flatten values of documents into rows one by one, exact for any shape."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from engine.families.data.features import Found
from engine.families.data.table import MAX_CELLS, Documents, Row, Table, Widened, check_filled, check_width
from engine.families.data.values import Value, text
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

Path = tuple[str, ...]
_COLLISION = Kind(
    "COLUMN_COLLISION", "Different paths give the same column name; all columns were kept: {count}{places}."
)
_EMPTY = Kind("CONTENT_DROPPED", "Empty items did not become rows: {count}{places}.", counts="rows")
_KINDS: dict[type, str] = {dict: say("an object"), list: say("a list")}
_OPENED = ("join", "columns")
_MANY_CELLS = 4_000_000
"""Cells of a batch that are not made before it is known that they are not almost all empty."""


class FlatRows:
    """The table of a stream of values; if later rows have new keys, its columns grow once, to all keys."""

    def __init__(self, name: str, documents: Documents, found: Found, options: Any, warn: Warn) -> None:
        self.documents = documents
        self.flatten = options.flatten
        self.separator = options.separator
        self.arrays = options.arrays
        self.join_with = options.join_with
        nested = getattr(options, "nested", False)
        texts = set(_KINDS) if not nested else {list} if options.arrays == "json" else set()
        self.as_text: frozenset[type] = frozenset(texts)
        """Values that become JSON text unless they are flattened or joined."""
        opened = texts | ({dict} if options.flatten else set()) | ({list} if options.arrays in _OPENED else set())
        self.not_as_it_is: frozenset[type] = frozenset(opened)
        self.warn = warn
        self.seen: dict[Path, None] = {}
        self.parents: set[Path] = set()
        self.empty: set[Path] = set()
        """Paths with nothing but null."""
        self.paths: dict[Path, int] = {}
        first = next(documents.batches(), None)
        self.table = Table(name, [], self.batches, found=found)
        if first is None or (first == [None] and not documents.many):
            self.documents = Documents(lambda: iter(()), many=True)
            self.kind: type | None = None
            warn("CONTENT_DROPPED", "The document has no rows: the table is empty.")
            return
        self.kind = type(first[0]) if type(first[0]) in _KINDS else None
        self.learn(first, 0)

    def batches(self) -> Iterator[list[Row]]:
        done = filled = 0
        batches = self.documents.batches()
        for batch in batches:
            rows = self.rows(batch, done, filled)
            if rows is None:
                for later in chain([batch], batches):
                    self.learn(later, done)
                    done += len(later)
                raise Widened
            done += len(batch)
            self.check(done)
            filled += filled_cells(rows)
            check_filled(done, len(self.paths), filled)
            if self.paths:
                yield rows
        if done and not self.paths:
            self.warn.tally(_EMPTY, done)

    def check(self, done: int) -> None:
        if done * len(self.paths) > MAX_CELLS:
            raise OverLimit(
                "output",
                say("The table has more than {max_cells} cells. Convert fewer rows at a time.", max_cells=MAX_CELLS),
            )

    def rows(self, batch: list[Value], done: int, filled: int) -> list[Row] | None:
        """The rows of a batch, or None if one has a path without a column; `done` and `filled` count what is before."""
        width = len(self.paths)
        if len(batch) * width > _MANY_CELLS:
            leaves = (leaf for at, value in enumerate(batch, done) for _, leaf in self._leaves(value, at))
            check_filled(done + len(batch), width, filled + sum(leaf is not None for leaf in leaves))
        names = [path[0] for path in self.paths] if all(len(path) == 1 for path in self.paths) else None
        rows = []
        for at, value in enumerate(batch):
            if names is not None and self.kind is dict and type(value) is dict and list(value) == names:
                row = list(value.values())
                if not any(type(cell) in self.not_as_it_is for cell in row):
                    if self.empty:
                        self.empty -= {(name,) for name, cell in zip(names, row, strict=True) if cell is not None}
                    rows.append(row)
                    continue
            row = [None] * width
            for path, leaf in self._leaves(value, done + at):
                column = self.paths.get(path)
                if column is None:
                    if leaf is None and path in self.seen:
                        continue
                    return None
                if self.empty and leaf is not None:
                    self.empty.discard(path)
                row[column] = leaf
            rows.append(row)
        return rows

    def learn(self, batch: list[Value], done: int) -> None:
        for at, value in enumerate(batch):
            for path, leaf in self._leaves(value, done + at):
                if path not in self.seen:
                    self.seen[path] = None
                    self.parents.update(path[:length] for length in range(1, len(path)))
                    self.empty.add(path)
                if leaf is not None:
                    self.empty.discard(path)
            check_width(len(self.seen))
        # A key that is null in some rows and an object in others needs no separate column.
        kept = [path for path in self.seen if path not in self.parents or path not in self.empty]
        self.paths = {path: at for at, path in enumerate(kept)}
        self.table.columns = [self.separator.join(path) for path in kept]
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
            line, column = self.documents.place(index) if self.documents.place else (None, None)
            raise Unreadable(
                say(
                    "Item {index} is not {value} like the items before it. A table needs items of one kind.",
                    index=index,
                    value=_KINDS[self.kind] if self.kind else say("a single value"),
                ),
                line=line,
                column=column,
                reason="format",
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
        elif type(value) is list and self.arrays == "join":
            yield path, self.join_with.join(map(text, value))
        elif type(value) in self.as_text:
            yield path, text(value)
        else:
            yield path, value


def filled_cells(rows: list[Row]) -> int:
    return sum(len(row) - row.count(None) for row in rows)
