"""Check the structure of Excel 97-2003 files and count their cells before a library allocates them.

The file is a compound file (MS-CFB) with a stream of records (MS-XLS) in it. The library that reads it trusts lengths,
chains and positions, so that a few changed bytes make it ask for more memory than there is.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from engine.families.data import cell_references as places
from engine.families.data.features import Feature
from engine.families.data.workbooks import biff_features, phonetic
from engine.families.data.workbooks.facts import CodePage, SheetFacts, WorkbookFacts
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say

_HEADER = struct.Struct("<8s16xHHHHH6xIIIIIIIII")
_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_EARLY = (b"\x09\x00", b"\x09\x02", b"\x09\x04")
"""The first bytes of Excel 2, 3 and 4 files, which are records without a compound file."""
_LAST = 0xFFFFFFFE
_MAX_SECTOR = 0xFFFFFFFA
_MINI_CUTOFF = 4096
_STREAMS = ("workbook", "book")

PROTECTED = say("The workbook is protected by a password. Enter it in the password option, or remove it and try again.")

_FILE_PASS, _DIMENSIONS, _BOF, _SHEET, _STRINGS, _CONTINUE, _FORMULA = 0x2F, 0x200, 0x809, 0x85, 0xFC, 0x3C, 0x06
_CELLS = frozenset({0x06, 0xBD, 0xBE, 0xD6, 0xFD, 0x201, 0x203, 0x204, 0x205, 0x27E})
_MULTIPLE = (0xBD, 0xBE)
_FORMAT, _STYLE, _CODE_PAGE, _FROM_1904 = 0x41E, 0xE0, 0x42, 0x22
_BIFF8 = 0x600
_LAST_COLUMN = 0xFF


class Locked(Unreadable):
    """The records are encrypted."""


def inspect(source: Path, facts: WorkbookFacts) -> None:
    """Count each sheet's cells and features.

    Raises Unreadable for an invalid structure, and Locked for an encrypted file.
    """
    try:
        data = source.read_bytes()
        if data.startswith(_EARLY):
            raise Unreadable(
                "Workbooks from Excel 2, 3 and 4 are not supported. Save it as .xlsx in a newer program.",
                reason="unsupported_feature",
            )
        facts.macros = "_VBA_PROJECT".encode("utf-16-le") in data
        _Records(_workbook(data)).inspect(facts)
    except (struct.error, IndexError, ValueError) as error:
        raise Unreadable(
            "The workbook is damaged and can't be opened. Save it again and retry.", reason="damaged"
        ) from error


def records(source: Path) -> bytes:
    """The stream of records of an inspected file."""
    return _workbook(source.read_bytes())


def _damaged() -> NoReturn:
    raise ValueError("the structure does not hold")


def _workbook(data: bytes) -> bytes:
    """The stream of records (MS-CFB, 2.2 to 2.6)."""
    mark, _, major, order, shift, mini_shift, _, tables, directory, _, cutoff, mini, minis, more, mores = (
        _HEADER.unpack_from(data)
    )
    if mark != _MARK or (major, shift) not in ((3, 9), (4, 12)) or order != 0xFFFE or mini_shift != 6:
        _damaged()
    if cutoff != _MINI_CUTOFF:
        _damaged()
    size = 1 << shift
    count = -(-len(data) // size) - 1
    if max(tables, minis, mores) > count:
        _damaged()

    def sector(number: int) -> bytes:
        if number >= count:
            _damaged()
        return data[(number + 1) * size : (number + 2) * size].ljust(size, b"\0")

    places = list(struct.unpack_from("<109I", data, 76))
    for _ in range(mores):
        numbers = array("I", sector(more))
        places += numbers[:-1]
        more = numbers[-1]
    table = array("I")
    for place in places[:tables]:
        if place < _MAX_SECTOR:
            table.frombytes(sector(place))

    def chain(start: int) -> Iterator[int]:
        for _ in range(count + 1):
            if start == _LAST:
                return
            yield start
            start = table[start]
        _damaged()

    def stream(start: int) -> bytes:
        return b"".join([sector(number) for number in chain(start)])

    mini_table = array("I", stream(mini)) if minis else array("I")
    entries = stream(directory)
    root = entries[:128]
    found = None
    for at in range(0, len(entries), 128):
        length, kind = struct.unpack_from("<HB", entries, at + 64)
        name = entries[at : at + max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
        start, bytes_in_it = struct.unpack_from("<II", entries, at + 116)
        if kind in (2, 5) and bytes_in_it > len(data):
            _damaged()
        if kind == 2:
            content = _mini_stream(start, mini_table, stream, root) if bytes_in_it < cutoff else stream(start)
            if len(content) < bytes_in_it:
                _damaged()
            if name.lower() in _STREAMS and found is None:
                found = content[:bytes_in_it]
    if found is None:
        _damaged()
    return found


def _mini_stream(start: int, table: array[int], stream: object, root: bytes) -> bytes:
    if start == _LAST:
        return b""
    container = stream(struct.unpack_from("<I", root, 116)[0])  # type: ignore[operator]
    pieces: list[bytes] = []
    for _ in range(len(table) + 1):
        if start == _LAST:
            return b"".join(pieces)
        pieces.append(container[start * 64 : start * 64 + 64])
        start = table[start]
    _damaged()


class _Records:
    """The records of a workbook (MS-XLS, 2.1.4): type, length and content."""

    def __init__(self, stream: bytes) -> None:
        self.stream = stream

    def inspect(self, facts: WorkbookFacts) -> None:
        stream = self.stream
        position, end = 0, len(stream)
        sheets: list[tuple[int, str]] = []
        parts: dict[int, SheetFacts] = {}
        part = SheetFacts()
        rows = columns = 0
        strings, version = 0, 0
        blocks: list[bytes] = []
        styles = biff_features.StylesSeen()
        previous = 0
        unpack, unpack_one = struct.Struct("<HH").unpack_from, struct.Struct("<H").unpack_from
        while position + 4 <= end:
            kind, length = unpack(stream, position)
            start = position
            position += 4
            if position + length > end:
                _damaged()
            if kind in _CELLS:
                if length < 6:
                    _damaged()
                row, column = unpack(stream, position)
                if kind in _MULTIPLE:
                    (column,) = struct.unpack_from("<H", stream, position + length - 2)
                rows, columns = max(rows, row + 1), max(columns, column + 1)
                part.cells = max(part.cells, rows * columns)
                part.see(Feature.FORMULA, count=kind == _FORMULA)
                if kind in biff_features.RESULTS and biff_features.shows_error(
                    kind, stream[position : position + length]
                ):
                    part.errors.add(places.cell(row, column))
            elif kind == _BOF:
                version = version or unpack(stream, position)[0]
                part = parts[start] = SheetFacts()
                rows = columns = 0
            elif kind == _DIMENSIONS:
                layout = "<IIHH" if length >= 14 else "<HHHH"
                top, bottom, left, right = struct.unpack_from(layout, stream, position)
                # The library allocates what the sheet declares: it takes a first column that does not exist (MS-XLS,
                # ColU), or that follows the last one, for column 0.
                first = left if left <= _LAST_COLUMN and left <= right else 0
                part.cells = max(part.cells, (bottom - top) % 2**32 * (right - first))
            elif kind == _FILE_PASS:
                raise Locked(PROTECTED)
            elif kind == _SHEET:
                (place,) = struct.unpack_from("<I", stream, position)
                sheets.append((place, sheet_name(stream[position + 6 : position + length], version)))
                if place >= end:
                    _damaged()
            elif kind == _STRINGS:
                (strings,) = struct.unpack_from("<I", stream, position + 4)
                blocks = [stream[position : position + length]]
            elif kind == _CONTINUE and previous == _STRINGS:
                blocks.append(stream[position : position + length])
                kind = _STRINGS
            elif kind in biff_features.KINDS:
                biff_features.see(kind, stream[position : position + length], part)
            elif kind in (_FORMAT, _STYLE):
                styles.see(kind, stream[position : position + length], version)
            elif kind == _FROM_1904 and length == 2:
                facts.from_1904 = unpack_one(stream, position)[0] == 1
            elif kind == _CODE_PAGE and length == 2 and facts.code_page is None:
                facts.code_page = CodePage(unpack_one(stream, position)[0], position, in_unicode=version == _BIFF8)
            previous = kind
            position += length
        if strings * 3 > sum(map(len, blocks)):
            _damaged()
        facts.readings = phonetic.in_strings(blocks) if blocks else 0
        for at, (place, name) in enumerate(sheets):
            if place not in parts:  # the library would start inside a record, at bytes not checked here
                _damaged()
            facts.names[name] = facts.targets[str(at)] = str(at)
            facts.parts[str(at)] = part = parts[place]
            part.place = place
        facts.styles = styles.all()


def sheet_name(content: bytes, version: int = _BIFF8) -> str:
    """The name of a sheet in the record that declares it."""
    if version != _BIFF8:
        # The code page does not matter: sheets are requested by the names the library reports.
        return content[1 : 1 + content[0]].decode("latin-1")
    count, wide = content[0], content[1] & 1
    return content[2 : 2 + 2 * count].decode("utf-16-le") if wide else content[2 : 2 + count].decode("latin-1")
