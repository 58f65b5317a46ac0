"""Split JSON arrays into pieces of whole items that can be decoded independently."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from engine.families.data.json_input.source import Source, Window
from engine.families.data.json_input.syntax import skip_space, skip_value
from engine.toolkit.json_values import Fault
from engine.toolkit.messages import say


@dataclass(frozen=True)
class Piece:
    """Some whole items of an array, separated by commas: the first `size` bytes of a text, or all of it.

    The last piece has the closing bracket and the text after it. `follows` is true if a comma comes before the piece,
    so that an item must come. `guessed` is true if the cut is not proven.
    """

    text: bytes
    size: int | None = None
    last: bool = False
    follows: bool = False
    guessed: bool = False

    def listed(self) -> bytes:
        """Return the items as an array; the last piece keeps the text after its end."""
        return b"".join((b"[", memoryview(self.text)[: self.size], b"" if self.last else b"]"))


Pieces = Generator[Piece, bool, None]

_LEARNED = 1 << 16
"""Bytes whose items are scanned to learn the text between two items."""


def pieces(window: Window, source: Source) -> Pieces:
    """Split an array, whose opening bracket was dropped from the window, into pieces.

    Send False for a guessed piece that is not JSON: it is then split again, by scanning each item. A cut inside an item
    leaves a bracket or quote open, so that the piece is not a valid array, and no item is torn. Raises Unreadable where
    a JSON value, or its end, is missing.
    """
    follows = False
    signature = b""
    while True:
        window.fill()
        if window.ended:
            yield Piece(window.data, last=True, follows=follows)
            return
        cut = _guess(window.data, signature) if signature else 0
        taken = bool(cut) and (yield Piece(window.data, cut, follows=follows, guessed=True))
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
            yield Piece(window.data, cut, follows=follows)
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
