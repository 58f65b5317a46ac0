"""Drawn elements of OpenDocument files have their own paths, places, fills and lines, in texts and in slides."""

from __future__ import annotations

import zipfile
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest
from lxml import etree
from PIL import Image

from engine.families.documents.odf import forms, geometries, places
from engine.families.documents.odf.geometries import Drawn
from engine.families.documents.slides import opening, pages
from engine.families.documents.slides.options import PresentationOptions
from engine.toolkit.shapes.enhanced_paths import commands
from engine.toolkit.shapes.formulas import Formulas
from engine.toolkit.shapes.guides import Faulty
from engine.toolkit.warnings import Warn
from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import drawn, odt
from tests.families.documents import files

_O = "urn:oasis:names:tc:opendocument:xmlns:"
_SPACES = (
    f'xmlns:office="{_O}office:1.0" xmlns:text="{_O}text:1.0" xmlns:style="{_O}style:1.0" xmlns:draw="{_O}drawing:1.0" '
    f'xmlns:svg="{_O}svg-compatible:1.0" xmlns:fo="{_O}xsl-fo-compatible:1.0" xmlns:table="{_O}table:1.0" '
    'xmlns:xlink="http://www.w3.org/1999/xlink"'
)
_PLAIN = 'draw:fill="solid" draw:fill-color="#ff0000" draw:stroke="none"'
_WHITE, _RED = (255, 255, 255), (255, 0, 0)


def element(markup: str) -> etree._Element:
    root: etree._Element = etree.fromstring(f"<root {_SPACES}>{markup}</root>")
    return root[0]


def custom(path: str, *formulas: str, box: str = "0 0 100 100", more: str = "") -> str:
    equations = "".join(f'<draw:equation draw:name="f{at}" draw:formula="{each}"/>' for at, each in enumerate(formulas))
    return (
        f'<draw:custom-shape draw:style-name="a" svg:x="0cm" svg:y="0cm" svg:width="10cm" svg:height="10cm">'
        f'<draw:enhanced-geometry svg:viewBox="{box}" draw:type="non-primitive" draw:enhanced-path="{path}" {more}>'
        f"{equations}</draw:enhanced-geometry></draw:custom-shape>"
    )


def form(markup: str, size: float = 100.0) -> Drawn:
    found = forms.of(element(markup), size, size)
    assert isinstance(found, Drawn)
    return found


def ends(drawn_: Drawn) -> list[tuple[float, float]]:
    """Where each step ends, to a tenth."""
    steps = [numbers for outline in drawn_.outlines for _, numbers in outline.steps if numbers]
    return [(round(each[-2], 1), round(each[-1], 1)) for each in steps]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("M 0 0 L 100 0 50 100 Z N", [(0, 0), (100, 0), (50, 100)]),
        ("M ?f0 0 L $0 ?f1 N", [(50, 0), (25, 12.5)]),
        ("M 0 50 X 50 0 100 50 N", [(0, 50), (50, 0), (100, 50)]),
        ("M 0 0 Q 50 100 100 0 N", [(0, 0), (100, 0)]),
        ("M 0 0 W 0 0 100 100 50 0 100 50 N", [(0, 0), (50, 0), (100, 50)]),
        ("M 0 0 A 0 0 100 100 100 50 50 0 N", [(0, 0), (100, 50), (50, 0)]),
        ("M 0 0 V 0 0 100 100 50 0 100 50 N", [(0, 0), (50, 0), (100, 50)]),
    ],
)
def test_an_enhanced_path_leads_where_its_commands_say(path: str, expected: list[tuple[float, float]]) -> None:
    assert ends(form(custom(path, "width/2", "if(-1,7,$0/2)", more='draw:modifiers="25"'))) == expected


def test_arcs_around_a_point_go_clockwise_from_angle_to_angle() -> None:
    found = ends(form(custom("U 50 50 50 25 0 90 N")))
    assert (found[0], found[-1]) == ((100, 50), (50, 75))
    assert (
        ends(form(custom("U 50 50 50 50 0 360 N")))[0] == ends(form(custom("U 50 50 50 50 0 360 N")))[-1] == (100, 50)
    )


def test_a_point_of_stretching_keeps_the_corners_of_a_wide_shape_round() -> None:
    shape = element(
        custom(
            "M 10 0 L ?f0 0 100 10 N", "right-10", more='draw:path-stretchpoint-x="50" draw:path-stretchpoint-y="50"'
        )
    )
    found = forms.of(shape, 400.0, 100.0)
    assert isinstance(found, Drawn)
    assert ends(found) == [(10, 0), (390, 0), (400, 10)]


def test_paths_without_fill_or_line_and_mirrors_are_kept() -> None:
    found = form(custom("M 0 0 L 9 9 F N M 0 0 L 9 9 S N", more='draw:mirror-horizontal="true"'))
    assert [(each.fill, each.stroked) for each in found.outlines] == [("none", True), ("norm", False)]
    assert found.flips == ("flipH",)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<draw:polygon svg:viewBox="0 0 10 10" draw:points="0,0 10,0 5,10"/>', [(0, 0), (100, 0), (50, 100)]),
        ('<draw:polyline svg:viewBox="10 10 10 10" draw:points="10,10 20,20"/>', [(0, 0), (100, 100)]),
        ('<draw:path svg:viewBox="0 0 10 10" svg:d="m0 0h10v10z"/>', [(0, 0), (100, 0), (100, 100), (0, 0)]),
        ('<draw:regular-polygon draw:corners="4"/>', [(50, 0), (100, 50), (50, 100), (0, 50)]),
    ],
)
def test_paths_and_polygons_fill_their_box(markup: str, expected: list[tuple[float, float]]) -> None:
    assert ends(form(markup)) == expected


def test_a_sector_goes_anticlockwise_and_through_its_middle() -> None:
    shape = '<draw:ellipse draw:kind="{}" draw:start-angle="0" draw:end-angle="90"/>'
    assert ends(form(shape.format("section"))) == [(100, 50), (50, 0), (50, 50)]
    assert ends(form(shape.format("cut"))) == [(100, 50), (50, 0)]
    assert form(shape.format("arc")).outlines[0].fill == "none"


def test_a_turned_shape_is_where_its_transformation_says() -> None:
    turned = element(
        '<draw:rect svg:width="100pt" svg:height="50pt" draw:transform="rotate (1.5707963) translate (10pt 200pt)"/>'
    )
    found = places.of(turned)
    assert (found.x, found.y, found.wide, found.high, round(found.turned)) == (-300, 2500, 2000, 1000, -90)


def test_a_connector_bends_as_its_path_says_wherever_its_numbers_start() -> None:
    for start in ("M0 0", "M1000 1000"):
        line = element(f'<draw:connector svg:d="{start}h1000v2000h1000"/>')
        found = geometries.connector(line, (567.0, 567.0, 1701.0, 1701.0))
        assert found is not None
        assert [round(each) for each in found[1]] == [567, 567, 1134, 1134]
        assert len(found[0].outlines[0].steps) == 4


@pytest.mark.parametrize(
    "shape",
    [
        custom("M 0 ?f0 N", "?f1", "?f0"), custom("M 0 ?none N"), custom("M 0 N"), custom("M 0 0 0 N"), custom("oops"),
        custom("M 0 ?f0 N", "(" * 5_000), custom("M 0 ?f0 N", "1+" * 200_000 + "1"),
        custom("M 0 0 " + "L 1 1 " * 50_000), custom("M ?f0 0 L 1 1 N", "1.5 2"),
        '<draw:path svg:viewBox="0 0 1 1" svg:d="M0 0 L"/>', '<draw:path svg:d="M0 0 A1 1 0 0"/>',
        '<draw:path svg:viewBox="0 0 1 1" svg:d="x"/>', '<draw:polygon draw:points="1,2,3"/>',
        f'<draw:path svg:viewBox="0 0 1 1" svg:d="M0 0{"h1" * 30_000}"/>', custom("M 1e308 0 X -1e308 1e308 N"),
        '<draw:path svg:viewBox="0 0 1 1" svg:d="M0 0L1e999 1"/>', '<draw:polygon draw:points="1e300,2 3,4 5,6"/>',
        '<draw:polygon svg:viewBox="0 0 1e300 1" draw:points="1,2 3,4 5,6"/>',
    ],
)  # fmt: skip
def test_a_faulty_path_has_no_form(shape: str) -> None:
    assert forms.of(element(shape), 10.0, 10.0) is None


def test_formulas_that_name_each_other_again_and_again_are_calculated_once() -> None:
    texts = {"0": "1"} | {str(at): f"?{at - 1}+?{at - 1}" for at in range(1, 60)}
    assert Formulas(texts, (), {}).value("?59") == 2**59
    deep = {"0": "1"} | {str(at): f"?{at - 1}" for at in range(1, 500)}
    with pytest.raises(Faulty):
        Formulas(deep, (), {}).value("?499")
    assert list(commands("M 1 2 3 4")) == [("M", ("1", "2")), ("L", ("3", "4"))]


def page(body: str, styles: str, common: str = "", **more: bytes) -> bytes:
    return files.archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.presentation",
            "content.xml": f"<office:document-content {_SPACES}><office:automatic-styles>"
            f'<style:style style:name="a" style:family="graphic"><style:graphic-properties {styles}/></style:style>'
            f"</office:automatic-styles><office:body><office:presentation><draw:page>{body}</draw:page>"
            "</office:presentation></office:body></office:document-content>",
            "styles.xml": f"<office:document-styles {_SPACES}><office:styles>{common}</office:styles>"
            "</office:document-styles>",
            **{name.replace("__", "/"): data for name, data in more.items()},
        }
    )


def seen(folder: Path, data: bytes) -> tuple[Image.Image, list[str]]:
    """The first slide at 72 dpi, and the warnings."""
    source, target, warn = folder / "input.odp", folder / "output.pdf", Warn()
    source.write_bytes(data)
    pages.to_pdf(opening.as_pptx(source, folder, warn), target, PresentationOptions(), warn)
    shown: Image.Image = pypdfium2.PdfDocument(target)[0].render().to_pil().convert("RGB")
    return shown, [str(each.message) for each in warn.warnings]


def near(colour: object, expected: tuple[int, int, int]) -> bool:
    return isinstance(colour, tuple) and all(abs(a - b) < 12 for a, b in zip(colour, expected, strict=True))


@drawn
def test_a_shape_of_a_slide_is_drawn_along_its_own_path(tmp_path: Path) -> None:
    image, said = seen(tmp_path, page(custom("M 0 0 L 100 0 0 100 Z N"), _PLAIN))
    assert near(image.getpixel((70, 70)), _RED)
    assert near(image.getpixel((250, 250)), _WHITE)
    assert said == []


@drawn
def test_a_ring_has_a_hole(tmp_path: Path) -> None:
    image, _ = seen(tmp_path, page(custom("M 0 0 L 100 0 100 100 0 100 Z M 25 25 L 75 25 75 75 25 75 Z N"), _PLAIN))
    assert near(image.getpixel((30, 30)), _RED)
    assert near(image.getpixel((142, 142)), _WHITE)


_RECT = '<draw:rect draw:style-name="a" svg:x="0cm" svg:y="0cm" svg:width="10cm" svg:height="10cm"/>'


@drawn
def test_fills_of_slides_are_gradients_hatches_pictures_and_opacities(tmp_path: Path) -> None:
    named = (
        '<draw:gradient draw:name="g" draw:style="linear" draw:start-color="#ff0000" draw:end-color="#0000ff" '
        'draw:angle="0deg"/><draw:gradient draw:name="r" draw:style="radial" draw:cx="50%" draw:cy="50%" '
        'draw:start-color="#ff0000" draw:end-color="#0000ff"/><draw:hatch draw:name="h" draw:style="single" '
        'draw:color="#ff0000" draw:distance="0.2cm" draw:rotation="0"/>'
        '<draw:fill-image draw:name="p" xlink:href="Pictures/a.png"/>'
    )
    picture = files.png()

    def shown(style: str) -> Image.Image:
        image, said = seen(tmp_path, page(_RECT, f'{style} draw:stroke="none"', named, **{"Pictures__a.png": picture}))
        assert said == []
        return image

    linear = shown('draw:fill="gradient" draw:fill-gradient-name="g"')
    assert near(linear.getpixel((140, 3)), _RED)
    assert near(linear.getpixel((140, 280)), (0, 0, 255))
    radial = shown('draw:fill="gradient" draw:fill-gradient-name="r"')
    assert near(radial.getpixel((141, 141)), (0, 0, 255))
    hatched = shown('draw:fill="hatch" draw:fill-hatch-name="h"')
    column = [hatched.getpixel((140, y)) for y in range(10, 60)]
    assert len(set(column)) > 1
    assert len({hatched.getpixel((x, 12)) for x in range(10, 60)}) == 1
    faint = shown('draw:fill="solid" draw:fill-color="#ff0000" draw:opacity="40%"')
    assert near(faint.getpixel((140, 140)), (255, 153, 153))


@drawn
def test_a_fill_with_a_missing_picture_is_counted(tmp_path: Path) -> None:
    named = '<draw:fill-image draw:name="p" xlink:href="Pictures/none.png"/>'
    _, said = seen(tmp_path, page(_RECT, 'draw:fill="bitmap" draw:fill-image-name="p"', named))
    assert [each for each in said if each.startswith("Missing and damaged pictures")]


@drawn
def test_lines_of_slides_have_dashes_and_heads(tmp_path: Path) -> None:
    named = (
        '<draw:stroke-dash draw:name="d" draw:dots1="1" draw:dots1-length="1cm" draw:distance="1cm"/>'
        '<draw:marker draw:name="Arrow" svg:viewBox="0 0 20 30" svg:d="M10 0l-10 30h20z"/>'
    )
    style = 'draw:stroke="{}" draw:stroke-dash="d" svg:stroke-width="0.2cm" svg:stroke-color="#ff0000" {}'
    line = '<draw:line draw:style-name="a" svg:x1="1cm" svg:y1="3cm" svg:x2="11cm" svg:y2="3cm"/>'
    dashed, _ = seen(tmp_path, page(line, style.format("dash", ""), named))
    row = [near(dashed.getpixel((x, 85)), _RED) for x in range(30, 300)]
    assert 4 <= sum(a != b for a, b in pairwise(row)) / 2 <= 6
    headed, _ = seen(
        tmp_path, page(line, style.format("solid", 'draw:marker-end="Arrow" draw:marker-end-width="1cm"'), named)
    )
    tall = {x: sum(near(headed.getpixel((x, y)), _RED) for y in range(60, 110)) for x in (150, 275)}
    assert tall[275] > 2 * tall[150]


@drawn
def test_paths_in_texts_are_drawn_and_take_no_room(tmp_path: Path) -> None:
    style = f'<style:style style:name="a" style:family="graphic"><style:graphic-properties {_PLAIN}/></style:style>'
    shape = (
        '<draw:polygon draw:style-name="a" text:anchor-type="paragraph" svg:x="0cm" svg:y="0cm" svg:width="4cm" '
        'svg:height="4cm" svg:viewBox="0 0 4 4" draw:points="0,0 4,0 0,4"/>'
    )
    done = Convert(tmp_path, "odt-to-pdf", odt(f"<text:p>{shape}Text</text:p><text:p>More</text:p>", style))
    page_ = pypdfium2.PdfDocument(tmp_path / "output.pdf")[0]
    image = page_.render().to_pil().convert("RGB")
    reds = [
        (x, y)
        for x in range(0, image.width, 2)
        for y in range(0, image.height, 2)
        if near(image.getpixel((x, y)), _RED)
    ]
    assert 0.8 < len(reds) * 4 / (113.4**2 / 2) < 1.1
    assert not [each for each in done.messages if "Shapes" in each]


@drawn
def test_a_group_of_a_text_is_one_drawing_at_its_anchor(tmp_path: Path) -> None:
    style = f'<style:style style:name="a" style:family="graphic"><style:graphic-properties {_PLAIN}/></style:style>'
    box = '<draw:rect draw:style-name="a" svg:x="{}cm" svg:y="{}cm" svg:width="1cm" svg:height="1cm"/>'
    group = f'<draw:g text:anchor-type="paragraph">{box.format(1, 1)}<draw:g>{box.format(4, 2)}</draw:g></draw:g>'
    done = Convert(tmp_path, "odt-to-pdf", odt(f"<text:p>{group}Text</text:p>", style))
    image = pypdfium2.PdfDocument(tmp_path / "output.pdf")[0].render().to_pil().convert("RGB")
    reds = [(x, y) for x in range(image.width) for y in range(400) if near(image.getpixel((x, y)), _RED)]
    left, top = min(x for x, _ in reds), min(y for _, y in reds)
    right, bottom = max(x for x, _ in reds), max(y for _, y in reds)
    assert right - left == pytest.approx(113.4, abs=2)
    assert bottom - top == pytest.approx(56.7, abs=2)
    assert len(reds) == pytest.approx(2 * 28.35**2, rel=0.1)
    assert not [each for each in done.messages if "moved" in each]


def _as_pptx(folder: Path, data: bytes) -> etree._Element:
    source = folder / "input.odp"
    source.write_bytes(data)
    with zipfile.ZipFile(opening.as_pptx(source, folder, Warn())) as made:
        return etree.fromstring(made.read("ppt/slides/slide1.xml"))


_TEXT = (
    '<draw:frame draw:style-name="a" svg:x="0cm" svg:y="0cm" svg:width="9cm" svg:height="9cm"><draw:text-box>{}'
    "</draw:text-box></draw:frame>"
)


def test_white_space_of_slides_is_that_of_xml(tmp_path: Path) -> None:
    words = "<text:p>\n  One\n  <text:span> two\n</text:span>\n<text:s text:c='2'/> three </text:p>"
    found = _as_pptx(tmp_path, page(_TEXT.format(words), ""))
    assert "".join(each.text or "" for each in found.iter("{*}t")) == "One two    three "


def test_a_page_number_of_a_slide_is_a_field(tmp_path: Path) -> None:
    found = _as_pptx(tmp_path, page(_TEXT.format("<text:p><text:page-number>9</text:page-number></text:p>"), ""))
    assert [(each.get("type"), each.findtext("{*}t")) for each in found.iter("{*}fld")] == [("slidenum", "1")]


def test_paragraphs_of_slides_have_their_indents_and_spaces(tmp_path: Path) -> None:
    looks = (
        '<style:style style:name="P" style:family="paragraph"><style:paragraph-properties fo:margin-left="1in" '
        'fo:text-indent="-0.5in" fo:margin-top="10pt" fo:line-height="80%"/></style:style>'
        '<text:list-style style:name="L"><text:list-level-style-bullet text:level="1" text:bullet-char="x">'
        '<style:list-level-properties text:space-before="0.5in" text:min-label-width="0.25in"/><style:text-properties '
        'fo:color="#ff0000" fo:font-size="50%"/></text:list-level-style-bullet></text:list-style>'
    )
    words = (
        '<text:p text:style-name="P">one</text:p><text:list text:style-name="L"><text:list-item><text:p>two</text:p>'
        "</text:list-item></text:list>"
    )
    data = page(_TEXT.format(words), f'/></style:style>{looks}<style:style style:name="z"><style:graphic-properties ')
    one, two = [each.find("{*}pPr") for each in _as_pptx(tmp_path, data).iter("{*}p") if each.find("{*}r") is not None]
    assert (one.get("marL"), one.get("indent")) == ("914400", "-457200")
    assert (one.find("{*}lnSpc/{*}spcPct").get("val"), one.find("{*}spcBef/{*}spcPts").get("val")) == ("80000", "1000")
    assert (two.get("marL"), two.get("indent")) == ("685800", "-228600")
    assert (two.find("{*}buClr/{*}srgbClr").get("val"), two.find("{*}buSzPct").get("val")) == ("FF0000", "50000")


def test_cells_of_slides_have_the_style_of_their_template_and_their_own(tmp_path: Path) -> None:
    template = (
        '<style:style style:name="{}" style:family="table-cell"><style:graphic-properties draw:fill="solid" '
        'draw:fill-color="{}"/><style:paragraph-properties fo:border="1pt solid #00ff00"/></style:style>'
    )
    named = template.format("h", "#111111") + template.format("b", "#222222")
    named += '<table:table-template table:name="t"><table:first-row table:style-name="h"/>'
    named += '<table:body table:style-name="b"/></table:table-template>'
    row = "<table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row>"
    table = f'<table:table table:template-name="t" table:use-first-row-styles="true"><table:table-column/>{row * 2}'
    frame = f'<draw:frame svg:x="0cm" svg:y="0cm" svg:width="9cm" svg:height="9cm">{table}</table:table></draw:frame>'
    data = page(frame, "", named)
    found = _as_pptx(tmp_path, data)
    fills = [each.find("{*}solidFill/{*}srgbClr").get("val") for each in found.iter("{*}tcPr")]
    assert fills == ["111111", "222222"]
    assert {each.find("{*}lnL/{*}solidFill/{*}srgbClr").get("val") for each in found.iter("{*}tcPr")} == {"00FF00"}
