"""Writing CSV and TSV: rows into delimited text (RFC 4180)."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from conversions.families.data.table import Row, Table
from conversions.families.data.values import texts
from conversions.toolkit.failures import InvalidOption
from conversions.toolkit.warnings import Warn

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_FORMULAS = re.compile("\0([-=+@\t\r][^\0]*)")
_NUMERIC = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?%?")


def write(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write one table as UTF-8 delimited text; None is an empty cell, an empty text beside it a quoted one."""
    delimiter = getattr(options, "delimiter", "\t")
    if delimiter in '"\r\n':
        raise InvalidOption("delimiter", "The delimiter can't be a quote or a line break. Choose another character.")
    end = "\n" if options.line_ending == "lf" else "\r\n"
    quoting: Literal[0, 1] = csv.QUOTE_ALL if options.quote == "all" else csv.QUOTE_MINIMAL
    apart = None if quoting == csv.QUOTE_ALL else ""
    quoted = re.compile("" if quoting == csv.QUOTE_ALL else f'["\r\n{re.escape(delimiter)}]|^$')
    formulas = 0
    with target.open("wb") as binary:
        if options.bom:
            binary.write(codecs.BOM_UTF8)
        with io.TextIOWrapper(binary, encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=quoting)
            if options.header and table.named and table.columns:
                names, count = _guarded([table.columns], options.escape_formulas)
                formulas += count
                writer.writerows(names)
            for batch in table.batches():
                safe, count = _guarded(texts(batch), options.escape_formulas)
                formulas += count
                if table.nulls and any(apart in row for row in batch):
                    for given, row in zip(batch, safe, strict=True):
                        if apart in given:
                            file.write(_telling_nulls(given, row, delimiter, quoted) + end)
                        else:
                            writer.writerow(row)
                else:
                    writer.writerows(safe)
    if formulas and not options.escape_formulas:
        warn(
            "FORMULA_TEXT",
            f"{formulas} cells begin like a formula (=, +, -, @). A spreadsheet may run them: use escapeFormulas.",
        )


def _guarded(rows: list[Sequence[str]], escape: bool) -> tuple[list[Sequence[str]], int]:
    """The rows, with an apostrophe before what a spreadsheet would run as a formula, and the number of such cells."""
    # Seen as one text first: negative numbers, which are no formulas, are in every other table.
    suspects = _FORMULAS.findall("\0" + "\0".join(chain.from_iterable(rows)))
    if all(map(_NUMERIC.fullmatch, suspects)):
        return rows, 0
    count = 0
    for at, row in enumerate(rows):
        for column, cell in enumerate(row):
            if cell.startswith(_FORMULA) and not _NUMERIC.fullmatch(cell):
                count += 1
                if escape:
                    rows[at] = [*rows[at][:column], "'" + cell, *rows[at][column + 1 :]]
    return rows, count


def _telling_nulls(given: Row, row: Sequence[str], delimiter: str, quoted: re.Pattern[str]) -> str:
    """The line of a row in which None is nothing at all and the empty text two quotes; None alone is quoted, too."""
    if row == ("",):
        return '""'
    return delimiter.join(
        "" if value is None else '"' + cell.replace('"', '""') + '"' if quoted.search(cell) else cell
        for value, cell in zip(given, row, strict=True)
    )
