"""Parquet column types that polars has no type for or mistakes for others: JSON, UUIDs, dates, 96-bit timestamps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import polars

from engine.families.data.columnar.footer import BYTE_ARRAY, FIXED, INT96, Leaf

_JSON, _CONVERTED_JSON, _UUID = 12, 19, 14
_DATE = 6
"""The number of dates, as a logical and as a converted type."""
_PARTS = ((0, 8), (8, 4), (12, 4), (16, 4), (20, 12))
"""Offset and length of the five groups of hexadecimal digits of a UUID (RFC 9562, section 4)."""
_ENDS = (-(1 << 63), (1 << 63) - 1)

Shown = Callable[[polars.Expr], polars.Expr]


def shown(scan: polars.LazyFrame, leaves: list[Leaf]) -> polars.LazyFrame:
    """Return the scan with JSON columns as text, UUIDs in their canonical form, and dates as days.

    `leaves` are the file's leaf columns; a scan with another number of leaf columns is returned unchanged.
    """
    schema = scan.collect_schema()
    if not any(map(_meaning, leaves)) or sum(map(_count, schema.values())) != len(leaves):
        return scan
    rest = iter(leaves)
    ways = [(at, _way(kind, rest)) for at, kind in enumerate(schema.values())]
    columns = [way(polars.nth(at)) for at, way in ways if way is not None]
    return scan.with_columns(columns) if columns else scan


def cut(scan: polars.LazyFrame, leaves: list[Leaf]) -> bool:
    """Return whether 96-bit timestamps may have overflowed the 64-bit nanoseconds that polars stores."""
    if not any(each.physical == INT96 for each in leaves):
        return False
    schema = scan.collect_schema()
    if any(kind.is_nested() and "time_unit='ns'" in str(kind) for kind in schema.values()):
        return True
    moments = [at for at, kind in enumerate(schema.values()) if kind == polars.Datetime("ns")]
    if not moments:
        return False
    found = scan.select(polars.nth(at).to_physical().is_in(_ENDS).any() for at in moments)
    return any(found.collect(engine="streaming").row(0))


def _meaning(leaf: Leaf) -> Shown | None:
    if leaf.physical == BYTE_ARRAY and (leaf.logical == _JSON or leaf.converted == _CONVERTED_JSON):
        return lambda column: column.cast(polars.String)
    if leaf.physical == FIXED and leaf.logical == _UUID:
        return _uuid
    if _DATE in (leaf.logical, leaf.converted):
        return lambda column: column.cast(polars.Date)
    return None


def _uuid(column: polars.Expr) -> polars.Expr:
    digits = column.bin.encode("hex")
    return polars.concat_str([digits.str.slice(*part) for part in _PARTS], separator="-")


def _inner(kind: Any) -> list[Any]:
    """Return the child types of a nested type in order; empty for any other type."""
    if isinstance(kind, polars.Struct):
        return [each.dtype for each in kind.fields]
    if isinstance(kind, polars.List | polars.Array):
        return [kind.inner]
    if isinstance(kind, polars.Map):
        return [kind.key, kind.value]
    return []


def _count(kind: Any) -> int:
    return sum(map(_count, _inner(kind))) or 1


def _way(kind: Any, leaves: Iterator[Leaf]) -> Shown | None:
    """Return the conversion of a column that consumes the next of the leaves; None if it needs none."""
    if not _inner(kind):
        way = _meaning(next(leaves))
        # Of dates, polars makes timestamps where the file says that they had 64 bits before it was written.
        return way if kind in (polars.Binary, polars.Datetime("ms")) else None
    ways = [_way(each, leaves) for each in _inner(kind)]
    if isinstance(kind, polars.List) and ways[0]:
        return _in_list(ways[0])
    if isinstance(kind, polars.Array) and kind.inner == polars.Datetime("ms") and ways[0]:
        return lambda column: column.cast(polars.Array(polars.Date, kind.size))
    if isinstance(kind, polars.Struct) and any(ways):
        return _in_struct({field.name: way for field, way in zip(kind.fields, ways, strict=True) if way})
    return None  # in maps and in fixed-size arrays, the values stay bytes


def _in_list(way: Shown) -> Shown:
    return lambda column: column.list.eval(way(polars.element()))


def _in_struct(ways: dict[str, Shown]) -> Shown:
    return lambda column: column.struct.with_fields(way(polars.field(name)).alias(name) for name, way in ways.items())
