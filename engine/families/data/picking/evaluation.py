"""Evaluate conditions on batches of rows.

A null cell is equal to nothing, and neither less nor greater than anything; `not` inverts that.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.families.data.picking.comparing import of_cells, with_literal
from engine.families.data.picking.tokens import Literal_, fault
from engine.families.data.table import Row
from engine.families.data.values import text, texts
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_UNCOMPARED = Kind(
    "NOT_COMPARABLE",
    "Cells can't be compared with the condition's value, so they don't match: {count}{places}.",
)
OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


_SEARCHES: dict[str, Callable[[str, str], bool]] = {
    "contains": lambda text, part: part in text,
    "startswith": lambda text, part: text.startswith(part),
    "endswith": lambda text, part: text.endswith(part),
}


@dataclass(frozen=True)
class Column:
    """A column by its name and its index in a row; without `nulls`, an empty text counts as null."""

    name: str
    at: int
    nulls: bool = True


@dataclass
class Uncompared:
    """Counts of cells that can't be compared, by column and operand, with one example of each."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, column: str, wanted: str, cell: object, count: int = 1) -> None:
        self.counts[column, wanted] += count
        self.examples.setdefault((column, wanted), text(cell)[:40])

    def report(self, warn: Warn) -> None:
        """Report them, one warning for each column and operand."""
        for (name, value), count in self.counts.items():
            example = f"“{self.examples[name, value]}” of “{name}” with {value}"
            warn.tally(_UNCOMPARED, count, [example], part=f"{name} {value}")


Test = Callable[[Sequence[Row], Uncompared], list[bool]]


def all_of(parts: list[Test]) -> Test:
    def test(rows: Sequence[Row], uncompared: Uncompared) -> list[bool]:
        return list(map(all, zip(*(part(rows, uncompared) for part in parts), strict=True)))

    return test


def any_of(parts: list[Test]) -> Test:
    def test(rows: Sequence[Row], uncompared: Uncompared) -> list[bool]:
        return list(map(any, zip(*(part(rows, uncompared) for part in parts), strict=True)))

    return test


def negated(part: Test) -> Test:
    return lambda rows, uncompared: list(map(operator.not_, part(rows, uncompared)))


def is_null(column: Column, *, positive: bool) -> Test:
    """Test whether a cell is null."""
    at, nothing = column.at, (None,) if column.nulls else (None, "")
    return lambda rows, _: [(row[at] in nothing) is positive for row in rows]


def compared(column: Column, sign: str, literal: Literal_, shown: str) -> Test:
    """Compare a column with a literal; `shown` is its source text."""
    at, holds, order = column.at, OPERATORS[sign], with_literal(literal)
    differs = sign == "!="
    ordered = sign not in ("=", "!=")

    def test(rows: Sequence[Row], uncompared: Uncompared) -> list[bool]:
        found = []
        for row in rows:
            cell = row[at]
            place = None if cell is None else order(cell)
            if place is not None:
                found.append(holds(place, 0))
            else:
                found.append(differs)
                if ordered and cell is not None and cell != "":
                    uncompared.add(column.name, shown, cell)
        return found

    return test


def compared_columns(one: Column, sign: str, other: Column) -> Test:
    """Compare two columns."""
    left, right, holds = one.at, other.at, OPERATORS[sign]
    differs = sign == "!="
    ordered = sign not in ("=", "!=")

    def test(rows: Sequence[Row], uncompared: Uncompared) -> list[bool]:
        found = []
        for row in rows:
            first, second = row[left], row[right]
            known = first is not None and second is not None
            place = of_cells(first, second) if known else None
            found.append(differs if place is None else holds(place, 0))
            if place is None and ordered and known:
                uncompared.add(one.name, other.name, first)
        return found

    return test


def one_of(column: Column, literals: list[Literal_]) -> Test:
    """Test whether a cell equals one of some literals."""
    at = column.at
    plain = frozenset(each for each in literals if isinstance(each, str))
    orders = [with_literal(each) for each in literals if not isinstance(each, str)]

    def holds(cell: Any) -> bool:
        if cell is None:
            return False
        return (cell if type(cell) is str else text(cell)) in plain or any(order(cell) == 0 for order in orders)

    return lambda rows, _: [holds(row[at]) for row in rows]


def searched(column: Column, search: str, wanted: str) -> Test:
    """Test whether the text of a cell contains, begins with or ends with another."""
    at = column.at
    holds = _SEARCHES[search]
    return lambda rows, _: [
        row[at] is not None and holds(cell, wanted) for row, (cell,) in zip(rows, _texts(rows, at), strict=True)
    ]


def pattern(wanted: str, at: int) -> str:
    """Return a regular expression once it compiles. Raises InvalidOption if it does not."""
    import polars  # large and rarely needed

    try:
        polars.Series([""]).str.contains(wanted)
    except polars.exceptions.ComputeError as error:
        reason = next(
            (line for line in str(error).splitlines() if line.startswith("error: ")), "error: it is too large"
        )
        raise fault(at, say("this is not a regular expression: {reason}.", reason=reason[7:])) from None
    return wanted


def matches(column: Column, wanted: str) -> Test:
    """Test whether a regular expression matches anywhere in a cell's text, in linear time."""
    import polars

    at = column.at

    def test(rows: Sequence[Row], _: Uncompared) -> list[bool]:
        cells = [None if row[at] is None else cell for row, (cell,) in zip(rows, _texts(rows, at), strict=True)]
        found: list[bool] = polars.Series(cells, dtype=polars.String).str.contains(wanted).fill_null(False).to_list()
        return found

    return test


def _texts(rows: Sequence[Row], at: int) -> list[Sequence[str]]:
    return texts([[row[at]] for row in rows])
