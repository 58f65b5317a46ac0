"""Excel binary workbooks (MS-XLSB) made here: records of numbers, texts, booleans, dates and formulas."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping
from datetime import date

_TYPES = """<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/>
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>"""
_RELATIONS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
_RELATION = (
    '<Relationship Id="{}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{}" Target="{}"/>'
)
_EPOCH = date(1899, 12, 30)


class Failed(int):
    """The error that a formula ends with, by its number (MS-XLSB, section 2.5.97.2)."""


def _record(kind: int, content: bytes = b"") -> bytes:
    number = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    length, rest = b"", len(content)
    while rest >= 0x80:
        length, rest = length + bytes([rest & 0x7F | 0x80]), rest >> 7
    return number + length + bytes([rest]) + content


def _text(text: str) -> bytes:
    data = text.encode("utf-16-le")
    return struct.pack("<I", len(data) // 2) + data


def _cell(column: int, value: object, *, formula: bool) -> bytes:
    style = 1 if isinstance(value, date) else 0
    head = struct.pack("<II", column, style)
    if value is None or value == "":
        return b""
    if formula:
        # BrtFmlaString: the last value, flags, and the tokens of a formula, here a single text.
        return _record(8, head + _text(str(value)) + struct.pack("<H", 0) + struct.pack("<I", 3) + b"\x17\x00\x00")
    if isinstance(value, Failed):
        return _record(11, head + bytes([value]) + struct.pack("<HI", 0, 2) + bytes([0x1C, value]) + b"\0" * 4)
    if isinstance(value, bool):
        return _record(4, head + bytes([value]))
    if isinstance(value, date):
        value = float((value - _EPOCH).days)
    if isinstance(value, int | float):
        return _record(5, head + struct.pack("<d", value))
    return _record(6, head + _text(str(value)))


def _sheet(
    rows: list[list[object]], formula: tuple[int, int] | None, merged: tuple[int, int, int, int] | None
) -> bytes:
    width = max((len(row) for row in rows), default=1)
    data = _record(129) + _record(148, struct.pack("<4I", 0, max(0, len(rows) - 1), 0, width - 1)) + _record(145)
    for at, row in enumerate(rows):
        data += _record(0, struct.pack("<IIHHB", at, 0, 300, 0, 0) + struct.pack("<I", 0))
        data += b"".join(_cell(column, cell, formula=(at, column) == formula) for column, cell in enumerate(row))
    data += _record(146)
    if merged:
        data += (
            _record(177, struct.pack("<I", 1))
            + _record(176, struct.pack("<4I", merged[0], merged[2], merged[1], merged[3]))
            + _record(178)
        )
    return data + _record(130)


def workbook(
    sheets: Mapping[str, list[list[object]]],
    formula: tuple[int, int] | None = None,
    merged: tuple[int, int, int, int] | None = None,
    odd: int | None = None,
) -> bytes:
    """An xlsb file; `formula` is a cell of the first sheet, `merged` an area of it by its top, left, bottom and right,
    all counted from 0; the sheet of the number `odd` is one of macros.
    """
    names = list(sheets)
    book = _record(131) + _record(143)
    for number, name in enumerate(names, 1):
        book += _record(156, struct.pack("<II", 0, number) + _text(f"rId{number}") + _text(name))
    book += _record(144) + _record(132)
    styles = _record(278) + _record(617, struct.pack("<I", 2))
    styles += b"".join(_record(47, struct.pack("<8H", 0, kind, 0, 0, 0, 0, 0, 0)) for kind in (0, 14))
    styles += _record(618) + _record(279)
    relations = [
        _RELATION.format(
            f"rId{number}",
            "xlMacrosheet" if number == odd else "worksheet",
            f"{'macrosheets' if number == odd else 'worksheets'}/sheet{number}.bin",
        )
        for number in range(1, len(names) + 1)
    ]
    relations.append(_RELATION.format("styles", "styles", "styles.bin"))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr(
            "_rels/.rels", _RELATIONS.format(_RELATION.format("rId1", "officeDocument", "xl/workbook.bin"))
        )
        archive.writestr("xl/workbook.bin", book)
        archive.writestr("xl/_rels/workbook.bin.rels", _RELATIONS.format("".join(relations)))
        archive.writestr("xl/styles.bin", styles)
        for number, name in enumerate(names, 1):
            first = number == 1
            content = _sheet(sheets[name], formula if first else None, merged if first else None)
            archive.writestr(f"xl/{'macrosheets' if number == odd else 'worksheets'}/sheet{number}.bin", content)
    return file.getvalue()
