"""TIFFs that Pillow can't decode: floating-point, signed and 32-bit samples, and big-endian BigTIFFs."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image, TiffImagePlugin

from engine.conversion import convert
from engine.toolkit.failures import Unreadable

SIDE = 16
_TYPES = {2: (1, "s"), 3: (2, "H"), 4: (4, "I"), 16: (8, "Q")}


def _tiff(samples: str, format: int, values: Sequence[float], *, bands: int = 3, extra: tuple[int, ...] = ()) -> bytes:
    """A TIFF of SIDE by SIDE pixels, with samples of this `struct` letter."""
    pixels = struct.pack(f"<{len(values)}{samples}", *values)
    bits = struct.calcsize(samples) * 8
    entries = {
        256: (3, [SIDE]), 257: (3, [SIDE]), 258: (3, [bits] * bands), 259: (3, [1]), 262: (3, [2 if bands > 2 else 1]),
        273: (4, [8]), 277: (3, [bands]), 278: (3, [SIDE]), 279: (4, [len(pixels)]), 339: (3, [format] * bands),
    }  # fmt: skip
    if extra:
        entries[338] = (3, [*extra])
    place = 8 + len(pixels)
    outside = place + 2 + 12 * len(entries) + 4
    rows, behind = b"", b""
    for tag, (kind, numbers) in sorted(entries.items()):
        value = struct.pack(f"<{len(numbers)}{_TYPES[kind][1]}", *numbers)
        if len(value) > 4:
            behind, value = behind + value, struct.pack("<I", outside + len(behind))
        rows += struct.pack("<HHI", tag, kind, len(numbers)) + value.ljust(4, b"\0")
    return struct.pack("<2sHI", b"II", 42, place) + pixels + struct.pack("<H", len(entries)) + rows + bytes(4) + behind


def _big(pages: int) -> bytes:
    """A big-endian BigTIFF whose pages are red and have an Exif directory."""
    data = b"MM\0+\0\x08\0\0" + bytes(8)
    link = 8
    for _ in range(pages):
        pixels, data = len(data), data + bytes([200, 10, 20]) * SIDE * SIDE
        nested, data = len(data), data + struct.pack(">QHHQHHIQ", 1, 33437, 5, 1, 0, 0, 0, 0)
        data = data[:nested] + struct.pack(">QHHQII", 1, 33437, 5, 1, 28, 10) + bytes(8)
        entries = {
            256: (4, [SIDE]), 257: (4, [SIDE]), 258: (3, [8] * 3), 259: (3, [1]), 262: (3, [2]),
            273: (16, [pixels]), 277: (3, [3]), 278: (4, [SIDE]), 279: (16, [SIDE * SIDE * 3]), 34665: (16, [nested]),
        }  # fmt: skip
        named, data = len(data), data + b"A red page\0"
        rows = struct.pack(">HHQQ", 270, 2, 11, named)
        for tag, (kind, numbers) in sorted(entries.items()):
            value = struct.pack(f">{len(numbers)}{_TYPES[kind][1]}", *numbers)
            rows += struct.pack(">HHQ", tag, kind, len(numbers)) + value.ljust(8, b"\0")
        at = len(data)
        data = data[:link] + struct.pack(">Q", at) + data[link + 8 :]
        data += struct.pack(">Q", len(entries) + 1) + rows + bytes(8)
        link = len(data) - 8
    return data


def _converted(folder: Path, data: bytes, target: str) -> tuple[Path, list[str]]:
    source = folder / "input.tiff"
    source.write_bytes(data)
    result = convert(source, folder / target, sandbox=False)
    return result.path, [f"{each.code} {each.message}" for each in result.warnings]


RAMP = [(number % 256) / 255 for number in range(SIDE * SIDE * 3)]


@pytest.mark.parametrize(
    ("samples", "format", "scale", "offset"),
    [
        ("f", 3, 1, 0), ("f", 3, 255, 0), ("f", 3, 65_535, 0), ("f", 3, 3, -1.5), ("I", 1, 65_535, 0),
        ("h", 2, 65_535, -32_768), ("b", 2, 255, -128),
    ],
)  # fmt: skip
@pytest.mark.parametrize("target", ["out.png", "out.jpg"])
def test_samples_of_every_kind_become_the_same_colours(
    samples: str, format: int, scale: float, offset: float, target: str, tmp_path: Path
) -> None:
    values = [each * scale + offset for each in RAMP]
    whole = values if samples in "fd" else [round(each) for each in values]
    made, warned = _converted(tmp_path, _tiff(samples, format, whole), target)
    with Image.open(made) as picture:
        assert picture.size == (SIDE, SIDE)
        if target == "out.png":
            shown = picture.convert("RGB").tobytes()
            assert max(abs(one - round(255 * other)) for one, other in zip(shown, RAMP, strict=True)) <= 1
    if samples != "b" and (samples != "h" or target == "out.jpg"):
        assert "COLOR_CONVERTED" in {each.partition(" ")[0] for each in warned}


def test_transparency_of_floating_point_colours_is_kept(tmp_path: Path) -> None:
    data = _tiff("f", 3, [1.0, 0.5, 0.0, 0.25] * SIDE * SIDE, bands=4, extra=(2,))
    made, _ = _converted(tmp_path, data, "out.webp")
    with Image.open(made) as picture:
        assert picture.mode == "RGBA"
        assert picture.getchannel("A").getextrema() == (64, 64)


def test_floating_point_grey_from_0_to_1_is_as_light_as_it_says(tmp_path: Path) -> None:
    made, _ = _converted(tmp_path, _tiff("f", 3, [0.5] * SIDE * SIDE, bands=1), "out.png")
    with Image.open(made) as picture:
        assert picture.convert("L").getextrema() == (128, 128)


@pytest.mark.parametrize("samples", ["d", "e", "Q"])
def test_samples_that_are_not_read_are_refused_by_their_bits(samples: str, tmp_path: Path) -> None:
    values = [each if samples == "Q" else 0.5 for each in range(SIDE * SIDE * 3)]
    with pytest.raises(Unreadable, match=f"has {struct.calcsize(samples) * 8} bits per channel"):
        _converted(tmp_path, _tiff(samples, 1 if samples == "Q" else 3, values), "out.png")


def test_a_big_endian_bigtiff_has_all_its_pages(tmp_path: Path) -> None:
    made, _ = _converted(tmp_path, _big(2), "out.tiff")
    with TiffImagePlugin.TiffImageFile(str(made)) as picture:
        assert picture.n_frames == 2
        picture.seek(1)
        assert picture.convert("RGB").getpixel((5, 5)) == (200, 10, 20)


def test_a_big_endian_bigtiff_is_read_with_its_metadata(tmp_path: Path) -> None:
    made, warned = _converted(tmp_path, _big(1), "out.tiff")
    assert warned == []
    with TiffImagePlugin.TiffImageFile(str(made)) as picture:
        assert picture.convert("RGB").getpixel((5, 5)) == (200, 10, 20)
        assert picture.tag_v2[270] == "A red page"
        assert float(picture.getexif().get_ifd(34665)[33437]) == 2.8


def test_directories_of_a_bigtiff_in_a_circle_are_damage(tmp_path: Path) -> None:
    data = bytearray(_big(1))
    data[-8:] = data[8:16]
    with pytest.raises(Unreadable):
        _converted(tmp_path, bytes(data), "out.png")
