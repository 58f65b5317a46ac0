"""Presentations: what a text has of their slides, and their pages where LibreOffice does not draw them."""

from __future__ import annotations

import io
import itertools
from pathlib import Path

import pypdfium2
import pytest

from conversions.families.registry import ALTERNATIVES, CONVERTERS
from conversions.toolkit.declaring import declared
from conversions.toolkit.failures import InvalidOption, Unreadable
from conversions.toolkit.options import build
from conversions.toolkit.warnings import Warn
from tests.converters.cases import office_files as files
from tests.converters.cases.document_files import archive
from tests.converters.test_documents import Convert

_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_C = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def relations(*each: tuple[str, str, str]) -> str:
    said = "".join(f'<Relationship Id="{key}" Type="x/{kind}" Target="{target}"/>' for key, kind, target in each)
    return f'<Relationships xmlns="{_RELATIONS}">{said}</Relationships>'


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


def test_charts_and_tables_are_tables(tmp_path: Path) -> None:
    def points(kind: str, *values: str) -> str:
        said = "".join(f'<c:pt idx="{at}"><c:v>{each}</c:v></c:pt>' for at, each in enumerate(values))
        return f"<c:{kind}><c:numRef><c:numCache>{said}</c:numCache></c:numRef></c:{kind}>"

    series = (
        f"<c:ser><c:tx><c:v>Sales</c:v></c:tx>{points('cat', 'North', 'South')}{points('val', '8.2', '3.0')}</c:ser>"
    )
    chart = f"<c:chartSpace {_C} {_A}><c:chart><c:barChart>{series}</c:barChart></c:chart></c:chartSpace>"
    frame = "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id='2' name='c'/><p:nvPr/></p:nvGraphicFramePr><a:graphic>"
    frame += f'<a:graphicData uri="x/chart"><c:chart {_C} r:id="c"/></a:graphicData></a:graphic></p:graphicFrame>'
    data = deck(frame, {"ppt/charts/chart1.xml": chart}, ("c", "chart", "../charts/chart1.xml"))
    done = Convert(tmp_path, "pptx-to-markdown", data)
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in done.text.splitlines() if row[:1] == "|"]
    assert [rows[0], *rows[2:]] == [["", "Sales"], ["North", "8.2"], ["South", "3"]]
    assert "Charts became tables of their data: 1" in done.messages


drawn = pytest.mark.skipif(
    not any(each.alternative == "slides" for each in declared()), reason="only PlutoPrint draws slides"
)


def pages(folder: Path, data: bytes, **options: object) -> list[tuple[tuple[int, int], str]]:
    """Size and words of each page that this service draws itself, whether or not LibreOffice does so here."""
    converter = next(each for each in declared() if each.alternative == "slides")
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
    assert any(each.alternative == "slides" for each in ALTERNATIVES)


@drawn
def test_small_text_takes_small_lines(tmp_path: Path) -> None:
    small = "".join(line("x").replace("<a:r>", '<a:r><a:rPr sz="600"/>') for _ in range(60))
    converter = next(each for each in declared() if each.alternative == "slides")
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
