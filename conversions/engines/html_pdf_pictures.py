"""Pictures inside the page: which are drawn, how large, and what an SVG loses; no program and no file is asked."""

from __future__ import annotations

import base64
import binascii
import copy
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

import xhtml2pdf.context
import xhtml2pdf.parser
import xhtml2pdf.tags
import xhtml2pdf.xhtml2pdf_reportlab as engine
from lxml import etree
from PIL import Image, UnidentifiedImageError
from reportlab.graphics import renderPDF
from reportlab.graphics.shapes import Drawing, Group, String
from reportlab.pdfbase.pdfmetrics import stringWidth
from svglib.fonts import FontMap
from svglib.svglib import SvgRenderer
from xhtml2pdf.util import getSize

from conversions.engines import html_pdf_fonts as fonts
from conversions.engines.html_pdf_paragraphs import extent
from conversions.engines.html_pdf_references import blocked, is_inline
from conversions.warnings import Warn

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP", "TIFF", "ICO")
"""What a picture may be; any other that Pillow knows may start a program."""
MOST_PIXELS = 25_000_000
MOST_SVG_ELEMENTS = 20_000
MOST_SVG_DEPTH = 100
_SVG = "{http://www.w3.org/2000/svg}"
_HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
_NOT_DRAWN = frozenset(
    [
        "filter",
        "mask",
        "foreignObject",
        "animate",
        "animateMotion",
        "animateTransform",
        "set",
        "pattern",
        "marker",
        "textPath",
        "script",
        "video",
        "audio",
        "iframe",
    ]
)


def picture_data(url: str) -> bytes:
    """The bytes in a `data:` URI (RFC 2397); none where it can't be read."""
    head, _, body = url.strip()[5:].partition(",")
    if not head.lower().rstrip().endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode(unquote_to_bytes(body), validate=False)
    except (binascii.Error, ValueError):
        return b""


def fault(data: bytes) -> str | None:
    """Why a picture can't be drawn, for the user; None where it can."""
    if is_svg(data):
        return None if svg_root(data) is not None else "it is no SVG that can be drawn"
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as picture:
            width, height = picture.size
            picture.load()
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


def is_svg(data: bytes) -> bool:
    return bool(engine.looks_like_svg(data[:1024]))


def svg_root(data: bytes) -> Any:
    """The root element of an SVG within its limits, or None."""
    parser = etree.XMLParser(
        remove_comments=True, recover=True, resolve_entities=False, no_network=True, huge_tree=False
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    if root is None or etree.QName(root).localname != "svg":
        return None
    if any(number >= MOST_SVG_ELEMENTS for number, _ in enumerate(etree.iterwalk(root, events=("start",)))):
        return None
    return root if _expanded(root) <= MOST_SVG_ELEMENTS else None


def _expanded(root: Any) -> int:
    """How many elements an SVG has with every `<use>` replaced by its target; deep or circular is too many."""
    by_id = {each.get("id"): each for each in root.iter() if isinstance(each.tag, str) and each.get("id")}
    sizes: dict[Any, int] = {}

    def size(element: Any, depth: int) -> int:
        if depth > MOST_SVG_DEPTH:
            return MOST_SVG_ELEMENTS + 1
        if element in sizes:
            return sizes[element]
        total = 1
        for child in element:
            if isinstance(child.tag, str):
                total += size(child, depth + 1)
        if etree.QName(element).localname == "use":
            target = by_id.get(next((element.get(name) for name in _HREFS if element.get(name)), "")[1:])
            total += size(target, depth + 1) if target is not None else 0
        sizes[element] = total
        return total

    return size(root, 0)


def report_svg(data: bytes, warn: Warn) -> None:
    """Report what of an SVG is not drawn, and the references that it makes."""
    root = svg_root(data)
    for element in root.iter() if root is not None else ():
        if not isinstance(element.tag, str):
            continue
        name = etree.QName(element).localname
        if name in _NOT_DRAWN:
            code = "SCRIPT_REMOVED" if name == "script" else "CONTENT_DROPPED"
            warn(code, f"<{name}> in an SVG picture is not drawn.")
        for href in filter(None, map(element.get, _HREFS)):
            if name != "a":
                blocked(href, warn)


class _Fonts(FontMap):  # type: ignore[misc]
    """The fonts of an SVG: the bundled ones, where svglib asks fontconfig."""

    def find_font(self, font_name: str, weight: str = "normal", style: str = "normal") -> tuple[str, bool]:
        wanted = fonts.NAMES.get(font_name.strip("'\" ").lower())
        family = next((each for each in fonts.FAMILIES if each.name == wanted), fonts.SANS)
        bold = str(weight).lower() in ("bold", "bolder", "600", "700", "800", "900")
        return family.style(bold=bold, italic=str(style).lower() in ("italic", "oblique")), wanted is not None


def drawing_of(data: bytes) -> Drawing | None:
    """An SVG as a drawing, or None where it can't be drawn."""
    root = svg_root(data)
    if root is None:
        return None
    for element in list(root.iter(f"{_SVG}image", f"{_SVG}foreignObject", f"{_SVG}script")):
        href = next((element.get(name) for name in _HREFS if element.get(name)), "")
        raster = picture_data(href) if is_inline(href) else b""
        if not raster.startswith((b"\x89PNG", b"\xff\xd8\xff")) or fault(raster):
            parent = element.getparent()
            if parent is not None:
                parent.remove(element)
    try:
        drawing = SvgRenderer(BytesIO(data), font_map=_Fonts()).render(root)
    except (
        ArithmeticError,
        AttributeError,
        AssertionError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
        OSError,
    ):
        return None
    _shape_texts(drawing)
    return drawing


def _shape_texts(group: Any) -> None:
    """Replace each text by runs of one font each."""
    contents = getattr(group, "contents", [])
    for at, node in enumerate(contents):
        if isinstance(node, String) and not node.text.isascii():
            contents[at] = _runs_of(node)
        elif isinstance(node, Group):
            _shape_texts(node)


def _runs_of(text: String) -> Group:
    runs: list[list[str]] = []
    for char in text.text:
        name = fonts.font_for(ord(char), (text.fontName,), False, False) or text.fontName
        if runs and (char.isspace() or runs[-1][1] == name):
            runs[-1][0] += char
        else:
            runs.append([char, name])
    drawn = [(fonts.drawn(run, name), name) for run, name in runs]
    widths = [stringWidth(run, name, text.fontSize) for run, name in drawn]
    x = text.x - sum(widths) * {"middle": 0.5, "end": 1.0}.get(text.textAnchor, 0.0)
    group = Group()
    for (run, name), width in zip(drawn, widths, strict=True):
        piece = copy.copy(text)
        piece.text, piece.fontName, piece.x, piece.textAnchor = run, name, x, "start"
        group.add(piece)
        x += width
    return group


class Picture(engine.PmlImage):  # type: ignore[misc]
    """A picture in the page; an SVG is read once and drawn as lines and curves."""

    def getDrawing(self, width: float | None = None, height: float | None = None) -> Drawing | None:
        if not is_svg(self._imgdata):
            return None
        if not hasattr(self, "_svg"):
            self._svg = drawing_of(self._imgdata)
        if self._svg is None:
            return None
        drawing = copy.copy(self._svg)
        across = (width or getattr(self, "drawWidth", None) or drawing.width) / (drawing.width or 1)
        along = (height or getattr(self, "drawHeight", None) or drawing.height) / (drawing.height or 1)
        drawing.transform = (across, 0, 0, along, 0, 0)
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
