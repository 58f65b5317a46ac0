"""Preparation: one frame of an opened picture as it will be written, and what of the file is left behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PIL import Image, ImageFile

from conversions.families.images import metadata as picture_metadata
from conversions.families.images import photoshop, reading
from conversions.families.images.edits import Edits, edits_of
from conversions.families.images.geometry import LARGEST_SIDE, Crop, Geometry, plan
from conversions.families.images.metadata import Metadata
from conversions.families.images.options import Background, Box, Edit, Enlarge, Tags
from conversions.families.images.pixels import coloured, fitted, grey, resized, shallow, turned, upright
from conversions.toolkit.formats import FORMATS
from conversions.toolkit.picture_limits import check_pixels
from conversions.toolkit.warnings import Warn

Place = Callable[[Image.Image, Crop, Geometry], Geometry]


def is_smart(options: object) -> bool:
    """Whether the options want a crop that looks at the picture."""
    return isinstance(options, Box) and options.fit == "smart" and bool(options.width and options.height)


def attended(image: Image.Image, region: Crop, geometry: Geometry) -> Geometry:
    """`geometry` with its crop moved inside `region` of `image` to what draws the eye."""
    from conversions.families.images import attention  # with libvips, which other pictures have no need of

    return attention.moved(image, region, geometry)


def wish_of(
    image: Image.Image, format: str, options: object, found: Metadata, warn: Warn
) -> tuple[Edits, Geometry, bool, bool]:
    """What the options want of an opened picture: edits, their geometry in the upright one, only grey, only sRGB."""
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
    place: Place = attended,
    only_srgb: bool = False,
) -> tuple[Image.Image, bytes | None]:
    """The current frame of an opened picture as it will be written, and the colour profile that goes with it.

    `place` says where a crop that is to be smart goes; `only_srgb` leaves no other colours, whatever the options say.
    """
    edits, geometry, shades, srgb = wish_of(image, format, options, found, warn)
    if found.deep:
        warn("COLOR_CONVERTED", "The picture has more than 8 bits a channel and was reduced to 8.")
    region = edits.region
    if image.format in ("JPEG", "MPO"):
        geometry, region = _drafted(image, geometry, region, found.orientation)
    reading.load(image)
    decoded = photoshop.composed(image, warn) if image.format == "PSD" else shallow(image, format, warn)
    stands = upright(decoded, found.orientation)
    frame = edits.turned(resized(stands, place(stands, region, geometry) if is_smart(options) else geometry))
    frame, profile = coloured(frame, found.profile, srgb=srgb or only_srgb, target=format, warn=warn)
    frame = fitted(grey(frame) if shades else frame, format, background_of(options), warn)
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


def enlarges(options: object) -> bool:
    return isinstance(options, Enlarge) and options.enlarge


def background_of(options: object) -> str:
    return options.background if isinstance(options, Background) else "#ffffff"


def metadata_of(
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
    if image.format == "RAW":
        warn("METADATA_DROPPED", "The metadata of the raw file (camera, date, place) was left out.")
    elif image.format == "JXL" and image.info.get("moves"):
        warn("ANIMATION_DROPPED", "The picture is an animation; only the first frame was kept.")
    elif image.format == "PSD":
        if count > 1:
            warn("CONTENT_DROPPED", f"The document has {count} layers; the flattened picture was converted.")
    elif image.format in ("ICO", "ICNS") and len(sizes) > 1:
        warn("CONTENT_DROPPED", f"The icon has {len(sizes)} sizes; the largest, {image.width} pixels, was converted.")
    elif image.format in ("HEIF", "MPO") and count > 1:
        warn("CONTENT_DROPPED", f"The file holds {count} pictures; only the main one was converted.")
    elif count > 1:
        warn("ANIMATION_DROPPED", f"The animation has {count} frames; only the first was kept.")
