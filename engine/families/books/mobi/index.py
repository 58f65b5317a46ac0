"""Indexes of a Mobipocket book (INDX and TAGX records): names with numbers by tag."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from engine.families.books.mobi.records import Database, damaged

MAX_ENTRIES = 200_000
"""That many short ones are read in 1.5 s."""


@dataclass(frozen=True)
class Tag:
    """How an entry's control bytes encode one kind of number."""

    number: int
    values: int
    mask: int
    ends: bool


def entries(book: Database, at: int) -> list[tuple[bytes, dict[int, list[int]]]]:
    """All entries of the index whose first record has this number. Raises Unreadable for a damaged one."""
    try:
        head = book.record(at)
        if head[:4] != b"INDX":
            raise damaged()
        size, count = struct.unpack_from(">I16xI", head, 4)
        tags, controls = _tags(head[size:])
        found: list[tuple[bytes, dict[int, list[int]]]] = []
        for number in range(at + 1, at + 1 + count):
            record = book.record(number)
            if record[:4] != b"INDX":
                raise damaged()
            table, many = struct.unpack_from(">II", record, 20)
            if len(found) + many > MAX_ENTRIES or table + 4 + 2 * many > len(record):
                raise damaged()
            places = [*struct.unpack_from(f">{many}H", record, table + 4), table]
            if places != sorted(places):
                raise damaged()
            for start, end in pairwise(places):
                length = record[start]
                name = record[start + 1 : start + 1 + length]
                found.append((name, _numbers(record[start + 1 + length : end], tags, controls)))
    except (struct.error, IndexError) as error:
        raise damaged() from error
    return found


def _tags(data: bytes) -> tuple[list[Tag], int]:
    if data[:4] != b"TAGX":
        raise damaged()
    end, controls = struct.unpack_from(">II", data, 4)
    if controls > 8 or end > 400:
        raise damaged()
    return [
        Tag(data[at], data[at + 1], data[at + 2], data[at + 3] == 1) for at in range(12, min(end, len(data) - 3), 4)
    ], controls


def _numbers(data: bytes, tags: list[Tag], controls: int) -> dict[int, list[int]]:
    control_bytes = data[:controls]
    values = _variable(data[controls:])
    asked: list[tuple[Tag, int | None, int]] = []
    control = 0
    for tag in tags:
        if tag.ends:
            control += 1
            continue
        value = control_bytes[control] & tag.mask
        if not value:
            continue
        if value == tag.mask and tag.mask.bit_count() > 1:
            asked.append((tag, None, next(values, (0, 0))[0]))
        else:
            shift = (tag.mask & -tag.mask).bit_length() - 1
            asked.append((tag, value >> shift, 0))
    found: dict[int, list[int]] = {}
    for tag, count, size in asked:
        listed: list[int] = []
        if count is not None:
            listed = [value for value, _ in islice(values, count * tag.values)]
        else:
            taken = 0
            while taken < size:
                value, width = next(values, (0, 0))
                if not width:
                    break
                taken += width
                listed.append(value)
        found[tag.number] = listed
    return found


def _variable(data: bytes) -> Iterator[tuple[int, int]]:
    """Variable-width integers with seven bits per byte, the last with its highest bit set; each with its length."""
    value = width = 0
    for byte in data:
        value, width = value << 7 | byte & 0x7F, width + 1
        if byte & 0x80 or width == 4:
            yield value, width
            value = width = 0
