"""OpenDocument texts as they look: styles, pages, lists, tables, boxes, changes, and files that are made to do harm."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pypdfium2
import pytest

from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from tests.converters.test_documents import Convert
from tests.converters.test_word_looks import sheets
from tests.families.documents import files

_O = "urn:oasis:names:tc:opendocument:xmlns:"
_SPACES = (
    f'xmlns:office="{_O}office:1.0" xmlns:text="{_O}text:1.0" xmlns:table="{_O}table:1.0" xmlns:style="{_O}style:1.0" '
    f'xmlns:draw="{_O}drawing:1.0" xmlns:svg="{_O}svg-compatible:1.0" xmlns:fo="{_O}xsl-fo-compatible:1.0" '
    'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
_LAYOUT = (
    '<style:page-layout style:name="{name}"><style:page-layout-properties fo:page-width="{width}" '
    'fo:page-height="{height}" fo:margin="2cm"/><style:footer-style><style:header-footer-properties '
    'fo:min-height="0.8cm" fo:margin-top="0.3cm"/></style:footer-style></style:page-layout>'
)
_FOOT = (
    "<style:footer><text:p>Sheet <text:page-number>9</text:page-number>/<text:page-count>9</text:page-count></text:p>"
    "</style:footer>"
)

drawn = pytest.mark.skipif(HTML_PDF is not PLUTOPRINT, reason="only PlutoPrint binds pages")


def odt(
    body: str, automatic: str = "", *, named: str = "", layouts: str = "", masters: str = "", **more: bytes
) -> bytes:
    """A document; `more` are parts by name, with `__` for `/`."""
    return files.archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<office:document-content {_SPACES}><office:automatic-styles>{automatic}"
            f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
            "styles.xml": f"<office:document-styles {_SPACES}><office:styles>{named}</office:styles>"
            f"<office:automatic-styles>{layouts}</office:automatic-styles>"
            f"<office:master-styles>{masters}</office:master-styles></office:document-styles>",
            **{name.replace("__", "/"): data for name, data in more.items()},
        }
    )


def paragraph_style(name: str, block: str = "", text: str = "", parent: str = "", more: str = "") -> str:
    above = f' style:parent-style-name="{parent}"' if parent else ""
    return (
        f'<style:style style:name="{name}" style:family="paragraph"{above} {more}><style:paragraph-properties {block}/>'
        f"<style:text-properties {text}/></style:style>"
    )


def declared(html: str, text: str) -> str:
    """The declarations of the classes of the tags right before a text."""
    found = re.search(rf"((?:<\w+[^>]*>)+){text}", html.split("<body>")[1])
    assert found, text
    names = re.findall(r'class="(\w+)"', found[1])
    rules = [re.search(rf"^\.{name}\{{(.*)\}}$", html, re.MULTILINE) for name in names]
    return ";".join(each[1] for each in rules if each)


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html.split("<body>")[1]).split())


def test_styles_are_put_together_from_automatic_parent_and_default_ones(tmp_path: Path) -> None:
    named = (
        '<style:default-style style:family="paragraph"><style:text-properties '
        'fo:font-size="11pt"/></style:default-style>'
        + paragraph_style("Base", 'fo:text-align="end"', 'fo:color="#c80000" fo:font-size="20pt" fo:font-weight="bold"')
        + paragraph_style("Round", "", 'fo:font-style="italic"', "Round")
    )
    automatic = (
        paragraph_style("P1", 'fo:background-color="#ffff00"', 'fo:font-size="75%"', "Base")
        + '<style:style style:name="T1" style:family="text"><style:text-properties fo:color="#00c800" '
        'style:text-underline-style="solid"/></style:style>'
    )
    body = (
        '<text:p text:style-name="P1">Heir</text:p><text:p>Plain <text:span '
        'text:style-name="T1">own</text:span></text:p>'
        '<text:p text:style-name="Round">Circle</text:p>'
    )
    html = Convert(tmp_path, "odt-to-html", odt(body, automatic, named=named)).text
    heir = declared(html, "Heir")
    assert all(each in heir for each in ("color:#c80000", "text-align:right", "bold", "15pt", "#ffff00")), heir
    assert "font-size:11pt" in declared(html, "Plain")
    assert all(each in declared(html, "own") for each in ("#00c800", "underline"))
    assert "italic" in declared(html, "Circle")


def test_spaces_tabs_and_line_breaks_are_those_of_the_format(tmp_path: Path) -> None:
    body = '<text:p>\n  a\n  b<text:s text:c="3"/>c<text:line-break/> d<text:tab/>e</text:p>'
    html = Convert(tmp_path, "odt-to-html", odt(body)).text
    assert "a b   c<br>d" in re.sub(r"</?span[^>]*>", "", html)


def test_lists_begin_anew_continue_and_nest(tmp_path: Path) -> None:
    def level(number: int, format: str, shown: int = 1) -> str:
        return (
            f'<text:list-level-style-number text:level="{number}" style:num-format="{format}" style:num-suffix="." '
            f'text:display-levels="{shown}"/>'
        )

    named = f'<text:list-style style:name="L">{level(1, "I")}{level(2, "a", 2)}</text:list-style>'
    inner = "<text:list><text:list-item><text:p>in</text:p></text:list-item></text:list>"
    body = (
        f"<text:list "
        f'text:style-name="L"><text:list-item><text:p>one</text:p><text:p>more</text:p>{inner}</text:list-item>'
        "<text:list-item><text:p>two</text:p></text:list-item></text:list><text:p>between</text:p>"
        '<text:list text:style-name="L" text:continue-numbering="true"><text:list-item><text:p>three</text:p>'
        '</text:list-item></text:list><text:list text:style-name="L"><text:list-item><text:p>anew</text:p>'
        '</text:list-item><text:list-item text:start-value="7"><text:p>seven</text:p></text:list-item></text:list>'
    )
    text = plain(Convert(tmp_path, "odt-to-html", odt(body, named=named)).text)
    assert text == "I. one more I.a. in II. two between III. three I. anew VII. seven"


def test_tables_have_their_widths_merged_cells_and_shading(tmp_path: Path) -> None:
    automatic = (
        '<style:style style:name="W" style:family="table-column"><style:table-column-properties '
        'style:column-width="3cm"/></style:style><style:style style:name="C" style:family="table-cell">'
        '<style:table-cell-properties fo:background-color="#ffff00" fo:border="0.5pt solid #ff0000" '
        'fo:padding="0.1cm"/>'
        "</style:style>"
    )
    body = (
        '<table:table><table:table-column table:style-name="W" table:number-columns-repeated="3"/>'
        '<table:table-header-rows><table:table-row><table:table-cell table:style-name="C" '
        'table:number-columns-spanned="2"><text:p>wide</text:p></table:table-cell><table:covered-table-cell/>'
        "<table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table-header-rows>"
        '<table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>tall</text:p></table:table-cell>'
        "<table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell/></table:table-row>"
        "<table:table-row><table:covered-table-cell/><table:table-cell><text:p>b</text:p></table:table-cell>"
        "<table:table-cell/></table:table-row></table:table>"
    )
    html = Convert(tmp_path, "odt-to-html", odt(body, automatic)).text
    assert re.search(r'<thead><tr><td colspan="2"[^>]*>.*?wide', html)
    assert re.search(r'<td rowspan="2"[^>]*>.*?tall', html)
    assert html.count("<td") == 7
    assert all(each in html for each in ("background-color:#ffff00", "0.5pt solid #ff0000", "padding:2.85pt"))


@drawn
def test_master_pages_have_their_own_paper_feet_and_breaks(tmp_path: Path) -> None:
    layouts = _LAYOUT.format(name="up", width="21cm", height="29.7cm")
    layouts += _LAYOUT.format(name="lying", width="29.7cm", height="21cm")
    masters = f'<style:master-page style:name="Standard" style:page-layout-name="up">{_FOOT}</style:master-page>'
    masters += f'<style:master-page style:name="Wide" style:page-layout-name="lying">{_FOOT}</style:master-page>'
    automatic = paragraph_style("B", 'fo:break-before="page"') + paragraph_style(
        "M", more='style:master-page-name="Wide"'
    )
    body = '<text:p>First</text:p><text:p text:style-name="B">Second</text:p><text:p text:style-name="M">Lying</text:p>'
    done = Convert(tmp_path, "odt-to-pdf", odt(body, automatic, layouts=layouts, masters=masters))
    found = sheets(done.data)
    assert [tuple(map(round, size)) for size, _ in found] == [(595, 842), (595, 842), (842, 595)]
    for number, (word, (_, text)) in enumerate(zip(("First", "Second", "Lying"), found, strict=True), start=1):
        assert word in text
        assert f"Sheet {number}/3" in text
    assert done.codes == set()


@drawn
def test_a_title_page_has_its_own_head(tmp_path: Path) -> None:
    def master(name: str, head: str, more: str = "") -> str:
        return (
            f'<style:master-page style:name="{name}" style:page-layout-name="up" {more}><style:header>'
            f"<text:p>{head}</text:p></style:header></style:master-page>"
        )

    masters = master("Standard", "Usual") + master("First", "Front", 'style:next-style-name="Standard"')
    layouts = _LAYOUT.format(name="up", width="21cm", height="29.7cm")
    automatic = paragraph_style("B", 'fo:break-before="page"') + paragraph_style(
        "M", more='style:master-page-name="First"'
    )
    body = '<text:p text:style-name="M">One</text:p><text:p text:style-name="B">Two</text:p>'
    found = sheets(Convert(tmp_path, "odt-to-pdf", odt(body, automatic, layouts=layouts, masters=masters)).data)
    assert ["Front" in text for _, text in found] == [True, False]
    assert ["Usual" in text for _, text in found] == [False, True]


@pytest.mark.parametrize(("choice", "shown"), [("accept", "new end"), ("reject", "old end"), ("all", "newold end")])
def test_tracked_changes_are_drawn_as_asked(tmp_path: Path, choice: str, shown: str) -> None:
    body = (
        '<text:tracked-changes><text:changed-region text:id="d"><text:deletion><text:p>old</text:p></text:deletion>'
        '</text:changed-region><text:changed-region text:id="i"><text:insertion/></text:changed-region>'
        '</text:tracked-changes><text:p><text:change-start text:change-id="i"/>new<text:change-end text:change-id="i"/>'
        '<text:change text:change-id="d"/> end</text:p>'
    )
    done = Convert(tmp_path, "odt-to-html", odt(body), trackChanges=choice)
    assert re.sub(r"<[^>]*>", "", done.text.split("<body>")[1]).strip() == shown
    with pytest.raises(InvalidOption):
        Convert(tmp_path, "odt-to-html", odt(body), trackChanges="reject", style="page")


def test_boxes_pictures_notes_links_and_formulas_are_shown(tmp_path: Path) -> None:
    formula = (
        b'<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow>'
        b"<annotation>x^2</annotation></semantics></math>"
    )
    body = (
        '<text:p>See <text:a xlink:href="https://example.org/">there</text:a><text:bookmark text:name="here"/> and '
        '<text:a xlink:href="#here">here</text:a><text:note text:note-class="footnote"><text:note-body><text:p>Below'
        "</text:p></text:note-body></text:note>"
        '<draw:frame text:anchor-type="paragraph" svg:width="4cm"><draw:text-box '
        'fo:min-height="1cm"><text:p>Boxed</text:p>'
        '</draw:text-box></draw:frame><draw:frame text:anchor-type="as-char" svg:width="2cm" '
        'svg:height="1cm"><svg:desc>Red'
        '</svg:desc><draw:image xlink:href="Pictures/a.svm"/><draw:image '
        'xlink:href="Pictures/a.png"/></draw:frame><draw:frame><draw:object '
        'xlink:href="./Object 1"/>'
        '</draw:frame><draw:frame><draw:image xlink:href="Pictures/gone.png"/></draw:frame>'
        '<draw:custom-shape svg:width="1cm" svg:height="1cm"><draw:enhanced-geometry '
        'draw:type="star"/></draw:custom-shape></text:p>'
    )
    data = odt(body, **{"Pictures__a.svm": b"VCLMTF", "Pictures__a.png": files.png(), "Object 1__content.xml": formula})
    done = Convert(tmp_path, "odt-to-html", data)
    assert all(each in done.text for each in ('href="https://example.org/"', "<msup>", 'alt="Red"', "width:56.7pt"))
    assert all(each in plain(done.text) for each in ("Boxed", "Below"))
    target = re.search(r'<a href="#(\w+)">(?:<span[^>]*>)?here', done.text)
    assert target is not None
    assert f'id="{target[1]}"' in done.text
    assert "Missing pictures" in done.messages
    assert "can't be shown" not in done.messages
    assert "Shapes" in done.messages


def test_old_formulas_with_a_document_type_and_ids_that_stand_twice_are_read(tmp_path: Path) -> None:
    formula = (
        b'<!DOCTYPE math:math PUBLIC "-//OpenOffice.org//DTD Modified W3C MathML 1.01//EN" "math.dtd">\n<math:math '
        b'xmlns:math="http://www.w3.org/1998/Math/MathML"><math:msup><math:mi>x</math:mi><math:mn>2</math:mn></math:msup>'
        b"</math:math>"
    )
    body = (
        '<text:list xml:id="l1"><text:list-item><text:p>One</text:p></text:list-item></text:list>'
        '<text:list xml:id="l1"><text:list-item><text:p>Two</text:p></text:list-item></text:list>'
        '<text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>'
    )
    done = Convert(tmp_path, "odt-to-html", odt(body, **{"Object 1__content.xml": formula}))
    assert "<msup>" in done.text
    assert all(each in plain(done.text) for each in ("One", "Two"))
    entities = (
        b'<!DOCTYPE math [<!ENTITY a "boo">]><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>&a;</mi></math>'
    )
    with pytest.raises(Unreadable):
        Convert(tmp_path, "odt-to-html", odt(body, **{"Object 1__content.xml": entities}))


@drawn
def test_columns_of_a_section_stand_side_by_side(tmp_path: Path) -> None:
    automatic = (
        '<style:style style:name="S" style:family="section"><style:section-properties><style:columns '
        'fo:column-count="2" '
        'fo:column-gap="1cm"/></style:section-properties></style:style>'
    )
    lines = "".join(f"<text:p>line{number}</text:p>" for number in range(10))
    body = f'<text:p>Above</text:p><text:section text:style-name="S">{lines}</text:section><text:p>Under</text:p>'
    done = Convert(tmp_path, "odt-to-pdf", odt(body, automatic))
    page = pypdfium2.PdfDocument(io.BytesIO(done.data))[0].get_textpage()
    left = {
        word: page.get_charbox(page.get_text_range().index(word))[0] for word in ("Above", "line0", "line9", "Under")
    }
    assert left["line9"] > left["line0"] + 200
    assert left["Above"] == pytest.approx(left["Under"], abs=2)


def test_documents_made_to_do_harm_are_refused_or_bounded(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        Convert(tmp_path, "odt-to-html", files.archive({"mimetype": "x", "other.xml": "<a/>"}))
    with pytest.raises(Unreadable):
        Convert(tmp_path, "odt-to-html", odt("<text:p>"))
    locked = {"META-INF__manifest.xml": b"<m><encryption-data/></m>"}
    with pytest.raises(Unreadable, match="password"):
        Convert(tmp_path, "odt-to-html", odt("<text:p/>", **locked))
    cell = '<table:table-cell table:number-columns-repeated="999999"><text:p>x</text:p></table:table-cell>'
    rows = f'<table:table-row table:number-rows-repeated="999999">{cell}</table:table-row>' * 3
    with pytest.raises(OverLimit):
        Convert(tmp_path, "odt-to-html", odt(f"<table:table>{rows}</table:table>"))
    deep = "<text:section>" * 100 + "<text:p>deep</text:p>" + "</text:section>" * 100
    found = Convert(tmp_path, "odt-to-html", odt(deep)).messages
    assert "too deep" in found
    chain = "".join(paragraph_style(f"S{n}", parent=f"S{n + 1}") for n in range(3_000))
    body = "".join(f'<text:p text:style-name="S{n}">p</text:p>' for n in range(0, 3_000, 50))
    assert Convert(tmp_path, "odt-to-html", odt(body, named=chain)).text.count(">p<") == 60


def test_blanks_are_added_or_the_larger_one_is_taken_as_the_document_asks(tmp_path: Path) -> None:
    automatic = paragraph_style("P", 'fo:border="none" fo:margin-top="6pt" fo:margin-bottom="9pt"')
    body = '<text:p text:style-name="P">one</text:p><text:p text:style-name="P">two</text:p>'
    html = Convert(tmp_path, "odt-to-html", odt(body, automatic)).text
    assert "margin:15pt 0 9pt 0" in declared(html, "two")
    for asked, before in (("true", "15pt"), ("false", "6pt")):
        settings = (
            f'<s xmlns:config="{_O}config:1.0"><config:config-item config:name="AddParaTableSpacing">{asked}'
            "</config:config-item></s>"
        )
        html = Convert(tmp_path, "odt-to-html", odt(body, automatic, **{"settings.xml": settings.encode()})).text
        assert "margin:6pt 0 9pt 0" in declared(html, "one")
        assert f"margin:{before} 0 9pt 0" in declared(html, "two")


def test_a_picture_of_which_a_part_is_cut_off_is_named(tmp_path: Path) -> None:
    for clip, named in (("rect(0cm, 0.2cm, 0cm, 0cm)", True), ("rect(0cm, 0cm, 0cm, 0cm)", False)):
        style = (
            '<style:style style:name="g" style:family="graphic"><style:graphic-properties '
            f'fo:clip="{clip}"/></style:style>'
        )
        body = (
            '<text:p>Here<draw:frame draw:style-name="g" text:anchor-type="as-char" svg:width="2cm" svg:height="2cm">'
            '<draw:image xlink:href="Pictures/a.png"/></draw:frame></text:p>'
        )
        made = Convert(tmp_path, "odt-to-html", odt(body, style, **{"Pictures__a.png": files.png()}))
        assert ("Cropped" in made.messages) is named


def test_cells_beyond_the_last_column_are_named(tmp_path: Path) -> None:
    for cells, named in ((200, False), (210, True)):
        row = "".join(f"<table:table-cell><text:p>c{at}</text:p></table:table-cell>" for at in range(cells))
        made = Convert(
            tmp_path, "odt-to-html", odt(f"<table:table><table:table-row>{row}</table:table-row></table:table>")
        )
        assert "c199<" in made.text
        assert ("after the 200th" in made.messages) is named


def test_a_locked_text_of_which_nothing_can_be_read_is_called_locked(tmp_path: Path) -> None:
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry '
        'manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'
    )
    locked = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "META-INF/manifest.xml": manifest,
        "content.xml": bytes(64),
    }
    with pytest.raises(Unreadable, match="password"):
        Convert(tmp_path, "odt-to-docx", files.archive(locked))


_LINK = '<text:p>See <text:a xlink:href="https://example.com/" {style}>there</text:a></text:p>'
_GREEN = (
    '<style:style style:name="{name}" style:family="text"><style:text-properties fo:color="#00c800"/></style:style>'
)


@pytest.mark.parametrize(
    ("style", "named", "colour", "is_underlined"),
    [
        ("", "", "000080", True),
        ("", _GREEN.format(name="Internet_20_link"), "00c800", False),
        ('text:style-name="Own"', _GREEN.format(name="Own"), "00c800", False),
    ],
    ids=["no style", "the style of links", "its own style"],
)
@pytest.mark.parametrize("target", ["html", "docx"])
def test_links_without_a_style_have_that_of_links(
    tmp_path: Path, target: str, style: str, named: str, colour: str, is_underlined: bool
) -> None:
    done = Convert(tmp_path, f"odt-to-{target}", odt(_LINK.format(style=style), named=named))
    if target == "html":
        look = declared(done.text, "there")
        assert f"color:#{colour}" in look
        assert ("underline" in look) is is_underlined
    else:
        text = zipfile.ZipFile(io.BytesIO(done.data)).read("word/document.xml").decode()
        assert f'<w:color w:val="{colour.upper()}"' in text
        assert ('<w:u w:val="single"' in text) is is_underlined


@pytest.mark.parametrize(
    ("form", "drawn_as", "code"),
    [("flowchart-decision", "<svg", None), ("ooxml-diamond", "<svg", None), ("ellipse", "<svg", None),
     ("mso-spt100", "<div", "VALUE_CONVERTED")],
)  # fmt: skip
def test_shapes_with_text_keep_their_form_or_are_named(
    tmp_path: Path, form: str, drawn_as: str, code: str | None
) -> None:
    body = (
        '<text:p><draw:custom-shape svg:width="4cm" svg:height="2cm"><text:p>Decide</text:p><draw:enhanced-geometry '
        f'draw:type="{form}"/></draw:custom-shape></text:p>'
    )
    done = Convert(tmp_path, "odt-to-html", odt(body))
    assert "Decide" in done.text
    assert drawn_as in done.text
    assert done.codes == ({code} if code else set())


def test_shapes_keep_how_they_are_adjusted_and_turned_over(tmp_path: Path) -> None:
    def drawn(more: str) -> str:
        body = (
            '<text:p><draw:custom-shape svg:width="4cm" svg:height="2cm"><draw:enhanced-geometry '
            f'draw:type="ooxml-rightArrow" {more}/></draw:custom-shape></text:p>'
        )
        done = Convert(tmp_path, "odt-to-html", odt(body))
        assert not done.codes
        found = re.search(r'<path d="([^"]+)"', done.text)
        assert found is not None
        return found[1]

    forms = [drawn(""), drawn('draw:modifiers="80000 50000"'), drawn('draw:mirror-horizontal="true"')]
    assert len(set(forms)) == 3


def test_text_in_shapes_of_open_documents_stands_in_their_middle_where_they_say_so(tmp_path: Path) -> None:
    style = (
        '<style:style style:name="M" style:family="graphic"><style:graphic-properties '
        'draw:textarea-vertical-align="middle"/></style:style>'
    )
    box = '<draw:rect draw:style-name="M" svg:width="4cm" svg:height="2cm"><text:p>Middle</text:p></draw:rect>'
    assert "vertical-align:middle" in Convert(tmp_path, "odt-to-html", odt(f"<text:p>{box}</text:p>", style)).text
