"""Write rows as CSV and TSV (RFC 4180)."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from engine.families.data.delimited.rewriting import Rewriting
from engine.families.data.json_input.tokens import Tokens
from engine.families.data.readers import delimiters
from engine.families.data.table import Blocks, Frames, Row, Table
from engine.families.data.writers import token_lines
from engine.families.data.writers.delimited_lines import Lines
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_BLOCK = 1 << 17
"""Bytes of delimited text that are rewritten at once; all copies fit into a processor's cache."""


def write(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write one table as UTF-8 delimited text; None is an empty cell, an empty text is quoted if nulls are possible."""
    delimiter = getattr(options, "delimiter", "\t")
    if delimiter in '"\r\n':
        raise InvalidOption("delimiter", "The delimiter can't be a quote or a line break. Choose another character.")
    delimiters.uncounted(delimiter, warn)
    end = "\n" if options.line_ending == "lf" else "\r\n"
    formulas = 0
    with target.open("wb") as file:
        if options.bom:
            file.write(codecs.BOM_UTF8)
        if getattr(options, "sep_line", False):
            file.write(f"sep={delimiter}{end}".encode())
        if options.header and table.named and table.columns:
            formulas += _write_rows(iter([[list(table.columns)]]), file, delimiter, end, options, nulls=table.nulls)
        frames = table.frames if _has_plain_options(table, delimiter, options) else None
        if table.tokens:
            formulas += _write_tokens(table.tokens(), file, delimiter, end, options)
        elif frames and (blocks := frames.blocks_for_text) and options.quote != "all":
            formulas += _write_blocks(table, blocks, file, delimiter, end, options)
        elif frames and frames.for_text:
            formulas += _write_frames(table, frames, file, delimiter, end, options, warn)
        else:
            formulas += _write_rows(table.batches(), file, delimiter, end, options, nulls=table.nulls)
    if formulas and not options.escape_formulas:
        warn(
            "FORMULA_TEXT",
            say(
                "{formulas} cells start like a formula (=, +, -, @), and a spreadsheet may run them. Use "
                "escapeFormulas to prevent this.",
                formulas=formulas,
            ),
        )


def _write_rows(
    batches: Iterator[list[Row]], file: BinaryIO, delimiter: str, end: str, options: Any, *, nulls: bool
) -> int:
    """Write rows. Returns the number of cells that a spreadsheet would run as formulas."""
    lines = Lines(nulls=nulls, **_spelling(delimiter, end, options))
    for batch in batches:
        file.write(lines.encode(batch))
    return lines.formulas


def _spelling(delimiter: str, end: str, options: Any) -> dict[str, Any]:
    quote_all, escape = options.quote == "all", options.escape_formulas
    return {"delimiter": delimiter, "end": end, "quote_all": quote_all, "escape_formulas": escape}


def _write_tokens(parts: Iterator[Tokens | list[Row]], file: BinaryIO, delimiter: str, end: str, options: Any) -> int:
    """As `_write_rows`, in source form where there is one."""
    rows = Lines(nulls=True, **_spelling(delimiter, end, options))
    lines = token_lines.Lines(**_spelling(delimiter, end, options))
    for part in parts:
        file.write(rows.encode(part) if isinstance(part, list) else lines.encode(part))
    return rows.formulas + lines.formulas


def _has_plain_options(table: Table, delimiter: str, options: Any) -> bool:
    """Return whether rows can be written in bulk: in a single column, an empty cell would be an empty line."""
    nothing_is_quoted = options.quote != "all" or not table.nulls
    return len(table.columns) > 1 and delimiter.isascii() and not options.escape_formulas and nothing_is_quoted


def _write_blocks(table: Table, blocks: Blocks, file: BinaryIO, delimiter: str, end: str, options: Any) -> int:
    """As `_write_rows`, block by block; blocks that can't be rewritten by bytes alone are written by rows.

    Starts again by columns if the first one can't, or is mostly quoted.
    """
    rewriting = Rewriting(delimiter=blocks.delimiter, new=delimiter.encode(), end=end.encode())
    lines = Lines(nulls=table.nulls, **_spelling(delimiter, end, options))
    for at, block in enumerate(blocks.open(_BLOCK)):
        written = rewriting.rewrite(block)
        if not at and (written is None or block.is_mostly_quoted):
            table.by_columns()
        file.write(lines.encode(block.cells(blocks.delimiter)) if written is None else written)
    return rewriting.formulas + lines.formulas


def _write_frames(
    table: Table, frames: Frames, file: BinaryIO, delimiter: str, end: str, options: Any, warn: Warn
) -> int:
    """As `_write_rows`, column by column."""
    from engine.families.data.columnar import csv_text  # heavy: not for small files

    lines = csv_text.Lines(
        delimiter=delimiter, line_end=end, quote_all=options.quote == "all", nulls=table.nulls, warn=warn
    )
    for frame, _ in frames.as_written():
        lines.write(frame, file)
    return lines.formulas
