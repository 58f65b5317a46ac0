"""Write documents and rows as JSON and NDJSON (RFC 8259), one list item per line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice, starmap
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from engine.families.data.delimited.block import Block
from engine.families.data.delimited.json_lines import Lines
from engine.families.data.table import Documents, Frames, Table
from engine.families.data.values import NotFinite, raw
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_ESCAPED = re.compile(r'["\\\x00-\x1f]')
_MAX_FIELDS = 500
_BLOCK = 1 << 17
"""Bytes of delimited text whose cells are in memory at once, and so in the caches of a processor."""


def encoder(warn: Warn, *, sort_keys: bool = False) -> msgspec.json.Encoder:
    """Return an encoder of values to JSON; not-a-number becomes null, with a warning."""

    def hook(value: object) -> Any:
        if isinstance(value, NotFinite):
            warn("VALUE_CONVERTED", say("JSON has no {value}, so it became null.", value=value))
        return raw(value)

    return msgspec.json.Encoder(enc_hook=hook, decimal_format="number", order="deterministic" if sort_keys else None)


def write(documents: Documents, target: Path, options: Any, warn: Warn) -> None:
    """Write a JSON document; the items of a list are on one line each, unless `indent` is set."""
    encode = encoder(warn).encode
    indent = options.indent
    with target.open("wb") as file:
        if not documents.many:
            value = next(documents.batches())[0]
            file.write(msgspec.json.format(encode(value), indent=indent) if indent else encode(value))
            file.write(b"\n")
            return
        if not indent and _write_items(documents, file, warn):
            return
        _write_list(documents, file, indent, b"\n", warn)


def _write_list(
    documents: Documents, file: BinaryIO, indent: int, line_end: bytes, warn: Warn, *, sort_keys: bool = False
) -> None:
    """A list; without indentation, `line_end` is between its items."""
    separator = b"[" + line_end
    some = False
    for some_items in _items(documents, indent, b"," + line_end, warn, sort_keys=sort_keys):
        file.write(separator)
        file.write(some_items)
        separator = b"," + line_end
        some = True
    file.write((line_end if some else b"[") + b"]\n")


def _items(documents: Documents, indent: int, between: bytes, warn: Warn, *, sort_keys: bool) -> Iterator[bytes]:
    """The inside of a list, some items at a time, without the line breaks around them."""
    if documents.lines and indent and not sort_keys:
        return documents.lines(indent)
    lines = _lines(documents, warn, sort_keys=sort_keys)
    if not indent:
        return (each.replace(b"\n", between) for each in lines)
    lists = (b"[%b]" % each.replace(b"\n", b",") for each in lines)
    return (msgspec.json.format(text, indent=indent)[2:-2] for text in lists)


def _write_items(documents: Documents, file: BinaryIO, warn: Warn) -> bool:
    """Write a list with one object a line from blocks or frames. Returns False if there are neither."""
    start = file.write(b"[\n")
    if not _write_many(documents, file, warn, end=",\n"):
        file.seek(0)
        return False
    file.flush()
    if file.seek(0, 2) > start:
        file.seek(-2, 2)
        file.write(b"\n]\n")
    else:
        file.seek(0)
        file.write(b"[]\n")
    file.truncate()
    return True


def _write_many(documents: Documents, file: BinaryIO, warn: Warn, *, end: str) -> bool:
    """Write all rows of a table from blocks or frames, each followed by `end`. Returns False if there are neither."""
    if blocks := _blocks(documents):
        file.writelines(blocks(end.encode()))
        return True
    if frames := _frames(documents):
        writer = _writer_of_frames(warn)
        for frame, numbers in frames.as_written():
            writer.write(frame, file, end, numbers)
        return True
    return False


def write_lines(documents: Documents, target: Path, options: Any, warn: Warn) -> None:
    """Write one compact JSON value a line: the items of a list, or the one document."""
    with target.open("wb") as file:
        if _write_many(documents, file, warn, end="\n"):
            return
        for lines in _lines(documents, warn):
            file.write(lines + b"\n")


def _blocks(documents: Documents) -> Callable[[bytes], Iterator[bytes]] | None:
    """Return a function that yields the rows of delimited text as JSON lines with a given end, or None."""
    table = documents.table
    blocks = table.frames.blocks_for_text if table and table.frames else None
    if table is None or blocks is None:
        return None
    delimiter, columns, read = blocks.delimiter, table.columns, blocks.open
    return lambda end: map(Lines(columns, delimiter=delimiter, end=end).encode, _of_few_quotes(read(_BLOCK), table))


def _of_few_quotes(blocks: Iterator[Block], table: Table) -> Iterator[Block]:
    """Yield all blocks; falls back to rows if the first block has so many quotes that rows are faster."""
    for each in islice(blocks, 1):
        if each.is_mostly_quoted:
            table.by_rows()
        yield each
    yield from blocks


def _frames(documents: Documents) -> Frames | None:
    frames = documents.table.frames if documents.table else None
    return frames if frames and frames.for_text else None


def _writer_of_frames(warn: Warn) -> Any:
    from engine.families.data.columnar import json_lines  # heavy: not for small files

    return json_lines.Lines(encoder(warn).encode_lines, warn)


def _lines(documents: Documents, warn: Warn, *, sort_keys: bool = False) -> Iterator[bytes]:
    """Yield the values of each batch as JSON lines, with no line breaks inside values."""
    encode_lines = encoder(warn, sort_keys=sort_keys).encode_lines
    if blocks := _blocks(documents):
        yield from (lines[:-1] for lines in blocks(b"\n"))
        return
    if frames := _frames(documents):
        yield from filter(None, starmap(_writer_of_frames(warn).encode, frames.as_written()))
        return
    if documents.lines and not sort_keys:
        yield from documents.lines(0)
        return
    if documents.table is None or not _can_be_fields(documents.table.columns):
        for batch in documents.batches():
            if batch:
                yield encode_lines(batch)[:-1]
        return
    record = _record(documents.table.columns)
    for rows in documents.table.batches():
        if rows:
            yield encode_lines(list(starmap(record, rows)))[:-1]


def _can_be_fields(names: list[str]) -> bool:
    """Return whether the names need no escape in JSON, and are few enough for a record type."""
    return len(names) <= _MAX_FIELDS and not any(map(_ESCAPED.search, names))


def _record(columns: list[str]) -> type[msgspec.Struct]:
    """A type whose instances encode as objects with these keys, at half the cost of a dict."""
    fields = [(f"f{index}", Any, msgspec.field(name=name)) for index, name in enumerate(columns)]
    return msgspec.defstruct("Record", fields, frozen=True, gc=False)


def reformat(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the same JSON document with other white space, and optionally sorted keys; digits are unchanged."""
    from engine.families.data.picking import items  # not for what only writes
    from engine.families.data.readers import json_text

    documents = items.pick(json_text.read(source, options, warn), options, warn, target.parent)
    with target.open("wb") as file:
        if documents.many:
            line_end = b"\n" if options.indent else b""
            _write_list(documents, file, options.indent, line_end, warn, sort_keys=options.sort_keys)
        else:
            text = encoder(warn, sort_keys=options.sort_keys).encode(next(documents.batches())[0])
            file.write(msgspec.json.format(text, indent=options.indent or -1) + b"\n")
