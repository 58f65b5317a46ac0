"""Put pictures on PDF pages: JPEG and PNG data unchanged, everything else losslessly."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import img2pdf
from PIL import Image

from engine.families.images import jpeg_data, metadata, partial, png_data, preparation, reading
from engine.families.images.metadata import Metadata
from engine.families.images.options import Pages, PdfPage, Quality
from engine.toolkit.failures import InvalidOption
from engine.toolkit.page_ranges import chosen
from engine.toolkit.picture_limits import check_pages
from engine.toolkit.warnings import Warn

_POINTS = 72.0
_MM = _POINTS / 25.4
_SCREEN_DPI = 96.0
"""The resolution if neither the options nor the picture set one."""

_PAPER = {"A3": (297, 420), "A4": (210, 297), "A5": (148, 210), "Letter": (215.9, 279.4), "Legal": (215.9, 355.6)}
"""Width and height in millimetres (ISO 216, ANSI Y14.1)."""

_ROTATIONS = {1: 0, 3: 180, 6: 90, 8: 270}
"""Exif orientation to the clockwise turn of the page in degrees; the mirrored ones have none."""


@dataclass(frozen=True)
class _Sheet:
    """One picture ready for its page: encoded `data`, its clockwise `turn` in degrees, its pixels per inch."""

    data: bytes
    turn: int
    dpi: tuple[float, float] | None


def convert(source: Path, target: Path, options: PdfPage, warn: Warn) -> None:
    """Write a PDF with the picture in `source`, or with each page of a TIFF, on its own page.

    Raises Unreadable, OverLimit, and InvalidOption for a margin that leaves no room.
    """
    with reading.opened(source) as image:
        found = metadata.read(image, warn)
        count = reading.frame_count(image)
        if image.format in ("JPEG", "MPO") and found.orientation in _ROTATIONS:
            preparation.report_left_out(image, count, warn)
            sheets: Iterator[_Sheet] = iter([_untouched(source, image, found, options, warn)])
        elif image.format == "TIFF":
            check_pages(count)
            numbers = chosen(options.pages if isinstance(options, Pages) else None, count)
            sheets = (_page(image, number, options, warn) for number in numbers)
        else:
            preparation.report_left_out(image, count, warn)
            sheets = iter([_encoded(image, found, options, warn, source)])
        # img2pdf takes one rotation per call, and only a JPEG is rotated: it is alone.
        ready = list(sheets)
    layout = _Layout(options, ready)
    with target.open("wb") as file:
        img2pdf.convert(
            *(io.BytesIO(sheet.data) for sheet in ready),
            outputstream=file,
            engine=img2pdf.Engine.internal,
            layout_fun=layout,
            rotation=img2pdf.Rotation[str(ready[0].turn)],
            nodate=True,
            producer="",
        )


def _untouched(source: Path, image: Image.Image, found: Metadata, options: PdfPage, warn: Warn) -> _Sheet:
    # Decoding at an eighth of the size still reads every byte, so that truncation is detected.
    image.draft("", (image.width // 8 + 1, image.height // 8 + 1))
    reading.load(image, warn)
    if partial.is_partial(image):
        with reading.opened(source) as whole:
            return _encoded(whole, found, options, warn)
    metadata.selected(found, "keep", "pdf", image.size, warn)
    return _Sheet(jpeg_data.without_metadata(source.read_bytes()), _ROTATIONS[found.orientation], found.dpi)


def _page(image: Image.Image, number: int, options: PdfPage, warn: Warn) -> _Sheet:
    reading.seek(image, number)
    return _encoded(image, metadata.read(image, warn), options, warn)


def _encoded(image: Image.Image, found: Metadata, options: PdfPage, warn: Warn, source: Path | None = None) -> _Sheet:
    """The encoded picture; `source` is its file if that contains nothing else."""
    frame, profile = preparation.pixels(image, "pdf", options, found, warn)
    metadata.with_profile(metadata.selected(found, "keep", "pdf", frame.size, warn), profile, "pdf", warn)
    untouched = frame.mode == image.mode and profile == found.profile and found.orientation == 1
    untouched = untouched and not partial.is_partial(image)
    if source and image.format == "PNG" and untouched and (own := png_data.reusable(source, profile)):
        return _Sheet(own, 0, found.dpi)
    frame.info = {}
    data = io.BytesIO()
    if isinstance(options, Quality) and frame.mode in ("L", "RGB"):
        frame.save(data, "JPEG", quality=options.quality, optimize=True, icc_profile=profile)
    else:
        if profile and frame.mode in ("1", "P"):
            frame = frame.convert("L" if frame.mode == "1" else "RGB")
        frame.save(data, "PNG", compress_level=6, icc_profile=profile)
    return _Sheet(data.getvalue(), 0, found.dpi)


class _Layout:
    """Computes the size of each page and its picture, in points, in order."""

    def __init__(self, options: PdfPage, sheets: list[_Sheet]) -> None:
        self._options = options
        self._sheets = iter(sheets)

    def __call__(self, width: int, height: int, dpi: tuple[float, float]) -> tuple[float, float, float, float]:
        """The page width and height, and picture width and height, before the page's rotation."""
        sheet = next(self._sheets)
        across, down = (self._options.dpi,) * 2 if self._options.dpi else sheet.dpi or (_SCREEN_DPI,) * 2
        picture = (width / across * _POINTS, height / down * _POINTS)
        margin = 2 * self._options.margin * _MM
        if self._options.page_size == "picture":
            return (picture[0] + margin, picture[1] + margin, *picture)
        on_its_side = sheet.turn in (90, 270)
        paper = [side * _MM for side in _PAPER[self._options.page_size]]
        wide = picture[0] > picture[1]
        if self._options.orientation != "auto":
            # As displayed, which differs from the stored orientation if the page is rotated.
            wide = (self._options.orientation == "landscape") != on_its_side
        if wide:
            paper.reverse()
        room = (paper[0] - margin, paper[1] - margin)
        if min(room) < _MM:
            raise InvalidOption("margin", "The margin leaves no room on this paper. Choose a smaller margin.")
        scale = min(room[0] / picture[0], room[1] / picture[1])
        if self._options.dpi:
            scale = min(scale, 1.0)
        return (paper[0], paper[1], picture[0] * scale, picture[1] * scale)
