"""Options of JSON to CSV and TSV."""

from __future__ import annotations

from typing import Literal

from engine.families.data.picking.options import LeadingRows, Picked, RowPath, SeparatorLine
from engine.toolkit.options import option, options


@options
class RowOptions(LeadingRows, Picked, RowPath):
    """Options that CSV and TSV share; CSV also has `delimiter`."""

    header: bool = option(True, "Write the column names as the first row.", selects={"rows"})
    bom: bool = option(False, "Start the file with a byte order mark, so that Excel opens it as UTF-8.")
    line_ending: Literal["crlf", "lf"] = option(
        "crlf",
        "Line endings: crlf as in the standard (RFC 4180), or lf as on Unix.",
        choices={
            "crlf": "Windows: Carriage return and line feed (CRLF), as in the standard (RFC 4180).",
            "lf": "Unix: Line feed only (LF), as on Linux and macOS.",
        },
    )
    quote: Literal["minimal", "all"] = option(
        "minimal",
        "Quote only the cells that need it, or all cells that have a value.",
        choices={
            "minimal": "Where needed: Only around cells with a delimiter, a quote or a line break.",
            "all": "Everywhere: Around every cell that has a value, for programs that expect it.",
        },
    )
    escape_formulas: bool = option(
        False,
        "Put an apostrophe before text that spreadsheets would run as a formula. Numbers are not changed.",
        selects={"values"},
    )
    flatten: bool = option(
        True, "Turn each key of a nested object into a separate column; otherwise it stays JSON text."
    )
    separator: str = option(
        ".", "Text between the keys in the name of a nested column.", min_length=1, max_length=8, pattern=r"[^\r\n]+"
    )
    arrays: Literal["json", "join", "columns"] = option(
        "json",
        "How to write arrays: as JSON text, as elements joined with joinWith, or as one column per element.",
        choices={
            "json": "As JSON: The whole list in one cell, such as [1, 2].",
            "join": "Joined: The items joined in one cell, with a separator of your choice.",
            "columns": "One column each: The first item in tags.0, the second in tags.1, and so on.",
        },
        selects={"values"},
    )
    join_with: str = option(";", "Text between joined array elements.", min_length=1, max_length=8, pattern=r"[^\r\n]+")


@options
class _Delimiter(SeparatorLine):
    """The delimiter, and the line that declares it."""

    delimiter: str = option(
        ",",
        "Character that separates columns. It can be a tab, but not a quote.",
        length=1,
        pattern=r'[^"\r\n]',
        shape="delimiter",
    )


@options
class CsvOptions(RowOptions, _Delimiter):
    """The options of CSV."""


@options
class TsvOptions(RowOptions):
    """The options of TSV, delimited by tabs."""

    delimiter = "\t"
    sep_line = False
