"""Workbooks in XML, as Excel 2003 writes them and many programs export them: sheets are tables, with their types."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import OverLimit
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.engine.losing import change, lost

BOOK = """<?xml version="1.0"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
<Styles><Style ss:ID="Default"/><Style ss:ID="p"><NumberFormat ss:Format="Percent"/></Style>
<Style ss:ID="c"><Interior ss:Color="#FFFF00" ss:Pattern="Solid"/></Style></Styles>
<Worksheet ss:Name="Sales"><Table><Column ss:Width="80"/>
<Row ss:Index="2"><Cell ss:Index="2"><Data ss:Type="String">name</Data></Cell>
<Cell><Data ss:Type="String">paid</Data></Cell>
<Cell><Data ss:Type="String">when</Data></Cell><Cell><Data ss:Type="String">ok</Data></Cell></Row>
<Row/>
<Row><Cell ss:Index="2" ss:HRef="http://example.org/"><Data ss:Type="String">Ada &amp; Co</Data></Cell>
<Cell ss:StyleID="p" ss:Formula="=1/4"><Data ss:Type="Number">0.25</Data></Cell>
<Cell><Data ss:Type="DateTime">2024-02-29T00:00:00.000</Data></Cell><Cell><Data ss:Type="Boolean">1</Data></Cell></Row>
<Row><Cell ss:Index="2" ss:MergeAcross="1" ss:StyleID="c"><Data ss:Type="String">both</Data></Cell>
<Cell><Data ss:Type="DateTime">2024-02-29T12:30:00.000</Data><Comment><Data>a note</Data></Comment></Cell>
<Cell><Data ss:Type="Error">#N/A</Data></Cell></Row>
<Row><Cell ss:Index="3"><Data ss:Type="Number">12345678901234567890</Data></Cell>
<Cell><Data ss:Type="DateTime">1899-12-31T08:15:00.000</Data></Cell></Row>
</Table></Worksheet>
<Worksheet ss:Name="Names"><Table><Row><Cell><Data ss:Type="String">alone</Data></Cell></Row></Table></Worksheet>
<Worksheet ss:Name="Empty"/>
</Workbook>"""
SALES = b"""name,paid,when,ok\r
Ada & Co,0.25,2024-02-29,true\r
both,,2024-02-29T12:30:00,#N/A\r
,12345678901234567890,08:15:00,\r
"""


def converted(folder: Path, slug: str, text: str = BOOK, **options: Any) -> tuple[bytes, Warn]:
    converter, warn = CONVERTERS[slug], Warn()
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_text(text)
    converter.run(source, target, build(converter.options, options), warn)
    return target.read_bytes(), warn


def test_the_first_sheet_is_a_table(tmp_path: Path) -> None:
    made, warn = converted(tmp_path, "xml-to-csv")
    assert made == SALES
    messages = {each.code: each.message for each in warn.warnings if each.code != "CONTENT_DROPPED"}
    assert messages.keys() == {
        "SHEET_SKIPPED", "FORMULA_VALUE", "COMMENTS_DROPPED", "MERGED_CELLS", "VALUE_CONVERTED",
    }  # fmt: skip
    assert "Names" in messages["SHEET_SKIPPED"]
    assert "Percent" in messages["VALUE_CONVERTED"]
    dropped = " ".join(each.message for each in warn.warnings if each.code == "CONTENT_DROPPED")
    assert all(each in dropped for each in ("Cell links", "Cell fill colours", "Column widths"))


@pytest.mark.parametrize("name", ["Workbook", "ss:Workbook"])
def test_elements_may_have_the_prefix_of_their_namespace(tmp_path: Path, name: str) -> None:
    text = BOOK
    if name != "Workbook":
        for element in ("Workbook", "Styles", "Style", "Worksheet", "Table", "Row", "Cell", "Data", "Column"):
            for end in (" ", ">", "/>"):
                text = text.replace(f"<{element}{end}", f"<ss:{element}{end}").replace(
                    f"</{element}>", f"</ss:{element}>"
                )
        text = text.replace(' xmlns="urn:schemas-microsoft-com:office:spreadsheet"', "")
    assert converted(tmp_path, "xml-to-csv", text)[0] == SALES


def test_all_sheets_are_kept_those_of_one_row_too(tmp_path: Path) -> None:
    made, _ = converted(tmp_path, "xml-to-csv", sheets="all")
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert [archive.read(each) for each in archive.namelist()][:2] == [SALES, b"alone\r\n"]


def test_types_reach_a_workbook(tmp_path: Path) -> None:
    made, _ = converted(tmp_path, "xml-to-xlsx", sheets="all")
    book = openpyxl.load_workbook(io.BytesIO(made))
    assert book.sheetnames == ["Sales", "Names", "Empty"]
    rows = [[cell.value for cell in row] for row in book["Sales"].iter_rows(min_row=2)]
    assert rows[0][:2] == ["Ada & Co", 0.25]
    assert rows[0][2] in (date(2024, 2, 29), datetime(2024, 2, 29))
    assert (rows[0][3], rows[1][3]) == (True, "#N/A")
    assert (rows[1][2], rows[2][2]) == (datetime(2024, 2, 29, 12, 30), time(8, 15))


def test_what_stays_a_document_stays_what_it_is(tmp_path: Path) -> None:
    made, _ = converted(tmp_path, "xml-to-json")
    assert json.loads(made)["Workbook"]["Worksheet"][1]["@ss:Name"] == "Names"
    assert converted(tmp_path, "xml-to-csv", BOOK.replace("office:spreadsheet", "office:other"))[0] != SALES


def test_a_cell_far_away_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OverLimit):
        converted(tmp_path, "xml-to-csv", BOOK.replace('ss:Index="3"', 'ss:Index="999999"'))


def missing(folder: Path, book: str, lost: str = "") -> list[str]:
    """What the counting says is missing from a CSV of the book, after a value was taken out of it."""
    source, target, warn = folder / "input.xml", folder / "output.csv", Warn()
    source.write_text(book)
    converter = CONVERTERS["xml-to-csv"]
    options = build(converter.options, {})

    def tear(written: object, kinds: object) -> None:
        target.write_text(target.read_text().replace(lost, ""))

    auditing.run(converter, source, target, options, warn, converted=tear)
    return [str(each.message) for each in warn.warnings if "missing from" in str(each.message)]


def test_styles_settings_and_other_sheets_are_no_missing_values(tmp_path: Path) -> None:
    book = BOOK.replace("1899-12-31T", "2024-12-31T")  # a time without a date is another value
    assert missing(tmp_path, book) == []
    assert missing(tmp_path, book.replace(">paid<", ">name<")) == []  # renamed, which is named
    assert missing(tmp_path, book, "Ada & Co")[0].startswith("Values are missing from the result: 1 (")


_PROPERTIES = (
    '<DocumentProperties xmlns="urn:schemas-microsoft-com:office:office"><Author>Grace</Author>'
    "<Created>2006-09-16T00:00:00Z</Created></DocumentProperties><ExcelWorkbook "
    'xmlns="urn:schemas-microsoft-com:office:excel"><ProtectStructure>False</ProtectStructure></ExcelWorkbook><Styles>'
)


@pytest.mark.parametrize("output", ["csv", "html", "markdown", "xlsx", "json", "yaml", "xml"])
def test_properties_of_the_document_are_no_missing_words(tmp_path: Path, output: str) -> None:
    book = BOOK.replace("<Styles>", _PROPERTIES).encode()
    assert lost(tmp_path, f"xml-to-{output}", book, None) == set()


@pytest.mark.parametrize("output", ["csv", "html", "json"])
def test_a_cell_that_a_result_lacks_is_missing(tmp_path: Path, output: str) -> None:
    assert lost(tmp_path, f"xml-to-{output}", BOOK.encode(), change("Ada")) & {"values", "words"}


def test_a_property_that_a_result_of_the_whole_document_lacks_is_missing(tmp_path: Path) -> None:
    book = BOOK.replace("<Styles>", _PROPERTIES).encode()
    assert lost(tmp_path, "xml-to-yaml", book, change("Grace", "Nobody")) == {"values"}


def test_the_first_sheet_with_cells_is_a_table_and_empty_ones_are_named(tmp_path: Path) -> None:
    book = BOOK.replace('<Worksheet ss:Name="Sales">', '<Worksheet ss:Name="Cover"/><Worksheet ss:Name="Sales">')
    made, warn = converted(tmp_path, "xml-to-csv", book)
    assert made == SALES
    told = [str(each.message) for each in warn.warnings if each.code == "SHEET_SKIPPED"]
    assert [("“Cover”" in each, "“Names”, “Empty”" in each) for each in told] == [(True, False), (False, True)]
