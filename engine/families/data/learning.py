"""Learn the schema of a table from its values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, datetime
from decimal import Decimal
from types import NoneType
from typing import Any

from engine.families.data.schema import LARGEST, MAX_DIGITS, PLAIN_KINDS, TEXT, Kind, Schema, Type, refined
from engine.families.data.table import Table
from engine.families.data.values import NotFinite, Number, Value, exact, exact_float

MAX_FIELDS, MAX_PLACES, MAX_DEPTH = 500, 5_000, 30
"""Limits on the keys of a struct, the places in a table and the levels, beyond which objects become JSON text: they are
maps."""
_EXACT = 15
"""Digits of an integer that every float preserves."""


def schema(table: Table) -> Schema:
    """Learn the column types of a table in one pass over all rows, or two for numbers with varying digits.

    Types that the reader declared are kept unless values contradict them. May raise Widened.
    """
    run = _Run()
    seen = _pass(table, run)
    if run.inexact:
        run = _Run(exact=True)
        seen = _pass(table, run)
    declared = table.schema() if table.schema else [None] * len(seen)
    types = (refined(each.type(), known) for each, known in zip(seen, declared, strict=True))
    return Schema(tuple(types), run.offsets)


def _pass(table: Table, run: _Run) -> list[_Seen]:
    seen = [_Seen(run) for _ in table.columns]
    for batch in filter(None, table.batches()):
        for each, cells in zip(seen, zip(*batch, strict=True), strict=True):
            each.see(cells)
    run.inexact = not run.exact and any(each.wants_digits() for each in seen)
    return seen


class Objects:
    """The types of the keys of objects, learned from some objects at a time; with `exact`, floats by their digits."""

    def __init__(self, *, exact: bool = False) -> None:
        self._run = _Run(exact=exact)
        self._seen: dict[str, _Seen] = {}

    def see(self, objects: Iterable[dict[str, Value]]) -> None:
        """Learn from the next objects."""
        gathered: dict[str, list[Value]] = defaultdict(list)
        for each in objects:
            for key, value in each.items():
                gathered[key].append(value)
        for key, values in gathered.items():
            self.see_values(key, values)

    def see_values(self, key: str, values: Iterable[Value]) -> None:
        """Learn from the next values of one key."""
        if key not in self._seen:
            self._seen[key] = _Seen(self._run)
        self._seen[key].see(values)

    def see_digits(self, sizes: dict[str, tuple[int, int]]) -> None:
        """Learn that decimals of these keys have so many digits before and after the point."""
        for key, (whole, scale) in sizes.items():
            self._seen[key]._digits_of(whole, scale)

    @property
    def exact(self) -> bool:
        """Whether the digits of floats are counted."""
        return self._run.exact

    @property
    def inexact(self) -> bool:
        """Whether the types depend on digits of floats that were not counted."""
        return not self.exact and any(each.wants_digits() for each in self._seen.values())

    def count_digits(self) -> None:
        """Count the digits of floats from the next objects on."""
        self._run.exact = True

    def types(self) -> dict[str, Type]:
        """The type of each key, in order of first appearance."""
        return {key: each.type() for key, each in self._seen.items()}


@dataclass
class _Run:
    """One pass: whether it counts the digits of floats, the number of nested positions, and what to report."""

    exact: bool = False
    inexact: bool = False
    places: int = 0
    offsets: int = 0


class _Seen:
    """The statistics of one position: the types of its values, their digits, and nested positions."""

    def __init__(self, run: _Run, depth: int = 0) -> None:
        self.run = run
        self.depth = depth
        self.kinds: set[Kind] = set()
        self.whole = self.scale = self.longest = 0
        self.finite = True
        self.item: _Seen | None = None
        self.fields: dict[str, _Seen] = {}
        run.places += 1

    def see(self, cells: Iterable[Value]) -> None:
        types = set(map(type, cells))
        for each in types - {NoneType}:
            if each in PLAIN_KINDS:
                self.kinds.add(PLAIN_KINDS[each])
            elif each is float and not self.run.exact:
                self.kinds.add("number")
            else:
                _LOOKS.get(each, _Seen._others)(self, [cell for cell in cells if type(cell) is each])

    def _integers(self, cells: list[int]) -> None:
        least, most = min(cells), max(cells)
        if least >= -LARGEST and most < LARGEST:
            self.kinds.add("integer")
        else:
            self.kinds.update("integer" if -LARGEST <= cell < LARGEST else "decimal" for cell in cells)
        self.longest = max(self.longest, len(str(max(-least, most))))
        self._digits_of(self.longest, 0)

    def _floats(self, cells: list[float]) -> None:
        self.kinds.add("number")
        for cell in cells:
            self._decimal(Decimal(repr(cell)))

    def _numbers(self, cells: list[Number]) -> None:
        for cell in cells:
            if exact_float(cell) is not None:
                self.kinds.add("number")
                if self.run.exact:
                    self._decimal(exact(cell))
            else:
                self.kinds.add("decimal")
                self._decimal(exact(cell))

    def _decimals(self, cells: list[Decimal]) -> None:
        self.kinds.add("decimal")
        for cell in cells:
            self._decimal(cell)

    def _not_finite(self, cells: list[NotFinite]) -> None:
        self.kinds.add("number")
        self.finite = False

    def _moments(self, cells: list[datetime]) -> None:
        for cell in cells:
            offset = cell.utcoffset()
            if offset is None:
                self.kinds.add("timestamp")
            else:
                # In the first and the last year, conversion to UTC may leave the calendar.
                self.kinds.add("instant" if MINYEAR < cell.year < MAXYEAR else "text")
                self.run.offsets += bool(offset)

    def _lists(self, cells: list[list[Value]]) -> None:
        if self.depth >= MAX_DEPTH:
            self.kinds |= {"list", "text"}
            return
        self.kinds.add("list")
        self.item = self.item or _Seen(self.run, self.depth + 1)
        self.item.see([each for cell in cells for each in cell])

    def _structs(self, cells: list[dict[str, Value]]) -> None:
        gathered: dict[str, list[Value]] = defaultdict(list)
        for cell in cells:
            for key, value in cell.items():
                gathered[key].append(value)
        more = len(gathered.keys() - self.fields.keys())
        if self.depth >= MAX_DEPTH or len(self.fields) + more > MAX_FIELDS or self.run.places + more > MAX_PLACES:
            self.kinds |= {"struct", "text"}
            return
        self.kinds.add("struct")
        for key, values in gathered.items():
            if key not in self.fields:
                self.fields[key] = _Seen(self.run, self.depth + 1)
            self.fields[key].see(values)

    def _others(self, cells: list[Value]) -> None:
        self.kinds.add("text")

    def _decimal(self, value: Decimal) -> None:
        digits, exponent = value.as_tuple()[1:]
        if not isinstance(exponent, int):
            self.finite = False
        elif any(digits):
            self._digits_of(len(digits) + exponent, -exponent)
        else:
            self._digits_of(0, -exponent)

    def _digits_of(self, whole: int, scale: int) -> None:
        self.whole, self.scale = max(self.whole, whole), max(self.scale, scale)

    def wants_digits(self) -> bool:
        """Return whether floats are mixed with numbers of more digits, here or at nested positions."""
        inside = [*self.fields.values(), *([self.item] if self.item else [])]
        return self._mixes_digits() or any(each.wants_digits() for each in inside)

    def _mixes_digits(self) -> bool:
        return "number" in self.kinds and ("decimal" in self.kinds or self.longest > _EXACT)

    def type(self) -> Type:
        kinds = frozenset(self.kinds)
        kind: Kind = next(iter(kinds), "null") if len(kinds) <= 1 else "mixed"
        if kinds <= {"integer", "decimal", "number"} and ("decimal" in kinds or self._mixes_digits()):
            fits = self.finite and self.whole + self.scale <= MAX_DIGITS
            kind = "decimal" if fits else "mixed" if len(kinds) > 1 else "text"
        if kind == "list":
            return Type("list", item=self.item.type() if self.item else None, kinds=kinds)
        if kind == "struct":
            return Type("struct", fields=tuple((key, each.type()) for key, each in self.fields.items()), kinds=kinds)
        if kind == "text":
            return TEXT if kinds == {"text"} else Type("text", kinds=kinds)
        return Type(kind, self.whole, self.scale, self.longest, kinds=kinds)


_LOOKS: dict[type, Callable[[_Seen, list[Any]], None]] = {
    int: _Seen._integers,
    float: _Seen._floats,
    Number: _Seen._numbers,
    NotFinite: _Seen._not_finite,
    Decimal: _Seen._decimals,
    datetime: _Seen._moments,
    list: _Seen._lists,
    dict: _Seen._structs,
}
