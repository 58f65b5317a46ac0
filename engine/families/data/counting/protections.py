"""Count the protection from changes of sheets and of whole workbooks, by format."""

from __future__ import annotations

import re
import struct

from engine.families.data.counting.date_styles import attributes

_TRUE = ("1", "true")
_EXCEL = re.compile(rb"<(?:\w+:)?(?:sheet|workbook)Protection\b([^<>]*)>")
_LOCKS = ("sheet", "lockStructure", "lockWindows")
"""What protects cells, sheets and windows (ECMA-376, part 1, 18.3.1.85 and 18.2.29)."""
_SPREADSHEET = re.compile(rb'<office:spreadsheet\b[^<>]*\btable:structure-protected="true"')
_OLD = (0x12, 0x19)
"""Protect and WinProtect (MS-XLS, 2.4.207 and 2.4.347), in a sheet and for the workbook."""
_BINARY = {535: (2, "<I", 1), 677: (4, "<I", 1), 534: (4, "<H", 3), 676: (8, "<H", 3)}
"""Of BrtSheetProtection, BrtSheetProtectionIso, BrtBookProtection and BrtBookProtectionIso (MS-XLSB, 2.4), where a
number says what is locked, how it is written, and the bits that count."""


def of_excel(data: bytes) -> bool:
    """Whether the XML of an xlsx sheet or workbook protects it."""
    return any(given.get(each) in _TRUE for given in map(attributes, _EXCEL.findall(data)) for each in _LOCKS)


def of_open_document(content: bytes) -> bool:
    """Whether the content of an ods workbook protects its structure; that of a table is an attribute of its tag."""
    return bool(_SPREADSHEET.search(content))


def of_record(kind: int, content: bytes) -> bool:
    """Whether a record of an xls sheet or workbook protects it."""
    return kind in _OLD and content[:1] == b"\1"


def of_binary_record(kind: int, content: bytes) -> bool:
    """Whether a record of an xlsb sheet or workbook protects it."""
    if kind not in _BINARY:
        return False
    at, layout, bits = _BINARY[kind]
    return len(content) >= at + struct.calcsize(layout) and bool(struct.unpack_from(layout, content, at)[0] & bits)
