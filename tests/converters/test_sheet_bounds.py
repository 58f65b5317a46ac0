"""How many cells a sheet spans is known before a library makes room for them, wherever its cells say they are."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

import openpyxl
import pytest
from python_calamine import CalamineWorkbook

from engine.families.data.readers import workbooks
from engine.families.data.workbooks import xlsx_parts
from engine.families.data.workbooks.facts import WorkbookFacts
from engine.families.data.workbooks.options import SheetRows
from engine.families.data.workbooks.sheet_bounds import MAX_SHEET_CELLS
from engine.toolkit.failures import OverLimit
from engine.toolkit.warnings import Warn

SHEET = "xl/worksheets/sheet1.xml"


def cells(rows: str) -> int:
    facts = WorkbookFacts()
    xlsx_parts.inspector(facts)(SHEET, f"<worksheet><sheetData>{rows}</sheetData></worksheet>".encode())
    return facts.parts[SHEET].cells


def workbook(path: Path, rows: str) -> Path:
    """A workbook that openpyxl has made, with other rows in its sheet."""
    openpyxl.Workbook().save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts[SHEET] = f'<worksheet xmlns="{main}" xmlns:x="{main}"><sheetData>{rows}</sheetData></worksheet>'.encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


FILLER = " " * 300_000
ONE = "<v>1</v></c></row>"
FAR = [
    f'<row r="1"><c r="A1"/></row><row r="1048576"><c r="XFD1048576">{ONE}',
    f'<row r="1"><c r="A1"/></row>{FILLER}<row r="900000"><c r="ZZ900000">{ONE}{FILLER}<row r="2"><c r="B2">{ONE}',
    f'<row r="1">{"<c/>" * 16_000}</row><row r="1048576"><c r="A1048576">{ONE}',
    f'<x:row r="1">{"<x:c/>" * 16_000}</x:row><x:row r="1048576"><x:c r="A1048576"/></x:row>',
    f'<row r="1"><c r="A1"/></row>{FILLER}<row r="900000"><c r="zz900000">{ONE}{FILLER}<row r="2"><c r="B2">{ONE}',
    f"<row r='1'><c r='A1'/></row>{FILLER}<row r='900000'><c s='1' r='ZZ900000'>{ONE}{FILLER}<row r='2'/>",
]


@pytest.mark.parametrize("rows", FAR, ids=range(len(FAR)))
def test_cells_far_from_the_others_are_refused_before_room_is_made_for_them(rows: str, tmp_path: Path) -> None:
    assert cells(rows) > MAX_SHEET_CELLS
    with pytest.raises(OverLimit):
        workbooks.read(workbook(tmp_path / "far.xlsx", rows), SheetRows(), Warn())


def test_no_sheet_is_larger_than_it_was_seen_to_be(tmp_path: Path) -> None:
    chance = random.Random(7)

    def letters(column: int) -> str:
        name = ""
        while column:
            column, rest = divmod(column - 1, 26)
            name = chr(65 + rest) + name
        return name

    for number in range(150):
        rows, row = "", 0
        tag = chance.choice(["", "", "", "x:"])
        for _ in range(chance.randint(1, 6)):
            row += chance.choice([1, 1, 2, 90])
            inside, column = "", 0
            for _ in range(chance.randint(0, 5)):
                column += chance.choice([1, 1, 3, 700])
                place = chance.choice([f' r="{letters(column)}{row}"', f" r = '{letters(column)}{row}'", ""])
                value = chance.choice([f"<{tag}v>1</{tag}v>", f"<{tag}v>1</{tag}v>", ""])
                odd = chance.choice(["", "", ' x="/>"' if not value else "", ' s="1"'])
                inside += (
                    f"<{tag}c{place}{odd}>{value}</{tag}c>" if value or chance.random() < 0.5 else f"<{tag}c{place}/>"
                )
            position = chance.choice(["", f' r="{row}"'])
            rows += f"<{tag}row{position}>{inside}</{tag}row>"
        sheet = CalamineWorkbook.from_path(workbook(tmp_path / f"{number}.xlsx", rows)).get_sheet_by_index(0)
        start, end = sheet.start, sheet.end
        area = 0 if start is None or end is None else (end[0] + 1) * (end[1] + 1)
        assert area <= cells(rows), rows


def test_the_rows_of_a_common_sheet_are_bounded_by_twice_their_number() -> None:
    rows = "".join(f'<row r="{n}"><c r="A{n}"/><c r="AC{n}"/></row>' for n in range(1, 20_001))
    assert 20_000 * 29 <= cells(rows) <= 2 * 20_000 * 52


def test_a_cell_without_a_value_takes_no_room_however_far_it_is(tmp_path: Path) -> None:
    rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576" s="1" t="n"></c></row>'
    (table,) = workbooks.read(workbook(tmp_path / "far.xlsx", rows), SheetRows(header_row=False), Warn())
    assert [row for batch in table.batches() for row in batch] == [[1]]


def test_a_value_that_looks_like_the_end_of_a_tag_hides_no_cell(tmp_path: Path) -> None:
    rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576" s="/>"><v>1</v></c></row>'
    assert cells(rows) > MAX_SHEET_CELLS
