"""Pieces read value by value with the standard library: exact about faults, repeated keys and lone surrogates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NoReturn

from conversions.families.data.json_csv.pieces import Piece
from conversions.families.data.json_csv.source import Source
from conversions.families.data.json_csv.syntax import Fault, Members, Reader, skip_space, skip_value

Kind = Literal["object", "array", "value"]

_KINDS: dict[str, Kind] = {"{": "object", "[": "array"}
_SAID = {"object": "an object", "array": "an array", "value": "a single value"}


class CarefulDecoder:
    """Turns pieces into rows; `kind` is what all items are, None before the first."""

    def __init__(self, source: Source, reader: Reader) -> None:
        self._source = source
        self._reader = reader
        self.kind: Kind | None = None

    def rows(self, piece: Piece, before: int) -> list[Members]:
        """One row for each item of the piece; `before` items were in the pieces before it.

        Raises Unreadable, with line and column, for anything that is not JSON in UTF-8, and for the first item that is
        of another kind than the items before it.
        """
        text = piece.data.decode("latin-1")
        try:
            found: list[Members] = []
            for position, end in _spans(text, piece):
                self._check(text, position, piece.offset, before + len(found))
                found.append(self._row(text, position, end))
        except Fault as fault:
            raise self._source.unreadable(str(fault), piece.offset + fault.position) from None
        return found

    def check_encoding(self, piece: Piece) -> None:
        """Raise Unreadable where the piece is not UTF-8."""
        if not piece.data.isascii():
            try:
                piece.data.decode()
            except UnicodeDecodeError as error:
                raise self._source.unreadable("The text is not UTF-8", piece.offset + error.end) from None

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
            f"Item {index} (counted from 0) is {_SAID[kind]}, the items before it are not: the first is "
            f"{_SAID[self.kind]}. All items must be objects, or all arrays, or all single values",
            offset,
        )


def _spans(text: str, piece: Piece) -> Iterator[tuple[int, int]]:
    """Begin and end of each item in the piece; what is between and after them is checked too."""
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
                    raise Fault("Each line must have one value, here something follows it", rest)
            except Fault as fault:
                raise Fault(str(fault), start + fault.position) from None
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
            raise Fault("A comma or the end of the array was expected here", position)
        else:
            needed = False
    rest = skip_space(text, position + 1)
    if rest < len(text):
        raise Fault("Something follows after the end of the array", rest)


def _single_span(text: str) -> Iterator[tuple[int, int]]:
    begin = skip_space(text, 0)
    end = skip_value(text, begin)
    rest = skip_space(text, end)
    if rest < len(text):
        raise Fault("Something follows after the end of the value", rest)
    yield begin, end
