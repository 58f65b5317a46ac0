"""Vectors of metafiles: a drawing, what needs more than lines, and damaged ones."""

from __future__ import annotations

from tests.converters.pairs import Given, Readers, Wanted, broken, pairs
from tests.converters.vector import Vector, take
from tests.families.images import files as pictures
from tests.families.images import metafiles as files
from tests.families.images.checks import DRAWN, OPAQUE, RED, Picture, all_red, odd, seen_in, shows_the_photo, when
from tests.families.images.files import SIZE
from tests.families.images.vectors import WRITERS


def _unknown() -> bytes:
    """All red, with a record that nothing reads."""
    red = files.colour(*RED)
    return files.emf(files.brush(1, red), files.filled(0, 0, *files.SIZE), files.record(200, bytes(8)))


def _unknown_wmf() -> bytes:
    red = files.colour(*RED)
    parts = [files.word(0x02FC, 0, red & 0xFFFF, red >> 16, 0), files.word(0x012D, 0)]
    fill = files.word(0x061D, files.FILL & 0xFFFF, files.FILL >> 16, SIZE[1], SIZE[0], 0, 0)
    return files.wmf(*parts, fill, files.word(0x0999, 1, 2), placeable=False)


_MADE = {"emf": (files.photo_emf, _unknown), "wmf": (files.photo_wmf, _unknown_wmf)}

READERS: Readers = {
    id: (
        Picture(
            "a drawing with a text",
            "ordinary",
            photo,
            looks=lambda output: shows_the_photo(output, "svg", size=DRAWN.get(output, SIZE)),
            lost=lambda output: when(output in (*OPAQUE, "gif"), "ALPHA_FLATTENED"),
        ),
        odd(
            "a fill and an unknown record",
            unknown,
            lambda output: all_red(output, DRAWN.get(output, SIZE)),
            lambda output: {"CONTENT_DROPPED"},
        ),
        broken("a drawing that ends early", lambda photo=photo: pictures.half(photo())),
    )
    for id, (photo, unknown) in _MADE.items()
}


def _drawing(source: str, given: Given) -> Wanted:
    def check(data: bytes) -> None:
        assert data.startswith(b"<svg ")
        assert b'fill="#dc1e1e"' in data
        assert (b">Aa</text>" in data) == (given.kind == "ordinary")

    return Wanted(check, frozenset() if given.kind == "ordinary" else frozenset({"CONTENT_DROPPED"}))


VECTORS: tuple[Vector, ...] = (
    *pairs("images", READERS, {**WRITERS, "svg": _drawing}),
    *(
        take(
            f"{id}-to-png", "at twice its size", photo,
            seen_in("png", shows_the_photo("png", "svg", size=(128, 96))), scale=2,
        )
        for id, (photo, _) in _MADE.items()
    ),
)  # fmt: skip
