"""Vectors of pictures that become drawings: the photo, something awkward and a damaged file of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pyvips
from PIL import Image, ImageDraw

from tests.converters.cases import pictures
from tests.converters.cases.looks import Colour, near
from tests.converters.cases.pictures import CORNERS, SIZE
from tests.converters.vector import Vector

TRACED = ("png", "jpg", "webp", "gif", "bmp")
CODES = {
    "png": {"ALPHA_FLATTENED"},
    "jpg": {"METADATA_DROPPED"},
    "webp": {"ANIMATION_DROPPED"},
    "gif": {"ANIMATION_DROPPED"},
    "bmp": set(),
}


def drawn(data: bytes) -> tuple[tuple[int, int], Callable[[int, int], Colour]]:
    """The size of a drawing, and the colour of each of its points."""
    image = pyvips.Image.svgload_buffer(data)
    return (image.width, image.height), lambda x, y: tuple(round(value) for value in image(x, y))


@cache
def sign(format: str, *, size: tuple[int, int] = SIZE) -> bytes:
    """Flat areas: white with a coloured block in each corner."""
    image = Image.new("RGB", SIZE, "white")
    draw = ImageDraw.Draw(image)
    for (x, y), colour in CORNERS.items():
        draw.rectangle((x - 8, y - 8, x + 7, y + 7), fill=colour)
    image = image.resize(size, Image.Resampling.NEAREST)
    return pictures.saved(image.quantize(16) if format == "gif" else image, format)


def shows_the_sign(data: bytes, *, size: tuple[int, int] = SIZE) -> None:
    found, at = drawn(data)
    assert found == size
    for (x, y), colour in CORNERS.items():
        assert near(at(x * size[0] // SIZE[0], y * size[1] // SIZE[1]), (*colour, 255), 26), (x, y)


def _awkward(source: str) -> tuple[bytes, Callable[[bytes], None]]:
    def is_glass(data: bytes) -> None:
        size, at = drawn(data)
        assert size == SIZE
        assert near(at(40, 24), (127, 127, 255, 255), 12)
        assert at(4, 24)[3] == 0

    def is_upright(data: bytes) -> None:
        size, at = drawn(data)
        assert size == SIZE
        assert near(at(8, 8), (*CORNERS[(8, 8)], 255), 60)

    def is_the_first_frame(data: bytes) -> None:
        size, at = drawn(data)
        assert size == SIZE
        assert near(at(8, 24), (*pictures.FRAMES[0], 255), 26)

    if source == "png":
        return pictures.glass("png"), is_glass
    if source == "jpg":
        return pictures.sideways(), is_upright
    if source == "bmp":
        return pictures.high_colour(), is_upright
    return pictures.film(source), is_the_first_frame


def _vectors() -> Iterator[Vector]:
    for source in TRACED:
        slug = f"{source}-to-svg"
        data, check = _awkward(source)
        yield Vector(
            slug=slug,
            name="flat areas",
            kind="ordinary",
            source=lambda source=source: sign(source),
            check=shows_the_sign,
        )
        yield Vector(
            slug=slug,
            name="what is not only areas",
            kind="awkward",
            source=lambda data=data: data,
            check=check,
            warnings=frozenset(CODES[source]),
        )
        yield Vector(
            slug=slug,
            name="a picture that ends too early",
            kind="failing",
            source=lambda source=source: pictures.half(sign(source)),
            error="UNSUPPORTED_FORMAT",
        )

    def is_black_and_clear(data: bytes) -> None:
        size, at = drawn(data)
        assert size == (20, 20)
        assert near(at(10, 10), (0, 0, 0, 255), 2)
        assert b"#000000" in data

    yield Vector(
        slug="png-to-svg",
        name="a part in black and white",
        kind="awkward",
        source=lambda: sign("png"),
        options={"colors": "bw", "crop": "0,28,20,20", "curves": "polygon"},
        check=is_black_and_clear,
    )


VECTORS: tuple[Vector, ...] = tuple(_vectors())
