"""Read what is counted of the looks and rules of xlsb workbooks from their records (MS-XLSB, 2.4)."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

from engine.families.data.counting import page_setups, protections, rich_records, text_colours
from engine.families.data.counting.looks import is_telling
from engine.families.data.counting.sheet_records import Cell, Font, Found
from engine.families.data.workbooks import xlsb_parts
from engine.families.data.workbooks.facts import WorkbookFacts

_PIVOT = b'/relationships/pivotTable"'
"""The end of the type of a sheet's relationship with a pivot table (MS-XLSB, 2.1.7.39)."""


class XlsbWorkbook:
    """The records of an xlsb file."""

    _FONT, _BORDER, _XF, _NAME, _BUNDLE, _STYLES = 43, 46, 47, 39, 156, (617, 618)
    _TEXTS, _NUMBERS, _BLANK = frozenset({3, 4, 6, 7, 8, 10, 11, 62}), frozenset({2, 5, 9}), 1
    _RULES = {463: "conditions", 64: "validations", 161: "filters"}
    _PANE, _HEADS, _STRING, _SHARED, _RICH = 151, 479, 19, 7, 62

    is_read = True

    def __init__(self, path: Path, facts: WorkbookFacts) -> None:
        self.fonts: list[Font | None] = []
        self.styles: list[tuple[int, object, bool]] = []
        self.hidden, self.names, self.areas, self.locked = set[str](), list[str](), 0, False
        self._parts: dict[str, bytes] = {}
        bordered, cells = list[bool](), False
        inspect = xlsb_parts.inspector(facts)
        with zipfile.ZipFile(path) as archive:
            for each in archive.namelist():
                data = archive.read(each)
                self._parts[each.replace("\\", "/").lower()] = data
                inspect(each, data)
        for kind, content in xlsb_parts.records(self._parts.get("xl/styles.bin", b"")):
            if kind == self._FONT:
                height, flags, weight = struct.unpack_from("<3H", content)
                colour = text_colours.of_xlsb(content[12:20], self._parts.get("xl/theme/theme1.xml", b""))
                self.fonts.append((height, flags & 0xA, weight, content[6:9], colour, content[21:]))
            elif kind == self._BORDER:
                bordered.append(any(content[at] for at in range(1, 41, 10)))
            elif kind in self._STYLES:
                cells = kind == self._STYLES[0]
            elif kind == self._XF and cells:
                font, _, border = struct.unpack_from("<3H", content, 4)
                flags = content[12] & 0x47, content[12] & 0x38 if content[12] & 0x38 != 0x10 else 0
                self.styles.append((font, (content[10], flags), border < len(bordered) and bordered[border]))
        strings = xlsb_parts.records(self._parts.get("xl/sharedstrings.bin", b""))
        self._runs = [rich_records.of_xlsb(content) for kind, content in strings if kind == self._STRING]
        for kind, content in xlsb_parts.records(self._parts.get("xl/workbook.bin", b"")):
            if kind == self._BUNDLE and content[0] & 3:
                relation = xlsb_parts.text_at(content, 8)
                self.hidden |= {name for name, known in facts.names.items() if known == relation}
            elif protections.of_binary_record(kind, content):
                self.locked = True
            elif kind == self._NAME:
                name = xlsb_parts.text_at(content, 9)
                self.areas += page_setups.is_of_names(name)
                self.names += [] if content[0] & 0x25 else [name]

    def sheet(self, facts: WorkbookFacts, name: str) -> Found:
        records, row = [*xlsb_parts.records(self._parts.get(facts.part_name(name), b""))], 0
        found = Found(setups=page_setups.of_binary_records(records))
        for kind, content in records:
            if kind == 0:
                row = int.from_bytes(content[:4], "little")
            elif kind == self._BLANK or kind in self._TEXTS or kind in self._NUMBERS:
                column, style = struct.unpack_from("<II", content)
                value, number, runs = kind != self._BLANK, kind in self._NUMBERS, list[rich_records.Runs]()
                if kind == self._SHARED:
                    at = struct.unpack_from("<I", content, 8)[0]
                    runs = self._runs[at : at + 1]
                elif kind == self._RICH:
                    runs = [rich_records.of_xlsb(content, 8)]
                found.cells.append(Cell(row, column, style & 0xFFFFFF, value, number, *runs))
            elif protections.of_binary_record(kind, content):
                found.locked = True
            elif kind in self._RULES:
                found.rules.append(self._RULES[kind])
            elif kind == self._PANE and content[-1] & 1:
                found.rules.append("panes")
            elif kind == self._HEADS:
                found.rules += ["heads"] * sum(map(is_telling, page_setups.binary_heads(content)))
        folder, _, part = facts.part_name(name).rpartition("/")
        found.rules += ["pivots"] * self._parts.get(f"{folder}/_rels/{part}.rels", b"").count(_PIVOT)
        return found
