"""Multiply the lengths within zoomed elements (CSS Viewport 1, 4), which PlutoPrint doesn't zoom."""

from __future__ import annotations

import re
from io import BytesIO

from PIL import Image

from engine.families.html_pdf.css import shares
from engine.families.html_pdf.css.ignored import MOST_ZOOMED, zoom_factor
from engine.families.html_pdf.plutoprint import text_sizes
from engine.families.html_pdf.plutoprint.declared import in_order, of_page
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.families.html_pdf.source.references import data_of, is_inline

_LARGEST = 1_000
"""CSS pixels of the largest text."""
_ZOOM, _FONT, _SIZE = "zoom", "font", "font-size"
_SIDES = ("top", "right", "bottom", "left")
_NAMES = (
    "width", "height", "min-width", "min-height", "max-width", "max-height", "line-height", "letter-spacing",
    "word-spacing", "text-indent", "vertical-align", "border", "border-width", "border-radius", "border-spacing",
    "outline", "outline-width", "outline-offset", "flex", "flex-basis", "gap", "row-gap", "column-gap", "column-width",
    "columns", "margin", "padding", "inset", "transform", "background-size", "background-position",
    "grid-template-columns", "grid-template-rows", "grid-template", "grid-auto-rows", "grid-auto-columns",
    *_SIDES, *(f"{each}-{side}" for each in ("margin", "padding", "border") for side in _SIDES),
    *(f"border-{side}-width" for side in _SIDES), *(f"{shares.MARK}{each}" for each in shares.NAMES), _FONT, _SIZE,
)  # fmt: skip
_ABSOLUTE = re.compile(r"(?<![\w#.-])(-?(?:\d++\.?\d*+|\.\d++))(px|pt|pc|in|cm|mm|q|rem)(?![\w-])", re.IGNORECASE)
_OF_PARENT = re.compile(r"(?<!\d)(\d++(?:\.\d++)?|\.\d++)(em|%)(?![\w-])", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(\d+(?:\.\d+)?)(?:px)?\s*")
_SIZED = frozenset(("img", "svg", "table", "td", "th", "col", "hr"))


def enlarge(page: Page, sheets: list[str], *, media: str) -> None:
    """Multiply text sizes, lengths and pictures within zoomed elements, and take their zoom away."""
    if not any(_ZOOM in each for each in sheets):
        return
    said = of_page(page, sheets, (_ZOOM,), media=media, merged=in_order)
    own = {
        each: factor for each, values in said.items() if (factor := zoom_factor(values.get(_ZOOM, ""))) and factor != 1
    }
    if not own:
        return
    if (whole := own.pop(page.root, None)) is not None:  # lengths in rem are those of the root's text
        body = page.root.find("body")
        own[body] = own.get(body, 1.0) * whole
    factors: dict[Element, float] = {}
    for element in page.root.iter():
        total = factors.get(element.getparent(), 1.0) * own.get(element, 1.0)
        if total != 1 and isinstance(element.tag, str):
            factors[element] = min(total, MOST_ZOOMED)
    lengths = of_page(page, sheets, _NAMES, media=media, merged=in_order)
    for element, total in factors.items():
        if any(each.tag == "svg" for each in element.iterancestors()):
            continue
        values = lengths.get(element, {})
        for name, value in values.items():
            scaled = _scaled(value, total)
            if name in (_FONT, _SIZE) and element in own:
                scaled = _text_size(scaled, own[element], total)
            if scaled != value:
                add_style(element, f"{name}:{scaled}")
        if element in own and not values.keys() & {_FONT, _SIZE}:
            add_style(
                element, f"{_SIZE}:min({_LARGEST}px,{own[element] * text_sizes.HEADINGS.get(element.tag, 1.0):g}em)"
            )
        if element.tag in _SIZED:
            _resize(element, values, total)


def _scaled(value: str, factor: float) -> str:
    return _ABSOLUTE.sub(lambda found: f"{float(found[1]) * factor:g}{found[2]}", value)


def _text_size(value: str, own: float, total: float) -> str:
    """The text size of a zoomed element, which may be relative to its parent's."""
    size = _OF_PARENT.sub(lambda found: f"{float(found[1]) * own:g}{found[2]}", value, count=1)
    first = value.lower().partition(" ")[0].replace("!important", "")
    return value.replace(first, f"{text_sizes.WORDS[first] * total:g}px") if first in text_sizes.WORDS else size


def _resize(element: Element, values: dict[str, str], factor: float) -> None:
    """Multiply the size that attributes give, or that a picture has."""
    given = False
    for side in ("width", "height", "cellpadding", "cellspacing"):
        if number := _NUMBER.fullmatch(element.get(side) or ""):
            element.set(side, f"{float(number[1]) * factor:g}")
            given = True
    source = element.get("src") or ""
    if element.tag != "img" or given or values.keys() & {"width", "height"} or not is_inline(source):
        return
    try:
        with Image.open(BytesIO(data_of(source))) as picture:
            add_style(element, f"width:{picture.width * factor:g}px")
    except (OSError, ValueError, SyntaxError):
        return  # a drawing, which has the size of its own lengths
