"""Tell how far the rows of OpenDocument tables reach."""

from __future__ import annotations

import re

ROW_OR_CELL = re.compile(rb"<table:(table-row|table-cell|covered-table-cell)\b([^<>]*?)(/?)>")
_REPEATED = re.compile(rb'table:number-(?:rows|columns)-repeated="(\d+)"')
_MOST = 20_000


def indent(row: bytes) -> int:
    """The number of columns before the first one of a row with a value."""
    at = 0
    for _, tag, _ in ROW_OR_CELL.findall(row):
        if b"value-type=" in tag:
            return at
        at += min(times(tag), _MOST)
    return at


def width(row: bytes) -> int:
    """The number of columns to the last one of a row with a value."""
    at = last = 0
    for _, tag, _ in ROW_OR_CELL.findall(row):
        at += min(times(tag), _MOST)
        if b"value-type=" in tag:
            last = at
    return last


def times(tag: bytes) -> int:
    """How often a row, column or cell is repeated."""
    found = _REPEATED.search(tag)
    return int(found[1]) if found else 1
