"""Vectors of text in pictures: words drawn with our own fonts, saved in every format, lying in every way."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFont

from tests.converters.pairs import Given, Readers, Wanted, awkward, broken, ordinary, pairs
from tests.families.images import extras
from tests.families.images import files as pictures
from tests.families.images import read_files as picture_files

FONTS = Path(__file__).resolve().parents[3] / "engine" / "fonts"
READ = ("png", "jpg", "webp", "avif", "heic", "gif", "bmp", "tiff", "ico", *picture_files.READ_ONLY)
PROSE = (
    "The ferry leaves the northern harbour at half past six and reaches the island before noon, unless the wind "
    "turns. Passengers with bicycles wait at the second gate, next to the yellow crane. In winter the crossing "
    "takes two hours longer, because the captain keeps away from the shallow water near the lighthouse.\n\n"
    "Tickets cost 14.50 for adults and 7.25 for children under twelve; dogs travel free of charge. Whoever misses "
    "the last boat at 21:45 may sleep in the old customs house, where Mrs Quigley rents six rooms and serves "
    "breakfast from seven. Her marmalade, boiled with a little juniper, has won prizes in three counties.\n\n"
    "The museum behind the church shows maps, ropes and a whale's jaw. It was founded in 1873 by a retired "
    "schoolmaster who had collected shells for forty years, and it is open every day except Monday. Visitors are "
    "asked to leave umbrellas at the door and to keep their voices low, as the keeper is usually asleep.\n\n"
    "From the tower one sees the quarry, the fields of barley and, on clear evenings, the mountains of the "
    "mainland. A path of some nine kilometres leads around the island; strong shoes are advisable after rain. "
    "Halfway along it a spring rises between two rocks, and its water is said to cure hiccups, jealousy and gout.\n\n"
    "Questions are answered by the harbour office, which occupies the small brick building with the green roof. "
    "It also lends binoculars, sells postcards and keeps whatever has been found on the beach, such as gloves, "
    "bottles, a wooden leg and, last August, a grand piano that nobody has come to fetch so far."
)


def face(size: float, name: str = "liberation/LiberationSans-Regular.ttf") -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS / name), size)


@cache
def note(*lines: str) -> Image.Image:
    """Black words on a white square that even an icon can hold."""
    image = Image.new("RGB", (256, 256), "white")
    draw = ImageDraw.Draw(image)
    for at, line in enumerate(lines):
        draw.text((16, 24 + 64 * at), line, font=face(40), fill="black")
    return image


@cache
def scan(*, dpi: int = 200, tilt: float = 0.0, noise: float = 0.0, text: str = PROSE) -> Image.Image:
    """A page of A4 as a scanner sees it: grey, turned counter-clockwise by `tilt` degrees, with grain and specks."""
    size = round(8.27 * dpi), round(11.69 * dpi)
    image = Image.new("L", size, 250)
    draw, font = ImageDraw.Draw(image), face(11 * dpi / 72, "liberation/LiberationSerif-Regular.ttf")
    margin = top = round(0.9 * dpi)
    for paragraph in text.split("\n\n"):
        for line in _wrapped(paragraph, draw, font, size[0] - 2 * margin):
            draw.text((margin, top), line, font=font, fill=15)
            top += round(15.5 * dpi / 72)
        top += round(9 * dpi / 72)
    image = image.rotate(tilt, resample=Image.Resampling.BICUBIC, fillcolor=250)
    if noise:
        chance = random.Random(9)
        small = size[0] // 2, size[1] // 2
        grain = Image.frombytes("L", small, chance.randbytes(small[0] * small[1])).resize(size)
        image = ImageChops.add(image, grain.point(lambda value: round(128 + (value - 128) * noise)), 1, -128)
        draw = ImageDraw.Draw(image)
        for _ in range(400):
            draw.point((chance.randrange(size[0]), chance.randrange(size[1])), fill=60)
    return image


def _wrapped(text: str, draw: ImageDraw.ImageDraw, font: ImageFont.FreeTypeFont, width: int) -> Iterator[str]:
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if draw.textlength(longer, font=font) > width:
            yield line
            line = word
        else:
            line = longer
    yield line


def errors(known: str, found: str) -> float:
    """The part of the letters of `known` that has to be changed to get them from `found`, however both are spaced."""
    wanted, given = " ".join(known.split()), " ".join(found.split())
    row = list(range(len(given) + 1))
    for number, letter in enumerate(wanted, 1):
        above, row = row, [number]
        for at, other in enumerate(given, 1):
            row.append(min(above[at] + 1, row[-1] + 1, above[at - 1] + (letter != other)))
    return row[-1] / len(wanted)


def saved(image: Image.Image, format: str) -> bytes:
    """The picture as a file of any format that is read."""
    if format == "jxl":
        import numpy
        import pylibjxl

        data: bytes = pylibjxl.encode(numpy.asarray(image), lossless=True)
        return data
    if format == "icns":
        return picture_files.icns({256: image})
    if format in picture_files.READ_ONLY:
        return picture_files.saved(image, format)
    return pictures.saved(image, format)


def two_pages() -> bytes:
    file = io.BytesIO()
    first, second = note("First", "page"), note("Second", "page")
    first.save(file, "TIFF", save_all=True, append_images=[second], compression="tiff_lzw", dpi=(200, 200))
    return file.getvalue()


def _upside_down() -> bytes:
    return saved(scan(tilt=1.0).transpose(Image.Transpose.ROTATE_180), "png")


def _on_its_side() -> bytes:
    """Stored lying, with a tag that says so."""
    exif = Image.Exif()
    exif[0x0112] = 6
    return pictures.saved(note("Hello", "World 42").transpose(Image.Transpose.ROTATE_90), "jpg", exif=exif)


def says(*words: str) -> Callable[[bytes], None]:
    """The text has these words, in this order."""

    def check(data: bytes) -> None:
        text, at = data.decode("utf-8"), 0
        for word in words:
            assert word in text[at:], (word, text)
            at = text.index(word, at) + len(word)
        assert text.endswith("\n")

    return check


def _nothing(data: bytes) -> None:
    assert data == b"\n"


def _prose(data: bytes) -> None:
    assert errors(PROSE, data.decode()) <= 0.012


def _words(id: str) -> bytes:
    return pictures.heic("words") if id == "heic" else saved(note("Hello", "World 42"), id)


def _blank(id: str) -> bytes:
    return pictures.heic("blank") if id == "heic" else saved(Image.new("RGB", (256, 256), "white"), id)


_HELLO = says("Hello", "World", "42")
_CHECKS = {
    "words": _HELLO,
    "a page upside down": _prose,
    "a photo of a camera on its side": _HELLO,
    "two pages": says("First", "page", "Second", "page"),
}
"""What is read in each; in any other picture nothing."""
_AWKWARD = {
    "png": awkward("a page upside down", _upside_down),
    "jpg": awkward("a photo of a camera on its side", _on_its_side),
    "tiff": awkward("two pages", two_pages),
}
READERS: Readers = {
    **{
        id: (
            ordinary("words", partial(_words, id)),
            _AWKWARD.get(id) or awkward("a blank picture", partial(_blank, id)),
            broken("a file that ends before its pixels", lambda id=id: pictures.start(_words(id))),
        )
        for id in (*READ, "jxl")
    },
    "raw": (
        ordinary("a photo", extras.dng),
        awkward("a photo on its side", partial(extras.dng, 6)),
        broken("a file cut in half", lambda: pictures.half(extras.dng())),
    ),
}


def _read(source: str, given: Given) -> Wanted:
    check = _CHECKS.get(given.name, _nothing)
    codes = frozenset({"NO_TEXT"} if check is _nothing else ())
    return Wanted(check, codes, more_warnings=source == "raw")


VECTORS = pairs("ocr", READERS, {"txt": _read, "markdown": _read})
