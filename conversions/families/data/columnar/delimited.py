"""Blocks of delimited text as frames, where a block is certain to mean to polars what it means to RFC 4180."""

from __future__ import annotations

from collections.abc import Iterator

import polars

from conversions.families.data.delimited.block import Block
from conversions.families.data.delimited.cutting import Inexact

_MARK = b"\xef\xbb\xbf"
"""Polars passes over it at the beginning of a block."""


def frames(blocks: Iterator[Block], *, delimiter: bytes, columns: list[str], nulls: bool) -> Iterator[polars.DataFrame]:
    """All cells as text, in at least one frame; with `nulls`, empty ones are null. Raises Inexact."""
    yield polars.DataFrame(schema=dict.fromkeys(columns, polars.String))
    for block in blocks:
        yield frame(block, delimiter=delimiter, columns=columns, nulls=nulls)


def frame(block: Block, *, delimiter: bytes, columns: list[str], nulls: bool) -> polars.DataFrame:
    """The rows of one block. Raises Inexact."""
    if block.text.startswith(_MARK):
        raise Inexact
    try:
        found = polars.read_csv(
            block.text,
            has_header=False,
            separator=delimiter.decode(),
            schema=dict.fromkeys(columns, polars.String),
            empty_string_is_null=nulls,
        )
    except polars.exceptions.PolarsError:
        raise Inexact from None
    if found.height != block.rows:
        raise Inexact
    if nulls and b"" in block.inside:
        # An empty cell in quotes is no null to polars.
        found = found.with_columns(polars.all().replace("", None))
    return found
