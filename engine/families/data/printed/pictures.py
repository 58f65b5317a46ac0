"""Draw the pictures of a sheet in their places."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from PIL import Image, UnidentifiedImageError
from reportlab.lib.utils import ImageReader

from engine.families.data.printed.grid import Grid
from engine.families.data.printed.looks import Anchor, Placed

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")
"""Others that Pillow knows may start a program."""
_DAMAGE = (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, TypeError, IndexError)
_MOST_PIXELS = 50_000_000


class Pictures:
    """Opens each picture of a workbook once."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, tuple[float, ...]], Any] = {}

    def opened(self, placed: Placed) -> Any:
        """A picture as it is drawn; None if it can't be."""
        key = placed.picture, placed.crop
        if key not in self._known:
            self._known[key] = _opened(*key)
        return self._known[key]


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


def draw(canvas: Any, picture: Any, box: tuple[float, float, float, float], turn: float) -> None:
    """Draw a picture into a box given by its left, bottom, width and height."""
    left, bottom, wide, high = box
    if not turn:
        canvas.drawImage(picture, left, bottom, wide, high, mask="auto")
        return
    canvas.saveState()
    canvas.translate(left + wide / 2, bottom + high / 2)
    canvas.rotate(-turn)
    canvas.drawImage(picture, -wide / 2, -high / 2, wide, high, mask="auto")
    canvas.restoreState()
