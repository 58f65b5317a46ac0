"""Measure embedded pictures: their own width and height, or only a ratio (CSS Images 3, 4.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import tinycss2
from lxml import etree
from PIL import Image

from engine.families.html_pdf.css.room_lengths import TextSizes, length
from engine.families.html_pdf.source import pictures
from engine.families.html_pdf.source.references import data_of

_MOST_RATIO = 1e6
"""A drawing that is wider or higher than this can't be seen."""


@dataclass(frozen=True)
class OwnSize:
    """The size of a picture in CSS pixels; a drawing may have only a ratio, or nothing."""

    width: float | None = None
    height: float | None = None
    ratio: float | None = None
    is_drawing: bool = False


def measured(uri: str) -> OwnSize | None:
    """The size of a picture that `pictures.readable` has returned; None for an empty one."""
    data = data_of(uri)
    if not pictures.is_svg(data):
        with Image.open(BytesIO(data), formats=pictures.FORMATS) as picture:
            across, down = picture.size
        return OwnSize(across, down, across / down) if across and down else None
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, recover=True))
    width, height = (_length(root.get(each)) for each in ("width", "height"))
    box = [_number(each) for each in (root.get("viewBox") or "").replace(",", " ").split()]
    ratio = None
    if width and height:
        ratio = width / height
    elif len(box) == 4 and min(box[2:]) > 0:
        ratio = box[2] / box[3]
    if width == 0 or height == 0:
        return None
    ratio = ratio and max(1 / _MOST_RATIO, min(ratio, _MOST_RATIO))
    if ratio is not None and (width is None) != (height is None):
        width, height = (height or 0.0) * ratio if width is None else width, height or (width or 0.0) / ratio
    return OwnSize(width, height, ratio, is_drawing=True)


def _length(value: str | None) -> float | None:
    tokens: list[Any] = tinycss2.parse_component_value_list(f"{value}px" if _number(value or "") else value or "")
    found = length(tokens[0], TextSizes()) if len(tokens) == 1 else None
    return found.pixels if found is not None and not found.share and found.pixels >= 0 else None


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if math.isfinite(number) else 0.0
