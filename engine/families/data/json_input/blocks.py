"""Decode large JSON in blocks of whole items if provably lossless, else item by item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import msgspec

from engine.families.data import whole_lines
from engine.families.data.json_input import proofs as json_proofs
from engine.families.data.json_input.pieces import Piece, Pieces, pieces
from engine.families.data.json_input.source import Source, Window
from engine.families.data.table import Documents, T
from engine.families.data.values import Value
from engine.toolkit.failures import Unreadable

LARGE = 1_000_000
"""File size in bytes from which decoding in blocks pays off."""
SMALL = 1 << 16
"""Bytes of a block, unless others are asked for; larger ones make each allocation a system call, which takes longer
than decoding."""
_SPACE = b" \t\r\n"
_ON_ONE_LINE = bytes.maketrans(b"\n", b" ")

Careful = Callable[[bytes], list[Value]]
"""Parses a block of text item by item; the place that its Unreadable names is not used."""
_items = msgspec.json.Decoder(list[msgspec.Raw])


class Unproven(Exception):
    """A guessed cut is not at the end of an item."""


@dataclass(frozen=True)
class Block:
    """The text of some items: an array, or lines with one value each. Its methods may raise Unreadable and Unproven.

    If the end of an array was `guessed`, decoding the block or reading `items` proves or refutes it. A block that
    `follows` a comma must have an item.
    """

    data: bytes
    careful: Careful
    in_list: bool
    guessed: bool = False
    follows: bool = False

    @cached_property
    def items(self) -> list[msgspec.Raw] | None:
        """The items of an array in source form, or None where the block is not an array or can't be decoded."""
        if not self.in_list:
            return None
        found = _found(self.data)
        if found is None and self.guessed:
            raise Unproven
        if self.follows and found == []:
            raise Unreadable("An item is missing after the last comma.", reason="damaged")
        return found

    def values(self) -> list[Value]:
        text = json_proofs.canonical(self._proven())
        found = None if text is None else json_proofs.proven_values(text, in_list=self.in_list)
        return self.careful(self.data) if found is None else found

    def lines(self, writer: json_proofs.Lines) -> bytes:
        """Return each value as a line of compact JSON."""
        found = writer.encode(self._proven(), in_list=self.in_list)
        return json_proofs.encode_lines(self.careful(self.data)) if found is None else found

    def laid_out(self, writer: json_proofs.Layout) -> bytes:
        """Return the values as formatted in an indented array, without the text around them."""
        found = writer.encode(self._proven(), in_list=self.in_list)
        return writer.of_lines(json_proofs.encode_lines(self.careful(self.data))) if found is None else found

    def on_lines(self) -> bytes | None:
        """Return the items in source form, one a line, with encoders' spelling of characters, or None."""
        items, text = self.items, json_proofs.canonical(self.data)
        if not self.in_list or text is None:
            return text
        for each in (text, text.translate(_ON_ONE_LINE)):
            if each is not self.data:
                items = _found(each)
            if items is None:
                return None
            # A line break inside a string would be invalid JSON, which the first iteration has ruled out.
            lines = b"\n".join(items)
            if lines.count(b"\n") == len(items) - 1:
                return lines
        return None

    def _proven(self) -> bytes:
        """Return the text, once its end is proven."""
        _ = self.items
        return self.data


def documents(
    blocks: Callable[..., Iterator[Any]], size: int, place: Callable[[int], tuple[int, int]] | None = None
) -> Documents:
    """Return the values of blocks of text."""

    def lines(indent: int) -> Iterator[bytes]:
        if indent:
            layout = json_proofs.Layout(indent)
            return filter(None, blocks(lambda block: block.laid_out(layout)))
        compact = json_proofs.Lines()
        return filter(None, blocks(lambda block: block.lines(compact)[:-1]))

    values = partial(blocks, Block.values)
    return Documents(lambda: filter(None, values()), many=True, lines=lines, blocks=blocks, size=size, place=place)


def lines(
    source: Source, careful: Careful, rest: Careful | None, give: Callable[[Block], T], size: int = 0
) -> Iterator[T]:
    """Yield the results of `give` for blocks of lines in UTF-8 of about `size` bytes, if given.

    From the first block that `careful` can't parse on, all is one block for `rest`, if given. Raises Unreadable.
    """
    found = False
    with source.path.open("rb") as file:
        file.seek(source.start)
        while data := whole_lines.read(file, size or SMALL):
            found = found or bool(data.strip(_SPACE))
            try:
                made = give(Block(data, careful, in_list=False))
            except Unreadable:
                if rest is None:
                    raise
                file.seek(-len(data), 1)
                made = give(Block(file.read(), rest, in_list=False))
            yield made
    if not found:
        raise Unreadable("The file has no content.", reason="empty")


def items(source: Source, careful: Careful, give: Callable[[Block], T], size: int = 0) -> Iterator[T]:
    """As `lines`, for a file in UTF-8 whose value is an array; `give` has to prove the end of each block."""
    with source.path.open("rb") as file:
        window = Window(file, source.start, size)
        window.fill()
        while b"[" not in window.data:
            window.grow()
        window.drop(window.data.index(b"[") + 1)
        cutter = pieces(window, source)
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
    """Return the items of an array in source form, or None where it is not an array or can't be decoded."""
    try:
        return _items.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
