"""Parse JSON objects into data frames by blocks, where it is provably lossless.

Lists and objects keep their structure. Objects without them are cut at the text between their values where it is the
same, or decoded as records, which takes half the time and memory of a parser of any shape. Beside lists and objects,
decimals and values of several kinds are parsed apart; where one place in them has such values, their column is parsed
value by value, the others are not.
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
from engine.families.data.columnar.json_records import Records
from engine.families.data.columnar.json_templates import Templates
from engine.families.data.exactness import Inexact, Unlike
from engine.families.data.json_input import proofs as json_proofs
from engine.families.data.json_input.blocks import Block
from engine.families.data.schema import NULL, Narrowing, Type
from engine.families.data.values import Value

Blocks = Callable[[Callable[[Block], Any], int], Iterator[Any]]
"""Applies a function to each block of about the given number of bytes, and yields its results."""

BLOCK = 1 << 22
"""Bytes of text that become one frame."""
LEARNED = 1 << 16
"""Bytes that the types of all columns are learned from at first."""
_MAX_FAILURES = 3
"""Blocks for which the proof fails, after which it is no longer tried; and how often types may have to be learned."""
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
        self.kinds = {name: self.narrowing(each, name) for name, each in self._learned.types().items()}


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
        parsed = {
            name: each for name, each in kinds.items() if json_types.is_named(name) and json_types.is_parsed(each)
        }
        apart = {name: each for name, each in kinds.items() if name not in parsed}
        self._apart = list(apart)
        self._cells = {name: kind for name, each in apart.items() if (kind := json_types.cell(each)) is not None}
        self._parsed = parsed
        self._parser: Any = None
        self._places = sum(1 for each in kinds.values() for _ in schema.leaves(each))
        self._failures = 0
        cut = json_types.flat(kinds)
        self._templates = Templates(cut) if cut is not None else None
        self._records = Records(cut if cut is not None else self._cells)
        self._is_flat = cut is not None

    def frames(self, blocks: Blocks) -> Iterator[polars.DataFrame]:
        """Yield the frame of each block; the previous block is converted in a thread while the next one is cut."""
        with ThreadPoolExecutor(1) as beside:
            before: Callable[[], polars.DataFrame] | None = None
            for begun in blocks(partial(self._begin, beside), BLOCK):
                if before:
                    yield before()
                before = begun
            if before:
                yield before()

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
            if self._failures < _MAX_FAILURES:
                with garbage.gc_disabled():
                    found = self._of_text(block)
                self._failures += found is None
        typed = self._with_decimals(found)
        return self.of_values(block.values()) if typed is None else typed

    def _of_text(self, block: Block) -> polars.DataFrame | None:
        if self._is_flat:
            return self._records.frame(block.data, in_list=block.in_list)
        return self._of_lines(block.on_lines())

    def _with_decimals(self, found: polars.DataFrame | None) -> polars.DataFrame | None:
        return None if found is None else json_decimals.typed(found, self._kinds)

    def _of_lines(self, lines: bytes | None) -> polars.DataFrame | None:
        if not lines or not self._apart:
            return self._proven(lines) if lines else None
        cut = json_proofs.without_members(lines, self._apart)
        if cut is None:
            return None
        rest, members = cut
        frame = self._proven(rest)
        if frame is None:
            return None
        columns = {each.name: each for each in frame}
        if self._cells:
            cells = self._records.of_members([members[name] for name in self._cells])
            columns |= {} if cells is None else {each.name: each for each in cells}
        for name in self._kinds.keys() - columns:
            values = json_proofs.proven_values(b"\n".join(members[name]), in_list=False)
            if values is None:
                return None
            columns[name] = self._column(name, values)
        return polars.DataFrame([columns[name] for name in self._kinds])

    def _proven(self, lines: bytes) -> polars.DataFrame | None:
        if self._parser is None:
            from engine.families.data.columnar import json_arrow  # large import

            self._parser = json_arrow.Parser({name: self._stored[name] for name in self._parsed}, self._parsed)
        found: polars.DataFrame | None = self._parser.frame(lines)
        return found

    def of_values(self, values: list[Value]) -> polars.DataFrame:
        """Return decoded objects, one a row."""
        objects = _objects(values)
        self._check_size(len(objects))
        if not set().union(*objects) <= self._kinds.keys():
            raise Unlike
        return polars.DataFrame(
            [self._column(name, list(map(dict.get, objects, repeat(name)))) for name in self._kinds]
        )

    def _check_size(self, objects: int) -> None:
        if objects * self._places > _MOST_CELLS:
            raise Inexact

    def _column(self, name: str, values: list[Value]) -> polars.Series:
        learned = learning.Objects(exact=self._exact)
        learned.see_values(name, values)
        if learned.inexact or not json_types.fits(learned.types().get(name, NULL), self._kinds[name]):
            raise Unlike
        return polars.Series(name, schema.column(self._kinds[name], values), dtype=self._stored[name])
