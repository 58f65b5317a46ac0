"""Tables and first lines of slides as PowerPoint draws them: heights of rows, its own styles, lines of cells."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from engine.families.documents.slides import built_in_tables, table_styles
from engine.families.documents.slides.table_styles import Look, TableStyle
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters.engines import OWN
from tests.converters.test_slides import box, deck, drawn, line, relations

_MEDIUM = "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"


def _page(folder: Path, shapes: str, **parts: str) -> pypdfium2.PdfPage:
    converter = OWN["pptx-to-pdf"]
    source, target = folder / "input.pptx", folder / "output.pdf"
    extra: dict[str, str | bytes] = dict(parts)
    if parts:
        extra["ppt/_rels/presentation.xml.rels"] = relations(
            ("s", "slide", "slides/slide1.xml"), ("t", "tableStyles", "tableStyles.xml")
        )
    source.write_bytes(deck(shapes, extra))
    converter.run(source, target, build(converter.options, {}), Warn())
    return pypdfium2.PdfDocument(target)[0]


def _table(style: str, edges: str = "") -> str:
    """Three rows of 50 points, 200 points wide, at 10 points from both edges of the slide."""
    cell = f"<a:tc><a:txBody><a:bodyPr/>{line('cell')}</a:txBody><a:tcPr>{edges}</a:tcPr></a:tc>"
    rows = f'<a:tr h="635000">{cell * 2}</a:tr>' * 3
    style_id = f"<a:tableStyleId>{style}</a:tableStyleId>" if style else ""
    grid = '<a:gridCol w="1270000"/>' * 2
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="t"/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off '
        'x="127000" y="127000"/><a:ext cx="2540000" cy="1905000"/></p:xfrm><a:graphic><a:graphicData uri="x/table">'
        f'<a:tbl><a:tblPr firstRow="1" bandRow="1">{style_id}</a:tblPr><a:tblGrid>{grid}</a:tblGrid>{rows}</a:tbl>'
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )


def _tops(page: pypdfium2.PdfPage, letter: str) -> list[float]:
    text = page.get_textpage()
    return [text.get_charbox(at)[3] for at, each in enumerate(text.get_text_range()) if each == letter]


def _between(page: pypdfium2.PdfPage) -> object:
    """The colour of the line between the first two rows."""
    picture: Image.Image = page.render(scale=2).to_pil().convert("RGB")
    return picture.getpixel((360, 120))


@drawn
def test_rows_are_as_high_as_they_say(tmp_path: Path) -> None:
    tops = sorted(set(map(round, _tops(_page(tmp_path, _table("")), "c"))))
    assert [after - before for before, after in pairwise(tops)] == [50, 50]


def test_the_bands_of_powerpoints_usual_style_are_tints_of_its_colour() -> None:
    """As PowerPoint's own colours of a theme with 4472C4 are."""
    assert [table_styles.tinted("4472C4", share) for share in (0.4, 0.2)] == ["cfd5ea", "e9ebf5"]


def test_powerpoint_has_seventy_four_styles_in_eleven_families() -> None:
    known = built_in_tables._known()
    assert len(known) == 74
    assert all(built_in_tables.rules(each) is not None for each in known)
    assert built_in_tables.rules("{00000000-0000-0000-0000-000000000000}") is None


_PARTS = {
    "wholeTbl": Look(fill="#000001", lines={"insideH": "1pt solid #000009", "top": "2pt solid #000009"}),
    "band1H": Look(fill="#000002"), "band2H": Look(fill="#000003"), "firstRow": Look(fill="#000004", bold=True),
    "lastRow": Look(fill="#000005"), "firstCol": Look(fill="#000006"), "neCell": Look(colour="#ffffff"),
    "lastCol": Look(italic=True), "band1V": Look(fill="#000007"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("shown", "row", "column", "fill"),
    [("", 0, 0, 1), ("bandRow", 0, 1, 2), ("firstRow bandRow", 1, 1, 2), ("firstRow bandRow", 2, 1, 3),
     ("firstRow bandRow", 0, 1, 4), ("lastRow bandRow", 3, 1, 5), ("firstCol firstRow", 0, 0, 4),
     ("firstCol bandRow", 1, 0, 6), ("bandCol", 1, 0, 7), ("bandCol", 1, 1, 1), ("firstCol bandCol", 1, 1, 7)],
)  # fmt: skip
def test_the_more_special_part_of_a_table_decides(shown: str, row: int, column: int, fill: int) -> None:
    style = TableStyle(_PARTS, frozenset(shown.split()))
    assert style.cell(row, column, (4, 3)).fill == f"#00000{fill}"


def test_the_edge_of_a_part_has_its_own_line_and_corners_their_own_text() -> None:
    style = TableStyle(_PARTS, frozenset(("firstRow", "lastCol")))
    assert style.cell(0, 0, (4, 3)).lines == {"top": "2pt solid #000009", "bottom": "1pt solid #000009"}
    assert style.cell(3, 0, (4, 3)).lines == {"top": "1pt solid #000009"}
    corner = style.cell(0, 2, (4, 3))
    assert (corner.colour, corner.bold, corner.italic) == ("#ffffff", True, True)


_DECLARED = (
    '<a:tblStyleLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:tblStyle styleId="{ABC}">'
    '<a:wholeTbl><a:tcTxStyle><a:srgbClr val="FF0000"/></a:tcTxStyle><a:tcStyle><a:tcBdr><a:insideH><a:ln w="25400">'
    '<a:solidFill><a:srgbClr val="00FF00"/></a:solidFill></a:ln></a:insideH></a:tcBdr><a:fill><a:solidFill>'
    '<a:srgbClr val="FFFF00"/></a:solidFill></a:fill></a:tcStyle></a:wholeTbl></a:tblStyle></a:tblStyleLst>'
)


@drawn
def test_a_style_that_the_file_declares_colours_cells_lines_and_texts(tmp_path: Path) -> None:
    page = _page(tmp_path, _table("{abc}"), **{"ppt/tableStyles.xml": _DECLARED})
    image = page.render(scale=2).to_pil().convert("RGB")
    assert image.getpixel((360, 80)) == (255, 255, 0)
    assert image.getpixel((360, 120)) == (0, 255, 0)
    assert (255, 0, 0) in {image.getpixel((x, y)) for x in range(20, 120) for y in range(20, 60)}


@drawn
def test_the_header_of_a_built_in_style_is_white_although_the_presentation_says_black(tmp_path: Path) -> None:
    page = _page(tmp_path, _table("{073A0DAA-6AF3-43AB-8588-CEC1D06C72B9}"))
    image = page.render(scale=3).to_pil().convert("RGB")
    head = [image.getpixel((x, y)) for x in range(60, 160) for y in range(35, 100)]
    assert min(head) < (20, 20, 20)
    assert max(head) > (235, 235, 235)


@drawn
@pytest.mark.parametrize(
    ("said", "across", "down"), [("", 17.2, 13.6), ('marL="0" marT="0"', 10, 10), ('anchor="b" marB="0"', 17.2, 38)]
)
def test_a_cell_places_its_text_by_its_margins_and_anchor(
    tmp_path: Path, said: str, across: float, down: float
) -> None:
    page = _page(tmp_path, _table("").replace("<a:tcPr>", f"<a:tcPr {said}>"))
    text = page.get_textpage()
    left, _, _, top = text.get_charbox(0, loose=True)
    assert left == pytest.approx(across, abs=1.5)
    assert page.get_height() - top == pytest.approx(down, abs=3)


@drawn
@pytest.mark.parametrize(("turn", "order"), [("vert", 1), ("vert270", -1)])
def test_a_cell_turns_its_text(tmp_path: Path, turn: str, order: int) -> None:
    page = _page(tmp_path, _table("").replace("<a:tcPr>", f'<a:tcPr vert="{turn}">'))
    text = page.get_textpage()
    first, last = (text.get_charbox(at) for at in (0, 3))
    assert abs(first[0] - last[0]) < 5
    assert (first[1] - last[1]) * order > 8


@drawn
@pytest.mark.parametrize(
    ("style", "edges", "seen"),
    [("", "", (255, 255, 255)), ("{5940675A-B579-460E-94D1-54222C63F5DA}", "", (0, 0, 0)),
     ("", '<a:lnB w="25400"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:lnB>', (255, 0, 0))],
)  # fmt: skip
def test_cells_have_the_lines_of_their_style_and_their_own(
    tmp_path: Path, style: str, edges: str, seen: tuple[int, ...]
) -> None:
    assert _between(_page(tmp_path, _table(style, edges))) == seen


@drawn
def test_what_is_blank_above_a_line_is_not_blank_above_the_first_one(tmp_path: Path) -> None:
    far = '<a:pPr><a:spcBef><a:spcPts val="2000"/></a:spcBef></a:pPr>'
    plain, spaced = (_tops(_page(tmp_path, box(line("z", more) + line("z", more))), "z") for more in ("", far))
    assert spaced[0] == pytest.approx(plain[0], abs=0.1)
    assert spaced[1] == pytest.approx(plain[1] - 20, abs=0.1)
