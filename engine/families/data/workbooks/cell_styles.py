"""The style and error of each cell, read only where they matter."""

from __future__ import annotations

import html
import re
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from engine.families.data import cell_references as places
from engine.families.data.workbooks import biff, xlsb_parts
from engine.families.data.workbooks.facts import WorkbookFacts

ERRORS = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}  # fmt: skip
"""Error values by number (MS-XLS, 2.5.10)."""

# The most common beginning of a cell, and its variants.
_USUAL = r'<c r="([A-Z]{1,3})(\d{1,7})" s="(%s)"(?: t="(\w+)")?(/?)>'
_ANY = re.compile(rb"<(?:\w+:)?(row|c)(?=[\s/>])([^<>]*?)(/?)>")
_ATTRIBUTE = re.compile(rb"""\b([rst])\s*=\s*["']([^"']*)["']""")
_PLACE = re.compile(rb"([A-Za-z]{1,3})(\d{1,7})")
_ERROR = re.compile(rb"[^/]*?<(?:\w+:)?v>([^<]*)<")
_EMPTY = re.compile(rb"\s*</(?:\w+:)?c>")


class StyledCell(NamedTuple):
    """A cell by row and column from 0; `number` is whether number formats apply to its value."""

    row: int
    column: int
    style: int
    number: bool
    error: str | None


def styled(file: Path, facts: WorkbookFacts, sheet: str, wanted: frozenset[int] | None) -> Iterator[StyledCell]:
    """The cells of a sheet with one of the `wanted` styles, or all with a style or an error."""
    part = facts.part_name(sheet)
    if not part:
        return
    if file.suffix == ".xls":
        cells = _old(file, facts.part(sheet).place)
    else:
        with zipfile.ZipFile(file) as archive:
            entry = next((each for each in archive.namelist() if each.replace("\\", "/").lower() == part), "")
            data = archive.read(entry) if entry else b""
        cells = _binary(data) if file.suffix == ".xlsb" else _xml(data, wanted)
    for each in cells:
        if wanted is None or each.style in wanted:
            yield each


def _xml(data: bytes, wanted: frozenset[int] | None) -> Iterator[StyledCell]:
    if wanted is not None:
        usual = re.compile((_USUAL % "|".join(map(str, sorted(wanted)))).encode())
        found = list(usual.finditer(data))
        if len(found) == sum(data.count(b' s="%d"' % style) for style in wanted):
            columns: dict[bytes, int] = {}
            for match in found:
                name = match[1]
                column = columns.setdefault(name, -1)
                if column < 0:
                    column = columns[name] = places.column(name.decode())
                number = match[4] in (None, b"n") and not match[5] and not _EMPTY.match(data, match.end())
                yield StyledCell(int(match[2]) - 1, column, int(match[3]), number, None)
            return
    row = column = -1
    for match in _ANY.finditer(data):
        attributes = dict(_ATTRIBUTE.findall(match[2]))
        number = attributes.get(b"r", b"")
        if match[1] == b"row":
            row, column = int(number) - 1 if number.isdigit() else row + 1, -1
            continue
        # Rows and cells without a reference follow the previous one (ECMA-376, part 1, 18.3.1.4 and .73).
        column += 1
        if place := _PLACE.fullmatch(number):
            row, column = int(place[2]) - 1, places.column(place[1].decode())
        kind = attributes.get(b"t", b"n")
        value = _ERROR.match(data, match.end()) if kind == b"e" else None
        yield StyledCell(
            row,
            column,
            _number(attributes.get(b"s", b"0")),
            kind in (b"n", b"d") and not match[3] and not _EMPTY.match(data, match.end()),
            html.unescape(value[1].decode("utf-8", "replace")) if value else None,
        )


def _number(text: bytes) -> int:
    """The number of a style as written; 0 if it is none."""
    return int(text) if text.isdigit() and len(text) < 10 else 0


def _binary(data: bytes) -> Iterator[StyledCell]:
    row = 0
    for kind, content in xlsb_parts.records(data):
        if kind == 0:
            row = int.from_bytes(content[:4], "little")
        elif 1 <= kind <= 11 and len(content) >= 8:
            column, style = struct.unpack_from("<II", content)
            error = ERRORS.get(content[8]) if kind in (3, 11) and len(content) > 8 else None
            yield StyledCell(row, column, style & 0xFFFFFF, kind in (2, 5, 9), error)


_SINGLE = {0x203: True, 0x27E: True, 0x204: False, 0xD6: False, 0xFD: False, 0x201: False}
"""Cell records, and whether each is a number."""


def _placed(stream: bytes, at: int, *, number: bool, error: str | None = None) -> StyledCell:
    row, column, style = struct.unpack_from("<3H", stream, at)
    return StyledCell(row, column, style, number, error)


def _old(file: Path, start: int) -> Iterator[StyledCell]:
    stream = biff.records(file)
    position, end = start, len(stream)
    while position + 4 <= end:
        kind, length = struct.unpack_from("<HH", stream, position)
        position += 4
        if kind in _SINGLE:
            yield _placed(stream, position, number=_SINGLE[kind])
        elif kind == 0x06:  # a formula, whose result is a number unless its last bytes say otherwise
            result = stream[position + 6 : position + 14]
            marked = result[6:8] == b"\xff\xff"
            error = ERRORS.get(result[2]) if marked and result[0] == 2 else None
            yield _placed(stream, position, number=not marked, error=error)
        elif kind == 0x205:  # a boolean or an error
            error = ERRORS.get(stream[position + 6]) if stream[position + 7] else None
            yield _placed(stream, position, number=False, error=error)
        elif kind in (0xBD, 0xBE):  # several numbers, or empty cells
            row, column = struct.unpack_from("<HH", stream, position)
            step = 6 if kind == 0xBD else 2
            for at in range(position + 4, position + length - 2, step):
                (style,) = struct.unpack_from("<H", stream, at)
                yield StyledCell(row, column, style, kind == 0xBD, None)
                column += 1
        elif kind == 0x0A:
            return
        position += length
