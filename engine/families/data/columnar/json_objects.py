"""Parse JSON objects into data frames by blocks, where it is provably lossless.

Lists and objects keep their structure. Objects without them are cut at the text between their values where it is the
same, or decoded as records, which takes half the time and memory of a parser of any shape. A column with values other
than texts, booleans, 64-bit integers, floats, lists and objects, or with several of these kinds at one place, is parsed
value by value; the others are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from itertools import repeat
from typing import Any

import polars

from engine.families.data import garbage, learning, schema
from engine.families.data.columnar import json_parts, types
from engine.families.data.columnar.json_records import Records
from engine.families.data.columnar.json_templates import Templates
from engine.families.data.exactness import Inexact, Unlike
from engine.families.data.inference import EXACT_DIGITS
from engine.families.data.json_input import proofs as json_proofs
from engine.families.data.json_input.blocks import Block
from engine.families.data.schema import NULL, Kind, Narrowing, Type
from engine.families.data.values import Value

Blocks = Callable[[Callable[[Block], Any], int], Iterator[Any]]
"""Applies a function to each block of about the given number of bytes, and yields its results."""

BLOCK = 1 << 22
"""Bytes of text that become one frame."""
LEARNED = 1 << 16
"""Bytes that the types of all columns are learned from at first."""
_MAX_FLAT = 500
"""Columns up to which objects are cut or decoded as records."""
_MAX_FAILURES = 3
"""Blocks for which the proof fails, after which it is no longer tried; and how often types may have to be learned."""
_MOST_CELLS = 10_000_000
"""Most cells of a block, were all its objects as wide as all types together: 4 MB of empty ones beside one of 500 keys
have 600 million. Honest blocks have up to two million, of 60 keys of which each object has twelve."""
_FLAT: dict[Kind, json_parts.Kind] = {
    "text": "text",
    "null": "",
    "boolean": "boolean",
    "integer": "integer",
    "number": "number",
}
_NUMBERS = ("integer", "number", "decimal")


class Columns:
    """The columns of all objects; `kinds` maps the keys learned so far to types, in order of first appearance."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._learned = learning.Objects()
        self._exact = False
        self._times = 0
        self.narrowing = Narrowing()
        self.kinds: dict[str, Type] = {}
        for _ in blocks(self._see, LEARNED):
            if self.kinds:
                break
        if self._learned.inexact:
            self._learn_exactly()

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
            except Unlike:
                self._see(block)
                reader = self._reader()

        for _ in self._blocks(fit, BLOCK):
            if self._learned.inexact:
                self._learn_exactly()
                break

    def frames(self) -> Iterator[polars.DataFrame]:
        """Return all objects, one a row. Raises Inexact, and Unlike, after which call `learn`."""
        return self._reader().frames(self._blocks)

    def _reader(self) -> _Reader:
        return _Reader(self.kinds, exact=self._exact)

    def _learn_exactly(self) -> None:
        self._exact = True
        self._learned = learning.Objects(exact=True)
        for _ in self._blocks(self._see, BLOCK):
            pass

    def _see(self, block: Block) -> None:
        self._learned.see(_objects(block.values()))
        self.narrowing = Narrowing()
        self.kinds = {name: self.narrowing(each, name) for name, each in self._learned.types().items()}


def _objects(values: list[Value]) -> list[dict[str, Value]]:
    if any(type(each) is not dict for each in values):
        raise Inexact
    return values


def _is_parsed(given: Type) -> bool:
    """Return whether parsers have the type, and would convert no values to it."""
    if given.kind == "list":
        return _is_parsed(given.item or NULL)
    if given.kind == "struct":
        return all(_is_parsed(each) for _, each in given.fields)
    return given.kind in _FLAT and not (given.kind == "text" and given.kinds - {"text"})


def _fits(seen: Type, known: Type | None) -> bool:
    """Return whether values of the type seen can be stored as the known one."""
    if known is None or seen.kind == "null":
        return known is not None
    if known.kind == "list" and seen.kind == "list":
        return _fits(seen.item or NULL, known.item)
    if known.kind == "struct" and seen.kind == "struct":
        fields = dict(known.fields)
        return all(_fits(each, fields.get(name)) for name, each in seen.fields)
    kinds = seen.kinds or {seen.kind}
    if known.kind == "decimal":
        fits = seen.kind in _NUMBERS and kinds <= known.kinds
        return fits and seen.whole <= known.whole and seen.scale <= known.scale
    if known.kind == "number":
        return kinds <= {"integer", "number"} and ("integer" not in kinds or seen.whole <= EXACT_DIGITS)
    if known.kind == "text" and known.kinds == {"struct"}:  # there were only empty objects
        return seen.kind == "struct" and not seen.fields
    return kinds <= (known.kinds or {known.kind})


class _Reader:
    """Parses blocks of objects into columns of the given types. Raises Unlike and Inexact."""

    def __init__(self, kinds: dict[str, Type], *, exact: bool) -> None:
        self._kinds = kinds
        self._exact = exact
        self._stored = {name: types.stored(each) for name, each in kinds.items()}
        parsed = {name: each for name, each in kinds.items() if _is_parsed(each)}
        self._apart = [name for name in kinds if name not in parsed]
        self._parsed = parsed
        self._parser: Any = None
        self._places = sum(1 for each in kinds.values() for _ in schema.leaves(each))
        self._failures = 0
        cut = {name: _FLAT[each.kind] for name, each in kinds.items() if name in parsed and each.kind in _FLAT}
        flat = len(cut) == len(kinds) <= _MAX_FLAT
        self._templates = Templates(cut) if flat else None
        self._records = Records(cut) if flat else None

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
        pending = beside.submit(cut)

        def end() -> polars.DataFrame:
            found = pending.result()
            return self.frame(block) if found is None else found

        return end

    def frame(self, block: Block) -> polars.DataFrame:
        """Return the objects of a block, one a row."""
        found = self._templates.frame(block.data, in_list=block.in_list) if self._templates else None
        if found is not None:
            return found
        if block.data.count(b"{") * self._places > _MOST_CELLS:
            raise Inexact
        if self._records:
            with garbage.gc_disabled():
                found = self._records.frame(block.on_lines() or b"")
        elif self._failures < _MAX_FAILURES:
            with garbage.gc_disabled():
                found = self._of_lines(block.on_lines())
            self._failures += found is None
        return self._of_values(_objects(block.values())) if found is None else found

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
        columns = {each.name: each for each in frame} | {
            name: self._column(name, values) for name, values in members.items()
        }
        return polars.DataFrame([columns[name] for name in self._kinds])

    def _proven(self, lines: bytes) -> polars.DataFrame | None:
        if self._parser is None:
            from engine.families.data.columnar import json_arrow  # large import

            self._parser = json_arrow.Parser({name: self._stored[name] for name in self._parsed}, self._parsed)
        found: polars.DataFrame | None = self._parser.frame(lines)
        return found

    def _of_values(self, values: list[dict[str, Value]]) -> polars.DataFrame:
        if not set().union(*values) <= self._kinds.keys():
            raise Unlike
        return polars.DataFrame([self._column(name, list(map(dict.get, values, repeat(name)))) for name in self._kinds])

    def _column(self, name: str, values: list[Value]) -> polars.Series:
        learned = learning.Objects(exact=self._exact)
        learned.see_values(name, values)
        if learned.inexact or not _fits(learned.types().get(name, NULL), self._kinds[name]):
            raise Unlike
        return polars.Series(name, schema.column(self._kinds[name], values), dtype=self._stored[name])
