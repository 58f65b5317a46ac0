"""Excel binary workbooks (MS-XLSB) made here: records of numbers, texts, booleans, dates and formulas."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping
from datetime import date

from engine.families.data.workbooks import xlsb_parts

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
    parts = {
        "xl/workbook.bin": book,
        "xl/_rels/workbook.bin.rels": _RELATIONS.format("".join(relations)).encode(),
        "xl/styles.bin": styles,
    }
    for number, name in enumerate(names, 1):
        first = number == 1
        content = _sheet(sheets[name], formula if first else None, merged if first else None)
        parts[f"xl/{'macrosheets' if number == odd else 'worksheets'}/sheet{number}.bin"] = content
    return _packed(parts)


def _packed(parts: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr(
            "_rels/.rels", _RELATIONS.format(_RELATION.format("rId1", "officeDocument", "xl/workbook.bin"))
        )
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def formatted() -> bytes:
    """An xlsb file with one of each look and rule of sheets, the same as `rich_files.formatted_workbook`, and a pivot
    table, which is a part of its own (2.1.7.39).
    """
    styles = {"A1": 1, "A2": 2, "A3": 3, "B2": 4, "C2": 5}
    rows = (("name", "paid", "share", "note"), ("Ada", 3, 0.5, "x"), ("Bea", 4, 0.25), ("Cy", 5, 0.25))
    sheet = _record(129) + _record(148, struct.pack("<4I", 0, 3, 0, 3))
    sheet += _record(133) + _record(137, bytes(30))  # one view, with a frozen row
    sheet += _record(151, struct.pack("<ddIIIB", 0, 1, 1, 0, 2, 1)) + _record(138) + _record(134)
    sheet += _record(390) + _record(60, struct.pack("<4IH", 0, 0, 30 * 256, 0, 2)) + _record(391) + _record(145)
    for at, row in enumerate(rows):
        sheet += _record(0, struct.pack("<IIHHBI", at, 0, 300, 0x1000 if at == 2 else 0, 0, 0))
        for column, value in enumerate(row):
            head = struct.pack("<II", column, styles.get(f"{'ABCD'[column]}{at + 1}", 0))
            text = isinstance(value, str)
            sheet += _record(6, head + _text(str(value))) if text else _record(5, head + struct.pack("<d", value))
    sheet += _record(146) + _record(161, struct.pack("<4I", 0, 3, 0, 2)) + _record(162)
    sheet += _record(535, struct.pack("<H16I", 0, 1, *[0] * 15))
    sheet += _record(177, struct.pack("<I", 1)) + _record(176, struct.pack("<4I", 1, 2, 3, 3)) + _record(178)
    sheet += _record(461, bytes(12)) + _record(463, bytes(40)) + _record(464) + _record(462)
    sheet += _record(573, bytes(18)) + _record(64, bytes(24)) + _record(574)
    sheet += _record(478, struct.pack("<8IH", 9, 100, 0, 0, 1, 1, 1, 1, 2) + b"\xff" * 4)  # landscape
    absent = b"\xff" * 4
    sheet += _record(479, bytes(2) + _text("&CConfidential") + absent * 5) + _record(480) + _record(130)
    book = _record(131) + _record(143) + _record(156, struct.pack("<II", 0, 1) + _text("rId1") + _text("Paid"))
    number = struct.pack("<IBHI", 3, 0x1E, 3, 0)  # a name for the number 3
    book += _record(144) + _record(39, struct.pack("<IBI", 0, 0, 0xFFFFFFFF) + _text("shares") + number + absent)
    fonts = (
        struct.pack("<4H4B8sB", height, 0, weight, 0, 0, 2, 0, 0, colour, 0) + _text("Calibri")
        for height, weight, colour in ((220, 400, b"\1" + bytes(7)), (280, 700, b"\5\xff" + bytes(2) + b"\xff\0\0\xff"))
    )
    borders = (bytes(51), b"\0\1" + bytes(49))
    kinds = (
        (0, 0, 0, 0, 0x10),
        (0, 1, 0, 0, 0x10),
        (0, 0, 2, 0, 0x10),
        (0, 0, 0, 1, 0x10),
        (0, 0, 0, 0, 0x52),
        (10, 0, 0, 0, 0x10),
    )
    looks = _record(278) + b"".join(_record(43, each) for each in fonts)
    looks += b"".join(_record(45, struct.pack("<I", pattern) + bytes(64)) for pattern in (0, 17, 1))
    looks += b"".join(_record(46, each) for each in borders) + _record(617, struct.pack("<I", len(kinds)))
    for code, font, fill, border, alignment in kinds:
        looks += _record(47, struct.pack("<5H6B", 0, code, font, fill, border, 0, 0, alignment, 0, 0, 0))
    relations = _RELATION.format("rId1", "worksheet", "worksheets/sheet1.bin")
    relations += _RELATION.format("styles", "styles", "styles.bin")
    pivot = _RELATION.format("rId1", "pivotTable", "../pivotTables/pivotTable1.bin")
    return _packed({
        "xl/workbook.bin": book + _record(132),
        "xl/_rels/workbook.bin.rels": _RELATIONS.format(relations).encode(),
        "xl/styles.bin": looks + _record(618) + _record(279),
        "xl/worksheets/sheet1.bin": sheet,
        "xl/worksheets/_rels/sheet1.bin.rels": _RELATIONS.format(pivot).encode(),
        "xl/pivotTables/pivotTable1.bin": b"",
    })  # fmt: skip


_ALIKE = frozenset({0, 43, 46, 47})
"""Rows, fonts, borders and styles: a workbook has some in any case, and they differ in their looks."""


def plain(book: bytes, kind: int) -> bytes:
    """An xlsb file without the records of this kind; rows and styles become like the first of them."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        return _packed({
            name: _plain(archive.read(name), kind) if name.endswith(".bin") else archive.read(name)
            for name in archive.namelist()
            if name.startswith("xl/")
        })  # fmt: skip


def _plain(part: bytes, kind: int) -> bytes:
    made, first = b"", None
    for found, content in xlsb_parts.records(part):
        if found != kind:
            made += _record(found, content)
        elif kind in _ALIKE:
            place = 4 if kind == 0 else 0
            first = content if first is None else first
            made += _record(kind, content[:place] + first[place:])
    return made
