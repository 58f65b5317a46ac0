"""Presentations: what a text has of their slides, and their pages where LibreOffice does not draw them."""

from __future__ import annotations

import io
import itertools
import re
import zipfile
from html import unescape
from pathlib import Path

import cmarkgfm
import pikepdf
import pypdfium2
import pytest
from cmarkgfm.cmark import Options

from engine.families.registry import CONVERTERS
from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters.engines import OWN
from tests.converters.test_documents import Convert
from tests.families.documents.files import archive, png
from tests.families.libreoffice import files

_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_C = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def relations(*each: tuple[str, str, str]) -> str:
    parts = "".join(f'<Relationship Id="{key}" Type="x/{kind}" Target="{target}"/>' for key, kind, target in each)
    return f'<Relationships xmlns="{_RELATIONS}">{parts}</Relationships>'


def deck(shapes: str, extra: dict[str, str | bytes] | None = None, *more: tuple[str, str, str]) -> bytes:
    """A presentation of one slide without layout or master."""
    tree = f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"
    return archive(
        {
            "[Content_Types].xml": '<Types><Override ContentType="presentationml.presentation.main+xml"/></Types>',
            "_rels/.rels": relations(("r1", "officeDocument", "ppt/presentation.xml")),
            "ppt/presentation.xml": f'<p:presentation {_P} {_R}><p:sldIdLst><p:sldId r:id="s"/></p:sldIdLst>'
            '<p:sldSz cx="9144000" cy="5143500"/></p:presentation>',
            "ppt/_rels/presentation.xml.rels": relations(("s", "slide", "slides/slide1.xml")),
            "ppt/slides/slide1.xml": f"<p:sld {_P} {_A} {_R}>{tree}</p:sld>",
            "ppt/slides/_rels/slide1.xml.rels": relations(*more),
            **(extra or {}),
        }
    )


def box(paragraphs: str, *, kind: str = "", top: int = 0) -> str:
    place = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind else "<p:nvPr/>"
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/>{place}</p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="{top}"/>'
        f'<a:ext cx="4000000" cy="900000"/></a:xfrm></p:spPr><p:txBody><a:bodyPr/>{paragraphs}</p:txBody></p:sp>'
    )


def line(text: str, more: str = "") -> str:
    return f"<a:p>{more}<a:r><a:t>{text}</a:t></a:r></a:p>"


_BULLET = '<a:pPr lvl="{}"><a:buChar char="•"/></a:pPr>'
_NUMBER = '<a:pPr><a:buAutoNum type="arabicPeriod" startAt="4"/></a:pPr>'


def _table(*rows: str, first: str = "") -> str:
    grid = (
        f"<a:tbl><a:tblPr {first}/><a:tblGrid><a:gridCol w='9'/><a:gridCol w='9'/></a:tblGrid>{''.join(rows)}</a:tbl>"
    )
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="t"/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off '
        f'x="0" y="90000000"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic><a:graphicData uri="x/table">{grid}'
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )


def _row(*cells: str, more: str = "") -> str:
    inside = "".join(f"<a:tc {more}><a:txBody><a:bodyPr/>{line(each)}</a:txBody></a:tc>" for each in cells)
    return f"<a:tr h='9'>{inside}</a:tr>"


_SIGNS = (
    "# no heading", "1. no item", "- no item", "+ 2", "a*b*c _d_ snake_case `e` [f](g) ![h]",
    "~~i~~ $j$ &lt;b> &amp;amp;", "&gt; no quote", "https://a.example/~b_c?d=1_e f_", "| no | table |", "=====",
    "back\\slash", "## ends with #",
)  # fmt: skip


def test_markdown_of_slides_reads_back_as_what_they_say(tmp_path: Path) -> None:
    def run(text: str, look: str) -> str:
        return f"<a:r><a:rPr {look}/><a:t>{text}</a:t></a:r>"

    marked = (
        run("al", 'b="1"') + run("pha", 'b="1" i="1"') + run("be", "") + run("(ta)", 'b="1"') + run("gamma ", 'i="1"')
        + run("x", 'strike="sngStrike" b="1"') + run(" d ", 'b="1"') + "<a:br/>" + run("- after a break", "")
    )  # fmt: skip
    body = "".join(map(line, _SIGNS)) + f"<a:p>{marked}</a:p>"
    listed = "".join(line(each, _BULLET.format(at % 3)) for at, each in enumerate(_SIGNS)) + line("four", _NUMBER)
    tables = _table(_row("a|b", "c*"), _row("&lt;d>", "e"), first='firstRow="1"') + _table(
        _row("w", "i", more='gridSpan="2"')
    )
    data = deck(box(line("Title #*"), kind="title") + box(body, top=1) + box(listed, top=2_000_000) + tables)
    html = Convert(tmp_path, "pptx-to-html", data, standalone=False).text
    text = Convert(tmp_path, "pptx-to-markdown", data).text
    read = cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)
    seen, parts = ("".join(unescape(re.sub(r"<[^>]*>", "", each)).split()) for each in (read, html))
    assert seen == parts
    for tag in ("h1", "h2", "ul", "ol", "li", "table", "tr", "blockquote", "hr", "pre", "code", "br"):
        assert len(re.findall(f"<{tag}[ >]", read)) == len(re.findall(f"<{tag}[ >]", html)), tag
    assert "<strong>al" in read
    assert "<em>gamma</em>" in read
    assert "be<strong>(ta)</strong>" in read


def test_slides_are_chapters_with_lists_and_what_the_speaker_says(tmp_path: Path) -> None:
    body = line("one", _BULLET.format(0)) + line("inner", _BULLET.format(1)) + line("four", _NUMBER)
    notes = f"<p:notes {_P} {_A}><p:cSld><p:spTree>{box(line('Breathe'), kind='body')}</p:spTree></p:cSld></p:notes>"
    data = deck(
        box(line("Below"), top=3_000_000) + box(body, top=1_500_000) + box(line("Plan"), kind="title"),
        {"ppt/notesSlides/n.xml": notes},
        ("n", "notesSlide", "../notesSlides/n.xml"),
    )
    text = Convert(tmp_path, "pptx-to-markdown", data).text
    assert [each.strip() for each in text.splitlines() if each.strip()] == [
        "## Plan", "- one", "- inner", "4.  four", "Below", "> **Notes**", ">", "> Breathe",
    ]  # fmt: skip
    assert "Breathe" not in Convert(tmp_path, "pptx-to-txt", data, speakerNotes=False).text


def test_notes_of_the_speaker_that_a_pdf_is_not_to_have_are_counted(tmp_path: Path) -> None:
    notes = f"<p:notes {_P} {_A}><p:cSld><p:spTree>{box(line('Breathe'), kind='body')}</p:spTree></p:cSld></p:notes>"
    relation = ("n", "notesSlide", "../notesSlides/n.xml")
    data = deck(box(line("Plan"), kind="title"), {"ppt/notesSlides/n.xml": notes}, relation)
    said = "Speaker notes were left out: 1 (“Breathe”). Use notes to add them."
    assert said in drawn_by_us(tmp_path, data, notes=False)
    assert said not in drawn_by_us(tmp_path, data, notes=True)


def drawn_by_us(folder: Path, data: bytes, *, notes: bool) -> list[str]:
    """The warnings of the PDF that is drawn without LibreOffice."""
    from engine.families.documents.slides import pages
    from engine.families.documents.slides.options import PresentationOptions

    source, warn = folder / "input.pptx", Warn()
    source.write_bytes(data)
    pages.to_pdf(source, folder / "output.pdf", PresentationOptions(notes=notes), warn)
    return [str(each.message) for each in warn.warnings]


def test_diagrams_are_lists_with_their_levels(tmp_path: Path) -> None:
    space = 'xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
    points = '<d:pt modelId="0" type="doc"/>' + "".join(
        f'<d:pt modelId="{at}"><d:t><a:bodyPr/>{line(each)}</d:t></d:pt>'
        for at, each in ((2, "under"), (3, "last"), (1, "top"))
    )
    ends = "".join(f'<d:cxn srcId="{a}" destId="{b}" srcOrd="{at}"/>' for a, b, at in ((0, 1, 0), (1, 2, 0), (0, 3, 1)))
    frame = '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="5" name="o"/><p:nvPr/></p:nvGraphicFramePr><a:graphic>'
    frame += f'<a:graphicData uri="x/diagram"><d:relIds {space} r:dm="k"/></a:graphicData></a:graphic></p:graphicFrame>'
    data = f"<d:dataModel {space} {_A}>{points}{ends}</d:dataModel>"
    done = Convert(tmp_path, "pptx-to-markdown", deck(frame, {"ppt/k.xml": data}, ("k", "diagramData", "../k.xml")))
    assert done.text == "## Slide 1\n\n- top\n  - under\n- last\n"
    assert "Diagrams became lists of their text: 1." in done.messages


def test_charts_and_tables_are_tables(tmp_path: Path) -> None:
    def points(kind: str, *values: str) -> str:
        parts = "".join(f'<c:pt idx="{at}"><c:v>{each}</c:v></c:pt>' for at, each in enumerate(values))
        return f"<c:{kind}><c:numRef><c:numCache>{parts}</c:numCache></c:numRef></c:{kind}>"

    values = points("val", "8.200000000000001", "3.0")
    series = f"<c:ser><c:tx><c:v>Sales</c:v></c:tx>{points('cat', 'North', 'South')}{values}</c:ser>"
    drawn = f"<c:plotArea><c:barChart>{series}</c:barChart></c:plotArea>"
    chart = f"<c:chartSpace {_C} {_A}><c:chart><c:title/>{drawn}</c:chart></c:chartSpace>"
    frame = "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id='2' name='c'/><p:nvPr/></p:nvGraphicFramePr><a:graphic>"
    frame += f'<a:graphicData uri="x/chart"><c:chart {_C} r:id="c"/></a:graphicData></a:graphic></p:graphicFrame>'
    data = deck(frame, {"ppt/charts/chart1.xml": chart}, ("c", "chart", "../charts/chart1.xml"))
    done = Convert(tmp_path, "pptx-to-markdown", data)
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in done.text.splitlines() if row[:1] == "|"]
    assert [rows[0], *rows[2:]] == [["", "Sales"], ["North", "8.2"], ["South", "3"]]
    assert "**Sales**" in done.text
    assert "Charts became tables of their data: 1" in done.messages


drawn = pytest.mark.skipif("pptx-to-pdf" not in OWN, reason="only PlutoPrint draws slides")


def pages(folder: Path, data: bytes, **options: object) -> list[tuple[tuple[int, int], str]]:
    """Size and words of each page that this service draws itself, whether or not LibreOffice does so here."""
    converter = OWN["pptx-to-pdf"]
    source, target = folder / "input.pptx", folder / "output.pdf"
    source.write_bytes(data)
    converter.run(source, target, build(converter.options, options), Warn())
    pdf = pypdfium2.PdfDocument(io.BytesIO(target.read_bytes()))
    found = ((page.get_size(), page.get_textpage().get_text_bounded()) for page in pdf)
    return [((round(size[0]), round(size[1])), " ".join(text.split())) for size, text in found]


@drawn
def test_every_slide_is_a_page_of_its_own_size(tmp_path: Path) -> None:
    found = pages(tmp_path, files.pptx())
    assert [size for size, _ in found] == [(720, 405)] * 2
    assert "• Sales grew in Zürich" in found[0][1]
    assert "Second slide" in found[1][1]
    assert [len(pages(tmp_path, files.pptx_awkward(), hiddenSlides=each)) for each in (False, True)] == [1, 2]
    with pytest.raises(InvalidOption):
        pages(tmp_path, files.pptx(), pages="2-3")
    assert "pptx-to-pdf" in CONVERTERS


@drawn
def test_text_without_a_place_stands_where_new_presentations_have_it(tmp_path: Path) -> None:
    shapes = "".join(
        f'<p:sp><p:nvSpPr><p:cNvPr id="{at}" name="x"/><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr><p:spPr/>'
        f"<p:txBody><a:bodyPr/>{line(text)}</p:txBody></p:sp>"
        for at, (kind, text) in enumerate((("title", "Headed"), ("body", "Said")), 1)
    )
    ((_, text),) = pages(tmp_path, deck(shapes))
    assert text == "Headed Said"


@drawn
def test_numbers_of_another_kind_begin_anew(tmp_path: Path) -> None:
    kinds = ("arabicPeriod", "arabicPeriod", "romanLcParenR", "romanLcParenR", "circleNumWdBlackPlain", "arabicPeriod")
    body = "".join(line("x", f'<a:pPr><a:buAutoNum type="{kind}"/></a:pPr>') for kind in kinds)
    ((_, text),) = pages(tmp_path, deck(box(body)))
    assert "".join(text.split()) == "1.x2.xi)xii)x❶x1.x"


def test_objects_of_old_files_are_shown_by_their_preview(tmp_path: Path) -> None:
    frame = '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="5" name="o"/><p:nvPr/></p:nvGraphicFramePr><a:graphic>'
    frame += '<a:graphicData uri="x/ole"><p:oleObj spid="_x0000_s12"/></a:graphicData></a:graphic></p:graphicFrame>'
    image = '<v:imagedata o:relid="i" o:title=""/></v:shape>'
    extra: dict[str, str | bytes] = {
        "ppt/drawings/d.vml": f'<xml><br><v:shape id="_x0000_s1"></v:shape><v:shape id="_x0000_s12">{image}</xml>',
        "ppt/drawings/_rels/d.vml.rels": relations(("i", "image", "../media/i.png")),
        "ppt/media/i.png": png(),
    }
    html = Convert(tmp_path, "pptx-to-html", deck(frame, extra, ("v", "vmlDrawing", "../drawings/d.vml"))).text
    assert html.count("data:image/png") == 1
    assert "data:image" not in Convert(tmp_path, "pptx-to-html", deck(frame)).text


@drawn
def test_text_outside_of_placeholders_and_colours_are_those_of_the_presentation(tmp_path: Path) -> None:
    def scheme(colour: str) -> str:
        return f'<a:clrScheme name="s"><a:accent1><a:srgbClr val="{colour}"/></a:accent1></a:clrScheme>'

    def style(size: int) -> str:
        return f'<a:lvl1pPr><a:defRPr sz="{size}"/></a:lvl1pPr>'

    theme = (
        f"<a:theme {_A}><a:themeElements>{scheme('FF0000')}</a:themeElements><a:extraClrSchemeLst><a:extraClrScheme>"
    )
    theme += f"{scheme('0000FF')}</a:extraClrScheme></a:extraClrSchemeLst></a:theme>"
    slides = '<p:sldIdLst><p:sldId r:id="s"/></p:sldIdLst><p:sldSz cx="9144000" cy="5143500"/>'
    extra: dict[str, str | bytes] = {
        "ppt/presentation.xml": f"<p:presentation {_P} {_A} {_R}>{slides}<p:defaultTextStyle>{style(4000)}"
        "</p:defaultTextStyle></p:presentation>",
        "ppt/layouts/l.xml": f"<p:sldLayout {_P}/>",
        "ppt/layouts/_rels/l.xml.rels": relations(("m", "slideMaster", "../masters/m.xml")),
        "ppt/masters/m.xml": f"<p:sldMaster {_P} {_A}><p:txStyles><p:otherStyle>{style(1000)}</p:otherStyle>"
        "</p:txStyles></p:sldMaster>",
        "ppt/masters/_rels/m.xml.rels": relations(("t", "theme", "../theme.xml")),
        "ppt/theme.xml": theme,
    }
    coloured = box(line("Large")).replace(
        "</p:spPr>", '<a:solidFill><a:schemeClr val="accent1"/></a:solidFill></p:spPr>'
    )
    pages(tmp_path, deck(coloured, extra, ("l", "slideLayout", "../layouts/l.xml")))
    page = pypdfium2.PdfDocument(tmp_path / "output.pdf")[0]
    _, bottom, _, top = page.get_textpage().get_charbox(0)
    assert top - bottom > 20
    assert page.render().to_pil().convert("RGB").getpixel((200, 60)) == (255, 0, 0)


@drawn
def test_shapes_have_their_outlines_and_the_colours_of_their_style(tmp_path: Path) -> None:
    def shape(geometry: str, left: int, more: str = "") -> str:
        place = f'<a:xfrm {more}><a:off x="{left}" y="0"/><a:ext cx="1270000" cy="1270000"/></a:xfrm>'
        fill = '<a:solidFill><a:srgbClr val="0000FF"/></a:solidFill>'
        parts = '<p:style><a:fontRef idx="minor"><a:srgbClr val="FFFF00"/></a:fontRef></p:style>'
        text = line("MMMM").replace("<a:t>", "<a:rPr sz='2000'/><a:t>")
        body = f'<p:txBody><a:bodyPr anchor="ctr"/>{text}</p:txBody>'
        head = '<p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr/></p:nvSpPr>'
        return f"<p:sp>{head}<p:spPr>{place}{geometry}{fill}</p:spPr>{parts}{body}</p:sp>"

    corner = '<a:moveTo><a:pt x="0" y="0"/></a:moveTo>'
    corner += '<a:lnTo><a:pt x="2" y="0"/></a:lnTo><a:lnTo><a:pt x="0" y="2"/></a:lnTo>'
    own = f'<a:custGeom><a:pathLst><a:path w="2" h="2">{corner}<a:close/></a:path></a:pathLst></a:custGeom>'
    named = '<a:prstGeom prst="{}"><a:avLst/></a:prstGeom>'
    arrow = shape(named.format("rightArrow"), 1_270_000, 'flipH="1"')
    pages(tmp_path, deck(shape(named.format("triangle"), 0) + arrow + shape(own, 2_540_000)))
    seen = pypdfium2.PdfDocument(tmp_path / "output.pdf")[0].render().to_pil().convert("RGB")
    blue, white = (0, 0, 255), (255, 255, 255)
    assert [seen.getpixel((x, y)) for x, y in ((10, 10), (50, 30), (90, 10), (12, 98))] == [white, blue, white, blue]
    assert [seen.getpixel((x, y)) for x, y in ((140, 15), (190, 10), (105, 50), (195, 35))] == [blue, white, blue, blue]
    assert [seen.getpixel((x, y)) for x, y in ((210, 10), (290, 90))] == [blue, white]
    assert (255, 255, 0) in {colour for _, colour in seen.crop((25, 60, 75, 90)).getcolors(9_999)}


@drawn
@drawn
def test_shapes_in_groups_that_are_nested_too_deeply_are_counted(tmp_path: Path) -> None:
    deep = "<p:grpSp><p:grpSpPr/>" * 40 + box(line("One")) + box(line("Two")) + "</p:grpSp>" * 40
    assert any("left out: 2" in each for each in drawn_by_us(tmp_path, deck(deep), notes=False))


def test_shapes_without_text_are_named_where_slides_become_text(tmp_path: Path) -> None:
    def shape(look: str, text: str = "") -> str:
        return (
            '<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr/></p:nvSpPr>'
            f"<p:spPr>{look}</p:spPr><p:txBody><a:bodyPr/>{line(text)}</p:txBody></p:sp>"
        )

    fill, nothing = '<a:solidFill><a:srgbClr val="00FF00"/></a:solidFill>', "<a:ln><a:noFill/></a:ln>"
    data = deck(shape(fill) + shape("<a:ln/>") + shape(fill, "seen") + shape(nothing) + shape(""))
    for output in ("txt", "docx", "markdown"):
        told = Convert(tmp_path, f"pptx-to-{output}", data)
        assert (told.codes, told.messages) == ({"CONTENT_DROPPED"}, "Drawn shapes without text were left out: 2.")


def test_small_text_takes_small_lines(tmp_path: Path) -> None:
    small = "".join(line("x").replace("<a:r>", '<a:r><a:rPr sz="600"/>') for _ in range(60))
    converter = OWN["pptx-to-pdf"]
    source, target = tmp_path / "input.pptx", tmp_path / "output.pdf"
    source.write_bytes(deck(box(small)))
    converter.run(source, target, build(converter.options, {}), Warn())
    text = pypdfium2.PdfDocument(io.BytesIO(target.read_bytes()))[0].get_textpage()
    seen = [round(text.get_charbox(at)[1], 1) for at in range(text.count_chars()) if text.get_text_range(at, 1) == "x"]
    assert all(5 < above - below < 9 for above, below in itertools.pairwise(seen[:20]))


def test_presentations_made_to_do_harm_are_refused(tmp_path: Path) -> None:
    deep = "<p:grpSp>" * 2_000 + "</p:grpSp>" * 2_000
    entity = f'<!DOCTYPE x [<!ENTITY e "boo">]><p:sld {_P}/>'
    for data in (deck(deep), deck("", {"ppt/slides/slide1.xml": entity}), deck("<p:sp>")):
        with pytest.raises(Unreadable):
            Convert(tmp_path, "pptx-to-html", data)
    outside = '<p:pic><p:nvPicPr><p:cNvPr id="1" name="x"/></p:nvPicPr><p:blipFill><a:blip r:embed="up"/>'
    outside += "</p:blipFill></p:pic>"
    done = Convert(tmp_path, "pptx-to-html", deck(outside, {}, ("up", "image", "../../../../../etc/passwd")))
    assert "<img" not in done.text
    assert "CONTENT_DROPPED" in done.codes


@pytest.mark.parametrize(("shown", "named"), [("", True), (' showMasterSp="0"', False)])
def test_what_layouts_repeat_on_their_slides_is_named_where_it_is_left_out(
    tmp_path: Path, shown: str, named: bool
) -> None:
    repeated = box("<a:p><a:r><a:t>Confidential</a:t></a:r></a:p>")
    sample = box("<a:p><a:r><a:t>Click to edit</a:t></a:r></a:p>", kind="body")
    tree = f"<p:cSld><p:spTree>{repeated}{sample}</p:spTree></p:cSld>"
    extra: dict[str, str | bytes] = {"ppt/layouts/l.xml": f"<p:sldLayout {_P} {_A}>{tree}</p:sldLayout>"}
    source = deck(box("<a:p><a:r><a:t>Words</a:t></a:r></a:p>"), extra, ("l", "slideLayout", "../layouts/l.xml"))
    with zipfile.ZipFile(io.BytesIO(source)) as parts:
        made = {name: parts.read(name) for name in parts.namelist()}
    made["ppt/slides/slide1.xml"] = made["ppt/slides/slide1.xml"].replace(b"<p:sld ", f"<p:sld{shown} ".encode())
    done = Convert(tmp_path, "pptx-to-markdown", archive(made))
    message = "Texts and pictures that layouts repeat on their slides were left out: 1 (Confidential)."
    assert (message in done.messages) is named
    assert "Click to edit" not in done.messages


@pytest.mark.parametrize(("kind", "letter"), [("romanUcParenBoth", "I"), ("alphaLcPeriod", "a")])
def test_lists_of_slides_keep_their_letters_and_roman_numerals(kind: str, letter: str, tmp_path: Path) -> None:
    numbered = f'<a:pPr><a:buAutoNum type="{kind}"/></a:pPr>'
    source = deck(box(line("first", numbered) + line("second", numbered)))
    assert f'<ol type="{letter}">' in Convert(tmp_path, "pptx-to-html", source).text
    told = Convert(tmp_path, "pptx-to-markdown", source).messages
    assert "List items are numbered in another way than in the file: 2." in told
    told = Convert(tmp_path, "pptx-to-docx", source).messages
    assert "numbered in another way" not in told
    assert ("end with a full stop in the result: 2." in told) is ("Paren" in kind)


def test_numbers_of_slides_are_not_named_in_markdown(tmp_path: Path) -> None:
    source = deck(box(line("first", _NUMBER) + line("second", _NUMBER)))
    assert Convert(tmp_path, "pptx-to-markdown", source).codes == set()


@pytest.mark.parametrize(
    ("slug", "shown"),
    [
        ("pptx-to-markdown", "E = mc<sup>2</sup> H<sub>2</sub>O <u>under</u> <u>**both**</u>"),
        ("pptx-to-html", "E = mc<sup>2</sup> H<sub>2</sub>O <u>under</u> <u><strong>both</strong></u>"),
    ],
)
def test_raised_lowered_and_underlined_letters_of_slides_stay_so(tmp_path: Path, slug: str, shown: str) -> None:
    def run(text: str, how: str = "") -> str:
        return f"<a:r><a:rPr {how}/><a:t>{text}</a:t></a:r>"

    text = run("E = mc") + run("2", 'baseline="30000"') + run(" H") + run("2", 'baseline="-25000"') + run("O ")
    text += run("under", 'u="sng"') + run(" ") + run("both", 'u="sng" b="1"')
    done = Convert(tmp_path, slug, deck(box(f"<a:p>{text}</a:p>")))
    assert shown in done.text


def _numbered(kind: str, count: int = 2) -> str:
    return "".join(line(f"n{at}", f'<a:pPr><a:buAutoNum type="{kind}"/></a:pPr>') for at in range(count))


@drawn
@pytest.mark.parametrize(
    ("kind", "shown"),
    [("thaiAlphaPeriod", "ข."), ("hindiAlphaPeriod", "ख."), ("hindiAlpha1Period", "आ."), ("thaiNumParenBoth", "(๒)"),
     ("alphaUcParenR", "B)"), ("romanUcPeriod", "II."), ("arabicPlain", "2"), ("circleNumDbPlain", "②"),
     ("circleNumWdBlackPlain", "❷"), ("ea1JpnKorPeriod", "二."), ("hebrew2Minus", "ב-"), ("arabicDbPlain", "２")],
)  # fmt: skip
def test_numbers_of_slides_are_written_as_their_type_says(tmp_path: Path, kind: str, shown: str) -> None:
    from engine.families.documents.ooxml.package import Package
    from engine.families.documents.slides.deck import Deck
    from engine.families.documents.slides.shapes import shapes

    (tmp_path / "input.pptx").write_bytes(deck(box(_numbered(kind))))
    with Package(tmp_path / "input.pptx") as package:
        read = Deck(package)
        found = [shapes(read, each) for each in read.slides(hidden=False)]
    assert found[0][0].paragraphs[1].numbered == shown


@drawn
def test_a_bullet_that_is_a_picture_is_drawn_and_a_missing_one_is_counted(tmp_path: Path) -> None:
    mark = '<a:pPr marL="342900" indent="-342900"><a:buBlip><a:blip r:embed="{}"/></a:buBlip></a:pPr>'
    there = deck(box(line("text", mark.format("k"))), {"ppt/a.png": png()}, ("k", "image", "../a.png"))
    assert not [each for each in drawn_by_us(tmp_path, there, notes=False) if "pictures" in each.lower()]
    page = pypdfium2.PdfDocument(tmp_path / "output.pdf")[0]
    assert [each for each in page.get_objects() if each.type == 3]
    said = drawn_by_us(tmp_path, deck(box(line("text", mark.format("none")))), notes=False)
    assert [each for each in said if each.startswith("Missing and damaged pictures") and "1" in each]


@drawn
def test_a_background_that_many_slides_share_is_in_the_pdf_once(tmp_path: Path) -> None:
    slides = '<p:sldId r:id="s"/>' * 12
    behind = '<p:bg><p:bgPr><a:blipFill><a:blip r:embed="k"/><a:stretch/></a:blipFill></p:bgPr></p:bg>'
    tree = f"<p:cSld>{behind}<p:spTree>{box(line('Text'))}</p:spTree></p:cSld>"
    data = deck(
        "",
        {
            "ppt/presentation.xml": f"<p:presentation {_P} {_R}><p:sldIdLst>{slides}</p:sldIdLst></p:presentation>",
            "ppt/slides/slide1.xml": f"<p:sld {_P} {_A} {_R}>{tree}</p:sld>",
            "ppt/k.png": png(),
        },
        ("k", "image", "../k.png"),
    )
    assert len(pages(tmp_path, data)) == 12
    with pikepdf.open(tmp_path / "output.pdf") as pdf:
        images = [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Image"]
    assert len(images) == 1
