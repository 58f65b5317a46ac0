"""Options of pictures: parts, turns and shades, the size of the file, how large a drawing is drawn."""

from __future__ import annotations

import io
import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from engine.families.images import geometry
from engine.families.images.edits import Edits
from engine.toolkit.failures import InvalidOption
from tests.converters.test_images import colours, convert, wide_profile
from tests.families.images import files as pictures
from tests.families.images import traced
from tests.families.images.looks import icon_pictures, look, near

TURNS = {
    "0": None,
    "90": Image.Transpose.ROTATE_270,
    "180": Image.Transpose.ROTATE_180,
    "270": Image.Transpose.ROTATE_90,
}
FLIPS = {"none": None, "horizontal": Image.Transpose.FLIP_LEFT_RIGHT, "vertical": Image.Transpose.FLIP_TOP_BOTTOM}


def edited(image: Image.Image, *, rotate: str, flip: str) -> Image.Image:
    for turn in (TURNS[rotate], FLIPS[flip]):
        image = image if turn is None else image.transpose(turn)
    return image


@pytest.mark.parametrize("rotate", TURNS)
@pytest.mark.parametrize("flip", FLIPS)
def test_part_of_a_picture_is_taken_turned_and_mirrored_in_this_order(tmp_path: Path, rotate: str, flip: str) -> None:
    result, warnings = convert(
        tmp_path, "png-to-png", pictures.photo("png"), crop="4,8,40,30", rotate=rotate, flip=flip
    )
    wanted = edited(pictures.photo_image().crop((4, 8, 44, 38)), rotate=rotate, flip=flip)
    assert colours(result) == colours(pictures.saved(wanted, "png"))
    assert warnings == []


@pytest.mark.parametrize("rotate", TURNS)
@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize("fit", ["cover", "fill", "inside"])
def test_edited_part_is_resized_as_if_it_were_the_picture(tmp_path: Path, rotate: str, flip: str, fit: str) -> None:
    picture = edited(pictures.photo_image().crop((4, 8, 44, 38)), rotate=rotate, flip=flip)
    box = {"width": 12, "height": 16, "fit": fit}
    before, _ = convert(tmp_path, "png-to-png", pictures.saved(picture, "png"), **box)
    result, _ = convert(
        tmp_path, "png-to-png", pictures.photo("png"), crop="4,8,40,30", rotate=rotate, flip=flip, **box
    )
    one, other = look(before, "png"), look(result, "png")
    assert (one.width, one.height) == (other.width, other.height)
    for x in range(2, one.width - 2):
        for y in range(2, one.height - 2):
            assert near(one.at(x, y), other.at(x, y), 3), (x, y)


def test_part_is_taken_of_the_picture_as_it_is_seen(tmp_path: Path) -> None:
    for orientation in range(1, 9):
        result, _ = convert(tmp_path, "jpg-to-png", pictures.sideways(orientation), crop="48,32,16,16")
        seen = look(result, "png")
        assert (seen.width, seen.height) == (16, 16)
        assert near(seen.at(8, 8), pictures.CORNERS[(56, 40)], 24)


def test_part_of_a_large_photo_is_taken_though_it_is_decoded_smaller(tmp_path: Path) -> None:
    image = pictures.photo_image().resize((1280, 960), Image.Resampling.NEAREST)
    result, _ = convert(tmp_path, "jpg-to-png", pictures.saved(image, "jpg"), crop="75%,0%,25%,33.33%", width=40)
    seen = look(result, "png")
    assert (seen.width, seen.height) == (40, 40)
    assert near(seen.at(20, 20), pictures.CORNERS[(56, 8)], 24)


@pytest.mark.parametrize("crop", ["0,0,65,10", "64,0,1,1", "0,0,0,10", "50%,0,51%,100%", "99999,0,1,1"])
def test_part_outside_the_picture_is_refused(tmp_path: Path, crop: str) -> None:
    with pytest.raises(InvalidOption) as raised:
        convert(tmp_path, "png-to-jpg", pictures.photo("png"), crop=crop)
    assert raised.value.option == "crop"


def test_palette_and_transparency_survive_a_cut(tmp_path: Path) -> None:
    result, warnings = convert(tmp_path, "png-to-png", pictures.logo(), crop="8,0,48,48", rotate="90")
    with Image.open(io.BytesIO(result)) as image:
        assert (image.mode, image.size) == ("P", (48, 48))
    assert look(result, "png").at(2, 2)[-1] == 0
    assert warnings == []


def test_every_frame_of_an_animation_is_edited(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "gif-to-gif", pictures.film("gif"), crop="0,8,64,32", rotate="90", flip="vertical")
    seen = look(result, "gif")
    assert (seen.width, seen.height, seen.frames) == (32, 64, 3)
    for frame, colour in enumerate(pictures.FRAMES):
        assert near(seen.at(16, 63 - (frame * 20 + 8), frame), colour, 2)


@pytest.mark.parametrize("output", ["png", "jpg", "webp", "avif", pictures.HEIC, "gif", "bmp", "tiff", "ico"])
def test_grey_pictures_have_no_colour(tmp_path: Path, output: str) -> None:
    result, _ = convert(tmp_path, f"png-to-{output}", pictures.photo("png"), grayscale=True)
    seen = look(result, output)
    for x, y in pictures.CORNERS:
        found = (seen.at(x, y + (seen.height - 48) // 2) * 3)[:3]
        assert max(found) - min(found) <= 4


def test_grey_is_made_of_the_colours_that_the_profile_means(tmp_path: Path) -> None:
    source = pictures.saved(Image.new("RGB", (32, 32), (220, 30, 30)), "png", icc_profile=wide_profile())
    result, _ = convert(tmp_path, "png-to-png", source, grayscale=True)
    with Image.open(io.BytesIO(result)) as image:
        assert image.mode == "L"
        assert "icc_profile" not in image.info
    wanted = Image.new("RGB", (1, 1), (30, 220, 30)).convert("L").getpixel((0, 0))
    assert abs(look(result, "png").at(9, 9)[0] - wanted) <= 14  # type: ignore[operator]


def crowd() -> Image.Image:
    """A calm grey plane, and something colourful in its right quarter."""
    image = Image.new("RGB", (400, 100), (128, 128, 128))
    draw = ImageDraw.Draw(image)
    for number in range(12):
        draw.ellipse(
            (310 + number * 5, 20 + number * 4, 330 + number * 5, 40 + number * 4), fill=(240, 90, 70 - number)
        )
    return image


def test_smart_crop_keeps_what_draws_the_eye(tmp_path: Path) -> None:
    source = pictures.saved(crowd(), "png")
    smart, _ = convert(tmp_path, "png-to-png", source, width=100, height=100, fit="smart")
    even, _ = convert(tmp_path, "png-to-png", source, width=100, height=100, fit="cover")

    def count(data: bytes) -> int:
        with Image.open(io.BytesIO(data)) as image:
            return sum(image.convert("RGB").getchannel("R").histogram()[201:])

    assert count(even) == 0
    assert count(smart) >= 0.9 * count(source)
    turned, _ = convert(tmp_path, "png-to-png", source, width=50, height=50, fit="smart", rotate="270")
    assert count(turned) * 4 >= 0.8 * count(source)


def test_smart_crop_stays_within_the_part(tmp_path: Path) -> None:
    source = pictures.saved(crowd(), "jpg")
    result, _ = convert(tmp_path, "jpg-to-png", source, crop="0,0,200,100", width=20, height=20, fit="smart")
    seen = look(result, "png")
    assert all(near(seen.at(x, y), (128, 128, 128), 8) for x in range(20) for y in range(20))


def test_smart_crop_of_an_animation_does_not_jump(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "gif-to-webp", pictures.film("gif"), width=24, height=48, fit="smart")
    seen = look(result, "webp")
    assert (seen.width, seen.height, seen.frames) == (24, 48, 3)
    # The block moves on, out of the part that shows the first one.
    assert not near(seen.at(12, 24, 2), pictures.FRAMES[2], 40)


def test_edits_are_undone_exactly() -> None:
    plan = geometry.Geometry((1, 2, 11, 7), (5, 4))
    for rotate, expected in {
        "0": (101, 202, 111, 207), "90": (102, 239, 107, 249), "180": (139, 223, 149, 228), "270": (143, 201, 148, 211),
    }.items():  # fmt: skip
        found = Edits((100, 200, 150, 230) if rotate in ("0", "180") else (100, 200, 150, 250), rotate).before(plan)  # type: ignore[arg-type]
        assert found.crop == expected, rotate
        assert found.size == ((4, 5) if rotate in ("90", "270") else (5, 4))


@cache
def noisy(width: int = 200, height: int = 150) -> bytes:
    grain = Image.frombytes("L", (width, height), random.Random(width).randbytes(width * height)).convert("RGB")
    return pictures.saved(Image.blend(grain, pictures.photo_image().resize((width, height)), 0.7), "png")


@pytest.mark.parametrize("output", ["jpg", "webp", "avif", pictures.HEIC])
@pytest.mark.parametrize("kilobytes", [3, 5, 9])
def test_best_quality_that_meets_the_size_is_found(tmp_path: Path, output: str, kilobytes: int) -> None:
    result, warnings = convert(tmp_path, f"png-to-{output}", noisy(), targetSize=kilobytes)
    assert warnings == []
    assert len(result) <= 1000 * kilobytes
    sizes = [
        len(convert(tmp_path, f"png-to-{output}", noisy(), quality=quality)[0])
        for quality in range(1, 85 if output == "jpg" else 80 if output == "webp" else 60, 2)
    ]
    within = [size for size in sizes if size <= 1000 * kilobytes]
    assert len(result) >= min(max(within), 970 * kilobytes) * 0.97


def test_quality_is_the_upper_bound_of_the_search(tmp_path: Path) -> None:
    plain, _ = convert(tmp_path, "png-to-jpg", noisy(), quality=40)
    result, _ = convert(tmp_path, "png-to-jpg", noisy(), quality=40, targetSize=900)
    assert result == plain


@pytest.mark.parametrize("output", ["jpg", "webp"])
def test_size_that_no_quality_meets_is_reported(tmp_path: Path, output: str) -> None:
    result, warnings = convert(tmp_path, f"png-to-{output}", noisy(400, 300), targetSize=1)
    assert warnings == ["SIZE_MISSED"]
    smallest, _ = convert(tmp_path, f"png-to-{output}", noisy(400, 300), quality=1)
    assert len(result) == len(smallest)


def test_lossless_picture_has_no_size_to_search_for(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption):
        convert(tmp_path, "png-to-webp", noisy(), lossless=True, targetSize=10)


def test_animation_meets_the_size(tmp_path: Path) -> None:
    frames = [Image.open(io.BytesIO(noisy())).rotate(angle) for angle in (0, 90, 180)]
    source = pictures.saved(frames[0], "png", save_all=True, append_images=frames[1:], duration=100)
    result, warnings = convert(tmp_path, "png-to-webp", source, targetSize=16)
    assert warnings == []
    assert len(result) <= 16_000
    assert look(result, "webp").frames == 3


FINE = (
    pictures.SVG_HEAD
    + b'width="64" height="64" viewBox="0 0 64 64"><path d="M0 0h64v64H0z" fill="#fff"/>'
    + b"".join(b'<path d="M%d 0h1v64h-1z"/>' % x for x in range(0, 64, 2))
    + b"</svg>"
)


def test_icon_of_a_drawing_has_every_size_drawn_for_it(tmp_path: Path) -> None:
    result, warnings = convert(tmp_path, "svg-to-ico", pictures.DRAWING)
    assert warnings == []
    found = icon_pictures(result)
    assert list(found) == [16, 24, 32, 48, 64, 128, 256]
    for edge, data in found.items():
        seen = look(data, "png")
        assert (seen.width, seen.height) == (edge, edge)
        x, y = 56 * edge // 64, (40 + 8) * edge // 64
        assert near(seen.at(x, y), (*pictures.CORNERS[(56, 40)], 255), 2), edge
    # Lines a pixel apart are sharp again in a picture that is drawn, not enlarged.
    fine = look(icon_pictures(convert(tmp_path, "svg-to-ico", FINE, sizes="256")[0])[256], "png")
    assert [fine.at(x, 99)[0] for x in range(8)] == [0, 0, 0, 0, 255, 255, 255, 255]


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ({"scale": 2.5}, (160, 120)),
        ({"dpi": 192}, (128, 96)),
        ({"dpi": 192, "scale": 0.5}, (64, 48)),
        ({"dpi": 192, "width": 40}, (40, 30)),
        ({"scale": 0.01}, (1, 1)),
        ({"scale": 2, "width": 60, "height": 60, "fit": "smart"}, (60, 60)),
    ],
)
def test_drawing_is_drawn_as_large_as_wanted(
    tmp_path: Path, options: Mapping[str, float | str], size: tuple[int, int]
) -> None:
    result, _ = convert(tmp_path, "svg-to-png", pictures.DRAWING, **options)
    with Image.open(io.BytesIO(result)) as image:
        assert image.size == size
        assert round(image.info.get("dpi", (0, 0))[0]) == options.get("dpi", 0)


@pytest.mark.parametrize("curves", ["smooth", "polygon", "pixels"])
@pytest.mark.parametrize("detail", ["low", "medium", "high"])
def test_traced_areas_are_where_they_were(tmp_path: Path, curves: str, detail: str) -> None:
    result, warnings = convert(
        tmp_path, "png-to-svg", traced.sign("png", size=(320, 240)), curves=curves, detail=detail
    )
    traced.shows_the_sign(result, size=(320, 240))
    assert warnings == []


def test_a_busy_or_large_picture_is_traced_smaller_and_drawn_as_large_as_it_was(tmp_path: Path) -> None:
    large = traced.sign("png", size=(2560, 1920))
    result, warnings = convert(tmp_path, "png-to-svg", large)
    assert warnings == ["SIZE_REDUCED"]
    traced.shows_the_sign(result, size=(2560, 1920))
    noise = Image.frombytes("RGB", (1000, 900), random.Random(5).randbytes(2_700_000))
    result, warnings = convert(tmp_path, "png-to-svg", pictures.saved(noise, "png", compress_level=0))
    assert warnings == ["SIZE_REDUCED"]
    assert traced.drawn(result)[0] == (1000, 900)
