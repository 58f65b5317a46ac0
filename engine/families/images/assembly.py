"""Assemble the pictures of a ZIP into an animation, in the order of their names."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

from PIL import Image

from engine.families.images import metadata, reading
from engine.families.images.coding import Coding, Movie
from engine.families.images.metadata import Metadata
from engine.families.images.preparation import pixels, report_left_out
from engine.families.images.writing import write
from engine.toolkit import archive, members
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import FORMATS
from engine.toolkit.picture_limits import check_frames, check_pages
from engine.toolkit.warnings import Kind, Warn

_DELAY = re.compile(r"-([0-9]{1,5})ms\.[^.]*$")
_TAKEN = frozenset(each for each in FORMATS.values() if each.id in reading.NAMES)
_OTHERS = Kind("CONTENT_DROPPED", "Files other than pictures were left out: {count}{places}.")


def convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the pictures of the archive in `source` as an animation, all at the size of the first one.

    Raises Unreadable for an archive without pictures or with a damaged one, OverLimit for too many or too large ones.
    """
    archive.preflight(source)
    format = target.suffix[1:]
    frames: list[Image.Image] = []
    delays = []
    with zipfile.ZipFile(source) as pictures:
        chosen, others = members.of_formats(pictures, _TAKEN)
        if not chosen:
            raise Unreadable(
                "The archive has no pictures. Add PNG, JPEG or other pictures, one per frame.", reason="empty"
            )
        warn.tally(_OTHERS, len(others), others)
        check_pages(len(chosen))
        for entry, kind in chosen:
            path = source.with_name(f"frame.{kind.id}")
            path.write_bytes(pictures.read(entry))
            frame = _frame(path, format, options, warn)
            path.unlink()
            if not frames:
                check_frames(len(chosen), frame.size, frame.size)
            elif frame.size != frames[0].size:
                warn(
                    "CONTENT_CLIPPED",
                    "Pictures that differ in size from the first one were scaled to fit it, on a transparent "
                    "background.",
                )
                frame = _fitted(frame, frames[0].size)
            frames.append(frame)
            named = _DELAY.search(entry.filename)
            delays.append(int(named[1]) if named else options.delay)
    if len({frame.mode for frame in frames}) > 1:
        frames = [frame.convert("RGBA") for frame in frames]
    write(Movie(frames, tuple(delays), options.repeat), target, format, Coding.from_options(options), Metadata(), warn)


def _frame(path: Path, format: str, options: Any, warn: Warn) -> Image.Image:
    with reading.opened(path) as image:
        found = metadata.read(image, warn)
        report_left_out(image, reading.frame_count(image), warn)
        frame, _ = pixels(image, format, options, found, warn, only_srgb=True)
        metadata.selected(found, "keep", "zip", frame.size, warn)
    return frame.convert("RGBA" if frame.has_transparency_data else "RGB")


def _fitted(frame: Image.Image, size: tuple[int, int]) -> Image.Image:
    """`frame` scaled to fit, centred in a transparent picture of this size."""
    scale = min(size[0] / frame.width, size[1] / frame.height)
    inner = max(1, round(frame.width * scale)), max(1, round(frame.height * scale))
    canvas = Image.new("RGBA", size)
    small = frame.resize(inner, Image.Resampling.LANCZOS, reducing_gap=3.0)
    canvas.paste(small, ((size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2))
    return canvas
