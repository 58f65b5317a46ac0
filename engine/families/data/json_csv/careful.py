"""Parse JSON value by value with the standard library: exact errors, duplicate keys, lone surrogates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NoReturn

from engine.families.data.json_input.pieces import Piece
from engine.families.data.json_input.source import Source
from engine.families.data.json_input.syntax import Members, Reader, skip_space, skip_value
from engine.toolkit.json_values import Fault
from engine.toolkit.messages import say

Kind = Literal["object", "array", "value"]

_KINDS: dict[str, Kind] = {"{": "object", "[": "array"}
_KIND_NAMES = {"object": say("an object"), "array": say("an array"), "value": say("a single value")}


class CarefulDecoder:
    """Parses pieces into rows; `kind` is the kind of all items, None before the first."""

    def __init__(self, source: Source, reader: Reader) -> None:
        self._source = source
        self._reader = reader
        self.kind: Kind | None = None

    def rows(self, piece: Piece, before: int) -> list[Members]:
        """Return one row for each item of the piece; `before` is the number of items in earlier pieces.

        Raises Unreadable, with line and column, for anything that is not JSON in UTF-8, and for the first item whose
        kind differs from that of the items before it.
        """
        text = piece.data.decode("latin-1")
        try:
            found: list[Members] = []
            for position, end in _spans(text, piece):
                self._check(text, position, piece.offset, before + len(found))
                found.append(self._row(text, position, end))
        except Fault as fault:
            raise self._source.unreadable(fault.message, piece.offset + fault.position) from None
        return found

    def check_encoding(self, piece: Piece) -> None:
        """Raise Unreadable where the piece is not UTF-8."""
        if not piece.data.isascii():
            try:
                piece.data.decode()
            except UnicodeDecodeError as error:
                raise self._source.unreadable(say("The text is not UTF-8"), piece.offset + error.end) from None

    def _row(self, text: str, position: int, end: int) -> Members:
        if self.kind == "object":
            return self._reader.members(text, position)[0]
        if self.kind == "array":
            return self._reader.items(text, position)[0]
        return {"value": text[position:end]}

    def _check(self, text: str, position: int, offset: int, index: int) -> None:
        kind = _KINDS.get(text[position], "value")
        if self.kind is None:
            self.kind = kind
        elif kind != self.kind:
            self._mixed(kind, offset + position, index)

    def _mixed(self, kind: Kind, offset: int, index: int) -> NoReturn:
        assert self.kind is not None
        raise self._source.unreadable(
            say(
                "Item {index} (counting from 0) is {said}, but the items before it are not: the first is "
                "{said2}. All items must be objects, all arrays, or all single values",
                index=index,
                said=_KIND_NAMES[kind],
                said2=_KIND_NAMES[self.kind],
            ),
            offset,
        )


def _spans(text: str, piece: Piece) -> Iterator[tuple[int, int]]:
    """Yield begin and end of each item in the piece; the text between and after the items is validated too."""
    if piece.style == "lines":
        return _line_spans(text)
    if piece.style == "array":
        return _array_spans(text, piece)
    return _single_span(text)


def _line_spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        stop = text.find("\n", start)
        line = text[start : stop if stop >= 0 else len(text)]
        begin = skip_space(line, 0)
        if begin < len(line):
            try:
                end = skip_value(line, begin)
                if (rest := skip_space(line, end)) < len(line):
                    raise Fault(say("Each line must have one value, but something follows it here"), rest)
            except Fault as fault:
                raise Fault(fault.message, start + fault.position) from None
            yield start + begin, start + end
        start += len(line) + 1


def _array_spans(text: str, piece: Piece) -> Iterator[tuple[int, int]]:
    position = skip_space(text, 0)
    needed = piece.follows
    while needed or not (piece.last and text[position : position + 1] == "]"):
        end = skip_value(text, position)
        yield position, end
        position = skip_space(text, end)
        if text[position : position + 1] == ",":
            position = skip_space(text, position + 1)
            needed = True
        elif position == len(text) and not piece.last:
            return
        elif text[position : position + 1] != "]":
            raise Fault(say("Expected a comma or the end of the array here"), position)
        else:
            needed = False
    rest = skip_space(text, position + 1)
    if rest < len(text):
        raise Fault(say("Something follows after the end of the array"), rest)


def _single_span(text: str) -> Iterator[tuple[int, int]]:
    begin = skip_space(text, 0)
    end = skip_value(text, begin)
    rest = skip_space(text, end)
    if rest < len(text):
        raise Fault(say("Something follows after the end of the value"), rest)
    yield begin, end
