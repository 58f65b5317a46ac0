"""Metadata of a picture: what is read beside the pixels, what of it is kept, and what a format can carry."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, replace

from PIL import ExifTags, Image

from conversions.families.images.depth import is_deep
from conversions.families.images.reading import DAMAGED, load
from conversions.toolkit.warnings import Warn

_LARGEST_SEGMENT = 65_500
"""Bytes that one JPEG segment holds (ISO/IEC 10918-1, B.1.1.4), less its headers."""

_CARRIES = {
    "png": {"EXIF", "XMP", "text"},
    "jpg": {"EXIF", "XMP", "comment"},
    "webp": {"EXIF", "XMP"},
    "avif": {"EXIF", "XMP"},
    "heic": {"EXIF", "XMP"},
    "tiff": {"EXIF", "XMP"},
    "gif": {"comment"},
}

# What describes how the pixels are stored, not the picture (TIFF 6.0): wrong once they are stored anew.
_STRUCTURE = frozenset(
    (254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284, 288, 289,
     290, 291, 292, 293, 296, 297, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 330, 332, 333, 334, 336, 337, 338,
     339, 340, 341, 342, 347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532, 700, 33723, 34377, 34675,
     50838, 50839)
)  # fmt: skip
_UPRIGHT = {"JXL", "PSD"}
"""Decoders that give upright pictures: what Exif says of their turning is of no account (ISO/IEC 18181-2)."""

_XMP_ORIENTATION = re.compile(rb"tiff:Orientation(=[\"'][0-9][\"']|>[0-9]<)")
_PLACE_IN_XMP = re.compile(rb"GPS|Location|photoshop:(City|State|Country)|Iptc4xmp", re.IGNORECASE)


@dataclass(frozen=True)
class Metadata:
    """What a picture says about itself: `orientation` is 1 to 8 as in Exif, `dpi` pixels an inch each way.

    `deep` is whether its colours have more bits than they are decoded to.
    """

    orientation: int = 1
    exif: Image.Exif | None = None
    xmp: bytes | None = None
    profile: bytes | None = None
    dpi: tuple[float, float] | None = None
    comment: bytes | None = None
    text: tuple[tuple[str, str], ...] = ()
    iptc: bool = False
    deep: bool = False


def read(image: Image.Image, warn: Warn) -> Metadata:
    """The metadata of an opened picture; damaged parts are left out with a warning.

    Raises as load() does where the pixels have to be decoded on the way.
    """
    deep = is_deep(image)
    if image.format in ("PNG", "JXL"):
        load(image)  # its metadata may come after the pixels
    info = image.info
    exif, orientation = _exif(image, warn)
    xmp = info.get("xmp")
    text = getattr(image, "text", {}) if image.format == "PNG" else {}
    return Metadata(
        orientation=1 if image.format in _UPRIGHT else orientation,
        exif=exif,
        xmp=xmp.encode() if isinstance(xmp, str) else xmp if isinstance(xmp, bytes) else None,
        profile=info.get("icc_profile") or None,
        dpi=resolution(info.get("dpi")),
        comment=info.get("comment") if isinstance(info.get("comment"), bytes) else None,
        text=tuple((key, str(value)) for key, value in text.items() if key != "XML:com.adobe.xmp"),
        deep=deep,
        iptc="photoshop" in info
        or (image.format == "TIFF" and bool({33723, 34377} & set(getattr(image, "tag_v2", ())))),
    )


def _exif(image: Image.Image, warn: Warn) -> tuple[Image.Exif | None, int]:
    """The Exif data, nested directories included, and by which orientation the decoded pixels are still to be turned.

    What describes the structure of the file is left out.
    """
    with warnings.catch_warnings(record=True) as complaints:
        warnings.simplefilter("always")
        try:
            exif = image.getexif()
            stored = exif.get(ExifTags.Base.Orientation, 1)
            # The decoder of TIFF turns the picture itself, by this tag, once the pixels are decoded.
            turned = image.format == "TIFF"
            for tag in (set(exif) & _STRUCTURE) - ({ExifTags.Base.Orientation} if turned else set()):
                del exif[tag]
            for tag in (ExifTags.IFD.Exif, ExifTags.IFD.GPSInfo):
                if tag in exif:
                    exif[tag] = exif.get_ifd(tag)
            if len(exif):
                exif.tobytes()
        except DAMAGED:
            warn("METADATA_DROPPED", "The EXIF metadata is damaged and was left out.")
            return None, 1
    if complaints:
        warn("METADATA_DROPPED", "A part of the EXIF metadata is damaged and was left out.")
    upright = turned or not isinstance(stored, int) or not 1 <= stored <= 8
    return (exif if len(exif) else None), 1 if upright else stored


def kept(found: Metadata, wish: str, target: str, size: tuple[int, int], warn: Warn) -> Metadata:
    """What of `found` goes into a `target` file: `wish` is keep, stripGps or strip, `size` that of the new picture.

    The profile and the resolution are not metadata in this sense and stay. What is wanted but can't be carried is
    named in a warning.
    """
    if wish == "strip":
        return Metadata(profile=found.profile, dpi=found.dpi)
    lost = []
    exif, xmp = found.exif, found.xmp
    if exif is not None:
        if ExifTags.Base.Orientation in exif:
            del exif[ExifTags.Base.Orientation]
        if wish == "stripGps" and ExifTags.IFD.GPSInfo in exif:
            del exif[ExifTags.IFD.GPSInfo]
        details = exif.get(ExifTags.IFD.Exif)
        if isinstance(details, dict):
            for tag, side in ((ExifTags.Base.ExifImageWidth, size[0]), (ExifTags.Base.ExifImageHeight, size[1])):
                if tag in details:
                    details[tag] = side
        if target == "jpg" and len(exif.tobytes()) > _LARGEST_SEGMENT:
            lost.append("EXIF")
            exif = None
    if xmp is not None:
        if wish == "stripGps" and _PLACE_IN_XMP.search(xmp):
            lost.append("XMP, because it names the place,")
            xmp = None
        elif target == "jpg" and len(xmp) > _LARGEST_SEGMENT:
            lost.append("XMP")
            xmp = None
        else:
            xmp = _XMP_ORIENTATION.sub(lambda match: match[0].replace(match[0][-2:-1], b"1"), xmp)
    carried = _CARRIES.get(target, set())
    present = {"EXIF": exif, "XMP": xmp, "comment": found.comment, "text": found.text}
    lost += [name for name, value in present.items() if value and name not in carried]
    lost += ["IPTC"] if found.iptc else []
    if lost:
        warn("METADATA_DROPPED", f"Metadata was left out: {', '.join(lost)}.")
    return replace(
        found,
        orientation=1,
        exif=exif if "EXIF" in carried else None,
        xmp=xmp if "XMP" in carried else None,
        comment=found.comment if "comment" in carried else None,
        text=found.text if "text" in carried else (),
    )


def resolution(value: object) -> tuple[float, float] | None:
    """A decoder's word for the pixels an inch, which can be anything, if it is a sensible pair of numbers."""
    if not isinstance(value, tuple) or len(value) != 2:
        return None
    try:
        across, down = float(value[0]), float(value[1])
    except (TypeError, ValueError, ArithmeticError):
        return None
    return (across, down) if 10 <= across <= 10_000 and 10 <= down <= 10_000 else None
