"""Qualified names, lengths and booleans of WordprocessingML and DrawingML (ECMA-376, part 1)."""

from __future__ import annotations

import re

from engine.families.documents.ooxml.package import Element
from engine.toolkit.xml_elements import number as number_in

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
PIC = "{http://schemas.openxmlformats.org/drawingml/2006/picture}"
WPS = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
WPG = "{http://schemas.microsoft.com/office/word/2010/wordprocessingGroup}"
WPG = "{http://schemas.microsoft.com/office/word/2010/wordprocessingGroup}"
W10 = "{urn:schemas-microsoft-com:office:word}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
V = "{urn:schemas-microsoft-com:vml}"
O = "{urn:schemas-microsoft-com:office:office}"  # noqa: E741

_NUMBER = re.compile(r"\s*+(-?\d++(?:\.\d++)?+)\s*+(mm|cm|in|pt|pc|pi|%)?+\s*+")
_TWIPS = {"mm": 1440 / 25.4, "cm": 1440 / 2.54, "in": 1440.0, "pt": 20.0, "pc": 240.0, "pi": 240.0}
_MOST = 31_680 * 4
"""Twips: four times the longest side that paper may have."""


def value(element: Element | None, name: str = "val") -> str | None:
    """An attribute of an element that may be missing."""
    return None if element is None else element.get(W + name)


def child(element: Element | None, name: str) -> Element | None:
    return None if element is None else element.find(W + name)


def on(element: Element) -> bool:
    """The value of a boolean element (17.17.4)."""
    return (element.get(W + "val") or "true").lower() not in ("false", "0", "off", "none")


def points(text: str | None) -> float | None:
    """A length in twips, or with a unit (22.9.2.14), in points; None if invalid."""
    match = _NUMBER.fullmatch(text or "")
    if match is None or match[2] == "%":
        return None
    twips = float(match[1]) * _TWIPS.get(match[2] or "", 1.0)
    return max(-_MOST, min(twips, _MOST)) / 20


def integer(text: str | None) -> int | None:
    match = _NUMBER.fullmatch(text or "")
    return int(float(match[1])) if match and len(match[1]) < 12 else None


def emu(text: str | None) -> float:
    """A DrawingML length (20.1.10.16) in points."""
    number = integer(text)
    return 0.0 if number is None else max(-_MOST / 20, min(number / 12_700, _MOST / 20))


def share_of(text: str | None, otherwise: float = 0.0) -> float:
    """A share in 100,000ths or, in the strict variant, in percent (22.9.2.9)."""
    if not text:
        return otherwise
    whole = text.removesuffix("%")
    return number_in(whole, otherwise) / (100 if whole != text else 100_000)


def pt(length: float) -> str:
    """A length in points as CSS."""
    return f"{length:.2f}".rstrip("0").rstrip(".") + "pt"
