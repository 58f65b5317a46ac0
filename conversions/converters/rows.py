"""JSON and NDJSON to CSV and TSV: what is offered, with which options."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from conversions.converters.base import Engine, converter
from conversions.formats import CSV, JSON, NDJSON, TSV
from conversions.options import option
from conversions.warnings import Warn

_PACKAGE = "conversions.engines.json_csv"
_ENGINE = Engine("msgspec", modules=("msgspec", f"{_PACKAGE}.conversion", f"{_PACKAGE}.fast"))


@dataclass(frozen=True)
class RowOptions:
    """What CSV and TSV have in common; `delimiter` is an option of CSV alone."""

    header: bool = option(True, "Write the column names as the first row.")
    bom: bool = option(False, "Begin the file with a byte order mark, so that Excel reads it as UTF-8.")
    line_ending: Literal["crlf", "lf"] = option("crlf", "How lines end: crlf is the standard, lf is usual on Unix.")
    quote: Literal["minimal", "all"] = option(
        "minimal", "Quote only the cells that need it, or all cells that have a value."
    )
    escape_formulas: bool = option(
        False, "Put an apostrophe before text that a spreadsheet would run as a formula; numbers are left alone."
    )
    flatten: bool = option(True, "Turn nested objects into columns of their own; otherwise they stay JSON text.")
    separator: str = option(
        ".", "Text between the keys in the name of a nested column.", min_length=1, max_length=8, pattern=r"[^\r\n]+"
    )
    arrays: Literal["json", "join", "columns"] = option(
        "json", "Write an array as JSON text, as one text joined with joinWith, or as one column for each element."
    )
    join_with: str = option(
        ";", "Text between two elements of an array that is joined.", min_length=1, max_length=8, pattern=r"[^\r\n]+"
    )


@dataclass(frozen=True)
class _Delimiter:
    delimiter: str = option(
        ",", "Character between two cells; a tab is possible, a quote is not.", length=1, pattern=r'[^"\r\n]'
    )


@dataclass(frozen=True)
class CsvOptions(RowOptions, _Delimiter):
    """The options of CSV."""


@dataclass(frozen=True)
class TsvOptions(RowOptions):
    """The options of TSV: a tab is between two cells."""

    delimiter = "\t"


@converter((JSON, NDJSON), CSV, family="text", engine=_ENGINE, options=CsvOptions)
@converter((JSON, NDJSON), TSV, family="text", engine=_ENGINE, options=TsvOptions)
def rows(source: Path, target: Path, options: CsvOptions | TsvOptions, warn: Warn) -> None:
    """Write {input} as {output}: one row for each object, one column for each key, nested keys as dotted columns.

    Rows are the items of an array, the lines of NDJSON, or one single object. Columns are all keys in order of first
    appearance. Missing and null are empty, an empty text is `""`; numbers keep the digits they are written with.
    """
    from conversions.engines import json_csv

    json_csv.convert(source, target, options, warn)
