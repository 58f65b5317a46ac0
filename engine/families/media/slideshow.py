"""Make a film of the pictures in a ZIP, in the order of their names."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import Any

from PIL import Image, ImageOps

from engine.families.images import reading
from engine.families.media import encoders, estimate, program, recording
from engine.families.media.containers import CONTAINERS
from engine.families.media.streams import Stream
from engine.toolkit import archive, members
from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.formats import BMP, GIF, JPG, PNG, TIFF, WEBP
from engine.toolkit.picture_limits import check_pages
from engine.toolkit.warnings import Kind, Warn

_TAKEN = frozenset({PNG, JPG, WEBP, GIF, BMP, TIFF})
_OTHERS = Kind("CONTENT_DROPPED", "Files other than pictures were left out: {count}{places}.")
_LARGEST = (1_920, 1_080)
_RATE = 25.0


def assemble(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the film; raises Unreadable for an archive with no pictures or a damaged one."""
    archive.preflight(source)
    folder = source.with_name("frames")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    count, size = _unpack(source, folder, options, warn)
    seconds = count / options.fps
    rate = max(options.fps, _RATE) if options.fps < _RATE else options.fps
    estimate.must_fit(
        estimate.film(
            Stream(0, "video", "png", None, *size, options.fps), seconds, "h264", options.preset, size, rate, 1
        ),
        seconds=seconds,
        height=size[1],
        copies=False,
        options=options,
    )
    # ffmpeg's image sequence demuxer opens files by a pattern; only our own files match it.
    command = program.reading("image2", "frames/%05d.png", "-framerate", str(options.fps), "-pattern_type", "sequence")
    command += ["-map", "0:0", "-vf", f"fps={rate:g},format=yuv420p", *encoders.arguments("h264", options)]
    command += [*encoders.quality("h264", options), *CONTAINERS["mp4"].arguments, *recording.EXACT]
    command += ["-threads", str(program.threads()), "-f", "mp4", f"file:{target.name}"]
    program.run(source.parent, command, on_progress=recording.progress_callback(warn, seconds))


def _unpack(source: Path, folder: Path, options: Any, warn: Warn) -> tuple[int, tuple[int, int]]:
    """Write all pictures at the size of the first one, and return their number and size."""
    size: tuple[int, int] | None = None
    count = 0
    with zipfile.ZipFile(source) as pictures:
        chosen, others = members.of_formats(pictures, _TAKEN)
        warn.tally(_OTHERS, len(others), others)
        check_pages(len(chosen))
        for entry, kind in chosen:
            path = folder / f"picture.{kind.id}"
            path.write_bytes(pictures.read(entry))
            with reading.opened(path) as image:
                reading.load(image, warn)
                picture = ImageOps.exif_transpose(image).convert("RGBA")
            path.unlink()
            size = size or _size(picture, options)
            canvas = Image.new("RGB", size, "black")
            fitted = ImageOps.contain(picture, size, Image.Resampling.LANCZOS)
            canvas.paste(fitted, ((size[0] - fitted.width) // 2, (size[1] - fitted.height) // 2), fitted)
            count += 1
            canvas.save(folder / f"{count:05d}.png", compress_level=1)
    if size is None:
        raise Unreadable("The archive has no readable pictures.", reason="empty")
    return count, size


def _size(picture: Image.Image, options: Any) -> tuple[int, int]:
    width, height = picture.size
    if options.width and options.height:
        width, height = options.width, options.height
    elif options.width:
        width, height = options.width, max(2, round(height * options.width / width))
    elif options.height:
        width, height = max(2, round(width * options.height / height)), options.height
    else:
        width, height = (
            ImageOps.contain(picture, _LARGEST).size if (width > 1_920 or height > 1_080) else (width, height)
        )
    if width * height > program.MOST_PIXELS:
        raise InvalidOption("width" if options.width else "height", "The frames would have more than 36 megapixels.")
    return max(2, width // 2 * 2), max(2, height // 2 * 2)
