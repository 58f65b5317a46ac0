"""Drawings as browsers draw them: styles, languages, units, scripts and what is embedded in them."""

from __future__ import annotations

import base64
import gzip
import io
from pathlib import Path

import pytest
from PIL import Image

from engine.families.images import svg
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.conftest import Person
from tests.converters.test_images import convert
from tests.families.images import files as pictures
from tests.families.images.looks import look, near

GREEN, RED = (0, 128, 0), (255, 0, 0)
RECT = b'<rect width="20" height="20"/>'


class Drawn:
    """The pixels of a drawing."""

    def __init__(self, data: bytes) -> None:
        with Image.open(io.BytesIO(data)) as image:
            self.width, self.height = image.size
            self._pixels = image.convert("RGBA").tobytes()

    def at(self, x: int, y: int) -> tuple[int, ...]:
        start = 4 * (y * self.width + x)
        return tuple(self._pixels[start : start + 4])


def drawn(folder: Path, inside: bytes, *, size: int = 20, head: bytes = b"") -> tuple[Drawn, list[str]]:
    source = pictures.SVG_HEAD + b'width="%d" height="%d" %s>%s</svg>' % (size, size, head, inside)
    result, codes = convert(folder, "svg-to-png", source)
    return Drawn(result), codes


STYLES = {
    "a custom property of the root": b"<style>:root{--c:green}rect{fill:var(--c,red)}</style>" + RECT,
    "one that an element between has another value for":
        b'<style>:root{--c:red}g{--c:green}rect{fill:var(--c)}</style><g>' + RECT + b"</g>",
    "one made of another": b"<style>:root{--a:green;--c:var(--a)}rect{fill:var(--c)}</style>" + RECT,
    "the fallback of one that is not there": b'<rect width="20" height="20" style="fill:var(--no,green)"/>',
    "one in an attribute": b'<style>:root{--c:green}</style><rect width="20" height="20" fill="var(--c)"/>',
    "a nested rule": b'<style>g{fill:red;&amp; rect{fill:green}}</style><g>' + RECT + b"</g>",
    "a choice of selectors": b'<style>g:is(.a,.b) rect{fill:green}</style><g class="b">' + RECT + b"</g>",
    "weight before order": b"<style>rect{fill:green!important}rect{fill:red}</style>" + RECT,
    "the style of the element before the sheet":
        b'<style>rect{fill:red}</style><rect width="20" height="20" style="fill:green"/>',
    "a media query for a bright screen":
        b"<style>rect{fill:red}@media screen and (prefers-color-scheme: light){rect{fill:green}}"
        b"@media (prefers-color-scheme: dark){rect{fill:red}}@media print{rect{fill:red}}</style>" + RECT,
    "a media query for the width": b"<style>rect{fill:red}@media (max-width: 30px){rect{fill:green}}</style>" + RECT,
    "oklch() in a sheet": b"<style>rect{fill:oklch(0.52 0.177 142.5)}</style>" + RECT,
    "oklch() in an attribute": b'<rect width="20" height="20" fill="oklch(0.52 0.177 142.5)"/>',
    "color-mix()": b'<rect width="20" height="20" fill="color-mix(in srgb, green, green)"/>',
    "a sheet that is no CSS": b'<style type="text/x">rect{fill:red}</style><g fill="green">' + RECT + b"</g>",
}  # fmt: skip


@pytest.mark.parametrize("name", STYLES)
def test_styles_are_those_of_browsers(tmp_path: Path, name: str) -> None:
    seen, codes = drawn(tmp_path, STYLES[name])
    assert near(seen.at(10, 10)[:3], GREEN, 4)
    assert codes == []


@pytest.mark.parametrize(
    ("style", "code"),
    [
        (b"rect{fill:var(--no)}", "CSS_UNSUPPORTED"),
        (b"rect{--a:var(--b);--b:var(--a);fill:var(--a)}", "CSS_UNSUPPORTED"),
        (b"rect:no-such{fill:red}", "CSS_UNSUPPORTED"),
        (b"rect{animation:a 1s}@keyframes a{to{fill:red}}", "ANIMATION_DROPPED"),
        (b"@font-face{font-family:A;src:url(data:font/woff2;base64,AAAA)}", "FONT_SUBSTITUTED"),
    ],
)
def test_styles_that_have_no_effect_are_named_once(tmp_path: Path, style: bytes, code: str) -> None:
    _, codes = drawn(tmp_path, b"<style>" + style + b"</style>" + RECT + RECT)
    assert [each for each in codes if each != "CONTENT_DROPPED"] == [code]


LIT = b'<feDiffuseLighting diffuseConstant="%b">%b</feDiffuseLighting>'
LIGHT = b"<feDistantLight/>"


@pytest.mark.parametrize(
    ("part", "shape", "message"),
    [
        (b'<feConvolveMatrix kernelMatrix="1 2 3"/>', b"", "feConvolveMatrix kernelMatrix"),
        (b'<feConvolveMatrix order="0"/>', b"", "feConvolveMatrix order"),
        (b'<feConvolveMatrix order="1" kernelMatrix="1" divisor="0"/>', b"", "feConvolveMatrix divisor"),
        (b'<feConvolveMatrix order="1" kernelMatrix="1" targetX="1"/>', b"", "feConvolveMatrix targetX"),
        (LIT % (b"1", LIGHT * 2), b"", "feDiffuseLighting light source"),
        (LIT % (b"-1", LIGHT), b"", "feDiffuseLighting diffuseConstant"),
        (b'<feSpecularLighting specularExponent="0">' + LIGHT + b"</feSpecularLighting>", b"", "specularExponent"),
        (b'<feFlood width="-1"/>', b"", "feFlood width"),
        (b"<feFlood/>", b' transform="rotate(5)"', "rotated or skewed"),
        (b"<feFlood/>", b"", ""),
        (LIT % (b"1", LIGHT), b' transform="translate(1)"', ""),
        (b'<feConvolveMatrix order="1 3" kernelMatrix="1,2-3" divisor="2"/>', b"", ""),
    ],
)
def test_filters_that_are_drawn_otherwise_are_named(tmp_path: Path, part: bytes, shape: bytes, message: str) -> None:
    body = b'<filter id="f">' + part + b"</filter><g" + shape + b'><rect width="9" height="9" filter="url(#f)"/></g>'
    source = pictures.SVG_HEAD + b'width="20" height="20">' + body + b"</svg>"
    assert message in " ".join(messages(tmp_path, source))
    assert len(messages(tmp_path, source)) == bool(message)


@pytest.mark.parametrize(("shape", "count"), [("circle", 1), ("rect", 1), ("path", 0), ("line", 0)])
def test_markers_on_shapes_that_get_none_are_named(tmp_path: Path, shape: str, count: int) -> None:
    body = f'<marker id="m"/><g marker-end="url(#m)"><{shape}/><{shape} marker-end="none"/></g></svg>'
    source = pictures.SVG_HEAD + b'width="20" height="20">' + body.encode()
    assert len(messages(tmp_path, source)) == count


@pytest.mark.parametrize(
    ("style", "named"),
    [
        ('font-family="Noto Sans"', "Noto Sans"),
        ('font-family="Inter, sans-serif"', "Inter"),
        ("style=\"font: italic 12px 'My Own', serif\"", "My Own"),
        ('font-family="Arial"', ""),
        ("font-family=\"'Times New Roman', Georgia\"", ""),
        ('font-family="Liberation Mono"', ""),
        ('font-family="ui-monospace, Menlo"', ""),
        ('font-family="inherit"', ""),
        ("", ""),
    ],
)
def test_fonts_of_texts_that_are_not_there_are_named(tmp_path: Path, style: str, named: str) -> None:
    body = f'<g {style}><rect font-family="Unused"/><text y="9">A<tspan>B</tspan></text><text y="19">C</text></g></svg>'
    found = messages(tmp_path, pictures.SVG_HEAD + b'width="20" height="20">' + body.encode())
    assert len(found) == bool(named)
    assert all(f": 3 (“{named}”" in each for each in found)


def messages(folder: Path, source: bytes) -> list[str]:
    converter, warn = CONVERTERS["svg-to-png"], Warn()
    path = folder / "input.svg"
    path.write_bytes(source)
    converter.run(path, folder / "output.png", build(converter.options, {}), warn)
    return [each.message for each in warn.warnings]


def test_a_custom_property_that_doubles_itself_is_bounded(tmp_path: Path) -> None:
    doubling = b"".join(b"--a%d:var(--a%d) var(--a%d);" % (each, each - 1, each - 1) for each in range(1, 18))
    _, codes = drawn(
        tmp_path, b"<style>rect{--a0:" + b"green " * 100 + b";" + doubling + b"fill:var(--a17)}</style>" + RECT
    )
    assert codes == ["CSS_UNSUPPORTED"]


@pytest.mark.parametrize(("length", "pixels"), [("1in", 96), ("25.4mm", 96), ("72pt", 96), ("6pc", 96), ("96px", 96)])
def test_a_unit_is_as_many_pixels_as_in_css(tmp_path: Path, length: str, pixels: int) -> None:
    source = pictures.SVG_HEAD + f'width="{length}" height="50"><rect width="{length}" height="50"/></svg>'.encode()
    seen = Drawn(convert(tmp_path, "svg-to-png", source)[0])
    assert (seen.width, seen.height) == (pixels, 50)
    seen, _ = drawn(tmp_path, f'<rect width="{length}" height="9"/>'.encode(), size=120)
    assert [seen.at(x, 4)[3] for x in (pixels - 2, pixels + 2)] == [255, 0]


SWITCHES = {
    "the language of the service":
        b'<switch><rect systemLanguage="de" width="20" height="20" fill="red"/>'
        b'<rect systemLanguage="fr, en-GB" width="20" height="20" fill="green"/>'
        b'<rect width="20" height="20" fill="red"/></switch>',
    "no language of them":
        b'<switch><rect systemLanguage="de" width="20" height="20" fill="red"/>'
        b'<rect width="20" height="20" fill="green"/></switch>',
    "an extension":
        b'<switch><g requiredExtensions="http://a.example/"><rect width="20" height="20" fill="red"/></g>'
        b'<rect width="20" height="20" fill="green"/></switch>',
    "a language outside a switch":
        b'<rect width="20" height="20" fill="green"/><rect systemLanguage="de" width="20" height="20" fill="red"/>',
    "a language on what is only referred to":
        b'<defs systemLanguage="de">'
        b'<linearGradient id="a" systemLanguage="de"><stop stop-color="green"/></linearGradient>'
        b'<clipPath id="b" systemLanguage="de"><rect width="20" height="20"/></clipPath></defs>'
        b'<rect width="20" height="20" fill="red"/>'
        b'<rect width="20" height="20" fill="url(#a)" clip-path="url(#b)"/>',
    "what is used out of a part that is not there":
        b'<g systemLanguage="de"><rect id="a" width="20" height="20" fill="green"/></g>'
        b'<rect width="20" height="20" fill="red"/><use href="#a"/>',
    "what is used out of another choice":
        b'<switch><g><rect width="20" height="20" fill="url(#a)"/></g>'
        b'<g fill="red"><linearGradient id="a"><stop stop-color="green"/></linearGradient>'
        b'<rect width="20" height="20"/></g></switch>',
}  # fmt: skip


@pytest.mark.parametrize("name", SWITCHES)
def test_what_is_there_under_a_condition_is_chosen(tmp_path: Path, name: str) -> None:
    seen, codes = drawn(tmp_path, SWITCHES[name])
    assert near(seen.at(10, 10)[:3], GREEN, 0)
    assert codes == []


def test_the_drawing_that_stands_in_for_foreign_content_is_drawn(tmp_path: Path) -> None:
    foreign = b'<foreignObject width="20" height="20"><p xmlns="http://www.w3.org/1999/xhtml">A</p></foreignObject>'
    seen, codes = drawn(tmp_path, b"<switch>" + foreign + b'<rect width="20" height="20" fill="green"/></switch>')
    assert near(seen.at(10, 10)[:3], GREEN, 0)
    assert codes == ["CONTENT_DROPPED"]


@pytest.mark.parametrize("format", ["png", "jpg", "gif", "webp", "avif", "bmp"])
def test_pictures_inside_a_drawing_are_drawn(tmp_path: Path, format: str) -> None:
    address = b"data:image/%s;base64,\n%s" % (format.encode(), base64.encodebytes(pictures.photo(format)))
    inside = b'<image width="64" height="48" xlink:href="' + address + b'"/>'
    seen, codes = drawn(tmp_path, inside, size=64)
    for (x, y), colour in pictures.CORNERS.items():
        assert near(seen.at(x, y)[:3], colour, 60 if format == "gif" else 24)
    assert codes == []


def test_pictures_inside_a_drawing_stand_upright(tmp_path: Path) -> None:
    address = b"data:image/jpeg;base64," + base64.b64encode(pictures.sideways(6))
    seen, _ = drawn(tmp_path, b'<image width="64" height="48" href="' + address + b'"/>', size=64)
    assert all(near(seen.at(x, y)[:3], colour, 24) for (x, y), colour in pictures.CORNERS.items())


def test_what_is_not_drawn_is_named_once_for_each_kind(tmp_path: Path) -> None:
    outside = b"".join(b'<image href="http://a.example/%d.png"/>' % each for each in range(9))
    broken = b"".join(b'<image href="data:image/png;base64,AAA%d"/>' % each for each in range(9))
    assert sorted(drawn(tmp_path, outside + broken)[1]) == ["CONTENT_DROPPED", "REMOTE_RESOURCE_BLOCKED"]


def _ink(seen: Drawn) -> set[tuple[int, int]]:
    return {(x, y) for x in range(seen.width) for y in range(seen.height) if seen.at(x, y)[3] > 99}


@pytest.mark.parametrize("pair", ["日本", "한글", "ไท", "हद", "அஆ", "אב", "قم"])
def test_letters_of_every_script_have_their_own_shape(tmp_path: Path, pair: str) -> None:
    shapes = [
        _ink(drawn(tmp_path, f'<text x="2" y="30" font-size="24">{each}</text>'.encode(), size=40)[0])
        for each in (*pair, "\U0001058a")
    ]
    assert all(shapes[:2])
    assert len({frozenset(each) for each in shapes}) == 3  # the last one is a box: no font has it


def test_the_colour_of_the_root_is_behind_the_drawing(tmp_path: Path) -> None:
    head = b'viewBox="0 0 10 20" style="background: green"'
    seen, codes = drawn(tmp_path, b'<rect width="10" height="10" fill="red"/>', head=head)
    assert [near(seen.at(*at)[:3], colour, 0) for at, colour in (((2, 2), GREEN), ((10, 5), RED), ((17, 17), GREEN))]
    assert near(seen.at(1, 1)[:3], GREEN, 0)
    assert codes == []


@pytest.mark.parametrize(
    "turned",
    [
        b'transform="rotate(90)" transform-origin="10 10"',
        b'style="transform:rotate(90deg);transform-origin:center"',
        b'style="transform:rotate(90deg);transform-origin:50% 50%;transform-box:view-box"',
    ],
)
def test_a_transform_turns_around_its_origin(tmp_path: Path, turned: bytes) -> None:
    seen, _ = drawn(tmp_path, b'<rect x="10" width="10" height="10" fill="green" ' + turned + b"/>")
    assert near(seen.at(15, 15), (*GREEN, 255), 0)
    assert seen.at(15, 5)[3] == 0


@pytest.mark.parametrize(
    "circle",
    [
        b'<use id="a" href="#a"/>',
        b'<use href="#root"/>',
        b'<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
        b'<use href="#b"/><g id="a"><g id="b"><use href="#a"/></g></g>',
    ],
)
def test_what_uses_itself_takes_nothing_else_away(tmp_path: Path, circle: bytes) -> None:
    seen, _ = drawn(tmp_path, circle + RECT.replace(b"<rect", b'<rect fill="green"'), head=b'id="root"')
    assert near(seen.at(10, 10), (*GREEN, 255), 0)


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        (b'width="20" height="40"', (2, 12)),
        (b'width="40" height="20" preserveAspectRatio="xMaxYMid"', (22, 2)),
        (b'width="40" height="20" preserveAspectRatio="xMidYMin slice"', (2, 2)),
        (b'width="20" height="40" x="3" y="4" preserveAspectRatio="xMidYMid"', (5, 16)),
    ],
)
def test_patterns_are_fitted_into_their_tiles(tmp_path: Path, settings: bytes, place: tuple[int, int]) -> None:
    dot = b'<pattern id="p" patternUnits="userSpaceOnUse" viewBox="10 10 40 40" ' + settings
    inside = (
        dot + b'><rect x="10" y="10" width="10" height="10"/></pattern><rect width="40" height="40" fill="url(#p)"/>'
    )
    seen, _ = drawn(tmp_path, inside, size=40)
    assert seen.at(*place)[3] == 255
    assert seen.at(place[0], place[1] - 4)[3] == 0


@pytest.mark.parametrize(
    "dot",
    [
        b'<path d="M10 10L10 10"/>',
        b'<path d="M10,10z"/>',
        b'<path d="M0 0H1M10 10c0 0 0 0 0 0"/>',
        b'<line x1="10" y1="10" x2="10" y2="10"/>',
        b'<path d="M10 10h0" style="stroke-linecap:square"/>',
    ],
)
@pytest.mark.parametrize(("cap", "drawn_too"), [(b"square", True), (b"butt", False)])
def test_lines_without_a_length_are_dots_where_their_ends_are_square(
    tmp_path: Path, dot: bytes, cap: bytes, drawn_too: bool
) -> None:
    seen, _ = drawn(tmp_path, b'<g stroke="red" stroke-width="8" stroke-linecap="' + cap + b'">' + dot + b"</g>")
    assert [seen.at(*at)[3] for at in ((7, 7), (12, 12), (17, 10))] == [255 * (drawn_too or b"style" in dot)] * 2 + [0]


def test_what_is_used_by_its_own_marker_is_drawn_in_it_once(tmp_path: Path) -> None:
    inside = (
        b'<marker id="m" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse"><use href="#a"/></marker>'
        b'<defs><path id="a" d="M0 0H9V9H0" fill="green" marker-end="url(#m)"/></defs>'
        b'<path d="M5 5H6" marker-start="url(#m)"/>'
    )
    seen, _ = drawn(tmp_path, inside)
    assert near(seen.at(8, 8), (*GREEN, 255), 0)


ENTITIES = (
    b'<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg"><!ENTITY c "green"><!ENTITY r "<g>%s</g>">]>'
    b'<svg xmlns="&ns;" width="20" height="20" fill="&c;">&r;</svg>' % RECT.replace(b'"', b"'")
)


def test_entities_inside_the_file_are_put_in(tmp_path: Path) -> None:
    result, codes = convert(tmp_path, "svg-to-png", ENTITIES)
    assert near(Drawn(result).at(10, 10)[:3], GREEN, 0)
    assert codes == []


def _tower(bottom: bytes, levels: int) -> bytes:
    floors = b"".join(b'<!ENTITY a%d "%s">' % (each, b"&a%d;" % (each - 1) * 10) for each in range(1, levels + 1))
    return b'<!DOCTYPE svg [<!ENTITY a0 "%s">%s]>%swidth="9" height="9">&a%d;</svg>' % (
        bottom, floors, pictures.SVG_HEAD, levels,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("source", "error"),
    [
        (_tower(b"aaaaaaaaaa", 9), OverLimit),
        (_tower(b"", 9), OverLimit),
        (_tower(b"<g/>", 6), OverLimit),
        (b'<!DOCTYPE svg [<!ENTITY a "&b;"><!ENTITY b "&a;">]>' + pictures.SVG_HEAD + b">&a;</svg>", Unreadable),
        (
            b'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + pictures.SVG_HEAD
            + b'width="9" height="9"><text>&a;</text></svg>',
            Unreadable,
        ),
        (
            b'<!DOCTYPE svg [<!ENTITY % a SYSTEM "http://a.example/a">%a;]>' + pictures.SVG_HEAD
            + b'width="9" height="9"/>',
            Unreadable,
        ),
    ],
    ids=["letters", "nothing", "elements", "a circle", "a file", "a parameter from outside"],
)  # fmt: skip
def test_entities_that_grow_or_lie_outside_are_refused(tmp_path: Path, source: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        convert(tmp_path, "svg-to-png", source)


def test_a_packed_drawing_is_drawn_by_the_service(guest: Person) -> None:
    source = pictures.SVG_HEAD + 'width="40" height="40"><text y="30" font-size="24">日本</text></svg>'.encode()
    answer = guest.convert("svg-to-png", gzip.compress(source), "a.svgz")
    assert answer.status_code == 201, answer.json()
    seen = Drawn(guest.download(answer.json()["data"]["downloadUrl"]))
    assert len(_ink(seen)) > 50


def _box(seen: Drawn) -> tuple[int, int, int, int]:
    ink = _ink(seen)
    across, down = [x for x, _ in ink], [y for _, y in ink]
    return min(across), min(down), max(across), max(down)


def _near_box(seen: Drawn, box: tuple[int, int, int, int]) -> bool:
    return all(abs(one - other) <= 2 for one, other in zip(_box(seen), box, strict=True))


def test_text_runs_along_its_outline(tmp_path: Path) -> None:
    text = '<text font-size="20" fill="green"><textPath xlink:href="#p">{}</textPath></text>'
    straight = '<path id="p" d="M10 60H190" fill="none"/>' + text.format("Hamburg")
    plain, _ = drawn(tmp_path, b'<text x="10" y="60" font-size="20" fill="green">Hamburg</text>', size=200)
    along, codes = drawn(tmp_path, straight.encode(), size=200)
    assert codes == []
    assert _near_box(along, _box(plain))
    left, top, right, bottom = _box(plain)
    for d in ("M100 10V190", "M100 10C100 60 100 100 100 190"):
        down, _ = drawn(tmp_path, f'<path id="p" d="{d}" fill="none"/>{text.format("Hamburg")}'.encode(), size=200)
        assert _near_box(down, (100 - (bottom - 60), left, 100 + (60 - top), right))


@pytest.mark.parametrize(
    ("settings", "left"),
    [('startOffset="40"', 50), ('startOffset="50%"', 100), ('startOffset="50%" text-anchor="middle"', 92)],
)
def test_text_begins_where_its_offset_says(tmp_path: Path, settings: str, left: int) -> None:
    name = "text-anchor" in settings and ' text-anchor="middle"'
    inside = f'<text font-size="24"{name or ""}><textPath href="#p" {settings}>H</textPath></text>'
    seen, _ = drawn(tmp_path, b'<path id="p" d="M10 60H190" fill="none"/>' + inside.encode(), size=200)
    assert abs(_box(seen)[0] - left) <= 2


def test_what_does_not_fit_on_an_outline_is_not_drawn_and_one_that_is_not_there_is_named(tmp_path: Path) -> None:
    inside = b'<text font-size="20"><textPath href="#p">Hamburg Hamburg Hamburg</textPath></text>'
    seen, codes = drawn(tmp_path, b'<path id="p" d="M10 60H60" fill="none"/>' + inside, size=200)
    assert (_box(seen)[2] <= 64, codes) == (True, [])
    assert drawn(tmp_path, inside)[1] == ["CONTENT_DROPPED"]


def test_letters_have_places_of_their_own(tmp_path: Path) -> None:
    for listed, single in (
        ('<text x="10 60 110" y="40 60" {0}>abc</text>', ((10, 40, "a"), (60, 60, "b"), (110, 60, "c"))),
        ('<text x="10 60" y="40" {0}>a<tspan>b</tspan></text>', ((10, 40, "a"), (60, 40, "b"))),
        ('<text x="10" y="40" dy="0 20" {0}>H\n  <tspan x="90">x</tspan></text>', ((10, 40, "H"), (90, 60, "x"))),
    ):
        size = 'font-size="24"'
        apart = "".join(f'<text x="{x}" y="{y}" {size}>{letter}</text>' for x, y, letter in single)
        found, _ = drawn(tmp_path, listed.format(size).encode(), size=200)
        wanted, _ = drawn(tmp_path, apart.encode(), size=200)
        assert _ink(found) == _ink(wanted), listed


def test_letters_are_turned(tmp_path: Path) -> None:
    found, _ = drawn(tmp_path, b'<text x="50" y="50" rotate="90" font-size="24">H</text>', size=100)
    wanted, _ = drawn(tmp_path, b'<text transform="translate(50 50) rotate(90)" font-size="24">H</text>', size=100)
    assert _ink(found) == _ink(wanted)


def test_letters_that_are_placed_one_by_one_are_as_close_as_those_that_are_not(tmp_path: Path) -> None:
    wanted, _ = drawn(tmp_path, b'<text x="10" y="60" font-size="60">AVAT</text>', size=200)
    found, _ = drawn(tmp_path, b'<text x="10" y="60" font-size="60" rotate="0">AVAT</text>', size=200)
    assert _ink(found) == _ink(wanted)


@pytest.mark.parametrize("adjust", ["spacing", "spacingAndGlyphs"])
def test_text_is_as_long_as_it_has_to_be(tmp_path: Path, adjust: str) -> None:
    inside = f'<text x="10" y="50" font-size="20" textLength="160" lengthAdjust="{adjust}">HHH</text>'
    left, _, right, _ = _box(drawn(tmp_path, inside.encode(), size=200)[0])
    assert abs(left - 10) <= 2
    assert abs(right - 169) <= 3


def test_text_without_a_size_is_as_large_as_in_css(tmp_path: Path) -> None:
    pictured = [
        _ink(drawn(tmp_path, f'<text x="5" y="40"{size}>Hg</text>'.encode(), size=60)[0])
        for size in ("", ' font-size="16"', ' style="font-size:medium"')
    ]
    assert pictured[0] == pictured[1] == pictured[2]


def test_text_along_outlines_is_bounded(tmp_path: Path) -> None:
    long = b"x" * 200_000
    with pytest.raises(OverLimit):
        drawn(tmp_path, b'<path id="p" d="M0 0H9"/><text><textPath href="#p">' + long + b"</textPath></text>")


UNDRAWN = (
    'font-stretch="condensed"',
    'glyph-orientation-vertical="0"',
    'style="text-transform: full-width"',
    'style="font-kerning: none"',
    'style="text-shadow: 1px 1px red"',
    'style="translate: 5px"',
    'style="clip-path: circle(5px)"',
    'stroke-linejoin="arcs"',
    'color-interpolation="linearRGB"',
    'stroke-dasharray="2" pathLength="9"',
)
DRAWN = (
    'word-spacing="0px"',
    'text-transform="none"',
    'rotate="9"',
    'color-interpolation="sRGB"',
    'stroke-linejoin="round"',
    'pathLength="9"',
    'style="font-stretch: normal; text-indent: 0; clip-path: none"',
)


@pytest.mark.parametrize(
    ("attributes", "codes"), [*((each, ["CSS_UNSUPPORTED"]) for each in UNDRAWN), *((each, []) for each in DRAWN)]
)
def test_styles_that_are_not_drawn_are_named(tmp_path: Path, attributes: str, codes: list[str]) -> None:
    data = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9" {attributes}>A</text></svg>'
    assert convert(tmp_path, "svg-to-png", data.encode())[1] == codes


@pytest.mark.parametrize("attributes", ['opacity="0.5"', 'style="fill: red; opacity: 50%"'])
def test_a_symbol_is_as_transparent_as_it_says(tmp_path: Path, attributes: str) -> None:
    drawing = (
        f'<symbol id="s" {attributes}><rect width="9" height="9"/><rect width="9" height="9"/></symbol><use href="#s"/>'
    )
    data = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{drawing}</svg>'
    result, _ = convert(tmp_path, "svg-to-png", data.encode())
    assert near(look(result, "png").at(4, 4)[3:], (128,), 2)


REPAIRED = {
    "a gradient that refers to nothing": b'<linearGradient id="a" href="#no"><stop stop-color="green"/>'
    b"</linearGradient>",
    "one that refers to itself": b'<linearGradient id="a" href="#a"><stop stop-color="green"/></linearGradient>',
    "one in a circle": b'<linearGradient id="a" href="#b"><stop stop-color="green"/></linearGradient>'
    b'<radialGradient id="b" href="#a"/>',
    "one that refers to what is none": b'<radialGradient id="a" href="#b"><stop stop-color="green"/></radialGradient>'
    b'<rect id="b"/>',
    "a transform that is none": b'<linearGradient id="a" gradientTransform="qwe"><stop stop-color="green"/>'
    b"</linearGradient>",
    "a pattern that refers to nothing": b'<pattern id="a" href="#no" width="1" height="1">'
    b'<rect width="20" height="20" fill="green"/></pattern>',
}


@pytest.mark.parametrize("paint", REPAIRED.values(), ids=REPAIRED)
def test_a_paint_that_says_too_much_is_drawn(tmp_path: Path, paint: bytes) -> None:
    picture, _ = drawn(tmp_path, paint + b'<rect width="20" height="20" fill="url(#a)"/>')

    assert picture.at(10, 10)[:3] == GREEN


INHERITED = {
    "a filter takes the parts of another": b'<filter id="a" href="#b"/><filter id="b" x="0" y="0" width="1" height="1">'
    b'<feFlood flood-color="green"/></filter><rect width="20" height="20" fill="red" filter="url(#a)"/>',
    "a transform of a mask has no effect": b'<mask id="m" transform="translate(90)"><rect width="20" height="20" '
    b'fill="white"/></mask><rect width="20" height="20" fill="green" mask="url(#m)"/>',
    "an odd number ends a polygon": b'<polygon points="0 0 20 0 20 20 0 20 5" fill="green"/>',
    "a gradient without a radius is of its last colour": b'<radialGradient id="a" r="0"><stop stop-color="red"/>'
    b'<stop offset="1" stop-color="green"/></radialGradient><rect width="20" height="20" fill="url(#a)"/>',
    "an opacity above one does not brighten": b'<filter id="f" color-interpolation-filters="sRGB"><feComponentTransfer>'
    b'<feFuncA type="gamma" amplitude="4"/></feComponentTransfer></filter>'
    b'<rect width="20" height="20" fill="green" filter="url(#f)"/>',
    "a drawing is as large where it is used as it says": b'<rect width="20" height="20" fill="green"/>'
    b'<defs><svg id="s" width="90" height="9"><rect width="90" height="90" fill="red"/></svg></defs>'
    b'<use href="#s" x="-9" width="9"/>',
    "a switch passes over other languages": b'<switch><other xmlns="urn:other"/><what/>'
    b'<rect width="20" height="20" fill="green"/></switch>',
}


@pytest.mark.parametrize("inside", INHERITED.values(), ids=INHERITED)
def test_what_the_engine_leaves_out_is_drawn_as_in_browsers(tmp_path: Path, inside: bytes) -> None:
    picture, codes = drawn(tmp_path, inside)

    assert (picture.at(10, 10)[:3], codes) == (GREEN, [])


@pytest.mark.parametrize("attributes", [b'width="20"', b'height="10"'])
def test_a_picture_has_the_side_that_it_does_not_say_from_the_other(tmp_path: Path, attributes: bytes) -> None:
    file = io.BytesIO()
    Image.new("RGB", (8, 4), GREEN).save(file, "PNG")
    address = b"data:image/png;base64," + base64.b64encode(file.getvalue())

    picture, codes = drawn(tmp_path, b'<image %s href="%s"/>' % (attributes, address))

    assert [picture.at(*place)[3] for place in ((18, 8), (10, 12))] == [255, 0]
    assert codes == []


def test_drawings_that_are_part_of_themselves_are_not_drawn_in_place() -> None:
    inside = b'<svg id="a"><use href="#b"/></svg><svg id="b"><use href="#a"/></svg><use href="#a" width="5"/>'
    assert svg.cleaned(pictures.SVG_HEAD + b">%s</svg>" % inside, Warn()).count(b"#a") == 1


def test_a_clip_of_the_whole_drawing_is_as_large_as_the_drawing(tmp_path: Path) -> None:
    inside = b'<clipPath id="c"><rect width="10" height="20"/></clipPath><rect width="20" height="20" fill="green"/>'
    source = pictures.SVG_HEAD + b'width="20" height="20" clip-path="url(#c)">%s</svg>' % inside

    picture = Drawn(convert(tmp_path, "svg-to-png", source, scale=4.0)[0])

    assert [picture.at(x, 40)[3] for x in (36, 44)] == [255, 0]


def test_lines_under_letters_with_places_of_their_own_are_drawn(tmp_path: Path) -> None:
    text = b'<text x="2 30" y="40" font-size="40" fill="green" %s>nn</text>'
    lined, plain = (drawn(tmp_path, text % each, size=60)[0] for each in (b'text-decoration="underline"', b""))

    assert any(lined.at(12, y)[3] for y in range(42, 50))
    assert not any(plain.at(12, y)[3] for y in range(42, 50))


OTHERWISE = {
    "a clip of two shapes with holes": b'<clipPath id="c"><circle r="9"/><circle r="5" clip-rule="evenodd"/></clipPath>'
    b'<rect clip-path="url(#c)"/>',
    "what lies behind": b'<filter id="f"><feOffset in="BackgroundImage"/></filter>',
    "a part of the drawing": b'<filter id="f"><feImage href="#r"/></filter><rect id="r"/>',
    "a gradient of where it is used": b'<linearGradient id="g"/><g id="u"><rect fill="context-fill"/></g>'
    b'<use href="#u" fill="url(#g)"/>',
    "a clip with holes where its shapes overlap": b'<clipPath id="c" clip-rule="evenodd"><circle r="9"/>'
    b'<circle r="5"/></clipPath><rect clip-path="url(#c)"/>',
    "a gradient whose focus is larger than it": b'<radialGradient id="g" fr=".6"/><rect fill="url(#g)"/>',
    "a gradient turned into a line": b'<linearGradient id="g" gradientTransform="scale(0 1)"/><rect fill="url(#g)"/>',
    "a marker with itself on it": b'<marker id="m"><path marker-end="url(#m)"/></marker><path marker-end="url(#m)"/>',
    "noise of less than nothing": b'<filter id="f"><feTurbulence baseFrequency="-1"/></filter>',
    "a part of a filter in units of a box": b'<filter id="f" primitiveUnits="objectBoundingBox">'
    b'<feFlood width=".5"/></filter>',
    "a turned clip in units of a box": b'<clipPath id="c" clipPathUnits="objectBoundingBox">'
    b'<rect width="1" height="1"/></clipPath><rect clip-path="url(#c)" transform="rotate(9)"/>',
}


@pytest.mark.parametrize("inside", OTHERWISE.values(), ids=OTHERWISE)
def test_what_is_drawn_otherwise_is_named(tmp_path: Path, inside: bytes) -> None:
    assert drawn(tmp_path, inside)[1] == ["CSS_UNSUPPORTED"]


def test_filters_that_take_too_much_from_each_other_are_refused(tmp_path: Path) -> None:
    parts = b'<filter id="f">%s</filter>' % (b"<feOffset/>" * 400)

    with pytest.raises(OverLimit):
        drawn(tmp_path, parts + b'<filter href="#f"/>' * 200)


@pytest.mark.parametrize(
    ("attributes", "there"),
    [
        ('stroke-dasharray="0 10"', False),
        ('style="stroke-dasharray: 0, 5, 0, 5"', False),
        ('stroke-dasharray="0"', True),
        ('stroke-dasharray="9 0"', True),
        ('stroke-dasharray="0 1" stroke-linecap="round"', True),
    ],
)
def test_dashes_without_a_length_are_no_line(tmp_path: Path, attributes: str, there: bool) -> None:
    inside = f'<g stroke="red" stroke-width="8" {attributes}><rect x="5" y="5" width="10" height="10" fill="none"/></g>'
    assert bool(_ink(drawn(tmp_path, inside.encode())[0])) == there


def test_parts_of_a_symbol_are_shares_of_the_size_it_is_used_in(tmp_path: Path) -> None:
    symbol = b'<symbol id="s"><ellipse cx="50%" cy="50%" rx="50%" ry="50%" fill="green"/></symbol>'
    seen, codes = drawn(tmp_path, symbol + b'<use href="#s" x="2" y="4" width="8" height="12"/>')
    assert [seen.at(*at)[3] for at in ((6, 5), (6, 14), (3, 10), (8, 10), (10, 10), (6, 17))] == [255] * 4 + [0, 0]
    assert codes == []
