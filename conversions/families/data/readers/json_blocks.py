"""Large JSON in blocks of whole items: decoded at once where encoding them again proves that nothing was lost.

A decoder keeps the last of two equal keys in silence and knows several spellings of one number; what it made of a block
is taken only where it encodes to the bytes of the block, white space apart. All other blocks are read item by item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from conversions.families.data.json_csv.pieces import Piece, Pieces, array_pieces
from conversions.families.data.json_csv.source import Source, Window
from conversions.families.data.nesting import MAX_DEPTH, too_deep
from conversions.families.data.values import Value, number, raw
from conversions.toolkit.failures import Unreadable

LARGE = 1_000_000
"""Bytes of a file from which on blocks are worth their trouble."""
_BLOCK = 1 << 18
_SPACE = b" \t\r\n"

_encode_lines = msgspec.json.Encoder(enc_hook=raw, decimal_format="number").encode_lines
_decoder: Any = msgspec.json.Decoder(float_hook=number)


@dataclass(frozen=True)
class Block:
    """Some items, and where it is proven the lines of compact JSON that they are written as."""

    values: list[Value]
    lines: bytes | None


Careful = Callable[[bytes], list[Value]]
"""Reads a block of text item by item; raises Unreadable, with no matter which place."""


def lines(source: Path, careful: Careful) -> Iterator[Block]:
    """The values of JSON lines in UTF-8. Raises Unreadable."""
    found = False
    with source.open("rb") as file:
        while data := file.read(_BLOCK):
            data += file.readline()
            block = _proven(data, _decoder.decode_lines) or Block(careful(data), None)
            found = found or bool(block.values)
            yield block
    if not found:
        raise Unreadable("The file has no content.")


def items(source: Path, careful: Careful) -> Iterator[Block]:
    """The items of the list that a file in UTF-8 is. Raises Unreadable."""
    with source.open("rb") as file:
        window = Window(file, 0)
        window.fill()
        window.drop(window.data.index(b"[") + 1)
        cutter = array_pieces(window, Source(source, 0, source.stat().st_size))
        piece = next(cutter, None)
        while piece is not None:
            data = b"[" + piece.data + (b"" if piece.last else b"]")
            block = _proven(data, _decoder.decode, comma=b",")
            if block is None and piece.guessed and not _is_json(data):
                piece = _next(cutter, proven=False)
                continue
            block = block or Block(careful(data), None)
            if piece.follows and not block.values:
                raise Unreadable("An item is missing after the last comma.")
            yield block
            piece = _next(cutter, proven=True)


def _next(cutter: Pieces, *, proven: bool) -> Piece | None:
    try:
        return cutter.send(proven)
    except StopIteration:
        return None


def _proven(data: bytes, decode: Callable[[bytes], Any], comma: bytes = b"") -> Block | None:
    if b"\\u" in data:  # would not be encoded so again
        return None
    try:
        values = decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
        return None
    if type(values) is not list:
        return None
    written = _encode_lines(values)
    if comma:
        same = b"[%b]" % written[:-1].replace(b"\n", comma).translate(None, _SPACE) == data.translate(None, _SPACE)
    else:
        # What ends a line counts: there is one value on each.
        same = written.translate(None, b" \t\r") == data.translate(None, b" \t\r").rstrip(b"\n") + b"\n"
    if not same:
        return None
    if data.count(b"[") + data.count(b"{") - len(values) >= MAX_DEPTH and any(map(too_deep, values)):
        return None
    return Block(values, written)


def _is_json(data: bytes) -> bool:
    try:
        msgspec.json.decode(data, type=list[msgspec.Raw])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return True
