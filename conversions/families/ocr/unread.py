"""What is on a scan beside its text: whether anything large is drawn where no word was read."""

from __future__ import annotations

from PIL import Image, ImageDraw

from conversions.families.ocr.page import Page

_STEP = 8
"""Pixels that are looked at as one, so that noise is nothing."""

_DARK = 170
_LEAST = 0.02
"""Part of the page: what is dark in fewer places is a rule, a stamp's edge or a shadow of the paper."""


def outlined(picture: Image.Image) -> Image.Image:
    """What has_more() looks at of a grey picture, which may be gone by then: a 64th of its pixels."""
    return picture.reduce(_STEP)


def has_more(outline: Image.Image, page: Page) -> bool:
    """Whether there is more on the picture of a page than the words that were read of it."""
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
