"""Pictures with their sizes for xhtml2pdf, and SVG drawings in place of a placeholder."""

from __future__ import annotations

import copy
from io import BytesIO
from typing import Any

from PIL import Image
from xhtml2pdf.xhtml2pdf_reportlab import PmlImage

from engine.families.html_pdf.source.pictures import FORMATS, as_png, is_svg
from engine.families.html_pdf.source.references import data_of
from engine.families.html_pdf.svg import drawing_of
from engine.toolkit.data_uris import data_uri

_MARK = b"drawing-"


class Picture(PmlImage):  # type: ignore[misc]
    """An SVG in place of the engine's placeholder picture of one pixel."""

    drawing: Any

    def getDrawing(self, width: float | None = None, height: float | None = None) -> Any:
        drawn = copy.copy(self.drawing)
        size = width or self.drawWidth, height or self.drawHeight
        drawn.transform = (max(size[0], 0.01) / drawn.width, 0, 0, max(size[1], 0.01) / drawn.height, 0, 0)
        return drawn


def restore(picture: PmlImage, drawings: list[Any]) -> None:
    """Replace a placeholder picture by its SVG."""
    _, mark, number = picture._imgdata[-40:].rpartition(_MARK)
    if mark:
        picture.__class__ = Picture
        picture.drawing = drawings[int(number)]


def prepared(source: str, drawings: list[Any]) -> tuple[str, float, float] | None:
    """A picture's `data:` URI and its size in CSS pixels, or None if it can't be drawn."""
    data = data_of(source)
    if is_svg(data):
        drawing = drawing_of(data)
        if drawing is None:
            return None
        drawings.append(drawing)
        return (
            data_uri("image/png", as_png(Image.new("1", (1, 1))) + _MARK + str(len(drawings) - 1).encode()),
            drawing.width,
            drawing.height,
        )
    with Image.open(BytesIO(data), formats=FORMATS) as picture:
        size = picture.size
        if picture.format not in ("PNG", "JPEG"):
            data = as_png(picture)
    return data_uri("image/png", data), *size
