"""Vectors of the pictures that are read and not written: a photo, something awkward and a damaged file of each."""

from __future__ import annotations

from collections.abc import Iterator

from tests.converters.cases import picture_files as files
from tests.converters.cases import pictures
from tests.converters.cases.images import (
    DEEP,
    OPAQUE,
    WRITTEN,
    Awkward,
    all_red,
    deep_red,
    half_shows_white,
    has_a_page,
    has_the_disc,
    has_the_icon,
    page_shows_the_photo,
    seen_in,
    shows_the_photo,
    when,
)
from tests.converters.cases.pictures import SIZE
from tests.converters.vector import Vector

AWKWARD: dict[str, Awkward] = {
    "psd": Awkward(
        "layers and transparency",
        files.layered,
        has_the_disc,
        lambda output: {"CONTENT_DROPPED"} | when(output in OPAQUE, "ALPHA_FLATTENED"),
    ),
    "jp2": Awkward(
        "half transparent glass",
        lambda: files.saved(glass(), "jp2"),
        half_shows_white,
        lambda output: when(output in (*OPAQUE, "gif"), "ALPHA_FLATTENED"),
    ),
    "tga": Awkward(
        "runs from the bottom up, with transparency",
        files.targa,
        has_the_disc,
        lambda output: when(output in OPAQUE, "ALPHA_FLATTENED"),
    ),
    "qoi": Awkward(
        "half transparent glass",
        lambda: files.saved(glass(), "qoi"),
        half_shows_white,
        lambda output: when(output in (*OPAQUE, "gif"), "ALPHA_FLATTENED"),
    ),
    "pcx": Awkward(
        "a palette of 256 colours",
        files.indexed,
        lambda output: shows_the_photo(output, "gif", tolerance=60),
        lambda output: set(),
    ),
    "dds": Awkward(
        "a compressed texture with transparency",
        files.surface,
        lambda output: has_the_disc(output, tolerance=12),
        lambda output: when(output in OPAQUE, "ALPHA_FLATTENED"),
    ),
    "icns": Awkward(
        "an icon of three sizes",
        files.apple_icon,
        has_the_icon,
        lambda output: {"CONTENT_DROPPED"} | when(output in OPAQUE, "ALPHA_FLATTENED"),
    ),
    "ppm": Awkward(
        "16 bits a channel",
        lambda: files.deep("ppm"),
        deep_red,
        lambda output: when(output not in DEEP, "COLOR_CONVERTED"),
    ),
    "sgi": Awkward("16 bits a channel", lambda: files.deep("sgi"), all_red, lambda output: {"COLOR_CONVERTED"}),
}


def glass() -> pictures.Image.Image:
    image = pictures.Image.new("RGBA", SIZE, (0, 0, 255, 128))
    image.paste((0, 0, 0, 0), (0, 0, 16, 48))
    return image


def _vectors(source: str, output: str) -> Iterator[Vector]:
    slug, size = f"{source}-to-{output}", files.ICON if source == "icns" else SIZE
    case, page = AWKWARD[source], output == "pdf"
    yield Vector(
        slug=slug,
        name="a photo",
        kind="ordinary",
        source=lambda: files.photo(source),
        check=page_shows_the_photo(source, size=size)
        if page
        else seen_in(output, shows_the_photo(output, source, size=size, tolerance=60 if output == "gif" else 8)),
        warnings=frozenset({"COLOR_CONVERTED"} if output == "gif" else ()),
    )
    yield Vector(
        slug=slug,
        name=case.name,
        kind="awkward",
        source=case.source,
        check=has_a_page(size) if page else seen_in(output, case.check(output)),
        warnings=frozenset(case.warnings(output)),
    )
    yield Vector(
        slug=slug,
        name="a photo that ends too early",
        kind="failing",
        source=lambda: pictures.half(files.photo(source)),
        error="UNSUPPORTED_FORMAT",
    )


VECTORS: tuple[Vector, ...] = tuple(
    vector for source in files.READ_ONLY for output in (*WRITTEN, "pdf") for vector in _vectors(source, output)
)
