"""Raster pictures to raster pictures: from an opened file to a written one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image

from conversions.families.images import animation, codecs, reading
from conversions.families.images import metadata as picture_metadata
from conversions.families.images.coding import Coding, Movie
from conversions.families.images.geometry import LARGEST_SIDE
from conversions.families.images.metadata import Metadata
from conversions.families.images.options import Pages, Tags
from conversions.families.images.passing import passed
from conversions.families.images.pixels import DEEP, fitted, upright
from conversions.families.images.preparation import (
    attended,
    background_of,
    is_smart,
    metadata_of,
    name_what_is_left,
    pixels,
    wish_of,
)
from conversions.families.images.writing import write, write_tiff_pages
from conversions.toolkit.bundle import Bundle
from conversions.toolkit.formats import ZIP, Format
from conversions.toolkit.page_ranges import chosen
from conversions.toolkit.picture_limits import check_pages
from conversions.toolkit.warnings import Warn

warm = codecs.load_all


def convert(source: Path, target: Path, options: object, warn: Warn) -> Format | None:
    """Convert the picture in `source` to the format that the extension of `target` is the id of.

    Animations stay animated where the format can; the pages of a TIFF become one picture each, in a ZIP. `options`
    has the fields of some of the groups in picture_options. Raises Unreadable, OverLimit, and InvalidOption for pages
    that are not there.
    """
    format = target.suffix[1:]
    with reading.opened(source) as image:
        found = picture_metadata.read(image, warn)
        count = reading.frame_count(image)
        if image.format == "TIFF":
            return _pages(image, count, target, options, warn)
        if animation.moves(image, count) and format in animation.WRITTEN:
            animation.convert(image, count, target, options, found, warn)
            return None
        name_what_is_left(image, count, warn)
        if _deep(image, 0, target, options, found, warn) or passed(image, source, target, options, found, warn):
            return None
        movie, metadata = _still(image, format, options, found, warn)
    del image  # its pixels are as large as those that are written now
    write(movie, target, format, Coding.of(options), metadata, warn)
    return None


def _deep(image: Image.Image, number: int, target: Path, options: object, found: Metadata, warn: Warn) -> bool:
    """Write a picture with colours of 16 bits with all of them, where source and target can; say whether it was."""
    if not found.deep or target.suffix[1:] not in DEEP:
        return False
    from conversions.families.images import deep  # with libvips, which other pictures have no need of

    picture = deep.opened(image, number)
    if picture is None:
        return False
    edits, geometry, shades, srgb = wish_of(image, target.suffix[1:], options, found, warn)
    if is_smart(options):
        reading.load(image)
        geometry = attended(upright(image, found.orientation), edits.region, geometry)
    size = edits.turned_size(geometry.size)
    wish = options.metadata if isinstance(options, Tags) else "keep"
    metadata = picture_metadata.kept(found, wish, target.suffix[1:], size, warn)
    deep.write(
        picture,
        found,
        metadata,
        target,
        edits=edits,
        geometry=geometry,
        shades=shades,
        srgb=srgb,
        coding=Coding.of(options),
        warn=warn,
    )
    return True


def _still(image: Image.Image, format: str, options: object, found: Metadata, warn: Warn) -> tuple[Movie, Metadata]:
    """The current frame of an opened picture as it will be written, and the metadata that goes with it."""
    frame, profile = pixels(image, format, options, found, warn)
    return Movie([frame]), metadata_of(found, profile, frame, format, options, warn)


def pictures(source: Path, pages: str | None, warn: Warn) -> Iterator[tuple[int, Image.Image, float | None]]:
    """The picture in `source`, or the chosen pages of a TIFF: each with its number from 0, upright, and its dpi.

    Raises Unreadable, OverLimit, and InvalidOption for pages that are not there.
    """
    with reading.opened(source) as image:
        count = reading.frame_count(image)
        if image.format != "TIFF":
            name_what_is_left(image, count, warn)
            count = 1
        check_pages(count)
        for number in chosen(pages, count):
            if number:
                reading.seek(image, number)
            quiet = Warn()  # what a picture loses of its colours and tags is nothing that its text has
            found = picture_metadata.read(image, quiet)
            frame, _ = pixels(image, "pdf", None, found, quiet, only_srgb=True)
            yield number, frame, min(found.dpi) if found.dpi else None


def drawn(
    image: Image.Image,
    target: Path,
    options: object,
    warn: Warn,
    *,
    dpi: float | None = None,
    smaller: Sequence[Image.Image] = (),
) -> None:
    """Write a picture that was drawn, not read: it has its final size, upright sRGB pixels and no metadata.

    `smaller` are the other pictures of an icon.
    """
    format = target.suffix[1:]
    frames = [fitted(each, format, background_of(options), warn) for each in (image, *smaller)]
    write(Movie(frames), target, format, Coding.of(options), Metadata(dpi=(dpi, dpi) if dpi else None), warn)


def within(image: Image.Image, format: str, warn: Warn) -> Image.Image:
    """A picture that was drawn, made smaller where a side is longer than the format can have."""
    longest = LARGEST_SIDE.get(format, max(image.size))
    if max(image.size) <= longest:
        return image
    scale = longest / max(image.size)
    size = max(1, int(image.width * scale)), max(1, int(image.height * scale))
    warn(
        "SIZE_REDUCED",
        f"The picture would have {image.width:,} x {image.height:,} pixels, but a side of {format.upper()} has at most"
        f" {longest:,}: it was made smaller.",
    )
    return image.resize(size, Image.Resampling.LANCZOS)


def _pages(image: Image.Image, count: int, target: Path, options: object, warn: Warn) -> Format | None:
    """The chosen pages of a TIFF: one TIFF of several pages, or one picture each."""
    check_pages(count)
    format, coding = target.suffix[1:], Coding.of(options)
    numbers = chosen(options.pages if isinstance(options, Pages) else None, count)

    def page(number: int) -> tuple[Movie, Metadata]:
        reading.seek(image, number)
        return _still(image, format, options, picture_metadata.read(image, warn), warn)

    def written(number: int, path: Path) -> None:
        reading.seek(image, number)
        if not _deep(image, number, path, options, picture_metadata.read(image, warn), warn):
            movie, metadata = page(number)
            write(movie, path, format, coding, metadata, warn)

    if len(numbers) == 1:
        written(numbers[0], target)
        return None
    if format == "tiff":
        write_tiff_pages(((movie.first, metadata) for movie, metadata in map(page, numbers)), target, coding, warn)
        return None
    with Bundle(target) as bundle:
        for number in numbers:
            with bundle.page(number, count) as path:
                written(number, path)
    return ZIP
