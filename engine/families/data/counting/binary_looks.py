"""Count the looks and rules of the sheets of xls (MS-XLS) and xlsb workbooks (MS-XLSB)."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Area
from engine.families.data.counting import page_setups, text_colours
from engine.families.data.counting.looks import KINDS, NO_VALUES, TOGETHER, Looks, is_telling, of_cell, of_style
from engine.families.data.workbooks import biff, xlsb_parts
from engine.families.data.workbooks.facts import WorkbookFacts
from engine.families.data.workbooks.number_formats import GENERAL, sections
from engine.toolkit.census import Census

_BIFF8 = 0x600
_DATES = frozenset({"date", "elapsed", "half"})


@dataclass
class _Cell:
    row: int
    column: int
    style: int
    has_value: bool
    is_number: bool


@dataclass
class _Found:
    """What the records of a sheet declare."""

    cells: list[_Cell] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    setups: int = 0


def see(path: Path, parts: dict[str, Census], whole: Census) -> None:
    """Add the looks and rules of a workbook to the censuses of its sheets and its own."""
    facts = WorkbookFacts()
    if path.suffix == ".xls":
        biff.inspect(path, facts)
        book: _Old | _Binary = _Old(biff.records(path))
    else:
        book = _Binary(path, facts)
    if not book.is_read:
        whole.samples |= {kind: object() for kind in KINDS | TOGETHER}
        return
    styles = _styles(book, facts)
    for name, census in parts.items():
        looks, part, found = Looks(census, name), facts.part(name), book.sheet(facts, name)
        used = _used(found.cells)
        looks.cells(
            (
                places.cell(each.row, each.column),
                of_cell(styles[each.style], has_value=each.has_value, is_number=each.is_number),
            )
            for each in found.cells
            if each.style < len(styles) and styles[each.style]
        )
        looks.shifted(used)
        looks.merged(part.merged, used)
        looks.columns(part.widths, part.hidden_columns, used)
        for row in sorted(part.hidden_rows):
            if used.top <= row <= used.bottom:
                looks.add("hidden", place=row + 1)
        for kind in found.rules:
            looks.add(kind, place=name)
        looks.add("setups", found.setups if found.cells else 0, name)
        if name in book.hidden:
            looks.add("hidden", place=name)
    Looks(whole).add("setups", book.areas)
    for each in book.names:
        Looks(whole).add("names", place=each)


def _used(cells: Iterable[_Cell]) -> Area:
    full = [each for each in cells if each.has_value]
    if not full:
        return NO_VALUES
    rows, columns = {each.row for each in full}, {each.column for each in full}
    return Area(min(rows), min(columns), max(rows), max(columns))


def _styles(book: _Old | _Binary, facts: WorkbookFacts) -> list[frozenset[str]]:
    usual = (book.fonts[book.styles[0][0]], book.styles[0][1]) if book.styles and book.fonts else None
    return [
        of_style(
            font=book.fonts[font] if font < len(book.fonts) else None,
            alignment=alignment,
            usual=usual,
            filled=at in facts.styles.filled,
            bordered=bordered,
            code=_is_number_format(facts.styles.formats[at]),
        )
        for at, (font, alignment, bordered) in enumerate(book.styles)
    ]


def _is_number_format(code: str) -> bool:
    return code not in (GENERAL, "@", "") and not sections(code)[0].kinds & _DATES


_NUMBERS = {0x203, 0x27E}
_FORMULA, _MULTIPLE, _BLANKS, _BLANK = 0x06, 0xBD, 0xBE, 0x201
_TEXTS = {0x204, 0xD6, 0xFD, 0x205}
_RULES = {0x1B1: "conditions", 0x87A: "conditions", 0x1BE: "validations", 0x9D: "filters", 0xB0: "pivots"}
_FONT, _XF, _SHEET, _NAME, _WINDOW, _HEAD, _FOOT = 0x31, 0xE0, 0x85, 0x18, 0x23E, 0x14, 0x15


class _Old:
    """The records of an xls file."""

    def __init__(self, stream: bytes) -> None:
        self._stream = stream
        self.is_read = struct.unpack_from("<H", stream, 4)[0] == _BIFF8
        self.fonts: list[object] = []
        self.styles: list[tuple[int, object, bool]] = []
        self.hidden, self.names, self.areas = set[str](), list[str](), 0
        for kind, content in self._records(0) if self.is_read else ():
            if kind == _FONT:
                height, flags, colour, weight = struct.unpack_from("<4H", content)
                colour = text_colours.of_xls(colour)
                self.fonts.append((height, flags & 0xA, colour, weight, content[10], content[14:]))
                if len(self.fonts) == 4:  # no font has the number 4 (2.5.129)
                    self.fonts.append(None)
            elif kind == _XF:
                borders = struct.unpack_from("<H", content, 10)[0]
                alignment = (content[6] & 0x0F, content[6] & 0x70 if content[6] & 0x70 != 0x20 else 0, content[7])
                self.styles.append((struct.unpack_from("<H", content)[0], alignment, bool(borders)))
            elif kind == _SHEET and content[4] & 3:
                self.hidden.add(biff.sheet_name(content[6:]))
            elif kind == _NAME and page_setups.is_of_built_in_name(content):
                self.areas += 1
            elif kind == _NAME and not content[0] & 0x25:  # neither hidden nor a macro, nor one of Excel's own
                count, wide = content[3], content[14] & 1
                name = content[15 : 15 + count * (1 + wide)]
                self.names.append(name.decode("utf-16-le" if wide else "latin-1", "replace"))

    def _records(self, start: int) -> Iterator[tuple[int, bytes]]:
        at = start
        while at + 4 <= len(self._stream):
            kind, length = struct.unpack_from("<HH", self._stream, at)
            yield kind, self._stream[at + 4 : at + 4 + length]
            if kind == 0x0A:
                return
            at += 4 + length

    def sheet(self, facts: WorkbookFacts, name: str) -> _Found:
        found = _Found(setups=page_setups.of_records(self._records(facts.part(name).place)))
        for kind, content in self._records(facts.part(name).place):
            if kind in _TEXTS or kind in _NUMBERS or kind in (_BLANK, _FORMULA):
                row, column, style = struct.unpack_from("<3H", content)
                number = kind in _NUMBERS or (kind == _FORMULA and content[12:14] != b"\xff\xff")
                found.cells.append(_Cell(row, column, style, kind != _BLANK, number))
            elif kind in (_MULTIPLE, _BLANKS):
                row, column = struct.unpack_from("<HH", content)
                step = 6 if kind == _MULTIPLE else 2
                for at in range(4, len(content) - 2, step):
                    style = struct.unpack_from("<H", content, at)[0]
                    found.cells.append(_Cell(row, column, style, kind == _MULTIPLE, kind == _MULTIPLE))
                    column += 1
            elif kind in _RULES:
                found.rules.append(_RULES[kind])
            elif kind == _WINDOW and content[0] & 0x08:
                found.rules.append("panes")
            elif kind in (_HEAD, _FOOT) and is_telling(page_setups.head(content)):
                found.rules.append("heads")
        return found


_PIVOT = b'/relationships/pivotTable"'
"""The end of the type of a sheet's relationship with a pivot table (MS-XLSB, 2.1.7.39)."""


class _Binary:
    """The records of an xlsb file."""

    _FONT, _BORDER, _XF, _NAME, _BUNDLE, _STYLES = 43, 46, 47, 39, 156, (617, 618)
    _TEXTS, _NUMBERS, _BLANK = frozenset({3, 4, 6, 7, 8, 10, 11, 62}), frozenset({2, 5, 9}), 1
    _RULES = {463: "conditions", 64: "validations", 161: "filters"}
    _PANE, _HEADS = 151, 479

    is_read = True

    def __init__(self, path: Path, facts: WorkbookFacts) -> None:
        self.fonts: list[object] = []
        self.styles: list[tuple[int, object, bool]] = []
        self.hidden, self.names, self.areas = set[str](), list[str](), 0
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
                self.fonts.append((height, flags & 0xA, weight, content[8], colour, content[21:]))
            elif kind == self._BORDER:
                bordered.append(any(content[at] for at in range(1, 41, 10)))
            elif kind in self._STYLES:
                cells = kind == self._STYLES[0]
            elif kind == self._XF and cells:
                font, _, border = struct.unpack_from("<3H", content, 4)
                flags = content[12] & 0x47, content[12] & 0x38 if content[12] & 0x38 != 0x10 else 0
                self.styles.append((font, (content[10], flags), border < len(bordered) and bordered[border]))
        for kind, content in xlsb_parts.records(self._parts.get("xl/workbook.bin", b"")):
            if kind == self._BUNDLE and content[0] & 3:
                relation = xlsb_parts.text_at(content, 8)
                self.hidden |= {name for name, known in facts.names.items() if known == relation}
            elif kind == self._NAME:
                name = xlsb_parts.text_at(content, 9)
                self.areas += page_setups.is_of_names(name)
                self.names += [] if content[0] & 0x25 else [name]

    def sheet(self, facts: WorkbookFacts, name: str) -> _Found:
        records, row = [*xlsb_parts.records(self._parts.get(facts.part_name(name), b""))], 0
        found = _Found(setups=page_setups.of_binary_records(records))
        for kind, content in records:
            if kind == 0:
                row = int.from_bytes(content[:4], "little")
            elif kind == self._BLANK or kind in self._TEXTS or kind in self._NUMBERS:
                column, style = struct.unpack_from("<II", content)
                value, number = kind != self._BLANK, kind in self._NUMBERS
                found.cells.append(_Cell(row, column, style & 0xFFFFFF, value, number))
            elif kind in self._RULES:
                found.rules.append(self._RULES[kind])
            elif kind == self._PANE and content[-1] & 1:
                found.rules.append("panes")
            elif kind == self._HEADS:
                found.rules += ["heads"] * sum(map(is_telling, page_setups.binary_heads(content)))
        folder, _, part = facts.part_name(name).rpartition("/")
        found.rules += ["pivots"] * self._parts.get(f"{folder}/_rels/{part}.rels", b"").count(_PIVOT)
        return found
