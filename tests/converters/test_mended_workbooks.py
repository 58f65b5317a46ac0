"""Workbooks that programs open and the library does not are read."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
import xlsxwriter

from engine.families.data.features import Feature
from engine.toolkit.failures import Unreadable
from tests.converters.test_workbooks import SHEET, codes, read, rows
from tests.families.data.files import edited, spreadsheet, workbook

BOOK = workbook({"A": [["x", 1], ["y", 2]]})
MAIN = "xl/workbook.xml"


def in_utf_16(part: bytes) -> bytes:
    text = re.sub(r"^<\?xml[^>]*\?>", "", part.decode())
    return f'<?xml version="1.0" encoding="UTF-16"?>{text}'.encode("utf-16")


@pytest.mark.parametrize("parts", [(SHEET,), (MAIN,), (SHEET, MAIN, "xl/_rels/workbook.xml.rels")])
def test_parts_may_be_in_utf_16(tmp_path: Path, parts: tuple[str, ...]) -> None:
    data = BOOK
    for each in parts:
        data = edited(data, each, in_utf_16)
    assert rows(read(data, tmp_path)[0]) == rows(read(BOOK, tmp_path)[0])


def test_a_sheet_without_a_part_is_named_and_keeps_no_other_from_being_read(tmp_path: Path) -> None:
    data = edited(BOOK, MAIN, lambda part: part.replace(b"<sheets>", b'<sheets><sheet name="Ghost" sheetId="9"/>'))
    table, warn = read(data, tmp_path)
    assert rows(table) == rows(read(BOOK, tmp_path)[0])
    assert codes(warn) == {"SHEET_SKIPPED"}
    assert "“Ghost”" in str(warn.warnings[0].message)


def test_a_workbook_whose_sheets_all_lack_a_part_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        read(edited(BOOK, MAIN, lambda part: part.replace(b"r:id=", b"r:no=")), tmp_path)


@pytest.mark.parametrize("area", ["C:C", "4:5"])
def test_whole_columns_and_rows_may_be_merged(tmp_path: Path, area: str) -> None:
    merge = f'</sheetData><mergeCells count="1"><mergeCell ref="{area}"/></mergeCells>'.encode()
    table, _ = read(edited(BOOK, SHEET, lambda part: part.replace(b"</sheetData>", merge)), tmp_path)
    assert rows(table) == rows(read(BOOK, tmp_path)[0])
    assert table.found.count(Feature.MERGED) == 1


def test_numbers_may_have_blanks_around(tmp_path: Path) -> None:
    padded = edited(BOOK, SHEET, lambda part: re.sub(rb"<v>([^<]*)</v>", rb"<v>\n\1\n</v>", part))
    assert b"<v>\n" in zipfile.ZipFile(io.BytesIO(padded)).read(SHEET)
    assert rows(read(padded, tmp_path)[0]) == rows(read(BOOK, tmp_path)[0])


def test_an_opendocument_workbook_needs_no_type(tmp_path: Path) -> None:
    given, out = spreadsheet({"A": [["x", 1]]}), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(given)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            if name != "mimetype":
                new.writestr(name, old.read(name))
    assert rows(read(out.getvalue(), tmp_path, "ods")[0]) == rows(read(given, tmp_path, "ods")[0])


UNDECLARED = (b' xml:space="preserve"', b"")


@pytest.mark.parametrize("blank", [" ", "\n", "\t"])
def test_blanks_at_the_ends_of_shared_texts_and_their_runs_are_kept(tmp_path: Path, blank: str) -> None:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        sheet, bold = book.add_worksheet(), book.add_format({"bold": True})
        sheet.write_rich_string("A1", f"one{blank}", bold, "two", f"{blank}three")
        sheet.write_string("A2", f"{blank}four{blank}")
    data = edited(file.getvalue(), "xl/sharedStrings.xml", lambda part: part.replace(*UNDECLARED))
    assert rows(read(data, tmp_path)[0]) == [[f"one{blank}two{blank}three"], [f"{blank}four{blank}"]]


def test_blanks_at_the_ends_of_texts_in_cells_and_their_runs_are_kept(tmp_path: Path) -> None:
    runs = b"<is><r><t>one </t></r><r><t>two</t></r><r><t> three</t></r></is>"
    data = edited(BOOK, SHEET, lambda part: re.sub(rb"<is><t[^<>]*>x</t></is>", runs, part))
    assert rows(read(data, tmp_path)[0])[0][0] == "one two three"
