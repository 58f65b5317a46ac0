"""What a picture says of its colours without a profile is honoured, kept where the target can, and said where not."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageCms

from engine.families import auditing
from engine.families.images.described_profiles import CodePoints, of_gamma
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

SRGB = ImageCms.createProfile("sRGB")
P3, PQ, LINEAR = (12, 13), (9, 16), (1, 8)


def png(*chunks: tuple[bytes, bytes], colour: tuple[int, int, int] = (200, 100, 50), bits: int = 8) -> bytes:
    """A PNG of one colour with these chunks before its pixels."""
    pixel = bytes(colour) if bits == 8 else struct.pack(">3H", *(257 * each for each in colour))
    rows = (b"\0" + pixel * 16) * 16
    head = struct.pack(">IIBBBBB", 16, 16, bits, 2, 0, 0, 0)
    every = ((b"IHDR", head), *chunks, (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in every
    )


def converted(slug: str, data: bytes, folder: Path, **options: Any) -> tuple[bytes, Warn]:
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    warn = Warn()
    auditing.run(converter, source, target, build(converter.options, options), warn)
    return target.read_bytes(), warn


def shown(data: bytes) -> tuple[int, ...]:
    """The colour in the middle, as a program shows it that honours profiles."""
    with Image.open(io.BytesIO(data)) as image:
        profile = image.info.get("icc_profile")
        plain = image.convert("RGB")
        if profile:
            own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            managed = ImageCms.profileToProfile(plain, own, SRGB)
            assert managed is not None
            plain = managed
        pixel = plain.getpixel((8, 8))
    assert isinstance(pixel, tuple)
    return tuple(map(int, pixel))


def near(one: tuple[int, ...], other: tuple[int, ...], by: int = 4) -> bool:
    return all(abs(a - b) <= by for a, b in zip(one, other, strict=True))


def cicp(points: tuple[int, int]) -> tuple[bytes, bytes]:
    return b"cICP", bytes((*points, 0, 1))


@pytest.mark.parametrize("output", ["png", "jpg", "webp", "avif", "tiff", "gif", "bmp", "ico"])
def test_display_p3_of_a_cicp_chunk_is_shown_in_every_format(output: str, tmp_path: Path) -> None:
    made, _ = converted(f"png-to-{output}", png(cicp(P3)), tmp_path)
    # 200, 100, 50 of Display P3 in sRGB, by CSS Color 4.
    assert near(shown(made), (215, 96, 28), 8)


@pytest.mark.parametrize("bits", [8, 16])
def test_a_cicp_chunk_is_kept_in_a_png(bits: int, tmp_path: Path) -> None:
    made, warn = converted("png-to-png", png(cicp(PQ), bits=bits), tmp_path)
    assert b"cICP\x09\x10\x00\x01" in made
    assert warn.warnings == ()


def test_a_cicp_chunk_goes_where_colours_are_converted(tmp_path: Path) -> None:
    made, _ = converted("png-to-png", png(cicp(P3)), tmp_path, colorProfile="srgb")
    assert b"cICP" not in made
    assert near(shown(made), (215, 96, 28), 4)


def test_a_high_dynamic_range_is_mapped_and_reported(tmp_path: Path) -> None:
    grey = (148, 148, 148)  # white of 203 candelas a square metre
    made, warn = converted("png-to-jpg", png(cicp(PQ), colour=grey), tmp_path)
    assert [each.code for each in warn.warnings] == ["COLOR_CONVERTED"]
    assert all(230 <= each <= 255 for each in shown(made))


def test_a_gamma_is_honoured(tmp_path: Path) -> None:
    made, warn = converted("png-to-webp", png((b"gAMA", struct.pack(">I", 100_000)), colour=(55, 55, 55)), tmp_path)
    assert near(shown(made), (128, 128, 128), 4)
    assert warn.warnings == ()


def test_colours_converted_for_a_format_without_profiles_still_look_like_the_file(tmp_path: Path) -> None:
    wide = Image.new("RGB", (64, 64), (55, 55, 55))
    file = io.BytesIO()
    wide.save(file, "PNG", icc_profile=of_gamma(1.0, None, grey=False))
    _, warn = converted("png-to-gif", file.getvalue(), tmp_path)
    assert [each.code for each in warn.warnings] == ["COLOR_CONVERTED"]


@pytest.mark.parametrize("points", [P3, PQ])
def test_colours_that_a_chunk_describes_keep_their_meaning_in_a_pdf(points: tuple[int, int], tmp_path: Path) -> None:
    made, warn = converted("png-to-pdf", png(cicp(points)), tmp_path)
    assert b"/ICCBased" in made
    assert [each.code for each in warn.warnings] == (["COLOR_CONVERTED"] if points == PQ else [])


@pytest.mark.parametrize("more", [(), ((b"sRGB", b"\0"),)])
def test_the_usual_gamma_and_srgb_are_no_profile(more: tuple[tuple[bytes, bytes], ...], tmp_path: Path) -> None:
    gamma = 100_000 if more else 45_455
    made, warn = converted("png-to-png", png(*more, (b"gAMA", struct.pack(">I", gamma))), tmp_path)
    assert b"iCCP" not in made
    assert warn.warnings == ()


def test_display_p3_of_an_avif_without_a_profile_is_honoured(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.new("RGB", (16, 16), (200, 100, 50)).save(out, "AVIF", quality=95)
    data = out.getvalue()
    at = data.index(b"colrnclx") + 8
    made, _ = converted("avif-to-png", data[:at] + struct.pack(">HH", *P3) + data[at + 4 :], tmp_path)
    assert near(shown(made), (215, 96, 28), 8)


def test_srgb_and_what_is_not_known_have_no_profile() -> None:
    assert CodePoints(1, 13).profile(grey=False) is None
    assert CodePoints(2, 2).profile(grey=False) is None
    assert CodePoints(1, 200).profile(grey=False) is None
    assert of_gamma(0.45455, None, grey=False) is None
    assert of_gamma(0.0, None, grey=False) is None
    assert of_gamma(1.0, (0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3), grey=False) is None


@pytest.mark.parametrize("points", [P3, PQ, LINEAR, (9, 18), (6, 6), (10, 8), (4, 4), (11, 17)])
@pytest.mark.parametrize("grey", [False, True])
def test_profiles_are_read_by_littlecms(points: tuple[int, int], *, grey: bool) -> None:
    made = CodePoints(*points).profile(grey=grey)
    if made is None:
        assert grey
        return
    read = ImageCms.ImageCmsProfile(io.BytesIO(made)).profile
    assert read.xcolor_space == ("GRAY" if grey else "RGB ")
    assert read.profile_description


def test_a_profile_whose_name_is_not_in_ascii_is_used(tmp_path: Path) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    begin = profile.index(b"mluc")
    length = len("sRGB built-in".encode("utf-16-be")) + 28
    named = b"desc\0\0\0\0\0\0\0\4s\x83R\0".ljust(length, b"\0")
    source, target, warn = tmp_path / "input.png", tmp_path / "output.bmp", Warn()
    given = profile[:begin] + named + profile[begin + length :]
    Image.new("RGB", (8, 8), (200, 30, 10)).save(source, icc_profile=given)
    converter = CONVERTERS["png-to-bmp"]
    converter.run(source, target, build(converter.options, {}), warn)
    assert [each.code for each in warn.warnings] == ["COLOR_CONVERTED"]
    with Image.open(target) as made:
        assert made.getpixel((4, 4)) == pytest.approx((200, 30, 10), abs=2)
