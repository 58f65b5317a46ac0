"""Parse JSON objects with nested values into data frames by blocks, where it is provably lossless.

Lists and objects keep their structure. A column with values other than texts, booleans, 64-bit integers, floats, lists
and objects, or with several of these kinds at one place, is parsed value by value; the others are not.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import repeat

import polars
import pyarrow
from pyarrow import json as arrow_json

from engine.families.data import garbage, learning, schema
from engine.families.data.columnar import json_columns, types
from engine.families.data.columnar.json_columns import Blocks
from engine.families.data.exactness import Inexact, Unlike
from engine.families.data.inference import EXACT_DIGITS
from engine.families.data.json_input import proofs as json_proofs
from engine.families.data.json_input.blocks import Block
from engine.families.data.schema import NULL, Kind, Narrowing, Type
from engine.families.data.values import Value

_MAX_FAILURES = 3
"""Blocks for which the proof fails, after which it is no longer tried; and how often types may have to be learned."""
_MOST_CELLS = 10_000_000
"""Most cells of a block, were all its objects as wide as all types together: 4 MB of empty ones beside one of 500 keys
have 600 million. Honest blocks have up to two million, of 60 keys of which each object has twelve."""
_SCALARS: dict[Kind, pyarrow.DataType] = {
    "text": pyarrow.string(),
    "null": pyarrow.string(),
    "boolean": pyarrow.bool_(),
    "integer": pyarrow.int64(),
    "number": pyarrow.float64(),
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
        for _ in blocks(self._see, json_columns.LEARNED):
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

        for _ in self._blocks(fit, json_columns.BLOCK):
            if self._learned.inexact:
                self._learn_exactly()
                break

    def frames(self) -> Iterator[polars.DataFrame]:
        """Return all objects, one a row. Raises Inexact, and Unlike, after which call `learn`."""
        return self._blocks(self._reader().frame, json_columns.BLOCK)

    def _reader(self) -> _Reader:
        return _Reader(self.kinds, exact=self._exact)

    def _learn_exactly(self) -> None:
        self._exact = True
        self._learned = learning.Objects(exact=True)
        for _ in self._blocks(self._see, json_columns.BLOCK):
            pass

    def _see(self, block: Block) -> None:
        self._learned.see(_objects(block.values()))
        self.narrowing = Narrowing()
        self.kinds = {name: self.narrowing(each, name) for name, each in self._learned.types().items()}


def _objects(values: list[Value]) -> list[dict[str, Value]]:
    if any(type(each) is not dict for each in values):
        raise Inexact
    return values


def _arrow(given: Type) -> pyarrow.DataType | None:
    """Return the type that Arrow parses; None if it has none, or the values would be converted."""
    if given.kind == "list":
        item = _arrow(given.item or NULL)
        return item and pyarrow.list_(item)
    if given.kind == "struct":
        fields = [(name, _arrow(each)) for name, each in given.fields]
        return None if any(each is None for _, each in fields) else pyarrow.struct(fields)
    return None if given.kind == "text" and given.kinds - {"text"} else _SCALARS.get(given.kind)


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
        fields = {name: _arrow(each) for name, each in kinds.items()}
        self._apart = [name for name, each in fields.items() if each is None]
        known = pyarrow.schema([(name, each) for name, each in fields.items() if each is not None])
        self._parsing = arrow_json.ParseOptions(explicit_schema=known, unexpected_field_behavior="error")
        self._places = sum(1 for each in kinds.values() for _ in schema.leaves(each))
        self._failures = 0

    def frame(self, block: Block) -> polars.DataFrame:
        """Return the objects of a block, one a row."""
        if block.data.count(b"{") * self._places > _MOST_CELLS:
            raise Inexact
        found = None
        if self._failures < _MAX_FAILURES:
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
        """Parse with Arrow; None unless writing the result again gives the same values."""
        reading = arrow_json.ReadOptions(use_threads=False, block_size=len(lines) + 1)
        try:
            table = arrow_json.read_json(pyarrow.BufferReader(lines), read_options=reading, parse_options=self._parsing)
        except pyarrow.ArrowException:
            return None
        frame = polars.DataFrame(table)
        if any(self._stored[name] != kind for name, kind in frame.schema.items()):
            return None
        written = io.BytesIO()
        frame.write_ndjson(written)
        return frame if json_proofs.same_members(written.getvalue(), lines) else None

    def _of_values(self, values: list[dict[str, Value]]) -> polars.DataFrame:
        if not set().union(*values) <= self._kinds.keys():
            raise Unlike
        return polars.DataFrame([self._column(name, list(map(dict.get, values, repeat(name)))) for name in self._kinds])

    def _column(self, name: str, values: list[Value]) -> polars.Series:
        learned = learning.Objects(exact=self._exact)
        learned.see({name: each} for each in values)
        if learned.inexact or not _fits(learned.types().get(name, NULL), self._kinds[name]):
            raise Unlike
        return polars.Series(name, schema.column(self._kinds[name], values), dtype=self._stored[name])
