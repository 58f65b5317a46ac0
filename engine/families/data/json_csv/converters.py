"""Declare the converters from JSON and NDJSON to CSV and TSV."""

from __future__ import annotations

from pathlib import Path

from engine.families.data.adapters import MODULES, PACKAGE
from engine.families.data.json_csv.options import CsvOptions, TsvOptions
from engine.families.data.picking.options import picks
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import CSV, JSON, NDJSON, TSV
from engine.toolkit.warnings import Warn

_ENGINE = Engine(
    "msgspec", modules=("msgspec", *MODULES, f"{PACKAGE}.readers.json_text", f"{PACKAGE}.writers.delimited")
)


@converter((JSON, NDJSON), CSV, profile="text", engine=_ENGINE, options=CsvOptions)
@converter((JSON, NDJSON), TSV, profile="text", engine=_ENGINE, options=TsvOptions)
def rows(source: Path, target: Path, options: CsvOptions | TsvOptions, warn: Warn) -> None:
    """Convert {input} to {output}: one row per object, one column per key, and nested keys as dotted column names.

    Rows are the items of an array, the lines of NDJSON, or one single object. Columns are all keys in order of first
    appearance. Missing and null are empty, an empty text is `""`; numbers keep the digits they are written with.
    """
    from engine.families.data.json_input import mending

    format = NDJSON if source.suffix == ".ndjson" else JSON
    with warn.reading(source):
        mending.reading(source, lambda file: _convert(file, target, options, warn), warn, format=format)


def _convert(source: Path, target: Path, options: CsvOptions | TsvOptions, warn: Warn) -> None:
    from engine.families.data import nesting, transfer
    from engine.families.data.features import NOTHING
    from engine.families.data.readers import json_text
    from engine.families.data.writers import delimited

    lines = source.suffix == ".ndjson"
    read: transfer.ReadDocuments
    if picks(options, unwound=True) or options.row_path:
        read = json_text.read_lines if lines else json_text.read
    else:
        read = json_text.spelled_lines if lines else json_text.spelled
    with nesting.room():
        transfer.documents_to_table(
            read, delimited.write, source, target, options, warn, keeps=NOTHING, find_rows=False
        )
