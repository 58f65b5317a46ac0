"""Write pictures: one function per format, with all settings explicit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import PngImagePlugin

from engine.families.images import (
    avif_times,
    codecs,
    described_profiles,
    finished_animations,
    icons,
    target_size,
    tiff_writing,
)
from engine.families.images.coding import PNG_LEVEL, Coding, Movie
from engine.families.images.indexed import indexed
from engine.families.images.metadata import Metadata
from engine.families.images.pixels import has_alpha
from engine.toolkit.failures import OverLimit
from engine.toolkit.warnings import Warn

# Chosen so that 24 megapixels take less than 5 s on one core with `balanced`.
_WEBP_METHOD = {"fast": 0, "balanced": 2, "small": 6}
_WEBP_LOSSLESS = {"fast": (0, 0), "balanced": (0, 20), "small": (4, 75)}  # method, quality (here: effort)
_AVIF_SPEED = {"fast": 10, "balanced": 9, "small": 6}
# The omitted tools take a fifth of the encoder's time without an effect on size and similarity (SSIM).
_AVIF_PLAIN = {"enable-qm": "0", "sharpness": "0", "coeff-cost-upd-freq": "3", "mode-cost-upd-freq": "3"}
# Without film grain, and without details that cost more bits than is visible: five per cent smaller, in half as much
# time again.
# Nested smaller blocks help with text and line art; large pictures leave no time for them.
_HEIC_FRUGAL = {"x265:rd": "4", "x265:rdoq-level": "2", "x265:psy-rd": "0", "x265:psy-rdoq": "0"}
_HEIC_EFFORT = {
    "fast": {"preset": "ultrafast"},
    "balanced": {"preset": "ultrafast", **_HEIC_FRUGAL},
    "small": {"preset": "superfast", **_HEIC_FRUGAL},
}
# Detailed areas get fewer bits: a quarter less in total. By default the encoder would use all processors and record its
# settings in the picture. For low pictures it would use blocks of 16 pixels, which long ones may not have (ITU-T H.265,
# A.4.2).
_HEIC_ALWAYS = {
    "x265:aq-mode": "1", "x265:aq-strength": "1", "x265:ctu": "32", "x265:pools": "none", "x265:frame-threads": "1",
    "x265:info": "0",
}  # fmt: skip
_HEIC_TILE, _HEIC_MANY = 1024, 8_000_000
"""The tile size for larger pictures, which cameras use as well to limit memory; not with transparency, which readers
don't look for in tiles."""
FINE = 90
"""The quality of JPEG and HEIC above which chroma is not subsampled."""
_NO_ROOM = ("Failed to encode image", "encoding error 1", "encoding error 2", "Error during encoding")
"""Messages of the AVIF, WebP and HEIC encoders for failed allocations and for pictures that are too large."""
_LONGEST_DELAY = 60_000


def write(movie: Movie, target: Path, format: str, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    """Write a picture or an animation as `format`, in one of its modes. Raises OverLimit if the encoder runs out of
    memory."""
    # Checking a palette for transparency would change it; formats that take palettes keep its transparency.
    if not any(frame.mode == "P" or has_alpha(frame) for frame in movie.frames):
        warn.account("transparency", 1)  # a channel that is opaque throughout, which some encoders omit
    for frame in movie.frames:
        transparency = frame.info.get("transparency") if frame.mode == "P" else None
        frame.info = {} if transparency is None else {"transparency": transparency}
    codecs.load(format)
    try:
        if coding.target_size and format in target_size.SEARCHED:
            target_size.search(_WRITERS[format], movie, target, coding, metadata, warn)
        else:
            _WRITERS[format](movie, target, coding, metadata, warn)
        if movie.moves:
            finished_animations.account_joined(len(movie.frames), _delays(movie), target, format, warn)
    except (RuntimeError, ValueError) as error:
        if str(error).startswith(_NO_ROOM):
            raise OverLimit("memory", "The picture is too large for this format. Set a smaller width.") from error
        raise


def _tags(metadata: Metadata) -> dict[str, Any]:
    """The arguments most encoders share."""
    given = {
        "exif": metadata.exif_data(),
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
    if metadata.points:
        chunks.add(*described_profiles.chunk(metadata.points))
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
    if movie.moves and any(map(has_alpha, movie.frames)):
        finished_animations.mark_transparent(target)


def _avif(movie: Movie, target: Path, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    tags = _tags(metadata)
    if movie.moves:
        tags |= {"save_all": True, "append_images": movie.frames[1:], "duration": _delays(movie)}
        if movie.plays:
            warn("CONTENT_DROPPED", "AVIF animations always loop forever, so the number of loops was left out.")
    if coding.effort != "small":
        tags["advanced"] = _AVIF_PLAIN
    movie.first.save(target, "AVIF", quality=coding.quality, speed=_AVIF_SPEED[coding.effort], max_threads=1, **tags)
    if movie.moves:
        avif_times.clear_times(target)


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
        # GIF stores the repetitions after the first run: 0 is endless, absent is a single run.
        if movie.plays != 1:
            tags["loop"] = max(0, movie.plays - 1)
    frames[0].save(target, "GIF", optimize=False, **tags)
    finished_animations.account_greys(target, warn)


def _ico(movie: Movie, target: Path, coding: Coding, metadata: Metadata, warn: Warn) -> None:
    icons.write(movie, target, coding.sizes)


_WRITERS: dict[str, Callable[[Movie, Path, Coding, Metadata, Warn], None]] = {
    "png": _png,
    "jpg": _jpg,
    "webp": _webp,
    "avif": _avif,
    "heic": _heic,
    "bmp": _bmp,
    "tiff": tiff_writing.write,
    "gif": _gif,
    "ico": _ico,
}
