"""How pictures stand in the layout engine's pages: how large they are, and what stands beside them."""

from __future__ import annotations

import copy
from typing import Any

import xhtml2pdf.xhtml2pdf_reportlab as engine
from PIL import Image
from reportlab.graphics import renderPDF
from reportlab.graphics.shapes import Drawing
from xhtml2pdf.default import TAGS
from xhtml2pdf.tags import pisaTagIMG
from xhtml2pdf.util import getSize

from conversions.families.html_pdf.pictures import FORMATS, is_svg
from conversions.families.html_pdf.xhtml2pdf.paragraphs import extent

SVG_ATTRIBUTES = TAGS["img"]
"""An `<svg>` has become a picture with the attributes of one."""


class Picture(engine.PmlImage):  # type: ignore[misc]
    """A picture in the page; an SVG is read once and drawn as lines and curves."""

    def getDrawing(self, width: float | None = None, height: float | None = None) -> Drawing | None:
        if not is_svg(self._imgdata):
            return None
        if not hasattr(self, "_svg"):
            from conversions.families.html_pdf.svg import drawing_of

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


class PictureTag(pisaTagIMG):  # type: ignore[misc]
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


def _read(file: Any) -> Image.Image:
    return Image.open(file, formats=FORMATS)


read_image = staticmethod(_read)
"""Reads a picture of one of the formats that may be read."""
