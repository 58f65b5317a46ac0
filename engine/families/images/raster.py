"""Convert raster pictures: from an opened file to a written one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image

from engine.families.images import animation, codecs, partial, reading, tiff_writing
from engine.families.images import metadata as picture_metadata
from engine.families.images.coding import Coding, Movie
from engine.families.images.geometry import LARGEST_SIDE
from engine.families.images.jpeg_reencoding import reencode
from engine.families.images.metadata import Metadata
from engine.families.images.options import Pages, Tags
from engine.families.images.pixels import DEEP, fitted, upright
from engine.families.images.preparation import (
    background_of,
    centred,
    is_smart,
    metadata_of,
    pixels,
    report_left_out,
    requested_edits,
)
from engine.families.images.writing import write
from engine.toolkit.bundle import Bundle
from engine.toolkit.formats import ZIP, Format
from engine.toolkit.messages import say
from engine.toolkit.page_ranges import chosen
from engine.toolkit.picture_limits import check_pages
from engine.toolkit.warnings import Warn

warm = codecs.load_all


def convert(source: Path, target: Path, options: object, warn: Warn) -> Format | None:
    """Convert the picture in `source` to the format named by the extension of `target`.

    Animations stay animated if the format supports it; the pages of a TIFF become one picture each, in a ZIP. `options`
    has the fields of some of the groups in `images.options`. Returns the format written if that is not the target's.
    Raises Unreadable, OverLimit, and InvalidOption for pages that do not exist.
    """
    format = target.suffix[1:]
    with reading.opened(source) as image:
        found = picture_metadata.read(image, warn)
        count = reading.frame_count(image)
        if image.format == "TIFF":
            return _pages(image, count, target, options, warn)
        if animation.is_animation(image, count) and format in animation.WRITTEN:
            animation.convert(image, count, target, options, found, warn)
            return None
        report_left_out(image, count, warn)
        if _deep(image, 0, target, options, found, warn) or reencode(image, source, target, options, found, warn):
            return None
        movie, metadata = _still(image, format, options, found, warn)
    del image  # its pixels take as much memory as those being written
    write(movie, target, format, Coding.from_options(options), metadata, warn)
    return None


def _deep(image: Image.Image, number: int, target: Path, options: object, found: Metadata, warn: Warn) -> bool:
    """Write a 16-bit picture without loss if source and target support it; returns whether it was written."""
    if not found.deep or target.suffix[1:] not in DEEP or partial.is_partial(image):
        return False
    from engine.families.images import deep  # uses libvips, which other pictures don't need

    picture = deep.opened(image, number)
    if picture is None:
        return False
    edits, geometry, shades, srgb = requested_edits(image, target.suffix[1:], options, found, warn)
    if is_smart(options):
        reading.load(image, warn)
        geometry = centred(upright(image, found.orientation), edits.region, geometry)
    size = edits.turned_size(geometry.size)
    wish = options.metadata if isinstance(options, Tags) else "keep"
    metadata = picture_metadata.selected(found, wish, target.suffix[1:], size, warn)
    deep.write(
        picture,
        found,
        metadata,
        target,
        edits=edits,
        geometry=geometry,
        shades=shades,
        srgb=srgb,
        coding=Coding.from_options(options),
        warn=warn,
    )
    return True


def _still(image: Image.Image, format: str, options: object, found: Metadata, warn: Warn) -> tuple[Movie, Metadata]:
    """The current frame of an opened picture, prepared for writing, with its metadata."""
    frame, profile = pixels(image, format, options, found, warn)
    return Movie([frame]), metadata_of(found, profile, frame, format, options, warn)


def pictures(source: Path, pages: str | None, warn: Warn) -> Iterator[tuple[int, Image.Image, float | None]]:
    """The picture in `source`, or the chosen pages of a TIFF: each with its number from 0, upright, and its dpi.

    Raises Unreadable, OverLimit, and InvalidOption for pages that do not exist.
    """
    with reading.opened(source) as image:
        count = reading.frame_count(image)
        if image.format != "TIFF":
            report_left_out(image, count, warn)
            count = 1
        check_pages(count)
        for number in chosen(pages, count):
            if number:
                reading.seek(image, number)
            quiet = Warn()  # lost colours and tags don't affect the text in a picture
            found = picture_metadata.read(image, quiet)
            frame, _ = pixels(image, "pdf", None, found, quiet, only_srgb=True)
            partial.report(image, warn)
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
    """Write a generated picture at its final size, with upright sRGB pixels and no metadata.

    `smaller` are the other pictures of an icon.
    """
    format = target.suffix[1:]
    frames = [fitted(each, format, background_of(options), warn) for each in (image, *smaller)]
    write(Movie(frames), target, format, Coding.from_options(options), Metadata(dpi=(dpi, dpi) if dpi else None), warn)


def within(image: Image.Image, format: str, warn: Warn) -> Image.Image:
    """A generated picture, scaled down if a side exceeds the format's limit."""
    longest = LARGEST_SIDE.get(format, max(image.size))
    if max(image.size) <= longest:
        return image
    scale = longest / max(image.size)
    size = max(1, int(image.width * scale)), max(1, int(image.height * scale))
    warn(
        "SIZE_REDUCED",
        say(
            "The picture would have {width} x {height} pixels, but {format} allows at most {longest} "
            "per side, so it was shrunk.",
            width=image.width,
            height=image.height,
            format=format.upper(),
            longest=longest,
        ),
    )
    return image.resize(size, Image.Resampling.LANCZOS)


def _pages(image: Image.Image, count: int, target: Path, options: object, warn: Warn) -> Format | None:
    """The chosen pages of a TIFF: one multi-page TIFF, or one picture each."""
    check_pages(count)
    format, coding = target.suffix[1:], Coding.from_options(options)
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
        pages = ((movie.first, metadata) for movie, metadata in map(page, numbers))
        tiff_writing.write_pages(pages, target, coding, warn)
        return None
    with Bundle(target) as bundle:
        for number in numbers:
            with bundle.page(number, count) as path:
                written(number, path)
    return ZIP
