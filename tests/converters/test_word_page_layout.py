"""Frames, floating tables, line numbers, grids, and the direction and alignment of Word's pages and cells."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest

from tests.converters.test_documents import Convert
from tests.converters.test_word_looks import drawn, p
from tests.converters.test_word_on_page import section
from tests.families.documents import files

pytestmark = drawn

_LINE = p("word " * 17)
_TEXT = p("word " * 90)
_TURN = '<w:tcPr><w:tcW w:w="2000" w:type="dxa"/><w:textDirection w:val="{}"/></w:tcPr>'
_A4 = '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440"/>'


def places(done: Convert, text: str, page: int = 0) -> list[tuple[float, float, float, float]]:
    """The left, top, right and bottom of each piece of a page whose text has this one, in points."""
    sheet = pypdfium2.PdfDocument(io.BytesIO(done.data))[page]
    height, words = sheet.get_height(), sheet.get_textpage()
    found, search = [], words.search(text, match_case=True)
    while (hit := search.get_next()) is not None:
        boxes = [words.get_charbox(each) for each in range(hit[0], hit[0] + hit[1])]
        left, bottom = min(each[0] for each in boxes), min(each[1] for each in boxes)
        right, top = max(each[2] for each in boxes), max(each[3] for each in boxes)
        found.append((left, height - top, right, height - bottom))
    return found


def pages(done: Convert) -> list[str]:
    pdf = pypdfium2.PdfDocument(io.BytesIO(done.data))
    return [each.get_textpage().get_text_bounded() for each in pdf]


def table(place: str, *texts: str, wide: int = 1500) -> str:
    cells = "".join(f'<w:tc><w:tcPr><w:tcW w:w="{wide}" w:type="dxa"/></w:tcPr>{p(each)}</w:tc>' for each in texts)
    grid = f'<w:gridCol w:w="{wide}"/>' * len(texts)
    return f"<w:tbl><w:tblPr>{place}</w:tblPr><w:tblGrid>{grid}</w:tblGrid><w:tr>{cells}</w:tr></w:tbl>"


def converted(folder: Path, body: str, target: str = "pdf") -> Convert:
    return Convert(folder, f"docx-to-{target}", files.word(body))


@pytest.mark.parametrize(
    ("place", "left", "top"),
    [
        ('w:vertAnchor="page" w:horzAnchor="page" w:tblpX="6000" w:tblpY="6000"', 300, 300),
        ('w:vertAnchor="margin" w:horzAnchor="margin" w:tblpXSpec="right" w:tblpYSpec="top"', 540 - 75, 72),
        ('w:horzAnchor="margin" w:tblpX="200" w:tblpYSpec="center"', 82, 390),
    ],
)
def test_a_floating_table_is_where_it_is_on_its_page(tmp_path: Path, place: str, left: float, top: float) -> None:
    done = converted(tmp_path, _LINE + table(f"<w:tblpPr {place}/>", "Here") + _TEXT + section())
    ((x, y, _, _),) = places(done, "Here")
    assert abs(x - left) < 8
    assert abs(y - top) < 8
    assert "NOT_UNDERSTOOD" not in done.codes


def test_text_goes_on_above_and_beside_a_floating_table(tmp_path: Path) -> None:
    place = '<w:tblpPr w:vertAnchor="page" w:horzAnchor="page" w:tblpX="7500" w:tblpY="2400"/>'
    done = converted(tmp_path, table(place, "Here") + _TEXT * 3 + section())
    ((x, y, _, bottom),) = places(done, "Here")
    words = places(done, "word")
    beside = [each for each in words if each[3] > y and each[1] < bottom]
    assert beside
    assert max(each[2] for each in beside) < x
    assert max(each[2] for each in words if each[3] < y - 14) > 500
    assert max(each[2] for each in words if each[1] > bottom + 20) > 500


def test_floating_tables_after_page_breaks_are_on_pages_of_their_own(tmp_path: Path) -> None:
    place = '<w:tblpPr w:vertAnchor="page" w:horzAnchor="page" w:tblpXSpec="center" w:tblpYSpec="center"/>'
    broken = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    body = broken.join(table(place, f"Month{each}", wide=9000) for each in (1, 2, 3))
    done = converted(tmp_path, body + section())
    assert [each.strip() for each in pages(done)[:3]] == ["Month1", "Month2", "Month3"]


def test_a_floating_table_too_long_for_a_page_stays_in_the_text_and_is_counted(tmp_path: Path) -> None:
    row = f'<w:tr><w:tc><w:tcPr><w:tcW w:w="1500" w:type="dxa"/></w:tcPr>{p("Cell")}</w:tc></w:tr>'
    place = '<w:tblpPr w:vertAnchor="text" w:horzAnchor="margin" w:tblpY="1"/>'
    long = f'<w:tbl><w:tblPr>{place}</w:tblPr><w:tblGrid><w:gridCol w:w="1500"/></w:tblGrid>{row * 80}</w:tbl>'
    done = converted(tmp_path, long + _TEXT + section())
    assert sum(each.count("Cell") for each in pages(done)) == 80
    assert "Floating pictures and boxes were moved to their paragraphs: 1." in done.messages


@pytest.mark.parametrize(
    ("frame", "left", "top"),
    [
        ('w:w="2000" w:wrap="around" w:vAnchor="page" w:hAnchor="page" w:x="6000" w:y="6000"', 300, 300),
        ('w:w="2000" w:wrap="around" w:vAnchor="text" w:hAnchor="margin" w:xAlign="right" w:y="1"', 440, 84),
        ('w:w="2000" w:wrap="notBeside" w:vAnchor="page" w:hAnchor="page" w:xAlign="center" w:y="3000"', 256, 150),
    ],
)
def test_a_frame_is_where_it_is_on_its_page(tmp_path: Path, frame: str, left: float, top: float) -> None:
    framed = p("Framed", f"<w:framePr {frame}/>")
    done = converted(tmp_path, _LINE + framed + framed.replace("Framed", "Second") + _TEXT + section())
    ((x, y, _, bottom),) = places(done, "Framed")
    ((other, below, _, _),) = places(done, "Second")
    assert abs(x - left) < 4
    assert abs(y - top) < 6
    assert abs(x - other) < 1  # both paragraphs are in one frame
    assert bottom <= below
    assert "NOT_UNDERSTOOD" not in done.codes


def test_an_initial_takes_the_lines_that_it_asks_for(tmp_path: Path) -> None:
    frame = '<w:framePr w:dropCap="drop" w:lines="3" w:wrap="around" w:vAnchor="text" w:hAnchor="text"/>'
    done = converted(tmp_path, p("T", frame, '<w:sz w:val="80"/>') + _TEXT + section())
    lines: dict[int, float] = {}
    for left, _, _, bottom in places(done, "word"):
        lines[round(bottom)] = min(left, lines.get(round(bottom), 999))
    starts = [lines[each] for each in sorted(lines)]
    assert all(each > 75 for each in starts[:3])
    assert starts[3] < 75


def test_an_initial_of_the_margin_is_beside_the_text(tmp_path: Path) -> None:
    frame = '<w:framePr w:dropCap="margin" w:lines="2" w:wrap="around" w:vAnchor="text" w:hAnchor="page"/>'
    done = converted(tmp_path, p("T", frame, '<w:sz w:val="60"/>') + _TEXT + section())
    assert places(done, "T")[0][2] < 73
    assert min(each[0] for each in places(done, "word")) < 75


def _numbers(done: Convert, page: int = 0) -> list[str]:
    """The texts in the left margin of a page from top to bottom."""
    sheet = pypdfium2.PdfDocument(io.BytesIO(done.data))[page]
    height, text = sheet.get_height(), sheet.get_textpage()
    lines: dict[int, str] = {}
    for at in range(text.count_chars()):
        left, bottom, right, _ = text.get_charbox(at)
        letter = text.get_text_range(at, 1).strip()
        if letter and right < 70 and left > 0:
            lines[round(height - bottom)] = lines.get(round(height - bottom), "") + letter
    return [lines[each] for each in sorted(lines)]


def test_lines_are_numbered_but_suppressed_ones_and_those_of_tables(tmp_path: Path) -> None:
    body = p("One") + p("Two", "<w:suppressLineNumbers/>") + _TEXT + table("", "Cell") + p("") + p("Last")
    done = converted(tmp_path, body + section('<w:lnNumType w:countBy="1"/>'))
    lines = {round(each[3]) for each in places(done, "word")}
    assert _numbers(done) == [str(each + 1) for each in range(len(lines) + 3)]
    assert "NOT_UNDERSTOOD" not in done.codes


@pytest.mark.parametrize(
    ("how", "first", "second"),
    [
        ('w:countBy="1"', "1", "1"),
        ('w:countBy="5" w:restart="continuous"', "5", "50"),
        ('w:countBy="1" w:start="9" w:restart="newSection"', "10", "57"),
    ],
)
def test_line_numbers_begin_anew_as_their_section_says(tmp_path: Path, how: str, first: str, second: str) -> None:
    done = converted(tmp_path, p("Line") * 60 + section(f"<w:lnNumType {how}/>"))
    assert _numbers(done)[0] == first
    begun = pages(done)[0].count("Line")
    expected = {"1": "1", "50": str((begun // 5 + 1) * 5), "57": str(begun + 10)}[second]
    assert _numbers(done, 1)[0] == expected


def test_line_numbers_of_columns_are_counted_as_left_out(tmp_path: Path) -> None:
    done = converted(tmp_path, _TEXT + section('<w:lnNumType w:countBy="1"/><w:cols w:num="2"/>'))
    assert "Line numbers of sections with columns or vertical text were left out: 1." in done.messages


def test_characters_are_as_far_apart_as_the_grid_says(tmp_path: Path) -> None:
    wide = []
    for kind in ('w:type="lines"', 'w:type="linesAndChars" w:charSpace="8192"', 'w:type="snapToChars" w:charSpace="0"'):
        text = p("北京的秋天", "", '<w:sz w:val="20"/>')
        done = converted(tmp_path, text + f'<w:sectPr>{_A4}<w:docGrid {kind} w:linePitch="400"/></w:sectPr>')
        ((left, _, right, _),) = places(done, "北京的秋天")
        wide.append(right - left)
    assert wide[1] - wide[0] == pytest.approx(8, abs=0.5)  # four gaps of two points
    assert wide[2] == pytest.approx(wide[0], abs=0.5)


def test_indents_in_characters_and_spacing_in_lines_win_over_those_in_points(tmp_path: Path) -> None:
    size = '<w:sz w:val="40"/>'
    body = p("First", "", size)
    body += p(
        "Second", '<w:spacing w:beforeLines="200" w:before="20"/><w:ind w:firstLineChars="200" w:firstLine="20"/>', size
    )
    plain = converted(tmp_path, p("First", "", size) + p("Second", "", size) + section())
    done = converted(tmp_path, body + section())
    ((x, y, _, _),), ((left, top, _, _),) = places(done, "Second"), places(plain, "Second")
    assert x - left == pytest.approx(40, abs=1)
    assert y - top == pytest.approx(24, abs=1)


@pytest.mark.parametrize(("share", "factor"), [(200, 2.0), (50, 0.5)])
def test_scaled_characters_are_wider_or_narrower(tmp_path: Path, share: int, factor: float) -> None:
    body = p("Characters") + p("Characters", "", f'<w:w w:val="{share}"/>')
    (left, _, right, _), (other, _, end, _) = places(converted(tmp_path, body + section()), "Characters")
    assert (end - other) / (right - left) == pytest.approx(factor, abs=0.05)


def test_emphasis_marks_are_drawn_and_no_text(tmp_path: Path) -> None:
    marked = p("重要", "", '<w:em w:val="dot"/>')
    done, plain = converted(tmp_path, marked + section()), converted(tmp_path, p("重要") + section())
    assert pages(done)[0].split() == pages(plain)[0].split() == ["重要"]
    ink = [
        sum(each < 128 for each in pypdfium2.PdfDocument(io.BytesIO(data)).get_page(0).render(scale=4).to_numpy().flat)
        for data in (done.data, plain.data)
    ]
    assert ink[0] > ink[1]
    assert not done.codes & {"NOT_UNDERSTOOD"}


@pytest.mark.parametrize(("direction", "down"), [("tbRl", True), ("btLr", False)])
def test_text_of_a_cell_runs_down_or_up(tmp_path: Path, direction: str, down: bool) -> None:
    cell = f"<w:tc>{_TURN.format(direction)}{p('Turned')}</w:tc>"
    row = f'<w:tr><w:trPr><w:trHeight w:val="2000"/></w:trPr>{cell}</w:tr>'
    body = f'<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid>{row}</w:tbl>'
    done = converted(tmp_path, body + section())
    ((left, top, right, bottom),) = places(done, "Turned")
    first, last = places(done, "T")[0], places(done, "d")[0]
    assert bottom - top > right - left
    assert (first[1] < last[1]) is down


def test_a_row_of_exactly_one_height_cuts_its_text(tmp_path: Path) -> None:
    cell = f'<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr>{_LINE}</w:tc>'
    row = f'<w:tr><w:trPr><w:trHeight w:val="300" w:hRule="exact"/></w:trPr>{cell}</w:tr>'
    body = f'<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid>{row}</w:tbl>' + p("After")
    done = converted(tmp_path, body + section())
    assert places(done, "After")[0][1] == pytest.approx(72 + 15, abs=5)
    assert done.codes & {"TEXT_NOT_SHOWN", "CONTENT_CLIPPED"}  # what is cut off is counted


def test_a_table_wider_than_the_paper_does_not_shrink_the_page(tmp_path: Path) -> None:
    fixed = '<w:tblW w:w="18000" w:type="dxa"/><w:tblLayout w:type="fixed"/>'
    done = converted(tmp_path, p("Before") + table(fixed, *("abcdef"), wide=3000) + section())
    ((left, _, right, _),) = places(done, "Before")
    ((_, _, plain, _),) = places(converted(tmp_path, p("Before") + section()), "Before")
    assert right == pytest.approx(plain, abs=0.1)
    assert left == pytest.approx(72, abs=1)
    assert places(done, "f")[0][2] < 612 + 72
    assert "Tables wider than their paper were made narrower: 1." in done.messages


@pytest.mark.parametrize(("align", "top"), [("top", 72), ("center", 390), ("bottom", 708)])
def test_the_text_of_a_page_is_where_its_section_aligns_it(tmp_path: Path, align: str, top: float) -> None:
    done = converted(tmp_path, p("Title") + section(f'<w:vAlign w:val="{align}"/>'))
    assert places(done, "Title")[0][1] == pytest.approx(top, abs=8)
    assert not done.codes & {"VALUE_CONVERTED"}


def test_alignment_that_is_not_drawn_is_counted(tmp_path: Path) -> None:
    done = converted(tmp_path, p("Title") + section('<w:vAlign w:val="both"/>'))
    assert "Sections that are aligned vertically begin at the top of their pages: 1." in done.messages


def test_a_vertical_section_has_its_lines_from_right_to_left_and_its_footer_across(tmp_path: Path) -> None:
    foot = f'<w:ftr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">{p("Foot")}</w:ftr>'
    refer = (
        '<w:footerReference xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
        'r:id="rF" w:type="default"/>'
    )
    body = p("北京的秋天") + p("香山看红叶") + section(refer + '<w:textDirection w:val="tbRl"/>')
    done = Convert(tmp_path, "docx-to-pdf", files.word(body, {"rF": ("footer", "footer1.xml", foot)}))
    (first, second, third) = (places(done, each)[0] for each in ("北", "秋", "香"))
    assert first[1] < second[1]
    assert abs(first[0] - second[0]) < 3
    assert third[0] < first[0]
    left, top, right, bottom = places(done, "Foot")[0]
    assert right - left > bottom - top
    assert "NOT_UNDERSTOOD" not in done.codes


def test_a_footnote_beside_a_text_box_does_not_cut_it(tmp_path: Path) -> None:
    names = (
        'xmlns:s="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
        'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    )
    size = 'cx="2000000" cy="900000"'
    box = (
        f'<w:r><w:drawing><wp:anchor {names}><wp:positionH relativeFrom="column"><wp:posOffset>3000000</wp:posOffset>'
        '</wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>100000</wp:posOffset></wp:positionV>'
        f'<wp:extent {size}/><wp:wrapSquare wrapText="bothSides"/><a:graphic><a:graphicData uri="x"><s:wsp><s:spPr>'
        f'<a:xfrm><a:off x="0" y="0"/><a:ext {size}/></a:xfrm><a:prstGeom prst="rect"/></s:spPr><s:txbx>'
        f"<w:txbxContent>{p('Boxed')}</w:txbxContent></s:txbx><s:bodyPr/></s:wsp></a:graphicData></a:graphic>"
        "</wp:anchor></w:drawing></w:r>"
    )
    notes = (
        '<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        f'<w:footnote w:id="1">{p("The note")}</w:footnote></w:footnotes>'
    )
    body = f'<w:p><w:r><w:t>Text</w:t><w:footnoteReference w:id="1"/></w:r>{box}</w:p>{_TEXT}' + section()
    done = Convert(tmp_path, "docx-to-pdf", files.word(body, {"rN": ("footnotes", "footnotes.xml", notes)}))
    assert "Boxed" in pages(done)[0]
    assert "The note" in pages(done)[0]
    assert "TEXT_NOT_SHOWN" not in done.codes


@pytest.mark.parametrize(("justified", "share"), [("left", 1), ("center", 0.5), ("right", 0)])
def test_a_label_is_about_its_position_as_its_level_says(tmp_path: Path, justified: str, share: float) -> None:
    level = (
        '<w:lvl w:ilvl="0"><w:start w:val="88"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>'
        f'<w:lvlJc w:val="{justified}"/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl>'
    )
    names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    plan = f'<w:abstractNum w:abstractNumId="1">{level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/>'
    part = ("numbering", "numbering.xml", f"<w:numbering {names}>{plan}</w:num></w:numbering>")
    item = p("Item", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')
    done = Convert(tmp_path, "docx-to-pdf", files.word(item + section(), {"rN": part}))
    ((_, _, right, _),), ((left, _, _, _),) = places(done, "88."), places(done, "Item")
    assert left == pytest.approx(108, abs=1)
    assert right == pytest.approx(90 + 12.5 * share, abs=2)


def test_frames_beyond_the_most_stay_in_the_text_and_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.families.documents.word.frames.MOST", 2)
    framed = [
        p(f"Frame{each}", f'<w:framePr w:w="1500" w:vAnchor="page" w:hAnchor="page" w:x="6000" w:y="{each}000"/>')
        for each in (4, 6, 8, 9)
    ]
    done = converted(tmp_path, "".join(framed) + p("Text") + section())
    assert [round(places(done, f"Frame{each}")[0][0]) for each in (4, 6)] == [300, 300]
    assert [round(places(done, f"Frame{each}")[0][0]) for each in (8, 9)] == [72, 72]
    assert "Floating pictures and boxes were moved to their paragraphs: 2." in done.messages
