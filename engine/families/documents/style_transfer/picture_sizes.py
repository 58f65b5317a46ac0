"""The sizes that styles give to pictures (CSS 2.2, 10.2 to 10.7)."""

from __future__ import annotations

import base64
import io
import re
import warnings
from urllib.parse import unquote_to_bytes

from PIL import Image

from engine.families.documents.style_transfer.styles import ElementStyle, State
from engine.families.html_pdf.styles import Element

_PX = 0.75
_ROOM = 560.0
"""CSS pixels between the margins of pandoc's page, which percentages are of."""
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")
_SHARE = re.compile(r"(\d{1,4}(?:\.\d+)?)(?:%|vw)")
_NUMBER = re.compile(r"\s*+(\d{1,5}(?:\.\d+)?)\s*+(?:px\s*+)?")


def write(picture: Element, declared: ElementStyle, state: State) -> None:
    """Write the size that styles give a picture into its attributes, in CSS pixels or as a share of the width."""
    for side in ("width", "height"):
        said = declared.get(side) or ""
        length = declared.length(side, state.size, state.root)
        if side == "width" and (share := _SHARE.fullmatch(said)):
            picture.set(side, f"{share[1]}%")
        elif length and not said.endswith("%"):
            picture.set(side, str(max(round(length / _PX), 1)))
        elif said == "auto":
            picture.attrib.pop(side, None)
    bounds = {side: _bounds(side, declared, state) for side in ("width", "height")}
    if any(each is not None for pair in bounds.values() for each in pair):
        _bound(picture, bounds["width"], bounds["height"])


def _bounds(side: str, declared: ElementStyle, state: State) -> tuple[float | None, float | None]:
    """The minimum and maximum of a side in CSS pixels."""
    found = []
    for name in (f"min-{side}", f"max-{side}"):
        share = _SHARE.fullmatch(declared.get(name) or "") if side == "width" else None
        if share:
            length = float(share[1]) / 100 * _ROOM if share[1] != "100" else None
        else:
            points = declared.length(name, state.size, state.root)
            length = points / _PX if points is not None else None
        found.append(length)
    return found[0], found[1]


def _bound(picture: Element, wide: tuple[float | None, float | None], high: tuple[float | None, float | None]) -> None:
    """Hold a picture within its minimum and maximum, in proportion unless both of its sides are given."""
    width, height = _given(picture, "width"), _given(picture, "height")
    if width is None or height is None:
        natural = _natural(picture)
        if natural is None:
            return
        ratio = natural[0] / natural[1]
        in_proportion = True
        if width is None:
            width = natural[0] if height is None else height * ratio
        height = width / ratio
    else:
        ratio, in_proportion = width / height, False
    before = width, height
    for (least, most), is_width in ((wide, True), (high, False)):
        side = width if is_width else height
        held = max(min(side, most or side), least or 0.0)
        if held == side:
            continue
        if is_width:
            width, height = held, held / ratio if in_proportion else height
        else:
            width, height = held * ratio if in_proportion else width, held
    if (width, height) != before:
        picture.set("width", str(max(round(width), 1)))
        picture.set("height", str(max(round(height), 1)))


def _given(picture: Element, side: str) -> float | None:
    """A side in CSS pixels, as the attribute says."""
    said = (picture.get(side) or "").strip()
    if share := _SHARE.fullmatch(said):
        return float(share[1]) / 100 * _ROOM if side == "width" else None
    number = _NUMBER.fullmatch(said)
    return float(number[1]) or None if number else None


def _natural(picture: Element) -> tuple[float, float] | None:
    """The pixels of an embedded picture."""
    head, _, body = (picture.get("src") or "").strip().partition(",")
    if not head.lower().startswith("data:") or not head.lower().rstrip().endswith(";base64"):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(base64.b64decode(unquote_to_bytes(body))), formats=_FORMATS) as opened:
                width, height = opened.size
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return None
    return (float(width), float(height)) if width and height else None
