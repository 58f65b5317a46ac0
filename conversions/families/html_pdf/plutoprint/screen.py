"""A page that was laid out, as the pixels of a screen."""

from __future__ import annotations

import math
from itertools import product

import plutoprint
from PIL import Image

from conversions.families.html_pdf.options import Viewport
from conversions.toolkit.picture_limits import check_pixels
from conversions.toolkit.warnings import Warn

_STRIP = 2_000
"""Rows of pixels that are drawn at once: the canvas needs as much memory as what is drawn on it."""
_WIDEST = 32_000
"""Columns of pixels that are drawn at once: the canvas holds 32,767 at most."""


def drawn(book: plutoprint.Book, options: Viewport, format: str, warn: Warn) -> Image.Image:
    """The whole page, or what of it a window shows, at `scale` pixels for each of CSS. Raises OverLimit."""
    across, down = book.get_document_width(), book.get_document_height()
    width = float(options.viewport_width)
    if options.full_page:
        width, height = max(width, across), max(down, 1.0)
    else:
        height = float(options.viewport_height)
        if across > width + 1:
            warn("CONTENT_CLIPPED", f"The page is {across:,.0f} pixels wide; what is beyond the window was cut off.")
    size = math.ceil(width * options.scale - 0.01), math.ceil(height * options.scale - 0.01)
    check_pixels(*size, format)
    transparent = options.background == "transparent"
    red, green, blue = (0, 0, 0) if transparent else bytes.fromhex(options.background[1:])
    mode, layout = ("RGBA", "BGRa") if transparent else ("RGB", "BGRX")
    picture = Image.new(mode, size)
    for top, left in product(range(0, size[1], _STRIP), range(0, size[0], _WIDEST)):
        columns, rows = min(_WIDEST, size[0] - left), min(_STRIP, size[1] - top)
        canvas = plutoprint.ImageCanvas(columns, rows)
        canvas.clear_surface(red / 255, green / 255, blue / 255, 0.0 if transparent else 1.0)
        canvas.translate(-left, -top)
        canvas.scale(options.scale, options.scale)
        place = left / options.scale, top / options.scale
        book.render_document(canvas, (*place, columns / options.scale, rows / options.scale))
        canvas.flush()
        strip = Image.frombuffer(
            mode, (columns, rows), canvas.get_data().tobytes(), "raw", layout, canvas.get_stride(), 1
        )
        picture.paste(strip, (left, top))
    return picture
