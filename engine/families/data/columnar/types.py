"""Map the types of schemas to and from those of polars."""

from __future__ import annotations

from typing import Any

import polars
from polars.datatypes import DataType, DataTypeClass

from engine.families.data.exactness import Inexact
from engine.families.data.schema import MAX_DIGITS, NULL, TEXT, Kind, Type

_STORED: dict[Kind, DataType | DataTypeClass] = {
    "text": polars.String,
    # For an all-null column: a text column without values, which every Parquet reader knows.
    "null": polars.String,
    "integer": polars.Int64,
    "number": polars.Float64,
    "boolean": polars.Boolean,
    "bytes": polars.Binary,
    "date": polars.Date,
    "time": polars.Time,
    "timestamp": polars.Datetime("us"),
    "instant": polars.Datetime("us", "UTC"),
    "duration": polars.Duration("us"),
}


def stored(given: Type) -> DataType | DataTypeClass:
    """Return the polars type that stores values of a schema type."""
    if given.kind == "list":
        return polars.List(stored(given.item or NULL))
    if given.kind == "struct":
        return polars.Struct({name: stored(each) for name, each in given.fields})
    if given.kind == "decimal":
        return polars.Decimal(given.precision, given.scale)
    return _STORED[given.kind]


def declared(kind: DataType) -> Type:
    """Return the schema type of the values that `cells` gives for a column of this polars type."""
    if isinstance(kind, polars.List | polars.Array):
        return Type("list", item=declared(kind.inner))  # type: ignore[arg-type]  # an instance, once it is in a schema
    if isinstance(kind, polars.Struct):
        return Type("struct", fields=tuple((each.name, declared(each.dtype)) for each in kind.fields))  # type: ignore[arg-type]
    if isinstance(kind, polars.Decimal):
        scale = kind.scale or 0
        return Type("decimal", (kind.precision or MAX_DIGITS) - scale, scale)
    if isinstance(kind, polars.Datetime):
        return Type("timestamp" if kind.time_zone is None else "instant")
    if kind.is_integer():
        return Type("integer")
    if kind.is_float():
        return Type("number")
    return _DECLARED.get(type(kind), TEXT)


_DECLARED: dict[type[DataType], Type] = {
    polars.Boolean: Type("boolean"),
    polars.Date: Type("date"),
    polars.Time: Type("time"),
    polars.Duration: Type("duration"),
    polars.Null: NULL,
}
_PLAIN: dict[Kind, tuple[DataType | DataTypeClass, ...]] = {
    "text": (polars.String,),
    "integer": (
        polars.Int8, polars.Int16, polars.Int32, polars.Int64, polars.UInt8, polars.UInt16, polars.UInt32,
    ),
    "number": (polars.Float64,),
    "boolean": (polars.Boolean,),
    "date": (polars.Date,),
    "time": (polars.Time,),
    "timestamp": (polars.Datetime("us"), polars.Datetime("ms")),
    "instant": (polars.Datetime("us", "UTC"), polars.Datetime("ms", "UTC")),
}  # fmt: skip


def plain_types(schema: polars.Schema) -> list[Type]:
    """Return the types of columns whose values all have it in rows, too. Raises Inexact for any other type."""
    found = [declared(kind) for kind in schema.values()]
    if not found or any(
        kind not in _PLAIN.get(each.kind, ()) for each, kind in zip(found, schema.values(), strict=True)
    ):
        raise Inexact
    return found


def is_misread(kind: Any, *, nested: bool = False) -> bool:
    """Return whether polars may misread a type in Parquet: equal keys of maps, or long decimals inside others."""
    return (
        isinstance(kind, polars.Map)
        or (nested and isinstance(kind, polars.Decimal))
        or any(is_misread(each, nested=True) for each in _inside(kind))
    )


def is_without_fields(kind: Any) -> bool:
    """Return whether a type is a struct without fields, or has one in it."""
    return (isinstance(kind, polars.Struct) and not kind.fields) or any(map(is_without_fields, _inside(kind)))


def has_times(schema: polars.Schema) -> bool:
    """Return whether a column is or has times."""
    return any(_has(kind, polars.Time()) for kind in schema.values())


def may_have_long_dates(schema: polars.Schema) -> bool:
    """Return whether a column is or has what polars makes of dates of 64 bits: timestamps in milliseconds."""
    return any(_has(kind, polars.Datetime("ms")) for kind in schema.values())


def _has(kind: Any, wanted: DataType) -> bool:
    return bool(kind == wanted) or any(_has(each, wanted) for each in _inside(kind))


def _inside(kind: Any) -> list[Any]:
    if isinstance(kind, polars.Struct):
        return [each.dtype for each in kind.fields]
    if isinstance(kind, polars.Map):
        return [kind.key, kind.value]
    return [kind.inner] if isinstance(kind, polars.List | polars.Array) else []
