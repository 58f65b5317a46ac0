"""Whether a scan has large drawings where no word was recognised."""

from __future__ import annotations

from PIL import Image, ImageDraw

from engine.families.ocr.page import Page

_STEP = 8
"""The size of a block of pixels that is averaged, so that noise is ignored."""

_DARK = 170
_LEAST = 0.02
"""The share of the page: fewer dark blocks are a rule, a stamp's edge or a shadow of the paper."""


def downscaled(picture: Image.Image) -> Image.Image:
    """The blocks of a grey picture that has_unrecognised() needs, a 64th of its pixels, so that it can be freed."""
    return picture.reduce(_STEP)


def has_unrecognised(outline: Image.Image, page: Page) -> bool:
    """Whether the picture of a page shows more than its recognised words."""
    small = outline.copy()
    if page.turn:
        small = small.rotate(-page.turn, expand=True, fillcolor=255)
    if page.tilt:
        small = small.rotate(page.tilt, fillcolor=255)
    scale = small.width / max(1, page.size[0])
    draw = ImageDraw.Draw(small)
    for line in page.lines:
        boxes = [word.box for word in line.words]
        x0, y0 = min(box[0] for box in boxes) * scale - 2, min(box[1] for box in boxes) * scale - 2
        x1, y1 = max(box[2] for box in boxes) * scale + 2, max(box[3] for box in boxes) * scale + 2
        draw.rectangle((x0, y0, max(x0, x1), max(y0, y1)), fill=255)
    dark = sum(small.histogram()[:_DARK])
    return dark > _LEAST * small.width * small.height
