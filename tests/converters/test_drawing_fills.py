"""Patterns, pictures, round gradients, shadows and theme fills of drawn shapes, and the frames of pictures."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from engine.toolkit.shapes import patterns
from engine.toolkit.shapes.fills import Gradient, Pattern, Picture, Solid
from engine.toolkit.shapes.geometry import Form, Outline
from engine.toolkit.shapes.svg import Shadow, svg
from tests.converters.test_documents import Convert
from tests.converters.test_slides import deck, drawn_by_us
from tests.converters.test_word_looks import drawn
from tests.converters.test_word_on_page import at, box_of, near, section, vml
from tests.families.documents import files

_INCH = 914_400
_RED, _BLUE = (255, 0, 0), (0, 0, 255)
_PLACE = f'<a:xfrm><a:off x="{_INCH}" y="{_INCH}"/><a:ext cx="{2 * _INCH}" cy="{2 * _INCH}"/></a:xfrm>'


def colour(kind: str, value: str, more: str = "") -> str:
    return f'<a:{kind}><a:srgbClr val="{value}">{more}</a:srgbClr></a:{kind}>'


def shape(fill: str, *, form: str = "rect", style: str = "", more: str = "") -> str:
    """A shape of 2 by 2 inches, an inch from the corner."""
    head = '<p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr/></p:nvSpPr>'
    geometry = f'<a:prstGeom prst="{form}"/>'
    return f"<p:sp>{head}<p:spPr>{_PLACE}{geometry}{fill}{more}</p:spPr>{style}</p:sp>"


def seen(folder: Path, shapes: str, **parts: bytes) -> tuple[Image.Image, list[str]]:
    extra: dict[str, str | bytes] = {f"ppt/{name}": data for name, data in parts.items()}
    related = [(name, "image", f"../{name}") for name in parts]
    said = drawn_by_us(folder, deck(shapes, extra, *related), notes=False)
    shown: Image.Image = pypdfium2.PdfDocument(folder / "output.pdf")[0].render().to_pil().convert("RGB")
    return shown, said


def two_halves() -> bytes:
    """A picture whose left half is red and whose right half is blue."""
    made = Image.new("RGB", (20, 20), _RED)
    made.paste(_BLUE, (10, 0, 20, 20))
    held = io.BytesIO()
    made.save(held, "PNG")
    return held.getvalue()


def test_the_standard_has_fifty_four_patterns_and_two_of_them_are_the_same() -> None:
    assert len(patterns.NAMES) == 54
    assert len({patterns.path(each) for each in patterns.NAMES} - {patterns.path("cross")}) == 52
    assert patterns.path("cross") == patterns.path("lgGrid")


@pytest.mark.parametrize(
    ("name", "share"), [("pct5", 0.05), ("pct25", 0.25), ("pct50", 0.5), ("pct60", 0.6), ("pct90", 0.9)]
)
def test_a_pattern_covers_its_share(name: str, share: float) -> None:
    runs = [int(each.partition("v")[0]) for each in patterns.path(name).split("h")[1::2]]
    assert sum(runs) / 64 == pytest.approx(share, abs=0.07)


def test_only_what_css_can_draw_is_css() -> None:
    assert Solid("#ff0000").css() == "background-color:#ff0000;"
    assert (
        Gradient(((0, "#ff0000"), (100, "#0000ff")), 90).css()
        == "background:linear-gradient(90deg,#ff0000 0%,#0000ff 100%);"
    )
    undrawn = Gradient(((0, "#ff0000"), (100, "#0000ff")), middle=(0.5, 0.5)), Pattern("cross", "#000000", "#ffffff")
    assert [each.css() for each in (*undrawn, Picture("data:", (9, 9)), Picture("data:", opaque=0.5))] == [None] * 4


def test_a_blurred_shadow_of_a_long_path_has_a_sharp_edge() -> None:
    long = Form((Outline((("M", (0.0, 0.0)), *((("L", (1.0, 1.0)),) * 1_000))),), (0, 0, 9, 9))
    short = Form((Outline((("M", (0.0, 0.0)), ("L", (1.0, 1.0)))),), (0, 0, 9, 9))
    cast = Shadow("#000000", 1, 1, 9)
    counts = [svg(each, (9, 9), fill=Solid("#ff0000"), line=None, shadow=cast).count("<path") for each in (long, short)]
    assert counts == [2, 7]


@drawn
def test_a_pattern_is_drawn_in_its_two_colours(tmp_path: Path) -> None:
    fill = f'<a:pattFill prst="dkVert">{colour("fgClr", "FF0000")}{colour("bgClr", "0000FF")}</a:pattFill>'
    image, said = seen(tmp_path, shape(fill, form="ellipse"))
    inside = image.crop((110, 110, 180, 180)).resize((1, 1), Image.Resampling.BOX).getpixel((0, 0))
    assert isinstance(inside, tuple)
    assert all(abs(a - b) < 25 for a, b in zip(inside, (128, 0, 128), strict=True))
    assert image.getpixel((74, 74)) == (255, 255, 255)
    assert said == []


@drawn
def test_an_unknown_pattern_is_its_foreground(tmp_path: Path) -> None:
    fill = f'<a:pattFill prst="none">{colour("fgClr", "FF0000")}</a:pattFill>'
    assert seen(tmp_path, shape(fill))[0].getpixel((144, 144)) == _RED


@drawn
@pytest.mark.parametrize(
    ("how", "left", "right"),
    [("<a:stretch><a:fillRect/></a:stretch>", _RED, _BLUE), ('<a:tile sx="100000" sy="100000"/>', None, None)],
)
def test_a_picture_fills_a_shape_once_or_in_tiles(
    tmp_path: Path, how: str, left: tuple[int, int, int] | None, right: tuple[int, int, int] | None
) -> None:
    fill = f'<a:blipFill><a:blip r:embed="a.png"/>{how}</a:blipFill>'
    image, _ = seen(tmp_path, shape(fill, form="ellipse"), **{"a.png": two_halves()})
    row = [image.getpixel((x, 144)) for x in range(85, 205)]
    changes = sum(a != b for a, b in pairwise(row))
    if left:
        assert (row[10], row[-10]) == (left, right)
        assert changes < 12
    else:
        assert changes > 12


@drawn
def test_a_shadow_is_beside_its_shape_and_in_its_colour(tmp_path: Path) -> None:
    cast = '<a:effectLst><a:outerShdw dist="254000" dir="0"><a:srgbClr val="0000FF"/></a:outerShdw></a:effectLst>'
    image, said = seen(tmp_path, shape(colour("solidFill", "FF0000"), more=cast))
    assert image.getpixel((210, 144)) == _RED
    assert all(abs(a - b) < 8 for a, b in zip(image.getpixel((226, 144)), _BLUE, strict=True))  # type: ignore[arg-type]
    assert image.getpixel((240, 144)) == (255, 255, 255)
    assert said == []


@drawn
def test_a_picture_has_its_form_its_line_and_its_crop(tmp_path: Path) -> None:
    line = f'<a:ln w="76200">{colour("solidFill", "00FF00")}</a:ln>'
    head = '<p:nvPicPr><p:cNvPr id="1" name="x"/><p:nvPr/></p:nvPicPr>'
    fill = (
        '<p:blipFill><a:blip r:embed="a.png"/><a:srcRect l="50000"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>'
    )
    picture = f'<p:pic>{head}{fill}<p:spPr>{_PLACE}<a:prstGeom prst="ellipse"/>{line}</p:spPr></p:pic>'
    image, _ = seen(tmp_path, picture, **{"a.png": two_halves()})
    assert image.getpixel((76, 76)) == (255, 255, 255)
    assert image.getpixel((110, 144)) == _BLUE
    assert image.getpixel((72, 144)) == (0, 255, 0)


@drawn
def test_points_of_vml_are_joined(tmp_path: Path) -> None:
    lines = '<v:polyline style="{}" points="0,0,100pt,0,100pt,50pt" filled="f" strokecolor="red" strokeweight="2pt"/>'
    place = at(72, 72, 0, 0).replace("width:0pt;height:0pt;", "")
    done = Convert(tmp_path, "docx-to-pdf", files.word(vml(lines.format(place)) + section()))
    assert near(box_of(done, _RED), 72, 71, 173, 122)
    assert not [each for each in done.messages if "Shapes" in each]


@drawn
def test_shapes_in_the_names_of_strict_documents_are_drawn(tmp_path: Path) -> None:
    inside = (
        '<wp:wsp><wp:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1270000" cy="635000"/></a:xfrm>'
        '<a:prstGeom prst="rect"/><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></wp:spPr><wp:bodyPr/></wp:wsp>'
    )
    body = (
        f'<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="635000"/><a:graphic><a:graphicData uri="x">'
        f"{inside}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )
    done = Convert(tmp_path, "docx-to-pdf", files.word(body + section()))
    left, top, right, bottom = box_of(done, _RED)
    assert near((right - left, bottom - top), 100, 50)
    assert not [each for each in done.messages if "Shapes" in each or "no effect" in each]
