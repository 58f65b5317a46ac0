"""PDF pages read as what they say: tables cell by cell, columns in order, lists, links, heads and forms."""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import openpyxl
import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from engine.families import auditing
from engine.families.pdf.writers.numbers import Spelling
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import OverLimit
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters.test_pdfs import convert
from tests.families.images.looks import look, members, near
from tests.families.pdf import files as documents
from tests.families.pdf import page_files as pages
from tests.families.pdf.writers.vectors import W, docx


def tables(text: str) -> list[list[list[str]]]:
    """The tables of a Markdown text, its cells without their marks."""
    found: list[list[list[str]]] = []
    previous = ""
    for line in text.split("\n"):
        if line.startswith("| "):
            if not previous.startswith("|"):
                found.append([])
            if not set(line) <= set("|- "):
                cells = [re.sub(r"\\(.)|\*\*", r"\1", cell.strip()) for cell in line[1:-1].split(" | ")]
                found[-1].append(cells)
        previous = line
    return found


def rows_of(folder: Path, drawn: pages.Drawn, **options: object) -> list[list[str]]:
    text, _ = convert(folder, "pdf-to-markdown", pages.table_page(drawn), **options)
    found = tables(text.decode())
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("drawn", pages.RULED, ids=lambda drawn: drawn.name)
def test_ruled_table_is_read_cell_by_cell(tmp_path: Path, drawn: pages.Drawn) -> None:
    assert rows_of(tmp_path, drawn) == [list(row) for row in drawn.rows]


@pytest.mark.parametrize("drawn", pages.ALIGNED, ids=lambda drawn: drawn.name)
def test_table_without_rules_is_read_cell_by_cell(tmp_path: Path, drawn: pages.Drawn) -> None:
    assert rows_of(tmp_path, drawn) == [list(row) for row in drawn.rows]


@pytest.mark.parametrize(("by", "ruled", "aligned"), [("lines", 1, 0), ("text", 1, 1), ("none", 0, 0)])
def test_tables_are_found_by_what_is_asked_for(tmp_path: Path, by: str, ruled: int, aligned: int) -> None:
    for drawn, count in ((pages.RULED[0], ruled), (pages.ALIGNED[0], aligned)):
        text, _ = convert(tmp_path, "pdf-to-markdown", pages.table_page(drawn), tables=by)
        assert len(tables(text.decode())) == count
        assert "Amount" in text.decode() or "Item" in text.decode()


def test_merged_cells_stay_merged(tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-html", pages.merged())
    assert '<th colspan="2">Both columns</th>' in text.decode()
    assert '<td rowspan="2">North</td><td>1</td>' in text.decode()


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-markdown", pages.columns())
    heading, *rest = text.decode().split("\n\n")
    assert heading == "# A heading that goes right across both of the columns"
    words = " ".join(rest).split()
    left = " ".join(" ".join(pages.LEFT[(at * 3 + n) % len(pages.LEFT)] for n in range(7)) for at in range(24))
    right = " ".join(" ".join(pages.RIGHT[(at * 3 + n) % len(pages.RIGHT)] for n in range(7)) for at in range(24))
    assert words[: len(left.split())] == left.split()
    assert words[len(left.split()) : len((left + " " + right).split())] == right.split()
    assert words[-19:] == pages.ACROSS.split()


def test_what_is_easily_misread_is_read_once_and_whole(tmp_path: Path) -> None:
    text = convert(tmp_path, "pdf-to-markdown", pages.hard())[0].decode()
    assert text.count("Shadowed offering") == 1
    assert "Awry across the paper\n" in text
    assert "|" not in text
    assert "Words 1 run along under all of these outlines, unconcerned by where they end" in text
    assert text.index(f"{pages.LEFT[15 % len(pages.LEFT)]} reads on") < text.index(f"{pages.RIGHT[0]} goes on")


def test_links_emphasis_and_raised_numbers_are_kept(tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-markdown", pages.linked(), pages="1")
    assert "See [**the site**](https://example.com/a?b=%28c%29) of *everybody*<sup>2</sup> for more." in text.decode()
    assert "javascript" not in text.decode()
    page, _ = convert(tmp_path, "pdf-to-html", pages.linked(), pages="1")
    assert (
        '<a href="https://example.com/a?b=(c)"><strong>the site</strong></a> of <em>everybody</em><sup>2</sup>'
        in page.decode()
    )


def test_form_fields_are_pairs_of_name_and_value(tmp_path: Path) -> None:
    text, warnings = convert(tmp_path, "pdf-to-markdown", pages.linked(), pages="1")
    assert "- **Surname:** Muster\n- **Member:** ☒\n" in text.decode()
    assert warnings == ["VALUE_CONVERTED"]  # they can't be filled in any more
    page, _ = convert(tmp_path, "pdf-to-html", pages.linked(), pages="1")
    assert "<dt>Surname</dt><dd>Muster</dd>" in page.decode()


def test_lists_in_lists(tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-markdown", pages.linked(), pages="2")
    assert text.decode() == (
        "- one that is long enough to go on in a line of its own, which many of the items of a list are\n"
        "   - inner\n- two\n"
    )
    page, _ = convert(tmp_path, "pdf-to-html", pages.linked(), pages="2")
    assert re.sub(r"\s+", "", page.decode()).count("<ul><li>") == 2


def test_running_heads_and_feet_are_left_out_by_name_or_kept(tmp_path: Path) -> None:
    text, warnings = convert(tmp_path, "pdf-to-markdown", pages.running())
    assert "Annual report" not in text.decode()
    assert "Page 3 of 4" not in text.decode()
    assert warnings == ["CONTENT_DROPPED"]
    text, warnings = convert(tmp_path, "pdf-to-markdown", pages.running(), runningLines="keep")
    assert text.decode().count("Annual report of the society") == 4
    assert warnings == []


def test_pages_are_marked_on_demand(tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-markdown", pages.running(), pageMarks=True)
    parts = text.decode().split("<!-- page ")
    assert [part[0] for part in parts[1:]] == ["1", "2", "3", "4"]
    assert all(f"line 49 of page {at}" in part for at, part in zip(pages.WORDS, parts[1:], strict=True))


def test_paragraph_goes_on_over_the_end_of_its_page(tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-markdown", pages.running())
    assert "paper, all line 0 of page two which" in text.decode()


def test_lines_of_a_cell_that_ended_early_stay_lines(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 400), invariant=True)
    canvas.grid([20, 200, 380], [380, 330, 280])
    for y, line in ((368, "Ada Lovelace"), (356, "12 Long Street"), (344, "London")):
        canvas.drawString(24, y, line)
    canvas.drawString(204, 368, "A text that goes on in the next")
    canvas.drawString(204, 356, "Line of its cell")
    canvas.drawString(24, 318, "last")
    canvas.save()
    text, _ = convert(tmp_path, "pdf-to-markdown", file.getvalue())
    assert (
        "| Ada Lovelace<br>12 Long Street<br>London | A text that goes on in the next Line of its cell |"
        in text.decode()
    )
    data, _ = convert(tmp_path, "pdf-to-docx", file.getvalue())
    assert len(docx(data).findall(f".//{W}tc/{W}p")) == 6


def footnotes() -> bytes:
    """A page whose text refers to two notes at its foot, the second of two lines; a power is no reference."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 400), invariant=True)
    for y, text, mark in (
        (360, "A first claim that needs a proof", "1"),
        (344, "and another one, further down", "2"),
        (328, "of all of x", "7"),
    ):
        canvas.setFont("Helvetica", 11)
        canvas.drawString(30, y, text)
        canvas.setFont("Helvetica", 7)
        canvas.drawString(31 + canvas.stringWidth(text, "Helvetica", 11), y + 4, mark)
    for y, mark, text in (
        (60, "1", "The proof."),
        (48, "2", "See what is said of this on pages of the other"),
        (38, "", "book, page 3."),
    ):
        canvas.setFont("Helvetica", 5)
        canvas.drawString(30, y + 3, mark)
        canvas.setFont("Helvetica", 8)
        canvas.drawString(33, y, text)
    canvas.save()
    return file.getvalue()


def test_pages_with_nothing_but_the_same_line_keep_it(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 400), invariant=True)
    for number in range(4):
        canvas.drawString(40, 380, f"Potato {number}")
        canvas.showPage()
    canvas.save()
    text, warnings = convert(tmp_path, "pdf-to-markdown", file.getvalue())
    assert [each for each in text.decode().split() if each.isdigit()] == ["0", "1", "2", "3"]
    assert not warnings


def test_footnotes_are_notes_of_the_output(tmp_path: Path) -> None:
    text = convert(tmp_path, "pdf-to-markdown", footnotes())[0].decode()
    assert "proof[^1] and another one, further down[^2] of all" in text
    assert "<sup>7</sup>" in text
    assert text.endswith("[^1]: The proof.\n\n[^2]: See what is said of this on pages of the other book, page 3.\n")
    page = convert(tmp_path, "pdf-to-html", footnotes())[0].decode()
    assert '<aside id="note-1"><p><sup><a href="#reference-1">1</a></sup> The proof.</p></aside>' in page
    files = members(convert(tmp_path, "pdf-to-docx", footnotes())[0])
    assert files["word/document.xml"].decode().count("<w:footnoteReference ") == 2
    assert "The proof." in files["word/footnotes.xml"].decode()
    assert "footnotes+xml" in files["[Content_Types].xml"].decode()


def test_every_page_becomes_a_slide_with_its_parts_in_place(tmp_path: Path) -> None:
    data, warnings = convert(tmp_path, "pdf-to-pptx", documents.report())
    files = members(data)
    assert warnings == []
    assert sorted(name for name in files if re.fullmatch(r"ppt/slides/slide\d+.xml", name)) == [
        "ppt/slides/slide1.xml", "ppt/slides/slide2.xml",
    ]  # fmt: skip
    slide = ElementTree.fromstring(files["ppt/slides/slide1.xml"])
    a = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
    boxes = {"".join(each.itertext()): each.find(f".//{a}off") for each in slide.iter() if each.tag.endswith("}sp")}
    places = [place.attrib for place in boxes.values() if place is not None]
    assert all(0 <= int(place["x"]) < 298 * 12_700 and 0 <= int(place["y"]) < 420 * 12_700 for place in places)
    assert len(places) >= 2
    table = members(convert(tmp_path, "pdf-to-pptx", pages.merged())[0])["ppt/slides/slide1.xml"].decode()
    assert '<a:tc gridSpan="2">' in table
    assert '<a:tc rowSpan="2">' in table
    assert 'hMerge="1"' in table
    assert 'vMerge="1"' in table


def test_sheets_are_laid_out_as_asked_for(tmp_path: Path) -> None:
    data = tables_on_two_pages()
    for sheets, names in (
        ("perTable", ["Table 1", "Table 2", "Table 3"]), ("perPage", ["Page 1", "Page 2"]), ("one", ["Tables"]),
    ):  # fmt: skip
        book, _ = convert(tmp_path, "pdf-to-xlsx", data, sheets=sheets)
        assert openpyxl.load_workbook(io.BytesIO(book)).sheetnames == names
    packed, _ = convert(tmp_path, "pdf-to-csv", data, sheets="perPage")
    assert list(members(packed)) == ["page-1.csv", "page-2.csv"]


def tables_on_two_pages() -> bytes:
    """Two tables on the first page, one on the second."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 400), invariant=True)
    for tops in ((380, 200), (300,)):
        for top in tops:
            canvas.grid([20, 120, 220], [top, top - 20, top - 40])
            for x in (30, 130):
                canvas.drawString(x, top - 14, f"a{x}")
                canvas.drawString(x, top - 34, f"b{x}")
        canvas.showPage()
    canvas.save()
    return file.getvalue()


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1,234.50", "12", "(3.00)", "\u22124"], [1234.5, 12, -3.0, -4]),
        (["1.234,50", "0,5", "1.000"], [1234.5, 0.5, 1000]),
        (["1,234", "5.25"], [1234, 5.25]),
        (["007", "1234567890123456", "12 %", "$4", ""], ["007", "1234567890123456", "12 %", "$4", None]),
        (["1.5", "2,5", "3"], ["1.5", "2,5", 3]),
    ],
)
def test_numbers_are_read_in_the_spelling_of_their_table(cells: list[str], values: list[object]) -> None:
    spelling = Spelling(cells)
    assert [spelling.value(cell) for cell in cells] == values


def test_word_document_counts_on_where_the_page_does(tmp_path: Path) -> None:
    data, _ = convert(tmp_path, "pdf-to-docx", documents.report())
    numbering = members(data)["word/numbering.xml"].decode()
    assert numbering.count("<w:startOverride") == 1
    assert docx(data).findall(f".//{W}numPr/{W}numId")[-1].attrib[f"{W}val"] == "2"


def test_word_document_has_running_lines_in_its_head_and_foot(tmp_path: Path) -> None:
    data, warnings = convert(tmp_path, "pdf-to-docx", pages.running())
    files = members(data)
    assert "Annual report of the society" in files["word/header1.xml"].decode()
    assert '<w:fldSimple w:instr=" PAGE ">' in files["word/footer2.xml"].decode()
    assert "Annual report" not in files["word/document.xml"].decode()
    assert warnings == []


def test_running_lines_that_word_repeats_are_not_missing(tmp_path: Path) -> None:
    source = tmp_path / "input.pdf"
    canvas = Canvas(str(source), pagesize=(400, 500))
    for number in range(5):
        for text, height in (("Report 055", 470), ("by Nicola", 455), (f"Page {number + 1}", 20)):
            canvas.drawString(60, height, text)
        for at, word in enumerate(("alpha", "beta", "gamma")):
            canvas.drawString(60, 300 - 20 * at, f"{word} of {number} here")
        canvas.showPage()
    canvas.save()
    converter, warn = CONVERTERS["pdf-to-docx"], Warn()
    auditing.run(converter, source, tmp_path / "output.docx", build(converter.options, {}), warn)
    assert warn.warnings == ()


def test_word_document_keeps_merged_cells(tmp_path: Path) -> None:
    data, _ = convert(tmp_path, "pdf-to-docx", pages.merged())
    text = members(data)["word/document.xml"].decode()
    assert '<w:gridSpan w:val="2"/>' in text
    assert text.count("<w:vMerge") == 2


def test_pages_become_one_long_picture(tmp_path: Path) -> None:
    data, _ = convert(tmp_path, "pdf-to-png", documents.report(), dpi=72, several="long")
    seen = look(data, "png")
    assert (seen.width, seen.height) == (298, 840)
    assert near(seen.at(80, 420 + 340), (219, 31, 31), 6)
    with pytest.raises(OverLimit):
        convert(tmp_path, "pdf-to-png", pages.running(), dpi=1200, several="long")


def test_pictures_are_put_beside_the_text(tmp_path: Path) -> None:
    data, _ = convert(tmp_path, "pdf-to-markdown", documents.scanned(), images="zip")
    assert list(members(data)) == ["document.md", "pictures/picture-001.jpg"]
    assert b"![](pictures/picture-001.jpg)" in members(data)["document.md"]
    text, _ = convert(tmp_path, "pdf-to-html", documents.scanned(), images="embed")
    assert b'<img src="data:image/jpeg;base64,' in text


def test_drawings_become_pictures_or_are_reported_as_left_out(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, invariant=True)
    canvas.drawString(72, 700, "A page with a frame, a rule and a filled area")
    canvas.rect(72, 600, 200, 50)
    canvas.line(72, 580, 272, 580)
    canvas.rect(72, 500, 200, 50, stroke=0, fill=1)
    canvas.circle(80, 480, 2, fill=1)
    canvas.showPage()
    canvas.drawString(72, 700, "A page with a pie chart")
    canvas.wedge(72, 500, 272, 650, 0, 120, fill=1)
    canvas.save()
    data, warnings = convert(tmp_path, "pdf-to-docx", file.getvalue())
    assert warnings == []
    assert [name for name in members(data) if "media" in name] == ["word/media/picture-001.png"]
    pie = look(members(data)["word/media/picture-001.png"], "png")
    assert near(pie.at(pie.width * 3 // 4, pie.height // 2), (0, 0, 0), 6)
    _, warnings = convert(tmp_path, "pdf-to-docx", file.getvalue(), images="drop")
    assert warnings == ["CONTENT_DROPPED"]
    _, warnings = convert(tmp_path, "pdf-to-docx", file.getvalue(), pages="1")
    assert warnings == []


def test_table_goes_on_over_the_end_of_its_page(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 400), invariant=True)
    for page, top in enumerate((120, 380)):
        canvas.grid([20, 120, 220], [top - 20 * at for at in range(6)])
        for at in range(5):
            row = ("Name", "Amount") if not at else (f"item {page}.{at}", f"{page * 10 + at}")
            for x, word in zip((30, 130), row, strict=True):
                canvas.drawString(x, top - 14 - 20 * at, word)
        canvas.showPage()
    canvas.save()
    names = ["Name", *(f"item {page}.{at}" for page in (0, 1) for at in range(1, 5))]
    text, _ = convert(tmp_path, "pdf-to-markdown", file.getvalue())
    assert [[row[0] for row in table] for table in tables(text.decode())] == [names]
    sheet, _ = convert(tmp_path, "pdf-to-csv", file.getvalue())
    assert [row.partition(",")[0] for row in sheet.decode().strip().split("\r\n")] == names
    book, _ = convert(tmp_path, "pdf-to-xlsx", file.getvalue(), sheets="perPage")
    assert len(openpyxl.load_workbook(io.BytesIO(book)).sheetnames) == 2


def _drawn(*texts: tuple[float, float, str], apart: float = 0.0) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 300), invariant=True)
    canvas.setFont("Courier", 12)
    for x, y, text in texts:
        canvas.drawString(x, y, text, charSpace=apart)
    canvas.save()
    return file.getvalue()


def test_word_whose_letters_are_set_apart_stays_one_word(tmp_path: Path) -> None:
    step = 7.2 + 2.4
    data = _drawn((40, 200, "Nort"), (40 + 4 * step, 200, "h"), (40 + 7 * step, 200, "Wind"), apart=2.4)
    text, _ = convert(tmp_path, "pdf-to-markdown", data)
    assert text.decode().strip().strip("`").split() == ["North", "Wind"]


def test_words_are_kept_that_parts_of_were_printed_before(tmp_path: Path) -> None:
    data = _drawn((40, 200.6, "    i  i"), (40, 200, "permission granted"))
    text, _ = convert(tmp_path, "pdf-to-markdown", data)
    assert text.decode().strip().strip("`") == "permission granted"


def test_texts_that_run_into_each_other_keep_their_letters(tmp_path: Path) -> None:
    data = _drawn((40, 200, "bills 144, 156"), (40 + 7.2 * 7, 200, "26406576"))
    text, _ = convert(tmp_path, "pdf-to-markdown", data)
    assert sorted("".join(text.decode().strip().strip("`").split())) == sorted("bills144,15626406576")


def test_letters_of_a_negative_size_run_as_they_are_seen(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 300), invariant=True)
    for at, line in enumerate(("Consult your advisor", "before you sign")):
        canvas._code.append(f"BT /F1 -12 Tf -1 0 0 -1 40 {200 - 14 * at} Tm ({line}) Tj ET")
    canvas.save()
    text, _ = convert(tmp_path, "pdf-to-markdown", file.getvalue())
    assert text.decode().strip() == "Consult your advisor before you sign"


def test_cell_that_runs_over_the_next_ones_leaves_them_in_place(tmp_path: Path) -> None:
    rows = [
        ["Date", "Particulars", "Debit", "Credit", "Balance"],
        ["01-Apr", "Opening", "0", "27614207", "27614207"],
        ["13-May", "Bill no. 133, 132, 139, 138 of the year before and of this one", "26406576", "0", "1207631"],
        ["19-Aug", "Payment", "132696", "0", "1074935"],
    ]
    drawn = [
        (x, 200 - 16 * down, cell)
        for down, row in enumerate(rows)
        for x, cell in zip((20, 80, 180, 260, 340), row, strict=True)
    ]
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(500, 300), invariant=True)
    canvas.setFont("Helvetica", 9)
    for x, y, cell in drawn:
        canvas.drawString(x, y, cell)
    canvas.save()
    text, _ = convert(tmp_path, "pdf-to-markdown", file.getvalue())
    assert tables(text.decode()) == [rows]


def test_drawn_boxes_are_recognised_as_ticked_or_not(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 300), invariant=True)
    canvas.setFont("Helvetica", 10)
    for x, label, ticked in ((40, "Female", False), (120, "Male", True), (200, "Unknown", False)):
        canvas.rect(x, 200, 10, 10)
        if ticked:
            canvas.line(x, 200, x + 10, 210)
            canvas.line(x, 210, x + 10, 200)
        canvas.drawString(x + 14, 202, label)
    for at in range(6):  # places for the letters of a number
        canvas.rect(40 + 12 * at, 150, 12, 12)
    canvas.drawString(120, 153, "Number")
    canvas.save()
    text = convert(tmp_path, "pdf-to-markdown", file.getvalue())[0].decode()
    assert " ".join(text.replace("|", " ").replace("---", "").split()) == "☐ Female ☒ Male ☐ Unknown Number"
    _, warnings = convert(tmp_path, "pdf-to-docx", file.getvalue())
    assert "CONTENT_DROPPED" not in str(warnings)


def test_white_letters_of_a_dark_area_are_seen_on_white_paper(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 300), invariant=True)
    canvas.rect(0, 180, 400, 40, fill=1, stroke=0)
    for y, colour, text in ((195, (1, 1, 1), "Our Teams"), (140, (0.8, 0, 0), "In red")):
        canvas.setFillColorRGB(*colour)
        canvas.drawString(40, y, text)
    canvas.save()
    word = members(convert(tmp_path, "pdf-to-docx", file.getvalue())[0])["word/document.xml"].decode()
    assert "Our Teams" in word
    assert set(re.findall(r'w:color w:val="(\w+)"', word)) == {"cc0000"}


def test_narrow_column_of_text_is_no_part_of_a_table_beside_it(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 420), invariant=True)
    canvas.setFont("Helvetica", 9)
    for at in range(24):
        canvas.drawString(220, 380 - 14 * at, f"of the long day {at:02}" + " on" * (at % 2))
    for at in range(9):
        y = 300 - 14 * at
        canvas.drawString(30, y, f"Sales of {at}")
        for column in range(3):
            canvas.drawString(90 + 30 * column, y, f"{at + column}.5")
    canvas.save()
    text = convert(tmp_path, "pdf-to-markdown", file.getvalue())[0].decode()
    (table,) = tables(text)
    assert table == [[f"Sales of {at}", *(f"{at + column}.5" for column in range(3))] for at in range(9)]
    assert re.findall(r"long day \d\d|Sales of 8", text)[:2] == ["Sales of 8", "long day 00"]


def test_lines_of_numbers_in_one_ruled_row_are_rows(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 300), invariant=True)
    canvas.grid([30, 190, 270, 350], [260, 240, 130])
    rows = [["Charge", "Men", "Women"], ["All of them", "", ""], ["Robbery", "1,396.4", "(X)"]]
    rows += [
        ["Fraud and what is", "", ""],
        ["like it", "173.7", "78.1"],
        ["Arson", "8.2", "–"],
        ["Total", "9.9", "0.9"],
    ]
    for at, row in enumerate(rows):
        for x, word in zip((35, 195, 275), row, strict=True):
            canvas.drawString(x, 246 - 16 * at, word)
    canvas.save()
    text, _ = convert(tmp_path, "pdf-to-markdown", file.getvalue())
    assert tables(text.decode()) == [[*rows[:3], ["Fraud and what is like it", "173.7", "78.1"], *rows[5:]]]


def test_works_keep_their_labels_beside_a_column_of_text(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(612, 400), invariant=True)
    canvas.setFont("Times-Roman", 9)
    for at in range(18):
        text = "and no more." if at % 3 == 2 else f"{at:02} can be said of one voice of a piece for which it was made"
        canvas.drawString(41, 360 - 12 * at, text)
    lines = (
        "D. Johnson, biaxial recurrent network for",
        "composition, as a text online since Aug.",
        "a  work",
        "of 1987",
    )
    for at in range(24):
        if not at % 4:
            canvas.drawString(304, 360 - 9 * at, f"[Joh{at:02}]")
        canvas.drawString(346, 360 - 9 * at, lines[at % 4])
    canvas.save()
    text = convert(tmp_path, "pdf-to-markdown", file.getvalue())[0].decode()
    assert tables(text) == []
    labels = re.findall(r"\[(Joh\d\d)\\\] D. Johnson", text)
    assert labels == [f"Joh{at:02}" for at in range(0, 24, 4)]
    assert text.index("16 can be said") < text.index("Joh00")


def test_lines_far_below_a_cell_belong_to_it_where_other_rows_follow(tmp_path: Path) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(440, 420), invariant=True)
    canvas.setFont("Helvetica", 8)
    for at in range(5):
        y = 380 - 57 * at
        for x, word in ((40, str(at + 1)), (90, f"Hosting {at}"), (300, f"{at},39"), (380, f"{at},78")):
            canvas.drawString(x, y, word)
        for line, word in enumerate(("each month", f"for user{at}", "01.05.14-31.05.14")):
            canvas.drawString(90, y - 14.2 * (line + 1), word)
    canvas.save()
    text = convert(tmp_path, "pdf-to-markdown", file.getvalue())[0].decode()
    (table,) = tables(text)
    assert [[row[0], *row[2:]] for row in table] == [[str(at + 1), f"{at},39", f"{at},78"] for at in range(5)]
    assert all(f"Hosting {at}" in row[1] and f"user{at}" in row[1] for at, row in enumerate(table))


def framed(rows: list[tuple[str, ...]]) -> bytes:
    """A form of ruled boxes, one of which has rows across its whole width, with no rules between them."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), invariant=True)
    canvas.setFont("Helvetica", 10)
    canvas.rect(50, 400, 495, 400)
    for y in (740, 460):
        canvas.line(50, y, 545, y)
        canvas.line(300, y, 300, 800 if y == 740 else 400)
    for x, y, text in ((60, 770, "Supplier"), (310, 770, "INV-77"), (60, 430, "To pay"), (310, 430, "335.37")):
        canvas.drawString(x, y, text)
    for number, row in enumerate(rows):
        for x, text in zip((70, 250, 330, 420), row, strict=False):
            canvas.drawString(x, 720 - 18 * number, text)
    canvas.save()
    return file.getvalue()


def test_table_without_rules_in_a_ruled_frame_is_a_table_of_its_own(tmp_path: Path) -> None:
    rows = [
        ("Item", "Qty", "Price", "Total"),
        ("Screws", "200", "0.05", "10.00"),
        ("Hinges, brass", "12", "4.50", "54.00"),
        ("Planks of oak", "7", "31.20", "218.40"),
        ("Glue", "3", "6.99", "20.97"),
    ]
    text, _ = convert(tmp_path, "pdf-to-markdown", framed(rows))
    assert tables(text.decode()) == [[["Supplier", "INV-77"]], [list(row) for row in rows], [["To pay", "335.37"]]]


@pytest.mark.parametrize(
    "lines",
    [
        [
            ("Please pay within thirty days of the date of this letter,",),
            ("by transfer, with the number of the bill.",),
        ],
        [("Ship to", "Wood and Sons"), ("Street", "Mill Lane 4")],
    ],
)
def test_text_in_a_box_of_a_form_stays_in_its_cell(tmp_path: Path, lines: list[tuple[str, ...]]) -> None:
    text, _ = convert(tmp_path, "pdf-to-markdown", framed(lines))
    (found,) = tables(text.decode())
    assert [found[0], found[-1]] == [["Supplier", "INV-77"], ["To pay", "335.37"]]
    assert all(word in found[1][0] for line in lines for word in line)


def test_frame_is_one_table_where_only_rules_make_tables(tmp_path: Path) -> None:
    rows = [(f"Part {at}", str(at), f"{at}.50", f"{at * at}.00") for at in range(6)]
    text, _ = convert(tmp_path, "pdf-to-markdown", framed(rows), tables="lines")
    (found,) = tables(text.decode())
    assert [len(found), found[0]] == [3, ["Supplier", "INV-77"]]


def kerned(*parts: tuple[str, float]) -> bytes:
    """One line of letters, with so many thousandths of the size between its parts, as typesetters place them."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(400, 100))
    font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font))
    shown = "".join(f"({text}) {-apart:.0f} " for text, apart in parts)
    page.Contents = pdf.make_stream(f"BT /F 12 Tf 20 40 Td [{shown}] TJ ET".encode())
    file = io.BytesIO()
    pdf.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ((("the Federal", 130), ("Tort Claims, days", 135), ("later", 0)), "the Federal Tort Claims, days later"),
        ((("AVAT", 130), ("AR", 0)), "AVAT AR"),
        # Not where other letters stand as far from each other, nor before what is no letter.
        ((("s", 120), ("p", 120), ("a", 120), ("c", 120), ("e", 120), ("d", 0)), "spaced"),
        ((("about 12", 130), ("000 men", 0)), "about 12000 men"),
    ],
)
def test_words_a_thin_gap_apart_are_two(parts: tuple[tuple[str, float], ...], line: str, tmp_path: Path) -> None:
    text, _ = convert(tmp_path, "pdf-to-markdown", kerned(*parts), ocr="off")
    assert text.decode().strip() == line
