"""JPEG to JPEG row by row and with the whole picture in memory: both ways give the same bytes, warnings and errors."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageCms

from engine.families.images import jpeg_reencoding, raster
from tests.converters.test_frames import outcome


def picture(mode: str = "RGB", size: tuple[int, int] = (123, 77), **saving: Any) -> bytes:
    clouds = Image.effect_noise((size[0] // 4, size[1] // 4), 60).resize(size)
    image = (
        clouds if mode == "L" else Image.merge("RGB", (clouds, clouds.rotate(180), clouds.point(lambda at: 255 - at)))
    )
    file = io.BytesIO()
    image.convert(mode).save(file, "JPEG", **saving)
    return file.getvalue()


def tagged() -> bytes:
    exif = Image.Exif()
    exif[0x010F], exif[0x0112] = "A maker", 1
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return picture(exif=exif, icc_profile=profile, comment="A comment", dpi=(300, 300), xmp=b"<x:xmpmeta/>")


def sideways() -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 6
    return picture(exif=exif)


PASSED = {
    "colours": picture(),
    "fine colours": picture(subsampling="4:4:4", quality=97),
    "colours halved across": picture(subsampling="4:2:2", size=(101, 33)),
    "progressive": picture(progressive=True),
    "with marks to start again": picture(restart_marker_rows=1),
    "with colours that are stored as they are": picture(keep_rgb=True),
    "tags": tagged(),
}
OTHERS = {
    "turned": sideways(),
    "inks": picture("CMYK"),
    "grey": picture("L"),
    "cut off": picture()[:-1500],
    "with bytes that are none of it": picture()[:900] + b"\xff\xd0" * 40 + picture()[900:],
}


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Whether a picture was passed on row by row; with the same outcome as without."""

    def run(data: bytes, **options: Any) -> bool:
        took = []

        def counted(*given: Any) -> bool:
            took.append(jpeg_reencoding.reencode(*given))
            return took[-1]

        with monkeypatch.context() as patch:
            patch.setattr(jpeg_reencoding, "_MANY", 0)
            patch.setattr(raster, "reencode", counted)
            passed = outcome(tmp_path, "jpg-to-jpg", data, **options)
        with monkeypatch.context() as patch:
            patch.setattr(raster, "reencode", lambda *given: False)
            assert outcome(tmp_path, "jpg-to-jpg", data, **options) == passed
        return any(took)

    return run


@pytest.mark.parametrize("name", PASSED)
@pytest.mark.parametrize("options", [{}, {"quality": 91}, {"metadata": "strip"}], ids=str)
def test_pictures_that_stay_as_they_are(both: Callable[..., bool], name: str, options: dict[str, Any]) -> None:
    assert both(PASSED[name], **options)


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_not_sound_or_changes_is_done_in_memory(both: Callable[..., bool], name: str) -> None:
    assert not both(OTHERS[name])


def test_a_picture_without_its_last_mark(both: Callable[..., bool]) -> None:
    both(picture()[:-2])  # the decoder has a doubt about it or not, and either way it is the same


@pytest.mark.parametrize(
    "options",
    [
        {"width": 50},
        {"crop": "1,1,20,20"},
        {"rotate": "180"},
        {"flip": "vertical"},
        {"grayscale": True},
        {"effort": "small"},
        {"colorProfile": "srgb"},
        {"targetSize": 3000},
    ],
    ids=str,
)
def test_options_that_change_pixels_or_search(both: Callable[..., bool], options: dict[str, Any]) -> None:
    assert not both(PASSED["tags"], **options)
