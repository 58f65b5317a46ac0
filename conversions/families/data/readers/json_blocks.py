"""Large JSON in blocks of whole items: decoded at once where it is proven that nothing was lost, else item by item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from conversions.families.data.json_csv.pieces import Piece, Pieces, array_pieces
from conversions.families.data.json_csv.source import Source, Window
from conversions.families.data.readers import json_proofs
from conversions.families.data.values import Value
from conversions.toolkit.failures import Unreadable

LARGE = 1_000_000
"""Bytes of a file from which on blocks are worth their trouble."""
_BLOCK = 1 << 16
"""More memory at once would be asked of the system each time, which takes longer than all else."""
_SPACE = b" \t\r\n"

Careful = Callable[[bytes], list[Value]]
"""Reads a block of text item by item; raises Unreadable, with no matter which place."""
_items = msgspec.json.Decoder(list[msgspec.Raw])


@dataclass(frozen=True)
class Block:
    """The text of some items: a list, or lines with a value on each. What it gives may raise Unreadable.

    `items` are those of a list as they are written in `data`, where they are known.
    """

    data: bytes
    careful: Careful
    in_list: bool
    items: list[msgspec.Raw] | None = None

    def values(self) -> list[Value]:
        text = json_proofs.canonical(self.data)
        found = None if text is None else json_proofs.proven_values(text, in_list=self.in_list)
        return self.careful(self.data) if found is None else found

    def lines(self, writer: json_proofs.Lines) -> bytes:
        """Each value on a line, as compact JSON."""
        found = writer.of(self.data, in_list=self.in_list)
        return json_proofs.encode_lines(self.careful(self.data)) if found is None else found

    def laid_out(self, writer: json_proofs.Layout) -> bytes:
        """The values as those of an indented list, without what is around them."""
        found = writer.of(self.data, in_list=self.in_list)
        return writer.of_lines(json_proofs.encode_lines(self.careful(self.data))) if found is None else found


def lines(source: Path, careful: Careful, size: int = 0) -> Iterator[Block]:
    """Blocks of JSON lines in UTF-8, of about `size` bytes where that matters. Raises Unreadable."""
    found = False
    with source.open("rb") as file:
        while data := file.read(size or _BLOCK):
            data += file.readline()
            found = found or bool(data.strip(_SPACE))
            yield Block(data, careful, in_list=False)
    if not found:
        raise Unreadable("The file has no content.")


def items(source: Path, careful: Careful, size: int = 0) -> Iterator[Block]:
    """Blocks of the list that a file in UTF-8 is, of about `size` bytes where that matters. Raises Unreadable."""
    with source.open("rb") as file:
        window = Window(file, 0, size)
        window.fill()
        window.drop(window.data.index(b"[") + 1)
        cutter = array_pieces(window, Source(source, 0, source.stat().st_size))
        piece = next(cutter, None)
        while piece is not None:
            data = b"[" + piece.data + (b"" if piece.last else b"]")
            found = _found(data)
            if found is None and piece.guessed:
                piece = _next(cutter, proven=False)
                continue
            if piece.follows and found == []:
                raise Unreadable("An item is missing after the last comma.")
            yield Block(data, careful, in_list=True, items=found)
            piece = _next(cutter, proven=True)


def _next(cutter: Pieces, *, proven: bool) -> Piece | None:
    try:
        return cutter.send(proven)
    except StopIteration:
        return None


def _found(data: bytes) -> list[msgspec.Raw] | None:
    """The items of a list as they are written, or None where it is none, or can't be told."""
    try:
        return _items.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
