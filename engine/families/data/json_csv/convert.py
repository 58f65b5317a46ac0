"""Convert JSON and NDJSON to CSV and TSV in constant memory.

Text in this package is byte text: UTF-8 decoded as Latin-1, one character for each byte. Splits and joins then work on
one-byte strings, and the result is written without encoding multi-byte characters.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.families.data.json_csv import small
from engine.families.data.readers import delimiters

if TYPE_CHECKING:
    from engine.families.data.json_csv.options import CsvOptions, TsvOptions
    from engine.toolkit.warnings import Warn

__all__ = ["convert"]


def convert(source: Path, target: Path, options: CsvOptions | TsvOptions, warn: Warn) -> None:
    """Convert the JSON or NDJSON file `source` to `target`, which appears only once it is complete.

    An input without items, or whose items have no keys, gives an empty file. Raises Unreadable for invalid JSON and for
    items of several kinds, and OverLimit for an item of over 64 MB, for too many keys, and for mostly empty columns
    that would make the output many times larger than the input.
    """
    delimiters.uncounted(options.delimiter, warn)
    if source.suffix == ".ndjson" or not small.convert(source, target, options, warn):
        from engine.families.data.json_csv import conversion

        conversion.convert(source, target, options, warn)
