"""Windows bitmaps of the rarer kinds: bit fields anywhere, two bits a pixel, long palettes, their own profile."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest
from PIL import Image, ImageCms

from engine.toolkit.failures import OverLimit, Unreadable
from tests.converters.test_images import convert
from tests.families.images.looks import look, near

PIXELS = ((255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (255, 255, 255, 0), (128, 64, 192, 128), (0, 0, 0, 255))
WIDTH, HEIGHT = 3, 2
FIELDS = {
    "blue above green above red": (32, (0xFF000000, 0xFF0000, 0xFF00, 0)),
    "a byte of nothing below blue": (32, (0xFF00, 0xFF0000, 0xFF000000, 0)),
    "11, 11 and 10 bits": (32, (0xFFE00000, 0x1FFC00, 0x3FF, 0)),
    "10 bits and 2 of alpha": (32, (0x3FF00000, 0xFFC00, 0x3FF, 0xC0000000)),
    "6, 17, 5 and 4 bits": (32, (0xFC000000, 0x3FFFE00, 0x1F0, 0xF)),
    "4 bits each": (16, (0xF00, 0xF0, 0xF, 0xF000)),
    "5 bits each and 1 of alpha": (16, (0x7C00, 0x3E0, 0x1F, 0x8000)),
    "2, 3 and 1 bits": (16, (0x30, 0xE, 0x1, 0)),
}


def bitmap(
    bits: int,
    masks: tuple[int, int, int, int],
    *,
    size: int = 56,
    upward: bool = True,
    width: int = WIDTH,
    height: int = HEIGHT,
) -> bytes:
    """A bitmap of PIXELS with these bit fields; a header of 40 bytes has the masks behind it."""
    rows = []
    for top in range(HEIGHT):
        row = b""
        for pixel in PIXELS[top * WIDTH : top * WIDTH + WIDTH]:
            word = 0
            for value, mask in zip(pixel, masks, strict=True):
                shift = (mask & -mask).bit_length() - 1 if mask else 0
                word |= round(value / 255 * (mask >> shift)) << shift
            row += word.to_bytes(bits // 8, "little")
        rows.append(row + bytes(-len(row) % 4))
    pixels = b"".join(reversed(rows) if upward else rows)
    compression = 6 if size == 40 and masks[3] else 3
    fields = struct.pack("<4I" if masks[3] or size >= 56 else "<3I", *masks[: 4 if masks[3] or size >= 56 else 3])
    header = struct.pack(
        "<IiiHHIIiiII", size, width, height if upward else -height, 1, bits, compression, len(pixels), 0, 0, 0, 0
    )
    header += fields + bytes(max(0, size - len(header) - len(fields)))
    return struct.pack("<2sIII", b"BM", 14 + len(header) + len(pixels), 0, 14 + len(header)) + header + pixels


@pytest.mark.parametrize("upward", [True, False])
@pytest.mark.parametrize("size", [40, 56, 108])
@pytest.mark.parametrize("name", FIELDS)
def test_bit_fields_anywhere_are_read(tmp_path: Path, name: str, size: int, upward: bool) -> None:
    bits, masks = FIELDS[name]
    result, _ = convert(tmp_path, "bmp-to-png", bitmap(bits, masks, size=size, upward=upward))
    seen = look(result, "png")
    assert (seen.width, seen.height) == (WIDTH, HEIGHT)
    for at, pixel in enumerate(PIXELS):
        found = seen.at(at % WIDTH, at // WIDTH)
        for channel, (value, mask) in enumerate(zip(pixel, masks, strict=True)):
            if mask and (channel < 3 or len(found) == 4):
                assert abs(found[channel] - value) <= 130 // (2 ** mask.bit_count() - 1) + 1, (at, found, pixel)
        assert len(found) == 4 if masks[3] else found[3:] in ((), (255,))


@pytest.mark.parametrize("name", ["5 bits each and 1 of alpha", "4 bits each"])
def test_a_bitmap_whose_alpha_is_nothing_everywhere_is_opaque(tmp_path: Path, name: str) -> None:
    bits, masks = FIELDS[name]
    data = bitmap(bits, masks)
    unset = (~masks[3] & (1 << bits) - 1).to_bytes(bits // 8, "little")
    start = int.from_bytes(data[10:14], "little")
    pixels = bytes(each & unset[at % len(unset)] for at, each in enumerate(data[start:]))

    seen = look(convert(tmp_path, "bmp-to-png", data[:start] + pixels)[0], "png")

    assert near(seen.at(0, 0)[:3], PIXELS[0][:3], 0)
    assert seen.at(0, 0)[3:] in ((), (255,))


def test_more_than_eight_bits_a_channel_are_said_to_be_reduced(tmp_path: Path) -> None:
    for name, codes in (("11, 11 and 10 bits", ["COLOR_CONVERTED"]), ("4 bits each", [])):
        assert convert(tmp_path, "bmp-to-png", bitmap(*FIELDS[name]))[1] == codes


def test_bit_fields_with_gaps_or_pixels_missing_are_refused(tmp_path: Path) -> None:
    bits, masks = FIELDS["4 bits each"]
    for damaged in (bitmap(32, (0xF0F0, 0xFF0000, 0xFF000000, 0)), bitmap(bits, masks)[:-3]):
        with pytest.raises(Unreadable):
            convert(tmp_path, "bmp-to-png", damaged)
    with pytest.raises(OverLimit):
        convert(tmp_path, "bmp-to-png", bitmap(bits, masks, width=60_000, height=60_000))


def _indexed(bits: int, colours: list[tuple[int, int, int]], rows: list[bytes], width: int) -> bytes:
    palette = b"".join(bytes((blue, green, red, 0)) for red, green, blue in colours)
    pixels = b"".join(row + bytes(-len(row) % 4) for row in reversed(rows))
    header = struct.pack("<IiiHHIIiiII", 40, width, len(rows), 1, bits, 0, len(pixels), 0, 0, len(colours), 0)
    start = 14 + len(header) + len(palette)
    return struct.pack("<2sIII", b"BM", start + len(pixels), 0, start) + header + palette + pixels


def test_two_bits_a_pixel_are_read(tmp_path: Path) -> None:
    colours = [(0, 0, 0), (220, 30, 30), (30, 200, 30), (240, 240, 20)]
    result, codes = convert(tmp_path, "bmp-to-png", _indexed(2, colours, [b"\x1b\x40", b"\xe4\x80"], 5))
    seen = look(result, "png")
    for top, row in enumerate(((0, 1, 2, 3, 1), (3, 2, 1, 0, 2))):
        assert all(near(seen.at(left, top)[:3], colours[index], 0) for left, index in enumerate(row))
    assert codes == []


def test_a_palette_that_is_too_long_is_read_as_far_as_pixels_reach(tmp_path: Path) -> None:
    colours = [(each % 256, 255 - each % 256, 40) for each in range(300)]
    seen = look(convert(tmp_path, "bmp-to-png", _indexed(8, colours, [bytes((0, 100, 255))], 3))[0], "png")
    assert [seen.at(left, 0)[:3] for left in range(3)] == [colours[0], colours[100], colours[255]]


def test_the_profile_of_a_bitmap_is_kept(tmp_path: Path) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    head = bytearray(bitmap(32, (0xFF0000, 0xFF00, 0xFF, 0), size=124))
    head[70:74] = b"DEBM"
    struct.pack_into("<II", head, 14 + 112, len(head) - 14, len(profile))
    result, _ = convert(tmp_path, "bmp-to-png", bytes(head) + profile)
    (tmp_path / "kept.png").write_bytes(result)
    with Image.open(tmp_path / "kept.png") as image:
        assert image.info["icc_profile"] == profile


PALETTE = b"".join(bytes((blue, green, red, 0)) for red, green, blue, _ in PIXELS)
RUNS = {
    "pairs, and single pixels": (8, 1, 40, b"\3\3\0\0\0\3\0\1\2\0\0\1", (0, 1, 2, 3, 3, 3)),
    "the lower row, and no more": (8, 1, 40, b"\x02\x05\0\1", (0, 0, 0, 5, 5, 0)),
    "a step over pixels": (8, 1, 40, b"\0\2\1\1\2\4\0\1", (0, 4, 4, 0, 0, 0)),
    "a run beyond the edge": (8, 1, 40, b"\xff\5\0\0\3\4\0\1", (4, 4, 4, 5, 5, 5)),
    "no end, but all rows": (8, 1, 40, b"\3\5\0\0\3\4", (4, 4, 4, 5, 5, 5)),
    "two pixels by turns": (4, 2, 40, b"\3\x12\0\0\0\3\x34\x50\0\1", (3, 4, 5, 1, 2, 1)),
    "three bytes a pixel": (24, 4, 64, b"\2\0\0\xff\1\xff\0\0\0\0\3\0\xff\0\0\1", (1, 1, 1, 0, 0, 2)),
}


def packed(bits: int, compression: int, size: int, pixels: bytes) -> bytes:
    colours = PALETTE if 0 < bits <= 8 else b""
    header = struct.pack(
        "<IiiHHIIiiII", size, WIDTH, HEIGHT, 1, bits, compression, len(pixels), 0, 0, len(colours) // 4, 0
    )
    start = 14 + size + len(colours)
    return struct.pack("<2sIII", b"BM", start + len(pixels), 0, start) + header.ljust(size, b"\0") + colours + pixels


@pytest.mark.parametrize("name", RUNS)
def test_runs_are_read_as_far_as_they_are_drawn(tmp_path: Path, name: str) -> None:
    bits, compression, size, pixels, wanted = RUNS[name]
    found, _ = convert(tmp_path, "bmp-to-png", packed(bits, compression, size, pixels))
    picture = look(found, "png")
    places = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    assert [picture.at(*each)[:3] for each in places] == [PIXELS[each][:3] for each in wanted]


@pytest.mark.parametrize("pixels", [b"", b"\3\1\0\0", b"\3\1\0\0\0\3\1", b"\3\1\0\0\2"])
def test_runs_that_break_off_are_refused(tmp_path: Path, pixels: bytes) -> None:
    with pytest.raises(Unreadable):
        convert(tmp_path, "bmp-to-png", packed(8, 1, 40, pixels))


def test_a_header_of_os2_that_leaves_fields_out_is_read(tmp_path: Path) -> None:
    rows = bytes((3, 4, 5, 0, 0, 1, 2, 0))
    header = struct.pack("<IiiHH", 16, WIDTH, HEIGHT, 1, 8) + PALETTE.ljust(1024, b"\0")
    start = 14 + len(header)
    data = struct.pack("<2sIII", b"BM", start + len(rows), 0, start) + header + rows
    found, _ = convert(tmp_path, "bmp-to-png", data)
    picture = look(found, "png")
    assert [picture.at(x, 0)[:3] for x in range(WIDTH)] == [each[:3] for each in PIXELS[:3]]


def test_a_bitmap_around_a_png_is_that_png(tmp_path: Path) -> None:
    inside = io.BytesIO()
    Image.new("RGB", (WIDTH, HEIGHT), (10, 200, 30)).save(inside, "PNG")
    found, _ = convert(tmp_path, "bmp-to-png", packed(0, 5, 40, inside.getvalue()))
    assert look(found, "png").at(0, 0)[:3] == (10, 200, 30)
