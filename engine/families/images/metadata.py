"""Read picture metadata, and select what is kept and what a format can carry."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, replace

from PIL import ExifTags, Image

from engine.families.images import colour_descriptions, maker_notes
from engine.families.images.depth import is_deep
from engine.families.images.described_profiles import CodePoints
from engine.families.images.reading import DAMAGED, load
from engine.toolkit.census import ALL
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_LARGEST_SEGMENT = 65_500
"""The capacity of a JPEG segment (ISO/IEC 10918-1, B.1.1.4) less its headers."""

_CARRIES = {
    "png": {"EXIF", "XMP", "text"},
    "jpg": {"EXIF", "XMP", "comment"},
    "webp": {"EXIF", "XMP"},
    "avif": {"EXIF", "XMP"},
    "heic": {"EXIF", "XMP"},
    "tiff": {"EXIF", "XMP"},
    "gif": {"comment"},
}

# Tags that describe the storage of the pixels (TIFF 6.0), which rewriting invalidates.
_STRUCTURE = frozenset(
    (254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284, 288, 289,
     290, 291, 292, 293, 296, 297, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 330, 332, 333, 334, 336, 337, 338,
     339, 340, 341, 342, 347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532, 700, 33723, 34377, 34675,
     50838, 50839)
)  # fmt: skip
_COUNTED_AS = {"EXIF": "exif", "XMP": "xmp", "IPTC": "iptc", "comment": "remarks", "text": "remarks"}
_DPI_IN_EXIF = {"webp", "avif", "heic"}
"""Formats with no other place for the resolution."""
_USUAL_DPI, _CENTIMETRE = {72, 96}, 3
_UPRIGHT = {"JXL", "PSD"}
"""Decoders that apply the orientation themselves, so that Exif's is ignored (ISO/IEC 18181-2)."""

_XMP_ORIENTATION = re.compile(rb"tiff:Orientation(=[\"'][0-9][\"']|>[0-9]<)")
_PLACE_IN_XMP = re.compile(rb"GPS|Location|photoshop:(City|State|Country)|Iptc4xmp", re.IGNORECASE)


@dataclass(frozen=True)
class Metadata:
    """The metadata of a picture: `orientation` is 1 to 8 as in Exif, `dpi` in pixels per inch.

    `deep` is whether it has more bits per channel than it is decoded to. `points` describes its colours in addition to
    the profile, which may have been built from them. `notes_at` is the offset of the notes of the camera's maker.
    """

    orientation: int = 1
    exif: Image.Exif | None = None
    xmp: bytes | None = None
    profile: bytes | None = None
    points: CodePoints | None = None
    dpi: tuple[float, float] | None = None
    comment: bytes | None = None
    text: tuple[tuple[str, str], ...] = ()
    iptc: bool = False
    deep: bool = False
    notes_at: int | None = None

    def exif_data(self) -> bytes:
        """The Exif data with its prefix; empty if there is none."""
        return maker_notes.written(self.exif, self.notes_at) if self.exif else b""


def read(image: Image.Image, warn: Warn) -> Metadata:
    """The metadata of an opened picture; damaged parts are dropped with a warning.

    Raises as load() does if the pixels must be decoded first.
    """
    deep = is_deep(image)
    if image.format in ("PNG", "JXL"):
        load(image, warn)  # its metadata may follow the pixels
    info = image.info
    exif, orientation, dpi = _exif(image, warn)
    xmp = info.get("xmp")
    points, profile = colour_descriptions.read(image)
    text = getattr(image, "text", {}) if image.format == "PNG" else {}
    xmp = xmp or text.get("XML:com.adobe.xmp")  # compressed XMP, which the decoder treats like any other text
    return Metadata(
        orientation=1 if image.format in _UPRIGHT else orientation,
        exif=exif,
        xmp=xmp.encode() if isinstance(xmp, str) else xmp if isinstance(xmp, bytes) else None,
        profile=profile,
        points=points,
        dpi=resolution(info.get("dpi")) or dpi,
        comment=info.get("comment") if isinstance(info.get("comment"), bytes) else None,
        text=tuple((key, str(value)) for key, value in text.items() if key != "XML:com.adobe.xmp"),
        deep=deep,
        notes_at=maker_notes.place(info.get("exif")),
        iptc="photoshop" in info
        or (image.format == "TIFF" and bool({33723, 34377} & set(getattr(image, "tag_v2", ())))),
    )


def _exif(image: Image.Image, warn: Warn) -> tuple[Image.Exif | None, int, tuple[float, float] | None]:
    """The Exif data with nested directories, the orientation that decoded pixels still need, and the resolution.

    Tags that describe the file's structure are dropped.
    """
    with warnings.catch_warnings(record=True) as complaints:
        warnings.simplefilter("always")
        try:
            exif = image.getexif()
            stored = exif.get(ExifTags.Base.Orientation, 1)
            dpi = _chosen_dpi(exif)
            # The TIFF decoder rotates by this tag itself once the pixels are decoded.
            turned = image.format == "TIFF"
            for tag in (set(exif) & _STRUCTURE) - ({ExifTags.Base.Orientation} if turned else set()):
                del exif[tag]
            for tag in (ExifTags.IFD.Exif, ExifTags.IFD.GPSInfo):
                if tag in exif:
                    exif[tag] = exif.get_ifd(tag)
            details = exif.get(ExifTags.IFD.Exif)
            if isinstance(details, dict) and ExifTags.IFD.Interop in details:
                details[ExifTags.IFD.Interop] = exif.get_ifd(ExifTags.IFD.Interop)
            if len(exif):
                exif.tobytes()
        except DAMAGED:
            warn("METADATA_DROPPED", "The EXIF metadata is damaged and was left out.")
            warn.account("exif", ALL)
            return None, 1, None
    if complaints:
        warn("METADATA_DROPPED", "A part of the EXIF metadata is damaged and was left out.")
        warn.account("exif", ALL)
    upright = turned or not isinstance(stored, int) or not 1 <= stored <= 8
    return (exif if len(exif) else None), 1 if upright else stored, dpi


def _chosen_dpi(exif: Image.Exif) -> tuple[float, float] | None:
    """Return the resolution in Exif data, unless it is a default of programs."""
    scale = 2.54 if exif.get(ExifTags.Base.ResolutionUnit) == _CENTIMETRE else 1.0
    try:
        dpi = tuple(float(exif[tag]) * scale for tag in (ExifTags.Base.XResolution, ExifTags.Base.YResolution))
    except (KeyError, TypeError, ValueError, ArithmeticError):
        return None
    found = resolution(dpi)
    return None if found is None or set(map(round, found)) <= _USUAL_DPI else found


def selected(found: Metadata, wish: str, target: str, size: tuple[int, int], warn: Warn) -> Metadata:
    """The part of `found` that goes into a `target` file: `wish` is keep, stripGps or strip, `size` that of the new
    picture.

    Profile and resolution are kept in any case. Requested metadata that the format can't carry is reported.
    """
    if wish == "strip":
        return Metadata(profile=found.profile, points=found.points, dpi=found.dpi)
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
        if target == "jpg" and len(found.exif_data()) > _LARGEST_SEGMENT:
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
    if target in _DPI_IN_EXIF and found.dpi and not set(map(round, found.dpi)) <= _USUAL_DPI:
        exif = Image.Exif() if exif is None else exif
        exif[ExifTags.Base.ResolutionUnit] = 2
        for tag, dots in zip((ExifTags.Base.XResolution, ExifTags.Base.YResolution), found.dpi, strict=True):
            exif[tag] = round(dots, 2)
    carried = _CARRIES.get(target, set())
    present = {"EXIF": exif, "XMP": xmp, "comment": found.comment, "text": found.text}
    lost += [name for name, value in present.items() if value and name not in carried]
    lost += ["IPTC"] if found.iptc else []
    if lost:
        warn("METADATA_DROPPED", say("Metadata was left out: {lost}.", lost=", ".join(lost)))
        for each in lost:
            warn.account(_COUNTED_AS[each.partition(",")[0]], ALL)
    return replace(
        found,
        orientation=1,
        exif=exif if "EXIF" in carried else None,
        xmp=xmp if "XMP" in carried else None,
        comment=found.comment if "comment" in carried else None,
        text=found.text if "text" in carried else (),
    )


def with_profile(metadata: Metadata, profile: bytes | None, target: str, warn: Warn) -> Metadata:
    """Return `metadata` for colours in this profile, None for sRGB, without descriptions that no longer apply.

    A high dynamic range is reported if only the profile is kept, which maps it to that of ordinary screens.
    """
    points = metadata.points
    kept = points if profile and target == "png" else None
    if points and points.high_range and kept is None:
        warn("COLOR_CONVERTED", "The picture's high dynamic range (HDR) was converted for standard screens.")
        warn.account("ranges", 1)
    return replace(metadata, profile=profile, points=kept)


def resolution(value: object) -> tuple[float, float] | None:
    """A decoder's value for the resolution, if it is a sensible pair of numbers."""
    if not isinstance(value, tuple) or len(value) != 2:
        return None
    try:
        across, down = float(value[0]), float(value[1])
    except (TypeError, ValueError, ArithmeticError):
        return None
    return (across, down) if 10 <= across <= 10_000 and 10 <= down <= 10_000 else None
