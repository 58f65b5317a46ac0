"""Map coordinates from a recognised picture through the displayed page to its content stream."""

from __future__ import annotations

import math

import pikepdf
from pikepdf import Name

from engine.families.ocr.page import Page

Matrix = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f of ISO 32000-1, 8.3.3: x' = a x + c y + e, y' = b x + d y + f."""


def product(first: Matrix, then: Matrix) -> Matrix:
    """The matrix that applies `first`, then `then`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def to_given_picture(page: Page) -> Matrix:
    """Maps the picture as it was read, y upwards from its upper edge, to the one that was given, likewise."""
    width, height = page.size
    angle = math.radians(page.tilt)
    cosine, sine = math.cos(angle), math.sin(angle)
    x, y = width / 2, -height / 2
    # It was rotated counter-clockwise about its centre: rotate back.
    level: Matrix = (cosine, -sine, sine, cosine, x - cosine * x - sine * y, y + sine * x - cosine * y)
    quarters: dict[int, Matrix] = {
        0: (1, 0, 0, 1, 0, 0),
        90: (0, 1, -1, 0, 0, -width),
        180: (-1, 0, 0, -1, width, -height),
        270: (0, -1, 1, 0, height, 0),
    }
    return product(level, quarters[page.turn])


def seen_box(sheet: pikepdf.Page) -> tuple[float, float, float, float]:
    """The visible box of a page: left, bottom, right, top in user space."""
    media, crop = ([float(each) for each in box] for box in (sheet.mediabox, sheet.cropbox))
    boxes = [
        (min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]), max(box[1], box[3])) for box in (media, crop)
    ]
    left, bottom = (max(box[at] for box in boxes) for at in (0, 1))
    right, top = (min(box[at] for box in boxes) for at in (2, 3))
    return (left, bottom, right, top) if left < right and bottom < top else boxes[0]


def turn_of(sheet: pikepdf.Page) -> int:
    """The display rotation of a page, in degrees clockwise."""
    return round(float(sheet.obj.get(Name.Rotate, 0)) / 90) * 90 % 360


def to_user_space(sheet: pikepdf.Page, page: Page) -> Matrix:
    """Maps a picture of the displayed page, y upwards from its upper edge, to the page's user space."""
    left, bottom, right, top = seen_box(sheet)
    width, height = page.size if page.turn % 180 == 0 else page.size[::-1]
    turn = turn_of(sheet)
    across, down = (right - left, top - bottom) if turn % 180 == 0 else (top - bottom, right - left)
    scaled: Matrix = (across / width, 0, 0, down / height, 0, down)
    turned: dict[int, Matrix] = {
        0: (1, 0, 0, 1, left, bottom),
        90: (0, 1, -1, 0, right, bottom),
        180: (-1, 0, 0, -1, right, top),
        270: (0, -1, 1, 0, left, top),
    }
    return product(scaled, turned[turn])
