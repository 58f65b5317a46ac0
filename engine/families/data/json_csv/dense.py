"""Decode rows with mostly the same keys as records, and convert them column by column."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from itertools import chain, repeat
from typing import Any

import msgspec

from engine.families.data.json_csv.cells import ALONE, CellWriter
from engine.families.data.json_csv.shape import Node, Shape
from engine.families.data.json_csv.tally import Tally

MAX_COLUMNS = 1024

_MISSING = msgspec.Raw(b"")


class Unfit(Exception):
    """These rows or keys can't be decoded as records."""


class _Group:
    """A record type for the members of one object; with `whole`, no member may be missing.

    `absent` is the record of a missing object.
    """

    def __init__(self, node: Node, *, whole: bool) -> None:
        if not node.kids or node.valued:
            raise Unfit
        self.node = node
        self.members: list[Node | _Group] = [
            _Group(kid, whole=whole) if kid.kids else kid for kid in node.kids.values()
        ]
        fields: list[tuple[str, Any, Any]] = []
        for index, (key, member) in enumerate(zip(node.kids, self.members, strict=True)):
            if isinstance(member, _Group):
                kind, default = member.type | None, member.absent
            else:
                kind, default = msgspec.Raw, _MISSING
            fields.append((f"f{index}", kind, msgspec.field(default=msgspec.NODEFAULT if whole else default, name=key)))
        try:
            self.type: Any = msgspec.defstruct(
                "Record", fields, forbid_unknown_fields=True, frozen=True, gc=False, eq=False
            )
        except ValueError:  # msgspec fields can't have names with quotes, backslashes or control characters
            raise Unfit from None
        self._nothing = tuple(member.absent if isinstance(member, _Group) else _MISSING for member in self.members)
        self.absent: Any = self.type(*self._nothing)

    def split(self, records: Sequence[Any]) -> list[Sequence[Any]]:
        """Return one sequence of values for each member."""
        return list(zip(*map(msgspec.structs.astuple, records), strict=True))

    def empty(self, columns: list[Sequence[Any]]) -> int:
        """Return how many records have no members."""
        return sum(map(operator.eq, zip(*columns, strict=True), repeat(self._nothing)))


class DenseDecoder:
    """Decodes pieces of objects with the columns `made_for`, those of all keys of the shape so far.

    Settles the shape. Raises Unfit if the shape can't be decoded as records.
    """

    def __init__(self, shape: Shape, writer: CellWriter, *, flatten: bool) -> None:
        if not shape.settled:
            shape.settle()
        self.made_for = shape.columns
        if not 0 < len(shape.columns) <= MAX_COLUMNS:
            raise Unfit
        self._root = shape.root
        self._writer = writer
        self._flatten = flatten
        self._width = len(shape.columns)
        self._decode_as(whole=True)

    def _decode_as(self, *, whole: bool) -> None:
        self.whole = whole
        """Whether every object must have all keys; missing keys then need no check."""
        self._group = _Group(self._root, whole=whole)
        self.records: Any = msgspec.json.Decoder(list[self._group.type])  # type: ignore[name-defined]
        self.lines: Any = msgspec.json.Decoder(self._group.type)

    def loosen(self) -> None:
        """Allow missing keys from now on."""
        self._decode_as(whole=False)

    def columns(self, records: list[Any], tally: Tally) -> list[list[str]]:
        """Return the cells of all columns, and add all that was decoded to `tally`.

        Raises Unfit for an empty object.
        """
        result: list[list[str]] = [[]] * self._width
        self._read(self._group, records, len(records), result, tally)
        return result

    def _read(self, group: _Group, records: Sequence[Any], present: int, result: list[list[str]], tally: Tally) -> None:
        columns = group.split(records)
        absent = len(records) - present
        complete = self.whole and not absent
        members = 0
        full = False
        for member, column in zip(group.members, columns, strict=True):
            if isinstance(member, _Group):
                found = self._nested(member, column, result, tally, full=complete)
                node = member.node
            else:
                found = self._leaf(member, column, result, tally, full=complete)
                node = member
            tally.key(node.key, node.size, found)
            members += found
            full = full or found == present
        # A nested object without members is a value; only a row may be empty.
        bare = 0 if full else group.empty(columns) - absent
        if bare and group is not self._group:
            raise Unfit
        tally.structure += 2 * present + members - (present - bare)

    def _nested(
        self, group: _Group, column: Sequence[Any], result: list[list[str]], tally: Tally, *, full: bool
    ) -> int:
        """Return how many objects there are, nulls included; `full` means that none is missing."""
        missing = 0 if full else column.count(group.absent)
        nulls = column.count(None)
        if nulls:
            if group.node.order is None:  # a first null is an appearance, found row by row
                raise Unfit
            column = [group.absent if record is None else record for record in column]
        tally.structure += 4 * nulls
        self._read(group, column, len(column) - missing - nulls, result, tally)
        return len(column) - missing

    def _leaf(self, node: Node, column: Sequence[Any], result: list[list[str]], tally: Tally, *, full: bool) -> int:
        """Return how many values there are; `full` means that none is missing."""
        joined = b"\n".join(column)
        tally.values(joined, len(column))
        text = joined.decode("latin-1")
        if self._flatten and "{" in text and (text[0] == "{" or "\n{" in text) and any(map(_has_members, column)):
            raise Unfit
        cells = self._writer.column(text, len(column))
        if cells is None:
            cells = [self._writer.cell(str(raw, "latin-1")) for raw in column]
        if not node.valued and text.strip("nul\n"):  # other than nulls and missing values
            node.valued = True
        result[node.at] = cells
        if full:
            return len(column)
        if "\n\n" in text or text[:1] in ("", "\n") or text[-1] == "\n":
            return len(column) - column.count(_MISSING)
        return len(column)


def _has_members(raw: msgspec.Raw) -> bool:
    """Return whether a value is an object with members, which becomes columns."""
    token = bytes(raw)
    return token[:1] == b"{" and token[1:].strip(b" \t\r\n") != b"}"


def join(columns: list[list[str]], delimiter: str, line_end: str) -> str:
    """Return the rows of columns as text, each with its line terminator."""
    if len(columns) == 1:
        return line_end.join(chain((cell or ALONE for cell in columns[0]), ("",)))
    return line_end.join(chain(map(delimiter.join, zip(*columns, strict=True)), ("",)))
