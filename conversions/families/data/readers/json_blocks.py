"""Large JSON in blocks of whole items: decoded at once where it is proven that nothing was lost, else item by item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec

from conversions.families.data import whole_lines
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
_ON_ONE_LINE = bytes.maketrans(b"\n", b" ")

T = TypeVar("T")
Careful = Callable[[bytes], list[Value]]
"""Reads a block of text item by item; raises Unreadable, with no matter which place."""
_items = msgspec.json.Decoder(list[msgspec.Raw])


class Unproven(Exception):
    """A block ends where it was guessed that an item does, which is not so."""


@dataclass(frozen=True)
class Block:
    """The text of some items: a list, or lines with a value on each. What it gives may raise Unreadable and Unproven.

    Where the end of a list was `guessed`, it is proven by what is made of it, or by its `items`. One that `follows` on
    a comma has to have an item.
    """

    data: bytes
    careful: Careful
    in_list: bool
    guessed: bool = False
    follows: bool = False

    @cached_property
    def items(self) -> list[msgspec.Raw] | None:
        """Those of a list as they are written in `data`, or None where it is none, or can't be told."""
        if not self.in_list:
            return None
        found = _found(self.data)
        if found is None and self.guessed:
            raise Unproven
        if self.follows and found == []:
            raise Unreadable("An item is missing after the last comma.")
        return found

    def values(self) -> list[Value]:
        text = json_proofs.canonical(self._proven())
        found = None if text is None else json_proofs.proven_values(text, in_list=self.in_list)
        return self.careful(self.data) if found is None else found

    def lines(self, writer: json_proofs.Lines) -> bytes:
        """Each value on a line, as compact JSON."""
        found = writer.of(self._proven(), in_list=self.in_list)
        return json_proofs.encode_lines(self.careful(self.data)) if found is None else found

    def laid_out(self, writer: json_proofs.Layout) -> bytes:
        """The values as those of an indented list, without what is around them."""
        found = writer.of(self._proven(), in_list=self.in_list)
        return writer.of_lines(json_proofs.encode_lines(self.careful(self.data))) if found is None else found

    def on_lines(self) -> bytes | None:
        """The items as they are written, each on a line and each character as encoders write it, or None."""
        items, text = self.items, json_proofs.canonical(self.data)
        if not self.in_list or text is None:
            return text
        for each in (text, text.translate(_ON_ONE_LINE)):
            if each is not self.data:
                items = _found(each)
            if items is None:
                return None
            # A line break in a text would be no JSON, which the first of the two has shown.
            lines = b"\n".join(items)
            if lines.count(b"\n") == len(items) - 1:
                return lines
        return None

    def _proven(self) -> bytes:
        """The text, which is that of whole items."""
        _ = self.items
        return self.data


def lines(source: Path, careful: Careful, give: Callable[[Block], T], size: int = 0) -> Iterator[T]:
    """What `give` makes of blocks of JSON lines in UTF-8, of about `size` bytes if that matters. Raises Unreadable."""
    found = False
    with source.open("rb") as file:
        while data := whole_lines.read(file, size or _BLOCK):
            found = found or bool(data.strip(_SPACE))
            yield give(Block(data, careful, in_list=False))
    if not found:
        raise Unreadable("The file has no content.")


def items(source: Path, careful: Careful, give: Callable[[Block], T], size: int = 0) -> Iterator[T]:
    """As `lines`, of the list that a file in UTF-8 is. What `give` makes of a block has to prove its end."""
    with source.open("rb") as file:
        window = Window(file, 0, size)
        window.fill()
        window.drop(window.data.index(b"[") + 1)
        cutter = array_pieces(window, Source(source, 0, source.stat().st_size))
        piece = next(cutter, None)
        while piece is not None:
            try:
                made = give(Block(piece.listed(), careful, in_list=True, guessed=piece.guessed, follows=piece.follows))
            except Unproven:
                piece = _next(cutter, proven=False)
                continue
            yield made
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
