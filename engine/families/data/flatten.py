"""Flatten documents of objects, lists or single values into table rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import chain
from typing import Any, NoReturn

from engine.families.data import garbage, row_lists
from engine.families.data.exactness import Inexact, Unlike
from engine.families.data.features import Found
from engine.families.data.json_input import tokens
from engine.families.data.json_input.blocks import Block
from engine.families.data.json_input.tokens import Tokens
from engine.families.data.readers import spreadsheet_xml
from engine.families.data.table import (
    MAX_CELLS,
    Documents,
    Frames,
    Row,
    Table,
    Widened,
    check_filled,
    check_width,
    is_sparse,
)
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


def tables(documents: Documents, options: Any, warn: Warn, *, find_rows: bool) -> list[Table]:
    """One row for each object of a list; nested objects become columns with dotted names, unless they are kept.

    A list of lists has columns `0`, `1`, ...; a list of single values has the column `value`; one object is one row.
    `options.row_path` names the list of rows; without it, `find_rows` searches for it, or for all lists.
    `options.unwind` names a list in each row whose items become rows. Raises Unreadable for mixed items, with the index
    of the first odd one, and InvalidOption for a path that does not exist.
    """
    if options.row_path:
        lists = [row_lists.RowList("Sheet1", row_lists.at(documents, options.row_path))]
    elif find_rows and not documents.many:
        document = next(documents.batches())[0]
        if hasattr(options, "attribute_prefix") and not options.unwind:  # XML
            sheets = spreadsheet_xml.tables(document, options, documents.found, warn)
            if sheets is not None:
                return sheets
        lists = row_lists.sought(document, options, warn)
    else:
        lists = [row_lists.RowList("Sheet1", documents)]
    return [_table(each, documents.found, options, warn) for each in lists]


def _table(rows_of: row_lists.RowList, found: Found, options: Any, warn: Warn) -> Table:
    rows = rows_of.rows
    if options.unwind:
        rows = row_lists.unwound(rows, options.unwind, options.separator)
    return _Flattened(rows_of.name, rows, found, options, warn).table


class _Flattened:
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
            warn("CONTENT_DROPPED", "The document has no rows: the table is empty.")
            return
        self.kind = type(first[0]) if type(first[0]) in _KINDS else None
        self._learn(first, 0)
        if documents.blocks and self.kind is dict and self.paths:
            self.table.tokens = partial(self._tokens, documents.blocks)
        if documents.blocks and self.kind is dict and len(self.paths) == len(self.seen):
            self.columns: Any = None
            self.ways = ["json_columns"] if self.as_text or self.not_as_it_is else ["json_columns", "json_objects"]
            """The modules that may parse the rows, the fastest first; objects stay as they are only in the second."""
            self.table.frames = Frames(partial(self._frames, documents.blocks), 0, spelled=False)

    def _frames(self, blocks: Callable[..., Any]) -> Iterator[Any]:
        """Yield rows as frames; batches handle what the ways can't prove to be the same."""
        from engine.families.data.columnar.building import report  # large import

        way = import_module(f"engine.families.data.columnar.{self.ways[0]}")
        given = [*self.table.columns]
        try:
            self.columns = self.columns or way.Columns(blocks)
            if not given or list(self.columns.kinds) != given:
                raise Inexact
            rows = 0
            for frame in self.columns.frames():
                rows += frame.height
                if rows * len(given) > MAX_CELLS:
                    raise Inexact
                yield frame
            report(self.columns.narrowing, self.warn)
        except Unlike:
            try:
                self.columns.learn()
            except Inexact:
                self._other_way()
            self.table.columns = list(self.columns.kinds)
            raise Widened from None
        except Inexact:
            self._other_way()

    def _other_way(self) -> NoReturn:
        self.table.columns = [self.separator.join(path) for path in self.paths]
        self.columns = None
        del self.ways[0]
        if not self.ways:
            self.table.by_rows()
        raise Widened

    def _tokens(self, blocks: Callable[..., Any]) -> Iterator[Tokens | list[Row]]:
        """Yield rows in source form, or as values where that is not proven to be the same."""
        columns = self._columns_of_tokens()
        done = filled = 0
        widened = False

        def rows(block: Block) -> Tokens | list[Row]:
            nonlocal columns, widened
            with suppress(Unlike), garbage.gc_disabled():
                if (split := columns.split(block)) is not None:
                    return split
            batch = block.values()
            found = None if widened else self._rows(batch, done)
            if found is None:
                widened = True
                self._learn(batch, done)
                columns = self._columns_of_tokens()
            return found or []

        for each in blocks(rows):
            if widened:
                continue
            if isinstance(each, Tokens):
                self._fill(each)
                done += each.rows
                filled += each.filled
            else:
                done += len(each)
                filled += _filled(each)
            self._check(done)
            if is_sparse(done, len(self.paths), filled):  # perhaps: some nulls were counted twice
                self.table.tokens = None
                raise Widened
            yield each
        if widened:
            raise Widened

    def _columns_of_tokens(self) -> tokens.Columns:
        nulls = self.seen.keys() - self.paths.keys()
        return tokens.Columns(self.paths, nulls, flatten=self.flatten, lists=self.arrays == "json")

    def _fill(self, found: Tokens) -> None:
        """Find out which columns have more than null."""
        for path in [*self.empty] if self.empty else ():
            joined = found.columns[self.paths[path]] if path in self.paths else None
            if joined and joined.strip(b"nul\n"):
                self.empty.discard(path)

    def batches(self) -> Iterator[list[Row]]:
        done = filled = 0
        batches = self.documents.batches()
        for batch in batches:
            rows = self._rows(batch, done)
            if rows is None:
                for later in chain([batch], batches):
                    self._learn(later, done)
                    done += len(later)
                raise Widened
            done += len(batch)
            self._check(done)
            filled += _filled(rows)
            check_filled(done, len(self.paths), filled)
            if self.paths:
                yield rows
        if done and not self.paths:
            self.warn.tally(_EMPTY, done)

    def _check(self, done: int) -> None:
        if done * len(self.paths) > MAX_CELLS:
            raise OverLimit(
                "output",
                say("The table has more than {max_cells} cells. Convert fewer rows at a time.", max_cells=MAX_CELLS),
            )

    def _rows(self, batch: list[Value], done: int) -> list[Row] | None:
        """The rows of a batch, or None if one has a path without a column."""
        width = len(self.paths)
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

    def _learn(self, batch: list[Value], done: int) -> None:
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


def _filled(rows: list[Row]) -> int:
    return sum(len(row) - row.count(None) for row in rows)
