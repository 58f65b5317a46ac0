"""Pictures as the layout engine takes them: of two formats that start no program, with their sizes; SVG as drawings."""

from __future__ import annotations

import base64
import copy
import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image, ImageOps
from xhtml2pdf.xhtml2pdf_reportlab import PmlImage

from conversions.families.html_pdf.pictures import FORMATS, is_svg
from conversions.families.html_pdf.source.references import data_of

_ORIENTATION = 0x0112  # Exif 2.32, 4.6.4: 1 is upright
_MARK = b"drawing-"
_DAMAGE = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    TypeError,
    ArithmeticError,
    LookupError,
    Image.DecompressionBombError,
)


class Picture(PmlImage):  # type: ignore[misc]
    """A drawing where the engine has put a picture of one pixel."""

    drawing: Any

    def getDrawing(self, width: float | None = None, height: float | None = None) -> Any:
        drawn = copy.copy(self.drawing)
        size = width or self.drawWidth, height or self.drawHeight
        drawn.transform = (max(size[0], 0.01) / drawn.width, 0, 0, max(size[1], 0.01) / drawn.height, 0, 0)
        return drawn


def restore(picture: PmlImage, drawings: list[Any]) -> None:
    """Make a picture the drawing that it stands for, if it does."""
    _, mark, number = picture._imgdata[-40:].rpartition(_MARK)
    if mark:
        picture.__class__ = Picture
        picture.drawing = drawings[int(number)]


def prepared(source: str, drawings: list[Any]) -> tuple[str, float, float] | None:
    """A picture's `data:` URI and its size in CSS pixels, or None for one that can't be drawn."""
    data = data_of(source)
    if is_svg(data):
        from conversions.families.html_pdf.svg import drawing_of  # for the few pages that have one

        drawing = drawing_of(data)
        if drawing is None:
            return None
        drawings.append(drawing)
        stand_in = _pixel() + _MARK + str(len(drawings) - 1).encode()
        return _uri("png", stand_in), drawing.width, drawing.height
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as picture:
            picture.load()
            if picture.format in ("PNG", "JPEG") and picture.getexif().get(_ORIENTATION, 1) == 1:
                return _uri(picture.format.lower(), data), *picture.size
            upright = ImageOps.exif_transpose(picture)
            target = BytesIO()
            upright.convert("RGBA" if upright.has_transparency_data else "RGB").save(target, "PNG", compress_level=1)
            return _uri("png", target.getvalue()), *upright.size
    except _DAMAGE:
        return None


def _uri(kind: str, data: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def _pixel() -> bytes:
    """A transparent PNG of one pixel (ISO 15948)."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">2I5B", 1, 1, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(5))) + chunk(b"IEND", b"")
