"""Options that choose rows and columns."""

from __future__ import annotations

from typing import Any, Literal

from engine.toolkit.census import EVERYTHING
from engine.toolkit.options import option, options

ONE_OR_ALL = {
    "one": "One: The first one, or the one you name.",
    "all": "All: All of them, as separate files or sheets.",
}
"""The labels of the choice between one sheet, table or list and all of them."""


@options
class RowPath:
    """The path to the rows of a document."""

    row_path: str = option(
        "",
        "Keys that lead to the list of rows, separated by dots, such as data.items. Write a dot within a key as \\.",
        max_length=200,
        selects=EVERYTHING,
    )


@options
class Picked:
    """Which rows and columns of a table are written."""

    columns: str = option(
        "",
        "Columns to keep, in this order, such as: name, price as amount. “as” renames a column, "
        "* stands for all others.",
        max_length=5000,
        selects=EVERYTHING,
    )
    where: str = option(
        "",
        'Keep only rows that match this condition, such as: price >= 10 and not city in ("Rome", "Paris").',
        max_length=2000,
        selects=EVERYTHING,
    )
    sort: str = option(
        "",
        "Columns to sort by, such as: -price, name. A minus sorts in descending order.",
        max_length=1000,
        selects={"order"},
    )
    limit: int | None = option(None, "Maximum number of rows.", minimum=1, maximum=100_000_000, selects=EVERYTHING)
    unwind: str = option(
        "",
        "Column with lists: each item becomes a separate row that repeats the other cells.",
        max_length=200,
        selects=EVERYTHING,
    )


@options
class LeadingRows:
    """Skip the first rows of a table whose column names are not in a row."""

    skip_rows: int = option(0, "Rows to skip at the start.", minimum=0, maximum=100_000_000, selects=EVERYTHING)


def picks(options: Any, *, unwound: bool = False) -> bool:
    """Return whether the options select, sort or rename anything, or repeat rows that are not `unwound` yet."""
    if not isinstance(options, Picked):
        return False
    unwinds = options.unwind and not unwound
    skips = isinstance(options, LeadingRows) and options.skip_rows
    return bool(unwinds or skips or options.columns or options.where or options.sort or options.limit)


@options
class LeadingLines:
    """Skip rows before the header of a table."""

    skip_rows: int = option(
        0,
        "Rows to skip at the start, before the column names.",
        minimum=0,
        maximum=1_000_000,
        selects=EVERYTHING,
    )


@options
class OneList:
    """Convert a document with several lists to one table, or to one for each."""

    sheets: Literal["one", "all"] = option(
        "one",
        "Convert one list in the document, or all of them as separate files in a ZIP. Ignored if rowPath is given.",
        choices=ONE_OR_ALL,
    )


@options
class EveryList:
    """Convert a document with several lists to one sheet, or to one for each."""

    sheets: Literal["one", "all"] = option(
        "all",
        "Convert one list in the document, or all of them as separate sheets. Ignored if rowPath is given.",
        choices=ONE_OR_ALL,
        selects=EVERYTHING,
    )


@options
class SeparatorLine:
    """The `sep=` line, in which Excel looks up the delimiter of a CSV file."""

    sep_line: bool = option(
        False, "Start with a line such as sep=, to tell Excel the delimiter. Other programs read it as a row."
    )
