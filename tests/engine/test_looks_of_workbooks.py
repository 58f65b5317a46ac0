"""Looks and rules of workbooks are counted: what a writer loses is named, with its count and first places."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font
from openpyxl.styles.colors import Color
from openpyxl.worksheet.pagebreak import Break

from engine.families import auditing
from engine.families.data.counting import binary, binary_looks, excel_cells, looks, ods_looks, rich_texts
from engine.families.data.counting.looks import Looks
from engine.families.registry import CONVERTERS
from engine.toolkit.census import EVERYTHING, LOSSES, PLACED, Census
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.engine import rich_files
from tests.engine.test_every_kind import each_part, lost
from tests.families.data import binary_workbooks

SAMPLES = Path(__file__).parents[1] / "converters" / "samples"
"""looks.ods and looks.xls are the formatted workbook as LibreOffice saves it, which forgets the frozen row."""
KEPT = {
    ("xlsx", "formats"): each_part(r'<c s="\d+">', "<c>"),
    ("xlsx", "merges"): each_part("<mergeCell [^>]*>"),
    ("xlsx", "widths"): each_part(' customWidth="1"'),
    ("xlsx", "hidden"): each_part(' hidden="1"'),
    ("ods", "formats"): each_part(r' table:style-name="f\d+"'),
    ("ods", "merges"): each_part(r' table:number-(?:rows|columns)-spanned="\d+"'),
    ("ods", "widths"): each_part(r' table:style-name="w\d+"'),
    ("ods", "hidden"): each_part(' table:visibility="collapse"'),
}
"""What each writer of workbooks loses of the looks that it keeps."""
NOT_KEPT = looks.KINDS - {kind for _, kind in KEPT} - {"fills", "pivots"}  # the reader names fills
SOURCES = {
    "xlsx": rich_files.formatted_workbook,
    "ods": (SAMPLES / "looks.ods").read_bytes,
    "xls": (SAMPLES / "looks.xls").read_bytes,
    "xlsb": binary_workbooks.formatted,
}
LANDSCAPE, PORTRAIT = (bytes.fromhex(f"a1002200090064000000010001000{flag}00") for flag in "02")
"""How an xls file begins the page set-up of a sheet."""
PAIRS = [(given, output) for given in SOURCES for output in ("xlsx", "ods") if given != output]


@pytest.mark.parametrize("kind", sorted({kind for _, kind in KEPT}))
@pytest.mark.parametrize(("given", "output"), PAIRS)
def test_a_look_that_a_writer_drops_is_named(tmp_path: Path, given: str, output: str, kind: str) -> None:
    slug, data = f"{given}-to-{output}", SOURCES[given]()
    whole = lost(tmp_path, slug, data, None)
    assert lost(tmp_path, slug, data, KEPT[output, kind]) - whole == {kind}


ABSENT = {
    "xlsx": {"pivots", "runs", "shifts"},
    "xlsb": {"runs", "shifts"},
    "xls": {"pivots", "panes", "runs", "shifts", "protections"},
    "ods": {"pivots", "panes", "heads", "runs", "shifts", "protections"},
}
"""What each source does not have."""


@pytest.mark.parametrize(("given", "output"), PAIRS)
def test_looks_that_no_writer_keeps_are_named_and_no_others(tmp_path: Path, given: str, output: str) -> None:
    assert lost(tmp_path, f"{given}-to-{output}", SOURCES[given](), None) == (NOT_KEPT | {"pivots"}) - ABSENT[given]


XLSB_RECORDS = {
    "conditions": 463, "filters": 161, "formats": 47, "heads": 479, "hidden": 0, "merges": 176, "names": 39,
    "panes": 151, "validations": 64, "widths": 60, "fonts": 43, "borders": 46, "alignments": 47,
    "setups": 478, "protections": 535,
}  # fmt: skip
"""The record (MS-XLSB, 2.3.2) in which an xlsb file keeps each look."""


@pytest.mark.parametrize("kind", sorted(XLSB_RECORDS))
def test_a_look_of_an_xlsb_workbook_is_found_in_its_record(tmp_path: Path, kind: str) -> None:
    whole, bare = tmp_path / "input.xlsb", tmp_path / "bare" / "input.xlsb"
    bare.parent.mkdir()
    whole.write_bytes(binary_workbooks.formatted())
    bare.write_bytes(binary_workbooks.plain(whole.read_bytes(), XLSB_RECORDS[kind]))
    assert binary.workbook(whole).without(()).total(kind) == 1
    assert binary.workbook(bare).without(()).total(kind) == 0


def test_widths_of_a_sheet_without_values_are_not_missing(tmp_path: Path) -> None:
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["name"])
    empty = book.create_sheet("Empty")
    empty.column_dimensions["A"].width = 40
    empty.merge_cells("A1:B2")
    empty.row_dimensions[1].hidden = True
    book.save(out)
    assert told(tmp_path, out.getvalue(), "xlsx-to-ods") == {}


@pytest.mark.parametrize("given", SOURCES)
@pytest.mark.parametrize("output", ["csv", "json", "html", "markdown", "xml", "parquet", "sqlite"])
def test_outputs_without_looks_name_them_in_two_warnings(tmp_path: Path, given: str, output: str) -> None:
    if f"{given}-to-{output}" not in CONVERTERS:
        pytest.skip("there is no such conversion")
    assert lost(tmp_path, f"{given}-to-{output}", SOURCES[given](), None) == {"formatting", "rules"}


def told(folder: Path, data: bytes, slug: str) -> dict[str, str]:
    """The messages about kinds of looks."""
    source, warn = folder / f"input.{slug.partition('-')[0]}", Warn()
    source.write_bytes(data)
    converter = CONVERTERS[slug]
    auditing.run(converter, source, folder / f"output.{converter.output.id}", build(converter.options, {}), warn)
    kinds = {LOSSES[kind].template: kind for kind in PLACED}
    found = ((kinds.get(str(each.message.template)), str(each.message)) for each in warn.warnings)
    return {kind: message.partition(": ")[2] for kind, message in found if kind}


def test_looks_are_named_with_their_count_and_places(tmp_path: Path) -> None:
    assert told(tmp_path, rich_files.formatted_workbook(), "xlsx-to-ods") == {
        "fonts": "1 (Paid!A1).",
        "borders": "1 (Paid!A3).",
        "alignments": "1 (Paid!B2).",
        "conditions": "1 (Paid!B2:B4).",
        "validations": "1 (Paid!A2:A9).",
        "filters": "1 (Paid!A1:C4).",
        "panes": "1 (Paid!A2).",
        "heads": "1.",
        "names": "1 (shares).",
        "setups": "1 (Paid).",
        "protections": "1 (Paid).",
    }
    assert told(tmp_path, rich_files.formatted_workbook(), "xlsx-to-csv") == {
        "formatting": "3 (Paid!A1, Paid!B2, Paid!A3).",
        "rules": "8 (shares, Paid!B2:B4, Paid!A2:A9, Paid!A1:C4, Paid!A2, …).",
    }


def test_a_pivot_table_is_named(tmp_path: Path) -> None:
    pivot = '<table:data-pilot-tables><table:data-pilot-table table:name="P"/></table:data-pilot-tables>'
    data = each_part("</office:spreadsheet>", f"{pivot}</office:spreadsheet>")(SOURCES["ods"]())
    assert told(tmp_path, data, "ods-to-xlsx")["pivots"] == "1 (P)."


def test_plain_cells_dates_and_columns_beyond_the_table_are_no_looks(tmp_path: Path) -> None:
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["name", "day"])
    book.active.append(["Ada", "2020-01-01"])
    book.active["B2"].number_format = "yyyy-mm-dd"
    book.active.column_dimensions["H"].width = 40
    book.active.merge_cells("F8:G9")
    book.save(out)
    for output in ("ods", "csv"):
        assert told(tmp_path, out.getvalue(), f"xlsx-to-{output}") == {}


def test_every_kind_of_looks_is_declared_as_counted_by_places() -> None:
    assert looks.KINDS | looks.TOGETHER == PLACED
    assert PLACED <= EVERYTHING


@pytest.mark.parametrize(
    ("head", "telling"),
    [
        ("&C&A", False),
        ('&C&"Times New Roman,Regular"&12Page &P', False),
        ("&RPage &P of &N", False),
        ("&LConfidential", True),
        ("&CReport of May, page &P", True),
        ("", False),
    ],
)
def test_heads_of_pages_with_a_number_or_name_alone_say_nothing(head: str, *, telling: bool) -> None:
    assert looks.is_telling(head) is telling


@pytest.mark.parametrize(
    ("font", "is_unlike"),
    [
        (Font(name="Calibri", color="FF000000"), False),  # as Google Sheets writes the usual font, without its size
        (Font(name="Calibri", sz=11.0, color=Color(indexed=64)), False),
        (Font(name="Calibri", color="FF0000FF"), True),
        (Font(name="Calibri", sz=12), True),
    ],
)
def test_a_font_that_looks_like_the_usual_one_is_no_look(tmp_path: Path, font: Font, *, is_unlike: bool) -> None:
    book = openpyxl.Workbook()
    cell = book.active["A1"]
    cell.value, cell.font = "x", font
    out = io.BytesIO()
    book.save(out)
    assert ("fonts" in lost(tmp_path, "xlsx-to-ods", out.getvalue(), None)) is is_unlike


@pytest.mark.parametrize(("colour", "is_unlike"), [("#000000", False), ("#000080", True)])
def test_black_is_the_colour_of_text_without_one(tmp_path: Path, colour: str, *, is_unlike: bool) -> None:
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "style", "table", "text")
    )
    content = (
        f'<office:document-content {names} xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0">'
        f'<office:automatic-styles><style:style style:name="a" style:family="table-cell"><style:text-properties '
        f'fo:color="{colour}"/></style:style></office:automatic-styles><office:body><office:spreadsheet>'
        '<table:table table:name="One"><table:table-row><table:table-cell table:style-name="a" '
        'office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row></table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        file.writestr("content.xml", content)
        manifest = '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
        file.writestr("META-INF/manifest.xml", manifest)
    assert ("fonts" in lost(tmp_path, "ods-to-xlsx", out.getvalue(), None)) is is_unlike


@pytest.mark.parametrize("given", SOURCES)
def test_pages_that_stand_upright_have_no_print_settings(tmp_path: Path, given: str) -> None:
    upright = {
        "xlsx": each_part(r'<pageSetup orientation="landscape" ?/>'),
        "ods": each_part('style:print-orientation="landscape"', 'style:print-orientation="portrait"'),
        "xls": lambda data: data.replace(LANDSCAPE, PORTRAIT),
        "xlsb": lambda data: binary_workbooks.plain(data, 478),
    }
    output = "ods" if given == "xlsx" else "xlsx"
    data = SOURCES[given]()
    assert "setups" in told(tmp_path, data, f"{given}-to-{output}")
    assert "setups" not in told(tmp_path, upright[given](data), f"{given}-to-{output}")


def test_each_print_setting_of_a_sheet_is_counted(tmp_path: Path) -> None:
    book, out = openpyxl.Workbook(), io.BytesIO()
    sheet = book.active
    sheet.append(["name"])
    sheet.page_setup.paperSize = 8
    sheet.page_setup.scale = 60
    sheet.print_options.gridLines = True
    sheet.print_area = "A1:A9"
    sheet.print_title_rows = "1:1"
    sheet.row_breaks.append(Break(id=1))
    book.save(out)
    assert told(tmp_path, out.getvalue(), "xlsx-to-ods") == {"setups": "6 (Sheet, …)."}


def _with_bold_word(**more: InlineFont) -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["name"])
    book.active.append([CellRichText("one ", *(TextBlock(font, word) for word, font in more.items()))])
    book.save(out)
    return out.getvalue()


def test_a_word_with_a_look_of_its_own_is_named(tmp_path: Path) -> None:
    data = _with_bold_word(two=InlineFont(b=True), three=InlineFont(sz=11))
    assert told(tmp_path, data, "xlsx-to-ods") == {"runs": "1 (Sheet!A2)."}
    assert told(tmp_path, data, "xlsx-to-csv") == {"formatting": "1 (Sheet!A2)."}
    assert told(tmp_path, _with_bold_word(two=InlineFont(sz=11, color="FF000000")), "xlsx-to-ods") == {}


def test_a_word_with_a_look_of_its_own_is_found_in_shared_strings_and_open_document(tmp_path: Path) -> None:
    shared = b"<sst><si><t>a</t></si><si><r><t>b</t></r><r><rPr><b/></rPr><t>c</t></r></si></sst>"
    rich = rich_texts.rich_items(shared.split(b"</si>"))
    assert rich == {b"1"}
    census = Census()
    rich_texts.see_sheet(Looks(census, "S"), b'<c r="A1" t="s"><v>1</v></c><c r="A2" t="s"><v>0</v></c>', rich)
    assert census.total("runs") == 1
    span = (
        '<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>'
    )
    data = each_part("</office:automatic-styles>", f"{span}</office:automatic-styles>")(SOURCES["ods"]())
    data = each_part("<text:p>Ada</text:p>", '<text:p>A<text:span text:style-name="B">da</text:span></text:p>')(data)
    assert told(tmp_path, data, "ods-to-xlsx")["runs"] == "1."


@pytest.mark.parametrize(("place", "named"), [("A1", {}), ("C5", {"shifts": "6 (Sheet, …)."})])
def test_empty_rows_and_columns_before_a_table_are_named(tmp_path: Path, place: str, named: dict[str, str]) -> None:
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active[place] = "name"
    book.save(out)
    for output in ("ods", "csv", "json"):
        assert told(tmp_path, out.getvalue(), f"xlsx-to-{output}") == named


@pytest.mark.parametrize("code", ["GENERAL", "General", "general"])
def test_the_general_format_is_no_number_format_in_any_letters(tmp_path: Path, code: str) -> None:
    assert not binary_looks._is_number_format(code)
    book = openpyxl.Workbook()
    cell = book.active["A1"]
    cell.value, cell.number_format = 3, code
    out = io.BytesIO()
    book.save(out)
    assert "formats" not in lost(tmp_path, "xlsx-to-ods", out.getvalue(), None)


def test_quotes_in_the_places_of_open_document_are_read(tmp_path: Path) -> None:
    assert ods_looks._given(b'<x table:target-range-address="&apos;5000&apos;.A1"') == {
        "table:target-range-address": "'5000'.A1"
    }


@pytest.mark.parametrize("more", [b"", b' cm="%d"'])
def test_cells_whose_tags_all_differ_are_found_in_one_pass(more: bytes) -> None:
    cells = b"".join(
        b'<c t="s" s="1"%s r="A%d"><v>0</v></c>' % (more % at if more else b"", at) for at in range(1, 30_001)
    )
    census = Census()
    began = time.process_time()
    excel_cells.see(Looks(census, "A"), b"<sheetData>" + cells + b"</sheetData>", {b"1": frozenset({"formats"})})
    assert time.process_time() - began < 2  # 25 s if each is searched for
    assert census.items["formats"].total() == 30_000
    assert [each for each in census.items["formats"] if each][:2] == ["A!A1", "A!A2"]
