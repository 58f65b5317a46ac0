"""Vectors of animations taken apart into a ZIP, and put together from one."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from functools import cache, partial

from PIL import Image

from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.families.images import files as pictures
from tests.families.images.files import FRAMES, SIZE
from tests.families.images.looks import Look, look, members, near

ANIMATED = ("gif", "webp", "png", "avif")


def packed(files: Mapping[str, bytes]) -> bytes:
    """A ZIP of these files, in this order."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return data.getvalue()


def block(number: int, format: str = "png", size: tuple[int, int] = SIZE) -> bytes:
    """A frame: the coloured block of this number on grey."""
    image = Image.new("RGB", SIZE, (128, 128, 128))
    image.paste(FRAMES[number], (number * 20, 8, number * 20 + 16, 40))
    return pictures.saved(image.resize(size, Image.Resampling.NEAREST), format)


@cache
def numbered() -> bytes:
    """Three frames whose numbers have one and two digits, the last one first."""
    return packed({"shot 10-400ms.png": block(2), "shot 2-200ms.png": block(0), "shot 9-300ms.png": block(1)})


@cache
def mixed() -> bytes:
    """Frames of several formats and sizes in a folder, among files that are none."""
    return packed(
        {
            "film/": b"",
            "film/1.png": block(0),
            "film/2.jpg": block(1, "jpg"),
            "film/3.bmp": block(2, "bmp", (32, 24)),
            "film/notes.txt": b"A note.",
            "__MACOSX/film/._1.png": b"\0\5\x16\7",
            "film/.DS_Store": b"\0\0\0\1Bud1",
        }
    )


def _all_frames(data: bytes) -> None:
    files = members(data)
    assert list(files) == [f"frame-00{number}-{number + 1}00ms.png" for number in (1, 2, 3)]
    for number, file in enumerate(files.values()):
        seen = look(file, "png")
        assert (seen.width, seen.height) == SIZE
        assert near(seen.at(number * 20 + 8, 24), FRAMES[number], 26)
        assert near(seen.at((number * 20 + 40) % 64, 24), (128, 128, 128), 26)


def _one_frame(data: bytes) -> None:
    ((name, file),) = members(data).items()
    assert name == "frame-001.png"
    seen = look(file, "png")
    assert (seen.width, seen.height) == (24, 32)


def _animated(output: str, check: Callable[[Look], None]) -> Callable[[bytes], None]:
    def checked(data: bytes) -> None:
        seen = look(data, output)
        assert (seen.width, seen.height) == SIZE
        # libvips reads only the first frame of an animated PNG or AVIF.
        assert seen.frames == {"png": 1}.get(output, 3)
        assert output != "png" or data.count(b"fcTL") == 3
        for number in range(3 if output in ("gif", "webp") else 1):
            assert near(seen.at(number * 20 + 8, 24, number), FRAMES[number], 30), number
        if output in ("gif", "webp"):
            check(seen)

    return checked


def _own_delays(seen: Look) -> None:
    assert seen.fields["delay"] == [200, 300, 400]
    assert seen.fields["loop"] == 2


def _given_delays(seen: Look) -> None:
    assert seen.fields["delay"] == [50, 50, 50]
    assert seen.fields["loop"] == 0


_FILMS: Readers = {
    id: (
        ordinary("an animation", partial(pictures.film, id), *(["CONTENT_DROPPED"] if id != "avif" else [])),
        awkward("a still picture, cut and turned", partial(pictures.photo, id), crop="0,0,32,24", rotate="90"),
        broken("an animation that ends too early", lambda id=id: pictures.half(pictures.film(id))),
    )
    for id in ANIMATED
}
_FRAMES: Readers = {
    "zip": (
        ordinary("numbered frames", numbered, repeat=2),
        awkward(
            "frames of several formats and sizes, among other files",
            mixed,
            "CONTENT_CLIPPED",
            "CONTENT_DROPPED",
            delay=50,
        ),
        broken("no picture at all", lambda: packed({"notes.txt": b"A note."})),
        broken("a damaged picture", lambda: packed({"1.png": block(0), "2.png": pictures.start(block(1))})),
    )
}


def _taken_apart(source: str, given: Given) -> Wanted:
    return Wanted(_all_frames if given.kind == "ordinary" else _one_frame)


def _film(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        if given.kind == "awkward":
            return Wanted(_animated(output, _given_delays))
        codes = frozenset({"CONTENT_DROPPED"} if output == "avif" else ())
        return Wanted(_animated(output, _own_delays), codes)

    return wanted


VECTORS = (
    *pairs("images", _FILMS, {"zip": _taken_apart}),
    *pairs("images", _FRAMES, {id: _film(id) for id in ANIMATED}),
)
