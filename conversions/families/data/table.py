"""Tables: rows with named columns, and documents, as the stream that every reader gives and every writer takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NoReturn, TypeVar

from conversions.families.data.delimited.block import Block
from conversions.families.data.features import Found
from conversions.families.data.schema import Type
from conversions.families.data.values import Value
from conversions.families.data.workbooks.look import Look
from conversions.toolkit.failures import OverLimit
from conversions.toolkit.warnings import Kind, Warn

BATCH = 2000
FEW, LARGE = 50_000, 4_000_000
"""Bytes of a file above which its rows go by blocks of text, and by columns."""
MAX_COLUMNS = 20_000
MAX_CELLS = 100_000_000

Row = list[Value]
T = TypeVar("T")


class Widened(Exception):
    """A table turned out to be other than it said, mostly wider; it knows better now: begin again."""


@dataclass(frozen=True)
class Blocks:
    """All rows of a table as they stand in a file, in blocks of about as many bytes as they are opened with."""

    open: Callable[[int], Iterator[Block]]
    delimiter: bytes


@dataclass(frozen=True)
class Frames:
    """All rows of a table as polars frames with its columns, at least one; made of an input of `size` bytes.

    Iterating raises Widened, after which the table has no frames, where they would not be exactly what its batches are.
    Numbers that are not `spelled` have lost how they were written, which rows have not. `blocks` are the same rows
    where they come from delimited text, and raise the same.
    """

    open: Callable[[], Iterator[Any]]
    size: int
    spelled: bool = True
    blocks: Blocks | None = None

    @property
    def for_text(self) -> bool:
        """Whether text can be made of them, and faster than of rows, in spite of what it takes to import polars."""
        return self.spelled and self.size > LARGE

    @property
    def blocks_for_text(self) -> Blocks | None:
        """The blocks, where they are worth their trouble."""
        return self.blocks if self.spelled and self.size > FEW else None


@dataclass
class Table:
    """Rows of values, each as long as `columns`, in batches; `batches` may be called any number of times.

    Iterating may raise Widened, after which `columns` is complete. `named` says that the columns' names come from the
    input, not from counting. `nulls` says that None and the empty text are two things. `found` is what its reader found
    beside the values; all of it is known once the batches were gone through. `frames` are the same rows, for writers
    that take whole columns. `schema` is what the reader declares of its columns. `look` is what of a sheet belongs to
    places in it, as long as its rows are where they were.
    """

    name: str
    columns: list[str]
    batches: Callable[[], Iterator[list[Row]]]
    named: bool = True
    nulls: bool = True
    found: Found = field(default_factory=Found)
    frames: Frames | None = None
    schema: Callable[[], Sequence[Type | None]] | None = None
    look: Look | None = None

    def by_rows(self) -> NoReturn:
        """Do without frames from now on: begin again with the batches."""
        self.frames = None
        raise Widened


@dataclass
class Documents:
    """Values of any structure, in batches: one document, or (`many`) the items of one list.

    `table` is where the items are the rows of one, for writers that need no objects. `found` is as that of a table.
    `lines` are the same values as JSON, many at a time: compact with a line break between each two, or, where they are
    called with a number of spaces, indented as in a list, with a comma and a line break. `blocks` gives what a function
    makes of each block of the text, of about so many bytes.
    """

    batches: Callable[[], Iterator[list[Value]]]
    many: bool
    table: Table | None = None
    found: Found = field(default_factory=Found)
    lines: Callable[[int], Iterator[bytes]] | None = None
    blocks: Callable[[Callable[[Any], Any], int], Iterator[Any]] | None = None


def one(value: Value) -> Documents:
    """A document read as a whole; a list is the stream of its items."""
    if isinstance(value, list):
        return Documents(lambda: batched(value), many=True)
    return Documents(lambda: iter([[value]]), many=False)


def whole(documents: Documents) -> Value:
    """All of it as a single value."""
    values = [value for batch in documents.batches() for value in batch]
    return values if documents.many else values[0]


def records(table: Table) -> Documents:
    """Each row as an object; the names of the columns are its keys."""

    def batches() -> Iterator[list[Value]]:
        for batch in table.batches():
            columns = table.columns
            yield [dict(zip(columns, row, strict=True)) for row in batch]

    return Documents(batches, many=True, table=table, found=table.found)


def batched(rows: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    """The rows in lists of at most `size`."""
    iterator = iter(rows)
    while batch := list(islice(iterator, size)):
        yield batch


def settled(write: Callable[[], T]) -> T:
    """Run `write`, and once more from the beginning each time that its table turns out to be wider."""
    while True:
        try:
            return write()
        except Widened:
            continue


def column_name(index: int) -> str:
    """The name of a column that has none; `index` counts from 0."""
    return f"column{index + 1}"


_RENAMED = Kind("COLUMN_RENAMED", "Columns without a name, or with one that was taken, got another")


def unique_names(names: Iterable[str], warn: Warn, where: str = "") -> list[str]:
    """Names for columns that are neither empty nor twice the same; what had to be renamed is a warning.

    `where` is the sheet or table they are of, where there may be several.
    """
    taken: dict[str, int] = {}
    result, renamed = [], []
    for index, given in enumerate(names):
        name = wanted = given if given.strip() else column_name(index)
        while name in taken:
            taken[wanted] += 1
            name = f"{wanted}_{taken[wanted]}"
        taken[name] = 1
        if name != given:
            renamed.append(f"{index + 1}{f' of “{where}”' if where else ''}: “{name}”")
        result.append(name)
    if renamed:
        warn.tally(_RENAMED, len(renamed), renamed, part=where)
    return result


def check_width(columns: int) -> None:
    """Raise OverLimit for more columns than a table may have."""
    if columns > MAX_COLUMNS:
        raise OverLimit("memory", f"The table has more than {MAX_COLUMNS:,} columns. Convert fewer columns at once.")
