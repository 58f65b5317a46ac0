"""Repeat JSON objects for each item of a list in them, as text, where it is provably lossless."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

import msgspec

from engine.families.data import garbage
from engine.families.data.exactness import Inexact
from engine.families.data.json_input import blocks as json_blocks
from engine.families.data.json_input import proofs as json_proofs
from engine.families.data.json_input.blocks import Block
from engine.families.data.list_items import Unwinding
from engine.families.data.table import T, batched
from engine.families.data.values import Value
from engine.toolkit.failures import Unreadable
from engine.toolkit.json_values import MAX_DEPTH, is_deep_text

_MARK = b"\0"
"""Stands for a list in the text around it: a byte that JSON does not have."""
_NULL = b"null"
_SURROGATE = b"\\ud"
_MOST_ITEMS = 1_000_000
"""Commas in a block, beyond which values take less memory than pieces of text: one row is as long as the file."""
_lists = msgspec.json.Decoder(list[list[msgspec.Raw]])


def blocks(source: Callable[..., Iterator[Any]], unwinding: Unwinding) -> Callable[..., Iterator[Any]]:
    """Return a function as in Documents, for blocks of lines that have an object for each item."""

    def unwound(give: Callable[[Block], T], size: int = 0) -> Iterator[T]:
        cutter = _Cutter(unwinding)
        part = max(size // 2, json_blocks.SMALL)
        for objects in source(cutter.objects, part):
            for block in objects.blocks(2 * part):
                try:
                    made = give(block)
                except Unreadable:
                    # Only an error that is raised by what the source applies gets its line and column.
                    for _ in source(Block.values, part):
                        pass
                    raise
                yield made
        unwinding.check()

    return unwound


Cut = tuple[list[bytes], list[Sequence[Any] | None]]
"""The text of each object, with a mark for its list, and the items of the list; None for an object without one."""


class _Objects:
    """The objects of a block; without `cut`, they are only known as values."""

    def __init__(self, block: Block, unwinding: Unwinding, cut: Cut | None) -> None:
        self.cut = cut
        self._block = block
        self._unwinding = unwinding
        self._given = block.values() if cut is None else None
        self._rest: Iterator[Value] = iter(())
        self._at = 0
        self._some: tuple[int, list[Value]] = (-1, [])

    def blocks(self, size: int) -> Iterator[Block]:
        """Yield blocks of lines of about `size` bytes."""
        if self._given is not None:
            for values in batched(self._unwinding.values(self._given)):
                yield Block(_MARK, lambda _, found=values: found, in_list=False)  # type: ignore[misc]
            return
        done = 0
        for lines, count in _pieces(*self.cut or ([], []), size):
            yield Block(lines, partial(self._values, done, done + count), in_list=False)
            done += count

    def _values(self, start: int, end: int, _: bytes) -> list[Value]:
        """Return some of the objects as values; blocks in order ask for them, each perhaps more than once."""
        if start != self._some[0]:
            if start < self._at or not self._at:
                self._rest, self._at = self._unwinding.values(self._block.values()), 0
            self._some = start, list(islice(self._rest, start - self._at, end - self._at))
            self._at = end
        return self._some[1]


def _pieces(lines: list[bytes], lists: list[Sequence[Any] | None], size: int) -> Iterator[tuple[bytes, int]]:
    """Yield lines of text, and how many they are."""
    text: list[bytes] = []
    length = rows = 0
    for line, items in zip(lines, lists, strict=True):
        for made, count in _repeated(line, items, size) if items and len(items) > 1 else _single(line, items):
            text.append(made)
            length += len(made)
            rows += count
            if length > size:
                yield b"\n".join((*text, b"")), rows
                text, length, rows = [], 0, 0
    if text:
        yield b"\n".join((*text, b"")), rows


def _single(line: bytes, items: Sequence[Any] | None) -> Iterable[tuple[bytes, int]]:
    if items is not None:
        line = line.replace(_MARK, items[0] if items else _NULL)
    return ((line, 1),)


def _repeated(line: bytes, items: Sequence[Any], size: int) -> Iterable[tuple[bytes, int]]:
    before, after = line.split(_MARK)
    between = after + b"\n" + before
    step = size // len(between) + 1
    if len(items) <= step:
        return ((before + between.join(items) + after, len(items)),)
    parts = (items[start : start + step] for start in range(0, len(items), step))
    return ((before + between.join(some) + after, len(some)) for some in parts)


class _Cutter:
    """Finds the list at a path in the text of objects."""

    def __init__(self, unwinding: Unwinding) -> None:
        self._unwinding = unwinding
        self._levels = [(key, json_proofs.Objects()) for key in unwinding.path]

    def objects(self, block: Block) -> _Objects:
        """Return the objects of a block. Raises what the block raises."""
        with garbage.gc_disabled():
            return _Objects(block, self._unwinding, self._cut(block))

    def _cut(self, block: Block) -> Cut | None:
        """Return None where the text does not say all."""
        lines = block.on_lines()
        # A lone surrogate is replaced with a warning, once for each that the file has.
        if lines is None or _MARK in lines or _SURROGATE in lines.lower() or lines.count(b",") > _MOST_ITEMS:
            return None
        with suppress(Inexact):
            return self._marked(0, lines)
        return None

    def _marked(self, depth: int, lines: bytes) -> Cut:
        key, objects = self._levels[depth]
        decoded = objects.decode(lines, in_list=False)
        written = json_proofs.encoded(decoded[0], lines, in_list=False) if decoded else None
        if decoded is None or written is None or written.count(b"\n") != len(decoded[0]):
            raise Inexact
        items = decoded[0]
        texts, replace = _values(items, key)
        found: list[Sequence[Any] | None] = [None] * len(items)
        last = depth == len(self._levels) - 1
        if last and any(texts):
            self._unwinding.found = True
        places = [at for at, each in enumerate(texts) if each[:1] == (b"[" if last else b"{")]
        if places:
            inner = [texts[at] for at in places]
            marked: Sequence[bytes] = [_MARK] * len(places)
            lists: Sequence[Sequence[Any] | None] = []
            if last:
                lists = _decoded(inner)
            else:
                marked, lists = self._marked(depth + 1, b"\n".join(inner))
            for at, text, each in zip(places, marked, lists, strict=True):
                if each is not None:
                    found[at] = each
                    replace(items[at], msgspec.Raw(text))
        whole = written.split(b"\n")[:-1]
        if depth == 0 and any(is_deep_text(each) for each in whole if len(each) > MAX_DEPTH):
            raise Inexact
        return json_proofs.encode_lines(items).split(b"\n")[:-1] if places else whole, found


def _values(items: list[Any], key: str) -> tuple[list[bytes], Callable[[Any, msgspec.Raw], None]]:
    """Return the text of the values of a key, empty where it is missing, and a function that replaces one."""
    if not items or isinstance(items[0], dict):
        return [bytes(each.get(key, b"")) for each in items], lambda each, value: each.__setitem__(key, value)
    keys = items[0].__struct_encode_fields__
    if key not in keys:
        return [b""] * len(items), lambda each, value: None
    field = items[0].__struct_fields__[keys.index(key)]
    set_field = msgspec.structs.force_setattr
    return [bytes(getattr(each, field)) for each in items], lambda each, value: set_field(each, field, value)


def _decoded(texts: list[bytes]) -> list[list[msgspec.Raw]]:
    try:
        return _lists.decode(b"[%b]" % b",".join(texts))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Inexact from None
