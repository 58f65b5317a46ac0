"""Number formats of Excel 95 files that the library, which reads their records as newer ones, takes for dates."""

from __future__ import annotations

import re
import struct
from pathlib import Path

from engine.families.data.workbooks import biff
from engine.families.data.workbooks.facts import CodePage
from engine.toolkit import number_formats

_FORMAT, _END = 0x41E, 0x0A
_LETTER_OF_DATES = re.compile("[dmyhs]", re.IGNORECASE)
_DATES = frozenset({"date", "elapsed", "half"})


def readable(source: Path, page: CodePage) -> Path:
    """The file, or a copy with plain formats in place of those that show numbers with letters such as `[Red]`."""
    if page.in_unicode:
        return source
    found = [each for each in _records(biff.records(source)) if _is_doubtful(each[7:].decode("latin-1"))]
    if not found:
        return source
    data = source.read_bytes()
    for each in found:
        data = data.replace(each, each[:7] + b"0" * (len(each) - 7))
    copy = source.with_name(f"formats{source.suffix}")
    copy.write_bytes(data)
    return copy


def _is_doubtful(code: str) -> bool:
    parts = number_formats.sections(code)
    return bool(_LETTER_OF_DATES.search(code)) and not any(part.kinds & _DATES for part in parts)


def _records(stream: bytes) -> list[bytes]:
    """The records of formats (type, length, number, size of the code, code) before the first sheet."""
    found, at = [], 0
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        if kind == _END:
            break
        if kind == _FORMAT and length == 3 + stream[at + 6]:
            found.append(stream[at : at + 4 + length])
        at += 4 + length
    return found
