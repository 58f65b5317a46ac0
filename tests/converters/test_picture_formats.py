"""Pictures that are read and not written: what has to hold for them beyond the vectors of each pair."""

from __future__ import annotations

import contextlib
import io
import random
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import ExifTags, Image

from engine.families.registry import CONVERTERS
from engine.toolkit.failures import ConversionError, OverLimit, Unreadable
from engine.toolkit.formats import FORMATS
from tests.converters.test_images import colours, convert, wide_profile
from tests.examples import examples
from tests.families.images import extras as extra_pictures
from tests.families.images import files as pictures
from tests.families.images import read_files as files
from tests.families.images.looks import look, near

LARGE = 60_000


def box(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", 8 + len(data)) + kind + data


def jp2(*, width: int = 64, height: int = 48, bits: int = 8, header: bytes = b"", more: bytes = b"") -> bytes:
    """The photo as JPEG 2000 with other claims in its boxes; `header` boxes come before its own."""
    data = files.photo("jp2")
    at = data.index(b"jp2h") - 4
    size = struct.unpack_from(">I", data, at)[0]
    inner = header + data[at + 8 : at + size]
    place = data.index(b"\xff\x4f\xff\x51")
    stream = bytearray(data[place:])
    stream[8:16] = struct.pack(">II", width, height)
    for component in range(3):
        stream[42 + 3 * component] = bits - 1
    inner = inner.replace(struct.pack(">II", 48, 64), struct.pack(">II", height, width))
    return data[:at] + box(b"jp2h", inner) + more + box(b"jp2c", bytes(stream))


HOSTILE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "psd: 60,000 x 60,000 pixels": (
        "psd", lambda: struct.pack(">4sH6xHIIHH", b"8BPS", 1, 3, LARGE, LARGE, 8, 3) + bytes(14),
    ),
    "psd: resources of 4 GB": (
        "psd", lambda: struct.pack(">4sH6xHIIHH", b"8BPS", 1, 3, 9, 9, 8, 3) + bytes(4) + b"\xff" * 30,
    ),
    "psd: 32,767 layers of nothing": (
        "psd",
        lambda: struct.pack(">4sH6xHIIHH", b"8BPS", 1, 3, 9, 9, 8, 3) + bytes(8) + struct.pack(">IIh", 9, 2, 32_767),
    ),
    "jp2: 60,000 x 60,000 pixels": ("jp2", lambda: jp2(width=LARGE, height=LARGE)),
    "jp2: million pixels than there is memory for": ("jp2", lambda: jp2(width=9_000, height=9_000)),
    "jp2: a box that ends before it begins": ("jp2", lambda: files.photo("jp2")[:12] + struct.pack(">I4s", 3, b"ftyp")),
    "jp2: only a codestream's mark": ("jp2", lambda: b"\xff\x4f\xff\x51"),
    "tga: 60,000 x 60,000 pixels": ("tga", lambda: struct.pack("<BBB9xHHBB", 0, 0, 10, LARGE, LARGE, 24, 0)),
    "qoi: 60,000 x 60,000 pixels": ("qoi", lambda: b"qoif" + struct.pack(">IIBB", LARGE, LARGE, 4, 0) + b"\xfd" * 99),
    "qoi: million pixels than there is time for": (
        "qoi", lambda: b"qoif" + struct.pack(">IIBB", 9_000, 9_000, 4, 0) + b"\xfd" * 1_400_000,
    ),
    "pcx: 65,536 x 65,536 pixels": (
        "pcx", lambda: struct.pack("<BBBB4H", 10, 5, 1, 8, 0, 0, 65_535, 65_535).ljust(65, b"\0") + b"\3" + bytes(99),
    ),
    "dds: 60,000 x 60,000 pixels": (
        "dds", lambda: b"DDS " + struct.pack("<4I", 124, 0, LARGE, LARGE) + files.saved(disc(), "dds")[20:],
    ),
    "dds: no bits a pixel": (
        "dds", lambda: files.saved(disc(), "dds")[:88] + bytes(4) + files.saved(disc(), "dds")[92:],
    ),
    "icns: a picture of 60,000 x 60,000 pixels": ("icns", lambda: icns(png(LARGE, LARGE))),
    "icns: JPEG 2000 of 60,000 x 60,000 pixels": ("icns", lambda: icns(jp2(width=LARGE, height=LARGE))),
    "icns: EPS": ("icns", lambda: icns(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n")),
    "icns: an entry without a length": ("icns", lambda: b"icns" + struct.pack(">I4sI", 16, b"icp6", 0)),
    "ppm: 60,000 x 60,000 pixels": ("ppm", lambda: b"P6 60000 60000 255\n"),
    "ppm: a side that is less than nothing": ("ppm", lambda: b"P6 -9 9 255\n" + bytes(300)),
    "ppm: a number of a million digits": ("ppm", lambda: b"P6 " + b"9" * 1_000_000 + b" 9 255\n"),
    "ppm: a comment without an end": ("ppm", lambda: b"P3 #" + b"a" * 1_000_000),
    "ppm: nothing is the brightest": ("ppm", lambda: b"P6 9 9 0\n" + bytes(300)),
    "sgi: 65,535 x 65,535 pixels": (
        "sgi", lambda: struct.pack(">HBBHHHH", 474, 1, 1, 3, 65_535, 65_535, 3).ljust(600, b"\0"),
    ),
    "sgi: runs that start behind the end": (
        "sgi", lambda: struct.pack(">HBBHHHH", 474, 1, 1, 3, 9, 9, 3).ljust(512, b"\0") + b"\xff" * 300,
    ),
}  # fmt: skip


def disc() -> Image.Image:
    return pictures.logo_image().convert("RGB")


def png(width: int, height: int) -> bytes:
    data = bytearray(pictures.photo("png"))
    data[16:24] = struct.pack(">II", width, height)
    import zlib

    data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    return bytes(data)


def icns(data: bytes) -> bytes:
    return b"icns" + struct.pack(">I4sI", 16 + len(data), b"ic09", 8 + len(data)) + data


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_picture_is_refused(tmp_path: Path, name: str) -> None:
    format, make = HOSTILE[name]
    for output in ("jpg", "pdf"):
        with pytest.raises((Unreadable, OverLimit)) as raised:
            convert(tmp_path, f"{format}-to-{output}", make())
        if "pixels" in name and "EPS" not in name:
            assert isinstance(raised.value, OverLimit)


@pytest.mark.examples
@pytest.mark.parametrize("format", files.READ_ONLY)
def test_mutated_picture_is_converted_or_refused(tmp_path: Path, format: str) -> None:
    chance = random.Random(format)
    slugs = [slug for slug in CONVERTERS if slug.startswith(f"{format}-to-") and not slug.endswith("-avif")]
    special = {
        "psd": [files.layered()], "dds": [files.surface()], "tga": [files.targa()], "icns": [files.apple_icon()],
        "ppm": [files.deep("ppm"), b"P3 4 4 9\n" + b"1 5 9 " * 16], "sgi": [files.deep("sgi")],
        "pcx": [files.indexed()],
    }  # fmt: skip
    seeds = [files.photo(format), *special.get(format, [])]
    for _ in range(examples(40)):
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.choice((1, 2, 8))):
            at = chance.randrange(min(len(data), 300) if chance.random() < 0.6 else len(data))
            data[at] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
        if FORMATS[format].recognises(bytes(data[:4096])):
            with contextlib.suppress(Unreadable, OverLimit):
                convert(tmp_path, chance.choice(slugs), bytes(data))


@pytest.mark.parametrize("format", files.READ_ONLY)
def test_content_tells_the_formats_apart(format: str) -> None:
    data = files.photo(format)[:4096]
    others = [
        each.id
        for each in FORMATS.values()
        if each.content_type.startswith("image/") and each.id not in (format, "svg", "zip") and each.recognises(data)
    ]
    assert FORMATS[format].recognises(data)
    assert others == []


def test_other_pictures_are_no_targa() -> None:
    for format in ("png", "jpg", "webp", "gif", "bmp", "tiff", "ico"):
        assert not FORMATS["tga"].recognises(pictures.photo(format)[:4096]), format


def test_colours_of_a_document_are_freed_from_the_white_they_are_mixed_with(tmp_path: Path) -> None:
    glass = Image.new("RGBA", (64, 48), (0, 0, 255, 128))
    mixed = Image.alpha_composite(Image.new("RGBA", glass.size, "white"), glass)
    mixed.putalpha(128)
    result, _ = convert(tmp_path, "psd-to-png", files.photoshop(mixed, layers=1, transparent=True))
    assert near(look(result, "png").at(9, 9), (0, 0, 255, 128), 2)


def test_saved_selection_of_a_document_is_not_its_transparency(tmp_path: Path) -> None:
    picture = pictures.photo_image().copy()
    picture.putalpha(0)
    result, warnings = convert(tmp_path, "psd-to-png", files.photoshop(picture, layers=1))
    assert warnings == ["CONTENT_DROPPED"]
    assert colours(result) == colours(pictures.photo("png"))


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
def test_document_in_every_mode_shows_the_photo(tmp_path: Path, mode: str) -> None:
    result, warnings = convert(tmp_path, "psd-to-png", files.photoshop(pictures.photo_image().convert(mode)))
    assert warnings == (["COLOR_CONVERTED"] if mode == "CMYK" else [])
    wanted = pictures.photo_image().convert(mode).convert("RGB")
    seen = look(result, "png")
    for x, y in pictures.CORNERS:
        found = seen.at(x, y)
        assert near((found * 3)[:3] if mode == "L" else found, wanted.getpixel((x, y)), 2)


def test_document_without_its_flattened_picture_is_refused(tmp_path: Path) -> None:
    version = struct.pack(">IBI", 1, 0, 0)
    with pytest.raises(Unreadable, match="flattened"):
        convert(tmp_path, "psd-to-png", files.photoshop(disc(), resources=((1057, version),)))


@pytest.mark.parametrize("bits", [16, 32])
def test_document_of_more_bits_than_are_read_is_refused_by_name(tmp_path: Path, bits: int) -> None:
    with pytest.raises(Unreadable, match=f"{bits} bits"):
        convert(tmp_path, "psd-to-png", files.photoshop(disc(), bits=bits))


def test_metadata_of_a_document_is_kept(tmp_path: Path) -> None:
    exif = pictures.exif().tobytes()[6:]
    resolution = struct.pack(">IHHIHH", 300 << 16, 1, 1, 300 << 16, 1, 1)
    source = files.photoshop(disc(), resources=((1005, resolution), (1058, exif), (1060, b"<x:xmpmeta/>")))
    result, warnings = convert(tmp_path, "psd-to-jpg", source)
    assert warnings == []
    with Image.open(io.BytesIO(result)) as image:
        assert image.getexif()[ExifTags.Base.Make] == "Camera Works"
        assert image.info["dpi"] == (300, 300)
        assert image.info["xmp"] == b"<x:xmpmeta/>"


def test_profile_and_metadata_in_the_boxes_of_jpeg_2000_are_kept(tmp_path: Path) -> None:
    colour = box(b"colr", b"\2\0\0" + wide_profile())
    exif = box(b"uuid", b"JpgTiffExif->JP2" + pictures.exif().tobytes()[6:])
    result, warnings = convert(tmp_path, "jp2-to-png", jp2(header=colour, more=exif))
    assert warnings == []
    assert look(result, "png").fields["icc-profile-data"] == wide_profile()
    with Image.open(io.BytesIO(result)) as image:
        assert image.getexif()[ExifTags.Base.Make] == "Camera Works"


@pytest.mark.parametrize(
    ("masks", "pixel"),
    [
        ((0xFF0000, 0xFF00, 0xFF), struct.pack("<I", 0x00DC1E1E)[:3]),
        ((0xFF, 0xFF00, 0xFF0000), struct.pack("<I", 0x001E1EDC)[:3]),
        ((0xFF00, 0xFF, 0xFF0000), struct.pack("<I", 0x001EDC1E)[:3]),
        ((0xF800, 0x07E0, 0x001F), struct.pack("<H", (220 >> 3) << 11 | (30 >> 2) << 5 | 30 >> 3)),
        ((0xFF0000, 0xFF00, 0xFF), struct.pack("<I", 0x00DC1E1E)),
    ],
)
def test_texture_without_compression_is_read_by_its_masks(
    tmp_path: Path, masks: tuple[int, int, int], pixel: bytes
) -> None:
    head = b"DDS " + struct.pack("<7I", 124, 0x100F, 48, 64, 0, 0, 0) + bytes(44)
    head += struct.pack("<8I", 32, 0x40, 0, 8 * len(pixel), *masks, 0) + bytes(20)
    result, _ = convert(tmp_path, "dds-to-png", head + pixel * 64 * 48)
    assert near(look(result, "png").at(20, 20), pictures.CORNERS[(8, 8)], 8)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"P1 # a comment\n2 2\n1 0\n0 1\n", [0, 255, 255, 0]),
        (b"P4 2 2\n" + bytes((0b10000000, 0b01000000)), [0, 255, 255, 0]),
        (b"P2 2 2 10\n0 10\n5 2\n", [0, 255, 128, 51]),
        (b"P5 2 2 100\n" + bytes((0, 100, 50, 20)), [0, 255, 128, 51]),
        (b"P5 2 2 1000\n" + struct.pack(">4H", 0, 1000, 500, 200), [0, 65535, 32768, 13107]),
        (b"P6 2 2 100\n" + bytes((0, 0, 0, 100, 100, 100, 50, 50, 50, 20, 20, 20)), [0, 255, 128, 51]),
    ],
)
def test_anymap_is_scaled_from_its_own_brightest_value(tmp_path: Path, data: bytes, expected: list[int]) -> None:
    result, warnings = convert(tmp_path, "ppm-to-png", data)
    seen = look(result, "png")
    found = [seen.at(x, y)[0] for y in range(2) for x in range(2)]
    assert all(abs(one - other) <= max(1, other // 255) for one, other in zip(found, expected, strict=True)), found
    assert warnings == []


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_every_operation_of_qoi_is_decoded_exactly(tmp_path: Path, mode: str) -> None:
    chance = random.Random(7)
    image = Image.new(mode, (40, 30))
    value = [9, 9, 9, 255]
    pixels: list[tuple[int, ...]] = []
    seen = [tuple(value)]
    while len(pixels) < 1200:
        kind = chance.randrange(5)
        if kind == 0:
            value = [chance.randrange(256) for _ in range(4)]
        elif kind == 1:
            value = [(each + chance.randrange(-2, 2)) % 256 for each in value[:3]] + value[3:]
        elif kind == 2:
            by = chance.randrange(-32, 32)
            value = [
                (each + by + chance.randrange(-8, 8) * (at != 1)) % 256 for at, each in enumerate(value[:3])
            ] + value[3:]
        elif kind == 3:
            value = list(chance.choice(seen))
        pixels += [tuple(value[: len(mode)])] * (chance.randrange(1, 99) if kind == 4 else 1)
        seen.append(tuple(value))
    image.putdata(pixels[:1200])
    result, _ = convert(tmp_path, "qoi-to-png", files.saved(image, "qoi"))
    assert colours(result) == colours(pictures.saved(image, "png"))


@pytest.mark.examples
@pytest.mark.parametrize("format", [each for each in ("jxl", "raw") if f"{each}-to-png" in CONVERTERS])
def test_mutated_picture_of_an_extra_is_converted_or_refused(tmp_path: Path, format: str) -> None:
    chance = random.Random(format)
    seeds = [extra_pictures.jxl(), extra_pictures.jxl("RGBA")] if format == "jxl" else [extra_pictures.dng(6)]
    for _ in range(examples(30)):
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.choice((1, 2, 8))):
            data[chance.randrange(min(len(data), 600))] = chance.randrange(256)
        if FORMATS[format].recognises(bytes(data[:4096])):
            with contextlib.suppress(Unreadable, OverLimit):
                convert(tmp_path, f"{format}-to-{chance.choice(('png', 'jpg', 'tiff'))}", bytes(data))


@pytest.mark.skipif("raw-to-png" not in CONVERTERS, reason="LibRaw is an extra")
def test_raw_file_of_a_billion_pixels_is_refused(tmp_path: Path) -> None:
    data = bytearray(extra_pictures.dng())
    for at in range(10, 10 + 12 * 4, 12):
        if struct.unpack_from("<H", data, at)[0] in (256, 257):
            struct.pack_into("<I", data, at + 8, 32_000)
    for output in ("png", "jpg"):
        with pytest.raises((OverLimit, Unreadable)):
            convert(tmp_path, f"raw-to-{output}", bytes(data))


@pytest.mark.skipif("raw-to-png" not in CONVERTERS, reason="LibRaw is an extra")
def test_tiff_that_is_no_raw_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        convert(tmp_path, "raw-to-png", pictures.photo("tiff"))


@pytest.mark.skipif("jxl-to-png" not in CONVERTERS, reason="libjxl is an extra")
def test_profile_of_a_jpeg_xl_is_kept_and_its_turning_applied_once(tmp_path: Path) -> None:
    import numpy
    import pylibjxl

    exif = pictures.exif(Orientation=6).tobytes()
    source = pylibjxl.encode(numpy.asarray(pictures.photo_image()), lossless=True, icc=wide_profile(), exif=exif)
    result, _ = convert(tmp_path, "jxl-to-png", source)
    seen = look(result, "png")
    assert (seen.width, seen.height) == pictures.SIZE  # what turns a JPEG XL is in its header, not in its Exif
    assert seen.fields["icc-profile-data"] == wide_profile()


def test_pictures_that_are_larger_than_memory_or_time_allows_are_refused_by_their_header(tmp_path: Path) -> None:
    for format in ("jp2", "qoi"):
        name = next(each for each in HOSTILE if each.startswith(format) and "million pixels" in each)
        with pytest.raises(ConversionError):
            convert(tmp_path, f"{format}-to-png", HOSTILE[name][1]()[:80])
