"""Decode what is there of a picture whose file is cut off or damaged, and count the rows of pixels that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image, ImageFile

from engine.families.images import decoders
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_MISSING, _HEIGHT, _PASSES = "missing rows", "rows", "passes"
"""Keys of an opened picture's `info`."""
_GREY = 128
_SCAN = b"\xff\xda"
"""The marker before each pass of a JPEG."""


def load(image: Image.Image) -> bool:
    """Decode the rows that are there of an opened picture; returns whether there are any.

    The rest of it is transparent, or grey if it has no transparency. Raises what decoders raise.
    """
    if not isinstance(image, ImageFile.ImageFile) or not image.filename or not image.tile:
        return False
    if image.info.get("progressive"):
        image.info[_PASSES] = Path(str(image.filename)).read_bytes().count(_SCAN)
    else:
        rows, height = _rows(image)
        if rows in (0, height):
            return False
        image.info |= {_MISSING: height - rows, _HEIGHT: height}
    with _leniently():
        again = _opened_again(image)
        again.im = Image.new(again.mode, again.size, _blank(again.mode)).im
        again.load()
    again.info |= image.info
    image.close()
    vars(image).update(vars(again))  # as Pillow's own stubs become what their handlers load
    return True


def is_partial(image: Image.Image) -> bool:
    """Whether a decoded picture lacks a part of its pixels."""
    return _MISSING in image.info or _PASSES in image.info


def report(image: Image.Image, warn: Warn) -> None:
    """Warn of what a decoded picture lacks."""
    if _PASSES in image.info:
        warn(
            "CONTENT_DROPPED",
            say(
                "The file is cut off or damaged: the last of its {count} passes is incomplete, so details or the lower "
                "part of the picture are missing.",
                count=image.info[_PASSES],
            ),
        )
    elif _MISSING in image.info:
        kind = Kind(
            "CONTENT_DROPPED",
            "The file is cut off or damaged: {count} of {height} rows of pixels are missing or incomplete{places}.",
            (("height", image.info[_HEIGHT]),),
        )
        warn.tally(kind, image.info[_MISSING])


def _rows(image: ImageFile.ImageFile) -> tuple[int, int]:
    """The number of rows that are there, and of all.

    These are the rows that are the same, whatever the pixels were before they were decoded.
    """
    first, second = (_decoded_over(image, ink) for ink in (0, 1))
    return sum(one == other for one, other in zip(first, second, strict=True)), len(first)


def _decoded_over(image: ImageFile.ImageFile, ink: int) -> list[int]:
    """A hash of each row of the current frame, decoded over pixels of this value."""
    with _leniently(), _opened_again(image) as again:
        if again.format == "GIF":
            again._frame_transparency = None  # type: ignore[attr-defined]  # it would be filled in before decoding
        if again.format in ("JPEG", "MPO"):
            assert again.fp is not None
            again.load_read = again.fp.read  # type: ignore[attr-defined]  # without an end of the picture, where there is none
        bands = Image.getmodebands(again.mode)
        again.im = Image.new(again.mode, again.size, (ink,) * bands if bands > 1 else ink).im
        again.load()
        return [hash(again.crop((0, row, again.width, row + 1)).tobytes()) for row in range(again.height)]


def _opened_again(image: ImageFile.ImageFile) -> ImageFile.ImageFile:
    """The current frame, not yet decoded: a decoder that failed has used up what describes it, such as a palette."""
    again = type(image)(str(image.filename))
    again.seek(image.tell())
    decoders.prepare(again)
    return again


def _blank(mode: str) -> int | tuple[int, ...]:
    bands = Image.getmodebands(mode)
    value = 0 if mode in ("P", "I", "F") or mode[-1] in "Aa" else _GREY << 8 if mode.startswith("I;16") else _GREY
    return (value,) * bands if bands > 1 else value


@contextmanager
def _leniently() -> Iterator[None]:
    """Let decoders end before the picture does."""
    ImageFile.LOAD_TRUNCATED_IMAGES = True
    try:
        yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = False
