"""Code pages of Excel 97-2003 files that the library does not know, or not by their number."""

from __future__ import annotations

import struct
from pathlib import Path

from conversions.families.data import biff
from conversions.families.data.workbooks.facts import CodePage

_KNOWN = frozenset(
    {
        866, 874, 932, 936, 949, 950, 951, 1200, 1201, *range(1250, 1259), 10000, 10007, 10017, 20866, 20932, 20936,
        20949, 21010, 21866, *range(28591, 28602), *range(28603, 28607), 38598, 50220, 50221, 50222, 50225, 50227,
        51936, 51949, 52936, 54936, 65001,
    }
)  # fmt: skip
_SAME = {367: 1252, 0x8000: 10000, 0x8001: 1252}
"""ASCII, and how programs of the time before Excel 97 name the pages of the Macintosh and of Windows."""
_UTF_16 = 1200
_BLOCK = 64
"""Bytes that stand together in a compound file, whatever stream they are of (MS-CFB, section 2.4)."""


def readable(source: Path, page: CodePage) -> Path:
    """The file itself, or a copy beside it that names a page which is known; Excel 97 and later have no text in any."""
    other = _UTF_16 if page.in_unicode else _SAME.get(page.number)
    if page.number in _KNOWN or other is None:
        return source
    data = source.read_bytes()
    begin = page.place - page.place % _BLOCK
    around = biff.records(source)[begin : page.place + 2]
    if data.count(around) != 1:
        return source
    at = data.index(around) + len(around) - 2
    copy = source.with_name(f"pages{source.suffix}")
    copy.write_bytes(data[:at] + struct.pack("<H", other) + data[at + 2 :])
    return copy
