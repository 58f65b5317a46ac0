"""Draw the pictures of a sheet in their places."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Any

from PIL import Image, UnidentifiedImageError
from reportlab.lib.utils import ImageReader

from engine.families.data.printed.grid import Grid
from engine.families.data.printed.looks import Anchor, Placed
from engine.families.data.printed.metafiles import Metafiles

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")
"""Others that Pillow knows may start a program."""
_DAMAGE = (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, TypeError, IndexError)
_MOST_PIXELS = 50_000_000
_UNCROPPED = (0.0, 0.0, 0.0, 0.0)


@dataclass
class Picture:
    """A picture of the file: pixels, or the form of a metafile with what is cropped from its sides.

    `form` is its name in the PDF, which pixels have once they are drawn.
    """

    pixels: Any = None
    form: str = ""
    crop: tuple[float, float, float, float] = _UNCROPPED


class Pictures:
    """Opens each picture of a workbook once."""

    def __init__(self, metafiles: Metafiles) -> None:
        self._metafiles = metafiles
        self._forms: dict[bytes, str | None] = {}
        self._known: dict[tuple[bytes, tuple[float, ...]], Picture | None] = {}

    def opened(self, placed: Placed) -> Picture | None:
        """A picture as it is drawn; None if it can't be."""
        key = placed.picture, placed.crop
        if key not in self._known:
            pixels = _opened(*key)
            self._known[key] = self._metafile(placed) if pixels is None else Picture(pixels)
        return self._known[key]

    def _metafile(self, placed: Placed) -> Picture | None:
        if placed.picture not in self._forms:
            self._forms[placed.picture] = self._metafiles.form(placed.picture)
        form = self._forms[placed.picture]
        return None if form is None else Picture(form=form, crop=placed.crop)


def _opened(data: bytes, crop: tuple[float, ...]) -> Any:
    try:
        picture: Any = Image.open(BytesIO(data), formats=_FORMATS)
        if picture.width * picture.height > _MOST_PIXELS:
            return None
        if any(crop) or picture.format != "JPEG" or picture.mode not in ("L", "RGB"):
            picture.load()
            if picture.mode not in ("L", "RGB", "RGBA"):
                picture = picture.convert("RGBA" if picture.mode in ("P", "LA", "PA") else "RGB")
            if any(crop):
                wide, high = picture.size
                left, top, right, bottom = crop
                box = (round(left * wide), round(top * high), round((1 - right) * wide), round((1 - bottom) * high))
                if box[0] >= box[2] or box[1] >= box[3]:
                    return None
                picture = picture.crop(box)
            return ImageReader(picture)
        picture.load()
        return ImageReader(BytesIO(data))
    except _DAMAGE:
        return None


def place(item: Placed, grid: Grid) -> tuple[float, float, float, float]:
    """The left, top, right and bottom of what is anchored on a sheet."""
    left, top, right, bottom = _whole(item.anchor, grid)
    x, y, wide, high = item.part
    at = left + x * (right - left), top + y * (bottom - top)
    return *at, at[0] + wide * (right - left), at[1] + high * (bottom - top)


def _whole(anchor: Anchor, grid: Grid) -> tuple[float, float, float, float]:
    if anchor.at is not None and anchor.size is not None:
        left, top = anchor.at
    else:
        left, top = _corner(anchor.start, grid)
    if anchor.end is not None:
        right, bottom = _corner(anchor.end, grid)
    else:
        wide, high = anchor.size or (0.0, 0.0)
        right, bottom = left + wide, top + high
    return left, top, max(right, left), max(bottom, top)


def _corner(corner: tuple[int, float, int, float], grid: Grid) -> tuple[float, float]:
    column, across, row, down = corner
    column, row = min(max(column, 0), grid.columns - 1), min(max(row, 0), grid.rows - 1)
    return grid.xs[column] + min(across, grid.widths[column]), grid.ys[row] + min(down, grid.heights[row])


def draw(canvas: Any, picture: Picture, box: tuple[float, float, float, float], turn: float) -> None:
    """Draw a picture into a box given by its left, bottom, width and height."""
    left, bottom, wide, high = box
    canvas.saveState()
    canvas.translate(left + wide / 2, bottom + high / 2)
    canvas.rotate(-turn)
    if any(picture.crop):
        path = canvas.beginPath()
        path.rect(-wide / 2, -high / 2, wide, high)
        canvas.clipPath(path, stroke=0, fill=0)
    if picture.form:
        before, above, after, below = picture.crop
        across, down = wide / max(1 - before - after, 0.01), high / max(1 - above - below, 0.01)
        canvas.translate(-wide / 2 - before * across, -high / 2 - below * down)
        canvas.scale(across, down)
        canvas.doForm(picture.form)
    else:
        told = {"name": ""}  # by which it is drawn again without comparing all of its pixels
        canvas.drawImage(picture.pixels, -wide / 2, -high / 2, wide, high, mask="auto", extraReturn=told)
        picture.form = told["name"]
    canvas.restoreState()
