"""Read JSON and NDJSON (RFC 8259) item by item, preserving all digits of numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from engine.families.data.json_input import blocks as json_blocks
from engine.families.data.json_input import proofs as json_proofs
from engine.families.data.json_input.blocks import Block
from engine.families.data.table import BATCH, Documents, T
from engine.families.data.values import Value, integer, number, plain
from engine.toolkit import encodings
from engine.toolkit.failures import Unreadable
from engine.toolkit.json_values import Fault, scanner
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_SPACE = re.compile(r"[ \t\n\r]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def read(source: Path, options: Any, warn: Warn) -> Documents:
    """The document of a JSON file; a list at the root is streamed by item, and so are several values."""
    if (blocks := _blocks_of_items(source, warn)) is not None:
        return blocks
    text = encodings.decode(source.read_bytes())
    scanner = _Scanner(text, warn)
    start = scanner.skip(0)
    if start == len(text):
        line, column = encodings.place(text, start)
        raise Unreadable("The file has no content.", line=line, column=column, reason="empty")
    if text[start] == "[":
        return Documents(lambda: _batches(scanner.items(start)), many=True, place=scanner.place)
    value, end = scanner.value(start)
    if scanner.skip(end) == len(text):
        return Documents(lambda: iter([[value]]), many=False)
    if "\n" not in text[end : scanner.skip(end)]:
        scanner.fail(say("More text follows the end of the document"), scanner.skip(end))
    return Documents(lambda: _batches(scanner.values(start)), many=True)


def read_lines(source: Path, options: Any, warn: Warn) -> Documents:
    """The values of an NDJSON file, one per line; empty lines are skipped."""
    with source.open("rb") as file:
        encoding = encodings.unicode_encoding(file.read(4)) or "utf-8"
    if encoding == "utf-8" and source.stat().st_size > json_blocks.LARGE:
        blocks = partial(json_blocks.lines, source, lambda data: _each_line(data, warn))
        return _in_blocks(blocks, lambda: _by_lines(source, encoding, warn))
    return _by_lines(source, encoding, warn)


def _blocks_of_items(source: Path, warn: Warn) -> Documents | None:
    """The items of a large UTF-8 list."""
    if source.stat().st_size <= json_blocks.LARGE:
        return None
    with source.open("rb") as file:
        head = file.read(json_blocks.LARGE)
    if not head.lstrip(b" \t\r\n").startswith(b"[") or encodings.unicode_mark(head[:4]):
        return None

    def careful(data: bytes) -> list[Value]:
        return list(_Scanner(encodings.decode(data), warn).items(0))

    def whole() -> Documents:
        scanner = _Scanner(encodings.decode(source.read_bytes()), warn)
        return Documents(lambda: _batches(scanner.items(scanner.skip(0))), many=True, place=scanner.place)

    return _in_blocks(partial(json_blocks.items, source, careful), whole)


def _in_blocks(blocks: Callable[..., Iterator[Any]], whole: Callable[[], Documents]) -> Documents:
    """The results of all blocks; an invalid block is located by reading the whole file."""

    def sound(give: Callable[[Block], T], size: int = 0) -> Iterator[T]:
        try:
            yield from blocks(give, size)
        except Unreadable:
            for _ in whole().batches():
                pass
            raise

    def lines(indent: int) -> Iterator[bytes]:
        if indent:
            layout = json_proofs.Layout(indent)
            return filter(None, sound(lambda block: block.laid_out(layout)))
        compact = json_proofs.Lines()
        return filter(None, sound(lambda block: block.lines(compact)[:-1]))

    def place(index: int) -> tuple[int, int]:
        documents = whole()
        return documents.place(index) if documents.place else (1, 1)

    return Documents(lambda: filter(None, sound(Block.values)), many=True, lines=lines, blocks=sound, place=place)


def _each_line(data: bytes, warn: Warn) -> list[Value]:
    found = []
    for row in encodings.decode(data).split("\n"):
        if text := row.rstrip(" \t\r\n"):
            scanner = _Scanner(text, warn)
            value, end = scanner.value(scanner.skip(0))
            if scanner.skip(end) != len(text):
                scanner.fail(say("More text follows the value of this line"), scanner.skip(end))
            found.append(value)
    return found


def _by_lines(source: Path, encoding: str, warn: Warn) -> Documents:
    def values() -> Iterator[Value]:
        found = False
        try:
            with source.open(encoding=encoding, newline="\n") as file:
                for line, row in enumerate(file, 1):
                    text = row.rstrip(" \t\r\n")
                    if not text:
                        continue
                    found = True
                    scanner = _Scanner(text, warn, line=line)
                    value, end = scanner.value(scanner.skip(0))
                    if scanner.skip(end) != len(text):
                        scanner.fail(say("More text follows the value of this line"), scanner.skip(end))
                    yield value
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

    return Documents(lambda: _batches(values()), many=True, place=place)


def _batches(values: Iterator[Value]) -> Iterator[list[Value]]:
    batch: list[Value] = []
    for value in values:
        batch.append(value)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


class _Scanner:
    """Reads values at positions of a text; `line` is the file line of the text's first line."""

    def __init__(self, text: str, warn: Warn, line: int = 1) -> None:
        self.text = text
        self.warn = warn
        self.line = line
        self.surrogates = bool(_SURROGATE.search(text))
        self.scan = scanner(object_pairs_hook=self._object, parse_float=number, parse_int=integer)

    def skip(self, index: int) -> int:
        match = _SPACE.match(self.text, index)
        assert match is not None
        return match.end()

    def value(self, index: int) -> tuple[Value, int]:
        try:
            value, end = self.scan(self.text, index)
        except Fault as fault:
            self.fail(fault.message, fault.position)
        if self.surrogates:
            value = self._without_surrogates(value)
        return value, end

    def items(self, start: int) -> Iterator[Value]:
        """The items of the list at `start`, with only white space after it."""
        text, skip = self.text, self.skip
        index = skip(start + 1)
        closed = text[index : index + 1] == "]"
        while not closed:
            value, index = self.value(index)
            yield value
            index = skip(index)
            mark = text[index : index + 1]
            closed = mark == "]"
            if not closed:
                if mark != ",":
                    self.fail(say("Expected a comma or the end of the list"), index)
                index = skip(index + 1)
        index = skip(index + 1)
        if index != len(text):
            self.fail(say("More text follows the end of the document"), index)

    def place(self, index: int) -> tuple[int, int]:
        """Line and column of an item of the list at the beginning of the text."""
        start = self.skip(self.skip(0) + 1)
        for _ in range(index):
            start = self.skip(self.skip(self.scan(self.text, start)[1]) + 1)
        return encodings.place(self.text, start)

    def values(self, index: int) -> Iterator[Value]:
        """Consecutive values separated by white space."""
        while index < len(self.text):
            value, index = self.value(index)
            yield value
            index = self.skip(index)

    def fail(self, reason: str, index: int) -> NoReturn:
        line, column = encodings.place(self.text, index)
        line += self.line - 1
        raise Unreadable(
            say(
                "The JSON can't be read at line {line}, column {column}: {reason}.",
                line=line,
                column=column,
                reason=reason,
            ),
            line=line,
            column=column,
            reason="damaged",
        )

    def _object(self, pairs: list[tuple[str, Value]]) -> dict[str, Value]:
        value = dict(pairs)
        if len(value) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.warn(
                        "DUPLICATE_KEY",
                        say("The key “{key}” occurs more than once in one object; the last value was kept.", key=key),
                    )
                seen.add(key)
        return value

    def _without_surrogates(self, value: Value) -> Value:
        if type(value) is str:
            cleaned = plain(value)
            if cleaned != value:
                self.warn("ENCODING_REPLACED", "Unpaired surrogates are not characters and became U+FFFD.")
            return cleaned
        if type(value) is list:
            return [self._without_surrogates(each) for each in value]
        if type(value) is dict:
            return {self._without_surrogates(key): self._without_surrogates(each) for key, each in value.items()}
        return value
