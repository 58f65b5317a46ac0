"""What writers of pictures, fonts, maps and models may lose is noticed: each result is torn, and each tear is named."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from fontTools import subset
from fontTools.ttLib import TTFont
from PIL import Image, ImageCms, ImageDraw

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

SIZE = (96, 64)
ADOBE = b"ADBE"
FONT = Path(__file__).resolve().parents[2] / "engine/fonts/liberation/LiberationSans-Regular.ttf"

Tear = Callable[[bytes], bytes]


def profile() -> bytes:
    """A profile of colours that are not sRGB's."""
    made = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return made.replace("sRGB".encode("utf-16-be"), "Own1".encode("utf-16-be"))


def picture(mode: str = "RGB") -> Image.Image:
    image = Image.new("RGB", SIZE, (240, 200, 40))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 40, 63), fill=(20, 30, 160))
    draw.ellipse((50, 10, 90, 50), fill=(220, 30, 30))
    if "A" in mode:
        image.putalpha(Image.linear_gradient("L").resize(SIZE))
    return image


def exif() -> Image.Exif:
    made = Image.Exif()
    made[271], made[272], made[33432] = "Maker", "Model", "Somebody"
    return made


def saved(image: Image.Image, format: str, **more: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, format, **more)
    return out.getvalue()


def film() -> bytes:
    frames = []
    for number in range(4):
        frame = picture()
        ImageDraw.Draw(frame).rectangle(
            (number * 20, 0, number * 20 + 15, 63), fill=(0, 255 - 60 * number, 60 * number)
        )
        frames.append(frame)
    return saved(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=100, loop=0)


def pages() -> bytes:
    return saved(picture(), "TIFF", save_all=True, append_images=[picture(), picture()])


def photo(**more: Any) -> bytes:
    return saved(picture(), "JPEG", dpi=(300, 300), exif=exif(), icc_profile=profile(), comment=b"a remark", **more)


def drawing() -> bytes:
    return saved(picture("RGBA"), "PNG", dpi=(300, 300), exif=exif(), icc_profile=profile())


def deep() -> bytes:
    """A PNG of 16 bits a channel in BT.2020 and PQ."""
    width, height = SIZE
    rows = b"".join(
        b"\0" + b"".join(struct.pack(">3H", 400 * x, 900 * y, 30_000) for x in range(width)) for y in range(height)
    )
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0)),
        (b"cICP", bytes((9, 16, 0, 1))),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def again(format: str, change: Callable[[Image.Image], Image.Image] = lambda image: image, **more: Any) -> Tear:
    """The result decoded, changed and written anew, without anything beside the pixels but what is given."""

    def tear(made: bytes) -> bytes:
        with Image.open(io.BytesIO(made)) as image:
            image.load()
            changed = change(image)
            changed.info = {}
            return saved(changed, format, **more)

    return tear


def black(image: Image.Image) -> Image.Image:
    return Image.new(image.mode, image.size)


def upside_down(image: Image.Image) -> Image.Image:
    return image.transpose(Image.Transpose.ROTATE_180)


def swapped(image: Image.Image) -> Image.Image:
    red, green, blue, *more = image.split()
    return Image.merge(image.mode, (blue, green, red, *more))


def opaque(image: Image.Image) -> Image.Image:
    return image.convert("RGB")


def grey(image: Image.Image) -> Image.Image:
    return image.convert("L")


def without(kind: bytes) -> Tear:
    """A PNG without a chunk."""

    def tear(made: bytes) -> bytes:
        at, kept = 8, made[:8]
        while at < len(made):
            length = 12 + int.from_bytes(made[at : at + 4], "big")
            if made[at + 4 : at + 8] != kind:
                kept += made[at : at + length]
            at += length
        return kept

    return tear


def shorter(format: str, count: int, **more: Any) -> Tear:
    """An animation, or a TIFF, of its first frames only."""

    def tear(made: bytes) -> bytes:
        with Image.open(io.BytesIO(made)) as image:
            frames = []
            for number in range(count):
                image.seek(number)
                frames.append(image.convert("RGB"))
        return saved(frames[0], format, save_all=True, append_images=frames[1:], **more)

    return tear


def font() -> bytes:
    with TTFont(FONT, recalcTimestamp=False) as opened:
        subsetter = subset.Subsetter()
        subsetter.populate(text="Hello Wörld, AVATAR")
        subsetter.subset(opened)
        out = io.BytesIO()
        opened.save(out)
    return out.getvalue()


def refont(change: Callable[[TTFont], None]) -> Tear:
    def tear(made: bytes) -> bytes:
        with TTFont(io.BytesIO(made), recalcTimestamp=False) as opened:
            flavour = opened.flavor
            change(opened)
            opened.flavor = flavour
            out = io.BytesIO()
            opened.save(out)
        return out.getvalue()

    return tear


def no_letter(font: TTFont) -> None:
    for table in font["cmap"].tables:
        table.cmap.pop(ord("W"), None)


def empty_letter(font: TTFont) -> None:
    from fontTools.ttLib.tables._g_l_y_f import Glyph

    font["glyf"]["W"] = Glyph()


def no_layout(font: TTFont) -> None:
    for tag in ("GPOS", "GSUB"):
        if tag in font:
            del font[tag]


@dataclass(frozen=True)
class Torn:
    """A conversion of `source`, how its result is torn, and the kind of content that must be missed."""

    slug: str
    source: Callable[[], bytes]
    tear: Tear
    kind: str

    @property
    def id(self) -> str:
        return f"{self.slug}: {self.kind}"


_PILLOW = {"png": "PNG", "jpg": "JPEG", "webp": "WEBP", "avif": "AVIF", "tiff": "TIFF"}
_KEPT: dict[str, Any] = {"dpi": (300, 300), "icc_profile": profile()}
PIXELS = [
    Torn(f"jpg-to-{output}", photo, again(name, change, **_KEPT, exif=exif()), kind)
    for output, name in _PILLOW.items()
    for change, kind in ((black, "looks"), (upside_down, "looks"), (swapped, "looks"))
]
BESIDE = [
    Torn(f"jpg-to-{output}", photo, again(name, **{**given, **more}), kind)
    for output, name in _PILLOW.items()
    for given, more, kind in (
        ({"icc_profile": profile()}, {}, "exif"),
        ({"exif": exif()}, {}, "profiles"),
    )
]
OTHERS = [
    Torn("png-to-webp", drawing, again("WEBP", opaque, **_KEPT, exif=exif()), "transparency"),
    Torn("png-to-avif", drawing, again("AVIF", opaque, **_KEPT, exif=exif()), "transparency"),
    Torn("png-to-tiff", drawing, again("TIFF", opaque, **_KEPT, exif=exif()), "transparency"),
    Torn("png-to-gif", drawing, again("GIF", opaque), "transparency"),
    Torn("png-to-ico", drawing, again("ICO", opaque), "transparency"),
    Torn("png-to-bmp", drawing, again("BMP", black), "looks"),
    Torn("png-to-bmp", drawing, again("BMP"), "resolutions"),
    Torn("jpg-to-bmp", photo, again("BMP", grey, dpi=(300, 300)), "channels"),
    Torn("jpg-to-gif", photo, again("GIF", black), "looks"),
    Torn("jpg-to-png", photo, without(b"pHYs"), "resolutions"),
    Torn("jpg-to-png", photo, again("PNG", grey, dpi=(300, 300)), "channels"),
    Torn("png-to-png", deep, without(b"cICP"), "ranges"),
    Torn("png-to-png", deep, again("PNG"), "bits"),
    Torn("gif-to-webp", film, shorter("WEBP", 3, duration=100), "frames"),
    Torn("gif-to-png", film, shorter("PNG", 3, duration=100), "frames"),
    Torn("gif-to-gif", film, shorter("GIF", 3, duration=100), "frames"),
    Torn("gif-to-avif", film, shorter("AVIF", 3, duration=100), "frames"),
    Torn("gif-to-gif", film, shorter("GIF", 1), "frames"),
    Torn("tiff-to-tiff", pages, shorter("TIFF", 2), "pages"),
]
FONTS = [
    Torn(f"ttf-to-{output}", font, refont(change), kind)
    for output in ("ttf", "woff", "woff2")
    for change, kind in ((no_letter, "characters"), (empty_letter, "outlines"), (no_layout, "layout"))
]


def converted(torn: Torn, folder: Path, *, whole: bool = False) -> Warn:
    converter = CONVERTERS[torn.slug]
    source = folder / f"input.{converter.input.id}"
    source.write_bytes(torn.source())

    def run(given: Path, target: Path, options: Any, warn: Warn) -> Any:
        written = converter.run(given, target, options, warn)
        if not whole:
            target.write_bytes(torn.tear(target.read_bytes()))
        return written

    warn = Warn()
    options = build(converter.options, {})
    auditing.run(replace(converter, run=run), source, folder / f"output.{converter.output.id}", options, warn)
    assert "notCounted" not in warn.detected
    return warn


def missed(warn: Warn) -> set[str]:
    """The templates of the losses that were counted."""
    return {str(each.message.template) for each in warn.warnings}


@pytest.mark.parametrize("torn", [*PIXELS, *BESIDE, *OTHERS, *FONTS], ids=lambda torn: torn.id)
def test_what_a_writer_loses_is_named(torn: Torn, tmp_path: Path) -> None:
    from engine.toolkit.census import LOSSES

    assert LOSSES[torn.kind].template in missed(converted(torn, tmp_path))


@pytest.mark.parametrize(
    "torn", {each.slug: each for each in (*PIXELS, *OTHERS, *FONTS)}.values(), ids=lambda torn: torn.slug
)
def test_a_whole_result_has_lost_no_more_than_its_format_lacks(torn: Torn, tmp_path: Path) -> None:
    from engine.toolkit.census import LOSSES

    told = missed(converted(torn, tmp_path, whole=True))
    assert told & {each.template for each in LOSSES.values()} <= {LOSSES["resolutions"].template}


@pytest.mark.parametrize(
    ("code", "format", "channels"),
    [(b"DX10", 80, 1), (b"DX10", 61, 1), (b"ATI1", 0, 1), (b"BC4U", 0, 1), (b"DX10", 98, 3), (b"DXT1", 0, 3)],
)
def test_surfaces_of_one_channel_are_counted_as_such(tmp_path: Path, code: bytes, format: int, channels: int) -> None:
    from engine.families.images.counting import heads

    data = bytearray(148)
    data[:4] = b"DDS "
    struct.pack_into("<I4s", data, 80, 4, code)
    struct.pack_into("<I", data, 128, format)
    assert heads.dds(bytes(data)).colours == channels
