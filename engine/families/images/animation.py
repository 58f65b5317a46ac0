"""Convert animations, or split them into pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from engine.families.images import metadata as picture_metadata
from engine.families.images import reading
from engine.families.images.coding import Coding, Movie
from engine.families.images.edits import edits_of
from engine.families.images.geometry import Crop, Geometry
from engine.families.images.metadata import Metadata
from engine.families.images.pixels import turned
from engine.families.images.preparation import (
    Place,
    centred,
    enlarges,
    geometry_of,
    metadata_of,
    pixels,
    report_left_out,
)
from engine.families.images.writing import write
from engine.toolkit.bundle import Bundle
from engine.toolkit.formats import ZIP, Format
from engine.toolkit.messages import say
from engine.toolkit.picture_limits import check_frames
from engine.toolkit.warnings import Warn

WRITTEN = {"gif", "webp", "avif", "png"}
"""Formats with animation."""

_LEAST_DELAY, _USUAL_DELAY = 10, 100
"""Milliseconds: browsers show a GIF frame of (nearly) no duration for a tenth of a second."""


def is_animation(image: Image.Image, count: int) -> bool:
    """Whether an opened picture of `count` frames is an animation."""
    return count > 1 and image.format in ("GIF", "WEBP", "AVIF", "PNG")


def convert(image: Image.Image, count: int, target: Path, options: object, found: Metadata, warn: Warn) -> None:
    """Write an opened animation as another one; raises OverLimit, Unreadable and InvalidOption."""
    format = target.suffix[1:]
    every = list(_frames(image, count, format, options, found, warn))
    frames, delays, profile = [frame for frame, _, _ in every], [delay for _, _, delay in every], every[-1][1]
    if len({frame.mode for frame in frames}) > 1:
        frames = [frame.convert("RGBA") for frame in frames]
    metadata = metadata_of(found, profile, frames[0], format, options, warn)
    write(Movie(frames, tuple(delays), _plays(image)), target, format, Coding.from_options(options), metadata, warn)


def split(source: Path, target: Path, options: object, warn: Warn) -> Format:
    """Write a ZIP with every frame of the picture in `source` as a PNG named with its milliseconds.

    Raises OverLimit, Unreadable and InvalidOption.
    """
    with reading.opened(source) as image, Bundle(target) as bundle:
        found = picture_metadata.read(image, warn)
        count = reading.frame_count(image)
        if not is_animation(image, count):
            report_left_out(image, count, warn)
            count = 1
        elif _plays(image):
            warn(
                "CONTENT_DROPPED",
                say("The frames don't record that the animation plays {image} times.", image=_plays(image)),
            )
        digits = max(3, len(str(count)))
        frames = _frames(image, count, "png", options, found, warn, apart=True)
        for number, (frame, profile, delay) in enumerate(frames, 1):
            metadata = metadata_of(found, profile, frame, "png", options, warn)
            time = f"-{delay}ms" if count > 1 else ""
            with bundle.member(f"frame-{number:0{digits}}{time}.png") as path:
                write(Movie([frame]), path, "png", Coding.from_options(options), metadata, warn)
    return ZIP


def _frames(
    image: Image.Image, count: int, format: str, options: object, found: Metadata, warn: Warn, *, apart: bool = False
) -> Iterator[tuple[Image.Image, bytes | None, int]]:
    """Each prepared frame, its colour profile, its milliseconds; `apart` if they are not all held at once."""
    edits = edits_of(options, turned(image.size, found.orientation))
    geometry = geometry_of(edits.size, format, options, warn, enlarge=enlarges(options))
    check_frames(count, image.size, (1, 1) if apart else geometry.size)
    place = _steady()
    # The still picture that a PNG shows to decoders without animation may not be part of it.
    for number in range(int(bool(image.info.get("default_image"))), count):
        reading.seek(image, number)
        frame, profile = pixels(image, format, options, found, warn, place=place)
        frame = frame.convert("RGBA" if frame.has_transparency_data else "RGB")
        delay = round(image.info.get("duration") or 0)
        yield (
            frame if frame.size == geometry.size else frame.crop((0, 0, *geometry.size)),
            profile,
            _USUAL_DELAY if image.format == "GIF" and delay <= _LEAST_DELAY else delay,
        )


def _steady() -> Place:
    """A placement that crops every frame at the same place: the first frame's centre of attention."""
    found: list[Geometry] = []

    def place(image: Image.Image, region: Crop, geometry: Geometry) -> Geometry:
        if not found:
            found.append(centred(image, region, geometry))
        return found[0]

    return place


def _plays(image: Image.Image) -> int:
    loop = image.info.get("loop")
    if image.format == "GIF":
        return 1 if loop is None else int(loop) + 1 if loop else 0
    return int(loop or 0)
