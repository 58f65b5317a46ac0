"""Animations: frames that follow one another in time, from one file to another, and apart as pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from conversions.families.images import metadata as picture_metadata
from conversions.families.images import reading
from conversions.families.images.coding import Coding, Movie
from conversions.families.images.edits import edits_of
from conversions.families.images.geometry import Crop, Geometry
from conversions.families.images.metadata import Metadata
from conversions.families.images.pixels import turned
from conversions.families.images.preparation import (
    Place,
    attended,
    enlarges,
    geometry_of,
    metadata_of,
    name_what_is_left,
    pixels,
)
from conversions.families.images.writing import write
from conversions.toolkit.bundle import Bundle
from conversions.toolkit.formats import ZIP, Format
from conversions.toolkit.picture_limits import check_frames
from conversions.toolkit.warnings import Warn

WRITTEN = {"gif", "webp", "avif", "png"}
"""Formats whose frames follow one another in time."""

_LEAST_DELAY, _USUAL_DELAY = 10, 100
"""Milliseconds: browsers show a GIF frame of no or next to no duration for a tenth of a second."""


def moves(image: Image.Image, count: int) -> bool:
    """Whether the `count` frames of an opened picture are an animation."""
    return count > 1 and image.format in ("GIF", "WEBP", "AVIF", "PNG")


def convert(image: Image.Image, count: int, target: Path, options: object, found: Metadata, warn: Warn) -> None:
    """Write an opened animation as another one; raises OverLimit, Unreadable and InvalidOption."""
    format = target.suffix[1:]
    every = list(_frames(image, count, format, options, found, warn))
    frames, delays, profile = [frame for frame, _, _ in every], [delay for _, _, delay in every], every[-1][1]
    if len({frame.mode for frame in frames}) > 1:
        frames = [frame.convert("RGBA") for frame in frames]
    metadata = metadata_of(found, profile, frames[0], format, options, warn)
    write(Movie(frames, tuple(delays), _plays(image)), target, format, Coding.of(options), metadata, warn)


def split(source: Path, target: Path, options: object, warn: Warn) -> Format:
    """Write a ZIP with every frame of the picture in `source` as a PNG, whose name has its milliseconds.

    Raises OverLimit, Unreadable and InvalidOption.
    """
    with reading.opened(source) as image, Bundle(target) as bundle:
        found = picture_metadata.read(image, warn)
        count = reading.frame_count(image)
        if not moves(image, count):
            name_what_is_left(image, count, warn)
            count = 1
        elif _plays(image):
            warn("CONTENT_DROPPED", f"The animation runs {_plays(image)} times, which its frames don't say.")
        digits = max(3, len(str(count)))
        frames = _frames(image, count, "png", options, found, warn, apart=True)
        for number, (frame, profile, delay) in enumerate(frames, 1):
            metadata = metadata_of(found, profile, frame, "png", options, warn)
            time = f"-{delay}ms" if count > 1 else ""
            with bundle.member(f"frame-{number:0{digits}}{time}.png") as path:
                write(Movie([frame]), path, "png", Coding.of(options), metadata, warn)
    return ZIP


def _frames(
    image: Image.Image, count: int, format: str, options: object, found: Metadata, warn: Warn, *, apart: bool = False
) -> Iterator[tuple[Image.Image, bytes | None, int]]:
    """Each frame as it will be written, its colour profile, its milliseconds; `apart` if not all at once are held."""
    edits = edits_of(options, turned(image.size, found.orientation))
    geometry = geometry_of(edits.size, format, options, warn, enlarge=enlarges(options))
    check_frames(count, image.size, (1, 1) if apart else geometry.size)
    place = _steady()
    # The picture that a PNG shows where animations are unknown can be one that is not part of the animation.
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
    """Crops at the same place of every frame: where the first one draws the eye."""
    found: list[Geometry] = []

    def place(image: Image.Image, region: Crop, geometry: Geometry) -> Geometry:
        if not found:
            found.append(attended(image, region, geometry))
        return found[0]

    return place


def _plays(image: Image.Image) -> int:
    loop = image.info.get("loop")
    if image.format == "GIF":
        return 1 if loop is None else int(loop) + 1 if loop else 0
    return int(loop or 0)
