"""Options that choose rows and columns."""

from __future__ import annotations

from typing import Any, Literal

from engine.toolkit.census import EVERYTHING
from engine.toolkit.options import option, options

ONE_OR_ALL = {
    "one": "One: The first, or the one that you name.",
    "all": "All: Every one of them, each by itself.",
}
"""The labels of the choice between one sheet, table or list and all of them."""


@options
class RowPath:
    """The path to the rows of a document."""

    row_path: str = option(
        "",
        "Path of keys to the list of rows, separated by dots, such as data.items. A dot in a key is written \\.",
        max_length=200,
        selects=EVERYTHING,
    )


@options
class Picked:
    """Which rows and columns of a table are written."""

    columns: str = option(
        "",
        "Columns to write, in this order, such as: name, price as amount. “as” renames one, * stands for all others.",
        max_length=5000,
        selects=EVERYTHING,
    )
    where: str = option(
        "",
        'Condition that rows have to meet, such as: price >= 10 and not city in ("Rome", "Paris").',
        max_length=2000,
        selects=EVERYTHING,
    )
    sort: str = option(
        "",
        "Columns to sort the rows by, such as: -price, name. A minus sorts from high to low.",
        max_length=1000,
        selects={"order"},
    )
    limit: int | None = option(
        None, "How many rows to write at most.", minimum=1, maximum=100_000_000, selects=EVERYTHING
    )
    unwind: str = option(
        "",
        "Column whose cells hold lists: each item gets a row of its own, beside the other cells.",
        max_length=200,
        selects=EVERYTHING,
    )


@options
class LeadingRows:
    """Skip the first rows of a table whose column names are not in a row."""

    skip_rows: int = option(
        0, "How many rows to leave out at the beginning.", minimum=0, maximum=100_000_000, selects=EVERYTHING
    )


def picks(options: Any) -> bool:
    """Return whether the options select, sort or rename anything."""
    if not isinstance(options, Picked):
        return False
    skip = isinstance(options, LeadingRows) and options.skip_rows
    return bool(skip or options.columns or options.where or options.sort or options.limit or options.unwind)


@options
class LeadingLines:
    """Skip rows before the header of a table."""

    skip_rows: int = option(
        0,
        "How many rows to leave out at the beginning, before the names of the columns.",
        minimum=0,
        maximum=1_000_000,
        selects=EVERYTHING,
    )


@options
class OneList:
    """Convert a document with several lists to one table, or to one for each."""

    sheets: Literal["one", "all"] = option(
        "one",
        "Convert one list of the document, or all of them, each to a file of its own in one ZIP. Ignored with rowPath.",
        choices=ONE_OR_ALL,
    )


@options
class EveryList:
    """Convert a document with several lists to one sheet, or to one for each."""

    sheets: Literal["one", "all"] = option(
        "all",
        "Convert one list of the document, or all of them, each to a sheet of its own. Ignored if rowPath is given.",
        choices=ONE_OR_ALL,
        selects=EVERYTHING,
    )


@options
class SeparatorLine:
    """The `sep=` line, in which Excel looks up the delimiter of a CSV file."""

    sep_line: bool = option(
        False, "Begin with a line such as sep=, that tells Excel the delimiter; to others it is a row."
    )
