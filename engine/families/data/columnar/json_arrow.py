"""Parse lines of JSON objects of any shape into data frames with Arrow, where it is provably lossless."""

from __future__ import annotations

import io
from collections.abc import Mapping
from itertools import count
from typing import Any

import polars
import pyarrow
from pyarrow import json as arrow_json

from engine.families.data.columnar.cells import frame_of
from engine.families.data.columnar.json_records import MISSING, Values
from engine.families.data.json_input import proofs as json_proofs
from engine.families.data.schema import NULL, Kind, Type

_NAME = "k"
_START, _END = b'{"k":', b"}\n"
_BETWEEN = _END + _START
_SCALARS: dict[Kind, pyarrow.DataType] = {
    "text": pyarrow.string(),
    "null": pyarrow.string(),
    "boolean": pyarrow.bool_(),
    "integer": pyarrow.int64(),
    "number": pyarrow.float64(),
}


class Parser:
    """Parses objects with no other keys than those of `kinds`, in their order, stored as these types of polars."""

    def __init__(self, stored: Mapping[str, Any], kinds: Mapping[str, Type]) -> None:
        self._stored = stored
        schema = pyarrow.schema([(name, _parsed(each)) for name, each in kinds.items()])
        self._parsing = arrow_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")

    def frame(self, lines: bytes) -> polars.DataFrame | None:
        """Return the objects, one a row; None unless writing them again gives the same values."""
        reading = arrow_json.ReadOptions(use_threads=False, block_size=len(lines) + 1)
        try:
            table = arrow_json.read_json(pyarrow.BufferReader(lines), read_options=reading, parse_options=self._parsing)
        except pyarrow.ArrowException:
            return None
        frame = frame_of(map(polars.Series, table.columns), table.column_names)
        if any(self._stored[name] != kind for name, kind in frame.schema.items()):
            return None
        written = io.BytesIO()
        frame.write_ndjson(written)
        return frame if json_proofs.same_members(written.getvalue(), lines) else None


class Column:
    """Parses values of any shape in source form, each on one line, stored as this type of polars."""

    def __init__(self, stored: Any, kind: Type) -> None:
        self._stored = stored
        self._parser = Parser({_NAME: stored}, {_NAME: kind})

    def series(self, values: Values) -> polars.Series | None:
        """Return the column; None unless writing it again gives the same values."""
        given = [each for each in values if each is not MISSING]
        if not given:
            return polars.repeat(None, len(values), dtype=self._stored, eager=True)
        frame = self._parser.frame(_START + _BETWEEN.join(given) + _END)
        if frame is None or len(given) == len(values):
            return None if frame is None else frame[_NAME]
        places = count()
        return frame[_NAME].gather(polars.Series([None if each is MISSING else next(places) for each in values]))


def _parsed(given: Type) -> pyarrow.DataType:
    if given.kind == "list":
        return pyarrow.list_(_parsed(given.item or NULL))
    if given.kind == "struct":
        return pyarrow.struct([(name, _parsed(each)) for name, each in given.fields])
    return _SCALARS[given.kind]
