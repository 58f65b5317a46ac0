"""Parts of pictures beside their plain colours: channels, colour maps, transparency, resolution, maps of gains."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.families.images import files as pictures
from tests.families.images import read_files as files
from tests.families.images.looks import look, near


def converted(slug: str, data: bytes, folder: Path, **options: Any) -> tuple[bytes, list[str]]:
    """The result, and the messages of the warnings."""
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    warn = Warn()
    auditing.run(converter, source, target, build(converter.options, options), warn)
    return target.read_bytes(), [str(each.message) for each in warn.warnings]


def mask() -> Image.Image:
    return Image.linear_gradient("L").resize(pictures.SIZE)


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_saved_selections_do_not_shift_the_colours(tmp_path: Path, mode: str, count: int) -> None:
    photo = pictures.photo_image().convert(mode)
    made, told = converted("psd-to-png", files.photoshop(photo, selections=(mask(),) * count), tmp_path)
    plain, _ = converted("psd-to-png", files.photoshop(photo), tmp_path)
    with Image.open(io.BytesIO(made)) as one, Image.open(io.BytesIO(plain)) as other:
        assert one.mode == other.mode
        assert one.tobytes() == other.tobytes()
    assert f"Saved selections (extra channels) were left out: {count}." in told


def test_selections_beside_transparency_are_left_out(tmp_path: Path) -> None:
    glass = Image.new("RGBA", pictures.SIZE, (255, 255, 255, 0))
    glass.paste((255, 0, 0, 255), (0, 0, 20, 48))
    document = files.photoshop(glass, layers=1, transparent=True, selections=(mask(),))
    made, told = converted("psd-to-png", document, tmp_path)
    seen = look(made, "png")
    assert near(seen.at(9, 9), (255, 0, 0, 255), 2)
    assert seen.at(50, 9)[3] == 0
    assert told == ["Saved selections (extra channels) were left out: 1."]


def test_transparency_of_a_grey_document_is_kept(tmp_path: Path) -> None:
    glass = Image.new("LA", pictures.SIZE, (255, 0))
    glass.paste((90, 255), (0, 0, 20, 48))
    made, told = converted("psd-to-png", files.photoshop(glass, layers=1, transparent=True), tmp_path)
    with Image.open(io.BytesIO(made)) as image:
        assert image.getpixel((9, 9)) == (90, 255)
        assert image.getpixel((50, 9))[1] == 0  # type: ignore[index]
    assert told == []


def test_the_profile_of_a_grey_document_with_transparency_applies(tmp_path: Path) -> None:
    glass = Image.new("LA", pictures.SIZE, (255, 0))
    glass.paste((90, 255), (0, 0, 20, 48))
    resources = ((1039, grey_profile()),)
    document = files.photoshop(glass, layers=1, transparent=True, resources=resources)
    kept, told = converted("psd-to-png", document, tmp_path)
    with Image.open(io.BytesIO(kept)) as image:
        assert image.info["icc_profile"] == grey_profile()
    assert told == []
    drawn, told = converted("psd-to-webp", document, tmp_path)
    with Image.open(io.BytesIO(drawn)) as image:
        assert near(image.convert("RGB").getpixel((9, 9)), (159, 159, 159), 4)  # type: ignore[arg-type]
    assert told == []


def test_saved_paths_are_named(tmp_path: Path) -> None:
    photo = pictures.photo_image()
    _, told = converted(
        "psd-to-png", files.photoshop(photo, resources=((2000, bytes(26)), (2001, bytes(26)))), tmp_path
    )
    assert told == ["Saved paths were left out: 2."]
    _, told = converted("psd-to-png", files.photoshop(photo, resources=((2998, bytes(26)), (2999, b""))), tmp_path)
    assert told == []


def grey_profile() -> bytes:
    """A profile of light that grows with the value (gamma 1), so that a value of 90 is seen as 159 in sRGB."""
    white = struct.pack(">3i", 63190, 65536, 54061)
    tags = {
        b"kTRC": b"curv" + bytes(4) + struct.pack(">IH", 1, 256),
        b"wtpt": b"XYZ " + bytes(4) + white,
    }
    table, data = struct.pack(">I", len(tags)), b""
    for name, each in tags.items():
        table += struct.pack(">4sII", name, 128 + 4 + 12 * len(tags) + len(data), len(each))
        data += each + bytes(-len(each) % 4)
    size = 128 + len(table) + len(data)
    head = struct.pack(">I4sI4s4s4s12x4s28x", size, bytes(4), 0x02100000, b"mntr", b"GRAY", b"XYZ ", b"acsp")
    return head + white + bytes(128 - len(head) - len(white)) + table + data


def mapped(most: int) -> bytes:
    """A TIFF of black and white stripes by a colour map whose values end at `most`."""
    width = height = 16
    stripes = b"".join(bytes([y // 4 % 2]) * width for y in range(height))
    table = [0, most, *[0] * 254] * 3
    entries = [
        (256, 3, 1, width), (257, 3, 1, height), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 3),
        (273, 4, 1, 8), (277, 3, 1, 1), (278, 3, 1, height), (279, 4, 1, len(stripes)), (320, 3, 768, 8 + len(stripes)),
    ]  # fmt: skip
    colours = struct.pack("<768H", *table)
    start = 8 + len(stripes) + len(colours)
    rows = b"".join(
        struct.pack("<HHI", tag, kind, count) + struct.pack("<I", value) for tag, kind, count, value in entries
    )
    return (
        struct.pack("<2sHI", b"II", 42, start) + stripes + colours + struct.pack("<H", len(entries)) + rows + bytes(4)
    )


@pytest.mark.parametrize("most", [255, 65_535])
def test_colour_maps_of_8_and_of_16_bits_are_read(tmp_path: Path, most: int) -> None:
    made, told = converted("tiff-to-png", mapped(most), tmp_path)
    with Image.open(io.BytesIO(made)) as image:
        plain = image.convert("RGB")
        assert [plain.getpixel((3, y)) for y in (1, 5)] == [(0, 0, 0), (255, 255, 255)]
    assert told == []


def targa(alpha: int) -> bytes:
    pixels = bytes((10, 200, 30, alpha)) * 256
    return struct.pack("<BBB5xHHHHBB", 0, 0, 2, 0, 0, 16, 16, 32, 8) + pixels


def test_an_alpha_of_a_targa_that_is_empty_hides_nothing(tmp_path: Path) -> None:
    made, told = converted("tga-to-png", targa(0), tmp_path)
    assert look(made, "png").at(4, 4)[:3] == (30, 200, 10)
    with Image.open(io.BytesIO(made)) as image:
        assert not image.has_transparency_data or image.getchannel("A").getextrema() == (255, 255)
    assert told == []


def test_an_animated_webp_says_that_it_is_transparent(tmp_path: Path) -> None:
    made, told = converted("gif-to-webp", pictures.film("gif", clear=True), tmp_path)
    with Image.open(io.BytesIO(made)) as image:
        assert image.mode == "RGBA"
        assert image.getpixel((60, 2))[3] == 0  # type: ignore[index]
    assert told == []


@pytest.mark.parametrize("output", ["webp", "avif"])
def test_the_resolution_goes_into_exif_where_there_is_no_other_place(tmp_path: Path, output: str) -> None:
    out = io.BytesIO()
    pictures.photo_image().save(out, "PNG", dpi=(300, 300))
    made, told = converted(f"png-to-{output}", out.getvalue(), tmp_path)
    assert told == []
    back, told = converted(f"{output}-to-png", made, tmp_path)
    assert told == []
    with Image.open(io.BytesIO(back)) as image:
        assert tuple(map(round, image.info["dpi"])) == (300, 300)


def test_the_resolution_is_named_where_there_is_no_place(tmp_path: Path) -> None:
    out = io.BytesIO()
    pictures.photo_image().save(out, "JPEG", dpi=(300, 300))
    _, told = converted("jpg-to-gif", out.getvalue(), tmp_path)
    assert "The resolution is missing from the result." in told


def test_packed_xmp_of_a_png_is_kept(tmp_path: Path) -> None:
    out = io.BytesIO()
    pictures.photo_image().save(out, "PNG")
    data = b"XML:com.adobe.xmp\0\0" + zlib.compress(b"<x:xmpmeta/>")
    chunk = struct.pack(">I", len(data)) + b"zTXt" + data + struct.pack(">I", zlib.crc32(b"zTXt" + data))
    made, told = converted("png-to-webp", out.getvalue()[:33] + chunk + out.getvalue()[33:], tmp_path)
    assert b"<x:xmpmeta/>" in made
    assert told == []


def test_a_map_of_gains_that_is_left_out_is_named(tmp_path: Path) -> None:
    out = io.BytesIO()
    pictures.photo_image().save(out, "JPEG")
    mark = b"urn:iso:std:iso:ts:21496:-1\0\0\0\0\0"
    segment = b"\xff\xe2" + struct.pack(">H", 2 + len(mark)) + mark
    _, told = converted("jpg-to-webp", out.getvalue()[:2] + segment + out.getvalue()[2:], tmp_path)
    assert told == ["The gain map, which brightens the picture on HDR screens, was left out."]


def test_sides_of_a_cube_that_are_left_out_are_named(tmp_path: Path) -> None:
    head = struct.pack("<4sIIIIIII44xIIIIIIIIIIIII", b"DDS ", 124, 0x1007, 8, 8, 32, 0, 0,
                       32, 0x40, 0, 32, 0xFF0000, 0xFF00, 0xFF, 0, 0x1008, 0xFE00, 0, 0, 0)  # fmt: skip
    _, told = converted("dds-to-png", head + bytes((9, 99, 200, 0)) * 64 * 6, tmp_path)
    assert told == ["Pages or pictures are missing from the result: 5."]


@pytest.mark.parametrize("orientation", [1, 2, 3, 4, 5, 6, 7, 8])
def test_a_picture_that_is_turned_upright_looks_like_its_file(tmp_path: Path, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = io.BytesIO()
    pictures.photo_image().save(out, "JPEG", exif=exif)
    assert converted("jpg-to-png", out.getvalue(), tmp_path)[1] == []


def test_greys_in_colours_are_no_loss_in_a_palette(tmp_path: Path) -> None:
    out = io.BytesIO()
    mask().convert("RGB").save(out, "PNG")
    assert converted("png-to-gif", out.getvalue(), tmp_path)[1] == []
