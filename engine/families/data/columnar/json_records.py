"""Parse lines of flat JSON objects into columns of given kinds with msgspec, where it is provably lossless.

Faster than a parser of any shape where objects lack keys, or are spelled in several ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import polars

from engine.families.data.columnar.json_parts import Kind
from engine.families.data.inference import EXACT_DIGITS
from engine.families.data.json_input import proofs as json_proofs

_PART = 1 << 18
"""Bytes that are decoded to Python objects at once, few enough for processor caches."""
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
_UNSET = msgspec.UNSET


class Records:
    """Parses objects with no other keys than these, in this order."""

    def __init__(self, kinds: dict[str, Kind]) -> None:
        self._kinds = kinds
        self._decoders = list(self._both_decoders())

    def _both_decoders(self) -> Iterator[json_proofs.Decoder]:
        """Yield a decoder for objects with all keys, and one for those that lack some."""
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

    def frame(self, lines: bytes) -> polars.DataFrame | None:
        """Return the objects, one a row; None unless encoding them again gives the same values."""
        frames = []
        for part in _parts(lines):
            found = next((frame for each in self._decoders if (frame := self._part(each, part)) is not None), None)
            if found is None:
                return None
            frames.append(found)
        return polars.concat(frames) if frames else None

    def _part(self, decoder: json_proofs.Decoder, lines: bytes) -> polars.DataFrame | None:
        records = decoder.items(lines, in_list=False)
        if not records or not json_proofs.same_values(json_proofs.encode_lines(records), lines):
            return None
        columns: list[Any] = list(zip(*map(msgspec.structs.astuple, records), strict=True))
        if records[0].__struct_defaults__:
            columns = [[None if each is _UNSET else each for each in column] for column in columns]
        pairs = zip(self._kinds.items(), columns, strict=True)
        series = [_series(name, kind, column) for (name, kind), column in pairs]
        return None if any(each is None for each in series) else polars.DataFrame(series)


def _series(name: str, kind: Kind, column: Sequence[Any]) -> polars.Series | None:
    if kind == "number" and not set(map(type, column)) <= {float, type(None)}:
        if any(type(each) is int and not -_MANY_DIGITS < each < _MANY_DIGITS for each in column):
            return None
        column = [None if each is None else float(each) for each in column]
    try:
        return polars.Series(name, column, dtype=_DTYPES[kind])
    except (OverflowError, TypeError):  # an integer of more than 64 bits
        return None


def _parts(lines: bytes) -> Iterator[bytes]:
    """Split text at line ends into parts of about `_PART` bytes."""
    at = 0
    while at < len(lines):
        end = lines.find(b"\n", at + _PART) + 1 or len(lines)
        yield lines[at:end]
        at = end
