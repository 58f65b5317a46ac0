"""Find the part of the page to which an object is clipped."""

from __future__ import annotations

import ctypes
from typing import Any

import pypdfium2.raw as raw

from engine.families.pdf.page.drawing import Matrix, moved
from engine.families.pdf.page.view import Box, View

_MOST_PATHS, _MOST_SEGMENTS = 32, 64
"""The clip paths of an object that are looked at, and their segments; one with more is not taken into account."""


def clip_of(item: Any, around: Matrix, view: View) -> Box | None:
    """The box to which an object is clipped under the matrix around it; None if it is not."""
    clip = raw.FPDFPageObj_GetClipPath(item)
    if not clip:
        return None
    found: Box | None = None
    for at in range(min(raw.FPDFClipPath_CountPaths(clip), _MOST_PATHS)):
        count = raw.FPDFClipPath_CountPathSegments(clip, at)
        if not 0 < count <= _MOST_SEGMENTS:
            continue
        points = [_point(raw.FPDFClipPath_GetPathSegment(clip, at, each)) for each in range(count)]
        across, down = zip(*(moved(x, y, around) for x, y in points), strict=True)
        x0, y0, x1, y1 = view.rectangle(min(across), min(down), max(across), max(down))
        if found is not None:
            x0, y0, x1, y1 = max(x0, found[0]), max(y0, found[1]), min(x1, found[2]), min(y1, found[3])
        found = x0, y0, x1, y1
    return found


def _point(segment: Any) -> tuple[float, float]:
    x, y = ctypes.c_float(), ctypes.c_float()
    raw.FPDFPathSegment_GetPoint(segment, x, y)
    return x.value, y.value
