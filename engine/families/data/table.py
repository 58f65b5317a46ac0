"""Tables (rows with named columns) and documents, the streams between all readers and writers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, NoReturn, TypeVar

from engine.families.data.delimited.block import Block
from engine.families.data.features import Found
from engine.families.data.schema import Type
from engine.families.data.sheet_layout import Layout
from engine.families.data.values import Value
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

BATCH = 2000
FEW, LARGE = 50_000, 4_000_000
"""Bytes of a file above which its rows are processed as blocks of text, or by column."""
MAX_COLUMNS = 20_000
_SPARE_CELLS, _SPARSEST = 20_000_000, 12
"""The number of cells above which at least one in twelve must be filled: 10,000 rows with a key of their own each, in
140 KB, have 100 million, and took 24 s as xlsx and over 47 s as HTML."""
MAX_CELLS = 100_000_000

Row = list[Value]
T = TypeVar("T")


class Widened(Exception):
    """The table is not as announced, mostly wider; it has been corrected, so start again."""


@dataclass(frozen=True)
class Blocks:
    """All rows of a table as text of the file, in blocks of about the requested number of bytes."""

    open: Callable[[int], Iterator[Block]]
    delimiter: bytes


@dataclass(frozen=True)
class Frames:
    """All rows of a table as polars frames with its columns, at least one; `size` is that of the input in bytes.

    Iterating raises Widened, after which the table has no frames, if they would differ from its batches. If not
    `spelled`, numbers have lost their notation, which rows keep, but not `in_source_form`: there, numbers are text, and
    the indexes of their columns come with each frame. `blocks` are the same rows if they come from delimited text. All
    raise the same. If types were learned from the values of all rows, `of_one_kind` says, once there is a frame,
    whether each column had values of one kind only.
    """

    open: Callable[[], Iterator[Any]]
    size: int
    spelled: bool = True
    blocks: Blocks | None = None
    in_source_form: Callable[[], Iterator[tuple[Any, Collection[int]]]] | None = None
    of_one_kind: Callable[[], bool] | None = None

    @property
    def for_text(self) -> bool:
        """Whether text can be written from frames, and faster than from rows, including the import of polars."""
        return bool(self.spelled or self.in_source_form) and self.size > LARGE

    def as_written(self) -> Iterator[tuple[Any, Collection[int]]]:
        """The frames for text, each with the indexes of the columns that hold numbers in source form."""
        return self.in_source_form() if self.in_source_form else ((frame, ()) for frame in self.open())

    @property
    def blocks_for_text(self) -> Blocks | None:
        """The blocks, if they are faster."""
        return self.blocks if self.spelled and self.size > FEW else None


@dataclass
class Table:
    """Rows of values, each as long as `columns`, in batches; `batches` may be called any number of times.

    Iterating may raise Widened, after which `columns` is complete. `named` means that column names come from the input
    rather than counting. `nulls` means that None differs from the empty text. `found` holds the features that the
    reader found, complete after iterating. `corner` is the row and column of its first cell in its sheet, from 0.
    `frames` are the same rows for writers of whole columns. `tokens` are the same rows as JSON in source form, or as
    values where there is none; iterating may raise Widened. `schema` gives the declared column types. `layout` is the
    sheet layout, while rows are at their original places.
    """

    name: str
    columns: list[str]
    batches: Callable[[], Iterator[list[Row]]]
    named: bool = True
    nulls: bool = True
    found: Found = field(default_factory=Found)
    frames: Frames | None = None
    tokens: Callable[[], Iterator[Any]] | None = None
    schema: Callable[[], Sequence[Type | None]] | None = None
    layout: Layout | None = None
    corner: tuple[int, int] = (0, 0)

    def by_rows(self) -> NoReturn:
        """Drop the frames: start again with the batches."""
        self.frames = None
        raise Widened

    def by_columns(self) -> NoReturn:
        """Drop the blocks of text: start again with the frames, or with the batches of a small file."""
        assert self.frames is not None
        self.frames = replace(self.frames, blocks=None)
        raise Widened


@dataclass
class Documents:
    """Values of any structure, in batches: one document, or (`many`) the items of one list.

    `table` is set if the items are the rows of a table, for writers that need no objects. `found` is as in a table.
    `lines` are the same values as JSON in large pieces: compact with line breaks between values or, when called with a
    number of spaces, indented as in a list, with commas. `blocks` applies a function to each block of text of about the
    given size. `size` is that of the input in bytes, if it has blocks. `place` returns line and column of an item,
    counted from 0.
    """

    batches: Callable[[], Iterator[list[Value]]]
    many: bool
    table: Table | None = None
    found: Found = field(default_factory=Found)
    lines: Callable[[int], Iterator[bytes]] | None = None
    blocks: Callable[[Callable[[Any], Any], int], Iterator[Any]] | None = None
    size: int = 0
    place: Callable[[int], tuple[int, int]] | None = None


def one(value: Value) -> Documents:
    """A document read as a whole; a list becomes a stream of its items."""
    if isinstance(value, list):
        return Documents(lambda: batched(value), many=True)
    return Documents(lambda: iter([[value]]), many=False)


def whole(documents: Documents) -> Value:
    """The complete value."""
    values = [value for batch in documents.batches() for value in batch]
    return values if documents.many else values[0]


def records(table: Table) -> Documents:
    """Each row as an object keyed by column name."""

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
    """Run `write`, again from the start whenever its table turns out to be wider."""
    while True:
        try:
            return write()
        except Widened:
            continue


def column_name(index: int) -> str:
    """The name of an unnamed column; `index` counts from 0."""
    return f"column{index + 1}"


_RENAMED = Kind(
    "COLUMN_RENAMED", "Columns without a name, or with a name already in use, were renamed: {count}{places}."
)


def unique_names(names: Iterable[str], warn: Warn, where: str = "") -> list[str]:
    """Non-empty, unique names for columns, with a warning for those renamed.

    `where` names the sheet or table if there are several.
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


def is_sparse(rows: int, columns: int, filled: int, *, spare: int = _SPARE_CELLS) -> bool:
    """Whether a table of more than `spare` cells has almost nothing in it: `filled` cells."""
    return rows * columns > spare + _SPARSEST * filled


def check_filled(rows: int, columns: int, filled: int) -> None:
    """Raise OverLimit for a large table with almost nothing in it: `filled` cells."""
    if is_sparse(rows, columns, filled):
        raise OverLimit(
            "limit",
            say(
                "{rows} rows with {columns} columns would be almost all empty. Use the same keys in all items, or "
                "leave nested objects as JSON text.",
                rows=rows,
                columns=columns,
            ),
        )


def check_width(columns: int) -> None:
    """Raise OverLimit for too many columns."""
    if columns > MAX_COLUMNS:
        raise OverLimit(
            "memory",
            say(
                "The table has more than {max_columns} columns. Convert fewer columns at once.", max_columns=MAX_COLUMNS
            ),
        )
