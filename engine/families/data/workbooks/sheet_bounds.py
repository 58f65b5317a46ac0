"""Count the cells that sheets span from their XML, before a library allocates them."""

from __future__ import annotations

import re
from itertools import zip_longest

from engine.families.data import cell_references as places

MAX_SHEET_CELLS = 20_000_000
"""A sheet is held as a full rectangle at about 32 bytes a cell, filled or not.

19 million empty ones take 5 s, and 13 s as ods.
"""

MAX_SHEET_CHARACTERS = 100_000_000
"""Characters of an ods sheet; repetitions of cells and of spaces in them are expanded in memory."""

# Searching for a pattern that begins with a letter is twice as fast as for one that begins with white space.
_PLACE = rb"""r(?<=\sr)\s*=\s*["']"""
_COLUMN = re.compile(_PLACE + rb"([A-Za-z]{1,7})\d")
_ROW = re.compile(_PLACE + rb"[A-Za-z]*(\d{1,9})")
_UNPLACED = rb"(?!\s+r\s*=)[\s/>]"
# Attributes are spelled out, so that no attribute value can look like the end of a tag.
_ATTRIBUTES = rb"""(?:\s+[\w:]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*"""
_EMPTY_CELL = re.compile(rb"<c" + _ATTRIBUTES + rb"(?:/>|>\s*</c>)")
_EMPTY_ROW = re.compile(rb"<row" + _ATTRIBUTES + rb"(?:/>|>\s*</row>)")
_ANY_UNPLACED = re.compile(rb"<(?:c|row)" + _UNPLACED)
# Colons are rare in a sheet, so they are the fastest to search for.
PREFIXED = re.compile(rb":(?:c|row)[\s/>]")
_FAR_ROW = rb"""<row(?! r="\d{1,%d}")[\s/>]"""
_END = 100_000
_TAG = re.compile(rb"<(row|c)((?=[\s/>])[^<>]*>)")
_POSITION = re.compile(rb"""\sr\s*=\s*["']([A-Za-z]*)(\d+)""")

_ODS_ROW = re.compile(rb"<table:table-row([^<>]*?)(?:/>|>(.*?)(?:</table:table-row>|\Z))", re.DOTALL)
_ODS_CELL = re.compile(rb"<table:(?:covered-)?table-cell([^<>]*?)(/?)>")
_ROWS_REPEATED = re.compile(rb"""number-rows-repeated\s*=\s*["'](\d+)""")
_SPACES = re.compile(rb"""<text:s\b[^<>]*?\btext:c\s*=\s*["'](\d{1,18})""")
_ANY_TAG = re.compile(rb"<[^<>]*>")
_COLUMNS_REPEATED = re.compile(rb"""number-columns-repeated\s*=\s*["'](\d+)""")


def xlsx_cells(data: bytes, *, prefixed: bool) -> int:
    """An upper bound on the cells of a sheet: all rows up to the last times all columns up to the last.

    `prefixed` means that elements have a namespace prefix. Cells without a value take no memory.
    """
    if not prefixed and 0 < (bound := _roughly(data)) <= MAX_SHEET_CELLS:
        return bound
    if not prefixed and not _ANY_UNPLACED.search(data):
        data = _EMPTY_ROW.sub(b"", _EMPTY_CELL.sub(b"", data))
    rows = max(map(int, set(_ROW.findall(data))), default=0)
    columns = max(map(_index, set(_COLUMN.findall(data))), default=0)
    # An element without a reference follows the previous one, or begins its row or sheet.
    tag = rb"<(?:\w+:)?" if prefixed else b"<"
    rows += len(re.findall(tag + b"row" + _UNPLACED, data))
    columns += max(len(re.findall(tag + b"c" + _UNPLACED, part)) for part in data.split(b"row"))
    return rows * columns


def _roughly(data: bytes) -> int:
    """A fast bound for `xlsx_cells` without parsing every reference; 0 if none is found.

    It assumes that the last references near both ends of the sheet are the highest, then searches for a counterexample.
    """
    ends = data[:_END] + data[-_END:]
    columns, rows = _COLUMN.findall(ends), _ROW.findall(ends)
    if not columns:
        return 0
    last = max(columns, key=_index).upper()
    highest = str(max(map(int, rows)))
    if len(last) == 1:  # the common case, with the simplest pattern
        near = rb"""<c(?! r="[A-%c]\d{1,%d}")[\s/>]""" % (last[0], len(highest))
        bound = int("9" * len(highest)) * _index(last)
        if bound <= MAX_SHEET_CELLS and not (re.search(near, data) or re.search(_FAR_ROW % len(highest), data)):
            return bound
    # All names of equal length with no later first letter, all numbers of equal length with no higher first digit.
    column = rb"[A-%c][A-Z]{%d}|[A-Z]{0,%d}" % (last[0], len(last) - 1, len(last) - 1)
    row = rb"[0-%c]\d{%d}|\d{0,%d}" % (ord(highest[0]), len(highest) - 1, len(highest) - 1)
    # One by one: a pattern that begins with two fixed letters is faster to search for than one.
    if re.search(rb"""<c(?!\s+r="(?:%s)(?:%s)")[\s/>]""" % (column, row), data):
        return 0
    if re.search(rb"""<row(?!\s+r="(?:%s)")[\s/>]""" % row, data):
        return 0
    return int(highest[0] + "9" * (len(highest) - 1)) * _index(bytes([last[0]]) + b"Z" * (len(last) - 1))


def placed(data: bytes) -> bytes:
    """The rows and cells of a sheet with their references, if the first of them have none."""
    if not _ANY_UNPLACED.search(data, 0, _END):
        return data
    row = column = 0

    def put(match: re.Match[bytes]) -> bytes:
        nonlocal row, column
        position = _POSITION.search(match[2])
        if match[1] == b"row":
            row, column = int(position[2]) if position else row + 1, 0
            return match[0] if position else b'<row r="%d"%b' % (row, match[2])
        column = _index(position[1]) if position else column + 1
        return match[0] if position else b'<c r="%b%d"%b' % (places.column_name(column - 1).encode(), row, match[2])

    return _TAG.sub(put, data)


def _index(name: bytes) -> int:
    index = 0
    for letter in name.upper():
        index = index * 26 + letter - 64
    return index


def ods_cells(table: bytes) -> int:
    """An upper bound on the cells of an ods table; repeated empty cells take no memory."""
    if b"-repeated" not in table:
        return table.count(b"<table:table-cell") + table.count(b"<table:covered-table-cell")
    height, width, rows = 0, 0, 0
    for attributes, body in _ODS_ROW.findall(table):
        repeated = _ROWS_REPEATED.search(attributes)
        rows += int(repeated[1]) if repeated else 1
        position = filled = 0
        for cell, closed in _ODS_CELL.findall(body):
            times = _COLUMNS_REPEATED.search(cell)
            position += int(times[1]) if times else 1
            if not closed or b"value" in cell or b"formula" in cell:
                filled = position
        if filled:
            height, width = rows, max(width, filled)
    return height * width


def ods_characters(table: bytes) -> int:
    """The characters of an ods table once all that is repeated in it is; 0 where nothing is."""
    if b"-repeated" not in table and b"text:c" not in table:
        return 0
    total = 0
    for attributes, body in _ODS_ROW.findall(table):
        rows = _ROWS_REPEATED.search(attributes)
        if b"-repeated" not in body and b"text:c" not in body:
            total += len(_ANY_TAG.sub(b"", body)) * int(rows[1]) if rows else 0
            continue
        cells = list(_ODS_CELL.finditer(body))
        for cell, after in zip_longest(cells, cells[1:]):
            text = b"" if cell[2] else body[cell.end() : after.start() if after else len(body)]
            if text:
                columns = _COLUMNS_REPEATED.search(cell[1])
                length = len(_ANY_TAG.sub(b"", text)) + sum(map(int, _SPACES.findall(text)))
                total += length * (int(columns[1]) if columns else 1) * (int(rows[1]) if rows else 1)
    return total
