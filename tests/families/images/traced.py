"""Vectors of pictures that become drawings: the photo, something awkward and a damaged file of each."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import pyvips
from PIL import Image, ImageDraw

from tests.converters.pairs import Given, Readers, Wanted, awkward, broken, ordinary, pairs
from tests.converters.vector import Check, take
from tests.families.images import files as pictures
from tests.families.images.files import CORNERS, SIZE
from tests.families.images.looks import Colour, near


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


def _is_glass(data: bytes) -> None:
    size, at = drawn(data)
    assert size == SIZE
    assert near(at(40, 24), (127, 127, 255, 255), 12)
    assert at(4, 24)[3] == 0


def _is_upright(data: bytes) -> None:
    size, at = drawn(data)
    assert size == SIZE
    assert near(at(8, 8), (*CORNERS[(8, 8)], 255), 60)


def _is_the_first_frame(data: bytes) -> None:
    size, at = drawn(data)
    assert size == SIZE
    assert near(at(8, 24), (*pictures.FRAMES[0], 255), 26)


def _is_black_and_clear(data: bytes) -> None:
    size, at = drawn(data)
    assert size == (20, 20)
    assert near(at(10, 10), (0, 0, 0, 255), 2)
    assert b"#000000" in data


_ODD: dict[str, tuple[Callable[[], bytes], str, Check]] = {
    "png": (lambda: pictures.glass("png"), "ALPHA_FLATTENED", _is_glass),
    "jpg": (pictures.sideways, "METADATA_DROPPED", _is_upright),
    "webp": (lambda: pictures.film("webp"), "ANIMATION_DROPPED", _is_the_first_frame),
    "gif": (lambda: pictures.film("gif"), "ANIMATION_DROPPED", _is_the_first_frame),
    "bmp": (pictures.high_colour, "", _is_upright),
}
READERS: Readers = {
    id: (
        ordinary("flat areas", partial(sign, id)),
        awkward("what is not only areas", make, *codes.split()),
        broken("a picture that ends before its pixels", lambda id=id: pictures.start(sign(id))),
    )
    for id, (make, codes, _) in _ODD.items()
}


def _drawing(source: str, given: Given) -> Wanted:
    return Wanted(shows_the_sign if given.kind == "ordinary" else _ODD[source][-1])


VECTORS = (
    *pairs("images", READERS, {"svg": _drawing}),
    take(
        "png-to-svg",
        "a part in black and white",
        lambda: sign("png"),
        _is_black_and_clear,
        colors="bw",
        crop="0,28,20,20",
        curves="polygon",
    ),
)
