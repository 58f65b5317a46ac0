"""Prepare one frame for writing, and report what of the file is dropped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PIL import Image, ImageFile

from engine.families.images import metadata as picture_metadata
from engine.families.images import photoshop, reading
from engine.families.images.counting.thumbnails import thumbnail
from engine.families.images.edits import Edits, edits_of
from engine.families.images.geometry import LARGEST_SIDE, Crop, Geometry, plan
from engine.families.images.metadata import Metadata
from engine.families.images.options import Background, Box, Edit, Enlarge, Tags
from engine.families.images.pixels import coloured, fitted, grey, resized, shallow, turned, upright, usable_profile
from engine.toolkit.census import ALL
from engine.toolkit.formats import FORMATS
from engine.toolkit.messages import say
from engine.toolkit.picture_limits import check_pixels
from engine.toolkit.thumbnails import EDGE, Thumbnail
from engine.toolkit.warnings import Warn

Place = Callable[[Image.Image, Crop, Geometry], Geometry]


def is_smart(options: object) -> bool:
    """Whether the options request a content-aware crop."""
    return isinstance(options, Box) and options.fit == "smart" and bool(options.width and options.height)


def centred(image: Image.Image, region: Crop, geometry: Geometry) -> Geometry:
    """`geometry` with its crop moved within `region` of `image` to the centre of attention."""
    from engine.families.images import attention  # uses libvips, which other pictures don't need

    return attention.centred_on_attention(image, region, geometry)


def requested_edits(
    image: Image.Image, format: str, options: object, found: Metadata, warn: Warn
) -> tuple[Edits, Geometry, bool, bool]:
    """The requested edits, geometry in the upright picture, greyscale and sRGB conversion."""
    edits = edits_of(options, turned(image.size, found.orientation))
    geometry = edits.before(geometry_of(edits.size, format, options, warn, enlarge=enlarges(options)))
    shades = isinstance(options, Edit) and options.grayscale
    return edits, geometry, shades, shades or (isinstance(options, Tags) and options.color_profile == "srgb")


def pixels(
    image: Image.Image,
    format: str,
    options: object,
    found: Metadata,
    warn: Warn,
    *,
    place: Place = centred,
    only_srgb: bool = False,
) -> tuple[Image.Image, bytes | None]:
    """The current frame of an opened picture, prepared for writing, and its colour profile.

    `place` positions a content-aware crop; `only_srgb` converts to sRGB whatever the options say.
    """
    edits, geometry, shades, srgb = requested_edits(image, format, options, found, warn)
    if found.deep:
        warn("COLOR_CONVERTED", "The picture had more than 8 bits per channel and was reduced to 8.")
        warn.account("bits", ALL)
    region = edits.region
    if image.format in ("JPEG", "MPO"):
        geometry, region = _drafted(image, geometry, region, found.orientation)
    reading.load(image, warn)
    decoded = photoshop.with_transparency(image, warn) if image.format == "PSD" else shallow(image, format, warn)
    seen = thumbnail(image, found.orientation)
    stands = upright(decoded, found.orientation)
    frame = edits.turned(resized(stands, place(stands, region, geometry) if is_smart(options) else geometry))
    frame, profile = coloured(frame, found.profile, srgb=srgb or only_srgb, target=format, warn=warn)
    if seen:
        warn.add_thumbnail(seen if profile == found.profile else _in_srgb(seen, found.profile))
    frame = fitted(grey(frame) if shades else frame, format, background_of(options), warn)
    # A writer would iterate over the frames of an opened file, and copy its tags. A JPEG has neither.
    return (frame.copy() if isinstance(frame, ImageFile.ImageFile) and frame.format != "JPEG" else frame), profile


def _in_srgb(seen: Thumbnail, profile: bytes | None) -> Thumbnail:
    """A thumbnail in this profile, converted as the picture was."""
    pixels = Image.frombytes("RGB", (EDGE, EDGE), seen.pixels)
    if profile and usable_profile(profile, "RGB", Warn()):
        pixels, _ = coloured(pixels, profile, srgb=True, target="png", warn=Warn())
    return replace(seen, pixels=pixels.convert("RGB").tobytes())


def geometry_of(size: tuple[int, int], format: str, options: object, warn: Warn, *, enlarge: bool) -> Geometry:
    """The geometry for a picture of this size; raises OverLimit if the result would have too many pixels."""
    box = options if isinstance(options, Box) else Box()
    longest = LARGEST_SIDE.get(format)
    geometry = plan(size, width=box.width, height=box.height, fit=box.fit, enlarge=enlarge, longest=longest)
    if longest and max(size) > longest == max(geometry.size) and not (box.width or box.height):
        warn(
            "SIZE_REDUCED",
            say("{name} allows at most {longest} pixels per side.", name=FORMATS[format].name, longest=longest),
        )
    check_pixels(*geometry.size, format)
    return geometry


def enlarges(options: object) -> bool:
    return isinstance(options, Enlarge) and options.enlarge


def background_of(options: object) -> str:
    return options.background if isinstance(options, Background) else "#ffffff"


def metadata_of(
    found: Metadata, profile: bytes | None, frame: Image.Image, format: str, options: object, warn: Warn
) -> Metadata:
    wish = options.metadata if isinstance(options, Tags) else "keep"
    selected = picture_metadata.selected(found, wish, format, frame.size, warn)
    return picture_metadata.with_profile(selected, profile, format, warn)


def _drafted(image: Image.Image, geometry: Geometry, region: Crop, orientation: int) -> tuple[Geometry, Crop]:
    """Let the JPEG decoder scale down to no less than twice the target size, and adjust the geometry."""
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


def report_left_out(image: Image.Image, count: int, warn: Warn) -> None:
    """Warn of frames, sizes and pictures in the file that are not converted."""
    sizes = image.info.get("sizes", ())
    if image.format == "RAW":
        warn("METADATA_DROPPED", "The metadata of the raw file (camera, date, place) was left out.")
    elif image.format == "JXL" and image.info.get("moves"):
        warn("ANIMATION_DROPPED", "The picture is an animation; only the first frame was kept.")
    elif image.format == "PSD":
        if count > 1:
            warn(
                "CONTENT_DROPPED",
                say("The document has {count} layers; the flattened picture was converted.", count=count),
            )
    elif image.format in ("ICO", "ICNS") and len(sizes) > 1:
        warn.account("pages", ALL)
        warn(
            "CONTENT_DROPPED",
            say(
                "The icon has {count} sizes; the largest, {width} pixels, was converted.",
                count=len(sizes),
                width=image.width,
            ),
        )
    elif image.format in ("HEIF", "MPO") and count > 1:
        warn.account("pages", count - 1)
        warn("CONTENT_DROPPED", say("The file has {count} pictures; only the main one was converted.", count=count))
    elif count > 1:
        warn.account("frames", count - 1)
        warn("ANIMATION_DROPPED", say("The animation has {count} frames; only the first was kept.", count=count))
