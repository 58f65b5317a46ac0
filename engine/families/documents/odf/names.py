"""Qualified names, lengths in twips, colours and borders of OpenDocument (ISO/IEC 26300, part 3)."""

from __future__ import annotations

import re

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
FO = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
CONFIG = "{urn:oasis:names:tc:opendocument:xmlns:config:1.0}"
FORM = "{urn:oasis:names:tc:opendocument:xmlns:form:1.0}"
FIELD = "{urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0}"
XLINK = "{http://www.w3.org/1999/xlink}"
XML = "{http://www.w3.org/XML/1998/namespace}"
DC = "{http://purl.org/dc/elements/1.1/}"
LOEXT = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"

_LENGTH = re.compile(r"\s*(-?\d{0,9}(?:\.\d{1,12})?)(cm|mm|in|pt|pc|px)\s*")
_TWIPS = {"cm": 1440 / 2.54, "mm": 144 / 2.54, "in": 1440.0, "pt": 20.0, "pc": 240.0, "px": 15.0}
_SHARE = re.compile(r"\s*(-?\d{1,5}(?:\.\d{1,9})?)%\s*")
_HEX = re.compile(r"#([0-9A-Fa-f]{6})")
_LINES = {"solid": "single", "double": "double", "dotted": "dotted", "dashed": "dashed", "double-thin": "double",
          "groove": "threeDEngrave", "ridge": "threeDEmboss", "inset": "inset", "outset": "outset",
          "dash-dot": "dotDash", "dash-dot-dot": "dotDotDash", "fine-dashed": "dashed"}  # fmt: skip


def twips(text: str | None) -> int | None:
    """A length (18.3.18) in twentieths of a point; None if invalid."""
    match = _LENGTH.fullmatch(text or "")
    if match is None or match[1] in ("", "-", "."):
        return None
    return round(max(-126_000.0, min(float(match[1]) * _TWIPS[match[2]], 126_000.0)))


def share(text: str | None) -> float | None:
    """A percentage; None if invalid."""
    match = _SHARE.fullmatch(text or "")
    return float(match[1]) if match else None


def count(text: str | None, *, most: int, otherwise: int = 1) -> int:
    """An integer from 1 to `most`."""
    return max(1, min(int(text), most)) if text and text.isdecimal() and len(text) < 10 else otherwise


def colour(text: str | None) -> str | None:
    """Six hex digits; None for `transparent` and invalid colours."""
    match = _HEX.fullmatch((text or "").strip())
    return match[1] if match else None


def edge(text: str | None) -> dict[str, str | int] | None:
    """A border (20.183) as the attributes of a WordprocessingML edge; None if unset."""
    if text is None:
        return None
    width, style, shade = 1.0, "", "auto"
    for each in text.split():
        if each in _LINES:
            style = _LINES[each]
        elif (length := twips(each)) is not None:
            width = length / 20
        elif (found := colour(each)) is not None:
            shade = found
    if not style or width <= 0:
        return {"val": "none"}
    if style == "double":
        width /= 3
    return {"val": style, "sz": max(round(width * 8), 1), "color": shade}
