"""Pictures with colours of 16 bits a channel: kept from file to file, whatever else is wanted of them."""

from __future__ import annotations

import io
import random
import struct
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import pyvips
from PIL import ExifTags, Image

from engine.toolkit.failures import Unreadable
from tests.converters.test_images import convert, wide_profile
from tests.families.images import files as pictures
from tests.families.images import read_files as files

WIDTH, HEIGHT = 24, 16


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@cache
def words(bands: int = 3) -> tuple[int, ...]:
    """Values of all 16 bits, as no decoder of 8 can give them back."""
    chance = random.Random(bands)
    return tuple(chance.randrange(65_536) for _ in range(WIDTH * HEIGHT * bands))


def png(bands: int = 3, *more: bytes) -> bytes:
    """The words as a PNG (PNG, third edition): grey with alpha, colours, or colours with alpha."""
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 16, {2: 4, 3: 2, 4: 6}[bands], 0, 0, 0)
    rows = struct.pack(f">{len(words(bands))}H", *words(bands))
    stride = WIDTH * bands * 2
    data = b"".join(b"\0" + rows[at : at + stride] for at in range(0, len(rows), stride))
    return b"".join(
        (b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", head), *more, chunk(b"IDAT", zlib.compress(data)), chunk(b"IEND", b""))
    )


def image(bands: int = 3) -> pyvips.Image:
    made = pyvips.Image.new_from_memory(
        struct.pack(f"={len(words(bands))}H", *words(bands)), WIDTH, HEIGHT, bands, "ushort"
    )
    return made.copy(interpretation="rgb16" if bands > 2 else "grey16")


def tiff(**fields: Any) -> bytes:
    made = image()
    for name, value in fields.items():
        made.set_type(pyvips.GValue.gint_type, name, value)
    return bytes(made.tiffsave_buffer(compression="lzw"))


def values(data: bytes) -> tuple[int, ...]:
    seen = pyvips.Image.new_from_buffer(data, "")
    assert seen.format == "ushort"
    return struct.unpack(f"={seen.width * seen.height * seen.bands}H", seen.write_to_memory())


@pytest.mark.parametrize("bands", [2, 3, 4])
@pytest.mark.parametrize("output", ["png", "tiff"])
def test_every_bit_is_kept(tmp_path: Path, bands: int, output: str) -> None:
    result, warnings = convert(tmp_path, f"png-to-{output}", png(bands))
    assert values(result) == words(bands)
    assert warnings == []


def apart(*, tiled: bool, pages: int = 1) -> bytes:
    """A TIFF whose colours have a plane each (TIFF 6.0, PlanarConfiguration 2), in one strip or tile each."""
    size = 2 * WIDTH * HEIGHT
    data, before = b"II*\0\0\0\0\0", 4
    for _ in range(pages):
        at = len(data)
        data += b"".join(struct.pack(f"<{WIDTH * HEIGHT}H", *words()[band::3]) for band in range(3))
        arrays = len(data)
        data += struct.pack("<3H3I3I", 16, 16, 16, at, at + size, at + 2 * size, size, size, size)
        places = ((324, 4, 3, arrays + 6), (325, 4, 3, arrays + 18))
        strips = ((273, 4, 3, arrays + 6), (278, 3, 1, HEIGHT), (279, 4, 3, arrays + 18))
        tags = sorted(
            ((256, 3, 1, WIDTH), (257, 3, 1, HEIGHT), (258, 3, 3, arrays), (259, 3, 1, 1), (262, 3, 1, 2),
             (277, 3, 1, 3), (284, 3, 1, 2), *(((322, 3, 1, WIDTH), (323, 3, 1, HEIGHT), *places) if tiled else strips))
        )  # fmt: skip
        data = data[:before] + struct.pack("<I", len(data)) + data[before + 4 :]
        data += struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", *each) for each in tags)
        before = len(data)
        data += b"\0\0\0\0"
    return data


@pytest.mark.parametrize("output", ["png", "tiff"])
def test_every_bit_of_colours_that_are_apart_is_kept(tmp_path: Path, output: str) -> None:
    result, warnings = convert(tmp_path, f"tiff-to-{output}", apart(tiled=False))
    assert values(result) == words()
    assert warnings == []


@pytest.mark.parametrize("page", [1, 2])
def test_colours_that_are_apart_become_colours_of_8_bits(tmp_path: Path, page: int) -> None:
    result, warnings = convert(tmp_path, "tiff-to-webp", apart(tiled=False, pages=2), pages=str(page), lossless=True)
    with Image.open(io.BytesIO(result)) as found:
        assert list(found.convert("RGB").tobytes()) == [each >> 8 for each in words()]
    assert warnings == ["COLOR_CONVERTED"]


@pytest.mark.parametrize("output", ["png", "webp"])
def test_tiles_of_colours_that_are_apart_are_refused(tmp_path: Path, output: str) -> None:
    with pytest.raises(Unreadable, match="tiles"):
        convert(tmp_path, f"tiff-to-{output}", apart(tiled=True))


@pytest.mark.parametrize("output", ["png", "tiff"])
def test_every_bit_of_a_tiff_and_of_an_anymap_is_kept(tmp_path: Path, output: str) -> None:
    assert values(convert(tmp_path, f"tiff-to-{output}", tiff())[0]) == words()
    anymap = b"P6 %d %d 65535\n" % (WIDTH, HEIGHT) + struct.pack(f">{len(words())}H", *words())
    result, warnings = convert(tmp_path, f"ppm-to-{output}", anymap)
    assert values(result) == words()
    assert warnings == []


def test_anymap_with_another_brightest_value_is_scaled(tmp_path: Path) -> None:
    data = b"P6 2 1 1000\n" + struct.pack(">6H", 0, 500, 1000, 100, 200, 300)
    result, _ = convert(tmp_path, "ppm-to-png", data)
    assert values(result) == (0, 32768, 65535, 6554, 13107, 19661)


@pytest.mark.parametrize("rotate", ["0", "90", "180", "270"])
@pytest.mark.parametrize("flip", ["none", "horizontal", "vertical"])
def test_edits_move_whole_pixels(tmp_path: Path, rotate: str, flip: str) -> None:
    result, _ = convert(tmp_path, "png-to-png", png(), crop="3,2,12,7", rotate=rotate, flip=flip)
    wanted = image().extract_area(3, 2, 12, 7)
    wanted = wanted if rotate == "0" else wanted.rot(f"d{rotate}")
    wanted = wanted if flip == "none" else wanted.flip(flip)
    assert values(result) == struct.unpack(f"={12 * 7 * 3}H", wanted.write_to_memory())


@pytest.mark.parametrize("orientation", range(1, 9))
def test_orientation_is_applied_once(tmp_path: Path, orientation: int) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    stored = png(3, chunk(b"eXIf", exif.tobytes().removeprefix(b"Exif\0\0")))
    result, _ = convert(tmp_path, "png-to-png", stored)
    upright = image().copy()
    upright.set_type(pyvips.GValue.gint_type, "orientation", orientation)
    assert values(result) == struct.unpack(f"={len(words())}H", upright.autorot().write_to_memory())
    with Image.open(io.BytesIO(result)) as found:
        assert found.getexif().get(ExifTags.Base.Orientation, 1) == 1


def test_resized_picture_keeps_a_plain_colour_exactly(tmp_path: Path) -> None:
    for options in ({"width": 20}, {"width": 200, "enlarge": True}, {"width": 9, "height": 40, "fit": "fill"}):
        result, _ = convert(tmp_path, "png-to-png", pictures.deep_colour(), **options)
        found = values(result)
        assert set(zip(found[::3], found[1::3], found[2::3], strict=True)) == {(0xDC80, 0x1E40, 0x1E10)}


@pytest.mark.parametrize("fit", ["cover", "smart"])
def test_cropped_to_a_box(tmp_path: Path, fit: str) -> None:
    result, _ = convert(tmp_path, "png-to-tiff", png(), width=8, height=16, fit=fit)
    seen = pyvips.Image.new_from_buffer(result, "")
    assert (seen.width, seen.height, seen.format) == (8, 16, "ushort")


def test_grey_has_the_weights_of_other_pictures(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "png-to-png", pictures.deep_colour(), grayscale=True)
    assert set(values(result)) == {round(0.299 * 0xDC80 + 0.587 * 0x1E40 + 0.114 * 0x1E10)}


@pytest.mark.parametrize("output", ["png", "tiff"])
def test_profile_and_metadata_go_along(tmp_path: Path, output: str) -> None:
    exif = pictures.exif().tobytes().removeprefix(b"Exif\0\0")
    more = (
        chunk(b"iCCP", b"Swap\0\0" + zlib.compress(wide_profile())),
        chunk(b"pHYs", struct.pack(">IIB", 11811, 11811, 1)),
        chunk(b"eXIf", exif),
        chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta/>"),
    )
    result, warnings = convert(tmp_path, f"png-to-{output}", png(3, *more))
    assert warnings == []
    assert values(result) == words()
    with Image.open(io.BytesIO(result)) as found:
        found.load()
        assert found.info["icc_profile"] == wide_profile()
        assert [round(float(dots)) for dots in found.info["dpi"]] == [300, 300]
        tags = found.getexif()
        assert tags[ExifTags.Base.Make] == "Camera Works"
        assert tags.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] == "2024:05:06 07:08:09"
        assert tags.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitudeRef] == "N"
        assert found.info["xmp"] == b"<x:xmpmeta/>"
    bare, _ = convert(tmp_path, f"png-to-{output}", png(3, *more), metadata="strip")
    assert b"Camera Works" not in bare
    assert b"xmpmeta" not in bare


def test_colours_are_converted_from_the_profile_if_wanted(tmp_path: Path) -> None:
    profile = chunk(b"iCCP", b"Swap\0\0" + zlib.compress(wide_profile()))
    source = pictures.deep_colour()
    source = source[:33] + profile + source[33:]
    result, _ = convert(tmp_path, "png-to-png", source, colorProfile="srgb")
    red, green, blue = values(result)[:3]
    assert abs(green - 0xDC80) < 3000
    assert red < 0x3000 > blue
    with Image.open(io.BytesIO(result)) as found:
        assert "icc_profile" not in found.info


def test_text_of_a_png_is_kept(tmp_path: Path) -> None:
    result, warnings = convert(tmp_path, "png-to-png", png(3, chunk(b"tEXt", b"Title\0A plane")))
    with Image.open(io.BytesIO(result)) as found:
        found.load()
        assert found.text == {"Title": "A plane"}  # type: ignore[attr-defined]
    assert warnings == []


@pytest.mark.parametrize("output", ["jpg", "webp", "gif", "bmp", "avif", pictures.HEIC])
def test_other_formats_say_what_they_lose(tmp_path: Path, output: str) -> None:
    assert "COLOR_CONVERTED" in convert(tmp_path, f"png-to-{output}", pictures.deep_colour())[1]


def test_damaged_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        convert(tmp_path, "tiff-to-png", pictures.half(tiff()))
    with pytest.raises(Unreadable):
        convert(tmp_path, "ppm-to-png", pictures.half(files.deep("ppm")))


@pytest.mark.parametrize("target", ["png", "tiff"])
def test_rows_that_are_there_of_a_damaged_picture_are_kept_in_8_bits(target: str, tmp_path: Path) -> None:
    _, warnings = convert(tmp_path, f"png-to-{target}", pictures.half(png()))
    assert sorted(warnings) == ["COLOR_CONVERTED", "CONTENT_DROPPED"]


def test_every_page_of_a_deep_tiff_is_kept(tmp_path: Path) -> None:
    both = image().join(image(), "vertical").copy()
    both.set_type(pyvips.GValue.gint_type, "page-height", HEIGHT)
    source = bytes(both.tiffsave_buffer(compression="deflate", page_height=HEIGHT))
    result, warnings = convert(tmp_path, "tiff-to-png", source, pages="2")
    assert values(result) == words()
    assert warnings == []
    from tests.families.images.looks import members

    pages, warnings = convert(tmp_path, "tiff-to-png", source)
    assert [values(page) for page in members(pages).values()] == [words(), words()]
    assert warnings == []
    _, warnings = convert(tmp_path, "tiff-to-tiff", source)
    assert warnings == ["COLOR_CONVERTED"]
