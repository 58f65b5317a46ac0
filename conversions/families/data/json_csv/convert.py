"""JSON and NDJSON to CSV and TSV, in memory that does not grow with the file.

Text in this package is byte text wherever it is cut, searched and joined: UTF-8 seen as Latin-1, one character for each
byte. Joins and splits then work on strings of one byte a character, and what they give is written as it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from conversions.families.data.json_csv import small

if TYPE_CHECKING:
    from conversions.families.data.json_csv.options import CsvOptions, TsvOptions
    from conversions.toolkit.warnings import Warn

__all__ = ["convert"]


def convert(source: Path, target: Path, options: CsvOptions | TsvOptions, warn: Warn) -> None:
    """Write the rows of the JSON or NDJSON file `source` to `target`, which appears only when all is done.

    An input without any item, or whose items have no key at all, gives a file without any line. Raises Unreadable for
    what is not JSON or has items of several kinds, and OverLimit for an item of over 64 MB, for too many keys, and
    for mostly empty columns that would make the output many times larger than the input.
    """
    if source.suffix == ".ndjson" or not small.convert(source, target, options, warn):
        from conversions.families.data.json_csv import conversion

        conversion.convert(source, target, options, warn)
