"""Draw SVG within limits in the bundled fonts, without programs or files."""

from __future__ import annotations

import copy
from io import BytesIO
from typing import Any

from lxml import etree
from reportlab.graphics.shapes import Drawing, Group, String
from reportlab.pdfbase.pdfmetrics import stringWidth
from svglib.fonts import FontMap
from svglib.svglib import SvgRenderer

from engine.families.html_pdf.fonts import bundled as fonts
from engine.families.html_pdf.fonts.runs import runs
from engine.families.html_pdf.source.drawings import HREFS, MOST_SVG_ELEMENTS, expanded, local_name
from engine.families.html_pdf.source.references import blocked, data_of, is_inline
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_SVG = "{http://www.w3.org/2000/svg}"
_NOT_DRAWN = frozenset((
    "filter", "mask", "foreignObject", "animate", "animateMotion", "animateTransform", "set", "pattern", "marker",
    "textPath", "script", "video", "audio", "iframe",
))  # fmt: skip


def svg_root(data: bytes) -> Any:
    """The root element of an SVG within limits, or None."""
    parser = etree.XMLParser(
        remove_comments=True, recover=True, resolve_entities=False, no_network=True, huge_tree=False
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    if root is None or local_name(root) != "svg":
        return None
    if sum(1 for _ in root.iter()) > MOST_SVG_ELEMENTS:
        return None
    return root if expanded(root) <= MOST_SVG_ELEMENTS else None


def report_svg(data: bytes, warn: Warn) -> None:
    """Report what of an SVG is not drawn, and its references."""
    root = svg_root(data)
    for element in root.iter() if root is not None else ():
        if not isinstance(element.tag, str):
            continue
        name = local_name(element)
        if name in _NOT_DRAWN:
            code = "SCRIPT_REMOVED" if name == "script" else "CONTENT_DROPPED"
            warn(code, say("<{name}> in an SVG picture was left out.", name=name))
        for href in filter(None, map(element.get, HREFS)):
            if name != "a":
                blocked(href, warn)


class _Fonts(FontMap):
    """The bundled fonts, where svglib would ask fontconfig."""

    def find_font(self, font_name: str, weight: str = "normal", style: str = "normal") -> tuple[str, bool]:
        wanted = fonts.NAMES.get(font_name.strip("'\" ").lower())
        family = next((each for each in fonts.FAMILIES if each.name == wanted), fonts.SANS)
        bold = str(weight).lower() in ("bold", "bolder", "600", "700", "800", "900")
        return family.style(bold=bold, italic=str(style).lower() in ("italic", "oblique")), wanted is not None


def drawing_of(data: bytes) -> Drawing | None:
    """An SVG as a drawing, or None if it can't be drawn."""
    root = svg_root(data)
    if root is None:
        return None
    if not any(root.get(name) for name in ("width", "height", "viewBox")):
        root.set("width", "300")  # CSS 2.1, 10.3.2
        root.set("height", "150")
    for element in list(root.iter(f"{_SVG}image", f"{_SVG}foreignObject", f"{_SVG}script")):
        href = next((element.get(name) for name in HREFS if element.get(name)), "")
        raster = data_of(href) if is_inline(href) else b""
        if not raster.startswith((b"\x89PNG", b"\xff\xd8\xff")):
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
    if drawing.width <= 0 or drawing.height <= 0:
        return None
    _shape_texts(drawing)
    return drawing


def _shape_texts(group: Any) -> None:
    """Split each text into runs of one font."""
    contents = getattr(group, "contents", [])
    for at, node in enumerate(contents):
        if isinstance(node, String) and not node.text.isascii():
            contents[at] = _runs_of(node)
        elif isinstance(node, Group):
            _shape_texts(node)


def _runs_of(text: String) -> Group:
    drawn = runs(text.text, (text.fontName,), bold=False, italic=False, missing=lambda _: None)
    widths = [stringWidth(run, name, text.fontSize) for run, name in drawn]
    x = text.x - sum(widths) * {"middle": 0.5, "end": 1.0}.get(text.textAnchor, 0.0)
    group = Group()
    for (run, name), width in zip(drawn, widths, strict=True):
        piece = copy.copy(text)
        piece.text, piece.fontName, piece.x, piece.textAnchor = run, name, x, "start"
        group.add(piece)
        x += width
    return group
