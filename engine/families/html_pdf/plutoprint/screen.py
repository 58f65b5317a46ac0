"""Render a page as pixels."""

from __future__ import annotations

import math
from itertools import product

import plutoprint
from PIL import Image

from engine.families.html_pdf.options import Viewport
from engine.families.html_pdf.source.cleaning import Page
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.picture_limits import check_pixels
from engine.toolkit.warnings import Warn

_AT_ONCE = 16_000_000
"""The maximum pixels that are drawn at once: the canvas needs memory for each, and every part is drawn by traversing
the whole page."""
_LONGEST = 32_000
"""The maximum columns and rows of pixels that are drawn at once: the canvas is limited to 32,767."""
MOST_VISITED = 8_000_000
"""The maximum elements, each counted as often as it is traversed: a line of 200,000 letters took 2.6 s in 569 parts. A
page of 200,000 elements of ordinary width and length is drawn in 7 parts."""
_TEXT = 50
"""The characters of a text that take as long as an element."""


def visited(page: Page) -> int:
    """The number of elements that are traversed each time a part of the page is drawn."""
    return sum(1 for _ in page.root.iter()) + page.length // _TEXT


def size(book: plutoprint.Book, options: Viewport, format: str, warn: Warn) -> tuple[int, int]:
    """The size in pixels of the whole page, or of the part that a window shows, at `scale` pixels per CSS pixel. Raises
    OverLimit."""
    across, down = book.get_document_width(), book.get_document_height()
    width = float(options.viewport_width)
    if options.full_page:
        width, height = max(width, across), max(down, 1.0)
    else:
        height = float(options.viewport_height)
        if across > width + 1:
            warn(
                "CONTENT_CLIPPED",
                say("The page is {across} pixels wide; the part beyond the window was cut off.", across=round(across)),
            )
    found = math.ceil(width * options.scale - 0.01), math.ceil(height * options.scale - 0.01)
    check_pixels(*found, format)
    return found


def drawn(book: plutoprint.Book, size: tuple[int, int], options: Viewport, visited: int) -> Image.Image:
    """A page in this many pixels. Raises OverLimit if too many elements would be traversed for too many parts."""
    wide = min(_LONGEST, size[0])
    high = min(_LONGEST, max(1, _AT_ONCE // wide))
    places = list(product(range(0, size[1], high), range(0, size[0], wide)))
    if len(places) * visited > MOST_VISITED:
        raise OverLimit("limit", "The page is too long for one picture. Choose another width.")
    transparent = options.background == "transparent"
    red, green, blue = (0, 0, 0) if transparent else bytes.fromhex(options.background[1:])
    mode, layout = ("RGBA", "BGRa") if transparent else ("RGB", "BGRX")
    picture = Image.new(mode, size)
    for top, left in places:
        columns, rows = min(wide, size[0] - left), min(high, size[1] - top)
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
