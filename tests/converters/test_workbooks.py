"""Workbooks of all kinds: what is in their cells, what is beside it, and how they are opened."""

from __future__ import annotations

import io
import random
import re
import struct
import zipfile
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.chart import BarChart
from openpyxl.comments import Comment
from openpyxl.styles import PatternFill

from engine.conversion import convert
from engine.families.data import cell_references as places
from engine.families.data.features import NOTHING, Feature
from engine.families.data.readers import workbooks
from engine.families.data.sheet_layout import apart
from engine.families.data.table import Table
from engine.families.data.workbooks.options import SheetRows
from engine.families.data.writers import xlsx
from engine.families.data.writers.options import XlsxOut
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.formats import XLS
from engine.toolkit.warnings import Warn
from tests.families.data import binary_workbooks, old_workbooks
from tests.families.data.files import edited, spreadsheet, with_macros, workbook
from tests.families.data.locked_workbooks import locked_ods, locked_xlsx

RAW = SheetRows(header_row=False)
SHEET = "xl/worksheets/sheet1.xml"


def read(data: bytes, tmp_path: Path, kind: str = "xlsx", options: Any = RAW) -> tuple[Table, Warn]:
    path = tmp_path / f"input.{kind}"
    path.write_bytes(data)
    warn = Warn()
    table, *_ = workbooks.read(path, options, warn)
    return table, warn


def rows(table: Table) -> list[list[Any]]:
    return [row for batch in table.batches() for row in batch]


def codes(warn: Warn) -> set[str]:
    return {each.code for each in warn.warnings}


def saved(book: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_integers_of_sixteen_digits_stay_integers(tmp_path: Path) -> None:
    data = workbook({"A": [[4111111111111110], [-1234567890123456], [0.5], [1e20]]})
    assert rows(read(data, tmp_path)[0]) == [[4111111111111110], [-1234567890123456], [0.5], [1e20]]
    assert [type(row[0]) for row in rows(read(data, tmp_path)[0])] == [int, int, float, float]


def test_integers_that_no_float_holds_are_read_with_all_their_digits(tmp_path: Path) -> None:
    data = edited(workbook({"A": [[7, "x"]]}), SHEET, lambda part: part.replace(b"<v>7<", b"<v>12345678901234567891<"))
    assert rows(read(data, tmp_path)[0]) == [[12345678901234567891, "x"]]


def test_formulas_without_a_value_are_named_with_their_text(tmp_path: Path) -> None:
    data = workbook({"A": [[2, 3, "=A1*B1"], [1, 5, "=A2&B2"]]})
    formula = b'<c r="C1"><f>A1*B1</f><v></v></c>'
    data = edited(data, SHEET, lambda part: re.sub(rb'<c r="C1".*?</c>', formula, part))
    table, warn = read(data, tmp_path)
    assert rows(table)[0] == [2, 3, None]
    (warning,) = [each for each in warn.warnings if each.code == "FORMULA_VALUE"]
    assert "A!C1 =A1*B1" in warning.message
    assert table.found.count(Feature.FORMULA) == 0


def test_a_formula_that_gave_an_empty_text_was_calculated(tmp_path: Path) -> None:
    def empty(part: bytes) -> bytes:
        return re.sub(rb'<c r="A1"[^>]*>.*?</c>', b'<c r="A1" t="str"><f>""</f><v></v></c>', part)

    table, warn = read(edited(workbook({"A": [["x", 1]]}), SHEET, empty), tmp_path)
    assert table.found.count(Feature.FORMULA) == 1
    assert "FORMULA_VALUE" not in codes(warn)


def everything() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Main"
    for row in (["a", "b"], [1, 2], [3, 4], [5, 6]):
        sheet.append(row)
    sheet["B2"].comment = Comment("Look here", "me")
    sheet["A3"].hyperlink = "https://example.org/x"
    sheet.row_dimensions[4].hidden = True
    sheet.column_dimensions["B"].hidden = True
    sheet.merge_cells("C1:D2")
    chart = BarChart()
    chart.add_data(openpyxl.chart.Reference(sheet, min_col=2, min_row=1, max_row=3))
    sheet.add_chart(chart, "F1")
    other = book.create_sheet("Other")
    other["A1"] = 1
    other["A1"].comment = Comment("Not of the first sheet", "me")
    other.sheet_state = "hidden"
    return saved(book)


def test_what_a_sheet_has_beside_its_values_is_found_and_reported(tmp_path: Path) -> None:
    table, warn = read(with_macros(everything()), tmp_path, "xlsm")
    kinds = (
        Feature.NOTE, Feature.LINK, Feature.HIDDEN_ROW, Feature.HIDDEN_COLUMN, Feature.MERGED, Feature.CHART,
        Feature.MACRO,
    )  # fmt: skip
    assert {each: table.found.count(each) for each in kinds} == dict.fromkeys(kinds, 1)
    assert table.found.count(Feature.HIDDEN_SHEET) == table.found.count(Feature.PICTURE) == 0
    table.found.report_lost(NOTHING, warn)
    messages = " ".join(each.message for each in warn.warnings)
    assert all(place in messages for place in ("Main!B2", "Main!A3", "Main!row 4", "Main!C1:D2"))
    assert codes(warn) == {"COMMENTS_DROPPED", "CONTENT_DROPPED", "MERGED_CELLS", "SCRIPT_REMOVED", "SHEET_SKIPPED"}


def test_a_hidden_sheet_that_is_converted_is_reported(tmp_path: Path) -> None:
    table, _ = read(everything(), tmp_path, options=replace(RAW, sheet="Other"))
    assert table.found.count(Feature.HIDDEN_SHEET) == table.found.count(Feature.NOTE) == 1
    assert table.found.count(Feature.CHART) == 0


def test_a_sheet_of_macros_does_not_keep_the_others_from_being_read(tmp_path: Path) -> None:
    data = workbook({"Cells": [[1]], "Macro1": [[2]]})
    data = edited(
        data,
        "xl/_rels/workbook.xml.rels",
        lambda part: re.sub(
            rb'Type="[^"]*/worksheet"( Target="[^"]*sheet2.xml")',
            rb'Type="http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet"\1',
            re.sub(rb'(Target="[^"]*sheet2.xml")( Id="[^"]*")? (Type="[^"]*")', rb"\3 \1\2", part),
        ).replace(b"worksheets/sheet2", b"macrosheets/sheet2"),
    )
    table, warn = read(data, tmp_path, "xlsm")
    assert rows(table) == [[1]]
    assert codes(warn) == {"SHEET_SKIPPED"}
    binary = binary_workbooks.workbook({"Cells": [[1]], "Macro1": [[2]]}, odd=2)
    table, warn = read(binary, tmp_path, "xlsb")
    assert rows(table) == [[1]]
    assert codes(warn) == {"SHEET_SKIPPED"}


def test_an_excel_95_workbook_is_read_in_its_code_page(tmp_path: Path) -> None:
    stream = old_workbooks.records("Städte", [["Köln", 1.5], ["Łódź", 2]], "cp1250")
    for name in ("Book", "BOOK"):
        table, warn = read(old_workbooks.compound(stream, name), tmp_path, "xls")
        assert rows(table) == [["Köln", 1.5], ["Łódź", 2]]
        assert table.name == "Städte"
        assert not warn.warnings


@pytest.mark.parametrize(("number", "page"), [(0x8001, "cp1252"), (0x8000, "mac_roman"), (367, "ascii")])
def test_old_names_of_code_pages_are_known(tmp_path: Path, number: int, page: str) -> None:
    text = "Koln" if page == "ascii" else "Köln"
    stream = old_workbooks.records("A", [[text, 1.5], ["B", 2]], page, number=number)
    table, warn = read(old_workbooks.compound(stream), tmp_path, "xls")
    assert rows(table) == [[text, 1.5], ["B", 2]]
    assert not warn.warnings


def test_a_page_whose_letters_are_not_known_is_unreadable(tmp_path: Path) -> None:
    stream = old_workbooks.records("A", [["Köln"]], "cp437", number=437)
    with pytest.raises(Unreadable):
        read(old_workbooks.compound(stream), tmp_path, "xls")


def test_the_code_page_does_not_matter_where_text_is_unicode(tmp_path: Path) -> None:
    data = (Path(__file__).parent / "samples" / "awkward.xls").read_bytes()
    named = b"\x42\0\x02\0\xb0\x04"
    assert data.count(named) == 1
    table, _ = read(data, tmp_path, "xls")
    other, _ = read(data.replace(named, b"\x42\0\x02\0\xb5\x01"), tmp_path, "xls")
    assert rows(other) == rows(table)


def test_repetitive_workbooks_are_read_that_fit_every_limit(tmp_path: Path) -> None:
    data = workbook({"A": [["the same text", 1, 2, 3]]})
    row = b'<row r="1"><c r="A1"><v>1</v></c></row>'
    filled = b"<sheetData>" + row + b"<row/>" * 1_700_000 + b"</sheetData>"
    data = edited(data, SHEET, lambda part: re.sub(rb"<sheetData>.*</sheetData>", filled, part, flags=re.DOTALL))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entry = archive.getinfo(SHEET)
    assert entry.file_size > max(10_000_000, 100 * entry.compress_size)
    assert rows(read(data, tmp_path)[0]) == [[1]]


@pytest.mark.parametrize("first", ["09000400 02001000", "09020600 00001000 0000", "09040600 00001000 0000"])
def test_workbooks_of_the_first_excels_are_refused_by_their_name(tmp_path: Path, first: str) -> None:
    data = bytes.fromhex(first) + b"\x0a\0\0\0" * 200
    assert XLS.recognises(data)
    with pytest.raises(Unreadable, match="Excel 2, 3 and 4"):
        read(data, tmp_path, "xls")


@pytest.mark.parametrize(("kind", "locked"), [("xlsx", locked_xlsx), ("ods", locked_ods)])
def test_a_password_opens_what_it_locks(kind: str, locked: Any, tmp_path: Path) -> None:
    data = locked("Grüße 1")
    assert rows(read(data, tmp_path, kind, replace(RAW, password="Grüße 1"))[0]) == [["secret", 1]]
    with pytest.raises(InvalidOption) as wrong:
        read(data, tmp_path, kind, replace(RAW, password="other"))
    assert wrong.value.option == "password"
    with pytest.raises(Unreadable) as missing:
        read(data, tmp_path, kind)
    assert "password" in str(missing.value)


def test_a_workbook_that_is_only_protected_from_changes_opens_without_a_password(tmp_path: Path) -> None:
    assert rows(read(locked_xlsx("VelvetSweatshop"), tmp_path)[0]) == [["secret", 1]]


def test_a_password_is_asked_for_where_records_are_encrypted(tmp_path: Path) -> None:
    stream = old_workbooks.records("A", [["x", 1]])
    at = 4 + struct.unpack_from("<H", stream, 2)[0]
    locked = stream[:at] + struct.pack("<HHHH", 0x2F, 4, 0x1234, 0x5678) + stream[at:]
    with pytest.raises(Unreadable) as missing:
        read(old_workbooks.compound(locked), tmp_path, "xls")
    assert "password" in str(missing.value)


def grid() -> bytes:
    return workbook({"A": [[f"{chr(97 + column)}{row}" for column in range(5)] for row in range(1, 7)]})


@pytest.mark.parametrize(
    ("asked", "skip", "expected"),
    [
        ("B2:C3", 0, [["b2", "c2"], ["b3", "c3"]]),
        ("c:d", 4, [["c5", "d5"], ["c6", "d6"]]),
        ("5:99", 0, [["a5", "b5", "c5", "d5", "e5"], ["a6", "b6", "c6", "d6", "e6"]]),
        ("$E$6", 0, [["e6"]]),
        ("", 5, [["a6", "b6", "c6", "d6", "e6"]]),
    ],
)
def test_a_range_and_rows_to_skip_cut_the_sheet(asked: str, skip: int, expected: Any, tmp_path: Path) -> None:
    assert rows(read(grid(), tmp_path, options=replace(RAW, range=asked, skip_rows=skip))[0]) == expected


@pytest.mark.parametrize("asked", ["A0:B2", "nowhere", "A1:B", "ZZZZ1", "F1:G2", "A7"])
def test_a_range_that_is_none_or_has_no_cells_is_refused(asked: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidOption) as refused:
        read(grid(), tmp_path, options=replace(RAW, range=asked))
    assert refused.value.option == "range"


def test_a_range_may_begin_before_the_first_filled_column(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active["C2"] = "x"
    options = replace(RAW, range="A1:C3", empty_rows=True)
    assert rows(read(saved(book), tmp_path, options=options)[0]) == [[None, None, "x"]]


@pytest.mark.parametrize("kind", ["xlsx", "xlsb"])
def test_merged_cells_are_filled_on_request(kind: str, tmp_path: Path) -> None:
    cells: list[list[object]] = [["x", None, 1], [None, None, 2], ["y", "z", 3]]
    data = (
        binary_workbooks.workbook({"A": cells}, merged=(0, 0, 1, 1))  # top, left, bottom, right
        if kind == "xlsb"
        else workbook({"A": cells}, merge="A1:B2")
    )
    filled = [["x", "x", 1], ["x", "x", 2], ["y", "z", 3]]
    assert rows(read(data, tmp_path, kind, replace(RAW, fill_merged=True))[0]) == filled
    assert rows(read(data, tmp_path, kind)[0])[1] == [None, None, 2]


def test_filled_areas_are_not_lost(tmp_path: Path) -> None:
    table, _ = read(workbook({"A": [["x", None]]}, merge="A1:B1"), tmp_path, options=replace(RAW, fill_merged=True))
    assert table.found.count(Feature.MERGED) == 0


def formatted() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    for place, value, code in (
        ("A1", 1234, "00000"), ("B1", 0.256, "0.0%"), ("C1", 1.25, "[h]:mm:ss"), ("D1", 2.5, "0.00"),
        ("E1", date(2024, 2, 9), "d mmm yyyy"), ("F1", "text", "General"), ("G1", True, "General"),
    ):  # fmt: skip
        sheet[place] = value
        sheet[place].number_format = code
    sheet["H1"] = "#N/A"
    sheet["B2"].fill = PatternFill("solid", fgColor="FFFF00")
    return saved(book)


def test_values_are_shown_as_a_spreadsheet_shows_them(tmp_path: Path) -> None:
    table, warn = read(formatted(), tmp_path, options=replace(RAW, values="shown"))
    assert rows(table) == [["01234", "25.6%", "30:00:00", "2.50", "9 Feb 2024", "text", "TRUE", "#N/A"]]
    assert table.found.count(Feature.NUMBER_FORMAT) == 0
    assert not warn.warnings


FAILED: list[list[object]] = [["a", binary_workbooks.Failed(0x07)], [1, 2], [None, binary_workbooks.Failed(0x2A)]]
"""#DIV/0! beside a text, and #N/A alone in the last row."""


def failed(kind: str) -> bytes:
    if kind == "xlsb":
        return binary_workbooks.workbook({"A": FAILED})
    if kind == "xls":
        return old_workbooks.compound(old_workbooks.records("A", FAILED))

    def error(part: bytes) -> bytes:
        # As LibreOffice writes it, whose value is an empty text.
        return re.sub(
            rb'<table:table-cell office:value-type="string"><text:p>(#[^<]*)</text:p>',
            rb'<table:table-cell office:value-type="string" office:string-value="" calcext:value-type="error">'
            rb"<text:p>\1</text:p>",
            part,
        )

    return edited(spreadsheet({"A": [["a", "#DIV/0!"], [1, 2], [None, "#N/A"]]}), "content.xml", error)


@pytest.mark.parametrize("kind", ["xls", "xlsb", "ods"])
def test_error_cells_are_emptied_with_a_warning_or_shown(kind: str, tmp_path: Path) -> None:
    table, warn = read(failed(kind), tmp_path, kind, replace(RAW, empty_rows=True))
    assert rows(table) == [["a", None], [1, 2], [None, None]]
    assert [each.code for each in warn.warnings].count("VALUE_CONVERTED") == 1
    assert " 2 (" in next(each.message for each in warn.warnings if each.code == "VALUE_CONVERTED")
    table, warn = read(failed(kind), tmp_path, kind, replace(RAW, values="shown"))
    shown = [[cell and str(cell) for cell in row] for row in rows(table)]
    assert shown == [["a", "#DIV/0!"], ["1", "2"], [None, "#N/A"]]
    assert "VALUE_CONVERTED" not in codes(warn)


def test_number_formats_and_colours_that_say_more_than_the_values_are_found(tmp_path: Path) -> None:
    table, warn = read(formatted(), tmp_path)
    assert rows(table)[0][:4] == [1234, 0.256, timedelta(hours=30), 2.5]
    assert table.found.count(Feature.NUMBER_FORMAT) == 2
    assert table.found.count(Feature.COLOUR) == 1
    table.found.report_lost(NOTHING, warn)
    assert any("Sheet!A1" in each.message and "00000" in each.message for each in warn.warnings)


def test_an_old_workbook_is_shown_by_its_formats(tmp_path: Path) -> None:
    stream = old_workbooks.records("A", [[1234, "x"], [0.5, 7]], formats={(0, 0): "00000", (1, 0): "0%"})
    data = old_workbooks.compound(stream)
    assert rows(read(data, tmp_path, "xls", replace(RAW, values="shown"))[0]) == [["01234", "x"], ["50%", "7"]]
    table, _ = read(data, tmp_path, "xls")
    assert rows(table) == [[1234, "x"], [0.5, 7]]
    assert table.found.count(Feature.NUMBER_FORMAT) == 2


def test_a_binary_workbook_is_shown_by_its_formats(tmp_path: Path) -> None:
    data = binary_workbooks.workbook({"A": [[date(2024, 2, 29), 1.5, "x", True]]})
    shown = rows(read(data, tmp_path, "xlsb", replace(RAW, values="shown"))[0])
    assert shown == [["2024-02-29", "1.5", "x", "TRUE"]]


def test_an_opendocument_sheet_is_shown_by_the_texts_in_it(tmp_path: Path) -> None:
    def percent(part: bytes) -> bytes:
        return re.sub(
            rb'<table:table-cell office:value-type="float" office:value="0.256"/>',
            b'<table:table-cell office:value-type="percentage" office:value="0.256"><office:annotation><text:p>note'
            b"</text:p></office:annotation><text:p>25.6<text:s/>%</text:p></table:table-cell>",
            part,
        )

    data = edited(spreadsheet({"Other": [[9]], "A": [[None, "x", 0.256], [1, 2, 3]]}), "content.xml", percent)
    options = replace(RAW, sheet="A", values="shown")
    assert rows(read(data, tmp_path, "ods", options)[0]) == [[None, "x", "25.6 %"], [1, 2, 3]]
    table, _ = read(data, tmp_path, "ods", replace(RAW, sheet="A"))
    assert table.found.count(Feature.NUMBER_FORMAT) == table.found.count(Feature.NOTE) == 1


def test_places_are_named_as_spreadsheets_do() -> None:
    assert [places.column_name(index) for index in (0, 25, 26, 701, 702, 16_383)] == [
        "A",
        "Z",
        "AA",
        "ZZ",
        "AAA",
        "XFD",
    ]
    assert all(places.column(places.column_name(index)) == index for index in range(16_384))


def test_an_old_workbook_under_a_new_name_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        read(old_workbooks.compound(old_workbooks.records("A", [[1]])), tmp_path, "xlsx")


def test_a_binary_cell_far_away_is_refused_before_room_is_made_for_it(tmp_path: Path) -> None:
    far: list[list[object]] = [[1], *([[]] * 30_000), [None] * 1000 + [1]]
    with pytest.raises(OverLimit):
        read(binary_workbooks.workbook({"A": far}), tmp_path, "xlsb")


def test_moments_keep_their_milliseconds(tmp_path: Path) -> None:
    moment = datetime(2024, 2, 29, 13, 5, 9, 123000)
    assert rows(read(workbook({"A": [[moment]]}), tmp_path)[0]) == [[moment]]


def test_midnight_is_a_moment_where_the_format_shows_a_time(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in ([datetime(2024, 2, 29), datetime(2024, 2, 29)], [datetime(2024, 3, 1, 9, 30), datetime(2024, 3, 1)]):
        sheet.append(row)
    for row in (1, 2):
        sheet.cell(row, 1).number_format = "yyyy-mm-dd hh:mm"
        sheet.cell(row, 2).number_format = 'd "hours" mmmm'
    found = rows(read(saved(book), tmp_path)[0])
    assert found == [[datetime(2024, 2, 29), date(2024, 2, 29)], [datetime(2024, 3, 1, 9, 30), date(2024, 3, 1)]]
    assert [type(cell) for row in found for cell in row] == [datetime, date, datetime, date]


@pytest.mark.parametrize(("code", "kind"), [("m/d/yyyy h:mm AM/PM", datetime), ("m/d/yyyy", date)])
def test_midnight_in_an_old_workbook_is_what_its_format_says(code: str, kind: type, tmp_path: Path) -> None:
    stream = old_workbooks.records("A", [[None, "at"], [None, 45_351]], formats={(1, 1): code})
    found = rows(read(old_workbooks.compound(stream), tmp_path, "xls")[0])
    assert found == [["at"], [kind(2024, 2, 29)]]
    assert type(found[1][0]) is kind


POOL = (
    "", "a", "x & y", "<b>", " lead", "trail ", "two  spaces", "line\nbreak", "_x0041_", "ü😀", "v" * 17_000, None, 1,
    -3, 2.5, 1e300, float("nan"), 10**15, True, date(2024, 1, 1),
)  # fmt: skip


def test_columns_of_one_kind_are_written_like_their_cells_one_by_one(tmp_path: Path) -> None:
    chance = random.Random(5)
    for _ in range(60):
        height = chance.randint(1, 6)
        columns = [
            [chance.choice(few) for _ in range(height)]
            for few in (chance.sample(POOL, chance.randint(1, 3)) for _ in range(4))
        ]
        cells = [list(row) for row in zip(*columns, strict=True)]
        written = []
        for batch in ([cells], [[row] for row in cells]):
            path = tmp_path / "output.xlsx"
            table = Table("A", list("abcd"), lambda batch=batch: iter(batch), named=False)
            xlsx.write([table], path, XlsxOut(), Warn())
            sheet = openpyxl.load_workbook(path).active
            written.append([[cell.value for cell in row] for row in sheet.iter_rows()])
        assert written[0] == written[1]
        assert written[0] == [[expected(cell) for cell in row] for row in cells]


def expected(value: Any) -> Any:
    """What a spreadsheet's cell holds for a value."""
    if isinstance(value, float) and value != value:
        return "NaN"
    if type(value) is int and abs(value) >= 10**15:
        return str(value)
    if value == "_x0041_":
        return "_x005F_x0041_"  # as it stands in the file, where the library leaves it
    return datetime(2024, 1, 1) if type(value) is date else None if value == "" else value


@pytest.mark.parametrize("entry", ["XL/Worksheets/Sheet1.xml", "xl\\worksheets\\sheet1.xml"])
def test_names_of_parts_are_found_in_any_spelling(entry: str, tmp_path: Path) -> None:
    data = everything_named(entry)
    table, _ = read(data, tmp_path)
    assert table.found.count(Feature.HIDDEN_ROW) == 1


def everything_named(entry: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(everything())) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            new.writestr(entry if name == SHEET else name, old.read(name))
    return file.getvalue()


def test_texts_of_two_bytes_a_character_are_read_as_such(tmp_path: Path) -> None:
    wide = "T\0i\0t\0e\0l\0"
    stream = old_workbooks.records("A", [["x", wide], ["y", 1]])
    assert rows(read(old_workbooks.compound(stream), tmp_path, "xls")[0]) == [["x", "Titel"], ["y", 1]]


def copied(data: bytes, tmp_path: Path, kind: str, output: str, **options: Any) -> tuple[bytes, set[str]]:
    """What a workbook becomes as another one, and the codes of its warnings."""
    source, target, warn = tmp_path / f"input.{kind}", tmp_path / f"output.{output}", Warn()
    source.write_bytes(data)
    converter = CONVERTERS[f"{kind}-to-{output}"]
    converter.run(source, target, converter.options(**options), warn)
    return target.read_bytes(), codes(warn)


def look() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["B3"], sheet["C3"], sheet["B4"], sheet["C5"] = 1234, 0.256, "x", date(2024, 2, 9)
    sheet["B3"].number_format, sheet["C3"].number_format = "00000", '0.0%" <of> all"'
    sheet["C5"].number_format = "d mmm yyyy"
    sheet.merge_cells("B4:C4")
    return saved(book)


def test_a_workbook_keeps_its_number_formats_and_merged_cells(tmp_path: Path) -> None:
    written, codes = copied(with_macros(look()), tmp_path, "xlsm", "xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(written)).active
    assert [sheet[place].number_format for place in ("A1", "B1", "B3")] == ["00000", '0.0%" <of> all"', "d mmm yyyy"]
    assert [sheet[place].value for place in ("A1", "B1", "A2", "B3")] == [1234, 0.256, "x", datetime(2024, 2, 9)]
    assert [each.coord for each in sheet.merged_cells.ranges] == ["A2:B2"]
    assert codes == {"SCRIPT_REMOVED"}


def test_what_one_workbook_format_keeps_of_another_is_not_told(tmp_path: Path) -> None:
    written, codes = copied(look(), tmp_path, "xlsx", "ods")
    content = zipfile.ZipFile(io.BytesIO(written)).read("content.xml")
    assert b'number-columns-spanned="2" table:number-rows-spanned="1"' in content
    assert content.count(b"<table:covered-table-cell") == 1
    assert codes == set()
    back, codes = copied(written, tmp_path, "ods", "xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(back)).active
    assert [each.coord for each in sheet.merged_cells.ranges] == ["A2:B2"]
    assert [sheet[place].number_format for place in ("A1", "B1", "B3")] == ["00000", '0.0%" <of> all"', "d mmm yyyy"]
    assert codes == set()


def test_what_belongs_to_places_is_told_where_rows_leave_them(tmp_path: Path) -> None:
    for options in ({"limit": 2}, {"header_row": True}, {"empty_rows": False}):
        written, codes = copied(look(), tmp_path, "xlsx", "ods", **options)
        assert b"spanned" not in zipfile.ZipFile(io.BytesIO(written)).read("content.xml")
        assert {"MERGED_CELLS", "VALUE_CONVERTED"} <= codes


def test_merged_areas_that_overlap_are_not_written_twice() -> None:
    area = places.Area
    areas = [area(0, 0, 1, 1), area(1, 1, 2, 2), area(5, 5, 5, 5), area(4, 0, 9, 0), area(4, 1, 4, 3)]
    assert apart(areas, area(0, 0, 6, 2)) == (area(0, 0, 1, 1), area(4, 0, 6, 0), area(4, 1, 4, 2))
    assert apart(areas, area(4, 0, 9, 9)) == (area(0, 0, 5, 0), area(0, 1, 0, 3))


def test_moments_with_microseconds_stay_moments(tmp_path: Path) -> None:
    moment = datetime(2024, 2, 29, 13, 5, 9, 123456)
    table = Table("A", ["a"], lambda: iter([[[moment]]]), named=False)
    warn, path = Warn(), tmp_path / "output.xlsx"
    xlsx.write([table], path, XlsxOut(), warn)
    cell = openpyxl.load_workbook(path).active["A1"]
    assert abs(cell.value - moment) < timedelta(milliseconds=1)
    assert cell.number_format == "yyyy-mm-dd hh:mm:ss.000"
    assert codes(warn) == {"VALUE_CONVERTED"}


def test_merged_cells_outside_of_the_filled_ones_are_kept_and_those_of_a_whole_sheet_told(tmp_path: Path) -> None:
    def merged(area: str) -> bytes:
        return workbook({"A": [["x"]]}, merge=area)

    written, codes = copied(merged("A1:C1"), tmp_path, "xlsx", "ods")
    content = zipfile.ZipFile(io.BytesIO(written)).read("content.xml")
    assert content.count(b"<table:covered-table-cell") == 2
    assert codes == set()
    written, codes = copied(merged("B4:C5"), tmp_path, "xlsx", "ods")
    assert b'number-rows-spanned="2"' in zipfile.ZipFile(io.BytesIO(written)).read("content.xml")
    whole = edited(
        workbook({"A": [["x"]]}, merge="A1:B1"), SHEET, lambda part: part.replace(b"A1:B1", b"A1:XFD1048576")
    )
    assert copied(whole, tmp_path, "xlsx", "ods")[1] == {"MERGED_CELLS"}


def test_a_number_beyond_all_floats_is_no_fault_of_the_reader(tmp_path: Path) -> None:
    data = edited(workbook({"A": [[7, "x"]]}), SHEET, lambda part: part.replace(b"<v>7<", b"<v>" + b"9" * 350 + b"<"))
    assert rows(read(data, tmp_path)[0])[0][1] == "x"


def test_chart_sheets_and_empty_sheets_are_both_named(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["a"])
    book.active.append([1])
    book.create_chartsheet("Chart")
    book.create_sheet("Empty")
    book.save(tmp_path / "input.xlsx")
    result = convert(tmp_path / "input.xlsx", tmp_path / "output.sqlite", sandbox=False)
    assert str(result.warnings[0].message) == (
        "Sheets without cells, such as charts, are not in the output: 2 (“Chart”, “Empty”)."
    )


@pytest.mark.parametrize("kind", ["xlsx", "ods", "xlsb"])
def test_the_first_sheet_with_cells_is_converted_and_empty_ones_are_named(kind: str, tmp_path: Path) -> None:
    cells: dict[str, list[list[Any]]] = {"Cover": [], "Notes": [], "Data": [["a"], [1]], "More": [["b"], [2]]}
    data = {
        "xlsx": lambda: workbook(cells),
        "ods": lambda: spreadsheet(cells),
        "xlsb": lambda: binary_workbooks.workbook(cells),
    }[kind]()
    table, warn = read(data, tmp_path, kind, SheetRows())
    assert (table.name, table.columns, rows(table)) == ("Data", ["a"], [[1]])
    told = [str(each.message) for each in warn.warnings if each.code == "SHEET_SKIPPED"]
    assert ["“Cover”, “Notes”" in told[0], "“More”" in told[1], len(told)] == [True, True, 2]


def test_a_hidden_sheet_with_cells_comes_after_visible_ones(tmp_path: Path) -> None:
    book = openpyxl.load_workbook(io.BytesIO(workbook({"Cover": [], "Lists": [["x"], [1]], "Data": [["a"], [2]]})))
    book["Lists"].sheet_state = "hidden"
    table, warn = read(saved(book), tmp_path, options=SheetRows())
    assert (table.name, rows(table)) == ("Data", [[2]])
    told = [str(each.message) for each in warn.warnings if each.code == "SHEET_SKIPPED"]
    assert "“Cover”" in told[0]
    assert "“Lists”" not in told[0]


def test_an_empty_sheet_is_converted_where_it_is_asked_for_or_no_other_has_cells(tmp_path: Path) -> None:
    data = workbook({"Cover": [], "Data": [["a"], [1]]})
    assert not read(data, tmp_path, options=SheetRows(sheet="Cover"))[0].columns
    table, warn = read(workbook({"A": [], "B": []}), tmp_path, options=SheetRows())
    assert (table.name, table.columns) == ("A", [])
    assert [each.code for each in warn.warnings] == ["SHEET_SKIPPED"]
