"""Pictures whose file is cut off are read as far as they go, and the rows that are missing are counted."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from engine.conversion import convert
from engine.toolkit.failures import Unreadable

MISSING = re.compile(r"The file is cut off or damaged: (\d+) of 150 rows of pixels are missing or incomplete\.")


def _noise() -> Image.Image:
    return Image.merge("RGB", [Image.effect_noise((200, 150), 80) for _ in range(3)])


def _file(picture: Image.Image, format: str, part: float = 0.6, **how: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, format, **how)
    data = file.getvalue()
    return data[: round(len(data) * part)]


def _converted(folder: Path, name: str, data: bytes, target: str) -> tuple[Path, list[str]]:
    source = folder / name
    source.write_bytes(data)
    result = convert(source, folder / target, sandbox=False)
    return result.path, [each.message for each in result.warnings]


@pytest.mark.parametrize(
    ("name", "format", "how"),
    [
        ("a.png", "PNG", {}),
        ("a.jpg", "JPEG", {"quality": 95}),
        ("a.tga", "TGA", {}),
        ("a.tga", "TGA", {"compression": "tga_rle"}),
        ("a.pcx", "PCX", {}),
        ("a.ppm", "PPM", {}),
        ("a.tiff", "TIFF", {}),
        ("a.bmp", "BMP", {}),
    ],
)
@pytest.mark.parametrize("target", ["out.png", "out.jpg"])
def test_rows_that_are_missing_are_counted_and_the_others_kept(
    name: str, format: str, how: dict[str, object], target: str, tmp_path: Path
) -> None:
    whole = _noise()
    made, warned = _converted(tmp_path, name, _file(whole, format, **how), target)
    (found,) = filter(None, map(MISSING.fullmatch, warned))
    missing = int(found[1])
    assert 45 <= missing <= 75
    with Image.open(made) as picture:
        assert picture.size == (200, 150)
        if target == "out.png" and format not in ("JPEG", "BMP", "TGA"):
            kept = (0, 0, 200, 150 - missing)
            assert picture.convert("RGB").crop(kept).tobytes() == whole.crop(kept).tobytes()
            assert picture.convert("RGB").crop((0, 151 - missing, 200, 150)).getextrema() == ((128, 128),) * 3


@pytest.mark.parametrize("target", ["out.jpg", "out.pdf", "out.webp"])
def test_a_jpeg_in_passes_that_is_cut_off_is_shown_with_fewer_details(target: str, tmp_path: Path) -> None:
    _, warned = _converted(tmp_path, "a.jpg", _file(_noise(), "JPEG", progressive=True), target)
    assert [each for each in warned if "passes is incomplete" in each]
    assert not [each for each in warned if "behind the picture" in each]


def test_an_interlaced_png_that_is_cut_off_is_read(tmp_path: Path) -> None:
    rows = Image.linear_gradient("L").resize((200, 150))
    data = _interlaced(rows)
    made, warned = _converted(tmp_path, "a.png", data[: len(data) * 7 // 10], "out.png")
    assert [each for each in warned if MISSING.fullmatch(each)]
    with Image.open(made) as picture:
        assert picture.size == (200, 150)


def _interlaced(picture: Image.Image) -> bytes:
    """A PNG of grey pixels in the seven passes of Adam7 (PNG, third edition, 8.2)."""
    import struct
    import zlib

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    raw = b""
    for left, top, across, down in (
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ):  # fmt: skip
        for row in range(top, picture.height, down):
            raw += b"\0" + bytes(picture.getpixel((at, row)) for at in range(left, picture.width, across))
    head = struct.pack(">IIBBBBB", *picture.size, 8, 0, 0, 0, 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw, 0)) + chunk(b"IEND", b"")


def test_a_cut_jpeg_becomes_a_page_of_its_rows(tmp_path: Path) -> None:
    made, warned = _converted(tmp_path, "a.jpg", _file(_noise(), "JPEG", quality=95), "out.pdf")
    assert len([each for each in warned if MISSING.fullmatch(each)]) == 1
    assert made.read_bytes().startswith(b"%PDF")


def test_the_missing_part_of_a_transparent_picture_is_transparent(tmp_path: Path) -> None:
    made, _ = _converted(tmp_path, "a.png", _file(_noise().convert("RGBA"), "PNG"), "out.png")
    with Image.open(made) as picture:
        assert picture.getpixel((199, 149)) == (0, 0, 0, 0)


@pytest.mark.parametrize("part", [0.003, 0.005])
def test_a_picture_without_a_single_row_is_refused(part: float, tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        _converted(tmp_path, "a.png", _file(_noise(), "PNG", part), "out.jpg")


@pytest.mark.parametrize("how", [{}, {"transparency": 0}, {"interlace": False}, {"interlace": False, "comment": b"x"}])
@pytest.mark.parametrize("target", ["out.jpg", "out.png", "out.gif", "out.pdf"])
def test_a_gif_that_is_cut_off_has_the_colours_of_its_rows(target: str, how: dict[str, object], tmp_path: Path) -> None:
    whole = _noise().quantize(255, dither=Image.Dither.NONE)
    data = _file(whole, "GIF", part=1, **how)
    made, warned = _converted(tmp_path, "a.gif", data[: round(len(data) * 0.6)], target)
    assert [each for each in warned if "rows of pixels are missing" in each]
    if target == "out.png" and "interlace" in how:
        kept = (0, 0, 200, 60)
        with Image.open(made) as picture:
            assert picture.convert("RGB").crop(kept).tobytes() == whole.convert("RGB").crop(kept).tobytes()
