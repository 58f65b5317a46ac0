"""Where tables, boxes, pictures and short paragraphs of Word documents stand, as Word and LibreOffice place them."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pypdfium2
import pytest

from tests.converters.test_documents import Convert
from tests.converters.test_word_looks import drawn, p
from tests.families.documents import files

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_EDGE = '<w:tblBorders><w:left w:val="single" w:sz="8"/><w:right w:val="single" w:sz="8"/></w:tblBorders>'
_PICTURE = (
    '<w:r><w:drawing><wp:{kind} xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'distL="114300" distR="114300">{where}<wp:extent cx="1270000" cy="{high}"/>{wrap}<a:graphic '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="picture"><pic:pic '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="i" xmlns:r='
    '"http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></pic:blipFill></pic:pic></a:graphicData>'
    "</a:graphic></wp:{kind}></w:drawing></w:r>"
)


def _picture(x: int | None = None, *, high: int = 1_270_000, origin: str = "column") -> str:
    """A picture 100 points wide, in the line or so many points from the column or another origin."""
    if x is None:
        return _PICTURE.format(kind="inline", where="", wrap="", high=high)
    at = f'<wp:positionH relativeFrom="{origin}"><wp:posOffset>{x * 12_700}</wp:posOffset></wp:positionH>'
    return _PICTURE.format(kind="anchor", where=at, wrap='<wp:wrapSquare wrapText="bothSides"/>', high=high)


def _table(inside: str = "", edges: str = "") -> str:
    cell = f'<w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/></w:tcPr>{p("cell")}{inside}</w:tc>'
    return f'<w:tbl><w:tblPr>{edges}</w:tblPr><w:tblGrid><w:gridCol w:w="4000"/></w:tblGrid><w:tr>{cell}</w:tr></w:tbl>'


def _html(tmp_path: Path, body: str, *, version: int | None = None, picture: bool = False) -> str:
    extra: dict[str, tuple[str, str, str | bytes]] = {}
    if version:
        setting = f'<w:compatSetting w:name="compatibilityMode" w:val="{version}"/>'
        extra["k"] = ("settings", "settings.xml", f"<w:settings {_W}><w:compat>{setting}</w:compat></w:settings>")
    if picture:
        extra["i"] = ("image", "media/i.png", files.png())
    return Convert(tmp_path, "docx-to-html", files.word(body, extra)).text


@pytest.mark.parametrize(("version", "places"), [(None, ["-5.4pt", "0"]), (14, ["-5.4pt", "0"]), (15, ["0", "0"])])
def test_tables_stand_out_of_the_text_only_as_old_versions_of_word_had_them(
    tmp_path: Path, version: int | None, places: list[str]
) -> None:
    html = _html(tmp_path, _table(_table() + p("")) + p("after"), version=version)
    rules = [
        re.search(rf"^\.{each}\{{(.*)\}}$", html, re.MULTILINE) for each in re.findall(r'<table class="(t\d+)"', html)
    ]
    found = [re.search(r"margin-left:(-?[\d.]+(?:pt)?)", each[1]) for each in rules if each]
    assert [each[1].replace("0pt", "0") if each else "" for each in found] == places


def test_the_edges_of_cells_are_part_of_what_is_blank_in_them(tmp_path: Path) -> None:
    assert "padding:0 4.9pt 0 4.9pt" in _html(tmp_path, _table(edges=_EDGE))
    assert "padding:0 5.4pt 0 5.4pt" in _html(tmp_path, _table())


@pytest.mark.parametrize(
    ("side", "wide", "style"),
    [
        ("bothSides", 1_270_000, "float:right;margin-right:184pt"),
        ("left", 1_270_000, "float:right;margin-right:184pt"),
        ("right", 1_270_000, "float:left;margin-left:184pt"),
        ("bothSides", 4_500_000, '<div style="text-align:center;margin:'),
    ],
)
def test_a_picture_in_the_centre_stays_there(tmp_path: Path, side: str, wide: int, style: str) -> None:
    where = '<wp:positionH relativeFrom="column"><wp:align>center</wp:align></wp:positionH>'
    wrap = f'<wp:wrapSquare wrapText="{side}"/>'
    picture = _PICTURE.format(kind="anchor", where=where, wrap=wrap, high=1_270_000).replace("1270000", str(wide), 1)
    assert style in _html(tmp_path, f"<w:p>{picture}<w:r><w:t>around</w:t></w:r></w:p>", picture=True)


@pytest.mark.parametrize(
    ("x", "style"),
    [(0, "float:left;margin-right"), (30, "float:left;margin-left:30pt"), (300, "float:right;margin-right:68pt")],
)
def test_pictures_that_text_goes_around_are_as_far_from_the_margin_as_they_say(
    tmp_path: Path, x: int, style: str
) -> None:
    """The text is 468 points wide."""
    body = f"<w:p>{_picture(x)}<w:r><w:t>Text</w:t></w:r></w:p>"
    assert style in _html(tmp_path, body, picture=True)


@pytest.mark.parametrize(("x", "shown"), [(40, "margin-left:-32pt"), (102, "margin-left:30pt")])
def test_pictures_are_as_far_from_the_edge_of_the_paper_as_they_say(tmp_path: Path, x: int, shown: str) -> None:
    """The text begins 72 points from the edge."""
    body = f"<w:p>{_picture(x, origin='page')}<w:r><w:t>Text</w:t></w:r></w:p>"
    assert shown in _html(tmp_path, body, picture=True)
    behind = body.replace('<wp:wrapSquare wrapText="bothSides"/>', "<wp:wrapNone/>")
    assert f"left:{x - 72}pt;top:0" in _html(tmp_path, behind, picture=True)


@drawn
def test_of_short_paragraphs_no_line_is_left_alone(tmp_path: Path) -> None:
    body = "".join(p(f"Begin{at} {'and so it goes on and on ' * 5}end{at}") for at in range(60))
    pdf = pypdfium2.PdfDocument(io.BytesIO(Convert(tmp_path, "docx-to-pdf", files.word(body)).data))
    assert len(pdf) > 1
    for page in pdf:
        text = page.get_textpage().get_text_bounded()
        assert re.findall(r"Begin(\d+)", text) == re.findall(r"end(\d+)", text)


@drawn
def test_a_heading_stays_with_the_picture_below_it(tmp_path: Path) -> None:
    head = p("Figure", "<w:keepNext/>")
    body = "".join(p(f"line {at}") for at in range(50)) + head + f"<w:p>{_picture(high=2_540_000)}</w:p>" + p("below")
    large = files.png() + bytes(2_000)
    extra: dict[str, tuple[str, str, str | bytes]] = {"i": ("image", "media/i.png", large)}
    pdf = pypdfium2.PdfDocument(io.BytesIO(Convert(tmp_path, "docx-to-pdf", files.word(body, extra)).data))
    assert "Figure" not in pdf[0].get_textpage().get_text_bounded()
    assert "Figure" in pdf[1].get_textpage().get_text_bounded()


def test_striped_shading_has_the_colour_that_it_has_from_afar(tmp_path: Path) -> None:
    body = p("Said", '<w:shd w:val="diagStripe" w:color="FF0000" w:fill="auto"/>')
    assert "background-color:#ffa6a6" in _html(tmp_path, body)


@drawn
def test_single_lines_are_as_far_apart_as_their_font_asks_to_a_fraction_of_a_pixel(tmp_path: Path) -> None:
    """12 points of Times: 13.79 points (1.149), of which whole pixels would leave 13.5."""
    style = (
        f'<w:styles {_W}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Times New Roman"/><w:sz w:val="24"/>'
    )
    style += "</w:rPr></w:rPrDefault></w:docDefaults></w:styles>"
    body = "".join(p(f"x{at}") for at in range(31))
    done = Convert(tmp_path, "docx-to-pdf", files.word(body, {"s": ("styles", "styles.xml", style)}))
    text = pypdfium2.PdfDocument(io.BytesIO(done.data))[0].get_textpage()
    feet = [text.get_charbox(at)[1] for at, each in enumerate(text.get_text_range()) if each == "x"]
    assert (feet[0] - feet[30]) / 30 == pytest.approx(13.79, abs=0.02)


def _heads(tmp_path: Path, sections: str, *, twofold: bool = False) -> tuple[str, str]:
    """The page and warnings of a document whose headers are a, b and c."""
    root = '<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    extra: dict[str, tuple[str, str, str | bytes]] = {
        f"h{each}": ("header", f"header-{each}.xml", f"{root}{p(f'Header {each}')}</w:hdr>") for each in "abc"
    }
    if twofold:
        extra["k"] = ("settings", "settings.xml", f"<w:settings {_W}><w:evenAndOddHeaders/></w:settings>")
    made = Convert(tmp_path, "docx-to-html", files.word(sections, extra))
    return made.text, made.messages


def _head(kind: str, each: str) -> str:
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    return f'<w:headerReference xmlns:r="{relations}" w:type="{kind}" r:id="h{each}"/>'


def test_headers_of_even_and_later_pages_that_a_page_for_browsers_has_not_are_counted(tmp_path: Path) -> None:
    kinds = _head("first", "a") + _head("default", "b") + _head("even", "c")
    html, said = _heads(tmp_path, p("text") + f"<w:sectPr>{kinds}<w:titlePg/></w:sectPr>", twofold=True)
    assert "Header a" in html
    assert "Header b" not in html
    assert (
        said
        == "Headers and footers of later pages that differ from the first were left out: 2 (“Header b”, “Header c”)."
    )


def test_the_header_of_a_section_on_the_same_page_is_counted(tmp_path: Path) -> None:
    first = f"<w:p><w:pPr><w:sectPr>{_head('default', 'a')}</w:sectPr></w:pPr></w:p>"
    last = f'<w:sectPr>{_head("default", "b")}<w:type w:val="continuous"/></w:sectPr>'
    html, said = _heads(tmp_path, p("one") + first + p("two") + last)
    assert "Header a" in html
    assert said == "Headers and footers of later pages that differ from the first were left out: 1 (“Header b”)."


def test_headers_that_are_not_in_use_are_not_missed(tmp_path: Path) -> None:
    kinds = _head("first", "a") + _head("default", "b") + _head("even", "c")
    html, said = _heads(tmp_path, p("text") + f"<w:sectPr>{kinds}</w:sectPr>")
    assert "Header b" in html
    assert said == ""


_BOXED = (
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice '
    'Requires="wps"><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/'
    'wordprocessingDrawing"><wp:extent cx="1270000" cy="254000"/><a:graphic '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="shape"><wps:wsp '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:spPr/><wps:txbx>'
    "<w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></wps:txbx></wps:wsp></a:graphicData>"
    "</a:graphic></wp:inline></w:drawing></mc:Choice></mc:AlternateContent>"
)
_OLD_BOX = (
    '<w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:rect style="{}width:90pt;height:20pt"><v:textbox>'
    "<w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></v:textbox></v:rect></w:pict>"
)


@pytest.mark.parametrize("box", [_BOXED, _OLD_BOX.format("")], ids=["drawn", "old"])
def test_a_box_within_a_line_of_text_is_named_as_it_is_moved(tmp_path: Path, box: str) -> None:
    inside = f"<w:p><w:r><w:t>before</w:t></w:r><w:r>{box}</w:r><w:r><w:t>after</w:t></w:r></w:p>"
    done = Convert(tmp_path, "docx-to-html", files.word(inside))
    assert "boxed" in done.text
    assert "Boxes within a line of text were moved above it: 1." in done.messages
    assert not Convert(tmp_path, "docx-to-html", files.word(f"<w:p><w:r>{box}</w:r></w:p>")).codes


def test_shapes_that_word_hides_are_not_missed(tmp_path: Path) -> None:
    shape = '<w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape style="{}width:9pt;height:9pt"/></w:pict>'
    for style, codes in (("visibility:hidden;", set()), ("", {"CONTENT_DROPPED"})):
        body = f"<w:p><w:r>{shape.format(style)}</w:r><w:r><w:t>Text</w:t></w:r></w:p>"
        assert Convert(tmp_path, "docx-to-html", files.word(body)).codes == codes


@drawn
@pytest.mark.parametrize(("anchor", "middle"), [("t", 90), ("ctr", 50), ("b", 10)])
def test_text_stands_at_the_height_in_a_plain_box_that_it_says(tmp_path: Path, anchor: str, middle: int) -> None:
    """The box is 100 points high, and stands at the top of the page."""
    inner = f'<wps:bodyPr anchor="{anchor}" tIns="0" bIns="0"/></wps:wsp>'
    box = _BOXED.replace("</wps:wsp>", inner).replace('cy="254000"', 'cy="1270000"')
    data = Convert(tmp_path, "docx-to-pdf", files.word(f"<w:p><w:r>{box}</w:r></w:p>")).data
    page = pypdfium2.PdfDocument(io.BytesIO(data))[0]
    _, bottom, _, top = page.get_textpage().get_charbox(0)
    foot = page.get_height() - 72 - 100
    assert abs((bottom + top) / 2 - foot - middle) < 8
