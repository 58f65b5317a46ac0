"""Raster pictures to raster pictures: from an opened file to a written one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PIL import Image, ImageFile

from conversions.families.images import codecs, photoshop, reading
from conversions.families.images import metadata as picture_metadata
from conversions.families.images.coding import Coding, Movie
from conversions.families.images.edits import Edits, edits_of
from conversions.families.images.geometry import LARGEST_SIDE, Crop, Geometry, plan
from conversions.families.images.metadata import Metadata
from conversions.families.images.options import Background, Box, Edit, Enlarge, Pages, Tags
from conversions.families.images.pixels import DEEP, coloured, fitted, grey, resized, shallow, turned, upright
from conversions.families.images.writing import write, write_tiff_pages
from conversions.toolkit.bundle import Bundle
from conversions.toolkit.formats import FORMATS, ZIP, Format
from conversions.toolkit.page_ranges import chosen
from conversions.toolkit.picture_limits import check_frames, check_pages, check_pixels
from conversions.toolkit.warnings import Warn

warm = codecs.load_all
ANIMATED = {"gif", "webp", "avif", "png"}
"""Formats whose frames follow one another in time."""


Place = Callable[[Image.Image, Crop, Geometry], Geometry]


def is_smart(options: object) -> bool:
    """Whether the options want a crop that looks at the picture."""
    return isinstance(options, Box) and options.fit == "smart" and bool(options.width and options.height)


def attended(image: Image.Image, region: Crop, geometry: Geometry) -> Geometry:
    """`geometry` with its crop moved inside `region` of `image` to what draws the eye."""
    from conversions.families.images import attention  # with libvips, which other pictures have no need of

    return attention.moved(image, region, geometry)


def _steady() -> Place:
    """Crops at the same place of every frame: where the first one draws the eye."""
    found: list[Geometry] = []

    def place(image: Image.Image, region: Crop, geometry: Geometry) -> Geometry:
        if not found:
            found.append(attended(image, region, geometry))
        return found[0]

    return place


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
        if image.format in ("GIF", "WEBP", "AVIF", "PNG") and count > 1 and format in ANIMATED:
            _animation(image, count, target, options, found, warn)
            return None
        name_what_is_left(image, count, warn)
        if _deep(image, 0, target, options, found, warn):
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
    edits, geometry, shades, srgb = _wish(image, target.suffix[1:], options, found, warn)
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


def _wish(
    image: Image.Image, format: str, options: object, found: Metadata, warn: Warn
) -> tuple[Edits, Geometry, bool, bool]:
    """What the options want of an opened picture: edits, their geometry in the upright one, only grey, only sRGB."""
    edits = edits_of(options, turned(image.size, found.orientation))
    geometry = edits.before(geometry_of(edits.size, format, options, warn, enlarge=_enlarges(options)))
    shades = isinstance(options, Edit) and options.grayscale
    return edits, geometry, shades, shades or (isinstance(options, Tags) and options.color_profile == "srgb")


def _still(image: Image.Image, format: str, options: object, found: Metadata, warn: Warn) -> tuple[Movie, Metadata]:
    """The current frame of an opened picture as it will be written, and the metadata that goes with it."""
    frame, profile = pixels(image, format, options, found, warn)
    return Movie([frame]), _metadata(found, profile, frame, format, options, warn)


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
    frames = [fitted(each, format, _background(options), warn) for each in (image, *smaller)]
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


def pixels(
    image: Image.Image, format: str, options: object, found: Metadata, warn: Warn, *, place: Place = attended
) -> tuple[Image.Image, bytes | None]:
    """The current frame of an opened picture as it will be written, and the colour profile that goes with it.

    `place` says where a crop that is to be smart goes.
    """
    edits, geometry, shades, srgb = _wish(image, format, options, found, warn)
    if found.deep:
        warn("COLOR_CONVERTED", "The picture has more than 8 bits a channel and was reduced to 8.")
    region = edits.region
    if image.format in ("JPEG", "MPO"):
        geometry, region = _drafted(image, geometry, region, found.orientation)
    reading.load(image)
    decoded = photoshop.composed(image, warn) if image.format == "PSD" else shallow(image, format, warn)
    stands = upright(decoded, found.orientation)
    frame = edits.turned(resized(stands, place(stands, region, geometry) if is_smart(options) else geometry))
    frame, profile = coloured(frame, found.profile, srgb=srgb, target=format, warn=warn)
    frame = fitted(grey(frame) if shades else frame, format, _background(options), warn)
    # A writer would go through the other frames of an opened file, and take its tags over. A JPEG has neither.
    return (frame.copy() if isinstance(frame, ImageFile.ImageFile) and frame.format != "JPEG" else frame), profile


def geometry_of(size: tuple[int, int], format: str, options: object, warn: Warn, *, enlarge: bool) -> Geometry:
    """Where a picture of this size goes; raises OverLimit where the result would have too many pixels."""
    box = options if isinstance(options, Box) else Box()
    longest = LARGEST_SIDE.get(format)
    geometry = plan(size, width=box.width, height=box.height, fit=box.fit, enlarge=enlarge, longest=longest)
    if longest and max(size) > longest == max(geometry.size) and not (box.width or box.height):
        warn("SIZE_REDUCED", f"{FORMATS[format].name} takes at most {longest} pixels a side.")
    check_pixels(*geometry.size, format)
    return geometry


def _enlarges(options: object) -> bool:
    return isinstance(options, Enlarge) and options.enlarge


def _background(options: object) -> str:
    return options.background if isinstance(options, Background) else "#ffffff"


def _metadata(
    found: Metadata, profile: bytes | None, frame: Image.Image, format: str, options: object, warn: Warn
) -> Metadata:
    wish = options.metadata if isinstance(options, Tags) else "keep"
    return replace(picture_metadata.kept(found, wish, format, frame.size, warn), profile=profile)


def _drafted(image: Image.Image, geometry: Geometry, region: Crop, orientation: int) -> tuple[Geometry, Crop]:
    """Let the JPEG decoder scale down as far as leaves twice the wanted size, and what then stands where."""
    size = image.size
    left, top, right, bottom = geometry.crop
    scale = 2 * max(geometry.size[0] / (right - left), geometry.size[1] / (bottom - top))
    image.draft("", (round(size[0] * scale), round(size[1] * scale)))
    if image.size == size:
        return geometry, region
    before, now = turned(size, orientation), turned(image.size, orientation)
    across, down = now[0] / before[0], now[1] / before[1]

    def placed(box: Crop) -> Crop:
        return (box[0] * across, box[1] * down, min(now[0], box[2] * across), min(now[1], box[3] * down))

    return Geometry(placed(geometry.crop), geometry.size), placed(region)


def name_what_is_left(image: Image.Image, count: int, warn: Warn) -> None:
    """Warn of the frames, sizes and pictures of a file of which only one is converted."""
    sizes = image.info.get("sizes", ())
    if image.format == "PSD":
        if count > 1:
            warn("CONTENT_DROPPED", f"The document has {count} layers; the flattened picture was converted.")
    elif image.format in ("ICO", "ICNS") and len(sizes) > 1:
        warn("CONTENT_DROPPED", f"The icon has {len(sizes)} sizes; the largest, {image.width} pixels, was converted.")
    elif image.format in ("HEIF", "MPO") and count > 1:
        warn("CONTENT_DROPPED", f"The file holds {count} pictures; only the main one was converted.")
    elif count > 1:
        warn("ANIMATION_DROPPED", f"The animation has {count} frames; only the first was kept.")


def _animation(image: Image.Image, count: int, target: Path, options: object, found: Metadata, warn: Warn) -> None:
    format = target.suffix[1:]
    size = turned(image.size, found.orientation)
    edits = edits_of(options, size)
    geometry = geometry_of(edits.size, format, options, warn, enlarge=_enlarges(options))
    check_frames(count, size, geometry.size)
    frames, delays, profile, place = [], [], None, _steady()
    # The picture that a PNG shows where animations are unknown can be one that is not part of the animation.
    for number in range(int(bool(image.info.get("default_image"))), count):
        reading.seek(image, number)
        frame, profile = pixels(image, format, options, found, warn, place=place)
        frame = frame.convert("RGBA" if frame.has_transparency_data else "RGB")
        frames.append(frame if frame.size == geometry.size else frame.crop((0, 0, *geometry.size)))
        delay = round(image.info.get("duration") or 0)
        # Browsers show a GIF frame of no or next to no duration for a tenth of a second.
        delays.append(100 if image.format == "GIF" and delay <= 10 else delay)
    if len({frame.mode for frame in frames}) > 1:
        frames = [frame.convert("RGBA") for frame in frames]
    metadata = _metadata(found, profile, frames[0], format, options, warn)
    write(Movie(frames, tuple(delays), _plays(image)), target, format, Coding.of(options), metadata, warn)


def _plays(image: Image.Image) -> int:
    loop = image.info.get("loop")
    if image.format == "GIF":
        return 1 if loop is None else int(loop) + 1 if loop else 0
    return int(loop or 0)


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
