"""Parse flat JSON objects into data frames by blocks, where it is provably lossless.

A column is text, boolean, 64-bit integer or float. For any other JSON, callers fall back to parsing value by value.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Any

import msgspec
import polars

from engine.families.data import garbage
from engine.families.data.columnar.json_parts import Kind
from engine.families.data.columnar.json_templates import Templates
from engine.families.data.exactness import Inexact, Unlike
from engine.families.data.inference import EXACT_DIGITS
from engine.families.data.json_input import proofs as json_proofs
from engine.families.data.json_input.blocks import Block
from engine.families.data.schema import Narrowing
from engine.families.data.values import Number, Value, exact_float

Blocks = Callable[[Callable[[Block], Any], int], Iterator[Any]]
"""Applies a function to each block of about the given number of bytes, and yields its results."""

_MAX_COLUMNS = 500
BLOCK = 1 << 22
"""Bytes of text that become one frame."""
_PART = 1 << 18
"""Bytes that are decoded to Python objects at once, few enough for processor caches."""
LEARNED = 1 << 16
"""Bytes that the kinds of all columns are learned from at first."""
_LARGEST = 2**63
_MANY_DIGITS = 10**EXACT_DIGITS
"""From this magnitude on, an integer in a column of floats makes the column decimal."""
_DTYPES: dict[Kind, Any] = {
    "": polars.String,
    "text": polars.String,
    "boolean": polars.Boolean,
    "integer": polars.Int64,
    "number": polars.Float64,
}
_VALUES: dict[Kind, Any] = {
    "": None,
    "text": str | None,
    "boolean": bool | None,
    "integer": int | None,
    "number": int | float | None,
}
_KINDS: dict[type, Kind] = {str: "text", bool: "boolean", float: "number", type(None): ""}
_UNSET = msgspec.UNSET


class Columns:
    """The columns of all objects; `kinds` maps the keys learned so far to kinds, in order of first appearance."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self.narrowing = Narrowing()
        """Nothing is converted here."""
        self.kinds: dict[str, Kind] = {}
        for _ in blocks(self._learn, LEARNED):
            if self.kinds:
                break

    def learn(self) -> None:
        """Scan all objects for their keys and kinds. Raises Inexact."""
        for _ in self._blocks(self._learn, LEARNED):
            pass

    def frames(self) -> Iterator[polars.DataFrame]:
        """Yield all objects, one a row. Raises Inexact, and Unlike, after which call `learn`."""
        if len(self.kinds) > _MAX_COLUMNS:
            raise Inexact
        yield from _Reader(self.kinds).frames(self._blocks)

    def _learn(self, block: Block) -> None:
        found: dict[str, dict[type, None]] = {}
        values = block.values()
        for row in values:
            if type(row) is not dict:
                raise Inexact
            for key, value in row.items():
                found.setdefault(key, {})[type(value)] = None
        for key, types in found.items():
            column = [row[key] for row in values if key in row] if not types.keys() <= _KINDS.keys() else []
            self.kinds[key] = _joined({self.kinds.get(key, ""), *_kinds(types, column)})


def _kinds(types: dict[type, None], column: list[Value]) -> set[Kind]:
    """Return the kinds of the values of a column. Raises Inexact for a value of any other kind."""
    kinds = {_KINDS[each] for each in types if each in _KINDS}
    if int in types:
        integers = column if types.keys() == {int} else [each for each in column if type(each) is int]
        if min(integers) < -_LARGEST or max(integers) >= _LARGEST:
            raise Inexact
        kinds.add("integer")
    if Number in types:
        if any(type(each) is Number and exact_float(each) is None for each in column):
            raise Inexact
        kinds.add("number")
    if not types.keys() <= {*_KINDS, int, Number}:
        raise Inexact
    return kinds


def _joined(kinds: set[Kind]) -> Kind:
    kinds.discard("")
    if kinds == {"integer", "number"}:
        return "number"
    if len(kinds) > 1:
        raise Inexact
    return kinds.pop() if kinds else ""


@dataclass(frozen=True)
class _Pending:
    """A block and its pending frame; the frame is None where the block has to be parsed in another way."""

    block: Block
    frame: Future[polars.DataFrame | None]


class _Reader:
    """Parses blocks of objects into columns of the given kinds. Raises Unlike and Inexact."""

    def __init__(self, kinds: dict[str, Kind]) -> None:
        self._kinds = dict(kinds)
        self._schema = {name: _DTYPES[kind] for name, kind in kinds.items()}
        self._templates = Templates(kinds)
        self._ways: list[Callable[[bytes], polars.DataFrame | None]]
        self._ways = [partial(self._of_records, each) for each in self._decoders()]
        self._ways.insert(1, self._of_lines)

    def _decoders(self) -> Iterator[json_proofs.Decoder]:
        """Yield a decoder for objects with all keys, and one for those that lack some, both in this order of keys."""
        fields = [(f"f{at}", each) for at, each in enumerate(self._kinds.items())]
        how: Any = {"forbid_unknown_fields": True, "frozen": True, "gc": False, "eq": False}
        whole = [(at, _VALUES[kind], msgspec.field(name=key)) for at, (key, kind) in fields]
        some = [
            (at, _VALUES[kind] | msgspec.UnsetType, msgspec.field(name=key, default=_UNSET))
            for at, (key, kind) in fields
        ]
        try:
            yield json_proofs.Decoder(msgspec.defstruct("Record", whole, **how))
            yield json_proofs.Decoder(msgspec.defstruct("Record", some, **how))
        except ValueError:  # msgspec fields can't have names with quotes, backslashes or control characters
            return

    def frames(self, blocks: Blocks) -> Iterator[polars.DataFrame]:
        """Yield the frame of each block; the previous block is converted in a thread while the next one is cut."""
        with ThreadPoolExecutor(1) as beside:
            before: _Pending | None = None
            for begun in blocks(partial(self._begin, beside), BLOCK):
                if before:
                    yield self._end(before)
                before = begun
            if before:
                yield self._end(before)

    def _begin(self, beside: Executor, block: Block) -> _Pending:
        if not block.in_list and (cut := self._templates.cut(block.data)):
            return _Pending(block, beside.submit(cut))
        done = Future[polars.DataFrame | None]()
        done.set_result(self.frame(block))
        return _Pending(block, done)

    def _end(self, pending: _Pending) -> polars.DataFrame:
        frame = pending.frame.result()
        return self.frame(pending.block) if frame is None else frame

    def frame(self, block: Block) -> polars.DataFrame:
        """Return the objects of a block, one a row."""
        found = self._templates.frame(block.data, in_list=block.in_list)
        if found is None:
            with garbage.gc_disabled():
                found = self._proven(block.on_lines())
        return self._of_values(block.values()) if found is None else found

    def _proven(self, lines: bytes | None) -> polars.DataFrame | None:
        frames = []
        for part in _parts(lines or b""):
            if (frame := self._of_part(part)) is None:
                return None
            frames.append(frame)
        return polars.concat(frames) if frames else None

    def _of_part(self, lines: bytes) -> polars.DataFrame | None:
        for at, way in enumerate(self._ways):
            if (frame := way(lines)) is not None:
                self._ways.insert(0, self._ways.pop(at))
                return frame
        return None

    def _of_lines(self, lines: bytes) -> polars.DataFrame | None:
        """Parse with polars; None unless writing the result again gives the same values."""
        written = io.BytesIO()
        try:
            frame = polars.read_ndjson(lines, schema=self._schema)
            frame.write_ndjson(written)
        except polars.exceptions.PolarsError:
            return None
        return frame if frame.height and json_proofs.same_values(written.getvalue(), lines) else None

    def _of_records(self, decoder: json_proofs.Decoder, lines: bytes) -> polars.DataFrame | None:
        """Parse with msgspec; None unless encoding the result again gives the same values."""
        records = decoder.items(lines, in_list=False)
        if not records or not json_proofs.same_values(json_proofs.encode_lines(records), lines):
            return None
        columns: list[Any] = list(zip(*map(msgspec.structs.astuple, records), strict=True))
        if _has_gaps(records[0]):
            columns = [[None if each is _UNSET else each for each in column] for column in columns]
        return self._of_columns(columns)

    def _of_values(self, values: list[Value]) -> polars.DataFrame:
        for row in values:
            if type(row) is not dict:
                raise Inexact
            if not row.keys() <= self._kinds.keys():
                raise Unlike
        columns = [list(map(dict.get, values, repeat(name))) for name in self._kinds]
        for kind, column in zip(self._kinds.values(), columns, strict=True):
            types = dict.fromkeys(map(type, column))
            if _joined({kind, *_kinds(types, column)}) != kind:
                raise Unlike
        return self._of_columns(columns)

    def _of_columns(self, columns: Sequence[Sequence[Any]]) -> polars.DataFrame:
        return polars.DataFrame(
            [_series(name, kind, column) for (name, kind), column in zip(self._kinds.items(), columns, strict=True)]
        )


def _has_gaps(record: Any) -> bool:
    """Return whether records of this type may lack keys."""
    return len(record.__struct_defaults__) > 0


def _series(name: str, kind: Kind, column: Sequence[Any]) -> polars.Series:
    if kind == "number" and not set(map(type, column)) <= {float, type(None)}:
        if any(type(each) is int and not -_MANY_DIGITS < each < _MANY_DIGITS for each in column):
            raise Inexact
        column = [None if each is None else float(each) for each in column]
    try:
        return polars.Series(name, column, dtype=_DTYPES[kind])
    except (OverflowError, TypeError):  # an integer of more than 64 bits
        raise Inexact from None


def _parts(lines: bytes) -> Iterator[bytes]:
    """Split text at line ends into parts of about `_PART` bytes."""
    at = 0
    while at < len(lines):
        end = lines.find(b"\n", at + _PART) + 1 or len(lines)
        yield lines[at:end]
        at = end
