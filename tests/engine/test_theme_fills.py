"""Styles of a theme fill shapes and slides in the colour that refers to them, and pictures are recoloured."""

from __future__ import annotations

import base64
import io
from collections import Counter

import pytest
from lxml import etree
from PIL import Image

from engine.families.documents.word import recolouring
from engine.families.documents.word.paint import Palette, fill
from engine.families.documents.word.recolouring import Recolouring
from engine.families.documents.word.theme import Theme
from engine.toolkit.shapes.fills import Gradient, Picture, Solid
from engine.toolkit.shapes.lines import line_of
from engine.toolkit.warnings import Kind

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def element(inside: str, name: str = "spPr", **attributes: str) -> etree._Element:
    made = etree.fromstring(f'<{name} xmlns="{_A}">{inside}</{name}>')
    for key, value in attributes.items():
        made.set(key, value)
    return made


_PLACEHOLDER = '<schemeClr val="phClr"/>'
_THEME = element(
    '<clrScheme name=""><accent1><srgbClr val="336699"/></accent1></clrScheme>'
    f'<fmtScheme><fillStyleLst><solidFill>{_PLACEHOLDER}</solidFill><gradFill><gsLst><gs pos="0">{_PLACEHOLDER}</gs>'
    '<gs pos="100000"><schemeClr val="phClr"><alpha val="50000"/></schemeClr></gs></gsLst></gradFill></fillStyleLst>'
    f"<bgFillStyleLst><solidFill>{_PLACEHOLDER}</solidFill><blipFill><blip/></blipFill></bgFillStyleLst></fmtScheme>",
    "theme",
)


def palette() -> Palette:
    theme = Theme(_THEME)
    return Palette(theme.drawn, lambda *_: None, theme, lambda *_: "data:image/png;base64,")


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        ("0", None),
        ("1", Solid("#336699")),
        ("2", Gradient(((0.0, "#336699"), (100.0, "#33669980")))),
        ("3", Solid("#336699")),
        ("1000", None),
        ("1001", Solid("#336699")),
        ("1002", Picture("data:image/png;base64,")),
        ("-1", None),
        ("", None),
    ],
)
def test_a_style_of_the_theme_fills_in_the_colour_that_refers_to_it(index: str, expected: object) -> None:
    assert palette().fill(element('<schemeClr val="accent1"/>', "fillRef", idx=index)) == expected


def test_a_line_with_a_gradient_has_its_least_transparent_colour() -> None:
    stops = "".join(
        f'<gs pos="{at}"><srgbClr val="{colour}"><alpha val="{alpha}"/></srgbClr></gs>'
        for at, colour, alpha in ((0, "FF0000", 0), (50000, "00FF00", 100000), (100000, "0000FF", 50000))
    )
    found = line_of(element(f"<ln><gradFill><gsLst>{stops}</gsLst></gradFill></ln>"), None, Theme(None).drawn, ())
    assert found is not None
    assert found.colour == "#00ff00"


@pytest.mark.parametrize(("kind", "expected"), [("tint", "#bcbcbc"), ("shade", "#bcbcbc")])
def test_tints_and_shades_are_shares_of_light(kind: str, expected: str) -> None:
    colour = "000000" if kind == "tint" else "FFFFFF"
    inside = f'<srgbClr val="{colour}"><{kind} val="50000"/></srgbClr>'
    assert Theme(None).drawn(element(inside, "solidFill")) == expected


def picture(*colours: tuple[int, ...]) -> str:
    made = Image.new("RGBA" if len(colours[0]) == 4 else "RGB", (len(colours), 1))
    made.putdata(colours)
    out = io.BytesIO()
    made.save(out, "PNG")
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()


def pixels(uri: str) -> list[tuple[int, ...]]:
    with Image.open(io.BytesIO(base64.b64decode(uri.partition(",")[2]))) as made:
        return [tuple(map(int, each)) for each in made.convert("RGBA").get_flattened_data()]


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ('<duotone><srgbClr val="000080"/><srgbClr val="FFFF00"/></duotone>', [(0, 0, 128, 255), (255, 255, 0, 255)]),
        ("<grayscl/>", [(0, 0, 0, 255), (255, 255, 255, 255)]),
        ('<biLevel thresh="50000"/>', [(0, 0, 0, 255), (255, 255, 255, 255)]),
        ('<lum bright="70000" contrast="-70000"/>', [(255, 255, 255, 255)] * 2),
    ],
)
def test_a_picture_has_the_colours_that_it_declares(inside: str, expected: list[tuple[int, ...]]) -> None:
    found: Counter[Kind] = Counter()
    given = picture((0, 0, 0, 255), (255, 255, 255, 255), (0, 0, 0, 0))
    made = Recolouring(found).of(element(inside, "blip"), given, Theme(None).drawn)
    shown = pixels(made)
    if "lum" in inside:
        assert 220 <= shown[0][0] <= 255
        assert shown[1] == (255, 255, 255, 255)
    else:
        assert shown[:2] == expected
    assert shown[2][3] == 0
    assert not found


def test_pictures_beyond_the_limit_keep_their_colours_and_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recolouring, "MOST_PIXELS", 2)
    found: Counter[Kind] = Counter()
    made, given = Recolouring(found), picture((10, 20, 30), (40, 50, 60))
    blip = element("<grayscl/>", "blip")
    assert made.of(blip, given, Theme(None).drawn) != given
    assert made.of(blip, given, Theme(None).drawn) != given, "the same picture is recoloured once"
    other = picture((1, 2, 3))
    assert made.of(blip, other, Theme(None).drawn) == other
    assert found == {recolouring.KEPT: 1}


def test_damaged_pictures_stay_as_they_are() -> None:
    found: Counter[Kind] = Counter()
    given = "data:image/png;base64,iVBORw0KGgo="
    assert Recolouring(found).of(element("<grayscl/>", "blip"), given, Theme(None).drawn) == given


def test_fills_are_read_in_the_order_of_the_shape() -> None:
    found = fill(element('<solidFill><srgbClr val="112233"/></solidFill>'), Theme(None).drawn, lambda *_: None)
    assert found == Solid("#112233")


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ('<scrgbClr r="100000" g="0" b="50000"/>', "#ff00bc"),
        ('<hslClr hue="7200000" sat="100000" lum="50000"/>', "#00ff00"),
        ('<prstClr val="dkOliveGreen"/>', "#556b2f"),
        ('<prstClr val="medAquamarine"/>', "#66cdaa"),
        ('<prstClr val="dimGray"/>', "#696969"),
        ('<srgbClr val="FF0000"><hueOff val="7200000"/></srgbClr>', "#00ff00"),
        ('<srgbClr val="FF0000"><lumMod val="50000"/></srgbClr>', "#800000"),
        ('<srgbClr val="FF0000"><lum val="25000"/></srgbClr>', "#800000"),
        ('<srgbClr val="FF0000"><alpha val="50000"/><alphaMod val="50000"/></srgbClr>', "#ff000040"),
        ('<srgbClr val="FF0000"><comp/></srgbClr>', "#00ffff"),
        ('<srgbClr val="FFFFFF"><inv/></srgbClr>', "#000000"),
        ('<srgbClr val="00FF00"><gray/></srgbClr>', "#dcdcdc"),
        ('<srgbClr val="zzz"/>', None),
        ('<prstClr val="nothing"/>', None),
    ],
)
def test_colours_are_those_that_the_standard_describes(inside: str, expected: str | None) -> None:
    assert Theme(None).drawn(element(inside, "solidFill")) == expected


def test_drawings_keep_their_colours_and_are_counted() -> None:
    found: Counter[Kind] = Counter()
    given = "data:image/svg+xml;base64,PHN2Zy8+"
    assert Recolouring(found).of(element("<grayscl/>", "blip"), given, Theme(None).drawn) == given
    assert Recolouring(found).of(element("", "blip"), given, Theme(None).drawn) == given
    assert found == {recolouring.DRAWING: 1}
