"""Split JSON objects into columns where it is provably lossless, whatever keys each of them has, in any order.

Single values stay in source form, and are parsed as those of objects that are cut; others are left to parsers of any
shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import polars

from engine.families.data.columnar.cells import frame_of
from engine.families.data.columnar.json_parts import Field, Kind, Parts
from engine.families.data.json_input import proofs as json_proofs

_PART = 1 << 18
"""Bytes that are decoded to Python objects at once, few enough for processor caches."""
_BETWEEN = b"\x1f"
"""A character that JSON has no value with."""
_NO_CELL = msgspec.Raw(b"")
MISSING = msgspec.Raw(b"null")
"""The value of a member that is missing, but for cells beside others."""
Values = Sequence[bytes | msgspec.Raw]
_ON_ONE_LINE = bytes.maketrans(b"\n", b" ")


class Records:
    """Splits objects with no other keys than these; columns without a kind are not parsed."""

    def __init__(self, kinds: Mapping[str, Kind | None]) -> None:
        cells = {name: kind for name, kind in kinds.items() if kind is not None}
        self._cells = list(cells)
        self._apart = [name for name in kinds if name not in cells]
        self._at = {name: at for at, name in enumerate(kinds)}
        self._parts = Parts(
            [Field('"', at, '"') if kind == "text" else Field("", at) for at, kind in enumerate(cells.values())],
            list(cells.values()),
        )
        # Polars skips lines without anything.
        missing = _NO_CELL if len(cells) > 1 else MISSING
        fields = [
            (f"f{at}", msgspec.Raw, msgspec.field(name=key, default=missing if key in cells else MISSING))
            for key, at in self._at.items()
        ]
        how: Any = {"forbid_unknown_fields": True, "omit_defaults": True, "frozen": True, "gc": False, "eq": False}
        self._decoder: json_proofs.Decoder | None = None
        with suppress(ValueError):  # msgspec fields can't have names with quotes, backslashes or control characters
            self._decoder = json_proofs.Decoder(msgspec.defstruct("Record", fields, **how))

    def split(self, data: bytes, *, in_list: bool) -> tuple[polars.DataFrame, dict[str, Values]] | None:
        """Return the cells of an array of objects, or of lines, and the values of the other columns in source form.

        Returns None unless each member is in one column.
        """
        text = json_proofs.canonical(data)
        if text is None or self._decoder is None:
            return None
        rows: list[bytes] = []
        apart: dict[str, list[msgspec.Raw]] = {name: [] for name in self._apart}
        for part in [text] if in_list else _parts(text):
            records = self._decoder.items(part, in_list=in_list)
            if not records or not json_proofs.has_all_members(records, part, in_list=in_list):
                return None
            tuples: Iterable[tuple[msgspec.Raw, ...]] = map(msgspec.structs.astuple, records)
            if apart:
                columns = list(zip(*tuples, strict=True))
                for name, values in apart.items():
                    values += columns[self._at[name]]
                tuples = zip(*(columns[self._at[name]] for name in self._cells), strict=True)
            rows += map(_BETWEEN.join, tuples)
        cells = self._frame(rows) if self._cells else polars.DataFrame()
        return None if cells is None else (cells, dict(apart))

    def _frame(self, rows: list[bytes]) -> polars.DataFrame | None:
        try:
            cells = polars.read_csv(
                b"\n".join(rows),
                has_header=False,
                separator=_BETWEEN.decode(),
                quote_char=None,
                schema=dict.fromkeys(self._parts.names, polars.String),
            )
        except polars.exceptions.PolarsError:  # no rows, or not UTF-8
            return None
        columns = self._parts.columns(cells) if cells.height == len(rows) else None
        return None if columns is None else frame_of(columns, self._cells)


def on_one_line(values: Values) -> Values:
    """Return values without line breaks."""
    if b"\n" not in b"".join(values):
        return values
    return [each if each is MISSING else bytes(each).translate(_ON_ONE_LINE) for each in values]


def _parts(lines: bytes) -> Iterator[bytes]:
    """Split text at line ends into parts of about `_PART` bytes."""
    at = 0
    while at < len(lines):
        end = lines.find(b"\n", at + _PART) + 1 or len(lines)
        yield lines[at:end]
        at = end
