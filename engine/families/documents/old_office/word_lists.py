"""The lists of Word 97 to 2003 ([MS-DOC], 2.9.131 to 2.9.150) as numbering of WordprocessingML."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

from engine.families.documents.old_office import word_formatting
from engine.families.documents.old_office.sprms import read
from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element

_LIST, _LEVEL, _OVERRIDE = 28, 28, 16
_LEVELS = 9
_FORMATS = {
    0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 5: "ordinal", 22: "decimalZero",
    23: "bullet", 255: "none",
}  # fmt: skip
_HAS_START, _HAS_LEVEL = 0x10, 0x20
_MOST = 5_000


@dataclass(frozen=True)
class _Level:
    start: int
    format: int
    label: str
    block: bytes
    text: bytes


def written(table: bytes, overrides: bytes, fonts: list[str]) -> Element | None:
    """The part with lists; `table` begins with the lists and has their levels behind them. None without lists."""
    found = _lists(table)
    made = element("numbering")
    numbers: dict[int, int] = {}
    for identity, levels in found.items():
        numbers[identity] = len(numbers)
        kind = add(made, "abstractNum", abstractNumId=numbers[identity])
        for depth, level in enumerate(levels):
            kind.append(_written(depth, level, fonts))
    for number, (identity, changed) in enumerate(_overrides(overrides), start=1):
        if identity not in numbers:
            continue
        own = add(made, "num", numId=number)
        add(own, "abstractNumId", val=numbers[identity])
        for depth, start, other in changed:
            override = add(own, "lvlOverride", ilvl=depth)
            if other is not None:
                override.append(_written(depth, other, fonts))
            elif start is not None:
                add(override, "startOverride", val=start)
    return made if numbers else None


def _lists(table: bytes) -> dict[int, list[_Level]]:
    count = min(int.from_bytes(table[:2], "little"), _MOST)
    heads = []
    for each in range(count):
        head = table[2 + _LIST * each : 2 + _LIST * (each + 1)]
        if len(head) < _LIST:
            break
        heads.append((int.from_bytes(head[:4], "little"), 1 if head[26] & 1 else _LEVELS))
    at = 2 + _LIST * len(heads)
    found: dict[int, list[_Level]] = {}
    for identity, depth in heads:
        levels = []
        for _ in range(depth):
            level, at = _level(table, at)
            if level is None:
                return found
            levels.append(level)
        found[identity] = levels
    return found


def _level(table: bytes, at: int) -> tuple[_Level | None, int]:
    if at + _LEVEL + 2 > len(table):
        return None, at
    start, format = struct.unpack_from("<iB", table, at)
    text_size, block_size = table[at + 24], table[at + 25]
    at += _LEVEL
    block, at = table[at : at + block_size], at + block_size
    text, at = table[at : at + text_size], at + text_size
    length = int.from_bytes(table[at : at + 2], "little")
    letters = table[at + 2 : at + 2 + 2 * length].decode("utf-16-le", "replace")
    label = "".join(f"%{ord(each) + 1}" if ord(each) < _LEVELS else each for each in letters)
    label = "".join(each if each.isprintable() or "\ue000" <= each <= "\uf8ff" else " " for each in label)
    return _Level(max(0, min(start, 32_767)), format, label, block, text), at + 2 + 2 * length


def _written(depth: int, level: _Level, fonts: list[str]) -> Element:
    made = element("lvl", ilvl=depth)
    add(made, "start", val=level.start)
    add(made, "numFmt", val=_FORMATS.get(level.format, "decimal"))
    add(made, "lvlText", val=level.label)
    add(made, "lvlJc", val="left")
    add(made, "pPr").extend(word_formatting.paragraph(dict(read(level.block))))
    run = word_formatting.run(dict(read(level.text)), fonts, {}, {})
    if run is not None:
        made.append(run)
    return made


def _overrides(data: bytes) -> list[tuple[int, list[tuple[int, int | None, _Level | None]]]]:
    count = min(int.from_bytes(data[:4], "little"), _MOST)
    found: list[tuple[int, list[tuple[int, int | None, _Level | None]]]] = []
    at = 4 + _OVERRIDE * count
    for each in range(count):
        head = data[4 + _OVERRIDE * each : 4 + _OVERRIDE * (each + 1)]
        if len(head) < _OVERRIDE:
            break
        changed: list[tuple[int, int | None, _Level | None]] = []
        at += 4
        for _ in range(head[12]):
            if at + 8 > len(data):
                break
            start, flags = struct.unpack_from("<iI", data, at)
            at += 8
            level = None
            if flags & _HAS_LEVEL:
                level, at = _level(data, at)
            if level is not None and flags & _HAS_START:
                level = replace(level, start=max(0, min(level.start, 32_767)))
            changed.append((min(flags & 0xF, 8), max(0, min(start, 32_767)) if flags & _HAS_START else None, level))
        found.append((int.from_bytes(head[:4], "little"), changed))
    return found
