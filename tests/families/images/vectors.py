"""Vectors of pictures that are read and written: a photo, something awkward and a damaged file of each format."""

from __future__ import annotations

from functools import partial

from tests.converters.pairs import Given, Readers, Wanted, Writer, Writers, broken, pairs
from tests.converters.vector import Check
from tests.families.images import files as pictures
from tests.families.images.checks import (
    ANIMATED,
    CARRYING,
    DEEP,
    DRAWN,
    LOSSY,
    OPAQUE,
    WRITTEN,
    Picture,
    all_red,
    deep_red,
    half_shows_white,
    has_the_disc,
    has_the_icon,
    moves,
    odd,
    photo,
    seen_in,
    shows_the_photo,
    size_as,
    when,
)
from tests.families.images.files import SIZE
from tests.families.images.looks import look, members

_ODD = {
    "png": odd(
        "a logo with a palette and transparency",
        pictures.logo,
        has_the_disc,
        lambda output: when(output in OPAQUE, "ALPHA_FLATTENED"),
    ),
    "jpg": odd(
        "a portrait stored on its side",
        pictures.sideways,
        lambda output: shows_the_photo(output, "jpg", tolerance=60 if output == "gif" else 0),
        lambda output: when(output not in CARRYING, "METADATA_DROPPED") | when(output == "gif", "COLOR_CONVERTED"),
    ),
    "webp": odd(
        "an animation",
        lambda: pictures.film("webp"),
        moves("png", clear=False),
        lambda output: when(output not in ANIMATED, "ANIMATION_DROPPED") | when(output == "avif", "CONTENT_DROPPED"),
    ),
    "avif": odd(
        "half transparent glass",
        lambda: pictures.glass("avif"),
        half_shows_white,
        lambda output: when(output in (*OPAQUE, "gif"), "ALPHA_FLATTENED"),
    ),
    "heic": odd(
        "ten bits a channel",
        lambda: pictures.heic("ten-bits"),
        deep_red,
        lambda output: when(output not in DEEP, "COLOR_CONVERTED"),
    ),
    "gif": odd(
        "an animation on nothing",
        lambda: pictures.film("gif", clear=True),
        moves("gif", clear=True),
        lambda output: (
            when(output not in ANIMATED, "ANIMATION_DROPPED")
            | when(output == "avif", "CONTENT_DROPPED")
            | when(output in OPAQUE, "ALPHA_FLATTENED")
        ),
    ),
    "bmp": odd(
        "16 bits a pixel, from the top down",
        pictures.high_colour,
        lambda output: shows_the_photo(
            output, "bmp", tolerance=60 if output == "gif" else 26 if output in LOSSY else 9
        ),
        lambda output: when(output == "gif", "COLOR_CONVERTED"),
    ),
    "ico": odd(
        "an icon of four sizes",
        pictures.icon,
        has_the_icon,
        lambda output: {"CONTENT_DROPPED"} | when(output in OPAQUE, "ALPHA_FLATTENED"),
    ),
}


SCAN = "a scan of three pages"
READERS: Readers = {
    **{id: (*photo(id, partial(pictures.photo, id)), each) for id, each in _ODD.items()},
    "tiff": (
        *photo("tiff", partial(pictures.photo, "tiff")),
        Picture(
            SCAN,
            "awkward",
            pictures.scan,
            lost=lambda output: (
                when(output == "gif", "COLOR_CONVERTED") | when(output in ("gif", "ico"), "METADATA_DROPPED")
            ),
        ),
    ),
    "svg": (
        Picture(
            "a drawing with a text",
            "ordinary",
            lambda: pictures.DRAWING,
            looks=lambda output: shows_the_photo(output, "svg", size=DRAWN.get(output, SIZE)),
            lost=lambda output: when(output in (*OPAQUE, "gif"), "ALPHA_FLATTENED"),
        ),
        odd(
            "scripts and addresses",
            lambda: pictures.TRAPPED,
            lambda output: all_red(output, DRAWN.get(output, SIZE)),
            lambda output: {"SCRIPT_REMOVED", "REMOTE_RESOURCE_BLOCKED"},
        ),
        broken(
            "an element that is not closed",
            pictures.SVG_HEAD + b'width="9" height="9">\n<g><g></g></svg>',
            line=2,
            column=13,
        ),
    ),
}


def _pages(output: str) -> Check:
    def check(data: bytes) -> None:
        files = members(data)
        assert list(files) == [f"page-00{number}.{output}" for number in (1, 2, 3)]
        seen = [look(file, output) for file in files.values()]
        assert [(each.width, each.height) for each in seen] == [
            size_as(output, *size) for size in ((32, 32), SIZE, SIZE)
        ]
        shows_the_photo(output, "tiff", tolerance=60 if output == "gif" else 0)(seen[2])

    return check


def _in_one(data: bytes) -> None:
    seen = look(data, "tiff")
    assert seen.frames == 3
    assert (seen.width, seen.height) == (32, 32)


def _writer(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        assert isinstance(given, Picture)
        codes = frozenset(given.lost(output))
        if given.name != SCAN:
            return Wanted(seen_in(output, given.looks(output)), codes)
        return Wanted(_in_one) if output == "tiff" else Wanted(_pages(output), codes, output="zip")

    return wanted


WRITERS: Writers = {id: _writer(id) for id in WRITTEN}

VECTORS = pairs("images", READERS, WRITERS)
