"""Recognise a picture of any size and orientation within the time of a conversion."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

from PIL import Image

from engine.families.ocr import buffers, engine
from engine.families.ocr.page import Box, Page
from engine.families.ocr.rules import rules_of
from engine.families.ocr.tables import without_frames
from engine.families.ocr.tilt import straightened, tilt_of
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MOST_PIXELS = 24_000_000
"""The maximum pixels of a picture as recognised, two A4 pages at 300 dpi; larger ones are scaled down."""

ALL_PIXELS = 150_000_000
"""The maximum pixels of all pictures of a conversion, 38 A4 pages at 200 dpi, which take about 40 s."""

_SECONDS = 52.0
"""Processor seconds after which recognition stops: a conversion has a minute."""

FEW_PIXELS = 1_500_000
"""A picture with fewer pixels is likely a screenshot rather than a scan, with text too small to be recognised as is."""

_DPI = (70, 300)
_UNSURE = 70.0
"""The confidence below which a page is reported."""

_HOPELESS = 50.0
"""The confidence below which the page may be rotated."""

_BLANK = 40
"""The minimum difference between the darkest and the lightest pixel of a page with text."""

warm = engine.warm


def scale_of(width: int, height: int) -> float:
    """The scale at which a picture of this size is recognised."""
    pixels = width * height
    if pixels > MOST_PIXELS:
        return float((MOST_PIXELS / pixels) ** 0.5)
    return 2.0 if pixels < FEW_PIXELS else 1.0


def cost_of(width: int, height: int) -> int:
    """The pixels that recognising a picture of this size processes."""
    return round(width * height * scale_of(width, height) ** 2)


def check_cost(costs: Iterable[int]) -> None:
    """Raise OverLimit if recognising pictures with this many pixels takes longer than a conversion may."""
    total = sum(costs)
    if total > ALL_PIXELS:
        raise OverLimit(
            "timeout",
            say(
                "Recognising text in {total} million pixels takes too long, and the limit is "
                "{all_pixels} million. Choose fewer pages.",
                total=total // 1_000_000,
                all_pixels=ALL_PIXELS // 1_000_000,
            ),
        )


class Reader:
    """Recognises the pictures of one conversion.

    With `tables`, pages have the lines of their tables. Raises InvalidOption for a language that is not installed.
    """

    def __init__(self, *, language: str, deskew: bool, rotate: bool, warn: Warn, tables: bool = False) -> None:
        buffers.return_large()
        self._recogniser = engine.Recogniser(language)
        self._deskew = deskew
        self._rotate = rotate
        self._tables = tables
        self._warn = warn
        self._until = time.process_time() + _SECONDS
        self._unsure: list[str] = []
        self._pixels = 0

    def read(self, image: Image.Image, name: str, dpi: float | None = None) -> Page:
        """The text of a picture in any mode, in its own pixel coordinates; `name` identifies it in warnings.

        If the picture was rotated or deskewed, the page says so. Raises OverLimit if time runs out.
        """
        self._pixels += cost_of(*image.size)
        check_cost([self._pixels])
        grey, scale = _prepared(image)
        low, high = grey.getextrema()
        assert isinstance(low, int | float)
        assert isinstance(high, int | float)
        if high - low < _BLANK:
            return Page((), image.size)
        resolution = round(max(_DPI[0], min(_DPI[1], (dpi or 200) * scale)))
        page = self._upright(grey, resolution)
        if grey.width * grey.height > FEW_PIXELS and not _is_read(page):
            # Text much larger than a page's is not recognised.
            smaller = (FEW_PIXELS / 2 / (grey.width * grey.height)) ** 0.5
            size = max(1, round(grey.width * smaller)), max(1, round(grey.height * smaller))
            other = self._read(grey.resize(size, Image.Resampling.BOX), resolution)
            if _is_read(other) or other.character_count > page.character_count:
                page, scale = other, scale * smaller
        if page.confidence < _UNSURE:
            self._unsure.append(f"{name} ({page.confidence:.0f})")
        return page.scaled(1 / scale)

    def close(self) -> None:
        """Report the pages that were hardly legible."""
        if self._unsure:
            named = ", ".join(self._unsure[:20]) + (", ..." if len(self._unsure) > 20 else "")
            self._warn(
                "LOW_CONFIDENCE",
                say("The text on {named} was recognised with low confidence (100 is certain). Check it.", named=named),
            )

    def _upright(self, grey: Image.Image, dpi: int) -> Page:
        page = self._read(grey, dpi)
        if not self._rotate:
            return page
        turn = page.rotation if _is_read(page) else engine.turn_of(grey, dpi)
        if not turn:
            return page
        turned = self._read(grey.transpose(_TURNS[turn]), dpi)
        return turned.turned(turn) if turned.confidence > page.confidence else page

    def _read(self, grey: Image.Image, dpi: int) -> Page:
        tilt = tilt_of(grey) if self._deskew else 0.0
        rules: list[tuple[Box, ...]] = []

        def level() -> Image.Image:  # not held here while it is recognised
            image = straightened(grey, tilt)
            rules.extend(rules_of(image) if self._tables else ())
            return image

        page = self._recogniser.read(level(), dpi, self._until - time.process_time())
        return without_frames(replace(page, rules=tuple(rules))).straightened(tilt)


def _is_read(page: Page) -> bool:
    return page.character_count > 0 and page.confidence >= _HOPELESS


_TURNS = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
"""Degrees clockwise to Pillow's transposition."""


def _prepared(image: Image.Image) -> tuple[Image.Image, float]:
    """The picture in grey at the size for recognition, and its scale."""
    grey = image if image.mode == "L" else image.convert("L")
    scale = scale_of(*grey.size)
    if scale != 1.0:
        size = max(1, round(grey.width * scale)), max(1, round(grey.height * scale))
        grey = grey.resize(size, Image.Resampling.LANCZOS if scale > 1 else Image.Resampling.BOX)
    return grey, scale
