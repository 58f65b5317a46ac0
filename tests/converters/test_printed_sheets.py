"""Workbooks as a spreadsheet program prints them, drawn without an office suite."""

from __future__ import annotations

import io
import re
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import openpyxl
import pikepdf
import pypdfium2
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.drawing.image import Image as Picture
from openpyxl.formatting.rule import CellIsRule, ColorScaleRule, FormulaRule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.table import Table, TableStyleInfo
from PIL import Image
from reportlab.pdfgen import canvas

from conversions.work import runner
from engine.families import auditing
from engine.families.registry import DECLARED
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import InvalidOption, OverLimit
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.families.images import metafiles

XLSX = next(each for each in DECLARED if each.slug == "xlsx-to-pdf" and each.profile == "pdf")
ODS = next(each for each in DECLARED if each.slug == "ods-to-pdf" and each.profile == "pdf")
Make = Callable[[openpyxl.Workbook], object]


def workbook(make: Make) -> bytes:
    book = openpyxl.Workbook()
    make(book)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


class Pages:
    """The PDF of a workbook, and the warnings beside those about fonts."""

    def __init__(self, data: bytes, converter: Converter = XLSX, **options: object) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, f"input.{converter.input.id}"), Path(folder, "output.pdf")
            source.write_bytes(data)
            warn = Warn()
            auditing.run(converter, source, target, build(converter.options, dict(options)), warn)  # type: ignore[arg-type]
            self.data = target.read_bytes()
        self.warnings = [str(each.message) for each in warn.warnings if each.code != "FONT_SUBSTITUTED"]
        self.codes = {each.code for each in warn.warnings} - {"FONT_SUBSTITUTED"}
        self.pdf = pypdfium2.PdfDocument(self.data)

    def __len__(self) -> int:
        return len(self.pdf)

    @property
    def texts(self) -> list[str]:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in self.pdf]

    def box(self, text: str, page: int = 0) -> tuple[float, float, float, float]:
        """The left, bottom, right and top of a text."""
        read = self.pdf[page].get_textpage()
        at, count = read.search(text, match_case=True).get_next() or (-1, 0)
        assert at >= 0, text
        boxes = [read.get_charbox(each) for each in range(at, at + count)]
        return (
            min(each[0] for each in boxes),
            min(each[1] for each in boxes),
            max(each[2] for each in boxes),
            max(each[3] for each in boxes),
        )

    def colour(self, x: float, y: float, page: int = 0) -> tuple[int, ...]:
        """The colour at a place, in points from the left and the bottom."""
        picture = self.pdf[page].render(scale=4).to_pil().convert("RGB")
        found = picture.getpixel((round(x * 4), picture.height - round(y * 4)))
        assert isinstance(found, tuple)
        return found

    def count(self, colour: tuple[int, int, int]) -> int:
        """The pixels of the first page that have a colour."""
        picture = self.pdf[0].render(scale=2).to_pil().convert("RGB")
        return sum(number for number, each in picture.getcolors(1 << 24) or () if each == colour)


def rows(count: int, columns: int = 3) -> Make:
    def make(book: openpyxl.Workbook) -> None:
        for row in range(1, count + 1):
            book.active.append([f"r{row}c{column}" for column in range(1, columns + 1)])
        book.active.page_setup.paperSize = 9

    return make


def test_cells_are_drawn_as_the_sheet_formats_them() -> None:
    def make(book: openpyxl.Workbook) -> None:
        sheet = book.active
        sheet["A1"], sheet["B1"], sheet["C1"] = 1234.5, 0.25, "left"
        sheet["A1"].number_format, sheet["B1"].number_format = "#,##0.00 $", "0%"
        sheet["C1"].font = Font(name="Arial", size=20, bold=True, color="FFFF0000")
        sheet["A2"] = "filled"
        sheet["A2"].fill = PatternFill("solid", fgColor="FF00FF00")
        sheet["B2"] = "centred"
        sheet["B2"].alignment = Alignment(horizontal="center")
        sheet["C3"].border = Border(bottom=Side("thick", color="FF0000FF"))
        sheet.column_dimensions["B"].width = 30

    made = Pages(workbook(make))
    assert made.texts == ["1,234.50 $ 25% left filled centred"]
    assert made.box("left")[3] - made.box("left")[1] > 12, "the size of the font"
    filled = made.box("filled")
    assert made.colour(filled[0] - 1, filled[3] + 1) == (0, 255, 0)
    start = filled[0] - 2
    assert 46 < (made.box("left")[0] - made.box("filled")[0]) - 30 * 5.25 < 56, "A is 48 points wide, B 30 characters"
    middle = (made.box("centred")[0] + made.box("centred")[2]) / 2
    assert abs(middle - (start + 48 + 30 * 5.25 / 2)) < 4
    assert made.codes == set()


def test_pages_go_down_then_over_and_repeat_rows_and_columns() -> None:
    def make(book: openpyxl.Workbook) -> None:
        rows(60, 12)(book)
        book.active.print_title_rows, book.active.print_title_cols = "1:1", "A:A"

    made = Pages(workbook(make))
    found = [(text.split()[0], "r60c" in text, "r1c12" in text) for text in made.texts]
    assert len(made) == 4
    assert [each[1] for each in found] == [False, True, False, True], "down, then over"
    assert [each[2] for each in found] == [False, False, True, True]
    assert all("r1c1 " in f"{text} " for text in made.texts), "the corner is on every page"
    assert "r60c1" in made.texts[3].split(), "the first column is repeated"


@pytest.mark.parametrize(
    ("titles", "area", "ends"),
    [("1:60", "A1:C110", ["r46c3", "r92c3", "r110c3"]), ("1:1", "A5:C110", ["r49c3", "r94c3", "r110c3"])],
)
def test_repeated_rows_leave_room_for_the_rows_of_the_page(titles: str, area: str, ends: list[str]) -> None:
    def make(book: openpyxl.Workbook) -> None:
        rows(110)(book)
        book.active.print_title_rows, book.active.print_area = titles, area

    made = Pages(workbook(make))
    assert [text.split()[-1] for text in made.texts] == ends
    assert all(made.box(end, page)[1] > 54 for page, end in enumerate(ends)), "above the bottom margin"
    assert "TEXT_NOT_SHOWN" not in made.codes


def test_repeated_rows_and_columns_outside_of_the_print_area_are_not_named_as_missing() -> None:
    def make(book: openpyxl.Workbook) -> None:
        rows(110, 4)(book)
        book.active.print_title_rows, book.active.print_title_cols = "1:1", "A:A"
        book.active.print_area = "B3:C110"

    made = Pages(workbook(make))
    assert all("r1c1" in text and "r1c2" in text for text in made.texts)
    (said,) = made.warnings
    assert said.startswith("Cells that are hidden or outside the print area are not on the pages: ")
    assert int(said.partition(": ")[2].partition(" ")[0]) == 4 + 109, "row 2, and column D but for its second row"
    assert not {each for each in ("r1c1", "r1c2", "r3c1") if f"“{each}”" in said}


def test_pages_are_chosen_of_sheets_as_printed_and_as_tables() -> None:
    for layout in ("sheet", "table"):
        made = Pages(workbook(rows(200)), layout=layout, pages="2-")
        assert len(made) == len(Pages(workbook(rows(200)), layout=layout)) - 1
        assert "r2c2" not in made.texts[0].split()
        assert made.codes == set()
        with pytest.raises(InvalidOption) as refused:
            Pages(workbook(rows(2)), layout=layout, pages="9")
        assert refused.value.option == "pages"


def test_texts_reach_beyond_the_last_column() -> None:
    made = Pages(workbook(lambda book: book.active.append(["Audited in a long sentence"])))
    assert "sentence" in made.texts[0]
    assert made.codes == set()


def test_a_picture_in_many_places_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(book: openpyxl.Workbook) -> None:
        for at in range(200):
            picture = io.BytesIO(png)
            book.active.add_image(Picture(picture), f"A{1 + 3 * at}")

    buffer = io.BytesIO()
    Image.new("RGBA", (60, 40), "#00ff0080").save(buffer, "PNG")
    png = buffer.getvalue()
    digest = mock.Mock(wraps=canvas._digester)
    monkeypatch.setattr(canvas, "_digester", digest)
    made = Pages(workbook(make))
    with pikepdf.open(io.BytesIO(made.data)) as pdf:
        images = [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Image"]
        drawn = sum(page.Contents.read_bytes().count(b" Do") for page in pdf.pages)
    assert len(images) == 2, "with its transparency"
    assert drawn >= 200
    assert digest.call_count < 10
    assert made.codes == set()


@pytest.mark.parametrize("crop", ["", '<srcRect l="50000"/>'])
def test_metafiles_are_drawn_as_such_not_as_pixels(crop: str) -> None:
    def make(book: openpyxl.Workbook) -> None:
        picture = io.BytesIO()
        Image.new("RGB", (300, 100)).save(picture, "PNG")
        for at in ("B2", "B20"):
            book.active.add_image(Picture(io.BytesIO(picture.getvalue())), at)

    drawing = metafiles.emf(metafiles.font(1, "Arial"), metafiles.text(200, 4, "Aa"), size=(300, 100))
    made, old = io.BytesIO(), zipfile.ZipFile(io.BytesIO(workbook(make)))
    with old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith(".png"):
                data = drawing
            if name.startswith("xl/drawings/drawing"):
                data = re.sub(rb"(<a:blip [^>]*/>)", rb"\1" + crop.encode(), data)
            new.writestr(name, data)
    found = Pages(made.getvalue())
    assert found.codes == set()
    assert "".join(found.texts[0].split()) == "AaAa"
    left, *_ = found.box("Aa")
    across = 54 - 3.6 + 48 + (150 if not crop else 75)
    assert abs(left - across) < 20, "half of it is half as far from its left edge"
    with pikepdf.open(io.BytesIO(found.data)) as pdf:
        forms = [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"]
        assert not any(each.get("/Subtype") == "/Image" for each in pdf.objects if isinstance(each, pikepdf.Stream))
    assert len(forms) == 1


def test_a_damaged_metafile_is_named() -> None:
    def make(book: openpyxl.Workbook) -> None:
        picture = io.BytesIO()
        Image.new("RGB", (300, 100)).save(picture, "PNG")
        book.active.add_image(Picture(picture), "B2")

    made, old = io.BytesIO(), zipfile.ZipFile(io.BytesIO(workbook(make)))
    with old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"\x01\0\0\0" + bytes(36) + b" EMF" if name.endswith(".png") else old.read(name))
    assert "Pictures were left out: 1." in Pages(made.getvalue()).warnings


def test_breaks_areas_and_scale_are_those_of_the_sheet() -> None:
    def breaks(book: openpyxl.Workbook) -> None:
        rows(30)(book)
        book.active.row_breaks.append(Break(id=10))
        book.active.row_breaks.append(Break(id=20))

    def area(book: openpyxl.Workbook) -> None:
        rows(30)(book)
        book.active.print_area = "A1:B5"

    def fitted(book: openpyxl.Workbook) -> None:
        rows(200, 20)(book)
        book.active.sheet_properties.pageSetUpPr = openpyxl.worksheet.properties.PageSetupProperties(fitToPage=True)
        book.active.page_setup.fitToWidth, book.active.page_setup.fitToHeight = 1, 2

    assert [text.split()[0] for text in Pages(workbook(breaks)).texts] == ["r1c1", "r11c1", "r21c1"]
    printed = Pages(workbook(area))
    assert len(printed) == 1
    assert printed.texts[0].split()[-1] == "r5c2"
    assert [each for each in printed.warnings if "outside the print area" in each] == [
        "Cells that are hidden or outside the print area are not on the pages: 80 "
        "(“r1c3”, “r2c3”, “r3c3”, “r4c3”, “r5c3”, …)."
    ]
    assert len(Pages(workbook(fitted))) == 2


def test_the_page_is_set_up_as_the_sheet_says_or_as_the_options_do() -> None:
    def make(book: openpyxl.Workbook) -> None:
        rows(2)(book)
        book.active.page_setup.orientation, book.active.page_setup.paperSize = "landscape", 8
        book.active.print_options.horizontalCentered = True

    made = Pages(workbook(make))
    wide, high = made.pdf[0].get_size()
    assert (round(wide), round(high)) == (1191, 842)
    assert abs((made.box("r1c1")[0] - 2 + made.box("r1c1")[0] - 2 + 144) / 2 - wide / 2) < 3
    other = Pages(workbook(make), pageSize="A5", orientation="portrait")
    assert tuple(map(round, other.pdf[0].get_size())) == (420, 595)


def test_headers_and_footers_have_numbers_names_and_pages_of_their_own() -> None:
    def make(book: openpyxl.Workbook) -> None:
        rows(120)(book)
        sheet = book.active
        sheet.title = "Costs"
        sheet.oddHeader.left.text, sheet.oddHeader.right.text = "&A", "Page &P of &N"
        sheet.firstHeader.center.text, sheet.evenFooter.center.text = "Cover", "even"
        sheet.oddFooter.center.text = "&Bodd&B && more"
        sheet.HeaderFooter.differentFirst = sheet.HeaderFooter.differentOddEven = True

    made = Pages(workbook(make))
    assert len(made) == 3
    heads = [re.sub(r"r\d+c\d ?", "", text).strip() for text in made.texts]
    assert heads == ["Cover", "even", "Costs Page 3 of 3 odd & more"]
    assert made.box("Page 3 of 3", 2)[2] > 500
    assert made.box("Costs", 2)[0] < 60


def test_hidden_rows_columns_and_sheets_are_left_out_and_named() -> None:
    def make(book: openpyxl.Workbook) -> None:
        rows(4)(book)
        book.active.row_dimensions[2].hidden = True
        book.active.column_dimensions["B"].hidden = True
        book.create_sheet("Secret")["A1"] = "unseen"
        book["Secret"].sheet_state = "hidden"

    made = Pages(workbook(make))
    assert made.texts == ["r1c1 r1c3 r3c1 r3c3 r4c1 r4c3"]
    assert "Hidden sheets are not in the output: 1 (“Secret”). Name one in sheet." in made.warnings
    assert any("hidden or outside the print area are not on the pages: 6" in each for each in made.warnings)
    assert Pages(workbook(make), sheet="Secret").texts == ["unseen"]


def test_text_reaches_into_empty_cells_and_is_named_where_a_full_one_cuts_it_off() -> None:
    def make(book: openpyxl.Workbook) -> None:
        book.active["A1"] = "This text is wider than its cell"
        book.active["A2"], book.active["B2"] = "This text is cut off by the next cell", "next"
        book.active["A3"] = "A text that is broken into lines"
        book.active["A3"].alignment = Alignment(wrap_text=True)

    made = Pages(workbook(make))
    assert made.box("cell")[2] > 54 + 100
    assert made.box("broken")[3] < made.box("A text")[1], "the row is as high as its lines"
    assert made.codes == {"TEXT_NOT_SHOWN"}
    assert "next cell" in made.warnings[0]


def test_merged_cells_turned_texts_and_rich_text_are_drawn() -> None:
    def make(book: openpyxl.Workbook) -> None:
        from openpyxl.cell.rich_text import CellRichText, TextBlock
        from openpyxl.cell.text import InlineFont

        sheet = book.active
        sheet.merge_cells("A1:D1")
        sheet["A1"], sheet["A1"].alignment = "Title", Alignment(horizontal="center")
        sheet["A2"], sheet["A2"].alignment = "upright", Alignment(text_rotation=90)
        sheet["B2"] = CellRichText("plain ", TextBlock(InlineFont(b=True, sz=18, color="FFFF0000"), "large"))

    made = Pages(workbook(make))
    middle = (made.box("Title")[0] + made.box("Title")[2]) / 2
    assert abs(middle - (50.4 + 96)) < 6
    left, bottom, right, top = made.box("upright")
    assert top - bottom > 2 * (right - left)
    assert made.box("large")[3] - made.box("large")[1] > 1.3 * (made.box("plain")[3] - made.box("plain")[1])
    assert made.codes == set()


def test_conditions_that_the_values_decide_are_drawn_and_others_counted() -> None:
    def make(book: openpyxl.Workbook) -> None:
        for number in (1, 50, 100):
            book.active.append([number, number])
        red = PatternFill(bgColor="FFFF0000")
        book.active.conditional_formatting.add("A1:A3", CellIsRule("greaterThan", ["60"], fill=red))
        book.active.conditional_formatting.add("B1:B3", ColorScaleRule("min", None, "FFFFFF", "max", None, "0000FF"))
        book.active.conditional_formatting.add("A1:A3", FormulaRule(["A1=1"], fill=red))

    made = Pages(workbook(make))
    first, last = made.box("1"), made.box("100")
    assert made.colour(first[0] - 10, first[1]) == (255, 255, 255)
    assert made.colour(last[0] - 10, last[1]) == (255, 0, 0)
    assert made.colour(last[0] + 30, last[1])[0] < 5
    assert "Conditional formats that are not drawn: 1." in made.warnings


def test_pictures_charts_and_links_are_in_their_places() -> None:
    def make(book: openpyxl.Workbook) -> None:
        sheet = book.active
        for name, number in (("Ada", 3), ("Bo", 5)):
            sheet.append([name, number])
        picture = io.BytesIO()
        Image.new("RGB", (60, 40), "#00ff00").save(picture, "PNG")
        sheet.add_image(Picture(picture), "D2")
        chart = BarChart()
        chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=2))
        chart.set_categories(Reference(sheet, min_col=1, min_row=1, max_row=2))
        chart.title = "People"
        sheet.add_chart(chart, "A6")
        sheet["A3"], sheet["A3"].hyperlink = "site", "https://example.com/a"

    made = Pages(workbook(make))
    assert made.colour(54 + 3 * 48 + 20, 842 - 72 - 15 - 15) == (0, 255, 0)
    with pikepdf.open(io.BytesIO(made.data)) as pdf:
        assert [str(each.A.URI) for page in pdf.pages for each in page.get("/Annots", [])] == ["https://example.com/a"]
    assert {"People", "Ada", "Bo"} <= {*made.texts[0].split()}
    assert made.texts[0].count("Ada") == 2, "in its cell and in the chart"
    assert made.warnings == []


def test_what_is_placed_too_far_away_is_refused() -> None:
    def make(book: openpyxl.Workbook) -> None:
        picture = io.BytesIO()
        Image.new("RGB", (6, 4)).save(picture, "PNG")
        book.active.add_image(Picture(picture), "XFA1000000")

    with pytest.raises(OverLimit, match="spans too many cells"):
        Pages(workbook(make))


def test_a_picture_in_many_places_is_read_once(tmp_path: Path) -> None:
    from engine.families.data.printed.xlsx_colours import Colours
    from engine.families.data.printed.xlsx_drawings import placed
    from engine.families.data.printed.xlsx_parts import Parts

    file, name = tmp_path / "twice.xlsx", "xl/drawings/drawing1.xml"
    with zipfile.ZipFile(io.BytesIO(workbook(_tall_picture))) as before, zipfile.ZipFile(file, "w") as after:
        for each in before.namelist():
            data = before.read(each)
            after.writestr(
                each, re.sub(rb"(<(\w*:?)twoCellAnchor.*</\2twoCellAnchor>)", rb"\1\1", data, flags=re.DOTALL)
            )
    with Parts(file) as parts:
        first, second = placed(parts, name, Colours(None, None))[0]
    assert first.picture is second.picture


def _tall_picture(book: openpyxl.Workbook) -> None:
    from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, TwoCellAnchor

    rows(150)(book)
    picture = io.BytesIO()
    Image.new("RGB", (6, 4), "#00ff00").save(picture, "PNG")
    made = Picture(picture)
    made.anchor = TwoCellAnchor(_from=AnchorMarker(col=4, row=2), to=AnchorMarker(col=5, row=140))
    book.active.add_image(made)


def test_a_picture_is_on_all_pages_that_it_reaches_or_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.families.data.printed import sheets

    made = Pages(workbook(_tall_picture))
    assert len(made) == 4
    assert [made.colour(54 + 4 * 48 + 20, 700, page) for page in range(3)] == [(0, 255, 0)] * 3
    assert made.warnings == []
    monkeypatch.setattr(sheets, "_MOST_PLACED", 2)
    assert "Pictures were left out: 1." in Pages(workbook(_tall_picture)).warnings


@pytest.mark.parametrize("spans", [[], [(0, 1, 0, 1)], [(0, 3, 1, 3), (2, 4, 0, 2), (2, 2, 0, 4)], [(1, 4, 3, 4)] * 2])
def test_pages_with_pictures_are_those_of_each_picture(spans: list[tuple[int, int, int, int]]) -> None:
    from engine.families.data.printed import paging

    each = {(row, column) for a, b, c, d in spans for row in range(a, b) for column in range(c, d)}
    assert {*paging.covered(spans, 4, 4)} == each


@pytest.mark.parametrize("length", range(4, 24))
def test_a_label_of_any_length_fits_its_room(length: int) -> None:
    def make(book: openpyxl.Workbook) -> None:
        sheet = book.active
        sheet.append(["name", "count"])
        for number in range(12):
            sheet.append(["W" * length, number])
        chart = BarChart()
        chart.width = 4
        chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=13))
        chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=13))
        sheet.add_chart(chart, "D1")

    assert "…" in Pages(workbook(make)).texts[0] or length < 8


def test_a_chart_is_drawn_from_the_values_stored_in_it() -> None:
    data = workbook(_with_chart)
    held = _parts(data)
    name = next(each for each in held if "charts/chart" in each)
    cached = '<val><numLit><pt idx="0"><v>3</v></pt><pt idx="1"><v>7777</v></pt></numLit></val>'
    held[name] = re.sub(r"<val><numRef>.*?</val>", cached, held[name].decode()).encode()
    done = Pages(_zipped(held))
    assert "8000" in done.texts[0], "an axis to the stored value, not to that of the cells"


def test_a_surface_is_named_as_left_out() -> None:
    held = _parts(workbook(_with_chart))
    name = next(each for each in held if "charts/chart" in each)
    held[name] = held[name].replace(b"barChart>", b"surfaceChart>")
    done = Pages(_zipped(held))
    assert "Charts without stored values, or of kinds that are not drawn, were left out: 1 (surface)." in done.warnings


def _with_chart(book: openpyxl.Workbook) -> None:
    sheet = book.active
    for row in (("name", "count"), ("Ada", 3), ("Bo", 5)):
        sheet.append(row)
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=2, max_row=3))
    sheet.add_chart(chart, "D1")


def _parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {each: file.read(each) for each in file.namelist()}


def _zipped(held: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for name, each in held.items():
            file.writestr(name, each)
    return made.getvalue()


def test_tables_have_heads_and_stripes() -> None:
    def make(book: openpyxl.Workbook) -> None:
        rows(3)(book)
        table = Table(displayName="People", ref="A1:C3")
        table.tableStyleInfo = TableStyleInfo(name="TableStyleMedium2", showRowStripes=True)
        book.active.add_table(table)

    made = Pages(workbook(make))
    head, first, second = (made.box(f"r{row}c1") for row in (1, 2, 3))
    assert made.colour(head[2] + 10, head[1]) == (0x4F, 0x81, 0xBD)
    assert made.colour(first[2] + 10, first[1]) == (0xDC, 0xE6, 0xF2)
    assert made.colour(second[2] + 10, second[1]) == (255, 255, 255)


def with_drawing(shapes: str) -> bytes:
    """A workbook with these shapes from B2 to F6."""
    space = "http://schemas.openxmlformats.org/drawingml/2006"
    anchor = (
        "<{0}><xdr:col>{1}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>{1}</xdr:row><xdr:rowOff>0</xdr:rowOff></{0}>"
    )
    drawing = (
        f"<xdr:wsDr xmlns:xdr='{space}/spreadsheetDrawing' xmlns:a='{space}/main'><xdr:twoCellAnchor>"
        f"{anchor.format('xdr:from', 1)}{anchor.format('xdr:to', 5)}{shapes}</xdr:twoCellAnchor></xdr:wsDr>"
    )

    def make(book: openpyxl.Workbook) -> None:
        rows(1)(book)
        picture = io.BytesIO()
        Image.new("RGB", (6, 4)).save(picture, "PNG")
        book.active.add_image(Picture(picture), "D2")

    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook(make))) as before, zipfile.ZipFile(file, "w") as after:
        for name in before.namelist():
            after.writestr(name, drawing if name == "xl/drawings/drawing1.xml" else before.read(name))
    return file.getvalue()


def box(form: str, text: str, place: str = "") -> str:
    return (
        "<xdr:sp><xdr:nvSpPr><xdr:cNvPr id='2' name='Box'/><xdr:cNvSpPr txBox='1'/></xdr:nvSpPr><xdr:spPr>"
        f"{place}<a:prstGeom prst='{form}'/><a:solidFill><a:srgbClr val='00FF00'/></a:solidFill></xdr:spPr>"
        f"<xdr:txBody><a:bodyPr/><a:p><a:r><a:rPr sz='1400'/><a:t>{text}</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
    )


@pytest.mark.parametrize("form", ["rect", "wedgeRectCallout", "flowChartDocument"])
def test_boxes_with_text_are_drawn(form: str) -> None:
    made = Pages(with_drawing(box(form, "Note well")))
    assert "Note well" in made.texts[0]
    note = made.box("Note well")
    assert made.colour(note[2] + 10, note[1]) == (0, 255, 0)
    assert [each for each in made.warnings if "shapes" in each] == []


def test_members_of_a_group_are_drawn_at_their_places() -> None:
    members = "".join(
        box("rect", text, f"<a:xfrm><a:off x='{x}' y='0'/><a:ext cx='500000' cy='500000'/></a:xfrm>")
        for x, text in ((0, "One"), (500_000, "Two"))
    )
    group = (
        "<xdr:grpSp><xdr:grpSpPr><a:xfrm><a:off x='0' y='0'/><a:ext cx='2000000' cy='1000000'/><a:chOff x='0' y='0'/>"
        f"<a:chExt cx='1000000' cy='500000'/></a:xfrm></xdr:grpSpPr>{members}</xdr:grpSp>"
    )
    made = Pages(with_drawing(group))
    one, two = made.box("One"), made.box("Two")
    assert two[0] - one[0] > 90
    assert abs(two[1] - one[1]) < 1
    assert [each for each in made.warnings if "shapes" in each] == []


def test_shapes_in_groups_that_are_nested_too_deeply_are_counted() -> None:
    deep = "<xdr:grpSp><xdr:grpSpPr/>" * 40 + box("rect", "One", "") + box("rect", "Two", "") + "</xdr:grpSp>" * 40
    made = Pages(with_drawing(deep))
    assert "One" not in made.texts[0]
    assert ["2" in each for each in made.warnings if "shapes" in each] == [True]


def test_a_connector_is_drawn_with_its_head() -> None:
    def line(head: str) -> str:
        return (
            "<xdr:cxnSp><xdr:nvCxnSpPr><xdr:cNvPr id='2' name='Line'/></xdr:nvCxnSpPr><xdr:spPr>"
            "<a:prstGeom prst='line'/><a:ln w='38100'><a:solidFill><a:srgbClr val='FF0000'/></a:solidFill>"
            f"{head}</a:ln></xdr:spPr></xdr:cxnSp>"
        )

    plain, headed = (Pages(with_drawing(line(head))) for head in ("", "<a:tailEnd type='triangle'/>"))
    assert 0 < plain.count((255, 0, 0)) < headed.count((255, 0, 0))
    assert [each for each in plain.warnings if "shapes" in each] == []


def test_options_that_choose_columns_give_a_plain_table() -> None:
    made = Pages(workbook(rows(2)), columns="r1c2")
    assert made.texts == ["r1c2 r2c2"]
    assert Pages(workbook(rows(2)), layout="table").texts == Pages(workbook(rows(2))).texts


def test_the_same_workbook_gives_the_same_bytes() -> None:
    data = workbook(rows(3))
    assert Pages(data).data == Pages(data).data


def test_a_sheet_without_cells_is_a_page_with_its_header() -> None:
    def make(book: openpyxl.Workbook) -> None:
        book.active.oddHeader.center.text = "Nothing yet"

    assert Pages(workbook(make)).texts == ["Nothing yet"]


def test_more_pages_or_cells_than_can_be_drawn_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.families.data.printed import workbook as drawing

    monkeypatch.setattr(drawing, "MOST_PAGES", 1)
    with pytest.raises(OverLimit, match="more than 1 pages"):
        Pages(workbook(rows(60)))
    monkeypatch.setattr(drawing, "MOST_CELLS", 100)
    with pytest.raises(OverLimit, match="too many cells"):
        Pages(workbook(rows(60)))


def test_the_sandbox_draws_sheets_too() -> None:
    with tempfile.TemporaryFile() as source:
        source.write(workbook(rows(2)))
        source.flush()
        outcome = runner.convert(XLSX, source, build(XLSX.options, {}))
    with outcome.output as output:
        text = pypdfium2.PdfDocument(output.read())[0].get_textpage().get_text_range()
    assert re.findall(r"r\dc\d", text) == ["r1c1", "r1c2", "r1c3", "r2c1", "r2c2", "r2c3"]


_SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in (
        ("office", "office"), ("style", "style"), ("text", "text"), ("table", "table"), ("fo", "xsl-fo-compatible")
    )
)  # fmt: skip


def _style(name: str, family: str, kind: str, given: str, more: str = "") -> str:
    properties = f"<style:{kind}-properties {given}/>{more}"
    return f'<style:style style:name="{name}" style:family="{family}">{properties}</style:style>'


def _text_cell(text: str, given: str = "") -> str:
    return f'<table:table-cell {given} office:value-type="string"><text:p>{text}</text:p></table:table-cell>'


def _row(style: str, *cells: str, given: str = "") -> str:
    return f'<table:table-row table:style-name="{style}" {given}>{"".join(cells)}</table:table-row>'


def _open_document() -> bytes:
    bold = '<style:text-properties fo:font-size="18pt" fo:font-weight="bold"/>'
    styles = (
        _style("co1", "table-column", "table-column", 'style:column-width="5cm"'),
        _style("ro1", "table-row", "table-row", 'style:row-height="1cm"'),
        _style("ro2", "table-row", "table-row", 'fo:break-before="page"'),
        _style("ce1", "table-cell", "table-cell", 'fo:background-color="#00ff00" fo:border="2pt solid #ff0000"', bold),
        _style("T1", "text", "text", 'fo:font-size="20pt"'),
    )
    number = '<table:table-cell office:value-type="float" office:value="3.5"><text:p>3.5</text:p></table:table-cell>'
    link = '<text:a xlink:href="https://example.com/b">second</text:a>'
    head = _text_cell("Head", 'table:style-name="ce1" table:number-columns-spanned="2"')
    rows = (
        f"<table:table-header-rows>{_row('ro1', head, '<table:covered-table-cell/>')}</table:table-header-rows>",
        _row("ro1", _text_cell("unseen"), given='table:visibility="collapse"'),
        _row("ro1", _text_cell('small <text:span text:style-name="T1">large</text:span>'), number),
        _row("ro2", _text_cell(link)),
    )
    column = '<table:table-column table:style-name="co1" table:number-columns-repeated="2"/>'
    content = (
        f'<office:document-content {_SPACES} xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.3">'
        f"<office:automatic-styles>{''.join(styles)}</office:automatic-styles><office:body><office:spreadsheet>"
        f'<table:table table:name="Costs">{column}{"".join(rows)}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    space = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    entry = f'<m:file-entry m:full-path="/" m:media-type="{kind}"/>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("mimetype", kind)
        package.writestr("META-INF/manifest.xml", f'<m:manifest xmlns:m="{space}">{entry}</m:manifest>')
        package.writestr("content.xml", content)
    return file.getvalue()


def test_open_document_sheets_are_drawn_as_formatted_too() -> None:
    made = Pages(_open_document(), ODS)
    assert made.texts == ["Head small large 3.5", "Head second"]
    head = made.box("Head")
    assert made.colour(head[0] + 200, head[1]) == (0, 255, 0), "the fill of merged cells"
    assert made.box("large")[3] - made.box("large")[1] > 1.5 * (made.box("small")[3] - made.box("small")[1])
    assert abs(made.box("3.5")[2] - (56.7 + 283.5)) < 4, "the number is at the right of its column"
    with pikepdf.open(io.BytesIO(made.data)) as pdf:
        assert str(pdf.pages[1].Annots[0].A.URI) == "https://example.com/b"
    assert any("hidden or outside the print area are not on the pages: 1 (“unseen”)" in each for each in made.warnings)


def test_rows_repeated_beyond_the_end_of_a_sheet_are_not_read(tmp_path: Path) -> None:
    from engine.families.data.printed import ods_sheets

    file = tmp_path / "rows.ods"
    cell = b'<table:table-cell table:style-name="ce1"/>'
    many = b'<table:table-row table:number-rows-repeated="1000">%b</table:table-row>' % cell
    with zipfile.ZipFile(io.BytesIO(_open_document())) as before, zipfile.ZipFile(file, "w") as after:
        for each in before.namelist():
            after.writestr(each, before.read(each).replace(b"</table:table>", many * 1_100 + b"</table:table>"))
    assert max(ods_sheets.read(file).sheets["Costs"].cells) == 1_048_575
