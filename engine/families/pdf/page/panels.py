"""Find the filled areas and lines that upright rectangles and rules of a page paint."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as raw

from engine.families.pdf.page.view import Box

Edge = tuple[tuple[float, float], tuple[float, float], bool]
"""A part of a path from point to point of the page, and whether it is straight."""

_FINEST = 0.25
"""Points: a line of zero width is drawn as thin as a printer can (ISO 32000-1, 8.4.3.2)."""


@dataclass(frozen=True, slots=True)
class Panel:
    """An upright rectangle filled with a colour (RRGGBB): an area, or a line of its drawn thickness."""

    box: Box
    colour: str


def panels_of(path: Any, box: Box, edges: Iterable[Edge], scale: float, *, filled: bool, stroked: bool) -> list[Panel]:
    """Return the panels that a path paints in this box, its area before its lines; none if it is curved or slanted.

    `scale` converts the path's units to points.
    """
    lines: list[Box] = []
    for (ax, ay), (bx, by), straight in edges:
        if not straight or min(abs(ax - bx), abs(ay - by)) >= 1:
            return []
        if (ax, ay) != (bx, by):
            lines.append((min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)))
    found = []
    if filled and (colour := _colour(path, raw.FPDFPageObj_GetFillColor)):
        found.append(Panel(box, colour))
    if stroked and (colour := _colour(path, raw.FPDFPageObj_GetStrokeColor)):
        width = ctypes.c_float()
        raw.FPDFPageObj_GetStrokeWidth(path, width)
        half = max(_FINEST, width.value * scale) / 2
        found += [Panel((x0 - half, y0 - half, x1 + half, y1 + half), colour) for x0, y0, x1, y1 in lines]
    return found


def _colour(path: Any, read: Any) -> str:
    """Return the colour that a PDFium function reports for a path; empty if it is invisible."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not read(path, red, green, blue, alpha) or not alpha.value:
        return ""
    return f"{red.value:02X}{green.value:02X}{blue.value:02X}"
