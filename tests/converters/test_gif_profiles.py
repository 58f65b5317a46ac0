"""The colour profile of a GIF is kept, and counted by other code than that which reads it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from engine.families.images import gif_profiles
from engine.families.images.counting import gif_blocks
from tests.engine.losing import lost
from tests.engine.test_picture_census import film, picture, profile, saved


def block(name: bytes, content: bytes) -> bytes:
    pieces = (content[at : at + 255] for at in range(0, len(content), 255))
    return b"\x21\xff" + b"".join(bytes([len(each)]) + each for each in (name, *pieces)) + b"\0"


def coloured(gif: bytes, *, own: bytes | None = None) -> bytes:
    """A GIF with a profile behind its table of colours."""
    at = 13 + (3 << (gif[10] & 7) + 1 if gif[10] & 0x80 else 0)
    return gif[:at] + block(b"NETSCAPE2.0", b"\1\0\0") + block(b"ICCRGBG1012", own or profile()) + gif[at:]


@pytest.mark.parametrize("output", ["png", "jpg", "webp", "tiff", "avif"])
def test_the_profile_of_a_gif_is_kept(output: str, tmp_path: Path) -> None:
    bare = saved(picture(), output.replace("jpg", "jpeg"))
    assert "profiles" not in lost(tmp_path, f"gif-to-{output}", coloured(saved(picture(), "GIF")), None)
    with Image.open(tmp_path / f"output.{output}") as made:
        assert made.info["icc_profile"] == profile()
    assert "profiles" in lost(tmp_path, f"gif-to-{output}", coloured(saved(picture(), "GIF")), lambda made: bare)


def test_the_profile_of_an_animated_gif_is_kept(tmp_path: Path) -> None:
    assert "profiles" not in lost(tmp_path, "gif-to-webp", coloured(film()), None)
    with Image.open(tmp_path / "output.webp") as made:
        assert (made.info["icc_profile"], getattr(made, "n_frames", 1)) == (profile(), 4)


def test_a_profile_is_read_from_all_its_blocks(tmp_path: Path) -> None:
    path, long = tmp_path / "a.gif", profile() + bytes(70_000)
    path.write_bytes(coloured(saved(picture(), "GIF"), own=long))
    assert gif_profiles.read(path) == long
    assert gif_blocks.gif(path.read_bytes()).profiles == 1


@pytest.mark.parametrize("length", [14, 20, 40, 300, 1_000])
def test_a_gif_that_is_cut_off_in_its_profile_is_read(length: int, tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    path.write_bytes(coloured(saved(Image.new("L", (2, 2)), "GIF"))[:length])
    assert gif_profiles.read(path) is None or length > 20
    assert gif_blocks.gif(path.read_bytes()).profiles in (0, 1)


def test_a_gif_without_a_profile_has_none(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    path.write_bytes(film())
    assert gif_profiles.read(path) is None
    with Image.open(io.BytesIO(film())) as opened:
        assert getattr(opened, "n_frames", 1) == 4
