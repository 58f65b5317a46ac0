"""The numbers of cells as they are stored, before a format makes them dates."""

from __future__ import annotations

import math
import re
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

from engine.families.data.cell_references import Place
from engine.families.data.workbooks import biff, xlsb_parts, xlsx_parts
from engine.families.data.workbooks.facts import WorkbookFacts

Stored = tuple[Place, int, float]
"""The place of a cell, its style and its number."""

_NUMBER = (
    r"""s=(?<=\ss=)["'](%s)["'](?:[^<>\s]++|\s(?!s=))*+>(?:\s*<f\b[^<>]*(?:/>|>[^<]*</f>))?\s*<v>\s*"""
    r"""((?=-|\.|0[.<\s]|60[.<\s]|\d{7}|\d[\d.]*[eE])[^<]{1,40})<"""
)
"""A number that may be no day. An attribute is faster to search for than a cell."""
_DOUBLE = struct.Struct("<d")
_XLSB_SHORT, _XLSB_LONG, _XLSB_FORMULA = 2, 5, 9
_XLS_LONG, _XLS_SHORT, _XLS_SHORTS, _XLS_FORMULA, _XLS_END = 0x203, 0x27E, 0xBD, 0x06, 0x0A


def odd(file: Path, facts: WorkbookFacts, sheet: str, styles: frozenset[int]) -> Iterator[Stored]:
    """Yield the cells of a sheet with one of these styles whose numbers may be no day: negative, 0, 60, very large."""
    part = facts.part_name(sheet)
    if not part or file.suffix == ".ods":
        return
    if file.suffix == ".xls":
        cells = _old(biff.records(file), facts.part(sheet).place)
    else:
        with zipfile.ZipFile(file) as archive:
            entry = next((each for each in archive.namelist() if each.replace("\\", "/").lower() == part), "")
            data = archive.read(entry) if entry else b""
        if file.suffix != ".xlsb":
            yield from _xml(data, styles)
            return
        cells = _binary(data)
    yield from (each for each in cells if each[1] in styles and (each[2] < 1 or 60 <= each[2] < 61 or each[2] > 1e6))


def _xml(data: bytes, styles: frozenset[int]) -> Iterator[Stored]:
    data = xlsx_parts.plain_sheet(data)
    for match in re.finditer((_NUMBER % "|".join(map(str, sorted(styles)))).encode(), data):
        try:
            number = float(match[2])
        except ValueError:
            continue
        place = xlsx_parts.place_of_number(data, match.start())
        if place and math.isfinite(number):
            yield place, int(match[1]), number


def _binary(data: bytes) -> Iterator[Stored]:
    """The numbers of a sheet of a binary workbook (MS-XLSB, 2.4.9, 2.4.10 and 2.4.312)."""
    row = 0
    for kind, content in xlsb_parts.records(data):
        if kind == 0:
            row = int.from_bytes(content[:4], "little")
        elif kind in (_XLSB_SHORT, _XLSB_LONG, _XLSB_FORMULA):
            column, style = struct.unpack_from("<II", content)
            number = short(content[8:12]) if kind == _XLSB_SHORT else _DOUBLE.unpack_from(content, 8)[0]
            yield (row, column), style & 0xFFFFFF, number


def _old(stream: bytes, position: int) -> Iterator[Stored]:
    """The numbers of a sheet of an Excel 97-2003 file (MS-XLS, 2.4.180, 2.4.220, 2.4.175 and 2.4.127)."""
    while position + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, position)
        content = stream[position + 4 : position + 4 + length]
        position += 4 + length
        if kind == _XLS_END:
            return
        if kind in (_XLS_LONG, _XLS_SHORT, _XLS_FORMULA) and len(content) >= 10:
            row, column, style = struct.unpack_from("<3H", content)
            if kind == _XLS_SHORT:
                yield (row, column), style, short(content[6:10])
            elif len(content) >= 14 and not (kind == _XLS_FORMULA and content[12:14] == b"\xff\xff"):
                yield (row, column), style, _DOUBLE.unpack_from(content, 6)[0]
        elif kind == _XLS_SHORTS:
            row, first = struct.unpack_from("<HH", content)
            for at in range(4, len(content) - 7, 6):
                (style,) = struct.unpack_from("<H", content, at)
                yield (row, first + (at - 4) // 6), style, short(content[at + 2 : at + 6])


def short(content: bytes) -> float:
    """A number of 30 bits (MS-XLS, 2.5.217): an integer, or the upper bits of a float, perhaps times 100."""
    (bits,) = struct.unpack("<i", content)
    value = float(bits >> 2) if bits & 2 else _DOUBLE.unpack(b"\0\0\0\0" + struct.pack("<i", bits & ~3))[0]
    return value / 100 if bits & 1 else value
