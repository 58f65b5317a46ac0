"""Pictures inside the page: which are drawn, how large, and what stands beside them."""

from __future__ import annotations

import copy
from io import BytesIO
from typing import Any

import xhtml2pdf.context
import xhtml2pdf.parser
import xhtml2pdf.tags
import xhtml2pdf.xhtml2pdf_reportlab as engine
from PIL import (  # the readers are named: asked for one that is not loaded, Pillow loads all that it has
    AvifImagePlugin,  # noqa: F401
    BmpImagePlugin,  # noqa: F401
    GifImagePlugin,  # noqa: F401
    IcoImagePlugin,  # noqa: F401
    Image,
    JpegImagePlugin,  # noqa: F401
    PngImagePlugin,  # noqa: F401
    TiffImagePlugin,  # noqa: F401
    UnidentifiedImageError,
    WebPImagePlugin,  # noqa: F401
)
from reportlab.graphics import renderPDF
from reportlab.graphics.shapes import Drawing
from xhtml2pdf.util import getSize

from conversions.engines.html_pdf_paragraphs import extent

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP", "TIFF", "ICO")
"""What a picture may be; any other that Pillow knows may start a program."""
MOST_PIXELS = 25_000_000


def is_svg(data: bytes) -> bool:
    return bool(engine.looks_like_svg(data[:1024]))


def fault(data: bytes) -> str | None:
    """Why a picture can't be drawn, for the user; None where it can."""
    if is_svg(data):
        from conversions.engines.html_pdf_svg import svg_root  # for the few pages that have one

        return None if svg_root(data) is not None else "it is no SVG that can be drawn"
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as picture:
            width, height = picture.size
    except Image.DecompressionBombError:
        return "it has too many pixels"
    except (
        UnidentifiedImageError,
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        TypeError,
        ZeroDivisionError,
        IndexError,
    ):
        return "it is damaged or of an unknown format"
    return "it has too many pixels" if width * height > MOST_PIXELS else None


class Picture(engine.PmlImage):  # type: ignore[misc]
    """A picture in the page; an SVG is read once and drawn as lines and curves."""

    def getDrawing(self, width: float | None = None, height: float | None = None) -> Drawing | None:
        if not is_svg(self._imgdata):
            return None
        if not hasattr(self, "_svg"):
            from conversions.engines.html_pdf_svg import drawing_of

            self._svg = drawing_of(self._imgdata)
        if self._svg is None:
            return None
        drawing = copy.copy(self._svg)
        across = (width or getattr(self, "drawWidth", None) or drawing.width) / (drawing.width or 1)
        along = (height or getattr(self, "drawHeight", None) or drawing.height) / (drawing.height or 1)
        drawing.transform = (max(across, 0.001), 0, 0, max(along, 0.001), 0, 0)
        return drawing

    def __init__(self, data: Any, *args: Any, **settings: Any) -> None:
        super().__init__(data, *args, **settings)
        drawing = getattr(self, "_svg", None)
        if drawing is not None:
            self.drawWidth = self.imageWidth = drawing.width * 96 / 72
            self.drawHeight = self.imageHeight = drawing.height * 96 / 72

    def getImage(self) -> Any:
        if is_svg(self._imgdata):
            raise engine.ImageWarning("not a picture of pixels")
        return super().getImage()

    def checkRasterSize(self, drawing: Drawing) -> None:
        """Nothing is rasterised."""

    def draw(self) -> None:
        drawing = self.getDrawing(self.dWidth, self.dHeight)
        if drawing is None:
            super().draw()
        else:
            renderPDF.draw(drawing, self.canv, 0, 0)


class FloatingPicture(engine.PmlParagraphAndImage):  # type: ignore[misc]
    """A paragraph beside a picture, as tall as the taller of the two."""

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        super().wrap(availWidth, availHeight)
        self.P.width = availWidth
        self.P.height = sum(sum(extent(line, self.P.style.leading)) for line in self.P.blPara.lines)
        self.height = max(self.hI + self.ypad, self.P.height)
        return self.width, self.height

    def draw(self) -> None:
        left = self._side == "left"
        self.I.drawOn(self.canv, 0 if left else self.width - self.wI, self.height - self.hI)
        if left:
            self.P._offsets = list(self._offsets)
        self.P.drawOn(self.canv, 0, self.height - self.P.height)


class PictureTag(xhtml2pdf.tags.pisaTagIMG):  # type: ignore[misc]
    """`<img>`, and the `<svg>` that was made one: sizes in per cent, limits and floats included."""

    def start(self, c: Any) -> None:
        side = str(c.cssAttr.get("float", "")).lower()
        if side in ("left", "right"):
            self.attr.align = side
        room = c.pageSize[0] - 2 * 42.5
        for name in ("width", "height"):
            value = str(getattr(c.frag, name) or "")
            if value.endswith("%"):
                share = getSize(value, room) if name == "width" else 0
                setattr(c.frag, name, f"{share}pt" if share else None)
        before = len(c.fragList)
        super().start(c)
        for frag in c.fragList[before:]:
            self._limit(c, frag.cbDefn)

    @staticmethod
    def _limit(c: Any, box: Any) -> None:
        for name, side in (("max-width", "width"), ("max-height", "height")):
            value = c.cssAttr.get(name)
            most = (
                getSize("".join(value) if isinstance(value, list | tuple) else value, c.frag.fontSize) if value else 0
            )
            if str(value).find("%") < 0 and 0 < most < getattr(box, side):
                factor = most / getattr(box, side)
                box.width, box.height = box.width * factor, box.height * factor
                box.fontSize = box.height
                box.image.drawWidth, box.image.drawHeight = box.width, box.height


def install() -> None:
    """Make the layout engine read and draw pictures our way."""
    engine.PmlImageReader._read_image = staticmethod(lambda file: Image.open(file, formats=FORMATS))
    xhtml2pdf.tags.PmlImage = Picture
    xhtml2pdf.context.PmlParagraphAndImage = FloatingPicture
    xhtml2pdf.parser.pisaTagIMG = xhtml2pdf.parser.pisaTagSVG = PictureTag
    xhtml2pdf.parser.TAGS["svg"] = xhtml2pdf.parser.TAGS["img"]
    xhtml2pdf.parser.PROPERTY_NAMES = (*xhtml2pdf.parser.PROPERTY_NAMES, "float")


install()
