"""Code pages of Excel 97-2003 files that the library does not know by number."""

from __future__ import annotations

import struct
from pathlib import Path

from engine.families.data.workbooks import biff
from engine.families.data.workbooks.facts import CodePage

_KNOWN = frozenset(
    {
        866, 874, 932, 936, 949, 950, 951, 1200, 1201, *range(1250, 1259), 10000, 10007, 10017, 20866, 20932, 20936,
        20949, 21010, 21866, *range(28591, 28602), *range(28603, 28607), 38598, 50220, 50221, 50222, 50225, 50227,
        51936, 51949, 52936, 54936, 65001,
    }
)  # fmt: skip
_SAME = {367: 1252, 0x8000: 10000, 0x8001: 1252}
"""ASCII, and the Macintosh and Windows code pages as programs before Excel 97 number them."""
_UTF_16 = 1200
_BLOCK = 64
"""The unit in which a compound file stores any stream: a mini sector (MS-CFB, 2.4)."""


def readable(source: Path, page: CodePage) -> Path:
    """The file, or a copy with a code page the library knows; Excel 97 and later store no text in code pages."""
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
