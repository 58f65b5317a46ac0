"""Read what is counted of the looks and rules of xls workbooks from their records (MS-XLS, 2.4)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from engine.families.data.counting import page_setups, protections, rich_records, text_colours
from engine.families.data.counting.looks import is_telling
from engine.families.data.counting.sheet_records import Cell, Font, Found
from engine.families.data.workbooks import biff
from engine.families.data.workbooks.facts import WorkbookFacts

_BIFF8 = 0x600
_NUMBERS = {0x203, 0x27E}
_FORMULA, _MULTIPLE, _BLANKS, _BLANK = 0x06, 0xBD, 0xBE, 0x201
_TEXTS = {0x204, 0xD6, 0xFD, 0x205}
_RULES = {0x1B1: "conditions", 0x87A: "conditions", 0x1BE: "validations", 0x9D: "filters", 0xB0: "pivots"}
_FONT, _XF, _SHEET, _NAME, _WINDOW, _HEAD, _FOOT = 0x31, 0xE0, 0x85, 0x18, 0x23E, 0x14, 0x15
_STRINGS, _CONTINUE, _SHARED = 0xFC, 0x3C, 0xFD


class XlsWorkbook:
    """The records of an xls file."""

    def __init__(self, stream: bytes) -> None:
        self._stream = stream
        self.is_read = struct.unpack_from("<H", stream, 4)[0] == _BIFF8
        self.fonts: list[Font | None] = []
        self.styles: list[tuple[int, object, bool]] = []
        self.hidden, self.names, self.areas, self.locked = set[str](), list[str](), 0, False
        strings: list[bytes] = []
        before = 0
        for kind, content in self._records(0) if self.is_read else ():
            if kind == _CONTINUE and before == _STRINGS:
                kind = _STRINGS
            before = kind
            if kind == _STRINGS:
                strings.append(content)
            elif kind == _FONT:
                height, flags, colour, weight = struct.unpack_from("<4H", content)
                colour = text_colours.of_xls(colour)
                self.fonts.append((height, flags & 0xA, colour, weight, content[8:11], content[14:]))
                if len(self.fonts) == 4:  # no font has the number 4 (2.5.129)
                    self.fonts.append(None)
            elif kind == _XF:
                borders = struct.unpack_from("<H", content, 10)[0]
                alignment = (content[6] & 0x0F, content[6] & 0x70 if content[6] & 0x70 != 0x20 else 0, content[7])
                self.styles.append((struct.unpack_from("<H", content)[0], alignment, bool(borders)))
            elif protections.of_record(kind, content):
                self.locked = True
            elif kind == _SHEET and content[4] & 3:
                self.hidden.add(biff.sheet_name(content[6:]))
            elif kind == _NAME and page_setups.is_of_built_in_name(content):
                self.areas += 1
            elif kind == _NAME and not content[0] & 0x25:  # neither hidden nor a macro, nor one of Excel's own
                count, wide = content[3], content[14] & 1
                name = content[15 : 15 + count * (1 + wide)]
                self.names.append(name.decode("utf-16-le" if wide else "latin-1", "replace"))
        self._runs = rich_records.of_xls(strings) if strings else []

    def _records(self, start: int) -> Iterator[tuple[int, bytes]]:
        at = start
        while at + 4 <= len(self._stream):
            kind, length = struct.unpack_from("<HH", self._stream, at)
            yield kind, self._stream[at + 4 : at + 4 + length]
            if kind == 0x0A:
                return
            at += 4 + length

    def sheet(self, facts: WorkbookFacts, name: str) -> Found:
        found = Found(setups=page_setups.of_records(self._records(facts.part(name).place)))
        for kind, content in self._records(facts.part(name).place):
            if kind in _TEXTS or kind in _NUMBERS or kind in (_BLANK, _FORMULA):
                row, column, style = struct.unpack_from("<3H", content)
                number = kind in _NUMBERS or (kind == _FORMULA and content[12:14] != b"\xff\xff")
                at = struct.unpack_from("<I", content, 6)[0] if kind == _SHARED else len(self._runs)
                runs = self._runs[at : at + 1]
                found.cells.append(Cell(row, column, style, kind != _BLANK, number, *runs))
            elif kind in (_MULTIPLE, _BLANKS):
                row, column = struct.unpack_from("<HH", content)
                step = 6 if kind == _MULTIPLE else 2
                for at in range(4, len(content) - 2, step):
                    style = struct.unpack_from("<H", content, at)[0]
                    found.cells.append(Cell(row, column, style, kind == _MULTIPLE, kind == _MULTIPLE))
                    column += 1
            elif protections.of_record(kind, content):
                found.locked = True
            elif kind in _RULES:
                found.rules.append(_RULES[kind])
            elif kind == _WINDOW and content[0] & 0x08:
                found.rules.append("panes")
            elif kind in (_HEAD, _FOOT) and is_telling(page_setups.head(content)):
                found.rules.append("heads")
        return found
