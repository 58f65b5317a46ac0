"""Count the objects, such as workbooks, that are embedded in Word, PowerPoint and Excel files of 97 to 2003."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

import olefile

_WORD, _SLIDES, _STATE = "ObjectPool", "PowerPoint Document", "\x03ObjInfo"
_SHEETS = re.compile("MBD[0-9A-F]{8}", re.IGNORECASE)
"""The storage of an object in a workbook ([MS-XLS], 2.1.7.4); those of links begin with LNK."""
_LINK, _CONTROL = 0x0010, 0x1000
"""The flags fLink and fOCX of an object in Word ([MS-DOC], 2.9.163): what is elsewhere, and controls."""
_DOCUMENT, _OBJECTS, _EMBEDDED = 0x03E8, 0x0409, 0x0FCC
"""The records DocumentContainer, ExObjListContainer and ExOleEmbedContainer ([MS-PPT], 2.13.24)."""
_HEAD = struct.Struct("<HHI")


def count(file: olefile.OleFileIO) -> int:
    """Return the number of embedded objects; raises OSError and struct.error for a damaged file."""
    names = file.listdir(streams=True, storages=True)
    if file.exists(_SLIDES):
        return _on_slides(file.openstream(_SLIDES).read())
    pool = {each[1] for each in names if len(each) > 1 and each[0] == _WORD}
    return sum(_is_embedded(file, each) for each in pool) + sum(
        len(each) == 1 and _SHEETS.fullmatch(each[0]) is not None for each in names
    )


def _is_embedded(file: olefile.OleFileIO, name: str) -> bool:
    place = [_WORD, name, _STATE]
    if not file.exists(place):
        return True
    (flags,) = struct.unpack_from("<H", file.openstream(place).read().ljust(2, b"\0"))
    return not flags & (_LINK | _CONTROL)


def _on_slides(data: bytes) -> int:
    """Return the number in the document that was saved last, which follows those that it replaces."""
    documents = [(begin, end) for kind, begin, end in _records(data, 0, len(data)) if kind == _DOCUMENT]
    return sum(
        inner == _EMBEDDED
        for place in documents[-1:]
        for kind, begin, end in _records(data, *place)
        if kind == _OBJECTS
        for inner, _, _ in _records(data, begin, end)
    )


def _records(data: bytes, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    while at + _HEAD.size <= end:
        _, kind, size = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        yield kind, at, min(end, at + size)
        at += size
