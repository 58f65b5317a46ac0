"""What Word shows otherwise than its file says: hidden text, fields without a result, tables wider than their grid."""

from __future__ import annotations

import io
import zipfile
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest

from tests.converters.test_documents import Convert
from tests.converters.test_word_looks import drawn, p
from tests.families.documents import files

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_HIDDEN, _ASIDE = "<w:rPr><w:vanish/></w:rPr>", '<w:rPr><w:rStyle w:val="Aside"/></w:rPr>'
_SHEET = (
    f'<w:styles xmlns:w="{_W}"><w:style w:type="character" w:styleId="Aside">{_HIDDEN}</w:style>'
    f'<w:style w:type="paragraph" w:styleId="Answer">{_HIDDEN}</w:style></w:styles>'
)
_STYLES = {"rStyles": ("styles", "styles.xml", _SHEET)}


def _run(text: str, look: str = "") -> str:
    return f'<w:r>{look}<w:t xml:space="preserve">{text}</w:t></w:r>'


def _cell(text: str, width: int | None = None) -> str:
    wide = "" if width is None else f'<w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>'
    return f"<w:tc>{wide}{p(text)}</w:tc>"


def _table(*rows: str, columns: int = 1) -> str:
    grid = f"<w:tblGrid>{'<w:gridCol/>' * columns}</w:tblGrid>"
    return f"<w:tbl>{grid}{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>{p('')}"


def _page(data: bytes) -> str:
    return " ".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(io.BytesIO(data)))


@pytest.mark.parametrize(
    "hidden",
    [
        f"<w:p>{_run('Seen')}{_run('SECRET', _HIDDEN)}</w:p>",
        f"<w:p>{_run('Seen')}{_run('SECRET', _ASIDE)}</w:p>",
        f'{p("Seen")}<w:p><w:pPr><w:pStyle w:val="Answer"/></w:pPr>{_run("SECRET")}</w:p>{p("")}',
        _table(_cell("Seen"), f"<w:trPr><w:hidden/></w:trPr>{_cell('SECRET')}"),
    ],
    ids=["run", "character style", "paragraph style", "row"],
)
@pytest.mark.parametrize("target", ["markdown", "txt", "html", "odt", pytest.param("pdf", marks=drawn)])
def test_hidden_text_is_left_out_and_named(tmp_path: Path, hidden: str, target: str) -> None:
    done = Convert(tmp_path, f"docx-to-{target}", files.word(hidden, _STYLES))
    assert "Hidden text was left out: 1 (“SECRET”)." in done.messages
    if target in ("markdown", "txt", "html"):
        assert "Seen" in done.text
        assert "SECRET" not in done.text


def test_text_that_its_run_shows_although_its_style_hides_it_is_kept(tmp_path: Path) -> None:
    shown = '<w:rPr><w:rStyle w:val="Aside"/><w:vanish w:val="0"/></w:rPr>'
    done = Convert(tmp_path, "docx-to-txt", files.word(f"<w:p>{_run('Seen', shown)}</w:p>", _STYLES))
    assert done.text == "Seen\n"
    assert not done.codes


def test_a_hidden_end_of_a_paragraph_joins_it_with_the_next_one(tmp_path: Path) -> None:
    first = f"<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>{_run('One, ')}</w:p>"
    done = Convert(tmp_path, "docx-to-txt", files.word(first + p("two") + p("three")))
    assert done.text == "One, two\n\nthree\n"


@pytest.mark.parametrize("target", ["markdown", "txt", pytest.param("pdf", marks=drawn)])
def test_form_fields_show_what_is_chosen(tmp_path: Path, target: str) -> None:
    def form(control: str) -> str:
        begin = f'<w:fldChar w:fldCharType="begin"><w:ffData>{control}</w:ffData></w:fldChar>'
        end = '<w:fldChar w:fldCharType="end"/>'
        return f"<w:r>{begin}</w:r><w:r><w:instrText> FORM </w:instrText></w:r><w:r>{end}</w:r>"

    ticked, chosen = '<w:checkBox><w:default w:val="1"/></w:checkBox>', '<w:result w:val="1"/>'
    entries = "".join(f'<w:listEntry w:val="{each}"/>' for each in ("red", "green"))
    body = f"<w:p>{form(ticked)}{_run(' paid ')}{form('<w:ddList>' + chosen + entries + '</w:ddList>')}</w:p>"
    done = Convert(tmp_path, f"docx-to-{target}", files.word(body))
    assert (_page(done.data) if target == "pdf" else done.text).strip() == "☒ paid green"
    assert "Form fields became text: 2." in done.messages


@pytest.mark.parametrize(
    ("code", "shown"),
    [("252 \\f Wingdings", "✓"), ("0x50 \\f &quot;Wingdings 2&quot;", "✓"), ("169", "©"), ("8364 \\u", "€")],
)
@pytest.mark.parametrize("target", ["markdown", "txt", pytest.param("pdf", marks=drawn)])
def test_fields_of_symbols_show_them(tmp_path: Path, target: str, code: str, shown: str) -> None:
    field = (
        f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> SYMBOL {code} </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    done = Convert(tmp_path, f"docx-to-{target}", files.word(f"<w:p>{_run('Done: ')}{field}</w:p>"))
    assert (_page(done.data) if target == "pdf" else done.text).strip() == f"Done: {shown}"


@pytest.mark.parametrize("target", ["markdown", "txt", "html", pytest.param("pdf", marks=drawn)])
@pytest.mark.parametrize("wide", [None, 4000], ids=["without widths", "with widths"])
def test_rows_of_more_cells_than_the_table_declares_are_kept(tmp_path: Path, target: str, wide: int | None) -> None:
    narrow = None if wide is None else wide // 4
    rows = [_cell("Title", wide), "".join(_cell(each, narrow) for each in ("one", "two", "three", "four"))]
    done = Convert(tmp_path, f"docx-to-{target}", files.word(_table(*rows)))
    text = _page(done.data) if target == "pdf" else done.text
    assert all(each in text for each in ("Title", "one", "two", "three", "four"))
    assert not done.codes
    if target == "html":
        assert ('colspan="4"' in text) is (wide is not None)


@drawn
@pytest.mark.parametrize(("text", "named"), [("Text", True), ("", False)])
def test_a_font_that_is_set_in_one_of_other_widths_is_named_where_it_has_text(
    tmp_path: Path, text: str, named: bool
) -> None:
    look = '<w:rPr><w:rFonts w:ascii="Verdana" w:hAnsi="Verdana"/></w:rPr>'
    done = Convert(tmp_path, "docx-to-pdf", files.word(f"<w:p>{_run(text, look)}</w:p>"))
    assert ("FONT_SUBSTITUTED" in done.codes) is named
    assert ("“Verdana” is not installed and was replaced by Liberation Sans" in done.messages) is named


def _shape(kind: str, *, text: str = "", fill: str = "", line: str = "", place: str = "") -> str:
    """A paragraph with a shape of 200 x 100 points in its line."""
    parts = 'xmlns:s="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    colours = "".join(
        before + f'<a:solidFill><a:srgbClr val="{colour}"/></a:solidFill>' + after
        for colour, before, after in ((fill, "", ""), (line, '<a:ln w="38100">', "</a:ln>"))
        if colour
    )
    box = f"<s:txbx><w:txbxContent>{p(text)}</w:txbxContent></s:txbx>" if text else ""
    return (
        '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="2540000" cy="1270000"/><a:graphic>'
        f'<a:graphicData uri="x"><s:wsp {parts}><s:spPr><a:xfrm{place}><a:off x="0" y="0"/>'
        f'<a:ext cx="2540000" cy="1270000"/></a:xfrm><a:prstGeom prst="{kind}"><a:avLst/></a:prstGeom>'
        f"{colours}</s:spPr>{box}<s:bodyPr/></s:wsp>"
        "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )


def _coloured(data: bytes, colour: tuple[int, int, int], area: tuple[int, int, int, int] = (73, 73, 271, 171)) -> float:
    """The share of an area, at first that of the shape upright, that is of a colour."""
    picture = pypdfium2.PdfDocument(io.BytesIO(data))[0].render(scale=1).to_pil().convert("RGB")
    box = picture.crop(area)
    found = sum(count for count, each in box.getcolors(99999) or () if each == colour)
    return float(found / (box.width * box.height))


@drawn
@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [("rect", 0.99, 1.0), ("diamond", 0.45, 0.55), ("rightArrow", 0.5, 0.75), ("ellipse", 0.74, 0.8)],
)
@pytest.mark.parametrize("text", ["", "WORD"])
def test_shapes_have_their_form_and_their_text_above_their_fill(
    tmp_path: Path, kind: str, least: float, most: float, text: str
) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(_shape(kind, text=text, fill="FF0000")))
    assert least - 0.05 * bool(text) <= _coloured(done.data, (255, 0, 0)) <= most
    assert _page(done.data).strip() == text
    assert not done.codes


@drawn
def test_a_line_goes_from_corner_to_corner(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(_shape("straightConnector1", line="0000FF")))
    assert 0.005 < _coloured(done.data, (0, 0, 255)) < 0.05


@drawn
def test_a_dashed_line_has_gaps(tmp_path: Path) -> None:
    plain = _shape("line", line="0000FF")
    dashed = plain.replace("</a:ln>", '<a:prstDash val="dash"/></a:ln>')
    shares = [
        _coloured(Convert(tmp_path, "docx-to-pdf", files.word(each)).data, (0, 0, 255)) for each in (plain, dashed)
    ]
    assert 0.4 * shares[0] < shares[1] < 0.8 * shares[0]


@drawn
def test_a_gradient_goes_from_one_colour_to_the_other(tmp_path: Path) -> None:
    stops = "".join(
        f'<a:gs pos="{at}"><a:srgbClr val="{colour}"/></a:gs>' for at, colour in ((0, "FF0000"), (100_000, "0000FF"))
    )
    fill = f'<a:gradFill><a:gsLst>{stops}</a:gsLst><a:lin ang="0"/></a:gradFill></s:spPr>'
    done = Convert(tmp_path, "docx-to-pdf", files.word(_shape("heart").replace("</s:spPr>", fill)))
    picture = pypdfium2.PdfDocument(io.BytesIO(done.data))[0].render(scale=1).to_pil().convert("RGB")
    left, right = picture.getpixel((100, 110)), picture.getpixel((245, 110))
    assert left[0] > 150 > left[2]
    assert right[2] > 150 > right[0]
    assert not done.codes


@drawn
def test_members_of_a_turned_group_are_where_it_puts_them(tmp_path: Path) -> None:
    names = " ".join(
        f'xmlns:{key}="http://schemas.microsoft.com/office/word/2010/{name}"'
        for key, name in (("g", "wordprocessingGroup"), ("s", "wordprocessingShape"))
    )
    member = (
        '<s:wsp><s:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="635000" cy="635000"/></a:xfrm>'
        '<a:prstGeom prst="ellipse"/><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></s:spPr><s:bodyPr/></s:wsp>'
    )
    body = (
        '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="2540000" cy="2540000"/><a:graphic><a:graphicData uri="x">'
        f'<g:wgp {names}><g:grpSpPr><a:xfrm rot="10800000"><a:off x="0" y="0"/><a:ext cx="2540000" cy="2540000"/>'
        '<a:chOff x="0" y="0"/><a:chExt cx="1270000" cy="1270000"/></a:xfrm></g:grpSpPr>'
        f"{member}</g:wgp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )
    done = Convert(tmp_path, "docx-to-pdf", files.word(body))
    assert _coloured(done.data, (255, 0, 0), (172, 172, 272, 272)) > 0.7
    assert _coloured(done.data, (255, 0, 0), (72, 72, 172, 172)) == 0


@drawn
def test_a_form_that_is_not_known_is_named(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(_shape("noShape", text="WORD", fill="FF0000")))
    assert "Shapes with text became rectangles: 1" in done.messages


@drawn
@pytest.mark.parametrize("cell", [False, True])
def test_text_is_above_a_picture_that_is_behind_it(tmp_path: Path, cell: bool) -> None:
    picture = (
        '<w:r><w:drawing><wp:anchor behindDoc="1"><wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset>'
        '</wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV>'
        '<wp:extent cx="2540000" cy="1270000"/><wp:wrapNone/><a:graphic><a:graphicData uri="x"><pic:pic><pic:blipFill>'
        '<a:blip r:embed="r9"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>'
    )
    line = f"<w:p>{picture}{_run('ABOVE')}</w:p>"
    body = f"<w:tbl><w:tr><w:tc>{line}</w:tc></w:tr></w:tbl>{p('')}" if cell else line
    done = Convert(tmp_path, "docx-to-pdf", files.word(body, {"r9": ("image", "a.png", files.png())}))
    page = pypdfium2.PdfDocument(io.BytesIO(done.data))[0]
    left, bottom, right, top = page.get_textpage().get_charbox(0)
    height = page.get_height()
    box = tuple(round(each * 3) for each in (left, height - top, right, height - bottom))
    letters = page.render(scale=3).to_pil().crop(box)
    assert letters.convert("L").getextrema()[0] < 60
    assert not done.codes


@drawn
def test_a_turned_shape_is_turned(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-pdf", files.word(_shape("rect", fill="FF0000", place=' rot="2700000"')))
    assert 0.4 < _coloured(done.data, (255, 0, 0), (72, 72, 284, 284)) < 0.5  # the square around it
    assert not done.codes


@drawn
def test_a_turned_picture_in_a_line_has_room_for_all_of_it(tmp_path: Path) -> None:
    turned = files.PICTURE.replace("<pic:spPr/>", '<pic:spPr><a:xfrm rot="2700000"/></pic:spPr>')
    done = Convert(
        tmp_path, "docx-to-pdf", files.word(turned + p("Below"), {"rPicture": ("image", "a.png", files.png())})
    )
    page = pypdfium2.PdfDocument(io.BytesIO(done.data))[0]
    image = page.render(scale=1).to_pil().convert("RGB")
    red = [
        (x, y)
        for y in range(image.height)
        for x in range(image.width)
        if image.getpixel((x, y))[0] > 190 > 50 > image.getpixel((x, y))[1]
    ]
    diagonal = 60 * 2**0.5
    assert all(max(each[at] for each in red) - min(each[at] for each in red) > diagonal - 4 for at in (0, 1))
    assert page.get_height() - page.get_textpage().get_charbox(0)[3] > max(y for _, y in red) - 4


@drawn
def test_pictures_of_symbol_fonts_without_a_character_are_counted(tmp_path: Path) -> None:
    signs = "".join(f'<w:r><w:sym w:font="Webdings" w:char="F0{code}"/></w:r>' for code in ("61", "4A", "4B"))
    done = Convert(tmp_path, "docx-to-pdf", files.word(f"<w:p>{signs}</w:p>"))
    assert _page(done.data).strip() == "✔••"
    assert "became bullets: 2." in done.messages


@drawn
def test_an_underline_has_its_own_colour(tmp_path: Path) -> None:
    look = '<w:rPr><w:u w:val="single" w:color="0000FF"/><w:sz w:val="96"/></w:rPr>'
    done = Convert(tmp_path, "docx-to-pdf", files.word(f"<w:p>{_run('XXXX', look)}</w:p>"))
    assert _coloured(done.data, (0, 0, 255)) > 0


@pytest.mark.parametrize("target", ["markdown", "txt", "html", pytest.param("pdf", marks=drawn)])
@pytest.mark.parametrize(
    "hidden",
    [
        '<text:p>Seen <text:span text:style-name="Off">SECRET</text:span></text:p>',
        '<text:p>Seen</text:p><text:p text:style-name="Child">SECRET</text:p>',
        '<text:p>Seen</text:p><text:section text:name="s" text:display="none"><text:p>SECRET</text:p></text:section>',
        '<text:p>Seen</text:p><text:p><text:hidden-paragraph text:condition="x" text:is-hidden="true"/>SECRET</text:p>',
    ],
    ids=["span", "inherited style", "section", "paragraph"],
)
def test_text_that_opendocument_hides_is_left_out_and_named(tmp_path: Path, target: str, hidden: str) -> None:
    off = '<style:text-properties text:display="none"/>'
    styles = (
        f'<office:automatic-styles><style:style style:name="Off" style:family="text">{off}</style:style>'
        f'<style:style style:name="Off" style:family="paragraph">{off}</style:style>'
        '<style:style style:name="Child" style:family="paragraph" style:parent-style-name="Off"/>'
        "</office:automatic-styles>"
    ).encode()
    with zipfile.ZipFile(io.BytesIO(files._odt(hidden))) as parts:
        held = {name: parts.read(name) for name in parts.namelist()}
    held["content.xml"] = held["content.xml"].replace(b"<office:body>", styles + b"<office:body>")
    done = Convert(tmp_path, f"odt-to-{target}", files.archive(held))
    assert "Hidden text was left out: 1 (“SECRET”)." in done.messages
    text = _page(done.data) if target == "pdf" else done.text
    assert "Seen" in text
    assert "SECRET" not in text


@pytest.mark.parametrize("target", ["markdown", "txt", "html"])
def test_hidden_text_of_rtf_is_named(tmp_path: Path, target: str) -> None:
    done = Convert(tmp_path, f"rtf-to-{target}", rb"{\rtf1\ansi Seen {\v SECRET}\v MORE\v0\par}")
    assert "Seen" in done.text
    assert "SECRET" not in done.text
    assert "Hidden text was left out: 2 (“SECRET”, “MORE”)." in done.messages


@drawn
@pytest.mark.parametrize(
    ("more", "framed"),
    [("", [True, True]), ('w:display="firstPage"', [True, False]), ('w:display="notFirstPage"', [False, True])],
)
@pytest.mark.parametrize("offset", ["page", "text"])
def test_pages_have_their_borders(tmp_path: Path, more: str, framed: list[bool], offset: str) -> None:
    sides = "".join(
        f'<w:{side} w:val="single" w:sz="24" w:space="20" w:color="0000FF"/>'
        for side in ("top", "left", "bottom", "right")
    )
    section = f'<w:sectPr><w:pgBorders w:offsetFrom="{offset}" {more}>{sides}</w:pgBorders></w:sectPr>'
    body = p("One") + '<w:p><w:r><w:br w:type="page"/></w:r></w:p>' + p("Two")
    done = Convert(tmp_path, "docx-to-pdf", files.word(body + section))
    at = 21 if offset == "page" else 72 - 20 + 1
    for page, has in zip(pypdfium2.PdfDocument(io.BytesIO(done.data)), framed, strict=True):
        picture = page.render(scale=1).to_pil().convert("RGB")
        ends = [(at, 400), (300, at), (611 - at, 400), (300, 790 - at)]
        assert [picture.getpixel(each)[:2] < (150, 150) for each in ends] == [has] * 4
    assert not done.codes


@drawn
@pytest.mark.parametrize(
    ("size", "paragraph", "distance"),
    [
        (10, "", 20),
        (24, "", 40),
        (10, '<w:spacing w:line="360" w:lineRule="auto"/>', 30),
        (10, '<w:snapToGrid w:val="0"/>', 11.5),
    ],
)
def test_lines_are_on_the_grid_of_their_section(tmp_path: Path, size: int, paragraph: str, distance: float) -> None:
    look = f'<w:rPr><w:sz w:val="{size * 2}"/></w:rPr>'
    lines = "".join(f"<w:p><w:pPr>{paragraph}</w:pPr>{_run(each, look)}</w:p>" for each in "HHH")
    grid = '<w:sectPr><w:docGrid w:type="lines" w:linePitch="400"/></w:sectPr>'
    text = pypdfium2.PdfDocument(io.BytesIO(Convert(tmp_path, "docx-to-pdf", files.word(lines + grid)).data))[
        0
    ].get_textpage()
    places = [text.get_charbox(at)[1] for at, each in enumerate(text.get_text_range()) if each == "H"]
    assert [round(before - after, 1) for before, after in pairwise(places)] == pytest.approx([distance] * 2, abs=0.3)


@drawn
def test_an_initial_stands_beside_the_lines_that_it_is_as_high_as(tmp_path: Path) -> None:
    frame = '<w:pPr><w:keepNext/><w:framePr w:dropCap="drop" w:lines="3" w:wrap="around"/></w:pPr>'
    large = '<w:rPr><w:sz w:val="100"/></w:rPr>'
    body = f"<w:p>{frame}{_run('O', large)}</w:p>" + p("nce upon a time. " * 40)
    done = Convert(tmp_path, "docx-to-pdf", files.word(body))
    text = pypdfium2.PdfDocument(io.BytesIO(done.data))[0].get_textpage()
    letters = text.get_text_range()
    left, _, right, _ = text.get_charbox(letters.index("O"))
    begins: dict[int, list[float]] = {}
    for at, each in enumerate(letters):
        if each in "acemnou":  # letters that stand on their line
            box = text.get_charbox(at)
            begins.setdefault(round(box[1] / 5), []).append(box[0])
    lines = [min(begins[each]) for each in sorted(begins, reverse=True)]
    assert sum(each > right for each in lines) >= 3
    assert min(lines) < left + 2
    assert not done.codes


@drawn
@pytest.mark.parametrize(
    ("place", "side"),
    [('w:tblpXSpec="right"', "right"), ('w:tblpX="6000"', "right"), ('w:tblpXSpec="left"', "left"), ("", "left")],
)
def test_a_floating_table_has_text_beside_it(tmp_path: Path, place: str, side: str) -> None:
    cells = "".join(_cell(each, 1500) for each in ("AAA", "ZZZ"))
    table = (
        f'<w:tbl><w:tblPr><w:tblpPr w:vertAnchor="text" w:leftFromText="180" w:rightFromText="180" {place}/></w:tblPr>'
        f'<w:tblGrid><w:gridCol w:w="1500"/><w:gridCol w:w="1500"/></w:tblGrid><w:tr>{cells}</w:tr></w:tbl>'
    )
    done = Convert(tmp_path, "docx-to-pdf", files.word(table + p("beside it " * 60)))
    page = pypdfium2.PdfDocument(io.BytesIO(done.data))[0].get_textpage()
    text = page.get_text_range()
    first, last, beside = (page.get_charbox(text.index(each)) for each in ("AAA", "ZZZ", "beside"))
    assert abs(first[1] - beside[1]) < 8
    assert (beside[0] < first[0]) if side == "right" else (beside[0] > last[0])
    assert not done.codes


@pytest.mark.parametrize("target", ["markdown", "html", pytest.param("pdf", marks=drawn)])
def test_macros_of_documents_are_named(tmp_path: Path, target: str) -> None:
    macros = {"m": ("vbaProject", "vbaProject.bin", b"\xd0\xcf\x11\xe0")}
    done = Convert(tmp_path, f"docx-to-{target}", files.word(p("Text"), macros))
    assert done.codes == {"SCRIPT_REMOVED"}
    assert "Macros were left out: 1." in done.messages


@pytest.mark.parametrize(
    ("change", "shown"),
    [('w:themeFillTint="33"', "d9e2f3"), ('w:themeFillShade="BF"', "2f5496")],
    ids=["tint", "shade"],
)
def test_tints_and_shades_of_theme_colours_keep_their_hue(tmp_path: Path, change: str, shown: str) -> None:
    theme = (
        f'<a:theme xmlns:a="{_A}"><a:clrScheme><a:accent1><a:srgbClr val="4472C4"/></a:accent1></a:clrScheme></a:theme>'
    )
    ground = f'<w:shd w:val="clear" w:fill="000000" w:themeFill="accent1" {change}/>'
    parts = {"theme": ("theme", "theme/theme1.xml", theme)}
    assert f"#{shown}" in Convert(tmp_path, "docx-to-html", files.word(p("Tinted", ground), parts)).text


@drawn
@pytest.mark.parametrize("next", ["", "<w:pageBreakBefore/>"], ids=["a paragraph", "a page of its own"])
def test_a_paragraph_kept_with_the_next_stays_on_its_page_if_that_begins_one(tmp_path: Path, next: str) -> None:
    body = p("First") + p("Kept", "<w:keepNext/>") + p("Next", next)
    done = Convert(tmp_path, "docx-to-pdf", files.word(body))
    texts = [page.get_textpage().get_text_range().split() for page in pypdfium2.PdfDocument(io.BytesIO(done.data))]
    assert texts == ([["First", "Kept"], ["Next"]] if next else [["First", "Kept", "Next"]])


@pytest.mark.parametrize("part", ["header", "footnotes"])
@drawn
def test_hidden_text_of_headers_and_notes_is_named(tmp_path: Path, part: str) -> None:
    inside = f"<w:p>{_run('Seen')}{_run('SECRET', _HIDDEN)}</w:p>"
    if part == "header":
        root = f'<w:hdr xmlns:w="{_W}">{inside}</w:hdr>'
        reference = '<w:headerReference w:type="default" r:id="x" xmlns:r="{}"/>'.format(
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        )
        body = f"{p('Body')}<w:sectPr>{reference}</w:sectPr>"
    else:
        root = f'<w:footnotes xmlns:w="{_W}"><w:footnote w:id="2">{inside}</w:footnote></w:footnotes>'
        body = f'<w:p>{_run("Body")}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    done = Convert(tmp_path, "docx-to-pdf", files.word(body, {"x": (part, f"{part}1.xml", root)}))
    assert "Hidden text was left out: 1 (“SECRET”)." in done.messages
    assert "Seen" in _page(done.data)
    assert "SECRET" not in _page(done.data)


def _field(instruction: str) -> str:
    marks = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "end"))
    return f"<w:r><w:instrText>{instruction}</w:instrText></w:r>".join(marks)


@pytest.mark.parametrize("target", ["markdown", "html", pytest.param("pdf", marks=drawn)])
def test_buttons_of_macros_keep_their_text_and_numbers_are_calculated(tmp_path: Path, target: str) -> None:
    body = f"<w:p>{_run('Here: ')}{_field(' MACROBUTTON Go Click me ')}{_field(' LISTNUM ')}</w:p>"
    done = Convert(tmp_path, f"docx-to-{target}", files.word(body))
    shown = _page(done.data) if target == "pdf" else done.text
    assert "Click me" in shown
    assert "1)" in shown.replace("\\", "")


@drawn
def test_ordinals_of_other_languages_are_named_and_decimal(tmp_path: Path) -> None:
    level = '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="ordinalText"/><w:lvlText w:val="%1:"/></w:lvl>'
    lists = f'<w:abstractNum w:abstractNumId="1">{level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/>'
    part = ("numbering", "numbering.xml", f'<w:numbering xmlns:w="{_W}">{lists}</w:num></w:numbering>')

    def shown(language: str) -> tuple[str, str]:
        properties = (
            f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:lang w:val="{language}"/></w:rPr>'
        )
        done = Convert(tmp_path, "docx-to-pdf", files.word(p("item", properties), {"n": part}))
        return _page(done.data), done.messages

    text, messages = shown("en-GB")
    assert "First:" in text
    assert "ordinalText" not in messages
    text, messages = shown("de-DE")
    assert "1:" in text
    assert "Unknown list number formats became decimal: 1 (ordinalText × 1)." in messages


@drawn
def test_borders_of_pages_that_are_pictures_or_waves_are_counted(tmp_path: Path) -> None:
    def said(kind: str) -> str:
        edge = f'<w:pgBorders><w:top w:val="{kind}" w:sz="12" w:space="10"/></w:pgBorders>'
        return Convert(tmp_path, "docx-to-pdf", files.word(f"{p('x')}<w:sectPr>{edge}</w:sectPr>")).messages

    assert ["no effect here: 1 (w:pgBorders)" in said(kind) for kind in ("apples", "wave", "double")] == [
        True,
        True,
        False,
    ]


@drawn
def test_fonts_of_east_asian_texts_that_are_missing_are_named(tmp_path: Path) -> None:
    look = '<w:rPr><w:rFonts w:eastAsia="No Such Song"/></w:rPr>'
    done = Convert(tmp_path, "docx-to-pdf", files.word(f"<w:p>{_run('中文', look)}</w:p>"))
    assert "“No Such Song” is not installed" in done.messages
    done = Convert(tmp_path, "docx-to-pdf", files.word(f"<w:p>{_run('Latin', look)}</w:p>"))
    assert "No Such Song" not in done.messages
