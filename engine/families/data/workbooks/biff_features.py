"""Features and styles in the records of Excel 97-2003 files (MS-XLS, 2.4)."""

from __future__ import annotations

import struct

from engine.families.data import cell_references as places
from engine.families.data.features import Feature
from engine.families.data.workbooks.facts import SheetFacts, Styles
from engine.families.data.workbooks.format_codes import BUILT_IN
from engine.toolkit.messages import say

_ROW, _COLUMN, _NOTE, _LINK, _MERGED, _OBJECT = 0x208, 0x7D, 0x1C, 0x1B8, 0xE5, 0x5D
_FORMAT, _BIFF8 = 0x41E, 0x600
_EXCEL_95_STYLE = 16
"""The size of a cell format in Excel 95, whose eleventh byte has the pattern."""
_OBJECTS = {5: Feature.CHART, 8: Feature.PICTURE, 25: None}
"""Features by type of drawing object (MS-XLS, 2.5.143); notes are counted by their own records."""

_MADE_BY_EXCEL = 0x01
"""The mark of an object of the program's own (2.5.143, fUIObj), such as the arrow of a filter."""

_USUAL, _LAST_COLUMN = (8.0, 9.3), 255
"""The width of a column that nobody has set, in characters: 8.43 in Excel, 9.14 with its margins, 8.63 in LibreOffice.
Excel marks the others (2.4.53, fUserSet). LibreOffice and xlwt mark none, and give one for the rest of the sheet."""

_FORMULA, _TRUTH_OR_ERROR = 0x06, 0x205
RESULTS = frozenset({_FORMULA, _TRUTH_OR_ERROR})
"""Cell records that may contain an error."""
KINDS = frozenset({_ROW, _COLUMN, _NOTE, _LINK, _MERGED, _OBJECT})


def see(kind: int, content: bytes, part: SheetFacts) -> None:
    """Record what a record declares besides values."""
    if kind == _ROW:
        if len(content) >= 14 and content[12] & 0x20:
            row = int.from_bytes(content[:2], "little")
            part.see(Feature.HIDDEN_ROW, say("row {row}", row=row + 1))
            part.hidden_rows.add(row)
    elif kind == _COLUMN:
        first, last, width, _, flags = struct.unpack_from("<5H", content)
        columns = range(first, min(last, 255) + 1)
        if flags & 1:
            part.hide_columns(columns)
        elif flags & 2 or (last < _LAST_COLUMN and not _USUAL[0] <= width / 256 <= _USUAL[1]):
            part.widen(columns, width / 256)
    elif kind == _NOTE:
        row, column = struct.unpack_from("<HH", content)
        # Before Excel 97 a long note spans several records, of which only the first has a position.
        part.see(Feature.NOTE, places.cell(row, column), row != 0xFFFF)
    elif kind == _LINK:
        row, _, column = struct.unpack_from("<HHH", content)
        part.see(Feature.LINK, places.cell(row, column))
    elif kind == _MERGED:
        (count,) = struct.unpack_from("<H", content)
        for at in range(count):
            top, bottom, left, right = struct.unpack_from("<4H", content, 2 + 8 * at)
            part.merged.append(places.Area(top, left, bottom, right))
            part.see(Feature.MERGED, f"{places.cell(top, left)}:{places.cell(bottom, right)}")
    elif content[:2] == b"\x15\x00" and not content[9] & _MADE_BY_EXCEL:
        feature = _OBJECTS.get(int.from_bytes(content[4:6], "little"), Feature.SHAPE)
        if feature:
            part.see(feature)


def shows_error(kind: int, content: bytes) -> bool:
    """Whether one of RESULTS is an error (2.5.133 and 2.4.24)."""
    if kind == _FORMULA:
        return content[12:14] == b"\xff\xff" and content[6] == 2
    return content[7:8] == b"\1"


class StylesSeen:
    """The number formats and cell formats, in record order."""

    def __init__(self) -> None:
        self.codes = dict(BUILT_IN)
        self.numbers: list[str] = []
        self.filled: set[int] = set()

    def see(self, kind: int, content: bytes, version: int) -> None:
        """Process a format record of a file of this version."""
        if kind == _FORMAT:
            (number,) = struct.unpack_from("<H", content)
            if version != _BIFF8:
                code = content[3 : 3 + content[2]].decode("latin-1")
            else:
                count, wide = struct.unpack_from("<HB", content, 2)
                code = (
                    content[5 : 5 + 2 * count].decode("utf-16-le", "replace")
                    if wide & 1
                    else content[5 : 5 + count].decode("latin-1")
                )
            self.codes[str(number)] = code
            return
        if version == _BIFF8:
            patterned = len(content) >= 20 and struct.unpack_from("<I", content, 14)[0] >> 26
        else:
            patterned = len(content) == _EXCEL_95_STYLE and content[10] & 0x3F
        if patterned:
            self.filled.add(len(self.numbers))
        self.numbers.append(str(struct.unpack_from("<H", content, 2)[0]))

    def all(self) -> Styles:
        """Everything seen; number formats may follow the cell formats that refer to them."""
        return Styles(tuple(self.codes.get(number, "General") for number in self.numbers), frozenset(self.filled))
