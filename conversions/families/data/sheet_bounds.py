"""Sheet bounds: how many cells a workbook's sheets span, seen in its XML before a library makes room for them."""

from __future__ import annotations

import re

from conversions.families.data.workbooks import places

MAX_SHEET_CELLS = 20_000_000
"""A sheet is held as a full rectangle of about 32 bytes a cell, whether or not its cells are filled."""

# What begins with a letter is searched for twice as fast as what begins with white space.
_PLACE = rb"""r(?<=\sr)\s*=\s*["']"""
_COLUMN = re.compile(_PLACE + rb"([A-Za-z]{1,7})\d")
_ROW = re.compile(_PLACE + rb"[A-Za-z]*(\d{1,9})")
_UNPLACED = rb"(?!\s+r\s*=)[\s/>]"
# Attributes are spelled out, so that no value of one can pass for the end of its tag.
_ATTRIBUTES = rb"""(?:\s+[\w:]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*"""
_EMPTY_CELL = re.compile(rb"<c" + _ATTRIBUTES + rb"(?:/>|>\s*</c>)")
_EMPTY_ROW = re.compile(rb"<row" + _ATTRIBUTES + rb"(?:/>|>\s*</row>)")
_ANY_UNPLACED = re.compile(rb"<(?:c|row)" + _UNPLACED)
# Colons are rare in a sheet, so that they are what is searched for.
PREFIXED = re.compile(rb":(?:c|row)[\s/>]")
_FAR_ROW = rb"""<row(?! r="\d{1,%d}")[\s/>]"""
_END = 100_000
_TAG = re.compile(rb"<(row|c)((?=[\s/>])[^>]*>)")
_POSITION = re.compile(rb"""\sr\s*=\s*["']([A-Za-z]*)(\d+)""")

_ODS_ROW = re.compile(rb"<table:table-row([^>]*?)(?:/>|>(.*?)</table:table-row>)", re.DOTALL)
_ODS_CELL = re.compile(rb"<table:(?:covered-)?table-cell([^>]*?)(/?)>")
_ROWS_REPEATED = re.compile(rb"""number-rows-repeated\s*=\s*["'](\d+)""")
_COLUMNS_REPEATED = re.compile(rb"""number-columns-repeated\s*=\s*["'](\d+)""")


def xlsx_cells(data: bytes, *, prefixed: bool) -> int:
    """How many cells the sheet spans at most: those of all rows up to the last and all columns up to the last.

    `prefixed` says that its elements have the prefix of a namespace. Cells without a value take no room.
    """
    if not prefixed and 0 < (bound := _roughly(data)) <= MAX_SHEET_CELLS:
        return bound
    if not prefixed and not _ANY_UNPLACED.search(data):
        data = _EMPTY_ROW.sub(b"", _EMPTY_CELL.sub(b"", data))
    rows = max(map(int, set(_ROW.findall(data))), default=0)
    columns = max(map(_index, set(_COLUMN.findall(data))), default=0)
    # What has no position follows the one before it, or begins its row or sheet.
    tag = rb"<(?:\w+:)?" if prefixed else b"<"
    rows += len(re.findall(tag + b"row" + _UNPLACED, data))
    columns += max(len(re.findall(tag + b"c" + _UNPLACED, part)) for part in data.split(b"row"))
    return rows * columns


def _roughly(data: bytes) -> int:
    """A bound for `xlsx_cells`, seen without reading each position; 0 where none is seen.

    The last row and the last column that are named near the sheet's two ends are taken for the last of all: then it is
    searched for a row or a cell that has no position, or one that is not among them.
    """
    ends = data[:_END] + data[-_END:]
    columns, rows = _COLUMN.findall(ends), _ROW.findall(ends)
    if not columns:
        return 0
    last = max(columns, key=_index).upper()
    highest = str(max(map(int, rows)))
    if len(last) == 1:  # as most sheets are: with a pattern that is as simple
        near = rb"""<c(?! r="[A-%c]\d{1,%d}")[\s/>]""" % (last[0], len(highest))
        bound = int("9" * len(highest)) * _index(last)
        if bound <= MAX_SHEET_CELLS and not (re.search(near, data) or re.search(_FAR_ROW % len(highest), data)):
            return bound
    # All names with as many letters and not a later first one, all numbers with as many digits and not a higher one.
    column = rb"[A-%c][A-Z]{%d}|[A-Z]{0,%d}" % (last[0], len(last) - 1, len(last) - 1)
    row = rb"[0-%c]\d{%d}|\d{0,%d}" % (ord(highest[0]), len(highest) - 1, len(highest) - 1)
    # One after the other: what begins with two fixed letters is searched for faster than what begins with one.
    if re.search(rb"""<c(?!\s+r="(?:%s)(?:%s)")[\s/>]""" % (column, row), data):
        return 0
    if re.search(rb"""<row(?!\s+r="(?:%s)")[\s/>]""" % row, data):
        return 0
    return int(highest[0] + "9" * (len(highest) - 1)) * _index(bytes([last[0]]) + b"Z" * (len(last) - 1))


def placed(data: bytes) -> bytes:
    """The rows and cells of a sheet with their positions, where the first of them say none."""
    if not _ANY_UNPLACED.search(data, 0, _END):
        return data
    row = column = 0

    def put(match: re.Match[bytes]) -> bytes:
        nonlocal row, column
        said = _POSITION.search(match[2])
        if match[1] == b"row":
            row, column = int(said[2]) if said else row + 1, 0
            return match[0] if said else b'<row r="%d"%b' % (row, match[2])
        column = _index(said[1]) if said else column + 1
        return match[0] if said else b'<c r="%b%d"%b' % (places.letters(column - 1).encode(), row, match[2])

    return _TAG.sub(put, data)


def _index(letters: bytes) -> int:
    index = 0
    for letter in letters.upper():
        index = index * 26 + letter - 64
    return index


def ods_cells(table: bytes) -> int:
    """How many cells a table of an ods file spans at most; repeated empty cells take no room."""
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
