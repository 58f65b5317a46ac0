"""Drawings of Word documents that are placed on their page, in DrawingML and in VML."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest

from tests.converters.test_documents import Convert
from tests.converters.test_word_looks import drawn, p
from tests.families.documents import files

pytestmark = drawn

_RED, _BLUE = (255, 0, 0), (0, 0, 255)
_NAMES = (
    'xmlns:s="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w10="urn:schemas-microsoft-com:office:word" '
    'xmlns:o="urn:schemas-microsoft-com:office:office"'
)
_PAPER = '<w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" {}/>'
_LONG = p("word " * 120)


def section(more: str = "", heads: str = 'w:header="720" w:footer="720"') -> str:
    return f"<w:sectPr>{more}{_PAPER.format(heads)}</w:sectPr>"


def anchored(across: str, down: str, wrap: str = "<wp:wrapNone/>", size: tuple[int, int] = (100, 50)) -> str:
    """A paragraph with a red box whose positions are given as `origin:points`."""
    places = ""
    for name, said in (("positionH", across), ("positionV", down)):
        origin, _, length = said.partition(":")
        inside = f"<wp:posOffset>{float(length) * 12700:.0f}</wp:posOffset>" if length[-1:].isdigit() else ""
        inside = inside or f"<wp:align>{length}</wp:align>"
        places += f'<wp:{name} relativeFrom="{origin}">{inside}</wp:{name}>'
    extent = f'cx="{size[0] * 12700}" cy="{size[1] * 12700}"'
    return (
        f"<w:p {_NAMES}><w:r><w:drawing><wp:anchor>{places}<wp:extent {extent}/>{wrap}<a:graphic>"
        f'<a:graphicData uri="x"><s:wsp><s:spPr><a:xfrm><a:off x="0" y="0"/><a:ext {extent}/></a:xfrm>'
        '<a:prstGeom prst="rect"/><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></s:spPr><s:bodyPr/></s:wsp>'
        "</a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>"
    )


def vml(shapes: str, text: str = "") -> str:
    return f"<w:p {_NAMES}><w:r><w:pict>{shapes}</w:pict></w:r><w:r><w:t>{text}</w:t></w:r></w:p>"


def at(x: float, y: float, wide: float, high: float, more: str = "") -> str:
    return (
        f"position:absolute;margin-left:{x}pt;margin-top:{y}pt;width:{wide}pt;height:{high}pt;"
        f"mso-position-horizontal-relative:page;mso-position-vertical-relative:page;{more}"
    )


def box_of(done: Convert, colour: tuple[int, int, int], page: int = 0) -> tuple[int, int, int, int]:
    """The left, top, right and bottom of what has a colour on a page, in points."""
    picture = pypdfium2.PdfDocument(io.BytesIO(done.data))[page].render(scale=1).to_pil().convert("RGB")
    mask = picture.point(lambda _: 0).convert("L")
    found, here = picture.load(), mask.load()
    assert found is not None
    assert here is not None
    for x in range(picture.width):
        for y in range(picture.height):
            if found[x, y] == colour:
                here[x, y] = 255
    left, top, right, bottom = mask.getbbox() or (0, 0, 0, 0)
    return left, top, right, bottom


def near(found: tuple[int, ...], *expected: float) -> bool:
    return all(abs(one - other) <= 2 for one, other in zip(found, expected, strict=True))


@pytest.mark.parametrize("before", [0, 2])
@pytest.mark.parametrize(
    ("across", "down", "expected"),
    [
        ("page:100", "page:300", (100, 300, 200, 350)),
        ("margin:0", "margin:100", (72, 172, 172, 222)),
        ("page:center", "margin:bottom", (256, 670, 356, 720)),
        ("page:right", "page:top", (512, 0, 612, 50)),
        ("page:0", "page:bottom", (0, 742, 100, 792)),
        ("leftMargin:10", "bottomMargin:10", (10, 730, 110, 780)),
    ],
)
def test_a_drawing_is_where_it_is_on_its_page(
    tmp_path: Path, before: int, across: str, down: str, expected: tuple[int, ...]
) -> None:
    body = p("Line") * before + anchored(across, down) + section()
    done = Convert(tmp_path, "docx-to-pdf", files.word(body))
    assert near(box_of(done, _RED), *expected)
    assert not done.codes


def test_a_drawing_is_on_the_page_of_its_paragraph(tmp_path: Path) -> None:
    body = _LONG * 12 + anchored("page:100", "page:20") + section()
    done = Convert(tmp_path, "docx-to-pdf", files.word(body))
    last = len(pypdfium2.PdfDocument(io.BytesIO(done.data))) - 1
    assert last > 0
    assert near(box_of(done, _RED, last), 100, 20, 200, 70)


def test_text_stays_beside_a_drawing_that_it_wraps(tmp_path: Path) -> None:
    body = anchored("page:440", "page:72", "<wp:wrapSquare/>", (100, 200)) + _LONG + section()
    done = Convert(tmp_path, "docx-to-pdf", files.word(body))
    assert near(box_of(done, _RED), 440, 72, 540, 272)
    page = pypdfium2.PdfDocument(io.BytesIO(done.data))[0].get_textpage()
    beside = [page.get_charbox(index) for index in range(page.count_chars()) if page.get_charbox(index)[1] > 792 - 260]
    assert beside
    assert max(box[2] for box in beside) < 440


@pytest.mark.parametrize(("kind", "edge"), [("header", 60), ("footer", 700)])
def test_drawings_of_headers_are_where_they_are_on_the_page(tmp_path: Path, kind: str, edge: int) -> None:
    names = (
        'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
        'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    )
    tag = {"header": "hdr", "footer": "ftr"}[kind]
    part = f"<w:{tag} {names}>{p('Above')}{anchored('page:20', f'page:{edge}')}</w:{tag}>"
    body = _LONG + section(f'<w:{kind}Reference w:type="default" r:id="h"/>')
    done = Convert(tmp_path, "docx-to-pdf", files.word(body, {"h": (kind, f"{kind}1.xml", part)}))
    assert near(box_of(done, _RED), 20, edge, 120, edge + 50)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (f'<v:rect style="{at(100, 300, 80, 40)}" fillcolor="red" stroked="f"/>', (100, 300, 180, 340)),
        (f'<v:rect style="{at(0, 0, 9, 9, "mso-width-percent:500;mso-height-percent:250")}" fillcolor="#f00 [1]" '
         'stroked="f"/>', (0, 0, 306, 198)),
        ('<v:rect style="position:absolute;width:80pt;height:40pt;mso-position-horizontal:right;'
         'mso-position-horizontal-relative:margin;mso-position-vertical:bottom;mso-position-vertical-relative:margin" '
         'fillcolor="red" stroked="f"/>', (460, 680, 540, 720)),
        (f'<v:group style="{at(100, 300, 200, 100)}" coordorigin="10,10" coordsize="20,10"><v:oval '
         'style="position:absolute;left:20;top:10;width:10;height:10" fillcolor="red" stroked="f"/></v:group>',
         (200, 300, 300, 400)),
        (f'<v:shape style="{at(100, 300, 80, 40)}" coordsize="10,10" path="m0,0l10,,10,10,,10xe" fillcolor="red" '
         'stroked="f"/>', (100, 300, 180, 340)),
        (f'<v:shapetype id="t5" o:spt="5"/><v:shape type="#t5" style="{at(100, 300, 80, 40)}" fillcolor="red" '
         'stroked="f"/>', (100, 300, 180, 340)),
        (f'<v:line style="{at(0, 0, 0, 0)}" from="100pt,300pt" to="180pt,300pt" strokecolor="red" '
         'strokeweight="4pt"/>', (100, 298, 180, 302)),
    ],
    ids=["box", "shares of the page", "at the margin", "group", "path", "type", "line"],
)  # fmt: skip
def test_shapes_of_vml_are_drawn_at_their_places(tmp_path: Path, shape: str, expected: tuple[int, ...]) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(vml(shape, "Text") + section()))
    assert near(box_of(done, _RED), *expected)
    assert not done.codes


def test_a_gradient_of_vml_goes_from_one_colour_to_the_other(tmp_path: Path) -> None:
    fill = '<v:fill color2="blue" type="gradient"/>'
    shape = f'<v:rect style="{at(100, 300, 80, 80)}" fillcolor="red" stroked="f">{fill}</v:rect>'
    done = Convert(tmp_path, "docx-to-pdf", files.word(vml(shape) + section()))
    picture = pypdfium2.PdfDocument(io.BytesIO(done.data))[0].render(scale=1).to_pil().convert("RGB")
    colours = [picture.getpixel((140, y)) for y in (304, 376)]
    assert {colour[0] > 200 for colour in colours} == {True, False}


def test_a_watermark_is_text_behind_the_page(tmp_path: Path) -> None:
    words = '<v:textpath style="font-family:&quot;Arial&quot;" string="DRAFT"/>'
    style = at(100, 300, 300, 100, "rotation:315;z-index:-5")
    shape = f'<v:shape type="#_x0000_t136" style="{style}" fillcolor="red" stroked="f">{words}</v:shape>'
    done = Convert(tmp_path, "docx-to-pdf", files.word(vml(shape, "Text") + section()))
    left, top, right, bottom = box_of(done, _RED)
    assert "DRAFT" in pypdfium2.PdfDocument(io.BytesIO(done.data))[0].get_textpage().get_text_range()
    assert left > 90
    assert right < 410
    assert bottom - top > 100


def test_the_text_of_a_turned_box_runs_along_its_longer_side(tmp_path: Path) -> None:
    box = '<v:textbox style="layout-flow:vertical" inset="0,0,0,0"><w:txbxContent>{}</w:txbxContent></v:textbox>'
    shape = f'<v:rect style="{at(100, 200, 40, 300)}" filled="f" stroked="f">{box.format(p("Along the side"))}</v:rect>'
    done = Convert(tmp_path, "docx-to-pdf", files.word(vml(shape, "Text") + section()))
    page = pypdfium2.PdfDocument(io.BytesIO(done.data))[0].get_textpage()
    first, count = page.search("Along the side").get_next()
    boxes = [page.get_charbox(each) for each in (first, first + count - 1)]
    assert boxes[0][3] - boxes[1][3] > 40
    assert abs(boxes[0][0] - boxes[1][0]) < 6
    assert not done.codes


@pytest.mark.parametrize("text", ["", "WORDS"])
def test_a_form_of_vml_that_is_not_understood_is_counted(tmp_path: Path, text: str) -> None:
    box = f"<v:textbox><w:txbxContent>{p(text)}</w:txbxContent></v:textbox>" if text else ""
    shape = f'<v:shape style="{at(100, 300, 80, 40)}" path="wr0,0,10,10,0,0,9,9e" fillcolor="red">{box}</v:shape>'
    done = Convert(tmp_path, "docx-to-pdf", files.word(vml(shape) + section()))
    assert done.codes == {"VALUE_CONVERTED" if text else "CONTENT_DROPPED"}


_BREAK = '<w:r><w:br w:type="page"/></w:r>'


@pytest.mark.parametrize("down", ["page:300", "page:20"])
@pytest.mark.parametrize(
    ("before", "first"),
    [
        (p("Line") * 56, ""),
        (p("Line"), "<w:pPr><w:pageBreakBefore/></w:pPr>"),
        (f"{p('Line')}<w:p>{_BREAK}</w:p>", ""),
        (p("Line"), _BREAK),
        (p("Line"), f"<w:r><w:t>End</w:t></w:r>{_BREAK}"),
    ],
    ids=["page full", "page break before", "break alone", "break at the start", "break within"],
)
@pytest.mark.parametrize("text", ["", "Own"])
def test_a_drawing_is_on_the_page_of_the_line_that_it_is_in(
    tmp_path: Path, down: str, before: str, first: str, text: str
) -> None:
    drawing = anchored("page:100", down).replace("<w:r>", f"{first}<w:r>", 1)
    body = before + drawing.replace("</w:p>", f"<w:r><w:t>{text}</w:t></w:r></w:p>") + p("After") + section()
    done = Convert(tmp_path, "docx-to-pdf", files.word(body))
    top = float(down.partition(":")[2])
    assert len(pypdfium2.PdfDocument(io.BytesIO(done.data))) == 2
    assert box_of(done, _RED) == (0, 0, 0, 0)
    assert near(box_of(done, _RED, 1), 100, top, 200, top + 50)


@pytest.mark.parametrize("down", ["page:300", "page:20", "margin:bottom", "page:bottom"])
def test_a_drawing_makes_no_further_page(tmp_path: Path, down: str) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(anchored("page:100", down) + section()))
    assert len(pypdfium2.PdfDocument(io.BytesIO(done.data))) == 1


def test_drawings_whose_places_do_not_come_to_rest_are_counted(tmp_path: Path) -> None:
    drawing = anchored("margin:300", "margin:500", "<wp:wrapSquare/>", (150, 150))
    done = Convert(tmp_path, "docx-to-pdf", files.word(_LONG * 4 + (drawing + _LONG) * 12 + section()))
    assert done.codes == {"VALUE_CONVERTED"}


def grouped(kind: str, depth: int, inner: str = "grpSp") -> str:
    """A drawing that is a group or canvas with a red box inside groups within each other."""
    names = (
        'xmlns:wpg="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup" '
        'xmlns:wpc="http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas" '
        'xmlns:lc="http://schemas.openxmlformats.org/drawingml/2006/lockedCanvas"'
    )
    sides = '<a:{}ff x="0" y="0"/><a:{}xt cx="1270000" cy="635000"/>'
    place = f"<a:xfrm>{sides.format('o', 'e')}{sides.format('chO', 'chE')}</a:xfrm>"
    place = f"<wpg:grpSpPr>{place}</wpg:grpSpPr>"
    before, shape, after = anchored("page:100", "page:300").partition("<s:wsp>")
    shape, end, after = f"{shape}{after}".partition("</s:wsp>")
    inside = f"<wpg:{inner}>{place}" * depth + shape + end + f"</wpg:{inner}>" * depth
    own = place if kind == "wpg:wgp" else ""
    return before.replace("<w:p ", f"<w:p {names} ") + f"<{kind}>{own}{inside}</{kind}>{after}"


@pytest.mark.parametrize(
    ("kind", "inner", "depth"), [("wpg:wgp", "grpSp", 0), ("wpg:wgp", "grpSp", 20), ("wpc:wpc", "wgp", 1)]
)
def test_shapes_of_groups_and_canvases_are_drawn(tmp_path: Path, kind: str, inner: str, depth: int) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(grouped(kind, depth, inner) + section()))
    assert near(box_of(done, _RED), 100, 300, 200, 350)
    assert not done.codes


@pytest.mark.parametrize("body", [
    grouped("wpg:wgp", 40),
    grouped("lc:lockedCanvas", 0),
    vml(f'<v:group style="{at(9, 9, 90, 90)}">' + "<v:group>" * 40 + "<v:rect/>" + "</v:group>" * 41),
], ids=["groups", "locked canvas", "groups of VML"])  # fmt: skip
def test_shapes_within_what_is_not_drawn_are_counted(tmp_path: Path, body: str) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(body + section()))
    assert done.codes == {"CONTENT_DROPPED"}
    assert "1" in done.messages


def test_types_of_vml_may_have_any_number(tmp_path: Path) -> None:
    shape = f'<v:shape o:spt="{"9" * 5000}" style="{at(100, 300, 80, 40)}" fillcolor="red"/>'
    assert Convert(tmp_path, "docx-to-pdf", files.word(vml(shape) + section())).codes == {"CONTENT_DROPPED"}


@pytest.mark.parametrize("top", [10, 300])
def test_a_drawing_in_a_note_is_in_its_note_and_counted(tmp_path: Path, top: int) -> None:
    names = (
        'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
        'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    )
    note = f'<w:footnote w:id="2">{p("Note")}{anchored("page:20", f"page:{top}")}</w:footnote>'
    part = {"f": ("footnotes", "footnotes.xml", f"<w:footnotes {names}>{note}</w:footnotes>")}
    body = f'<w:p><w:r><w:t>Text</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>{section()}'
    done = Convert(tmp_path, "docx-to-pdf", files.word(body, part))
    assert done.codes == {"CONTENT_DROPPED"}
    assert "moved to their paragraphs: 1" in done.messages
    assert box_of(done, _RED) != (0, 0, 0, 0)


def test_a_turned_drawing_reaches_into_the_margin(tmp_path: Path) -> None:
    body = anchored("page:100", "page:600", size=(200, 20)).replace("<a:xfrm>", '<a:xfrm rot="5400000">')
    done = Convert(tmp_path, "docx-to-pdf", files.word(body + section()))
    assert near(box_of(done, _RED), 190, 510, 210, 710)
    body = body.replace(f"{600 * 12700}", f"{660 * 12700}")
    done = Convert(tmp_path, "docx-to-pdf", files.word(body + section()))
    assert near(box_of(done, _RED), 190, 570, 210, 770)
    assert not done.codes


def _in_cell(drawing: str, more: str = "") -> str:
    cell = f'<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr>{drawing}{p("Cell")}</w:tc>'
    grid = '<w:tblGrid><w:gridCol w:w="3000"/></w:tblGrid>'
    return f"<w:tbl><w:tblPr>{more}</w:tblPr>{grid}<w:tr>{cell}</w:tr></w:tbl>"


@pytest.mark.parametrize(("said", "left", "top"), [('layoutInCell="0"', 300, 400), ('layoutInCell="1"', 372, 484)])
def test_a_drawing_of_a_cell_is_on_its_page_or_in_its_cell(tmp_path: Path, said: str, left: int, top: int) -> None:
    drawing = anchored("page:300", "page:400").replace("<wp:anchor>", f"<wp:anchor {said}>")
    done = Convert(tmp_path, "docx-to-pdf", files.word(p("Line") + _in_cell(drawing) + section()))
    found = box_of(done, _RED)
    assert all(abs(one - other) < 8 for one, other in zip(found, (left, top, left + 100, top + 50), strict=True))
    assert not done.codes


def test_a_drawing_of_a_floating_table_is_on_the_page_of_the_table(tmp_path: Path) -> None:
    place = '<w:tblpPr w:vertAnchor="page" w:horzAnchor="page" w:tblpX="1000" w:tblpY="200"/>'
    drawing = anchored("page:300", "page:400").replace("<wp:anchor>", '<wp:anchor layoutInCell="0">')
    done = Convert(tmp_path, "docx-to-pdf", files.word(_in_cell(drawing, place) + p("Line") + section()))
    assert near(box_of(done, _RED), 300, 400, 400, 450)
    assert not done.codes


@pytest.mark.parametrize(("down", "top"), [("paragraph:-40", 32), ("paragraph:620", 692)])
def test_a_drawing_of_the_first_line_may_reach_into_the_margins(tmp_path: Path, down: str, top: int) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(anchored("column:10", down) + _LONG + section()))
    assert near(box_of(done, _RED), 82, top, 182, top + 50)
    assert len(pypdfium2.PdfDocument(io.BytesIO(done.data))) == 1
    assert not done.codes


def test_what_is_behind_a_header_moves_no_text(tmp_path: Path) -> None:
    names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    names += ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
    names += ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    head = f"<w:hdr {names}>{anchored('column:0', 'paragraph:0', size=(100, 300))}</w:hdr>"
    refer = (
        '<w:headerReference xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
        'r:id="rH" w:type="default"/>'
    )
    body = anchored("page:400", "paragraph:0") + section(refer)
    done = Convert(tmp_path, "docx-to-pdf", files.word(body, {"rH": ("header", "header1.xml", head)}))
    left, _, right, _ = box_of(done, _RED)
    assert (left, right) == pytest.approx((72, 500), abs=2)
    picture = pypdfium2.PdfDocument(io.BytesIO(done.data))[0].render(scale=1).to_pil().convert("RGB")
    column = [y for y in range(picture.height) if picture.getpixel((450, y)) == _RED]
    assert column[0] == pytest.approx(72, abs=2)
