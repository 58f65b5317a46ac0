"""The property modifiers of Word 97 to 2003 ([MS-DOC], 2.2.5): pairs of a number and an operand."""

from __future__ import annotations

from collections.abc import Iterator

_SIZES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}
"""The bytes of an operand by the last three bits of the number; 6 begins with its length."""
TABLE_DEFINITION, _TABS = 0xD608, 0xC615

Modifiers = dict[int, bytes]


def read(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The modifiers in order, up to one that is cut off."""
    at, end = 0, len(data)
    while at + 2 < end:
        number = int.from_bytes(data[at : at + 2], "little")
        at += 2
        size = _SIZES.get(number >> 13)
        if size is None:
            size = data[at]
            if number == TABLE_DEFINITION:
                size = max(int.from_bytes(data[at : at + 2], "little") - 1, 0)
                at += 1
            elif number == _TABS and size == 255:
                at += 1
                if at >= end:
                    return
                removed = data[at] * 4
                added = at + 1 + removed
                size = 1 + removed + 1 + (data[added] * 3 if added < end else 0)
                at -= 1
            at += 1
        if at + size > end:
            return
        yield number, data[at : at + size]
        at += size


def unsigned(found: Modifiers, number: int, usual: int = 0) -> int:
    """The operand of a modifier as a number from 0."""
    return int.from_bytes(found[number], "little") if number in found else usual


def signed(found: Modifiers, number: int, usual: int = 0) -> int:
    """The operand of a modifier as a number that may be below 0."""
    return int.from_bytes(found[number], "little", signed=True) if number in found else usual
