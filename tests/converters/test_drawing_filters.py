"""Filters of drawings as browsers draw them: functions, and parts that the engine cuts short by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.converters.test_drawings import drawn
from tests.families.images.looks import near

SEAGREEN = (46, 139, 87)


@pytest.mark.parametrize(
    ("filters", "colour"),
    [
        ("brightness(2)", (92, 255, 174)),
        ("brightness(50%)", (23, 70, 44)),
        ("invert()", (209, 116, 168)),
        ("contrast(.5)", (87, 133, 107)),
        ("grayscale(1)", (115, 115, 115)),
        ("saturate(2)", (0, 162, 58)),
        ("sepia(100%)", (141, 126, 98)),
        ("hue-rotate(0.25turn)", (86, 117, 186)),
        ("hue-rotate(90deg)", (86, 117, 186)),
        ("invert(1) invert(1)", SEAGREEN),
        ("url(#no-blue) invert(1)", (209, 116, 255)),
        ("invert(1) drop-shadow(0 0 0 red)", (209, 116, 168)),
    ],
)
@pytest.mark.parametrize("place", ['filter="{}"', 'style="filter: {}"'])
def test_functions_change_colours_as_they_are_written(
    tmp_path: Path, filters: str, colour: tuple[int, int, int], place: str
) -> None:
    no_blue = (
        '<filter id="no-blue" color-interpolation-filters="sRGB">'
        '<feColorMatrix values="1 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 1 0"/></filter>'
    )
    shape = f'<rect width="20" height="20" fill="seagreen" {place.format(filters)}/>'
    seen, codes = drawn(tmp_path, f"{no_blue}{shape}".encode())
    assert near(seen.at(10, 10)[:3], colour, 2)
    assert codes == []


@pytest.mark.parametrize(
    "filters",
    ["hue-rotate(45)", "brightness(-1)", "blur(10%)", "drop-shadow(5% 5%)", "invert(1) invert(-1)", "unknown(1)"],
)
def test_a_list_of_filters_with_an_error_is_none(tmp_path: Path, filters: str) -> None:
    shape = f'<rect x="5" width="10" height="20" fill="seagreen" style="filter:{filters}"/>'
    seen, _ = drawn(tmp_path, shape.encode())
    assert near(seen.at(10, 10), (*SEAGREEN, 255), 0)
    assert seen.at(2, 10)[3] == 0


@pytest.mark.parametrize("radius", [4, 15, 30])
def test_shapes_grow_by_as_much_as_their_filter_says(tmp_path: Path, radius: int) -> None:
    grow = f'<filter id="f" x="-4" y="-4" width="9" height="9"><feMorphology operator="dilate" radius="{radius} 1"/>'
    shape = '</filter><rect x="45" y="45" width="10" height="10" filter="url(#f)"/>'
    seen, _ = drawn(tmp_path, f"{grow}{shape}".encode(), size=100)
    assert [seen.at(x, 50)[3] for x in (45 - radius - 2, 45 - radius + 1)] == [0, 255]
    assert [seen.at(50, y)[3] for y in (42, 57)] == [0, 0]


@pytest.mark.parametrize(
    "alpha",
    ['type="linear" slope="3"', 'type="linear" intercept="2"', 'type="gamma" amplitude="3" exponent="1"'],
)
def test_what_is_more_than_opaque_keeps_its_colour(tmp_path: Path, alpha: str) -> None:
    more = f'<filter id="f"><feComponentTransfer><feFuncA {alpha}/></feComponentTransfer></filter>'
    shape = '<rect width="20" height="20" fill="seagreen" filter="url(#f)"/>'
    seen, _ = drawn(tmp_path, f"{more}{shape}".encode())
    assert near(seen.at(10, 10), (*SEAGREEN, 255), 1)


def test_a_blur_is_cut_where_its_region_ends_and_not_blurred_there(tmp_path: Path) -> None:
    blur = '<filter id="f"><feGaussianBlur stdDeviation="3" x="0" y="0" width="50" height="100"/></filter>'
    seen, _ = drawn(tmp_path, f'{blur}<rect width="100" height="100" filter="url(#f)"/>'.encode(), size=100)
    assert [seen.at(x, 50)[3] for x in (47, 52)] == [255, 0]


def test_the_region_of_a_filter_ends_where_its_last_pixel_does(tmp_path: Path) -> None:
    flood = '<filter id="f"><feFlood/></filter><rect x="20" y="20" width="160" height="160" filter="url(#f)"/>'
    seen, _ = drawn(tmp_path, flood.encode(), size=300, head=b'viewBox="0 0 200 200"')
    assert [seen.at(x, 150)[3] for x in (5, 6, 293, 294)] == [0, 255, 255, 0]
