"""Parse JSON objects into data frames by blocks, where it is provably lossless.

Lists and objects keep their structure. Objects without them are cut at the text between their values where it is the
same, or split as records, which takes half the time and memory of a parser of any shape. That parser reads lists and
objects with all other columns at once while the keys have one order and the columns one kind each; else it reads each
column that has some by itself. A column with decimals or values of several kinds in its lists or objects is parsed
value by value; the others are not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from itertools import repeat
from typing import Any

import polars

from engine.families.data import garbage, learning, schema
from engine.families.data.columnar import json_decimals, json_source_form, json_types, types
from engine.families.data.columnar.cells import frame_of
from engine.families.data.columnar.json_records import Records, Values, on_one_line
from engine.families.data.columnar.json_templates import Templates
from engine.families.data.exactness import Inexact, Unlike
from engine.families.data.json_input import proofs as json_proofs
from engine.families.data.json_input.blocks import Block
from engine.families.data.schema import NULL, Narrowing, Type
from engine.families.data.table import unique_names
from engine.families.data.values import Value
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Warn

Blocks = Callable[[Callable[[Block], Any], int], Iterator[Any]]
"""Applies a function to each block of about the given number of bytes, and yields its results."""

BLOCK = 1 << 22
"""Bytes of text that become one frame."""
LEARNED = 1 << 16
"""Bytes that the types of all columns are learned from at first."""
_MAX_FAILURES = 3
"""Blocks of a column for which the proof fails, after which it is no longer tried; and how often types may have to be
learned."""
_MOST_CELLS = 10_000_000
"""Most cells of a block, were all its objects as wide as all types together: 4 MB of empty ones beside one of 500 keys
have 600 million. Honest blocks have up to two million, of 60 keys of which each object has twelve."""


class Columns:
    """The columns of all objects; `kinds` maps the keys learned so far to types, in order of first appearance."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._learned = learning.Objects()
        self._times = 0
        self.narrowing = Narrowing()
        self.kinds: dict[str, Type] = {}
        for _ in blocks(self._see, LEARNED):
            if self.kinds:
                break

    @property
    def of_one_kind(self) -> bool:
        """Whether no text is that of other values."""
        return not any(
            each.kinds - {"text"}
            for known in self.kinds.values()
            for each in schema.leaves(known)
            if each.kind == "text"
        )

    def learn(self) -> None:
        """Scan all objects for their keys and types. Raises Inexact."""
        self._times += 1
        if self._times == _MAX_FAILURES:
            raise Inexact
        reader = self._reader()

        def fit(block: Block) -> None:
            nonlocal reader
            try:
                reader.frame(block)
            except json_decimals.Wider as found:
                self._learned.see_digits(found.sizes)
                self._settle()
                reader = self._reader()
            except Unlike:
                self._see(block)
                reader = self._reader()

        counted = None
        # Blocks that came before digits were counted are checked again.
        while counted is not self._learned.exact:
            counted = self._learned.exact
            for _ in self._blocks(fit, BLOCK):
                pass

    def frames(self) -> Iterator[polars.DataFrame]:
        """Return all objects, one a row. Raises Inexact, and Unlike, after which call `learn`."""
        return self._reader().frames(self._blocks)

    def in_source_form(self) -> Iterator[tuple[polars.DataFrame, Collection[int]]]:
        """As `frames`, with numbers that may have a fraction as text, and the indexes of their columns."""
        cut = json_types.flat(self.kinds)
        if cut is None or not json_source_form.KINDS.issuperset(cut.values()):
            raise Inexact
        return json_source_form.Reader(cut, self._reader().of_values).frames(self._blocks, BLOCK)

    def _reader(self) -> _Reader:
        return _Reader(self.kinds, exact=self._learned.exact)

    def _see(self, block: Block) -> None:
        objects = _objects(block.values())
        self._learned.see(objects)
        if self._learned.inexact:
            self._learned.count_digits()
            self._learned.see(objects)
        self._settle()

    def _settle(self) -> None:
        self.narrowing = Narrowing()
        found = self._learned.types()
        places = unique_names(found, Warn())  # the writer warns of those renamed
        self.kinds = {
            name: self.narrowing(each, place) for (name, each), place in zip(found.items(), places, strict=True)
        }


def _ended(end: Callable[[], polars.DataFrame], blocks: Blocks) -> polars.DataFrame:
    try:
        return end()
    except Unreadable:
        # Only an error that is raised by what blocks are applied to gets its line and column.
        for _ in blocks(Block.values, BLOCK):
            pass
        raise


def _objects(values: list[Value]) -> list[dict[str, Value]]:
    if any(type(each) is not dict for each in values):
        raise Inexact
    return values


class _Reader:
    """Parses blocks of objects into columns of the given types. Raises Unlike and Inexact."""

    def __init__(self, kinds: dict[str, Type], *, exact: bool) -> None:
        self._kinds = kinds
        self._exact = exact
        self._stored = {name: types.stored(each) for name, each in kinds.items()}
        self._places = sum(1 for each in kinds.values() for _ in schema.leaves(each))
        cut = json_types.flat(kinds)
        self._templates = Templates(cut) if cut is not None else None
        self._records = Records({name: json_types.cell(each) for name, each in kinds.items()})
        nested = [name for name, each in kinds.items() if json_types.cell(each) is None]
        self._tries = {name: _MAX_FAILURES for name in nested if json_types.is_parsed(kinds[name])}
        self._at_once = bool(nested) and json_types.is_parsed(Type("struct", fields=tuple(kinds.items())))
        self._parsers: dict[str | None, Any] = {}

    def frames(self, blocks: Blocks) -> Iterator[polars.DataFrame]:
        """Yield the frame of each block; the previous block is converted in a thread while the next one is cut."""
        with ThreadPoolExecutor(1) as beside:
            before: Callable[[], polars.DataFrame] | None = None
            for begun in blocks(partial(self._begin, beside), BLOCK):
                if before:
                    yield _ended(before, blocks)
                before = begun
            if before:
                yield _ended(before, blocks)

    def _begin(self, beside: Executor, block: Block) -> Callable[[], polars.DataFrame]:
        cut = self._templates.cut(block.data) if self._templates and not block.in_list else None
        if cut is None:
            frame = self.frame(block)
            return lambda: frame
        pending = beside.submit(lambda: self._with_decimals(cut()))

        def end() -> polars.DataFrame:
            found = pending.result()
            return self.frame(block) if found is None else found

        return end

    def frame(self, block: Block) -> polars.DataFrame:
        """Return the objects of a block, one a row."""
        found = self._templates.frame(block.data, in_list=block.in_list) if self._templates else None
        if found is None:
            self._check_size(block.data.count(b"{"))
            with garbage.gc_disabled():
                found = self._all_at_once(block.on_lines()) if self._at_once else None
                if found is None:
                    found = self._by_column(block)
        typed = self._with_decimals(found)
        return self.of_values(block.values()) if typed is None else typed

    def _with_decimals(self, found: polars.DataFrame | None) -> polars.DataFrame | None:
        return None if found is None else json_decimals.typed(found, self._kinds)

    def _all_at_once(self, lines: bytes | None) -> polars.DataFrame | None:
        """Return objects whose keys come in the order of the columns; it is no longer tried once they don't."""
        found: polars.DataFrame | None = self._parser(None).frame(lines) if lines else None
        self._at_once = found is not None
        return found

    def _by_column(self, block: Block) -> polars.DataFrame | None:
        split = self._records.split(block.data, in_list=block.in_list)
        if split is None:
            return None
        cells, others = split
        columns = {each.name: each for each in cells}
        for name, values in others.items():
            found = self._nested(name, values)
            if found is None:
                return None
            columns[name] = found
        return frame_of((columns[name] for name in self._kinds), self._kinds)

    def _nested(self, name: str, values: Values) -> polars.Series | None:
        values = on_one_line(values)
        if self._tries.get(name):
            found: polars.Series | None = self._parser(name).series(values)
            if found is not None:
                return found.alias(name)
            self._tries[name] -= 1
        decoded = json_proofs.proven_values(b"\n".join(values), in_list=False)
        return None if decoded is None else self._column(name, decoded)

    def _parser(self, name: str | None) -> Any:
        """Return the parser of a column, or of all."""
        if name not in self._parsers:
            from engine.families.data.columnar import json_arrow  # large import

            self._parsers[name] = (
                json_arrow.Parser(self._stored, self._kinds)
                if name is None
                else json_arrow.Column(self._stored[name], self._kinds[name])
            )
        return self._parsers[name]

    def of_values(self, values: list[Value]) -> polars.DataFrame:
        """Return decoded objects, one a row."""
        objects = _objects(values)
        self._check_size(len(objects))
        if not set().union(*objects) <= self._kinds.keys():
            raise Unlike
        columns = (self._column(name, list(map(dict.get, objects, repeat(name)))) for name in self._kinds)
        return frame_of(columns, self._kinds)

    def _check_size(self, objects: int) -> None:
        if objects * self._places > _MOST_CELLS:
            raise Inexact

    def _column(self, name: str, values: list[Value]) -> polars.Series:
        learned = learning.Objects(exact=self._exact)
        learned.see_values(name, values)
        if learned.inexact or not json_types.fits(learned.types().get(name, NULL), self._kinds[name]):
            raise Unlike
        return polars.Series(name, schema.column(self._kinds[name], values), dtype=self._stored[name])
