"""Split JSON objects into columns of values in source form, where it is provably lossless."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import msgspec

from engine.families.data.exactness import Unlike
from engine.families.data.json_input import proofs as json_proofs
from engine.families.data.json_input.blocks import Block

_MOST_CELLS = 1 << 22
"""Cells of a block, most of them empty, above which rows are cheaper."""
_TYPES, _MOST_PARENTS = 24, 24
"""Record types for the objects of one key, and keys that have some: each takes longer to create than an object."""
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_ON_ONE_LINE = bytes.maketrans(b"\n", b" ")

Path = tuple[str, ...]
Column = Sequence[Any]
"""The values of one column in source form, empty where there is none."""


@dataclass(frozen=True)
class Tokens:
    """Some rows: the values of each column joined with line feeds, or None where the column has none.

    Lists and objects are compact JSON. At least `filled` cells have a value other than null.
    """

    rows: int
    columns: list[bytes | None]
    filled: int


class Columns:
    """Splits blocks of objects into columns, given by paths of keys.

    At the paths of `nulls` is nothing but null. With `flatten`, the keys of nested objects are in columns of their own;
    without `lists`, there may be none.
    """

    def __init__(self, paths: Iterable[Path], nulls: Iterable[Path], *, flatten: bool, lists: bool) -> None:
        self._flatten = flatten
        self._lists = lists
        self._root = _Node()
        self._width = 0
        self._parents = 0
        self._nested = json_proofs.Lines()
        for path in paths:
            self._node(path).at = self._width
            self._width += 1
        for path in nulls:
            self._node(path).null = True

    def _node(self, path: Path) -> _Node:
        node = self._root
        for key in path:
            node = node.kids.setdefault(key, _Node())
        return node

    def split(self, block: Block) -> Tokens | None:
        """Return the rows of a block; None where they have to be parsed value by value.

        Raises Unlike for a value that has no column, and what the block raises.
        """
        text = json_proofs.canonical(block.data)
        # A lone surrogate is replaced with a warning.
        if text is None or (b"\\u" in text and _SURROGATE.search(text)):
            return None
        found: dict[int, bytes] = {}
        try:
            rows, members = self._spread(self._parent(self._root), text, found, in_list=block.in_list)
        except _Refused:
            return None
        columns = list(map(found.get, range(self._width)))
        return Tokens(rows, columns, members - text.count(b"null"))

    def _spread(self, node: _Node, text: bytes, found: dict[int, bytes], *, in_list: bool) -> tuple[int, int]:
        """Add the columns of objects to `found`. Returns the numbers of objects and of their members."""
        decoded = node.objects.decode(text, in_list=in_list) if node.objects else None
        if not (decoded and decoded[0]):
            raise _Refused
        items, sizes = decoded
        written = json_proofs.encoded(items, text, in_list=in_list)
        if written is None or (not in_list and written.count(b"\n") != len(items)):
            raise _Refused
        if len(items) * self._width > _MOST_CELLS or (node is not self._root and not all(sizes)):
            raise _Refused
        for name, column in _columns(items):
            kid = node.kids.get(name)
            if kid is None:
                raise Unlike
            joined = b"\n".join(column)
            if b"{" in joined or b"[" in joined:
                joined = self._opened(kid, column, joined, found)
            if kid.at is not None:
                found[kid.at] = joined
            elif joined.strip(b"nul\n" if kid.null else b"\n"):
                raise Unlike
        return len(items), sum(sizes)

    def _opened(self, node: _Node, column: Column, joined: bytes, found: dict[int, bytes]) -> bytes:
        """Return the values of a column, lists as compact JSON; objects become columns of their own."""
        if joined.count(b"\n") >= len(column):  # white space inside values
            joined = b"\n".join(bytes(each).translate(_ON_ONE_LINE) for each in column)
        opens = self._flatten and joined.startswith(b"{")
        if opens and joined.count(b"\n{") == len(column) - 1 and b"{}" not in joined:
            self._spread(self._parent(node), joined, found, in_list=False)
            return b"\n" * (len(column) - 1)
        if opens or (self._flatten and b"\n{" in joined):
            values = joined.split(b"\n")
            places = [at for at, each in enumerate(values) if each[:1] == b"{" and each[1:2] != b"}"]
            if places:
                joined = self._open(node, values, places, found)
        if joined.startswith((b"[", b"{")) or b"\n[" in joined or b"\n{" in joined:
            if not self._lists:
                raise _Refused
            if joined.startswith(b"\n") or joined.endswith(b"\n") or b"\n\n" in joined:
                joined = b"\n".join(each or b"null" for each in joined.split(b"\n"))
            lines = self._nested.encode(joined, in_list=False)
            if lines is None:
                raise _Refused
            joined = lines[:-1]
        return joined

    def _open(self, node: _Node, values: list[bytes], places: list[int], found: dict[int, bytes]) -> bytes:
        """Move the members of the objects at these places to columns of their own. Returns what is left."""
        inside: dict[int, bytes] = {}
        self._spread(self._parent(node), b"\n".join(map(values.__getitem__, places)), inside, in_list=False)
        found.update({at: _placed(each, places, len(values)) for at, each in inside.items()})
        for at in places:
            values[at] = b""
        return b"\n".join(values)

    def _parent(self, node: _Node) -> _Node:
        if not node.kids:
            raise Unlike
        if node.objects is None:
            self._parents += 1
            node.objects = json_proofs.Objects(types=_TYPES if self._parents <= _MOST_PARENTS else 0)
        return node


class _Refused(Exception):
    """The values have to be parsed one by one."""


class _Node:
    """A key: the index of its column, if it has one, else whether it may be null, and its keys as an object."""

    __slots__ = ("at", "kids", "null", "objects")

    def __init__(self) -> None:
        self.at: int | None = None
        self.null = False
        self.kids: dict[str, _Node] = {}
        self.objects: json_proofs.Objects | None = None


def _columns(items: list[Any]) -> Iterator[tuple[str, Column]]:
    if not isinstance(items[0], dict):
        yield from zip(
            items[0].__struct_encode_fields__, zip(*map(msgspec.structs.astuple, items), strict=True), strict=True
        )
        return
    nothing = dict.fromkeys(chain.from_iterable(items), b"")
    if len(nothing) * len(items) > _MOST_CELLS:
        raise _Refused
    rows = (nothing | each for each in items)
    yield from zip(nothing, zip(*map(dict.values, rows), strict=True), strict=True)


def _placed(joined: bytes, places: list[int], rows: int) -> bytes:
    found = [b""] * rows
    for at, value in zip(places, joined.split(b"\n"), strict=True):
        found[at] = value
    return b"\n".join(found)
