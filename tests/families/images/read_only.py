"""Vectors of the pictures that are read and not written: a photo, something awkward and a damaged file of each."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tests.converters.pairs import Readers, pairs
from tests.families.images import files as pictures
from tests.families.images import read_files as files
from tests.families.images.checks import (
    DEEP,
    OPAQUE,
    all_red,
    deep_red,
    half_shows_white,
    has_the_disc,
    has_the_icon,
    odd,
    photo,
    shows_the_photo,
    when,
)
from tests.families.images.files import SIZE
from tests.families.images.vectors import WRITERS


def glass() -> pictures.Image.Image:
    image = pictures.Image.new("RGBA", SIZE, (0, 0, 255, 128))
    image.paste((0, 0, 0, 0), (0, 0, 16, 48))
    return image


_ODD = {
    "psd": odd(
        "layers and transparency",
        files.layered,
        has_the_disc,
        lambda output: {"CONTENT_DROPPED"} | when(output in OPAQUE, "ALPHA_FLATTENED"),
    ),
    "jp2": odd(
        "half transparent glass",
        lambda: files.saved(glass(), "jp2"),
        half_shows_white,
        lambda output: when(output in (*OPAQUE, "gif"), "ALPHA_FLATTENED"),
    ),
    "tga": odd(
        "runs from the bottom up, with transparency",
        files.targa,
        has_the_disc,
        lambda output: when(output in OPAQUE, "ALPHA_FLATTENED"),
    ),
    "qoi": odd(
        "half transparent glass",
        lambda: files.saved(glass(), "qoi"),
        half_shows_white,
        lambda output: when(output in (*OPAQUE, "gif"), "ALPHA_FLATTENED"),
    ),
    "pcx": odd(
        "a palette of 256 colours",
        files.indexed,
        lambda output: shows_the_photo(output, "gif", tolerance=60),
        lambda output: set(),
    ),
    "dds": odd(
        "a compressed texture with transparency",
        files.surface,
        lambda output: has_the_disc(output, tolerance=12),
        lambda output: when(output in OPAQUE, "ALPHA_FLATTENED"),
    ),
    "icns": odd(
        "an icon of three sizes",
        files.apple_icon,
        has_the_icon,
        lambda output: {"CONTENT_DROPPED"} | when(output in OPAQUE, "ALPHA_FLATTENED"),
    ),
    "ppm": odd(
        "16 bits per channel",
        lambda: files.deep("ppm"),
        deep_red,
        lambda output: when(output not in DEEP, "COLOR_CONVERTED"),
    ),
    "sgi": odd("16 bits per channel", lambda: files.deep("sgi"), all_red, lambda output: {"COLOR_CONVERTED"}),
}


def _size(id: str) -> tuple[int, int]:
    return files.ICON if id == "icns" else SIZE


READERS: Readers = {
    id: (*photo(id, partial(files.photo, id), size=_size(id), tolerance=8), replace(each, size=_size(id)))
    for id, each in _ODD.items()
}

VECTORS = pairs("images", READERS, WRITERS)
