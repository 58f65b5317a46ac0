"""Shapes of DrawingML have the forms of the standard, at any size and within bounds."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from lxml import etree

from engine.families.documents.word.paint import Palette, paint
from engine.families.documents.word.theme import Theme
from engine.toolkit.shapes import geometry
from engine.toolkit.shapes.custom import form_of
from engine.toolkit.shapes.fills import Solid
from engine.toolkit.shapes.geometry import Form, Outline
from engine.toolkit.shapes.groups import Box, Room
from engine.toolkit.shapes.lines import Line, dashes_of, heads, heads_of
from engine.toolkit.shapes.presets import names

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def element(inside: str, name: str = "spPr") -> etree._Element:
    return etree.fromstring(f'<{name} xmlns="{_A}">{inside}</{name}>')


def preset(name: str, width: float = 100, height: float = 100, **adjusted: int) -> Form:
    guides = "".join(f'<gd name="{key}" fmla="val {value}"/>' for key, value in adjusted.items())
    found = form_of(element(f'<prstGeom prst="{name}"><avLst>{guides}</avLst></prstGeom>'), width, height)
    assert found is not None
    return found


def corners(outline: Outline) -> list[tuple[float, float]]:
    """The points of a path, curves as many straight lines."""
    found: list[tuple[float, float]] = []
    for kind, points in outline.steps:
        if kind == "C":
            (x, y), (a, b, c, d, e, f) = found[-1], points
            for at in range(1, 21):
                t = at / 20
                share = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                found.append(
                    (
                        x * share[0] + a * share[1] + c * share[2] + e * share[3],
                        y * share[0] + b * share[1] + d * share[2] + f * share[3],
                    )
                )
        elif kind in "ML":
            found.append((points[0], points[1]))
    return found


def area(outline: Outline) -> float:
    points = corners(outline)
    return abs(sum(x * d - y * c for (x, y), (c, d) in pairwise([*points, points[0]]))) / 2


def test_the_table_has_every_preset_shape_of_the_standard() -> None:
    assert len(names()) == 187
    for name in names():
        for size in ((100, 100), (300, 40), (7, 500)):
            found = preset(name, *size)
            left, top, right, bottom = found.room
            assert found.outlines
            assert min(right - left, bottom - top) > 0, name


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("rect", 1.0), ("ellipse", math.pi / 4), ("triangle", 0.5), ("diamond", 0.5), ("pie", math.pi * 3 / 16),
        ("parallelogram", 0.75), ("trapezoid", 0.75), ("octagon", 0.8284), ("plus", 0.75), ("rightArrow", 0.5),
        ("roundRect", 1 - (4 - math.pi) * 0.16667**2),
    ],
)  # fmt: skip
def test_a_preset_shape_covers_its_share_of_the_box(name: str, share: float) -> None:
    assert area(preset(name).outlines[0]) / 10_000 == pytest.approx(share, abs=0.003)


def test_an_adjustment_changes_the_form() -> None:
    assert area(preset("roundRect", adj=50_000).outlines[0]) / 10_000 == pytest.approx(math.pi / 4, abs=0.003)
    tail = corners(preset("wedgeRectCallout", adj1=100_000, adj2=0).outlines[0])
    assert max(x for x, _ in tail) == pytest.approx(150, abs=0.1)


def test_an_arc_goes_to_the_point_seen_at_its_angle() -> None:
    x, y = corners(preset("arc", 200, 100, adj1=0, adj2=2_700_000).outlines[-1])[-1]
    assert math.degrees(math.atan2(y - 50, x - 100)) == pytest.approx(45, abs=0.01)
    assert ((x - 100) / 100) ** 2 + ((y - 50) / 50) ** 2 == pytest.approx(1, abs=0.001)


def test_a_form_is_turned_over_with_its_room() -> None:
    plain = preset("rtTriangle")
    over = form_of(element('<prstGeom prst="rtTriangle"/>'), 100, 100, flipped=(True, False))
    assert over is not None
    assert {(100 - round(x), round(y)) for x, y in corners(plain.outlines[0])} == {
        (round(x), round(y)) for x, y in corners(over.outlines[0])
    }
    assert over.room[0] == pytest.approx(100 - plain.room[2])


_OWN = (
    '<custGeom><avLst/><gdLst><gd name="half" fmla="*/ w 1 2"/></gdLst><rect l="l" t="t" r="half" b="b"/><pathLst>'
    '<path w="{0}" h="{0}"><moveTo><pt x="0" y="0"/></moveTo><lnTo><pt x="{0}" y="0"/></lnTo>'
    '<lnTo><pt x="{0}" y="{0}"/></lnTo>{1}<close/></path></pathLst></custGeom>'
)


def test_a_custom_geometry_has_guides_and_a_scale_of_its_own() -> None:
    found = form_of(element(_OWN.format(1000, "")), 80, 40)
    assert found is not None
    assert corners(found.outlines[0]) == [(0, 0), (80, 0), (80, 40)]
    assert found.room == (0, 0, 40, 40)


@pytest.mark.parametrize(
    "inside",
    [
        '<prstGeom prst="noShape"/>',
        _OWN.format(10, '<lnTo><pt x="missing" y="0"/></lnTo>'),
        _OWN.format(10, "<lnTo/>"),
        _OWN.format(10, "<jumpTo/>"),
        _OWN.format(10, '<lnTo><pt x="1" y="1"/></lnTo>' * (geometry.MOST + 1)),
        _OWN.format(10, "").replace("*/ w 1 2", "eval w"),
        _OWN.format(10, "").replace("</gdLst>", '<gd name="x" fmla="val 1"/>' * 6_000 + "</gdLst>"),
        "",
    ],
)
def test_a_faulty_geometry_has_no_form(inside: str) -> None:
    assert form_of(element(inside), 100, 100) is None


@pytest.mark.parametrize("formula", ["*/ w w 0", "sqrt -4", "*/ 9e307 9e307 1", "tan 1 5400000", "val 1e999"])
def test_a_formula_without_a_value_gives_a_place_on_the_page(formula: str) -> None:
    found = form_of(element(_OWN.format(10, "").replace("*/ w 1 2", formula)), 100, 100)
    assert found is not None
    assert all(abs(each) <= 100_000 for outline in found.outlines for _, points in outline.steps for each in points)


def test_lines_have_dashes_and_heads_of_their_kind() -> None:
    edge = element('<prstDash val="lgDashDot"/><headEnd type="oval"/><tailEnd type="arrow" w="lg" len="sm"/>', "ln")
    line = Line("#112233", 2.0, dashes_of(edge), *heads_of(edge))
    first, last = heads(line, preset("line").outlines[0])
    assert line.attributes() == ' stroke="#112233" stroke-width="2.00" stroke-dasharray="16.00 6.00 2.00 6.00"'
    assert (first.stroked, last.stroked) == (False, True)
    assert corners(last)[1] == (100, 100)
    assert list(heads(line, preset("ellipse").outlines[0])) == []


def test_dashes_of_their_own_are_shares_of_the_width() -> None:
    assert dashes_of(element('<custDash><ds d="300000" sp="100000"/></custDash>', "ln")) == (3.0, 1.0)


def test_a_member_of_a_turned_group_is_where_the_group_puts_it() -> None:
    group = element(
        '<grpSpPr><xfrm rot="5400000"><off x="0" y="0"/><ext cx="2540000" cy="1270000"/><chOff x="0" y="0"/>'
        '<chExt cx="1270000" cy="635000"/></xfrm></grpSpPr>',
        "grpSp",
    )
    place = element('<off x="0" y="0"/><ext cx="635000" cy="635000"/>', "xfrm")
    found = Room().within(group).box(place)
    assert found == Box(pytest.approx(50), pytest.approx(-50), 100, 100, 90)


@pytest.mark.parametrize("radius", ["1e308", "-1e308"])
def test_an_arc_beyond_all_numbers_has_no_form(radius: str) -> None:
    arc = f'<moveTo><pt x="0" y="0"/></moveTo><arcTo wR="{radius}" hR="1e308" stAng="0" swAng="5400000"/>'
    path = f'<custGeom><pathLst><path w="1" h="1">{arc}</path></pathLst></custGeom>'
    assert form_of(element(path), 100, 100) is None


def test_room_for_text_is_within_reach() -> None:
    path = '<pathLst><path><moveTo><pt x="0" y="0"/></moveTo><lnTo><pt x="r" y="b"/></lnTo></path></pathLst>'
    found = form_of(element(f'<custGeom><rect l="-1e300" t="0" r="1e308" b="1e308"/>{path}</custGeom>'), 100, 100)
    assert found is not None
    assert all(abs(edge) <= 100_000 for edge in found.room)


@pytest.mark.parametrize(("own", "index", "expected"), [("", "1", "#123456"), ("", "0", ""), ("<noFill/>", "1", "")])
def test_the_style_of_a_shape_goes_before_the_fill_of_its_placeholder(own: str, index: str, expected: str) -> None:
    style = element(f'<fillRef idx="{index}"/>', "style")
    found = paint(
        (element(own), element("<noFill/>")), style,
        Palette(
            lambda each, placeholder=None: "#123456" if each is not None else None, lambda *_: None,
            Theme(None), lambda *_: None,
        ),
    )  # fmt: skip
    assert found.fill == (Solid(expected) if expected else None)
