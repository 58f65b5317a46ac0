"""Looks: what belongs to places of a sheet, from one workbook format to another and back."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date
from pathlib import Path
from typing import Any
from xml.parsers import expat

import openpyxl
import pytest
from openpyxl.comments import Comment

from engine.families.data.workbooks import ods_formats, ods_formats_out
from engine.families.data.workbooks.format_codes import BUILT_IN
from engine.families.registry import CONVERTERS
from engine.toolkit import number_formats
from engine.toolkit.failures import Unreadable
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

ADDRESS = "https://example.com/?a=1&b=<2>"
NOTE = "Look <here>\nand there"


def dressed() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "My Data"
    sheet["A1"], sheet["B1"], sheet["C1"] = 1234, 0.256, date(2024, 2, 9)
    sheet["A1"].number_format, sheet["B1"].number_format = "00000", "0.0%"
    sheet["C1"].number_format = "d mmm yyyy"
    sheet["A2"], sheet["B2"], sheet["A3"] = "out", "in", -5
    sheet["A2"].hyperlink, sheet["B2"].hyperlink = ADDRESS, "#'My Data'!A1"
    sheet["A3"].number_format = "#,##0.00;[Red]-#,##0.00"
    sheet["A2"].comment, sheet["E9"].comment = Comment(NOTE, "me"), Comment("far", "me")
    sheet.column_dimensions["B"].width = 30
    sheet.column_dimensions["C"].hidden = True
    sheet.row_dimensions[3].hidden = True
    book.create_sheet("Other")["A1"] = 1
    book["Other"].sheet_state = "hidden"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def copied(folder: Path, slug: str, data: bytes, **options: Any) -> tuple[bytes, list[str]]:
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    warn = Warn()
    converter.run(source, target, build(converter.options, options), warn)
    return target.read_bytes(), [each.message for each in warn.warnings]


def is_dressed(data: bytes) -> None:
    book = openpyxl.load_workbook(io.BytesIO(data))
    sheet = book["My Data"]
    assert [sheet[place].value for place in ("A1", "B1", "A2", "B2", "A3")] == [1234, 0.256, "out", "in", -5]
    assert [sheet[place].number_format for place in ("A1", "B1", "C1", "A3")] == [
        "00000", "0.0%", "d mmm yyyy", "#,##0.00;[Red]-#,##0.00",
    ]  # fmt: skip
    assert sheet["A2"].hyperlink.target == ADDRESS
    assert sheet["B2"].hyperlink.location == "'My Data'!A1"
    assert (sheet["A2"].comment.text, sheet["E9"].comment.text) == (NOTE, "far")
    assert round(sheet.column_dimensions["B"].width, 1) == 30
    assert [name for name, each in sheet.column_dimensions.items() if each.hidden] == ["C"]
    assert [row for row, each in sheet.row_dimensions.items() if each.hidden] == [3]
    assert [each.sheet_state for each in book] == ["visible", "hidden"]


def test_excel_to_excel_keeps_the_look(tmp_path: Path) -> None:
    made, messages = copied(tmp_path, "xlsm-to-xlsx", dressed())
    assert messages == []
    is_dressed(made)
    names = zipfile.ZipFile(io.BytesIO(made)).namelist()
    assert {"xl/comments1.xml", "xl/drawings/vmlDrawing1.vml", "xl/worksheets/_rels/sheet1.xml.rels"} <= set(names)


def test_excel_to_opendocument_and_back_keeps_the_look(tmp_path: Path) -> None:
    made, messages = copied(tmp_path, "xlsx-to-ods", dressed())
    assert messages == []
    back, messages = copied(tmp_path, "ods-to-xlsx", made)
    assert messages == []
    is_dressed(back)
    shown, _ = copied(tmp_path, "ods-to-csv", made, values="shown", headerRow="no")
    assert shown.splitlines() == [b"01234,25.6%,9 Feb 2024", b"out,in,", b"-5.00,,"]


@pytest.mark.parametrize("slug", ["xlsx-to-csv", "ods-to-csv"])
def test_what_no_text_has_is_told_by_kind(tmp_path: Path, slug: str) -> None:
    data = dressed() if slug.startswith("xlsx") else copied(tmp_path, "xlsx-to-ods", dressed())[0]
    _, messages = copied(tmp_path, slug, data)
    for words in (
        "Column widths",
        "Hidden columns",
        "Hidden rows",
        "Cell links",
        "Cell notes",
        "Number formats",
    ):
        assert any(each.startswith(words) for each in messages), words


def test_what_is_left_of_its_place_is_reported(tmp_path: Path) -> None:
    made, messages = copied(tmp_path, "xlsx-to-ods", dressed(), range="B2:C3", sheet="1")
    assert any(each.startswith("Cell notes") for each in messages)
    assert b"annotation" not in zipfile.ZipFile(io.BytesIO(made)).read("content.xml")
    _, messages = copied(tmp_path, "xlsx-to-ods", dressed(), limit=2)
    assert any(each.startswith("Column widths") for each in messages)


def test_a_hidden_sheet_that_is_alone_is_shown_and_reported(tmp_path: Path) -> None:
    made, messages = copied(tmp_path, "xlsm-to-xlsx", dressed(), sheet="Other")
    assert [each.sheet_state for each in openpyxl.load_workbook(io.BytesIO(made))] == ["visible"]
    assert any(each.startswith("Hidden sheets") for each in messages)


def test_a_note_far_below_costs_no_row_for_each_in_between(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active["A1"] = 1
    book.active["A1000000"].comment = Comment("far", "me")
    file = io.BytesIO()
    book.save(file)
    made, _ = copied(tmp_path, "xlsx-to-ods", file.getvalue())
    content = zipfile.ZipFile(io.BytesIO(made)).read("content.xml")
    assert len(content) < 10_000
    assert b'number-rows-repeated="999998"' in content


def test_colours_and_widths_of_opendocument_are_reported(tmp_path: Path) -> None:
    made, _ = copied(tmp_path, "xlsx-to-ods", dressed())
    style = (
        b'<style:style style:name="ce1" style:family="table-cell"><style:table-cell-properties '
        b'fo:background-color="#ffff00"/></style:style></office:automatic-styles>'
    )
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            data = old.read(name).replace(b"</office:automatic-styles>", style)
            new.writestr(
                name,
                data.replace(b'<table:table-cell table:style-name="f0"', b'<table:table-cell table:style-name="ce1"'),
            )
    _, messages = copied(tmp_path, "ods-to-csv", file.getvalue())
    assert any(each.startswith("Cell fill colours") and ": 1 " in each for each in messages)
    assert any(each.startswith("Column widths") and ": 1 " in each for each in messages)


def test_styles_that_are_no_xml_are_damage(tmp_path: Path) -> None:
    made, _ = copied(tmp_path, "xlsx-to-ods", dressed())
    file = io.BytesIO(made)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("styles.xml", "<a><b></a>")
    with pytest.raises(Unreadable):
        copied(tmp_path, "ods-to-xlsx", file.getvalue())


def test_columns_before_the_first_are_no_columns(tmp_path: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(dressed())) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b' min="2"', b' min="-9"'))
    made, _ = copied(tmp_path, "xlsx-to-ods", file.getvalue())
    assert made


CODES = (
    *BUILT_IN.values(), "00000", "0.0%", "#,##0.00;[Red]-#,##0.00", "0.00 €", '"$"#,##0.00', "dddd, mmmm d, yyyy",
    "hh:mm:ss.000", "[h]:mm", "0.0##", "#,##0,", '0" kg"', '0.00;(0.00);"zero"', "[<10]0;0.0", "[$€-407] #,##0.00",
    '#,##0 "a;b"', "000-00-0000",
)  # fmt: skip
NO_COUNTERPART = {
    "@", "##0.0E+0", "[<10]0;0.0", "000-00-0000",
    '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
    '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)',
}  # fmt: skip


@pytest.mark.parametrize("code", dict.fromkeys(CODES))
def test_a_format_of_opendocument_shows_what_the_code_shows(code: str) -> None:
    style = ods_formats_out.data_style("N1", code)
    if code in NO_COUNTERPART:
        assert style is None
        return
    styles = ods_formats.Styles()
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = styles.start, styles.end
    parser.CharacterDataHandler = styles.text
    parser.Parse(f"<a>{style}</a>", True)
    styles.declare({"style:family": "table-cell", "style:name": "c", "style:data-style-name": "N1"})
    back = styles.code("c") or "General"
    for value in (0, 1, -1, 1234.5678, 0.256, 45000.75, -0.5, 123456789):
        assert number_formats.shown(value, back) == number_formats.shown(value, code)


@pytest.mark.parametrize("options", [{}, {"values": "shown"}], ids=["raw", "shown"])
@pytest.mark.parametrize("slug", ["xlsx-to-csv", "xlsx-to-ods"])
def test_cells_that_say_no_place_are_what_those_that_do_are(tmp_path: Path, slug: str, options: dict[str, str]) -> None:
    book = openpyxl.Workbook()
    for row in ([1, "=A1*2"], ["out", 0.25], ["#N/A", 1234567890123456]):
        book.active.append(row)
    book.active["A1"].number_format, book.active["B2"].number_format = "00000", "0.0%"
    book.active["A3"].data_type = "e"
    book.active.row_dimensions[2].hidden = True
    file = io.BytesIO()
    book.save(file)
    placed = file.getvalue()
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["xl/worksheets/sheet1.xml"] = re.sub(rb'(<(?:c|row)) r="\w+"', rb"\1", parts["xl/worksheets/sheet1.xml"])
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)

    assert file.getvalue() != placed
    assert copied(tmp_path, slug, file.getvalue(), **options) == copied(tmp_path, slug, placed, **options)


@pytest.mark.parametrize("slug", ["xlsx-to-csv", "xlsx-to-ods"])
def test_phonetic_readings_of_cells_are_named(tmp_path: Path, slug: str) -> None:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for text in ("town", "read", "city"):
        book.active.append([text])
    book.save(file)
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    readings = 'read</t><rPh sb="0" eb="1"><t>トウ</t></rPh><rPh sb="1" eb="2"><t>キョウ</t></rPh></is>'.encode()
    read = parts[sheet].replace(b"read</t></is>", readings)
    assert read != parts[sheet]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in (parts | {sheet: read}).items():
            archive.writestr(name, data)
    _, warnings = copied(tmp_path, slug, file.getvalue())
    assert [str(each) for each in warnings if "readings" in str(each)] == [
        "Phonetic readings (furigana) in cells are not in the output: 1."
    ]
