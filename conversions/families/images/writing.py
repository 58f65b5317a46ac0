"""Writing pictures: one function per format, all settings given, nothing taken over from the picture read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import ExifTags, Image, PngImagePlugin

from conversions.families.images import avif_times, codecs, icons, target_size
from conversions.families.images.coding import PNG_LEVEL, Coding, Movie
from conversions.families.images.indexed import indexed
from conversions.families.images.metadata import Metadata
from conversions.toolkit.failures import OverLimit
from conversions.toolkit.warnings import Warn

if TYPE_CHECKING:
    from PIL.TiffImagePlugin import AppendingTiffWriter

# Chosen so that 24 million pixels take less than 5 s on one core with `balanced`.
_WEBP_METHOD = {"fast": 0, "balanced": 2, "small": 6}
_WEBP_LOSSLESS = {"fast": (0, 0), "balanced": (0, 20), "small": (4, 75)}  # method, quality (here: work)
_AVIF_SPEED = {"fast": 10, "balanced": 9, "small": 6}
# What this leaves out takes a fifth of the encoder's time and makes no difference to size and likeness (SSIM).
_AVIF_PLAIN = {"enable-qm": "0", "sharpness": "0", "coeff-cost-upd-freq": "3", "mode-cost-upd-freq": "3"}
# Grain is not kept for its own sake, and what costs more bits than it shows is left out: a twentieth less for half more
# of the time. Smaller blocks inside of blocks are for letters and lines; there is no time for them in large pictures.
_HEIC_FRUGAL = {"x265:rd": "4", "x265:rdoq-level": "2", "x265:psy-rd": "0", "x265:psy-rdoq": "0"}
_HEIC_EFFORT = {
    "fast": {"preset": "ultrafast"},
    "balanced": {"preset": "ultrafast", **_HEIC_FRUGAL},
    "small": {"preset": "superfast", **_HEIC_FRUGAL},
}
# What is rich in detail gets fewer bits: a quarter less of them in all. The encoder would take all processors that it
# finds, and tell in the picture with which settings it was made; for low pictures it would take blocks of 16 pixels,
# which long ones may not have (ITU-T H.265, A.4.2).
_HEIC_ALWAYS = {
    "x265:aq-mode": "1", "x265:aq-strength": "1", "x265:ctu": "32", "x265:pools": "none", "x265:frame-threads": "1",
    "x265:info": "0",
}  # fmt: skip
_HEIC_TILE, _HEIC_MANY = 1024, 8_000_000
"""The side of the parts that larger pictures are encoded in, as cameras do it, for which there is memory; without
transparency, which readers do not look for in parts."""
FINE = 90
"""The quality of a JPEG or a HEIC above which its colours are as fine as its light."""
_NO_ROOM = ("Failed to encode image", "encoding error 1", "encoding error 2", "Error during encoding")
"""How the encoders of AVIF, WebP and HEIC say that they get no memory, or that a picture is too long for them."""
_LONGEST_DELAY = 60_000
_TIFF_COMPRESSION = {"lzw": "tiff_lzw", "deflate": "tiff_adobe_deflate", "none": "raw"}
_PREDICTOR, _XMP = 317, 700  # TIFF tags
_NESTED = (ExifTags.IFD.Exif, ExifTags.IFD.GPSInfo)


def write(movie: Movie, target: Path, format: str, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    """Write a picture or an animation as `format`, whose modes the frames must have.

    Raises OverLimit where the encoder runs out of memory.
    """
    for frame in movie.frames:
        transparency = frame.info.get("transparency") if frame.mode == "P" else None
        frame.info = {} if transparency is None else {"transparency": transparency}
    codecs.load(format)
    try:
        if coding.target_size and format in target_size.SEARCHED:
            target_size.search(_WRITERS[format], movie, target, coding, metadata, warn)
        else:
            _WRITERS[format](movie, target, coding, metadata, warn)
    except (RuntimeError, ValueError) as error:
        if str(error).startswith(_NO_ROOM):
            raise OverLimit("memory", "The picture is too large for this format. Set a smaller width.") from error
        raise


def _tags(metadata: Metadata) -> dict[str, Any]:
    """The arguments that most encoders share."""
    given = {
        "exif": metadata.exif.tobytes() if metadata.exif else None,
        "xmp": metadata.xmp,
        "icc_profile": metadata.profile,
    }
    return {name: value for name, value in given.items() if value}


def _delays(movie: Movie) -> list[int]:
    return [min(delay, _LONGEST_DELAY) for delay in movie.delays]


def _png(movie: Movie, target: Path, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    chunks = PngImagePlugin.PngInfo()
    tags = _tags(metadata)
    xmp = tags.pop("xmp", None)
    if xmp:
        chunks.add_itxt("XML:com.adobe.xmp", xmp.decode("utf-8", "replace"))
    for key, value in metadata.text:
        chunks.add_text(key, value)
    if metadata.dpi:
        tags["dpi"] = metadata.dpi
    if movie.moves:
        tags |= {
            "save_all": True,
            "append_images": movie.frames[1:],
            "duration": _delays(movie),
            "loop": movie.plays,
            "disposal": PngImagePlugin.Disposal.OP_NONE,
            "blend": PngImagePlugin.Blend.OP_SOURCE,
        }
    movie.first.save(target, "PNG", compress_level=PNG_LEVEL[coding.effort], pnginfo=chunks, **tags)


def _jpg(movie: Movie, target: Path, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    tags = _tags(metadata)
    if metadata.dpi:
        tags["dpi"] = (round(metadata.dpi[0]), round(metadata.dpi[1]))
    if metadata.comment:
        tags["comment"] = metadata.comment[:65_000]
    movie.first.save(
        target,
        "JPEG",
        quality=coding.quality,
        subsampling="4:4:4" if coding.quality > FINE else "4:2:0",
        progressive=coding.effort == "small",
        **tags,
    )


def _webp(movie: Movie, target: Path, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    method, quality = _WEBP_METHOD[coding.effort], coding.quality
    if coding.lossless:
        method, quality = _WEBP_LOSSLESS[coding.effort]
    tags = _tags(metadata)
    if movie.moves:
        tags |= {
            "save_all": True,
            "append_images": movie.frames[1:],
            "duration": _delays(movie),
            "loop": movie.plays,
            "background": (0, 0, 0, 0),
        }
    movie.first.save(
        target, "WEBP", quality=quality, method=method, lossless=coding.lossless, exact=coding.lossless, **tags
    )


def _avif(movie: Movie, target: Path, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    tags = _tags(metadata)
    if movie.moves:
        tags |= {"save_all": True, "append_images": movie.frames[1:], "duration": _delays(movie)}
        if movie.plays:
            warn("CONTENT_DROPPED", "AVIF animations repeat forever; the number of repetitions was left out.")
    if coding.effort != "small":
        tags["advanced"] = _AVIF_PLAIN
    movie.first.save(target, "AVIF", quality=coding.quality, speed=_AVIF_SPEED[coding.effort], max_threads=1, **tags)
    if movie.moves:
        avif_times.clear(target)


def _heic(movie: Movie, target: Path, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    width, height = movie.first.size
    large = width * height > _HEIC_MANY
    parted = large and movie.first.mode != "RGBA" and min(width, height) >= _HEIC_TILE
    effort = "balanced" if large and coding.effort == "small" else coding.effort
    movie.first.save(
        target,
        "HEIF",
        tile_size=_HEIC_TILE if parted else 0,
        quality=coding.quality,
        subsampling="4:4:4" if coding.quality > FINE else "4:2:0",
        enc_params=_HEIC_EFFORT[effort] | _HEIC_ALWAYS,
        **_tags(metadata),
    )


def _bmp(movie: Movie, target: Path, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    tags: dict[str, Any] = {"dpi": metadata.dpi} if metadata.dpi else {}
    movie.first.save(target, "BMP", **tags)


def _tiff(movie: Movie, target: Path, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    nested = {int(tag): dict(metadata.exif.pop(tag)) for tag in _NESTED if metadata.exif and tag in metadata.exif}
    _tiff_page(movie.first, target, coding, metadata)
    if nested:
        from conversions.families.images.tiff_directories import nest

        nest(target, nested)


def write_tiff_pages(pages: Iterable[tuple[Image.Image, Metadata]], target: Path, coding: Coding, warn: Warn) -> None:
    """Write one TIFF with these pages, taken one after the other, whose pixels have modes that a TIFF has."""
    from PIL import TiffImagePlugin  # with the numbers of fractions that it takes, too much for other formats

    with TiffImagePlugin.AppendingTiffWriter(target, new=True) as file:
        for page, metadata in pages:
            page.info = {}
            # Pillow does not move the offsets of nested directories to where a later page lies.
            if metadata.exif is not None and any(metadata.exif.pop(tag, None) for tag in _NESTED):
                warn("METADATA_DROPPED", "The metadata (camera, place) of the pages of a TIFF was left out.")
            _tiff_page(page, file, coding, metadata)
            file.newFrame()


def _tiff_page(page: Image.Image, file: Path | AppendingTiffWriter, coding: Coding, metadata: Metadata) -> None:
    # Tags of the page itself, not an Exif block: they are written into its directory (TIFF 6.0).
    directory = metadata.exif or Image.Exif()
    if metadata.xmp:
        directory[_XMP] = metadata.xmp
    if coding.compression != "none" and page.mode in ("L", "LA", "RGB", "RGBA", "I;16"):
        directory[_PREDICTOR] = 2
    tags: dict[str, Any] = {"icc_profile": metadata.profile} if metadata.profile else {}
    if metadata.dpi:
        tags["dpi"] = metadata.dpi
    page.save(file, "TIFF", tiffinfo=directory, compression=_TIFF_COMPRESSION[coding.compression], **tags)


def _gif(movie: Movie, target: Path, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    frames = [indexed(frame, coding, warn) for frame in movie.frames]
    tags: dict[str, Any] = {"comment": metadata.comment} if metadata.comment else {}
    if movie.moves:
        tags |= {
            "save_all": True,
            "append_images": frames[1:],
            "duration": _delays(movie),
            "disposal": 2 if any("transparency" in frame.info for frame in frames) else 1,
        }
        # The number in a GIF counts the repetitions after the first run, 0 is for ever, none at all is once.
        if movie.plays != 1:
            tags["loop"] = max(0, movie.plays - 1)
    frames[0].save(target, "GIF", optimize=False, **tags)


def _ico(movie: Movie, target: Path, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    icons.write(movie, target, coding.sizes)


_WRITERS: dict[str, Callable[[Movie, Path, Coding, Metadata, Warn], None]] = {
    "png": _png,
    "jpg": _jpg,
    "webp": _webp,
    "avif": _avif,
    "heic": _heic,
    "bmp": _bmp,
    "tiff": _tiff,
    "gif": _gif,
    "ico": _ico,
}
