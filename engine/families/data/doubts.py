"""Learn the kinds of columns, and name those that stay text because of some of their cells, such as N/A."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.families.data.inference import Kind, Spelling, joined
from engine.toolkit import warnings
from engine.toolkit.messages import say, shortened
from engine.toolkit.warnings import Warn

MORE_STAY_TEXT = warnings.Kind(
    "COLUMN_TEXT", "More columns stay text because of some of their values: {count}{places}."
)
_NAMED = 10
"""Columns that have a warning of their own."""
DECISIVE = 2000
"""Rows after which a column is plain text if no kind is that of most of its cells."""
_LONGEST = 40
_LONGEST_WORD = len("infinity")
"""Characters of the longest word that is a value other than text, or means nothing; what else has one begins with a
digit, a sign or a space."""

_GROUPS: Mapping[Kind, str] = {"integer": "number", "not a number": "number"}
_COUNTED = ("text", "long", "not a number")
"""Kinds of columns whose cells are not all read as such whatever follows."""
_ZEROS, _NOTHING = "zeros", "nothing"
_MOMENTS = ("date", "moment", "instant")
"""Groups that other programs read as one."""
_DAY = (
    "(?:[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}"
    r"|[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4})"
)
"""A day in another order than that of ISO 8601, which only the option of dates reads."""
_SHORT_DAY, _ISO_DAY = "[0-9]{1,2}/[0-9]{1,2}/[0-9]{2}", "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
_CLOCK = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?"
OTHER_DAYS = {"date": f"^{_DAY}$", "moment": f"^{_DAY}[T ]{_CLOCK}$"}
"""Patterns of cells that usual spelling never reads as of these kinds, though they nearly are."""
_NEAR = (
    (_ZEROS, re.compile(r"-?0\d+", re.ASCII)),
    (
        "number",
        re.compile(
            r"-?(?:0|\d{16,39}|\d*+\.\d++|\d++\.|(?:\d++(?:\.\d++)?+|\.\d++)[eE][+-]?\d{1,3})|[+-]?(?:nan|inf|infinity)"
            r"|\s++-?(?:0|[1-9]\d*+)(?:\.\d++)?+\s*+|-?(?:0|[1-9]\d*+)(?:\.\d++)?+\s++",
            re.ASCII | re.IGNORECASE,
        ),
    ),
    (_NOTHING, re.compile(r"#?n\.?/?a\.?|null|none|nil|-+|\?+|\.+", re.ASCII | re.IGNORECASE)),
    ("time", re.compile(_CLOCK)),
    ("moment", re.compile(rf"(?:{_DAY}|{_SHORT_DAY}|{_ISO_DAY})[T ]{_CLOCK}")),
    ("date", re.compile(rf"{_DAY}|{_SHORT_DAY}|{_ISO_DAY}")),
)
"""Notations that other programs read as such, or as nothing; leading zeros are meant to stay."""
_OTHER_DAY = re.compile(_DAY)
Place = tuple[str, bool]
"""What a cell is, or nearly is, and whether it is read as that."""


@dataclass
class _Column:
    rows: int = 0
    counts: Counter[Place] = field(default_factory=Counter)
    first: dict[Place, tuple[int, str]] = field(default_factory=dict)

    def best(self) -> str:
        """The kind of more than half of the cells but those that mean nothing; empty if there is none."""
        shares: Counter[str] = Counter()
        for (group, _), count in self.counts.items():
            shares[group] += count
        total = self.counts.total() - shares.pop(_NOTHING, 0)
        group, count = max(shares.items(), key=lambda each: each[1], default=("", 0))
        if group in _MOMENTS:
            count = sum(shares[each] for each in _MOMENTS)
        return group if count * 2 > total and group != _ZEROS else ""

    def others(self) -> dict[Place, int]:
        """What keeps the column from having the kind of most cells; empty if it is meant to be text."""
        best = self.best()
        others = {place: count for place, count in self.counts.items() if place != (best, True)}
        return others if best and any(group != _ZEROS for group, _ in others) else {}


class Doubts:
    """Counts what the cells of columns are that may have stayed text because of a few of them."""

    def __init__(self, width: int, spelling: Spelling) -> None:
        self._spelling = spelling
        self._open = {at: _Column() for at in range(width)}

    def is_open(self, at: int) -> bool:
        """Return whether the cells of a column are still counted."""
        return at in self._open

    def kind(self, at: int) -> str:
        """The kind of most cells of a column that is still counted."""
        return self._open[at].best()

    def first_like(self, at: int, kind: str) -> str | None:
        """The first cell seen in a column that is nearly of a kind, but not read as such."""
        return self._open[at].first.get((kind, False), (0, None))[1]

    def see(self, at: int, cells: Sequence[str | None]) -> None:
        """Count the next cells of a column."""
        column = self._open.get(at)
        if column is None:
            return
        before = max(0, DECISIVE - column.rows)
        for part in (cells[:before], cells[before:]):
            self._count(column, part)
            if part and column.rows == DECISIVE and column.counts and not column.best():
                del self._open[at]
                return

    def _count(self, column: _Column, cells: Sequence[str | None]) -> None:
        counts = Counter(cells)
        places = {cell: self._place(cell) for cell in counts if cell}
        for cell, place in places.items():
            column.counts[place] += counts[cell]
        for place in set(places.values()) - column.first.keys():
            column.first[place] = next(
                (column.rows + row, cell) for row, cell in enumerate(cells, 1) if cell and places[cell] == place
            )
        column.rows += len(cells)

    def see_alike(self, at: int, cells: Sequence[str | None], kind: Kind) -> None:
        """Count the next cells of a column of which all that are not empty are of one kind."""
        column = self._open.get(at)
        if column is None:
            return
        place = _GROUPS.get(kind, kind), True
        if count := len(cells) - cells.count("") - cells.count(None):
            column.counts[place] += count
            if place not in column.first:
                column.first[place] = next((column.rows + row, cell) for row, cell in enumerate(cells, 1) if cell)
        column.rows += len(cells)

    def report(self, names: Sequence[str], kinds: Sequence[Kind | None], warn: Warn) -> None:
        """Warn of the columns that stay text, with what keeps them from having a type, and where it is first."""
        others = {at: column.others() for at, column in sorted(self._open.items()) if kinds[at] == "text"}
        stay = [at for at, found in others.items() if found]
        for at in stay[:_NAMED]:
            column = self._open[at]
            first = min(others[at], key=lambda place: column.first[place])
            row, cell = column.first[first]
            values = {
                "column": shortened(names[at], _LONGEST),
                "count": sum(others[at].values()),
                "total": column.counts.total(),
                "value": shortened(cell, _LONGEST),
                "row": row,
            }
            message = say(
                "The column “{column}” stays text because of {count} of its {total} values, "
                "the first of them “{value}” in row {row}.",
                **values,
            )
            if first[0] == _NOTHING:
                message = say(
                    "The column “{column}” stays text because of {count} of its {total} values, "
                    "the first of them “{value}” in row {row}. Use nulls for texts that mean an empty cell.",
                    **values,
                )
            if first[0] == "date" and self._spelling.usual and _OTHER_DAY.fullmatch(cell):
                message = say(
                    "The column “{column}” stays text because of {count} of its {total} values, "
                    "the first of them “{value}” in row {row}. Use dateFormat for dates in this order.",
                    **values,
                )
            warn("COLUMN_TEXT", message)
        more = [f"“{shortened(names[at], _LONGEST)}”" for at in stay[_NAMED:]]
        warn.tally(MORE_STAY_TEXT, len(more), more, part="types")

    def _place(self, cell: str) -> Place:
        if len(cell) > _LONGEST_WORD and cell[0].isalpha():
            return "", False
        kind = self._spelling.kind(cell)
        if kind == "long":  # which floats beside it would change
            return "number", False
        if kind and kind != "text":
            return _GROUPS.get(kind, kind), True
        return next((group for group, near in _NEAR if near.fullmatch(cell)), ""), False


class Columns:
    """Learns column types from their cells, and what keeps columns from having one."""

    def __init__(self, width: int, spelling: Spelling) -> None:
        self._found: list[set[Kind]] = [set() for _ in range(width)]
        self._spelling = spelling
        self.doubts = Doubts(width, spelling)

    def see(self, batch: list[list[str]]) -> None:
        """Learn from the next rows."""
        columns = zip(self._found, zip(*batch, strict=True), strict=bool(batch))
        for at, (found, cells) in enumerate(columns):
            if joined(found) != "text":
                found.update(filter(None, map(self._spelling.kind, set(cells) - {""})))
            kind = joined(found)
            if kind is None or kind in _COUNTED:
                self.doubts.see(at, cells)
            else:
                self.doubts.see_alike(at, cells, kind)

    @property
    def kinds(self) -> list[Kind | None]:
        return [joined(found) for found in self._found]
