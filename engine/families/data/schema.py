"""The column types of a table, declared by its reader or learned from its values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Literal

from engine.families.data.values import NotFinite, Number, Value, exact, text
from engine.toolkit import warnings

Kind = Literal[
    "null", "text", "integer", "decimal", "number", "boolean", "bytes", "date", "time", "timestamp", "instant",
    "duration", "list", "struct", "mixed",
]  # fmt: skip

LARGEST = 2**63
NULLS = warnings.Kind(
    "VALUE_CONVERTED", "Cells with NULL, \\N or one of the texts in nulls were read as empty: {count}{places}."
)
OFFSETS = warnings.Kind("VALUE_CONVERTED", "Times with a UTC offset were converted to UTC: {count}{places}.")
"""A time zone of formats that only have UTC."""
MAX_DIGITS = 38
"""The digits of a 128-bit decimal."""


@dataclass(frozen=True)
class Type:
    """The type of a column, or of a place inside its values, ignoring None.

    `integer` has 64 bits, `number` is a 64-bit float, `decimal` has at most `whole` digits before and `scale` after the
    point; `timestamp` has no time zone, `instant` has one; a list has an item type, a struct `fields`. Values without a
    common type are `mixed`. `kinds` are those encountered, `longest` the digits of the longest integer.
    """

    kind: Kind = "null"
    whole: int = 0
    scale: int = 0
    longest: int = 0
    item: Type | None = None
    fields: tuple[tuple[str, Type], ...] = ()
    kinds: frozenset[Kind] = frozenset()

    @property
    def precision(self) -> int:
        """The total number of digits of a decimal."""
        return max(1, self.whole + self.scale)


@dataclass(frozen=True)
class Schema:
    """The column types of a table in order; `offsets` counts timestamps in zones other than UTC."""

    columns: tuple[Type, ...]
    offsets: int = 0


TEXT, NULL = Type("text"), Type()
ALL: frozenset[Kind] = frozenset(
    {
        "integer", "decimal", "number", "boolean", "bytes", "date", "time", "timestamp", "instant", "duration", "list",
        "struct",
    }
)  # fmt: skip
_WIDER: tuple[tuple[frozenset[Kind], Kind], ...] = (
    (frozenset({"integer", "number"}), "number"),
    (frozenset({"date", "timestamp"}), "timestamp"),
)


def refined(seen: Type, declared: Type | None) -> Type:
    """The observed type, replaced by the declared type if that holds all values and is more specific."""
    if declared is None or seen == declared:
        return seen
    if seen.kind == "null":
        return declared
    if declared.kind == seen.kind == "list" and seen.item and declared.item:
        return replace(seen, item=refined(seen.item, declared.item))
    if declared.kind == seen.kind == "struct":
        known = dict(seen.fields)
        fields = [(name, refined(known.pop(name, NULL), each)) for name, each in declared.fields]
        return replace(seen, fields=(*fields, *known.items()))
    if declared.kind == "decimal" and seen.kind in ("decimal", "integer"):
        whole = max(declared.whole, seen.whole)
        scale = max(declared.scale, seen.scale)
        return replace(declared, whole=whole, scale=scale) if whole + scale <= MAX_DIGITS else seen
    if declared.kind == "number" and seen.kind != "text" and seen.kinds <= {"integer", "number"} and seen.longest <= 15:
        return replace(declared, kinds=seen.kinds)
    return seen


@dataclass
class Narrowing:
    """Narrows types to those a format supports.

    `has` are the kinds not converted to text, `mixes` those that may be mixed. `mixed` and `converted` are the dotted
    paths of places whose values became text.
    """

    has: Collection[Kind] = ALL
    mixes: Collection[Kind] = ()
    mixed: list[str] = field(default_factory=list)
    converted: list[str] = field(default_factory=list)

    def __call__(self, given: Type, place: str) -> Type:
        if given.kind == "mixed":
            if self.mixes and given.kinds <= frozenset(self.mixes):
                return given
            wider = next((kind for kinds, kind in _WIDER if given.kinds == kinds and given.longest <= 15), None)
            if wider is not None and wider in self.has:
                return Type(wider, kinds=given.kinds)
            self.mixed.append(place)
            return replace(TEXT, kinds=given.kinds)
        if given.kind in ("text", "null"):
            return given
        if given.kind not in self.has or (given.kind == "struct" and not given.fields):
            self.converted.append(place)
            return replace(TEXT, kinds=given.kinds)
        if given.kind == "list":
            return replace(given, item=self(given.item or NULL, f"{place}[]"))
        if given.kind == "struct":
            return replace(given, fields=tuple((name, self(each, f"{place}.{name}")) for name, each in given.fields))
        return given


Rename = Callable[[Sequence[str]], Sequence[str]]
Conform = Callable[[Value], Any]


def conform(wanted: Type, rename: Rename = list) -> Conform:
    """A function that converts values of a type to Python: None, bool, int, float, str, Decimal, dates and times, list,
    dict.

    Dates among timestamps become midnight, instants are in UTC, and values without a type become JSON text. `rename`
    gives the field names of structs.
    """
    if wanted.kind == "list":
        item = conform(wanted.item or NULL, rename)
        return lambda value: None if value is None else [item(each) for each in value]
    if wanted.kind == "struct":
        names = [name for name, _ in wanted.fields]
        each = list(zip(names, rename(names), (conform(inner, rename) for _, inner in wanted.fields), strict=True))
        return lambda value: None if value is None else {new: make(value.get(name)) for name, new, make in each}
    cast = _CASTS[wanted.kind]
    return lambda value: None if value is None else cast(value)


def column(wanted: Type, cells: Iterable[Value], rename: Rename = list) -> list[Any]:
    """A column of values converted as by `conform`."""
    return list(cells) if wanted.kind in _AS_THEY_ARE else list(map(conform(wanted, rename), cells))


def _same(value: Value) -> Value:
    return value


def _mixed(value: Value) -> Value:
    """Booleans, numbers and texts unchanged; a number that a float would spell differently becomes text."""
    if type(value) in (bool, float) or (type(value) is int and -LARGEST <= value < LARGEST):
        return value
    if type(value) in (Number, NotFinite):
        return float(value) if type(value) is NotFinite or exact(value) == Decimal(repr(float(value))) else str(value)
    return text(value)


_CASTS: dict[Kind, Conform] = {
    "null": _same,
    "integer": _same,
    "boolean": _same,
    "bytes": _same,
    "date": _same,
    "time": _same,
    "duration": _same,
    "number": float,
    "decimal": lambda value: value if type(value) is Decimal else Decimal(str(value)),
    "timestamp": lambda value: value if isinstance(value, datetime) else datetime(value.year, value.month, value.day),
    "instant": lambda value: value.astimezone(UTC),
    "text": text,
    "mixed": _mixed,
}
_AS_THEY_ARE = frozenset(kind for kind, cast in _CASTS.items() if cast is _same)
PLAIN_KINDS: dict[type, Kind] = {
    bool: "boolean", str: "text", bytes: "bytes", date: "date", time: "time", timedelta: "duration",
}  # fmt: skip
"""Types of values that need no conversion."""


def leaves(given: Type) -> Iterator[Type]:
    """The type and all types nested in it."""
    yield given
    if given.item:
        yield from leaves(given.item)
    for _, each in given.fields:
        yield from leaves(each)
