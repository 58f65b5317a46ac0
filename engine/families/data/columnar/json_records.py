"""Parse flat JSON objects into columns of given kinds where it is provably lossless, whatever keys each of them has.

Values stay in source form, and are parsed as those of objects that are cut.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any

import msgspec
import polars

from engine.families.data.columnar.json_parts import Field, Kind, Parts
from engine.families.data.json_input import proofs as json_proofs

_PART = 1 << 18
"""Bytes that are decoded to Python objects at once, few enough for processor caches."""
_BETWEEN = b"\x1f"
"""A character that JSON has no value with."""
_MISSING, _NULL = msgspec.Raw(b""), msgspec.Raw(b"null")


class Records:
    """Parses objects with no other keys than these, in any order."""

    def __init__(self, kinds: dict[str, Kind]) -> None:
        self._kinds = kinds
        self._parts = Parts(
            [Field('"', at, '"') if kind == "text" else Field("", at) for at, kind in enumerate(kinds.values())],
            list(kinds.values()),
        )
        self._decoder: json_proofs.Decoder | None = None
        # Polars skips lines without anything.
        missing = _MISSING if len(kinds) > 1 else _NULL
        fields = [(f"f{at}", msgspec.Raw, msgspec.field(name=key, default=missing)) for at, key in enumerate(kinds)]
        how: Any = {"forbid_unknown_fields": True, "omit_defaults": True, "frozen": True, "gc": False, "eq": False}
        with suppress(ValueError):  # msgspec fields can't have names with quotes, backslashes or control characters
            self._decoder = json_proofs.Decoder(msgspec.defstruct("Record", fields, **how))

    def frame(self, data: bytes, *, in_list: bool) -> polars.DataFrame | None:
        """Return the objects of an array, or of lines, one a row; None unless each member is in one cell."""
        text = json_proofs.canonical(data)
        if text is None or self._decoder is None:
            return None
        rows: list[bytes] = []
        for part in [text] if in_list else _parts(text):
            records = self._decoder.items(part, in_list=in_list)
            if not records or not json_proofs.has_all_members(records, part, in_list=in_list):
                return None
            rows += map(_BETWEEN.join, map(msgspec.structs.astuple, records))
        return self._frame(rows) if rows else None

    def of_members(self, members: Collection[Collection[bytes | msgspec.Raw]]) -> polars.DataFrame | None:
        """As `frame`, for the values of each key in source form."""
        return self._frame(list(map(_BETWEEN.join, zip(*members, strict=True))))

    def _frame(self, rows: list[bytes]) -> polars.DataFrame | None:
        try:
            cells = polars.read_csv(
                b"\n".join(rows),
                has_header=False,
                separator=_BETWEEN.decode(),
                quote_char=None,
                schema=dict.fromkeys(self._parts.names, polars.String),
            )
        except polars.exceptions.PolarsError:
            return None
        columns = self._parts.columns(cells) if cells.height == len(rows) else None
        if columns is None:
            return None
        found = polars.DataFrame([each.alias(str(at)) for at, each in enumerate(columns)])
        found.columns = list(self._kinds)
        return found


def _parts(lines: bytes) -> Iterator[bytes]:
    """Split text at line ends into parts of about `_PART` bytes."""
    at = 0
    while at < len(lines):
        end = lines.find(b"\n", at + _PART) + 1 or len(lines)
        yield lines[at:end]
        at = end
