"""Split JSON input into pieces of whole items that can be decoded independently."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from engine.families.data.json_input.source import Source, Window
from engine.families.data.json_input.syntax import skip_space, skip_value
from engine.toolkit.json_values import Fault
from engine.toolkit.messages import say

Style = Literal["array", "lines", "single"]


@dataclass(frozen=True)
class Piece:
    """Some whole items: the first `size` bytes of a text, or all of it, which begins at byte `offset` of the input.

    Items of an array are separated by commas; the last piece has the closing bracket and the text after it. `follows`
    is true if a comma comes before the piece, so that an item must come. `guessed` is true if the cut is not proven.
    """

    text: bytes
    offset: int
    style: Style
    size: int | None = None
    last: bool = False
    follows: bool = False
    guessed: bool = False

    @cached_property
    def data(self) -> bytes:
        return self.text[: self.size]

    def listed(self) -> bytes:
        """Return the items of an array as an array; the last piece keeps the text after its end."""
        return b"".join((b"[", memoryview(self.text)[: self.size], b"" if self.last else b"]"))

    def parts(self, size: int) -> Iterator[Piece]:
        """Yield the piece itself, or its lines in pieces of about `size` bytes."""
        if self.style != "lines":
            yield self
            return
        at = 0
        while at < len(self.data):
            end = self.data.find(b"\n", at + size - 1) + 1 or len(self.data)
            yield Piece(self.data[at:end], self.offset + at, "lines")
            at = end


Pieces = Generator[Piece, bool, None]

_LEARNED = 1 << 16
"""Bytes whose items are scanned to learn the text between two items."""


def pieces(window: Window, source: Source, *, lines_only: bool, guess: bool) -> Pieces:
    """Split the input into pieces.

    The items of an array, the lines of NDJSON, or a single value; `lines_only` leaves only lines. With `guess`, send
    False for a guessed piece that is not JSON: it is then split again, by scanning each item. A cut inside an item
    leaves a bracket or quote open, so that the piece is not a valid array, and no item is torn. Raises Unreadable where
    a JSON value, or its end, is missing.
    """
    style, start = _style(window, source, lines_only=lines_only)
    window.drop(start)
    if style == "array":
        yield from _array(window, source, guess=guess)
    elif style == "lines":
        yield from _lines(window)
    else:
        while not window.ended:
            window.grow()
        yield Piece(window.data, window.offset, style, last=True)


def array_pieces(window: Window, source: Source) -> Pieces:
    """As `pieces` with `guess`, for an array whose opening bracket was dropped from the window."""
    return _array(window, source, guess=True)


def _style(window: Window, source: Source, *, lines_only: bool) -> tuple[Style, int]:
    """Return how the input separates its items, and where the first piece begins in the window."""
    window.fill()
    while not window.data.strip(b" \t\r\n") and not window.ended:
        window.drop(len(window.data))
        window.fill()
    text = window.data.decode("latin-1")
    start = skip_space(text, 0)
    if start == len(text):
        raise source.unreadable(say("The file has no JSON value"), window.offset + start)
    if lines_only:
        return "lines", 0
    line_end = text.find("\n", start)
    if line_end < 0:
        return ("array", start + 1) if text[start] == "[" else ("lines" if not window.ended else "single", 0)
    try:
        complete = skip_space(text, skip_value(text[:line_end], start)) >= line_end
    except Fault:
        complete = False
    if complete and (not window.ended or text[line_end:].strip(" \t\r\n")):
        return "lines", 0
    return ("array", start + 1) if text[start] == "[" else ("single", 0)


def _lines(window: Window) -> Pieces:
    while data := window.lines():
        yield Piece(data, window.offset - len(data), "lines")


def _array(window: Window, source: Source, *, guess: bool) -> Pieces:
    follows = False
    signature = b""
    while True:
        window.fill()
        if window.ended:
            yield Piece(window.data, window.offset, "array", last=True, follows=follows)
            return
        cut = _guess(window.data, signature) if guess and signature else 0
        taken = bool(cut) and (yield Piece(window.data, window.offset, "array", cut, follows=follows, guessed=True))
        if not taken:
            try:
                cut, found = (0, b"") if signature else _exact(window.data[:_LEARNED])
                if not cut:
                    cut, found = _exact(window.data)
            except Fault as fault:
                raise source.unreadable(fault.message, window.offset + fault.position) from None
            signature = signature or found
            if not cut:
                window.grow()
                continue
            yield Piece(window.data, window.offset, "array", cut, follows=follows)
        window.drop(window.data.index(b",", cut) + 1)
        follows = True


def _guess(data: bytes, signature: bytes) -> int:
    """Guess the end of the last item by the `signature` of earlier gaps between items; 0 if not found."""
    at = data.rfind(signature)
    return max(at, 0) if signature[0] not in b"}]" else at + 1


def _exact(data: bytes) -> tuple[int, bytes]:
    """Scan every item. Returns the end of the last item with a comma after it, or 0, and the signature of a gap."""
    text = data.decode("latin-1")
    position = cut = 0
    signature = b""
    try:
        while (begin := skip_space(text, position)) < len(text):
            if cut and not signature:
                signature = data[_before(text, cut, begin) : _into(text, begin)]
            end = skip_value(text, begin)
            follower = skip_space(text, end)
            if text[follower : follower + 1] == "]":
                rest = skip_space(text, follower + 1)
                if rest < len(text):
                    raise Fault(say("Something follows after the end of the array"), rest)
                break
            if follower == len(text):
                break
            if text[follower] != ",":
                raise Fault(say("Expected a comma or the end of the array here"), follower)
            cut, position = end, follower + 1
    except Fault as fault:
        if not fault.may_be_cut_off(len(text)):
            raise
    return cut, signature


def _before(text: str, end: int, begin: int) -> int:
    """Return where the signature of the gap between two items starts: at the closing bracket of the first."""
    return end - 1 if text[begin] in "{[" else end


def _into(text: str, begin: int) -> int:
    """Return where the signature ends: after the first key of an object, so that nested objects rarely match."""
    if text[begin] not in "{[":
        return begin
    quote = skip_space(text, begin + 1)
    close = text.find('"', quote + 1) if text[begin] == "{" and text[quote : quote + 1] == '"' else -1
    return close + 1 if close > 0 else begin + 1
