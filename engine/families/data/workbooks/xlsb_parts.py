"""Facts about sheets in the records of Excel binary workbooks (MS-XLSB), and their cell counts."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import suppress

from engine.families.data import cell_references as places
from engine.families.data.features import Feature
from engine.families.data.workbooks import phonetic, xlsx_parts
from engine.families.data.workbooks.facts import SheetFacts, Styles, WorkbookFacts
from engine.families.data.workbooks.format_codes import BUILT_IN
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say

_ROW, _BLANK, _BOUNDS, _COLUMN, _SHEET, _MERGED, _LINK = 0, 1, 148, 60, 156, 176, 494
_COMMENT, _COMMENT_TEXT, _SHARED, _RICH_CELL, _PROPERTIES = 635, 637, 19, 62, 153
_CELLS = frozenset({*range(2, 12), 62})
_FORMULAS = frozenset(range(8, 12))
_ERROR, _FORMULA_ERROR = 3, 11
_FORMAT, _FILL, _STYLE, _STYLES_BEGIN, _STYLES_END = 44, 45, 47, 617, 618
_NO_FILL = (0x00, 0x11)
"""No pattern, and the second fill that every workbook declares without using it."""


def inspector(facts: WorkbookFacts) -> Callable[[str, bytes], None]:
    """A function that inspects each part of the file; raises Unreadable for invalid records."""
    other = xlsx_parts.inspector(facts)

    def inspect(name: str, data: bytes) -> None:
        name = name.lower()
        if not name.endswith(".bin") or name.endswith("vbaproject.bin"):
            return other(name, data)
        try:
            _inspect(name, data, facts)
        except (struct.error, IndexError, ValueError) as error:
            raise Unreadable(
                "The workbook is damaged and can't be opened. Save it again and retry.", reason="damaged"
            ) from error

    return inspect


def _inspect(name: str, data: bytes, facts: WorkbookFacts) -> None:
    if name == "xl/workbook.bin":
        for kind, content in records(data):
            if kind == _PROPERTIES:
                facts.from_1904 = bool(content[0] & 1)
            elif kind == _SHEET:
                # Drafts of the format differ; a sheet without a part counts as the largest.
                with suppress(ValueError):
                    relation, end = _text(content, 8)
                    facts.names[_text(content, end)[0]] = relation
    elif name == "xl/styles.bin":
        facts.styles = _styles(data)
    elif name.startswith("xl/worksheets/"):
        facts.parts[name] = _sheet(data)
        facts.readings += sum(kind == _RICH_CELL and phonetic.of_rich_text(text, 8) for kind, text in records(data))
    elif name == "xl/sharedstrings.bin":
        facts.readings += sum(kind == _SHARED and phonetic.of_rich_text(text) for kind, text in records(data))
    elif name.startswith("xl/comments"):
        facts.parts[name] = part = SheetFacts()
        row = column = 0
        for kind, content in records(data):
            if kind == _COMMENT:
                row, _, column = struct.unpack_from("<III", content, 4)
                part.see(Feature.NOTE, places.cell(row, column))
            elif kind == _COMMENT_TEXT:
                part.notes[row, column] = _text(content, 1)[0]


def records(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The type and content of each record (2.1.4), with little-endian numbers of 7 bits a byte."""
    position, end = 0, len(data)
    while position < end:
        kind = data[position]
        position += 1
        if kind & 0x80:
            kind = (kind & 0x7F) | (data[position] & 0x7F) << 7
            position += 1
        length = 0
        for at in range(4):
            byte = data[position]
            position += 1
            length |= (byte & 0x7F) << 7 * at
            if byte < 0x80:
                break
        if position + length > end:
            raise ValueError("a record is longer than the part")
        yield kind, data[position : position + length]
        position += length


def without_sheets(data: bytes, relations: list[str]) -> bytes:
    """The workbook part without the sheets of these relationships."""
    return b"".join(
        _record(kind, content)
        for kind, content in records(data)
        if kind != _SHEET or _text(content, 8)[0] not in relations
    )


def without_failed_formulas(data: bytes) -> bytes:
    """A sheet part with failed formulas replaced by plain error cells."""
    return b"".join(
        _record(_ERROR, content[:9]) if kind == _FORMULA_ERROR else _record(kind, content)
        for kind, content in records(data)
    )


def _record(kind: int, content: bytes) -> bytes:
    number = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    length, rest = b"", len(content)
    while rest >= 0x80:
        length, rest = length + bytes([rest & 0x7F | 0x80]), rest >> 7
    return number + length + bytes([rest]) + content


def _text(content: bytes, at: int) -> tuple[str, int]:
    (count,) = struct.unpack_from("<I", content, at)
    if count == 0xFFFFFFFF:
        return "", at + 4
    end = at + 4 + 2 * count
    if end > len(content):
        raise ValueError("a text is longer than its record")
    return content[at + 4 : end].decode("utf-16-le", "replace"), end


def text_at(content: bytes, at: int) -> str:
    """The text that begins at this byte of a record."""
    return _text(content, at)[0]


def _sheet(data: bytes) -> SheetFacts:
    part = SheetFacts()
    row = rows = columns = 0
    for kind, content in records(data):
        if kind in _CELLS:
            column = int.from_bytes(content[:4], "little")
            rows, columns = max(rows, row + 1), max(columns, column + 1)
            if kind in _FORMULAS:
                part.see(Feature.FORMULA, places.cell(row, column))
            if kind in (_ERROR, _FORMULA_ERROR):
                part.errors.add(places.cell(row, column))
        elif kind == _ROW:
            row = int.from_bytes(content[:4], "little")
            if len(content) > 11 and content[11] & 0x10:
                part.see(Feature.HIDDEN_ROW, say("row {row}", row=row + 1))
                part.hidden_rows.add(row)
        elif kind == _COLUMN:
            first, last, width = struct.unpack_from("<III", content)
            span = range(first, min(last + 1, places.COLUMNS))
            if content[16] & 1:
                part.hide_columns(span)
            elif content[16] & 2:  # a width that the user set, not the sheet's default
                part.widen(span, width / 256)
        elif kind == _MERGED:
            top, bottom, left, right = struct.unpack_from("<4I", content)
            part.merged.append(places.Area(top, left, bottom, right))
            part.see(Feature.MERGED, f"{places.cell(top, left)}:{places.cell(bottom, right)}")
        elif kind == _LINK:
            top, _, left = struct.unpack_from("<3I", content)
            part.see(Feature.LINK, places.cell(top, left))
            relation, end = _text(content, 16)
            part.links[top, left] = relation or f"#{_text(content, end)[0]}"
    part.cells = rows * columns
    return part


def _styles(data: bytes) -> Styles:
    codes = dict(BUILT_IN)
    formats: list[str] = []
    fills: list[bool] = []
    filled: set[int] = set()
    cells = False
    for kind, content in records(data):
        if kind == _FORMAT:
            codes[str(int.from_bytes(content[:2], "little"))] = _text(content, 2)[0]
        elif kind == _FILL:
            fills.append(content[0] not in _NO_FILL)
        elif kind in (_STYLES_BEGIN, _STYLES_END):
            cells = kind == _STYLES_BEGIN
        elif kind == _STYLE and cells:
            fill = int.from_bytes(content[6:8], "little")
            if fill < len(fills) and fills[fill]:
                filled.add(len(formats))
            formats.append(codes.get(str(int.from_bytes(content[2:4], "little")), "General"))
    return Styles(tuple(formats), frozenset(filled))
