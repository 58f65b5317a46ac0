"""Read JSON and NDJSON (RFC 8259) item by item, preserving all digits of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from engine.families.data.json_input import blocks as json_blocks
from engine.families.data.json_input.blocks import Block
from engine.families.data.json_input.source import Source, prepare
from engine.families.data.readers.json_values import Scanner, SpelledScanner
from engine.families.data.table import Documents, T, batched
from engine.families.data.values import Value
from engine.toolkit import encodings
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

Scan = type[Scanner]
_HEAD = 1 << 20
"""Bytes of a file that show whether it is a list or lines."""


def read(source: Path, options: Any, warn: Warn, scan: Scan = Scanner) -> Documents:
    """The document of a JSON file; a list at the root is streamed by item, and so are several values."""
    if (blocks := _blocks_of_items(_in_utf_8(source, warn), warn, scan)) is not None:
        return blocks
    text = encodings.decode(source.read_bytes())
    scanner = scan(text, warn)
    start = scanner.skip(0)
    if start == len(text):
        line, column = encodings.place(text, start)
        raise Unreadable("The file has no content.", line=line, column=column, reason="empty")
    if text[start] == "[":
        return Documents(lambda: batched(scanner.items(start)), many=True, place=scanner.place)
    value, end = scanner.value(start)
    if scanner.skip(end) == len(text):
        return Documents(lambda: iter([[value]]), many=False)
    if "\n" not in text[end : scanner.skip(end)]:
        scanner.fail(say("More text follows the end of the document"), scanner.skip(end))
    return Documents(lambda: batched(scanner.values()), many=True, place=scanner.place)


def read_lines(source: Path, options: Any, warn: Warn, scan: Scan = Scanner) -> Documents:
    """The values of an NDJSON file, one per line; empty lines are skipped."""
    return _blocks_of_lines(_in_utf_8(source, warn), warn, scan) or _by_lines(source, warn, scan)


def spelled(source: Path, options: Any, warn: Warn) -> Documents:
    """As `read`, with the sign of minus zero."""
    return read(source, options, warn, SpelledScanner)


def spelled_lines(source: Path, options: Any, warn: Warn) -> Documents:
    """As `read_lines`, with the sign of minus zero."""
    return read_lines(source, options, warn, SpelledScanner)


def _in_utf_8(source: Path, warn: Warn) -> Source | None:
    """A large file, or a copy of it, in UTF-8."""
    return prepare(source, warn) if source.stat().st_size > json_blocks.LARGE else None


def _blocks_of_lines(source: Source | None, warn: Warn, scan: Scan) -> Documents | None:
    if source is None:
        return None
    blocks = partial(json_blocks.lines, source, lambda data: _each_line(data, warn, scan), None)
    return _in_blocks(blocks, lambda: _by_lines(source.path, warn, scan), source.size)


def _blocks_of_items(source: Source | None, warn: Warn, scan: Scan) -> Documents | None:
    """The items of a list, or the values of lines."""
    if source is None:
        return None
    with source.path.open("rb") as file:
        file.seek(source.start)
        head = file.read(_HEAD)
    if head.startswith(b"{") and _is_line(*head.partition(b"\n")):
        return _blocks_of_values(source, warn, scan)
    if not head.lstrip(b" \t\r\n").startswith(b"["):
        return None

    def careful(data: bytes) -> list[Value]:
        return list(scan(encodings.decode(data), warn).items(0))

    def whole() -> Documents:
        scanner = scan(encodings.decode(source.path.read_bytes()), warn)
        return Documents(lambda: batched(scanner.items(scanner.skip(0))), many=True, place=scanner.place)

    return _in_blocks(partial(json_blocks.items, source, careful), whole, source.size)


def _blocks_of_values(source: Source, warn: Warn, scan: Scan) -> Documents:
    """The values of a file that begins as lines; later ones may have several, or share one."""

    def rest(data: bytes) -> list[Value]:
        return list(scan(encodings.decode(data), warn).values())

    def whole() -> Documents:
        scanner = scan(encodings.decode(source.path.read_bytes()), warn)
        return Documents(lambda: batched(scanner.values()), many=True, place=scanner.place)

    blocks = partial(json_blocks.lines, source, lambda data: _each_line(data, warn, scan), rest)
    return _in_blocks(blocks, whole, source.size)


def _is_line(line: bytes, end: bytes, rest: bytes) -> bool:
    """Whether a line is a value by itself, and more follows."""
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return bool(rest.strip(b" \t\r\n"))


def _in_blocks(blocks: Callable[..., Iterator[Any]], whole: Callable[[], Documents], size: int) -> Documents:
    """The results of all blocks; an invalid block is located by reading the whole file."""

    def sound(give: Callable[[Block], T], size: int = 0) -> Iterator[T]:
        try:
            yield from blocks(give, size)
        except Unreadable:
            for _ in whole().batches():
                pass
            raise

    def place(index: int) -> tuple[int, int]:
        documents = whole()
        return documents.place(index) if documents.place else (1, 1)

    return json_blocks.documents(sound, size, place)


def _each_line(data: bytes, warn: Warn, scan: Scan) -> list[Value]:
    rows = (row.rstrip(" \t\r\n") for row in encodings.decode(data).split("\n"))
    return [scan(row, warn).only_value() for row in rows if row]


def _by_lines(source: Path, warn: Warn, scan: Scan) -> Documents:
    with source.open("rb") as head:
        encoding = encodings.unicode_encoding(head.read(4)) or "utf-8"

    def values() -> Iterator[Value]:
        found = False
        try:
            with source.open(encoding=encoding, newline="\n") as file:
                for line, row in enumerate(file, 1):
                    text = row.rstrip(" \t\r\n")
                    if not text:
                        continue
                    found = True
                    yield scan(text, warn, line=line).only_value()
        except UnicodeDecodeError:
            encodings.decode(source.read_bytes())
            raise
        if not found:
            raise Unreadable("The file has no content.", line=1, column=1, reason="empty")

    def place(index: int) -> tuple[int, int]:
        with source.open(encoding=encoding, newline="\n") as file:
            filled = ((line, row) for line, row in enumerate(file, 1) if row.strip(" \t\r\n"))
            line, row = next(islice(filled, index, None))
        return line, len(row) - len(row.lstrip(" \t")) + 1

    return Documents(lambda: batched(values()), many=True, place=place)
