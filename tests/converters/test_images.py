"""Pictures: what has to hold for them beyond the vectors of each pair."""

from __future__ import annotations

import base64
import contextlib
import gc
import io
import random
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import pyvips
from PIL import ExifTags, Image, ImageChops, ImageCms, ImageFile, ImageStat, TiffImagePlugin

from engine.families.images import geometry
from engine.families.registry import CONVERTERS
from engine.toolkit import picture_limits
from engine.toolkit.failures import ConversionError, OverLimit, Unreadable
from engine.toolkit.options import build, describe
from engine.toolkit.warnings import Warn
from tests.examples import examples
from tests.families.images import files as pictures
from tests.families.images.looks import icon_pictures, look, near

PAIRS = [slug for slug, each in CONVERTERS.items() if each.profile == "image" or each.engine.distribution == "img2pdf"]


def convert(folder: Path, slug: str, data: bytes, **options: Any) -> tuple[bytes, list[str]]:
    """The result of a conversion and the codes of its warnings."""
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    warn = Warn()
    converter.run(source, target, build(converter.options, options), warn)
    return target.read_bytes(), [each.code for each in warn.warnings]


def colours(data: bytes) -> bytes:
    """The pixels of a picture as libvips reads them, as RGBA."""
    image = pyvips.Image.new_from_buffer(data, "").colourspace("srgb")
    return bytes((image if image.hasalpha() else image.bandjoin(255)).write_to_memory())


@pytest.mark.parametrize("middle", ["webp", "tiff", "png"])
@pytest.mark.parametrize("source", [pictures.photo("png"), pictures.glass("png"), pictures.logo()])
def test_lossless_round_trip_keeps_every_pixel(tmp_path: Path, middle: str, source: bytes) -> None:
    options = {"lossless": True} if middle == "webp" else {}
    between, _ = convert(tmp_path, f"png-to-{middle}", source, **options)
    again, _ = convert(tmp_path, f"{middle}-to-png", between)
    assert colours(again) == colours(source)


@pytest.mark.parametrize("effort", ["fast", "balanced", "small"])
def test_every_effort_is_lossless_where_it_has_to_be(tmp_path: Path, effort: str) -> None:
    source = pictures.glass("png")
    between, _ = convert(tmp_path, "png-to-webp", source, lossless=True, effort=effort)
    again, _ = convert(tmp_path, "webp-to-png", between, effort=effort)
    assert colours(again) == colours(source)


def test_gif_keeps_every_colour_where_256_are_enough(tmp_path: Path) -> None:
    picks = random.Random(4)
    palette = [tuple(picks.randbytes(3)) for _ in range(255)]
    image = Image.new("RGBA", (64, 64))
    image.putdata([(*picks.choice(palette), 255) if picks.random() < 0.9 else (0, 0, 0, 0) for _ in range(4096)])
    source = pictures.saved(image, "png")
    result, warnings = convert(tmp_path, "png-to-gif", source)
    assert warnings == []
    before, after = colours(source), colours(result)
    for at in range(0, len(before), 4):
        assert before[at + 3] == after[at + 3]
        assert not before[at + 3] or before[at : at + 3] == after[at : at + 3]


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("slug", ["jpg-to-png", "jpg-to-jpg", "jpg-to-webp", "jpg-to-avif"])
def test_orientation_is_applied_once(tmp_path: Path, orientation: int, slug: str) -> None:
    result, _ = convert(tmp_path, slug, pictures.sideways(orientation))
    seen = look(result, slug.rpartition("-")[2])
    assert (seen.width, seen.height) == pictures.SIZE
    for (x, y), colour in pictures.CORNERS.items():
        assert near(seen.at(x, y), colour, 24)
    assert seen.fields.get("orientation", 1) == 1


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("output", ["png", "jpg", "webp", "avif", pictures.HEIC, "gif", "bmp", "tiff", "ico", "pdf"])
def test_a_tiff_is_turned_upright_for_every_format(tmp_path: Path, orientation: int, output: str) -> None:
    result, _ = convert(tmp_path, f"tiff-to-{output}", pictures.sideways(orientation, "tiff"))
    if output == "pdf":
        with pypdfium2.PdfDocument(result) as document:
            result, output = pictures.saved(document[0].render(scale=4 / 3).to_pil(), "png"), "png"
    seen = look(result, output)
    width, height = pictures.SIZE
    top = (width - height) // 2 if output == "ico" else 0
    assert (seen.width, seen.height) == (width, height + 2 * top)
    for (x, y), colour in pictures.CORNERS.items():
        assert near(seen.at(x, y + top), colour, 60 if output == "gif" else 24), (x, y)
    assert seen.fields.get("orientation", 1) == 1


@pytest.mark.parametrize("pages", [None, "2"])
def test_each_page_of_a_tiff_is_turned_by_its_own_orientation(tmp_path: Path, pages: str | None) -> None:
    file = io.BytesIO()
    with TiffImagePlugin.AppendingTiffWriter(file, new=True) as whole:
        for orientation in (6, 3, 1):
            whole.write(pictures.sideways(orientation, "tiff"))
            whole.newFrame()
    result, _ = convert(tmp_path, "tiff-to-tiff", file.getvalue(), **({"pages": pages} if pages else {}))
    with Image.open(io.BytesIO(result)) as image:
        assert getattr(image, "n_frames", 1) == (1 if pages else 3)
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            frame = image.convert("RGB")
            assert frame.size == pictures.SIZE
            assert all(near(frame.getpixel(at), colour, 2) for at, colour in pictures.CORNERS.items())


@pytest.mark.parametrize("output", ["jpg", "png", "webp", "avif", pictures.HEIC, "tiff"])
def test_metadata_is_kept_without_the_place_or_removed(tmp_path: Path, output: str) -> None:
    def tags(result: bytes) -> tuple[str | None, str | None, bool]:
        with Image.open(io.BytesIO(result)) as image:
            exif = image.getexif()
            details = exif.get_ifd(ExifTags.IFD.Exif)
            place = exif.get_ifd(ExifTags.IFD.GPSInfo)
            return exif.get(ExifTags.Base.Make), details.get(ExifTags.Base.DateTimeOriginal), bool(place)

    for wish, expected in {
        "keep": ("Camera Works", "2024:05:06 07:08:09", True),
        "stripGps": ("Camera Works", "2024:05:06 07:08:09", False),
        "strip": (None, None, False),
    }.items():
        result, warnings = convert(tmp_path, f"jpg-to-{output}", pictures.sideways(), metadata=wish)
        assert tags(result) == expected
        assert warnings == []
        assert wish == "keep" or b"GPSLatitude" not in result


def test_size_in_the_metadata_is_that_of_the_result(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "jpg-to-jpg", pictures.sideways(), width=20)
    with Image.open(io.BytesIO(result)) as image:
        assert image.getexif().get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.ExifImageWidth] == 20


def test_xmp_that_names_the_place_is_left_out_with_it(tmp_path: Path) -> None:
    packet = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><a exif:GPSLatitude="1" tiff:Orientation="6"/></x:xmpmeta>'
    source = pictures.saved(pictures.photo_image(), "jpg", xmp=packet)
    result, warnings = convert(tmp_path, "jpg-to-webp", source, metadata="stripGps")
    assert b"GPSLatitude" not in result
    assert warnings == ["METADATA_DROPPED"]
    result, warnings = convert(tmp_path, "jpg-to-webp", source)
    assert b'GPSLatitude="1" tiff:Orientation="1"' in result
    assert warnings == []


@pytest.mark.ci
@pictures.needs_heic
@pytest.mark.parametrize("effort", ["fast", "balanced", "small"])
@pytest.mark.parametrize(
    ("mode", "size"), [("L", (9, 7)), ("RGBA", (120, 3100)), ("RGB", (1700, 1400)), ("RGB", (9000, 3))]
)
def test_heic_is_written_with_any_effort_in_any_size(
    tmp_path: Path, effort: str, mode: str, size: tuple[int, int]
) -> None:
    source = Image.effect_noise((size[0] // 3, -(-size[1] // 3)), 40).resize(size).convert(mode)
    result, warnings = convert(tmp_path, "png-to-heic", pictures.saved(source, "png"), effort=effort)
    assert warnings == []
    with Image.open(io.BytesIO(result)) as image:
        assert image.size == size
        assert ImageStat.Stat(ImageChops.difference(image.convert("L"), source.convert("L"))).mean[0] <= 4


@pytest.mark.ci
@pictures.needs_heic
@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_large_heic_is_whole_whether_it_is_stored_in_parts_or_not(tmp_path: Path, mode: str) -> None:
    source = pictures.photo_image().resize((3001, 2803), Image.Resampling.NEAREST).convert(mode)
    result, warnings = convert(tmp_path, "png-to-heic", pictures.saved(source, "png"))
    assert warnings == []
    assert (b"grid" in result) == (mode == "RGB")
    with Image.open(io.BytesIO(result)) as image:
        assert image.size == source.size
        difference = ImageChops.difference(image.convert("RGB"), source.convert("RGB"))
        assert max(ImageStat.Stat(difference).mean) <= 2
        assert image.mode == mode
    seen = look(result, "heic")
    for (x, y), colour in pictures.CORNERS.items():
        assert near(seen.at(x * 3001 // 64, y * 2803 // 48), colour, 24)


def wide_profile() -> bytes:
    """A colour profile whose red and green are swapped: what uses it and what ignores it can be told apart."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    profile[24:36] = struct.pack(">6H", 2026, 1, 1, 0, 0, 0)  # when it was made (ICC.1:2022, 7.2.10)
    count = struct.unpack_from(">I", profile, 128)[0]
    entries = {bytes(profile[132 + 12 * at : 136 + 12 * at]): 132 + 12 * at for at in range(count)}
    red, green = entries[b"rXYZ"], entries[b"gXYZ"]
    profile[red + 4 : red + 12], profile[green + 4 : green + 12] = (
        profile[green + 4 : green + 12],
        profile[red + 4 : red + 12],
    )
    return bytes(profile).replace("sRGB".encode("utf-16-be"), "Swap".encode("utf-16-be"))


@pytest.mark.parametrize("output", ["jpg", "png", "webp", "avif", pictures.HEIC, "tiff"])
def test_profile_is_kept_or_its_colours_converted(tmp_path: Path, output: str) -> None:
    source = pictures.saved(Image.new("RGB", (32, 32), (220, 30, 30)), "png", icc_profile=wide_profile())
    kept, _ = convert(tmp_path, f"png-to-{output}", source)
    seen = look(kept, output)
    assert near(seen.at(9, 9), (220, 30, 30), 8)
    assert seen.fields["icc-profile-data"] == wide_profile()
    converted, _ = convert(tmp_path, f"png-to-{output}", source, colorProfile="srgb")
    assert near(look(converted, output).at(9, 9), (30, 220, 30), 12)


@pytest.mark.parametrize("output", ["gif", "bmp", "ico"])
def test_colours_are_converted_where_the_format_has_no_profiles(tmp_path: Path, output: str) -> None:
    source = pictures.saved(Image.new("RGB", (32, 32), (220, 30, 30)), "png", icc_profile=wide_profile())
    result, warnings = convert(tmp_path, f"png-to-{output}", source)
    assert near(look(result, output).at(9, 9), (30, 220, 30), 6)
    assert warnings == ["COLOR_CONVERTED"]


def test_damaged_profile_is_left_out(tmp_path: Path) -> None:
    source = pictures.saved(pictures.photo_image(), "png", icc_profile=b"not a profile" * 20)
    _, warnings = convert(tmp_path, "png-to-webp", source)
    assert warnings == ["METADATA_DROPPED"]


def test_animated_png_has_all_frames(tmp_path: Path) -> None:
    result, warnings = convert(tmp_path, "gif-to-png", pictures.film("gif", clear=True))
    assert warnings == []
    assert result.count(b"fcTL") == 3
    again, _ = convert(tmp_path, "png-to-webp", result, lossless=True)
    seen = look(again, "webp")
    assert seen.fields["delay"] == [200, 300, 400]
    assert [seen.at(number * 20 + 8, 24, number)[:3] for number in range(3)] == list(pictures.FRAMES)


@pytest.mark.parametrize(
    ("sizes", "taken"), [("1,9,99,100,199,256", True), ("0", False), ("257", False), ("999", False), ("16,", False)]
)
def test_icon_has_only_edges_that_the_format_has(sizes: str, taken: bool) -> None:
    (option,) = (each for each in describe(CONVERTERS["png-to-ico"].options) if each.name == "sizes")
    assert option.pattern is not None
    assert bool(re.fullmatch(option.pattern, sizes)) is taken


def test_icon_has_the_sizes_asked_for_and_none_larger_than_the_picture(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "png-to-ico", pictures.photo("png"), sizes="256,16,48,32")
    found = icon_pictures(result)
    assert list(found) == [16, 32, 48]
    for edge, data in found.items():
        seen = look(data, "png")
        assert (seen.width, seen.height) == (edge, edge)


def test_page_of_a_tiff_keeps_its_own_mode(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "tiff-to-tiff", pictures.scan(), compression="deflate")
    with Image.open(io.BytesIO(result)) as image:
        modes = []
        for page in range(3):
            image.seek(page)
            modes.append(image.mode)
    assert modes == ["1", "L", "RGB"]


def test_tiff_of_several_pages_is_closed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[object] = []
    close = TiffImagePlugin.AppendingTiffWriter.close

    def noted(writer: TiffImagePlugin.AppendingTiffWriter) -> None:
        closed.append(id(writer))
        close(writer)

    monkeypatch.setattr(TiffImagePlugin.AppendingTiffWriter, "close", noted)
    convert(tmp_path, "tiff-to-tiff", pictures.scan())
    gc.collect()
    assert len(closed) == 1


@pytest.mark.parametrize(
    ("size", "wish", "crop", "result"),
    [
        ((400, 200), {"width": 100}, (0, 0, 400, 200), (100, 50)),
        ((400, 200), {"height": 100}, (0, 0, 400, 200), (200, 100)),
        ((400, 200), {"width": 100, "height": 10}, (0, 0, 400, 200), (20, 10)),
        ((400, 200), {"width": 800}, (0, 0, 400, 200), (400, 200)),
        ((400, 200), {"width": 800, "enlarge": True}, (0, 0, 400, 200), (800, 400)),
        ((400, 200), {"width": 100, "height": 100, "fit": "cover"}, (100, 0, 300, 200), (100, 100)),
        ((400, 200), {"width": 800, "height": 800, "fit": "cover"}, (100, 0, 300, 200), (200, 200)),
        ((400, 200), {"width": 800, "height": 100, "fit": "fill"}, (0, 0, 400, 200), (400, 100)),
        ((400, 200), {"width": 800, "height": 100, "fit": "fill", "enlarge": True}, (0, 0, 400, 200), (800, 100)),
        ((10_000, 1), {"width": 100}, (0, 0, 10_000, 1), (100, 1)),
        ((20_000, 100), {"longest": 16_383}, (0, 0, 20_000, 100), (16_383, 82)),
    ],
)
def test_geometry(size: tuple[int, int], wish: dict[str, Any], crop: tuple[int, ...], result: tuple[int, int]) -> None:
    wanted = {"width": None, "height": None, "fit": "inside", "enlarge": False, "longest": None} | wish
    plan = geometry.plan(size, **wanted)
    assert plan.crop == crop
    assert plan.size == result


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def avif(width: int, height: int) -> bytes:
    """A picture of 64 pixels a side that declares others."""
    out = io.BytesIO()
    Image.new("L", (64, 64)).save(out, "AVIF")
    return out.getvalue().replace(struct.pack(">4x2I", 64, 64), struct.pack(">4x2I", width, height))


def png(width: int, height: int, *more: bytes) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def ico(picture: bytes) -> bytes:
    return struct.pack("<HHHBBBBHHII", 0, 1, 1, 16, 16, 0, 0, 1, 32, len(picture), 22) + picture


EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n"
GIF_HEAD = b"GIF89a\xff\xff\xff\xff\x80\0\0" + b"\0\0\0\xff\xff\xff"
MEGABYTE = zlib.compress(bytes(1_000_000), 9)
HOSTILE = {
    "png: EPS": ("png-to-jpg", EPS, Unreadable),
    "png: JPEG": ("png-to-webp", pictures.photo("jpg"), Unreadable),
    "png: 60,000 x 60,000 pixels": ("png-to-jpg", png(60_000, 60_000), OverLimit),
    "avif: 17,000 x 17,000 pixels": ("avif-to-png", avif(17_000, 17_000), OverLimit),
    "png: negative size": ("png-to-jpg", png(0xFFFFFFFF, 0xFFFFFFFF), ConversionError),
    "png: zTXt bomb": (
        "png-to-jpg",
        png(9, 9, chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(100_000_000), 9))),
        Unreadable,
    ),
    "png: many zTXt": (
        "png-to-jpg",
        png(9, 9, *(chunk(b"zTXt", b"a%d\0\0" % at + MEGABYTE) for at in range(80))),
        Unreadable,
    ),
    "gif: 65,535 x 65,535 pixels": ("gif-to-png", GIF_HEAD + b";", ConversionError),
    "gif: 5,000 frames": (
        "gif-to-webp",
        b"GIF89a\xe8\x03\xe8\x03\x80\0\0" + b"\0\0\0\xff\xff\xff"
        + b"\x21\xf9\x04\0\x0a\0\0\0\x2c\0\0\0\0\xe8\x03\xe8\x03\0\x02\x02\x44\x01\0" * 5_000 + b";",
        OverLimit,
    ),
    "ico: in an icon": ("ico-to-png", ico(ico(ico(pictures.photo("png")))), Unreadable),
    "ico: EPS": ("ico-to-png", ico(EPS), Unreadable),
    "ico: a picture of 60,000 x 60,000 pixels": ("ico-to-png", ico(png(60_000, 60_000)), OverLimit),
    "bmp: 2 billion pixels": (
        "bmp-to-png",
        b"BM" + struct.pack("<IHHIIiiHHIIiiII", 54, 0, 0, 54, 40, 50_000, 50_000, 1, 24, 0, 0, 0, 0, 0, 0),
        OverLimit,
    ),
    "tiff: a directory that follows itself": (
        "tiff-to-png",
        b"II*\0\x08\0\0\0\x01\0\0\x01\x04\0\x01\0\0\0\x01\0\0\0\x08\0\0\0",
        Unreadable,
    ),
    "webp: only a header": (
        "webp-to-png",
        b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\x10\0\0\0\xff\xff\xff\xff\xff\xff",
        ConversionError,
    ),
    "svg: external entity": (
        "svg-to-png",
        b'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + pictures.SVG_HEAD + b"><text>&a;</text></svg>",
        Unreadable,
    ),
    "svg: references to references": (
        "svg-to-png",
        pictures.SVG_HEAD + b'width="9" height="9"><g id="a0"><path d="M0 0h1"/></g>'
        + b"".join(
            b'<g id="a%d">' % level + b'<use href="#a%d"/>' % (level - 1) * 10 + b"</g>" for level in range(1, 9)
        )
        + b"</svg>",
        OverLimit,
    ),
    "svg: patterns of patterns": (
        "svg-to-png",
        pictures.SVG_HEAD + b'width="9" height="9"><pattern id="a0"><path d="M0 0h1"/></pattern>'
        + b"".join(
            b'<pattern id="a%d">' % level + b'<path d="M0 0h1" fill="url(#a%d)"/>' % (level - 1) * 10 + b"</pattern>"
            for level in range(1, 9)
        )
        + b'<path d="M0 0h9v9" fill="url(#a8)"/></svg>',
        OverLimit,
    ),
    "svg: 100,000 x 100,000 pixels": (
        "svg-to-png", pictures.SVG_HEAD + b'width="100000" height="100000"/>', OverLimit,
    ),
    "svg: a billion pixels long": ("svg-to-png", pictures.SVG_HEAD + b'width="1e9" height="1"/>', OverLimit),
    "svg: a view of a billion pixels": ("svg-to-png", pictures.SVG_HEAD + b'viewBox="0 0 1e9 1e9"/>', OverLimit),
    "svg: without a size": ("svg-to-png", pictures.SVG_HEAD + b'width="0" height="0"/>', Unreadable),
    "svg: nested deep": (
        "svg-to-png",
        pictures.SVG_HEAD + b'width="9" height="9">' + b"<g>" * 50_000 + b"</g>" * 50_000 + b"</svg>",
        Unreadable,
    ),
    "svg: HTML": ("svg-to-png", b"<html><body/></html>", Unreadable),
    "svg: unknown encoding": ("svg-to-png", b'<?xml version="1.0" encoding="klingon"?><svg/>', Unreadable),
    "svg: an embedded picture of 60,000 x 60,000 pixels": (
        "svg-to-png",
        pictures.SVG_HEAD + b'width="9" height="9"><image href="data:image/png;base64,'
        + base64.b64encode(png(60_000, 60_000)) + b'"/></svg>',
        OverLimit,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_picture_is_refused(tmp_path: Path, name: str) -> None:
    slug, data, error = HOSTILE[name]
    with pytest.raises(error):
        convert(tmp_path, slug, data)


def test_hostile_picture_is_refused_on_a_page_too(tmp_path: Path) -> None:
    for name, (slug, data, _) in HOSTILE.items():
        page = slug.split("-")[0] + "-to-pdf"
        # Vectors have no pixels: such a drawing is made as small as the largest page.
        if page in CONVERTERS and name != "svg: 100,000 x 100,000 pixels":
            with pytest.raises((Unreadable, OverLimit)):
                convert(tmp_path, page, data)


@pytest.mark.parametrize(
    ("drawing", "warnings"),
    [
        (b'<image href="https://example.org/a.png"/>', ["REMOTE_RESOURCE_BLOCKED"]),
        (b'<image xlink:href="file:///etc/passwd"/>', ["REMOTE_RESOURCE_BLOCKED"]),
        (b'<use href="other.svg#part"/>', ["REMOTE_RESOURCE_BLOCKED"]),
        (b'<path style="fill: URL( http://example.org/a )"/>', ["REMOTE_RESOURCE_BLOCKED"]),
        (b'<style>@import "http://example.org/a.css"; a {}</style>', ["REMOTE_RESOURCE_BLOCKED"]),
        (b'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd"/>', ["REMOTE_RESOURCE_BLOCKED"]),
        (b'<a href="javascript:alert(1)"><path/></a>', ["SCRIPT_REMOVED"]),
        (b'<path onclick="alert(1)"/>', ["SCRIPT_REMOVED"]),
        (b'<image href="data:image/svg+xml,%3Csvg/%3E"/>', ["CONTENT_DROPPED"]),
        (b"<foreignObject><p/></foreignObject>", ["CONTENT_DROPPED"]),
        (b'<path><animate attributeName="d"/></path>', ["ANIMATION_DROPPED"]),
        (b'<g id="a"><use href="#a"/></g>', []),
        (b'<a href="https://example.org/"><path/></a>', []),
    ],
)
def test_drawing_loses_what_is_active_or_outside(tmp_path: Path, drawing: bytes, warnings: list[str]) -> None:
    source = pictures.SVG_HEAD + b'width="16" height="16">' + drawing + b'<path d="M0 0h16v16H0z" fill="#f00"/></svg>'
    result, found = convert(tmp_path, "svg-to-png", source)
    assert found == warnings
    assert look(result, "png").at(8, 8) == (255, 0, 0, 255)


def test_document_type_without_entities_is_read(tmp_path: Path) -> None:
    doctype = b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
    result, warnings = convert(tmp_path, "svg-to-png", doctype + pictures.SVG_HEAD + b'width="3" height="2"/>')
    assert (look(result, "png").width, warnings) == (3, [])


def test_text_of_a_drawing_is_drawn(tmp_path: Path) -> None:
    source = pictures.SVG_HEAD + b'width="60" height="40"><text x="5" y="30" font-size="30">M</text></svg>'
    result, _ = convert(tmp_path, "svg-to-png", source)
    assert max(look(result, "png").at(x, 20)[3] for x in range(60)) > 200


def test_wish_for_more_pixels_than_are_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OverLimit):
        convert(tmp_path, "png-to-png", pictures.photo("png"), width=16_000, enlarge=True)


def test_animation_that_is_too_large_is_refused_before_it_is_decoded() -> None:
    picture_limits.check_frames(100, (1000, 1000), (1000, 1000))
    with pytest.raises(OverLimit):
        picture_limits.check_frames(101, (1000, 1000), (1000, 1000))
    picture_limits.check_frames(400, (1000, 1000), (500, 500))
    with pytest.raises(OverLimit):
        picture_limits.check_frames(401, (1000, 1000), (10, 10))


def test_a_picture_needs_no_codec_but_its_own(tmp_path: Path) -> None:
    (tmp_path / "input.jpg").write_bytes(pictures.photo("jpg"))
    code = (
        "import sys; from pathlib import Path; from engine.families.images import raster; "
        "from engine.families.images.options import JpgCoding; from engine.toolkit.warnings import Warn; "
        "raster.convert(Path(sys.argv[1], 'input.jpg'), Path(sys.argv[1], 'output.jpg'), JpgCoding(), Warn()); "
        "others = {'engine.families.images.heif', 'PIL.AvifImagePlugin', 'PIL.WebPImagePlugin', 'PIL.EpsImagePlugin'}; "
        "assert not others & set(sys.modules), others & set(sys.modules); raster.warm(); "
        "assert others & set(sys.modules) == others - {'PIL.EpsImagePlugin'}"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, cwd=Path(__file__).parents[2])
    assert (tmp_path / "output.jpg").stat().st_size


def test_other_decoders_never_see_the_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: ImageFile.ImageFile) -> None:
        raise AssertionError(self)

    from PIL import EpsImagePlugin

    monkeypatch.setattr(EpsImagePlugin.EpsImageFile, "_open", fail)
    with pytest.raises(Unreadable):
        convert(tmp_path, "png-to-jpg", EPS)


SEEDS = {
    "png": [pictures.photo("png"), pictures.logo(), pictures.film("png")],
    "jpg": [pictures.photo("jpg"), pictures.sideways(), pictures.cmyk()],
    "webp": [pictures.film("webp")],
    "avif": [pictures.film("avif"), pictures.glass("avif")],
    "heic": [pictures.heic("ten-bits")],
    "gif": [pictures.film("gif", clear=True)],
    "bmp": [pictures.high_colour()],
    "tiff": [pictures.scan(), pictures.deep_grey("tiff")],
    "ico": [pictures.icon()],
    "svg": [pictures.DRAWING, pictures.TRAPPED],
}


@pytest.mark.examples
@pytest.mark.parametrize("format", SEEDS)
def test_mutated_picture_is_converted_or_refused(tmp_path: Path, format: str) -> None:
    chance = random.Random(format)
    slugs = [slug for slug in PAIRS if slug.startswith(f"{format}-to-")]
    for _ in range(examples(40)):
        data = bytearray(chance.choice(SEEDS[format]))
        for _ in range(chance.choice((1, 2, 8))):
            at = chance.randrange(min(len(data), 300) if chance.random() < 0.6 else len(data))
            data[at] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
        with contextlib.suppress(Unreadable, OverLimit):
            convert(tmp_path, chance.choice(slugs), bytes(data))


def test_an_avif_animation_does_not_tell_when_it_was_made(tmp_path: Path) -> None:
    output, _ = convert(tmp_path, "gif-to-avif", pictures.film("gif"))
    for box in (b"mvhd", b"tkhd", b"mdhd"):
        at = output.index(box) + 4
        assert output[at + 4 : at + (20 if output[at] == 1 else 12)] == bytes(16 if output[at] == 1 else 8), box
    with Image.open(io.BytesIO(output)) as picture:
        assert getattr(picture, "n_frames") > 1  # noqa: B009
        picture.seek(1)
        picture.load()
