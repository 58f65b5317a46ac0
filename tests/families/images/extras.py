"""Vectors of the pictures whose libraries need not be installed: JPEG XL and camera raw."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from PIL import Image, TiffImagePlugin

from tests.converters.pairs import Readers, broken, pairs
from tests.converters.vector import Kind
from tests.families.images import files as pictures
from tests.families.images.checks import DEEP, OPAQUE, Picture, has_the_disc, odd, photo, size_as, when
from tests.families.images.files import CORNERS, SIZE
from tests.families.images.looks import Look
from tests.families.images.vectors import WRITERS


@cache
def jxl(mode: str = "RGB") -> bytes:
    import numpy
    import pylibjxl

    image = pictures.photo_image()
    if mode == "RGBA":
        disc = pictures.logo_image()
        disc.info["transparency"] = 0
        image = disc.convert("RGBA")
    data: bytes = pylibjxl.encode(numpy.asarray(image), lossless=True)
    return data


@cache
def dng(orientation: int = 1) -> bytes:
    """The photo as a sensor with a Bayer pattern sees it, in a DNG (Adobe's specification, version 1.4)."""
    image = pictures.photo_image().resize((128, 96), Image.Resampling.NEAREST)
    linear = [round(65_535 * (value / 255) ** 2.2 * 0.9) for value in range(256)]
    words = []
    for y in range(image.height):
        for x in range(image.width):
            pixel = image.getpixel((x, y))
            assert isinstance(pixel, tuple)
            words.append(linear[pixel[(0, 1, 1, 2)[y % 2 * 2 + x % 2]]])
    data = struct.pack(f"<{len(words)}H", *words)
    head = b"II*\0\x08\0\0\0"
    directory = TiffImagePlugin.ImageFileDirectory_v2(head)
    ratio = TiffImagePlugin.IFDRational
    matrix = (3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.2040, 1.0570)
    tags: dict[int, tuple[int, Any]] = {
        254: (4, 0), 256: (4, image.width), 257: (4, image.height), 258: (3, 16), 259: (3, 1), 262: (3, 32_803),
        271: (2, "Camera Works"), 272: (2, "One"), 273: (4, 0), 274: (3, orientation), 277: (3, 1),
        278: (4, image.height), 279: (4, len(data)), 284: (3, 1), 33421: (3, (2, 2)), 33422: (1, bytes((0, 1, 1, 2))),
        50706: (1, bytes((1, 4, 0, 0))), 50708: (2, "Camera Works One"), 50714: (3, 0), 50717: (4, 65_535),
        50721: (10, tuple(ratio(int(value * 10_000), 10_000) for value in matrix)),
        50728: (5, (ratio(1, 1),) * 3), 50778: (3, 21),
    }  # fmt: skip
    for tag, (kind, value) in tags.items():
        directory.tagtype[tag] = kind
        directory[tag] = value
    return head + directory.tobytes(8) + data


def _developed(output: str, size: tuple[int, int]) -> Callable[[Look], None]:
    """Colours are the sensor's, brightened: which of the channels are strong is what has to be right."""

    def check(seen: Look) -> None:
        assert (seen.width, seen.height) == size_as(output, *size)
        top = (seen.height - size[1]) // 2
        for (x, y), colour in CORNERS.items():
            place = (x, y) if size[0] > size[1] else (SIZE[1] - y, x)
            found = seen.at(place[0] * 2, top + place[1] * 2) if output != "ico" else None
            if found is not None:
                half = 32_768 if max(found) > 255 else 128
                assert [value > half for value in found[:3]] == [value > 128 for value in colour], (x, y, found)

    return check


def _lost(output: str) -> set[str]:
    return {"METADATA_DROPPED"} | when(output not in DEEP, "COLOR_CONVERTED")


def _sensor(name: str, kind: Kind, orientation: int, size: tuple[int, int]) -> Picture:
    looks = lambda output: _developed(output, size)  # noqa: E731
    return Picture(name, kind, partial(dng, orientation), looks=looks, lost=_lost, size=size)


READERS: Readers = {
    "jxl": (
        *photo("jxl", jxl, tolerance=8),
        odd(
            "a disc on nothing",
            lambda: jxl("RGBA"),
            has_the_disc,
            lambda output: when(output in OPAQUE, "ALPHA_FLATTENED"),
        ),
    ),
    "raw": (
        _sensor("a photo", "ordinary", 1, (128, 96)),
        _sensor("a photo of a camera on its side", "awkward", 6, (96, 128)),
        broken("a photo that ends too early", lambda: pictures.half(dng())),
    ),
}

VECTORS = pairs("images", READERS, WRITERS)
