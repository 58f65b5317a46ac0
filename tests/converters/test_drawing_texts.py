"""Texts of drawings as browsers draw them: the lines they stand on, and the lines under, over and through them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.images.drawings.text_measurement import TextStyle, heights
from tests.converters.test_drawings import Drawn, drawn

SIZE = 100
ASCENT, DESCENT, SMALL = heights(TextStyle(size=SIZE))
DOWN = {
    "middle": SMALL / 2,
    "central": (ASCENT - DESCENT) / 2,
    "mathematical": ASCENT / 2,
    "hanging": ASCENT * 0.8,
    "text-before-edge": ASCENT,
    "text-after-edge": -DESCENT,
    "alphabetic": 0,
}


def bottom(seen: Drawn) -> int:
    """The last row with anything in it."""
    return max(y for y in range(seen.height) if any(seen.at(x, y)[3] > 99 for x in range(0, seen.width, 2)))


@pytest.mark.parametrize("baseline", DOWN)
@pytest.mark.parametrize(
    "text",
    [
        '<text y="100" dominant-baseline="{}">H</text>',
        '<g style="dominant-baseline: {}"><text y="100">H</text></g>',
        '<text y="100" style="alignment-baseline:{}">H</text>',
        '<text y="100"><tspan dominant-baseline="{}">H</tspan></text>',
        '<text y="90"><tspan baseline-shift="-10" alignment-baseline="{}">H</tspan></text>',
        '<text y="100" dominant-baseline="hanging"><tspan alignment-baseline="{}">H</tspan></text>',
    ],
)
def test_texts_stand_where_their_baseline_is(tmp_path: Path, text: str, baseline: str) -> None:
    written = f'<g font-size="{SIZE}">{text.format(baseline)}</g>'
    seen, codes = drawn(tmp_path, written.encode(), size=200)
    assert abs(bottom(seen) - (99 + DOWN[baseline])) <= 1.5
    assert codes == []


def test_the_fonts_heights_are_those_of_its_letters() -> None:
    assert 85 < ASCENT < 95
    assert 18 < DESCENT < 25
    assert 40 < SMALL < 50


@pytest.mark.parametrize("text", ["日本国", "Hlonk", "日Hl本"])
@pytest.mark.parametrize("place", ['text-anchor="{}"', 'style="text-anchor: {}"'])
def test_columns_are_centred_and_end_where_they_say(tmp_path: Path, text: str, place: str) -> None:
    rows = []
    for anchor in ("start", "middle", "end"):
        drawing = f'<text x="100" y="100" font-size="30" writing-mode="tb" {place.format(anchor)}> {text} </text>'
        seen, _ = drawn(tmp_path, drawing.encode(), size=200)
        ink = [y for y in range(200) if any(seen.at(x, y)[3] > 99 for x in range(80, 120))]
        rows.append((ink[0], ink[-1]))
    (top, low), middle, (high, end) = rows
    assert abs(sum(middle) / 2 - 100) <= 3
    assert abs((low - top) - (end - high)) <= 1
    assert top >= 99
    assert end <= 101


def ink(text: str, folder: Path) -> set[tuple[int, int]]:
    seen, codes = drawn(folder, text.encode(), size=120)
    assert codes == []
    return {(x, y) for x in range(120) for y in range(120) if seen.at(x, y)[3] > 99}


@pytest.mark.parametrize(
    ("styled", "plain"),
    [
        ('<text y="50" style="text-transform:uppercase">straße</text>', '<text y="50">STRASSE</text>'),
        ('<g text-transform="lowercase"><text y="50">ÄBC</text></g>', '<text y="50">äbc</text>'),
        ('<text y="50" text-transform="capitalize">ab-c d’e</text>', '<text y="50">Ab-C D’e</text>'),
        (
            '<text y="50" text-transform="uppercase">a<tspan text-transform="none">b</tspan>c</text>',
            '<text y="50">A<tspan>b</tspan>C</text>',
        ),
        ('<text y="50" word-spacing="20">a b</text>', '<text y="50">a <tspan dx="20">b</tspan></text>'),
        (
            '<text y="50"><tspan style="word-spacing:1em">a b</tspan></text>',
            '<text y="50">a <tspan dx="16">b</tspan></text>',
        ),
    ],
)
def test_capitals_and_spaces_between_words_are_those_of_the_style(tmp_path: Path, styled: str, plain: str) -> None:
    assert ink(styled, tmp_path) == ink(plain, tmp_path)


LINED = (
    '<text y="60" style="text-decoration:underline">x</text>',
    '<text y="60" style="text-decoration-line:underline">x</text>',
    '<text y="60" style="text-decoration:underline solid">x</text>',
    '<text y="60" style="text-decoration:underline;text-decoration-line:underline;text-decoration-color:#000">x</text>',
    '<text y="60" text-decoration="underline"><tspan>x</tspan></text>',
    '<text y="60" text-decoration="underline"><tspan style="text-decoration:none">x</tspan></text>',
    '<g text-decoration="underline"><text y="60">x</text></g>',
    '<text y="60" text-decoration="underline"><tspan text-decoration="line-through">x</tspan></text>',
)


@pytest.mark.parametrize("text", LINED)
def test_texts_have_the_lines_of_all_that_they_are_part_of(tmp_path: Path, text: str) -> None:
    plain, _ = drawn(tmp_path, b'<g font-size="60"><text y="60">x</text></g>', size=80)
    seen, codes = drawn(tmp_path, f'<g font-size="60">{text}</g>'.encode(), size=80)
    assert bottom(seen) > bottom(plain) + 3
    assert codes == []


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ('<text y="60" style="text-decoration:underline red">x</text>', ["CSS_UNSUPPORTED"]),
        ('<text y="60" style="text-decoration:underline;text-decoration-style:wavy">x</text>', ["CSS_UNSUPPORTED"]),
        ('<text y="60" text-decoration="underline"><tspan fill="red">x</tspan></text>', ["CSS_UNSUPPORTED"]),
        ('<text y="60" style="text-decoration:none;text-decoration-style:wavy">x</text>', []),
        ('<text y="60" text-decoration="underline" fill="red"><tspan>x</tspan></text>', []),
    ],
)
def test_lines_with_a_look_of_their_own_are_named(tmp_path: Path, text: str, codes: list[str]) -> None:
    assert drawn(tmp_path, text.encode(), size=80)[1] == codes


@pytest.mark.parametrize(
    "text",
    [
        '<text x="50" y="50"><tspan text-anchor="middle">HHHH</tspan></text>',
        '<text x="50" y="50" style="text-anchor:end"> <tspan style="text-anchor:middle">HH</tspan>HH</text>',
        '<text x="50" y="50"><tspan><tspan text-anchor="middle">HH</tspan></tspan>HH</text>',
        '<text x="50" y="50" text-anchor="middle"><tspan>HH</tspan><tspan text-anchor="end">HH</tspan></text>',
    ],
)
def test_texts_stand_where_their_first_letter_says(tmp_path: Path, text: str) -> None:
    seen, codes = drawn(tmp_path, text.encode(), size=100)
    columns = [x for x in range(100) if any(seen.at(x, y)[3] > 99 for y in range(100))]
    assert abs(columns[0] + columns[-1] - 99) <= 2
    assert codes == []


@pytest.mark.parametrize(
    "text",
    [
        '<text y="100" baseline-shift="20">H</text>',
        '<g baseline-shift="super"><text y="100">H</text></g>',
        '<g style="baseline-shift:20"><text y="100" style="baseline-shift:-20">H</text></g>',
    ],
)
def test_only_parts_of_texts_are_raised(tmp_path: Path, text: str) -> None:
    seen, _ = drawn(tmp_path, f'<g font-size="80">{text}</g>'.encode(), size=120)
    assert abs(bottom(seen) - 99) <= 1


@pytest.mark.parametrize("size", ['font-size="5em"', 'style="font-size:500%"', "", 'font-size="80"'])
def test_fonts_of_the_root_are_multiples_of_the_usual_size(tmp_path: Path, size: str) -> None:
    seen, _ = drawn(tmp_path, b'<rect width="1em" height="9" fill="green"/>', size=100, head=size.encode())
    side = 80 if size else 16
    assert [seen.at(x, 5)[3] for x in (side - 2, side + 1)] == [255, 0]


HALVES = '<stop offset=".5" stop-color="red"/><stop offset=".5" stop-color="blue"/>'
DOWNWARDS = f'<linearGradient id="a" x2="0" y2="100%">{HALVES}</linearGradient>'


@pytest.mark.parametrize(
    "text",
    [
        '<text y="100" fill="url(#a)">{}</text>',
        '<g style="fill:url(#a)"><text><tspan y="100">{}</tspan></text></g>',
        '<text y="100"><tspan fill="url(#a) green">{}</tspan></text>',
        '<linearGradient id="b" href="#a"/><text y="90" transform="translate(0 10)" fill="url(#b)">{}</text>',
    ],
)
@pytest.mark.parametrize("letters", ["H", "x", "gx"])
def test_gradients_run_over_the_whole_height_of_lines(tmp_path: Path, text: str, letters: str) -> None:
    written = f'{DOWNWARDS}<g font-size="{SIZE}">{text.format(letters)}</g>'
    seen, codes = drawn(tmp_path, written.encode(), size=150)
    ink = [(y, pixel) for y in range(150) for x in range(150) if (pixel := seen.at(x, y))[3] == 255]
    change = 100 + (DESCENT - ASCENT) / 2
    assert all(pixel[0] > pixel[2] for y, pixel in ink if y < change - 1)
    assert all(pixel[0] < pixel[2] for y, pixel in ink if y > change + 1)
    assert ink
    assert codes == []


@pytest.mark.parametrize("places", ['x="0 60 120"', 'textLength="170"', 'word-spacing="9" x="0"'])
def test_gradients_run_over_all_letters_that_have_their_own_places(tmp_path: Path, places: str) -> None:
    gradient = f'<linearGradient id="a">{HALVES}</linearGradient>'
    text = f'<text y="100" fill="url(#a)" {places}>H HH</text>'
    seen, _ = drawn(tmp_path, f'{gradient}<g font-size="60">{text}</g>'.encode(), size=200)
    columns = {x: seen.at(x, 80) for x in range(200) if seen.at(x, 80)[3] == 255}
    reds = [x for x, pixel in columns.items() if pixel[0] > pixel[2]]
    blues = [x for x, pixel in columns.items() if pixel[0] < pixel[2]]
    assert max(reds) < min(blues)


@pytest.mark.parametrize("place", ['filter="url(#f)"', 'style="filter:url(#f)"'])
@pytest.mark.parametrize("letters", ["H", "x", '<tspan x="0 60">xx</tspan>'])
def test_filters_reach_as_far_as_the_lines_of_texts(tmp_path: Path, place: str, letters: str) -> None:
    flood = '<filter id="f" y="-20%" height="140%"><feFlood/></filter>'
    written = f'{flood}<text y="150" font-size="{SIZE}" {place}>{letters}</text>'
    seen, codes = drawn(tmp_path, written.encode(), size=250)
    rows = [y for y in range(250) if seen.at(20, y)[3] == 255]
    beyond = 0.2 * (ASCENT + DESCENT)
    assert abs(rows[0] - (150 - ASCENT - beyond)) <= 1.5
    assert abs(rows[-1] - (149 + DESCENT + beyond)) <= 1.5
    assert codes == []
