"""The input in pieces of whole items: cut where an item ends, so that each piece can be decoded alone."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from conversions.families.data.json_csv.source import Source, Window
from conversions.families.data.json_csv.syntax import Fault, skip_space, skip_value

Style = Literal["array", "lines", "single"]


@dataclass(frozen=True)
class Piece:
    """Some whole items: `size` bytes of a text, or all of it, that begins at byte `offset` of the input.

    Items of an array have commas between them, and the last piece has the closing bracket and what follows it.
    `follows` tells that a comma came before, so that an item must come. `guessed` tells that the cut is not proven.
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
        """The items of an array as one, all that follows on its end with the last of them."""
        return b"".join((b"[", memoryview(self.text)[: self.size], b"" if self.last else b"]"))

    def parts(self, size: int) -> Iterator[Piece]:
        """Itself, or its lines in pieces of about so many bytes."""
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
"""Bytes whose items are read to see what lies between two of them."""


def pieces(window: Window, source: Source, *, lines_only: bool, guess: bool) -> Pieces:
    """Cut the input into pieces.

    An array has its items, NDJSON its lines, a single value itself; `lines_only` rules out the first and the last.
    With `guess`, send False for a guessed piece that is not JSON: it is then cut anew, with each item read to its end.
    A cut inside of an item leaves a bracket or a quote open, so the piece as an array is not valid, and no item is
    torn. Raises Unreadable where there is no JSON value, or no end of one.
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
    """As `pieces` with `guess`, of an array whose opening bracket was dropped from the window."""
    return _array(window, source, guess=True)


def _style(window: Window, source: Source, *, lines_only: bool) -> tuple[Style, int]:
    """How the items lie in the input, and where the first piece begins in the window."""
    window.fill()
    while not window.data.strip(b" \t\r\n") and not window.ended:
        window.drop(len(window.data))
        window.fill()
    text = window.data.decode("latin-1")
    start = skip_space(text, 0)
    if start == len(text):
        raise source.unreadable("The file has no JSON value in it", window.offset + start)
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
                raise source.unreadable(str(fault), window.offset + fault.position) from None
            signature = signature or found
            if not cut:
                window.grow()
                continue
            yield Piece(window.data, window.offset, "array", cut, follows=follows)
        window.drop(window.data.index(b",", cut) + 1)
        follows = True


def _guess(data: bytes, signature: bytes) -> int:
    """The end of the last item, or 0, found by how one item ended and the next began before."""
    at = data.rfind(signature)
    return max(at, 0) if signature[0] not in b"}]" else at + 1


def _exact(data: bytes) -> tuple[int, bytes]:
    """The end of the last item that a comma follows, or 0, and what lies between two items; reads every item."""
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
                    raise Fault("Something follows after the end of the array", rest)
                break
            if follower == len(text):
                break
            if text[follower] != ",":
                raise Fault("A comma or the end of the array was expected here", follower)
            cut, position = end, follower + 1
    except Fault as fault:
        if not fault.may_be_cut_off(len(text)):
            raise
    return cut, signature


def _before(text: str, end: int, begin: int) -> int:
    """Where the signature of the gap between `end` and `begin` starts: at the closing bracket of an item."""
    return end - 1 if text[begin] in "{[" else end


def _into(text: str, begin: int) -> int:
    """Where it ends: behind the first key of an object, so that objects inside of items are rarely taken for items."""
    if text[begin] not in "{[":
        return begin
    quote = skip_space(text, begin + 1)
    close = text.find('"', quote + 1) if text[begin] == "{" and text[quote : quote + 1] == '"' else -1
    return close + 1 if close > 0 else begin + 1
