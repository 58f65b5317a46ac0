"""Word and OpenDocument texts as other texts: looks of text, paragraphs and paper are kept, the rest is named."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from engine.families.documents.odf.names import FO, STYLE, TABLE, TEXT
from tests.converters.test_documents import Convert
from tests.families.documents import files

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_X = "{http://www.w3.org/1999/xhtml}"
_STYLES = f"""<w:styles {_W}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Georgia"/><w:sz w:val="20"/></w:rPr>
</w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Warning"><w:name w:val="Warning"/><w:pPr><w:jc w:val="center"/></w:pPr>
<w:rPr><w:b/><w:color w:val="C80000"/><w:sz w:val="30"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/>
<w:rPr><w:rFonts w:ascii="Verdana"/><w:color w:val="00A000"/></w:rPr></w:style></w:styles>"""
_PAPER = (
    '<w:sectPr><w:pgSz w:w="12000" w:h="8000" w:orient="landscape"/><w:pgMar w:top="600" w:right="800" w:bottom="700"'
)
_BODY = (
    '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Begin</w:t></w:r></w:p>'
    "<w:p><w:r><w:t>Usual</w:t></w:r></w:p>"
    '<w:p><w:pPr><w:pStyle w:val="Warning"/></w:pPr><w:r><w:t xml:space="preserve">Loud &amp; </w:t></w:r>'
    '<w:r><w:rPr><w:b w:val="0"/><w:highlight w:val="yellow"/></w:rPr><w:t>lit</w:t></w:r></w:p>'
    '<w:p><w:r><w:br w:type="page"/></w:r></w:p><w:p><w:pPr><w:spacing w:before="240"/><w:jc w:val="right"/></w:pPr>'
    "<w:r><w:t>Overleaf</w:t></w:r></w:p>"
    '<w:tbl><w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc><w:p><w:r><w:t>One</w:t>'
    '</w:r></w:p></w:tc><w:tc><w:tcPr><w:shd w:val="clear" w:fill="336699"/></w:tcPr><w:p><w:r><w:t>Blue</w:t></w:r>'
    f'</w:p></w:tc></w:tr></w:tbl>{_PAPER} w:left="900"/></w:sectPr>'
)


def _source(body: str = _BODY) -> bytes:
    return files.word(body, {"s": ("styles", "styles.xml", _STYLES)})


def _parts(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(BytesIO(data)) as parts:
        return {name: parts.read(name).decode("utf-8", "replace") for name in parts.namelist()}


def test_an_open_document_text_looks_as_the_word_document_did(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-odt", _source())
    parts = _parts(done.data)
    root = etree.fromstring(parts["content.xml"].encode())
    styles = {each.get(f"{STYLE}name"): each for each in root.iter(f"{STYLE}style")}

    def look(text: str, tag: str, kind: str) -> dict[str, str]:
        found = [each for each in root.iter(tag) if "".join(each.itertext()).strip() == text][-1]
        name = found.get(f"{TABLE if tag.startswith(TABLE) else TEXT}style-name")
        return dict(styles[name].find(f"{STYLE}{kind}-properties").attrib)

    loud = look("Loud &", f"{TEXT}span", "text")
    assert (loud[f"{FO}color"], loud[f"{FO}font-size"], loud[f"{FO}font-weight"]) == ("#C80000", "15pt", "bold")
    lit = look("lit", f"{TEXT}span", "text")
    assert lit[f"{FO}background-color"] == "#FFFF00"
    assert f"{FO}font-weight" not in lit
    assert look("Begin", f"{TEXT}span", "text")[f"{FO}font-family"] == "'Verdana'"
    overleaf = look("Overleaf", f"{TEXT}p", "paragraph")
    assert (overleaf[f"{FO}break-before"], overleaf[f"{FO}text-align"]) == ("page", "end")
    assert overleaf[f"{FO}margin-top"] == "12pt"
    assert look("Blue", f"{TABLE}table-cell", "table-cell")[f"{FO}background-color"] == "#336699"
    common = etree.fromstring(parts["styles.xml"].encode())
    layout = next(common.iter(f"{STYLE}page-layout-properties"))
    assert (layout.get(f"{FO}page-width"), layout.get(f"{FO}margin-left")) == ("600pt", "45pt")
    assert layout.get(f"{STYLE}print-orientation") == "landscape"
    usual = next(each for each in common.iter(f"{STYLE}style") if each.get(f"{STYLE}name") == "Standard")
    assert usual.find(f"{STYLE}text-properties").get(f"{FO}font-family") == "'Georgia'"
    assert "STYLE_DROPPED" not in done.codes


def test_an_rtf_file_looks_as_the_word_document_did(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-rtf", _source())
    text = done.text
    fonts = dict(re.findall(r"\{\\f(\d+) \\\w+ ([^;]*);\}", text))
    colours = re.search(r"\{\\colortbl;([^}]*);\}", text)
    assert colours

    def words(piece: str) -> dict[str, str]:
        found = re.search(r"\{((?:\\\w+)+) " + piece, text)
        assert found, piece
        return dict(re.findall(r"\\([a-z]+)(-?\d*)", found[1]))

    def colour(number: str) -> str:
        return colours[1].split(";")[int(number) - 1]

    loud = words("Loud")
    assert (loud["fs"], colour(loud["cf"]), "b" in loud) == ("30", r"\red200\green0\blue0", True)
    assert colour(words("lit")["chcbpat"]) == r"\red255\green255\blue0"
    assert fonts[words("Begin")["f"]] == "Verdana"
    assert fonts["0"] == "Georgia"
    assert re.search(r"\\fi0 \\pagebb\\qr\\sb240 Overleaf", text)
    filled = re.search(r"\\cellx\d+[^\n]*\\clcbpat(\d+)\\cellx\d+\n", text)
    assert filled
    assert colour(filled[1]) == r"\red51\green102\blue153"
    assert r"\paperw12000\paperh8000\margt600\margr800\margb700\margl900\landscape" in text
    assert text.count("{") == text.count("}")
    assert "STYLE_DROPPED" not in done.codes


def test_a_book_looks_as_the_word_document_did_in_sizes_of_its_reader(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-epub", _source())
    parts = _parts(done.data)
    chapter = next(text for text in parts.values() if "Overleaf" in text)
    sheet = next(text for name, text in parts.items() if name.endswith(".css"))
    root = etree.fromstring(chapter.encode())

    def look(text: str, tag: str) -> dict[str, str]:
        found = next(each for each in root.iter(_X + tag) if "".join(each.itertext()).strip() == text)
        rules = re.search(rf"^\.{found.get('class', '').split()[-1]}\{{(.*)\}}$", sheet, re.MULTILINE)
        assert rules
        return dict(each.split(":", 1) for each in rules[1].split(";"))

    assert look("Loud &", "span") == {"font-size": "1.5rem", "font-weight": "bold", "color": "#C80000"}
    assert look("lit", "span")["background-color"] == "#FFFF00"
    assert look("Overleaf", "p") == {"page-break-before": "always", "text-align": "right", "margin-top": "1.2rem"}
    assert look("Blue", "td")["background-color"] == "#336699"
    assert re.search(r"^body\{font-family:'Georgia',serif\}", sheet, re.MULTILINE)
    assert "landscape pages" in done.messages


@pytest.mark.parametrize("target", ["odt", "rtf", "epub"])
def test_no_mark_is_left_of_the_looks_and_none_of_the_text_is_taken_for_one(tmp_path: Path, target: str) -> None:
    body = _BODY.replace("Usual", "\ufdd1\ufde0\ufdd5U\ufdd4sual")
    done = Convert(tmp_path, f"docx-to-{target}", _source(body))
    shown = done.text if target == "rtf" else "".join(_parts(done.data).values())
    assert not re.search("[\ufdd0-\ufdef]|\\\\u(?:649[7-9]|6500)\\d", shown)
    assert "sual" in shown


def _piece(text: str, look: str = "") -> str:
    return f"<w:r><w:rPr>{look}</w:rPr>{text}</w:r>"


def _field(instruction: str) -> str:
    kinds = [f'<w:fldChar w:fldCharType="{each}"/>' for each in ("begin", "separate", "end")]
    pieces = [kinds[0], f"<w:instrText> {instruction} </w:instrText>", kinds[1], "<w:t>7</w:t>", kinds[2]]
    return "".join(map(_piece, pieces))


_TABS = '<w:tabs><w:tab w:val="center" w:pos="5000"/><w:tab w:val="right" w:pos="10000"/></w:tabs>'
_HEAD = (
    f"<w:p><w:pPr>{_TABS}</w:pPr>{_piece('<w:t>Acme {1}</w:t>', '<w:b/>')}{_piece('<w:tab/>')}"
    f"{_piece('<w:t>Zürich</w:t>', '<w:i/>')}{_piece('<w:tab/>')}{_field('DATE')}</w:p>"
)
_FOOT = (
    f'<w:p><w:pPr><w:jc w:val="center"/></w:pPr>{_field("PAGE")}{_piece("<w:t> of </w:t>")}{_field("NUMPAGES")}</w:p>'
)
_OFFICE = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'


def _headed(*, first: str | None = None, even: str | None = None, later: str = "") -> bytes:
    """Pages with a head and a foot; others for the first one and for even ones where they are given."""
    parts = {
        "s": ("styles", "styles.xml", _STYLES),
        "h": ("header", "header1.xml", f"<w:hdr {_W}>{_HEAD}</w:hdr>"),
        "f": ("footer", "footer1.xml", f"<w:ftr {_W}>{_FOOT}</w:ftr>"),
        "o": ("header", "header2.xml", f"<w:hdr {_W}><w:p>{_piece('<w:t>Other</w:t>')}</w:p></w:hdr>"),
    }
    more = ""
    for kind, text in (("first", first), ("even", even)):
        if text is not None:
            parts[kind] = ("header", f"{kind}.xml", f"<w:hdr {_W}><w:p>{_piece(text)}</w:p></w:hdr>")
            more += f'<w:headerReference w:type="{kind}" r:id="{kind}"/>'
    if even is not None:
        parts["e"] = ("settings", "settings.xml", f"<w:settings {_W}><w:evenAndOddHeaders/></w:settings>")
    refers = '<w:headerReference w:type="default" r:id="h"/><w:footerReference w:type="default" r:id="f"/>'
    section = f"<w:sectPr {_OFFICE}>{refers}{more}{'<w:titlePg/>' if first is not None else ''}</w:sectPr>"
    text = _piece("<w:t>Text</w:t>")
    body = f"<w:p><w:pPr>{section}</w:pPr>{text}</w:p>{later}" if later else f"<w:p>{text}</w:p>{section}"
    return files.word(body, parts)


def _master(data: bytes) -> dict[str, Any]:
    page = next(etree.fromstring(_parts(data)["styles.xml"].encode()).iter(f"{STYLE}master-page"))
    return {each.tag.removeprefix(STYLE): each for each in page}


def test_heads_and_feet_of_a_word_document_are_those_of_the_open_document_text(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-odt", _headed(first="<w:t>Cover</w:t>", even="<w:t>Left</w:t>"))
    page = _master(done.data)
    assert list(page) == ["header", "header-left", "header-first", "footer", "footer-left", "footer-first"]
    assert "".join(page["header"].itertext()) == "Acme {1}Zürich7"
    assert len(list(page["header"].iter(f"{TEXT}tab"))) == 2
    assert ("".join(page["header-first"].itertext()), "".join(page["header-left"].itertext())) == ("Cover", "Left")
    foot = [each.tag.removeprefix(TEXT) for each in page["footer"].iter() if each.tag.startswith(TEXT)]
    assert [each for each in foot if each != "span"] == ["p", "page-number", "s", "s", "page-count"]
    assert "".join(page["footer-first"].itertext()) == ""
    root = page["header"].getroottree().getroot()
    styles = {each.get(f"{STYLE}name"): each for each in root.iter(f"{STYLE}style")}
    bold = styles[next(page["header"].iter(f"{TEXT}span")).get(f"{TEXT}style-name")]
    assert bold.find(f"{STYLE}text-properties").get(f"{FO}font-weight") == "bold"
    stops = styles[page["header"][0].get(f"{TEXT}style-name")].iter(f"{STYLE}tab-stop")
    assert [(each.get(f"{STYLE}position"), each.get(f"{STYLE}type")) for each in stops] == [
        ("250pt", "center"),
        ("468pt", "right"),
    ]
    centred = styles[page["footer"][0].get(f"{TEXT}style-name")].find(f"{STYLE}paragraph-properties")
    assert centred.get(f"{FO}text-align") == "center"
    assert "CONTENT_DROPPED" not in done.codes


def test_heads_and_feet_of_a_word_document_are_those_of_the_rtf_file(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-rtf", _headed(first="<w:t>Cover</w:t>", even="<w:t>Left</w:t>"))
    groups = dict(re.findall(r"^\{\\((?:header|footer)[rlf]) (.*)\}$", done.text, re.MULTILINE))
    assert set(groups) == {"headerr", "headerl", "headerf", "footerr", "footerl", "footerf"}
    assert r"\facingp\titlepg\headery720\footery720" in done.text
    assert re.search(r"\\tqc\\tx5000\\tqr\\tx9360 .*\\b\\[^ ]* Acme \\\{1\\\}\}", groups["headerr"])
    assert re.search(r"\\i\\[^ ]* Z\\u252 \?rich\}", groups["headerr"])
    assert r"{\field{\*\fldinst PAGE}{\fldrslt 1}}" in groups["footerr"]
    assert r"{\field{\*\fldinst NUMPAGES}{\fldrslt 1}}" in groups["footerr"]
    assert ("Cover" in groups["headerf"], "Left" in groups["headerl"]) == (True, True)
    assert "CONTENT_DROPPED" not in done.codes


def _linked() -> bytes:
    """A foot with a link by an instruction, on pages that are counted from 7."""
    kinds = [f'<w:fldChar w:fldCharType="{each}"/>' for each in ("begin", "separate", "end")]
    said = [kinds[0], '<w:instrText> HYPERLINK "https://example.com/a" </w:instrText>', kinds[1], "<w:t>Site</w:t>",
            kinds[2]]  # fmt: skip
    foot = f"<w:ftr {_W}><w:p>{''.join(map(_piece, said))}{_field('PAGE')}</w:p></w:ftr>"
    section = f'<w:sectPr {_OFFICE}><w:footerReference w:type="default" r:id="f"/><w:pgNumType w:start="7"/></w:sectPr>'
    again = f"<w:p><w:pPr>{section}</w:pPr><w:r><w:t>One</w:t></w:r></w:p><w:p><w:r><w:t>Two</w:t></w:r></w:p>{section}"
    return files.word(again, {"s": ("styles", "styles.xml", _STYLES), "f": ("footer", "footer1.xml", foot)})


def test_links_in_feet_and_the_number_of_the_first_page_are_carried(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-odt", _linked())
    foot = _master(done.data)["footer"]
    assert [each.get("{http://www.w3.org/1999/xlink}href") for each in foot.iter(f"{TEXT}a")] == [
        "https://example.com/a"
    ]
    content = _parts(done.data)["content.xml"]
    assert re.search(
        r'style:master-page-name="Standard"[^<]*><style:paragraph-properties [^>]*style:page-number="7"', content
    )
    assert "Page numbers that restart in a section continue instead" in done.messages
    text = Convert(tmp_path, "docx-to-rtf", _linked()).text
    assert r"\pgnstart7" in text
    assert r'{\field{\*\fldinst HYPERLINK "https://example.com/a"}{\fldrslt Site}}' in text


def test_a_text_without_feet_gets_none(tmp_path: Path) -> None:
    assert _master(Convert(tmp_path, "docx-to-odt", _source()).data) == {}


@pytest.mark.parametrize("target", ["odt", "rtf"])
def test_what_of_heads_and_feet_can_not_be_carried_is_named(tmp_path: Path, target: str) -> None:
    picture = "<w:t>Logo</w:t></w:r><w:r><w:drawing/>"
    done = Convert(tmp_path, f"docx-to-{target}", _headed(first=picture))
    assert "Pictures and boxes in headers and footers were left out: 1" in done.messages
    other = f'<w:p/><w:sectPr {_OFFICE}><w:headerReference w:type="default" r:id="o"/></w:sectPr>'
    done = Convert(tmp_path, f"docx-to-{target}", _headed(later=other))
    assert "differ from the first section were left out: 1" in done.messages
    assert "CONTENT_DROPPED" in done.codes


def test_rows_of_tables_in_heads_are_lines_with_tabs(tmp_path: Path) -> None:
    cells = [
        f"<w:tc><w:tcPr>{span}</w:tcPr><w:p>{_piece(f'<w:t>{text}</w:t>')}</w:p></w:tc>"
        for text, span in (("Acme", ""), ("Zug", '<w:gridSpan w:val="many"/>'))
    ]
    row = f"<w:sdt><w:sdtContent><w:tr>{''.join(cells)}</w:tr></w:sdtContent></w:sdt>"
    grid = '<w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid>'
    head = f"<w:hdr {_W}><w:tbl>{grid}{row}</w:tbl></w:hdr>"
    section = f'<w:sectPr {_OFFICE}><w:headerReference w:type="default" r:id="h"/></w:sectPr>'
    body = f"<w:p>{_piece('<w:t>Text</w:t>')}</w:p>{section}"
    done = Convert(tmp_path, "docx-to-rtf", files.word(body, {"h": ("header", "header1.xml", head)}))
    assert re.search(r"\{\\header \\pard\\plain \\tx3000 .* Acme\}.*\\tab .* Zug\}\\par\}", done.text)
    assert "VALUE_CONVERTED" in done.codes


@pytest.mark.parametrize("target", ["epub", "markdown"])
def test_heads_and_feet_are_named_where_there_are_no_pages(tmp_path: Path, target: str) -> None:
    done = Convert(tmp_path, f"docx-to-{target}", _headed())
    assert "CONTENT_DROPPED" in done.codes


_LINE = 'w:val="single" w:sz="8" w:color="00A000"'
_GRID = (
    '<w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/><w:tblPr><w:tblStyleRowBandSize w:val="1"/>'
    f"<w:tblBorders><w:top {_LINE}/><w:bottom {_LINE}/><w:insideV {_LINE}/></w:tblBorders></w:tblPr>"
    '<w:tblStylePr w:type="firstRow"><w:rPr><w:b/><w:color w:val="FFFFFF"/></w:rPr><w:tcPr><w:shd w:val="clear" '
    'w:fill="336699"/></w:tcPr></w:tblStylePr><w:tblStylePr w:type="band1Horz"><w:tcPr><w:shd w:val="clear" '
    'w:fill="EEEEEE"/></w:tcPr></w:tblStylePr></w:style></w:styles>'
)


def _styled_table() -> bytes:
    """A table whose style draws its outer lines, its head and every other row; one of its cells is blank."""

    def row(*texts: str) -> str:
        cells = (f"<w:tc><w:p>{_piece(f'<w:t>{each}</w:t>') if each else ''}</w:p></w:tc>" for each in texts)
        return f"<w:tr>{''.join(cells)}</w:tr>"

    look = '<w:tblStyle w:val="Grid"/><w:tblLook w:firstRow="1" w:noVBand="1" w:noHBand="0"/>'
    grid = '<w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/></w:tblGrid>'
    table = f"<w:tbl><w:tblPr>{look}</w:tblPr>{grid}{row('Head', 'Other')}{row('Odd', '')}{row('Even', 'Last')}</w:tbl>"
    return files.word(table, {"s": ("styles", "styles.xml", _STYLES.replace("</w:styles>", _GRID))})


def test_cells_of_an_open_document_text_look_as_the_style_of_the_word_table_says(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-odt", _styled_table())
    root = etree.fromstring(_parts(done.data)["content.xml"].encode())
    styles = {each.get(f"{STYLE}name"): each for each in root.iter(f"{STYLE}style")}

    def look(cell: Any) -> dict[str, str]:
        return dict(styles[cell.get(f"{TABLE}style-name")].find(f"{STYLE}table-cell-properties").attrib)

    cells = list(root.iter(f"{TABLE}table-cell"))
    looks = [look(each) for each in cells]
    assert ["".join(each.itertext()).strip() for each in cells] == ["Head", "Other", "Odd", "", "Even", "Last"]
    grounds = [each.get(f"{FO}background-color") for each in looks]
    assert grounds == ["#336699", "#336699", "#EEEEEE", "#EEEEEE", None, None]
    line = "1pt solid #00a000"
    sides = [tuple(each.get(f"{FO}border-{side}") == line for side in ("top", "right", "bottom", "left"))
             for each in looks]  # fmt: skip
    assert sides[0] == (True, True, False, False)
    assert sides[3] == (False, False, False, True)
    assert sides[4] == (False, True, True, False)
    head = styles[next(cells[0].iter(f"{TEXT}span")).get(f"{TEXT}style-name")].find(f"{STYLE}text-properties")
    assert (head.get(f"{FO}font-weight"), head.get(f"{FO}color")) == ("bold", "#FFFFFF")
    assert "STYLE_DROPPED" not in done.codes


def test_cells_of_an_rtf_file_look_as_the_style_of_the_word_table_says(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-rtf", _styled_table())
    colours = re.search(r"\{\\colortbl;([^}]*);\}", done.text)
    assert colours
    listed = colours[1].split(";")
    rows = re.findall(r"\\trowd.*?\\row", done.text, re.DOTALL)
    grounds = [[listed[int(each) - 1] for each in re.findall(r"\\clcbpat(\d+)", row)] for row in rows]
    assert grounds == [[r"\red51\green102\blue153"] * 2, [r"\red238\green238\blue238"] * 2, []]
    green = listed.index(r"\red0\green160\blue0") + 1
    assert len(re.findall(rf"\\clbrdrt\\brdrs\\brdrw20\\brdrcf{green}\b", rows[0])) == 2
    assert re.search(r"\{\\b\\cf\d+ Head\}", rows[0])
    assert "STYLE_DROPPED" not in done.codes


_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{of}:1.0"'
    for name, of in (("office", "office"), ("style", "style"), ("text", "text"), ("table", "table"),
                     ("fo", "xsl-fo-compatible"))
)  # fmt: skip


def _open_document() -> bytes:
    """A text whose looks are in named styles, in automatic ones, and in those of cells and paper."""

    def style(name: str, family: str, kind: str, said: str, more: str = "") -> str:
        properties = f"<style:{kind}-properties {said}/>"
        return f'<style:style style:name="{name}" style:family="{family}" {more}>{properties}</style:style>'

    loud = style("Loud", "paragraph", "text", 'fo:color="#c80000" fo:font-size="15pt"')
    usual = style("Standard", "paragraph", "text", 'fo:font-family="Georgia" fo:font-size="10pt"')
    over = style("P1", "paragraph", "paragraph", 'fo:break-before="page" fo:text-align="end"',
                 'style:parent-style-name="Loud"')  # fmt: skip
    lit = style("T1", "text", "text", 'fo:background-color="#ffff00" fo:font-weight="bold"')
    blue = style("C1", "table-cell", "table-cell", 'fo:background-color="#336699" fo:border="1pt solid #00a000"')
    layout = (
        '<style:page-layout style:name="M"><style:page-layout-properties fo:page-width="600pt" fo:page-height="400pt" '
        'fo:margin-left="45pt" fo:margin-right="40pt" fo:margin-top="30pt" fo:margin-bottom="35pt"/>'
        "</style:page-layout>"
    )
    note = (
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>'
        '<text:p text:style-name="Loud">Below</text:p></text:note-body></text:note>'
    )
    body = (
        f'<text:p text:style-name="Loud">Loud <text:span text:style-name="T1">lit</text:span>{note}</text:p>'
        '<text:p text:style-name="Standard">Usual</text:p><text:p text:style-name="P1">Overleaf</text:p>'
        '<table:table table:name="T"><table:table-column table:number-columns-repeated="2"/><table:table-row>'
        '<table:table-cell><text:p>One</text:p></table:table-cell><table:table-cell table:style-name="C1">'
        "<text:p>Blue</text:p></table:table-cell></table:table-row></table:table>"
    )
    return files.archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "META-INF/manifest.xml": '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
            "content.xml": f"<office:document-content {_NAMES}><office:automatic-styles>{over}{lit}{blue}"
            f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
            "styles.xml": f"<office:document-styles {_NAMES}><office:styles>{usual}{loud}</office:styles>"
            f"<office:automatic-styles>{layout}</office:automatic-styles><office:master-styles><style:master-page "
            'style:name="Standard" style:page-layout-name="M"/></office:master-styles></office:document-styles>',
        }
    )


def test_a_word_document_looks_as_the_open_document_text_did(tmp_path: Path) -> None:
    done = Convert(tmp_path, "odt-to-docx", _open_document())
    parts = _parts(done.data)
    root = etree.fromstring(parts["word/document.xml"].encode())

    def values(element: Any, path: str) -> dict[str, str]:
        found = element.find("/".join(W + each for each in path.split("/")))
        return {} if found is None else {name.removeprefix(W): value for name, value in found.attrib.items()}

    def holding(tag: str, text: str) -> Any:
        found = (each for each in root.iter(W + tag) if "".join(each.itertext()).strip() == text)
        return list(found)[-1]

    loud, lit = holding("r", "Loud"), holding("r", "lit")
    assert (values(loud, "rPr/color")["val"], values(loud, "rPr/sz")["val"]) == ("C80000", "30")
    assert values(lit, "rPr/shd")["fill"] == "FFFF00"
    assert values(lit, "rPr/color")["val"] == "C80000"
    assert values(holding("r", "Usual"), "rPr/color") == {}
    overleaf = holding("p", "Overleaf")
    assert overleaf.find(f"{W}pPr/{W}pageBreakBefore") is not None
    assert values(overleaf, "pPr/jc")["val"] == "right"
    blue = holding("tc", "Blue")
    assert values(blue, "tcPr/shd")["fill"] == "336699"
    assert values(blue, "tcPr/tcBorders/top")["color"] == "00A000"
    assert (values(root, "body/sectPr/pgSz")["w"], values(root, "body/sectPr/pgMar")["left"]) == ("12000", "900")
    usual = etree.fromstring(parts["word/styles.xml"].encode())
    assert values(usual, "docDefaults/rPrDefault/rPr/rFonts")["ascii"] == "Georgia"
    assert re.search(r"C80000.*Below", parts["word/footnotes.xml"], re.DOTALL)
    assert not re.search("[\ufdd0-\ufdef]", "".join(parts.values()))
    assert "STYLE_DROPPED" not in done.codes


@pytest.mark.parametrize("target", ["rtf", "epub"])
def test_what_is_no_word_document_looks_as_the_open_document_text_did(tmp_path: Path, target: str) -> None:
    done = Convert(tmp_path, f"odt-to-{target}", _open_document())
    if target == "rtf":
        assert re.search(r"\{\\fs30\\cf\d+ Loud \}", done.text)
        assert re.search(r"\\fi0 \\pagebb\\qr[^ ]* \{\\fs30\\cf\d+ Overleaf", done.text)
        assert r"\red200\green0\blue0;" in done.text
        assert r"\paperw12000\paperh8000" in done.text
    else:
        shown = "".join(_parts(done.data).values())
        assert "{font-size:1.5rem;color:#C80000}" in shown
        assert "page-break-before:always;text-align:right" in shown
    assert "STYLE_DROPPED" not in done.codes


_PLACED = (
    '<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="2000"/><w:tab w:val="right" w:leader="dot" w:pos="8000"/></w:tabs>'
    '<w:ind w:left="400" w:right="600" w:hanging="200"/></w:pPr><w:r><w:t>Part</w:t><w:tab/><w:t>Bolt</w:t></w:r>'
    '<w:r><w:tab/><w:t>12</w:t></w:r></w:p><w:p><w:pPr><w:ind w:right="600"/></w:pPr><w:r><w:t>Narrow</w:t></w:r></w:p>'
    '<w:tbl><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcMar><w:top w:w="120" w:type="dxa"/>'
    '<w:left w:w="300" w:type="dxa"/></w:tcMar></w:tcPr><w:p><w:r><w:t>Wide</w:t></w:r></w:p></w:tc></w:tr></w:tbl>'
)


def test_tabs_lead_and_text_ends_where_they_did_in_an_open_document_text(tmp_path: Path) -> None:
    root = etree.fromstring(_parts(Convert(tmp_path, "docx-to-odt", _source(_PLACED)).data)["content.xml"].encode())
    styles = {each.get(f"{STYLE}name"): each for each in root.iter(f"{STYLE}style")}
    line = next(each for each in root.iter(f"{TEXT}p") if "Bolt" in "".join(each.itertext()))
    for tab in line.iter(f"{TEXT}tab"):
        tab.text = "|"
    assert "".join(line.itertext()) == "Part|Bolt|12"
    said = styles[line.get(f"{TEXT}style-name")].find(f"{STYLE}paragraph-properties")
    assert [said.get(FO + each) for each in ("margin-left", "margin-right", "text-indent")] == ["20pt", "30pt", "-10pt"]
    stops = [dict(each.attrib) for each in said.iter(f"{STYLE}tab-stop")]
    assert stops[0] == {f"{STYLE}position": "80pt"}
    assert (stops[1][f"{STYLE}position"], stops[1][f"{STYLE}type"]) == ("380pt", "right")
    assert (stops[1][f"{STYLE}leader-style"], stops[1][f"{STYLE}leader-text"]) == ("dotted", ".")
    cell = styles[next(root.iter(f"{TABLE}table-cell")).get(f"{TABLE}style-name")].find(f"{STYLE}table-cell-properties")
    assert [cell.get(f"{FO}padding-{side}") for side in ("top", "right", "left")] == ["6pt", "5.4pt", "15pt"]


def test_tabs_lead_and_text_ends_where_they_did_in_an_rtf_file(tmp_path: Path) -> None:
    text = Convert(tmp_path, "docx-to-rtf", _source(_PLACED)).text
    assert re.search(r"\\li400\\ri600\\fi-200\S*\\tx2000\\tqr\\tldot\\tx8000 Part\\tab Bolt\\tab 12", text)
    assert r"\clpadl120\clpadfl3" in text
    assert r"\clpadt300\clpadft3" in text


def test_a_book_has_indents_and_margins_of_cells_and_no_tab_stops(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-epub", _source(_PLACED))
    shown = "".join(_parts(done.data).values())
    assert "margin-right:3rem" in shown
    assert "padding:6pt 5.4pt 0pt 15pt" in shown
    assert "Part Bolt 12" in shown
    assert "tab stops" in done.messages


def test_tabs_lead_and_text_ends_where_they_did_in_a_word_document(tmp_path: Path) -> None:
    stop = '<style:tab-stop style:position="80pt" style:type="right" style:leader-style="dotted"/>'
    source = files.archive({
        "mimetype": "application/vnd.oasis.opendocument.text",
        "META-INF/manifest.xml": '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
        "content.xml": f"<office:document-content {_NAMES}><office:automatic-styles>"
        '<style:style style:name="P1" style:family="paragraph"><style:paragraph-properties fo:margin-left="20pt" '
        f'fo:margin-right="30pt"><style:tab-stops>{stop}</style:tab-stops></style:paragraph-properties></style:style>'
        '</office:automatic-styles><office:body><office:text><text:p text:style-name="P1">Part<text:tab/>12</text:p>'
        "</office:text></office:body></office:document-content>",
        "styles.xml": f"<office:document-styles {_NAMES}><office:styles/></office:document-styles>",
    })  # fmt: skip
    text = _parts(Convert(tmp_path, "odt-to-docx", source).data)["word/document.xml"]
    assert re.search(r'<w:tab w:val="right" w:pos="2000" w:leader="dot"\s*/>', text)
    assert re.search(r'<w:ind [^>]*w:left="400"[^>]*w:right="600"', text)
    assert re.search(r"Part</w:t>.*<w:tab\s*/>.*12</w:t>", text, re.DOTALL)


_RICH_TEXT = r"""{\rtf1\ansi\deff0{\fonttbl{\f0 Georgia;}{\f1 Verdana;}}
{\colortbl;\red200\green0\blue0;\red51\green102\blue153;}
\paperw12000\paperh8000\margl900\margr800\margt600\margb700\landscape
{\header \pard\qr Acme\par}
\pard\plain\f0\fs20 Usual text that is the most common of all\par
\pard\qc\sb240\ri600\tqr\tldot\tx8000 {\f1\fs30\b\cf1 Loud}\tab 12\par
\page\pard Overleaf {\highlight2 lit}{\footnote \pard Below}\par
\trowd\cellx2000\clcbpat2\cellx4000\pard\intbl One\cell\cell\row
\pard Last\par}"""


def test_an_open_document_text_looks_as_the_rtf_file_did(tmp_path: Path) -> None:
    done = Convert(tmp_path, "rtf-to-odt", _RICH_TEXT)
    parts = _parts(done.data)
    root = etree.fromstring(parts["content.xml"].encode())
    styles = {each.get(f"{STYLE}name"): each for each in root.iter(f"{STYLE}style")}

    def look(text: str, tag: str, kind: str) -> dict[str, str]:
        found = [each for each in root.iter(tag) if "".join(each.itertext()).strip() == text][-1]
        name = found.get(f"{TABLE if tag.startswith(TABLE) else TEXT}style-name")
        return dict(styles[name].find(f"{STYLE}{kind}-properties").attrib)

    loud = look("Loud", f"{TEXT}span", "text")
    assert (loud[f"{FO}color"], loud[f"{FO}font-size"], loud[f"{FO}font-family"]) == ("#C80000", "15pt", "'Verdana'")
    assert look("lit", f"{TEXT}span", "text") == {f"{FO}background-color": "#336699"}
    line = look("Loud12", f"{TEXT}p", "paragraph")
    assert (line[f"{FO}text-align"], line[f"{FO}margin-right"], line[f"{FO}margin-top"]) == ("center", "30pt", "12pt")
    assert re.search(r'style:position="400pt" style:type="right" style:leader-style="dotted"', parts["content.xml"])
    assert "<text:tab/>" in parts["content.xml"]
    overleaf = next(each for each in root.iter(f"{TEXT}p") if (each.text or "").startswith("Overleaf"))
    said = styles[overleaf.get(f"{TEXT}style-name")].find(f"{STYLE}paragraph-properties")
    assert said.get(f"{FO}break-before") == "page"
    assert look("", f"{TABLE}table-cell", "table-cell")[f"{FO}background-color"] == "#336699"
    assert "font-family=\"'Georgia'\"" in parts["styles.xml"]
    assert 'fo:page-width="600pt"' in parts["styles.xml"]
    assert "Acme" in "".join(_master(done.data)["header"].itertext())
    assert not {"STYLE_DROPPED", "CONTENT_DROPPED"} & set(done.codes)


def test_a_word_document_looks_as_the_rtf_file_did(tmp_path: Path) -> None:
    done = Convert(tmp_path, "rtf-to-docx", _RICH_TEXT)
    text = _parts(done.data)["word/document.xml"]
    loud = re.search(r"<w:r><w:rPr>((?:(?!</w:rPr>).)*)</w:rPr><w:t[^>]*>Loud", text)
    assert loud
    assert all(each in loud[1] for each in ('w:ascii="Verdana"', '<w:color w:val="C80000"/>', '<w:sz w:val="30"/>'))
    assert re.search(r'<w:tab w:val="right" w:pos="8000" w:leader="dot"/>.*<w:ind w:right="600"', text)
    assert re.search(r"<w:pageBreakBefore/>(?:(?!</w:p>).)*Overleaf", text)
    assert text.count('w:fill="336699"') == 2
    assert 'w:w="12000" w:h="8000" w:orient="landscape"' in text
    assert "STYLE_DROPPED" not in done.codes
    assert "Page headers and footers were left out" in done.messages


def test_a_book_looks_as_the_rtf_file_did(tmp_path: Path) -> None:
    done = Convert(tmp_path, "rtf-to-epub", _RICH_TEXT)
    shown = "".join(_parts(done.data).values())
    assert "font-size:1.5rem" in shown
    assert "color:#C80000" in shown
    assert "page-break-before:always" in shown
    assert not re.search("[\ufdd0-\ufdef]", shown)
    assert "landscape pages, tab stops" in done.messages


def test_empty_cells_and_widths_of_columns_of_an_open_document_text_are_those_of_the_word_document(
    tmp_path: Path,
) -> None:
    def style(name: str, family: str, said: str) -> str:
        properties = f"<style:{family}-properties {said}/>"
        return f'<style:style style:name="{name}" style:family="{family}">{properties}</style:style>'

    styles = (
        style("T", "table", 'style:width="400pt" table:align="left"')
        + style("wide", "table-column", 'style:column-width="300pt"')
        + style("narrow", "table-column", 'style:column-width="50pt"')
        + style("blue", "table-cell", 'fo:background-color="#336699"')
    )
    blank = '<table:table-cell table:style-name="blue"><text:p/></table:table-cell>'
    body = (
        '<table:table table:style-name="T"><table:table-column table:style-name="wide"/>'
        '<table:table-column table:style-name="narrow" table:number-columns-repeated="2"/>'
        "<table:table-row><table:table-cell><text:p>Here</text:p></table:table-cell>"
        '<table:table-cell table:number-columns-spanned="2"><text:p>Over both</text:p></table:table-cell>'
        f"<table:covered-table-cell/></table:table-row><table:table-row>{blank * 3}</table:table-row></table:table>"
    )
    source = files.archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "META-INF/manifest.xml": '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
            "content.xml": f"<office:document-content {_NAMES}><office:automatic-styles>{styles}"
            f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
            "styles.xml": f"<office:document-styles {_NAMES}/>",
        }
    )
    parts = _parts(Convert(tmp_path, "odt-to-docx", source).data)
    table = next(etree.fromstring(parts["word/document.xml"].encode()).iter(f"{W}tbl"))
    assert [each.get(f"{W}w") for each in table.iter(f"{W}gridCol")] == ["6000", "1000", "1000"]
    last = table.findall(f"{W}tr")[-1].findall(f"{W}tc")
    assert [each.find(f"{W}tcPr/{W}shd").get(f"{W}fill") for each in last] == ["336699"] * 3
    assert not re.search("[\ufdd0-\ufdef]", parts["word/document.xml"])


def _grounds(*fills: str) -> bytes:
    """A page with a head that is a table row, whose cells have these grounds."""
    white = '<w:rPr><w:color w:val="FFFFFF"/></w:rPr>'
    cells = "".join(
        f'<w:tc><w:tcPr><w:shd w:val="clear" w:fill="{fill}"/></w:tcPr><w:p><w:r>{white}'
        f"<w:t>white{at}</w:t></w:r></w:p></w:tc>"
        for at, fill in enumerate(fills)
    )
    grid = '<w:gridCol w:w="3000"/>' * len(fills)
    head = f"<w:hdr {_W}><w:tbl><w:tblGrid>{grid}</w:tblGrid><w:tr>{cells}</w:tr></w:tbl></w:hdr>"
    section = f'<w:sectPr {_OFFICE}><w:headerReference w:type="default" r:id="h"/></w:sectPr>'
    body = f"<w:p>{_piece('<w:t>Text</w:t>')}</w:p>{section}"
    return files.word(body, {"h": ("header", "header1.xml", head)})


@pytest.mark.parametrize("fills", [("000066", "000066"), ("000066", "660000")])
def test_white_text_in_a_head_stays_on_its_ground(tmp_path: Path, fills: tuple[str, str]) -> None:
    parts = _parts(Convert(tmp_path, "docx-to-odt", _grounds(*fills)).data)
    root = etree.fromstring(parts["styles.xml"].encode())
    styles = {each.get(f"{STYLE}name"): each for each in root.iter(f"{STYLE}style")}
    for at, fill in enumerate(fills):
        text = next(each for each in root.iter(f"{TEXT}span") if each.text == f"white{at}")
        names = [each.get(f"{TEXT}style-name") for each in (text, *text.iterancestors(f"{TEXT}p"))]
        grounds = {each.get(f"{FO}background-color") for name in names for each in styles[name].iter()}
        assert f"#{fill}" in grounds
