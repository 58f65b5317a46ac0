"""Schema: the type of each column of a table, which a reader declares, its values tell, and a writer takes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Literal

from conversions.families.data.values import NotFinite, Number, Value, text
from conversions.toolkit import warnings

Kind = Literal[
    "null", "text", "integer", "decimal", "number", "boolean", "bytes", "date", "time", "timestamp", "instant",
    "duration", "list", "struct", "mixed",
]  # fmt: skip

LARGEST = 2**63
OFFSETS = warnings.Kind("VALUE_CONVERTED", "Moments with an offset from UTC became the same moments in UTC")
"""What a format tells that has no zone but UTC."""
MAX_DIGITS = 38
"""What a decimal of 128 bits holds."""


@dataclass(frozen=True)
class Type:
    """What values of one column, or of one place inside of its values, are where they are not None.

    An `integer` is one of 64 bits, a `number` a float of 64, a `decimal` has at most `whole` digits before and `scale`
    after the point; a `timestamp` has no zone, an `instant` one; a list has items of one type, a struct `fields`. Where
    values are of several kinds that no type holds it is `mixed`. `kinds` are those that were seen.
    """

    kind: Kind = "null"
    whole: int = 0
    scale: int = 0
    item: Type | None = None
    fields: tuple[tuple[str, Type], ...] = ()
    kinds: frozenset[Kind] = frozenset()

    @property
    def precision(self) -> int:
        """All digits of a decimal."""
        return max(1, self.whole + self.scale)


@dataclass(frozen=True)
class Schema:
    """The types of a table's columns in their order; `offsets` counts moments whose zone is not UTC."""

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
    """What was seen of values, as its declared type where that holds all of them and says more."""
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
    if declared.kind == "number" and seen.kinds <= {"integer", "number"} and seen.whole <= 15:
        return replace(declared, kinds=seen.kinds)
    return seen


@dataclass
class Narrowing:
    """Makes types those that a format has: `has` are the kinds that are not to become text, `mixes` those that may
    stand together. `mixed` and `converted` are the places whose values became text, as names with dots.
    """

    has: Collection[Kind] = ALL
    mixes: Collection[Kind] = ()
    mixed: list[str] = field(default_factory=list)
    converted: list[str] = field(default_factory=list)

    def __call__(self, given: Type, place: str) -> Type:
        if given.kind == "mixed":
            if self.mixes and given.kinds <= frozenset(self.mixes):
                return given
            wider = next((kind for kinds, kind in _WIDER if given.kinds == kinds and given.whole <= 15), None)
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
    """What makes a value of a type one of Python's for it: None, bool, int, float, str, Decimal, moments, list, dict.

    Dates among timestamps begin their day, instants are in UTC, and what has no type is text, as JSON has it. `rename`
    gives the names that the fields of structs are to have.
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
    """A column of values as `conform` makes them."""
    return list(cells) if wanted.kind in _AS_THEY_ARE else list(map(conform(wanted, rename), cells))


def _same(value: Value) -> Value:
    return value


def _mixed(value: Value) -> Value:
    """As it is where it is a boolean, number or text; a number of other digits as a float has them is text."""
    if type(value) in (bool, float) or (type(value) is int and -LARGEST <= value < LARGEST):
        return value
    if type(value) in (Number, NotFinite):
        return float(value) if type(value) is NotFinite or Decimal(value) == Decimal(repr(float(value))) else str(value)
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
"""What values of a type are that need no look at each of them."""


def leaves(given: Type) -> Iterator[Type]:
    """The type itself and all inside of it."""
    yield given
    if given.item:
        yield from leaves(given.item)
    for _, each in given.fields:
        yield from leaves(each)
