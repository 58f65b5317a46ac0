"""Excel 95 workbooks (BIFF5) made here: one sheet of numbers and texts in a compound file."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from tests.families.data.binary_workbooks import Failed

_FREE, _END, _TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_SECTOR = 512


def _record(kind: int, content: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def records(
    name: str,
    rows: Sequence[Sequence[object]],
    code_page: str = "cp1252",
    formats: Mapping[tuple[int, int], str] | None = None,
    number: int | None = None,
) -> bytes:
    """The stream of records, with its texts in a code page of one byte a character; `formats` are those of cells.

    `number` is what the file calls the page, where that is not its own number.
    """
    codes = ["General", *dict.fromkeys((formats or {}).values())]
    title = name.encode(code_page)
    page = _record(0x42, struct.pack("<H", number or int(code_page.removeprefix("cp"))))
    head = _record(0x809, struct.pack("<4H", 0x500, 5, 0, 0)) + page
    for number, code in enumerate(codes[1:], 164):
        head += _record(0x41E, struct.pack("<HB", number, len(code)) + code.encode(code_page))
    for number in (0, *range(164, 163 + len(codes))):
        head += _record(0xE0, struct.pack("<HH", 0, number).ljust(16, b"\0"))
    place = len(head) + 4 + 7 + len(title) + 4
    head += _record(0x85, struct.pack("<IHB", place, 0, len(title)) + title) + _record(0x0A)
    sheet = _record(0x809, struct.pack("<4H", 0x500, 0x10, 0, 0))
    sheet += _record(0x200, struct.pack("<5H", 0, len(rows), 0, max(map(len, rows)), 0))
    for at, row in enumerate(rows):
        for column, value in enumerate(row):
            place_of_cell = struct.pack("<3H", at, column, codes.index((formats or {}).get((at, column), "General")))
            if isinstance(value, Failed):
                result = struct.pack("<4H", 2, value, 0, 0xFFFF)
                sheet += _record(0x06, place_of_cell + result + struct.pack("<HIHBB", 0, 0, 2, 0x1C, value))
            elif isinstance(value, int | float):
                sheet += _record(0x203, place_of_cell + struct.pack("<d", value))
            elif value is not None:
                text = str(value).encode(code_page)
                sheet += _record(0x204, place_of_cell + struct.pack("<H", len(text)) + text)
    return head + sheet + _record(0x0A)


def compound(stream: bytes, name: str = "Book") -> bytes:
    """A compound file (MS-CFB) with one stream."""
    data = stream.ljust(max(4096, -(-len(stream) // _SECTOR) * _SECTOR), b"\0")
    count = len(data) // _SECTOR
    # Sector 0 is the table, sector 1 the directory, and the stream follows.
    chain = [_TABLE, _END, *range(3, count + 2), _END]
    table = struct.pack(f"<{_SECTOR // 4}I", *chain, *[_FREE] * (_SECTOR // 4 - len(chain)))

    def entry(title: str, kind: int, child: int, start: int, size: int) -> bytes:
        text = title.encode("utf-16-le") + b"\0\0"
        numbers = struct.pack("<HBBIII", len(text), kind, 1, _FREE, _FREE, child)
        return text.ljust(64, b"\0") + numbers + b"\0" * 36 + struct.pack("<IQ", start, size)

    directory = entry("Root Entry", 5, 1, _END, 0) + entry(name, 2, _FREE, 2, len(data))
    directory += (b"\0" * 68 + struct.pack("<3I", _FREE, _FREE, _FREE) + b"\0" * 48) * 2
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16 + struct.pack("<5H", 0x3E, 3, 0xFFFE, 9, 6) + b"\0" * 6
    header += struct.pack("<9I", 0, 1, 1, 0, 4096, _END, 0, _END, 0) + struct.pack("<109I", 0, *[_FREE] * 108)
    return header + table + directory + data
