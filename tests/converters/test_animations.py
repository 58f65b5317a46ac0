"""Animations in parts: what has to hold for frames in a ZIP beyond the vectors of each pair."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest

from engine.toolkit.failures import ConversionError, InvalidOption, OverLimit, Unreadable
from tests.converters.test_images import GIF_HEAD, colours, convert
from tests.converters.test_images import png as empty_png
from tests.families.images import files as pictures
from tests.families.images import frames
from tests.families.images.looks import look, members, near


def test_frames_go_out_and_back(tmp_path: Path) -> None:
    source = pictures.film("gif", clear=True)
    apart, _ = convert(tmp_path, "gif-to-zip", source)
    again, warnings = convert(tmp_path, "zip-to-gif", apart, repeat=3)
    assert warnings == []
    before, after = look(source, "gif"), look(again, "gif")
    assert colours(again) == colours(source)
    assert [after.fields[name] for name in ("delay", "loop")] == [before.fields[name] for name in ("delay", "loop")]


def test_frames_are_edited_as_they_go(tmp_path: Path) -> None:
    apart, _ = convert(tmp_path, "gif-to-zip", pictures.film("gif"), width=32, flip="horizontal")
    for number, file in enumerate(members(apart).values()):
        seen = look(file, "png")
        assert (seen.width, seen.height) == (32, 24)
        assert near(seen.at(31 - (number * 10 + 4), 12), pictures.FRAMES[number], 8)


def test_picture_that_is_not_part_of_an_animated_png_is_left_out(tmp_path: Path) -> None:
    apart, _ = convert(tmp_path, "png-to-zip", pictures.film("png"))
    assert len(members(apart)) == 3


def test_pictures_of_an_archive_are_edited_before_they_are_fitted(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "zip-to-webp", frames.numbered(), crop="0,0,32,48", rotate="90", lossless=True)
    seen = look(result, "webp")
    assert (seen.width, seen.height, seen.frames) == (48, 32, 3)
    with pytest.raises(InvalidOption):
        convert(tmp_path, "zip-to-webp", frames.numbered(), crop="0,0,320,48")


def test_pictures_of_another_shape_are_not_stretched(tmp_path: Path) -> None:
    source = frames.packed({"1.png": frames.block(0), "2.png": frames.block(1, "png", (24, 48))})
    result, warnings = convert(tmp_path, "zip-to-webp", source, lossless=True)
    assert warnings == ["CONTENT_CLIPPED"]
    seen = look(result, "webp")
    assert seen.at(2, 24, 1)[3] == 0
    assert near(seen.at(32, 24, 1), (*pictures.FRAMES[1], 255), 40)


HOSTILE = {
    "a path that leads upwards": (frames.packed({"../1.png": frames.block(0)}), Unreadable),
    "no archive": (pictures.photo("png"), Unreadable),
    "an archive that ends too early": (pictures.half(frames.numbered()), Unreadable),
    "a picture of 60,000 x 60,000 pixels": (frames.packed({"1.png": empty_png(60_000, 60_000)}), OverLimit),
    "a screen of 65,535 x 65,535 pixels": (frames.packed({"1.gif": GIF_HEAD + b";"}), ConversionError),
    "more frames than fit": (
        frames.packed({f"{number}.png": pictures.photo("png") for number in range(1_001)}), OverLimit,
    ),
    "an EPS named PNG": (frames.packed({"1.png": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n"}), Unreadable),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archive_is_refused(tmp_path: Path, name: str) -> None:
    data, error = HOSTILE[name]
    with pytest.raises(error):
        convert(tmp_path, "zip-to-gif", data)


def test_archive_with_a_password_is_refused(tmp_path: Path) -> None:
    data = bytearray(frames.numbered())
    for mark, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = data.find(mark)
        while at >= 0:
            struct.pack_into("<H", data, at + flags, 1)
            at = data.find(mark, at + 1)
    with pytest.raises(Unreadable):
        convert(tmp_path, "zip-to-gif", bytes(data))


def test_animation_that_is_too_large_is_refused_before_its_pictures_are_decoded(tmp_path: Path) -> None:
    large = pictures.saved(pictures.photo_image().resize((4_000, 3_000)), "png", compress_level=1)
    path = tmp_path / "large.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(9):
            archive.writestr(f"{number}.png", large)
    with pytest.raises(OverLimit):
        convert(tmp_path, "zip-to-webp", path.read_bytes())
