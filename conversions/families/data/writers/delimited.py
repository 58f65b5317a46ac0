"""Writing CSV and TSV: rows into delimited text (RFC 4180)."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from conversions.families.data.delimited.cutting import Inexact
from conversions.families.data.delimited.rewriting import Rewriting
from conversions.families.data.table import Blocks, Frames, Row, Table
from conversions.families.data.writers.delimited_lines import Lines
from conversions.toolkit.failures import InvalidOption
from conversions.toolkit.warnings import Warn

_BLOCK = 1 << 17
"""Bytes of delimited text that are rewritten at once, all of whose copies the caches of a processor hold."""


def write(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write one table as UTF-8 delimited text; None is an empty cell, an empty text beside it a quoted one."""
    delimiter = getattr(options, "delimiter", "\t")
    if delimiter in '"\r\n':
        raise InvalidOption("delimiter", "The delimiter can't be a quote or a line break. Choose another character.")
    end = "\n" if options.line_ending == "lf" else "\r\n"
    formulas = 0
    with target.open("wb") as file:
        if options.bom:
            file.write(codecs.BOM_UTF8)
        if getattr(options, "sep_line", False):
            file.write(f"sep={delimiter}{end}".encode())
        if options.header and table.named and table.columns:
            formulas += _write_rows(iter([[list(table.columns)]]), file, delimiter, end, options, nulls=False)
        frames = table.frames if _has_plain_options(table, delimiter, options) else None
        if frames and (blocks := frames.blocks_for_text) and options.quote != "all":
            formulas += _write_blocks(table, blocks, file, delimiter, end, warn)
        elif frames and frames.for_text:
            formulas += _write_frames(table, frames, file, delimiter, end, options, warn)
        else:
            formulas += _write_rows(table.batches(), file, delimiter, end, options, nulls=table.nulls)
    if formulas and not options.escape_formulas:
        warn(
            "FORMULA_TEXT",
            f"{formulas} cells begin like a formula (=, +, -, @). A spreadsheet may run them: use escapeFormulas.",
        )


def _write_rows(
    batches: Iterator[list[Row]], file: BinaryIO, delimiter: str, end: str, options: Any, *, nulls: bool
) -> int:
    """Write rows; how many formulas are among their cells."""
    lines = Lines(
        delimiter=delimiter,
        end=end,
        quote_all=options.quote == "all",
        nulls=nulls,
        escape_formulas=options.escape_formulas,
    )
    for batch in batches:
        file.write(lines.of(batch))
    return lines.formulas


def _has_plain_options(table: Table, delimiter: str, options: Any) -> bool:
    """Whether more than a row can be written at once: of one column, an empty cell would be an empty line."""
    nothing_is_quoted = options.quote != "all" or not table.nulls
    return len(table.columns) > 1 and delimiter.isascii() and not options.escape_formulas and nothing_is_quoted


def _write_blocks(table: Table, blocks: Blocks, file: BinaryIO, delimiter: str, end: str, warn: Warn) -> int:
    """As `_write_rows`, block by block, and by columns where the bytes of one do not tell enough."""
    rewriting = Rewriting(delimiter=blocks.delimiter, new=delimiter.encode(), end=end.encode())
    lines: Any = None
    for block in blocks.open(_BLOCK):
        written = rewriting.of(block)
        if written is None:
            from conversions.families.data.columnar import csv_text  # heavy: not for most files
            from conversions.families.data.columnar.delimited import frame

            lines = lines or csv_text.Lines(
                delimiter=delimiter, line_end=end, quote_all=False, nulls=table.nulls, warn=warn
            )
            try:
                cells = frame(block, delimiter=blocks.delimiter, columns=table.columns, nulls=table.nulls)
            except Inexact:
                table.by_rows()
            lines.write(cells, file)
        else:
            file.write(written)
    return rewriting.formulas + (lines.formulas if lines else 0)


def _write_frames(
    table: Table, frames: Frames, file: BinaryIO, delimiter: str, end: str, options: Any, warn: Warn
) -> int:
    """As `_write_rows`, column by column."""
    from conversions.families.data.columnar import csv_text  # heavy: not for small files

    lines = csv_text.Lines(
        delimiter=delimiter, line_end=end, quote_all=options.quote == "all", nulls=table.nulls, warn=warn
    )
    for frame in frames.open():
        lines.write(frame, file)
    return lines.formulas
