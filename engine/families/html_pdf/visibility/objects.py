"""List the objects painted on a page of a PDF: kind, position, clip and colour.

Coordinates are in points from the page's lower left corner; a box is left, bottom, right, top.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import pypdfium2
import pypdfium2.raw as raw

Box: TypeAlias = tuple[float, float, float, float]
Colour: TypeAlias = tuple[int, int, int, int]
"""Red, green, blue and alpha, from 0 to 255."""
Matrix: TypeAlias = tuple[float, float, float, float, float, float]

MOST_OBJECTS = 20_000
"""Objects of one page that are listed, which takes 0.1 s."""
MANY: Colour = (-1, -1, -1, 255)
"""The colour of pictures and gradients, which have several."""
TEXT, IMAGE = raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_IMAGE
_PATH, _SHADING, _FORM = raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_SHADING, raw.FPDF_PAGEOBJ_FORM
_MOST_NESTED = 8
_THIN = 2.0
"""Points below which an object is too thin to hide a word or to be its background, such as a line."""
_FLAT = 0.1
_EDGE = 0.2
"""Largest share of a frame's width or height that its border takes."""
_FRAME = 8
"""Segments of the simplest frame: a rectangle inside another."""


class Painted(NamedTuple):
    """One object; `handle` belongs to PDFium and is valid while the page is open."""

    kind: int
    handle: Any
    box: Box
    clip: Box | None
    shaped: bool
    """Whether the clip may be smaller than its box, such as a circle."""
    alpha: float
    """The combined alpha of the enclosing groups, from 0 to 1."""


_l, _b, _r, _t = (ctypes.c_float() for _ in range(4))
_BOUNDS = tuple(map(ctypes.byref, (_l, _b, _r, _t)))
_POINT = _BOUNDS[:2]
_red, _green, _blue, _alpha = (ctypes.c_uint() for _ in range(4))
_COLOUR = tuple(map(ctypes.byref, (_red, _green, _blue, _alpha)))
_fills, _strokes = ctypes.c_int(), ctypes.c_int()
_MODE = (ctypes.byref(_fills), ctypes.byref(_strokes))


def painted(page: pypdfium2.PdfPage) -> Iterator[Painted]:
    """Yield texts, pictures, paths and gradients in painting order; at most MOST_OBJECTS, including those of forms."""
    bounds, get, kind_of, clip_of, paths_of = (
        raw.FPDFPageObj_GetBounds, raw.FPDFPage_GetObject, raw.FPDFPageObj_GetType, raw.FPDFPageObj_GetClipPath,
        raw.FPDFClipPath_CountPaths,
    )  # fmt: skip
    left = MOST_OBJECTS
    for at in range(min(raw.FPDFPage_CountObjects(page.raw), MOST_OBJECTS)):
        handle = get(page.raw, at)
        kind = kind_of(handle)
        left -= 1
        if kind == _FORM:
            room = [left]
            yield from _form(handle, None, None, False, 1.0, 1, room)
            left = room[0]
        elif bounds(handle, *_BOUNDS):
            box = (_l.value, _b.value, _r.value, _t.value)
            if kind == TEXT and (box[2] - box[0] < _FLAT or box[3] - box[1] < _FLAT):
                continue  # spaces
            path = clip_of(handle)
            if paths_of(path) > 0:
                yield Painted(kind, handle, box, *_clipped(path, None, None, False), 1.0)
            else:
                yield Painted(kind, handle, box, None, False, 1.0)
        if left <= 0:
            return


def _form(
    form: Any, outer: Matrix | None, clip: Box | None, shaped: bool, alpha: float, depth: int, left: list[int]
) -> Iterator[Painted]:
    found = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(form, found)
    clip, shaped = _clipped(raw.FPDFPageObj_GetClipPath(form), outer, clip, shaped)
    matrix = (found.a, found.b, found.c, found.d, found.e, found.f)
    if outer is not None:
        matrix = _product(matrix, outer)
    if raw.FPDFPageObj_GetFillColor(form, *_COLOUR):
        alpha *= _alpha.value / 255
    for at in range(raw.FPDFFormObj_CountObjects(form)):
        left[0] -= 1
        if left[0] <= 0:
            return
        handle = raw.FPDFFormObj_GetObject(form, at)
        kind = raw.FPDFPageObj_GetType(handle)
        if kind == _FORM:
            if depth < _MOST_NESTED:
                yield from _form(handle, matrix, clip, shaped, alpha, depth + 1, left)
        elif raw.FPDFPageObj_GetBounds(handle, *_BOUNDS):
            box = _moved((_l.value, _b.value, _r.value, _t.value), matrix)
            if kind != TEXT or min(box[2] - box[0], box[3] - box[1]) >= _FLAT:
                own = _clipped(raw.FPDFPageObj_GetClipPath(handle), matrix, clip, shaped)
                yield Painted(kind, handle, box, *own, alpha)


def _clipped(path: Any, matrix: Matrix | None, clip: Box | None, shaped: bool) -> tuple[Box | None, bool]:
    """Intersect `clip` with a clip path. Returns its box, and whether the path may show less than that box."""
    for number in range(raw.FPDFClipPath_CountPaths(path) if path else 0):
        points = []
        for at in range(min(raw.FPDFClipPath_CountPathSegments(path, number), MOST_OBJECTS)):
            segment = raw.FPDFClipPath_GetPathSegment(path, number, at)
            shaped = shaped or raw.FPDFPathSegment_GetType(segment) == raw.FPDF_SEGMENT_BEZIERTO
            raw.FPDFPathSegment_GetPoint(segment, *_POINT)
            points.append((_l.value, _b.value))
        box = _around(points if matrix is None else [_at(matrix, *point) for point in points])
        shaped = shaped or (matrix is not None and abs(matrix[0] * matrix[1]) > 1e-6)
        if len(points) > 5 and not shaped:
            shaped = any(min(x - box[0], box[2] - x) > _FLAT or min(y - box[1], box[3] - y) > _FLAT for x, y in points)
        clip = box if clip is None else shared(clip, box)
    return clip, shaped


def fill(each: Painted) -> Colour | None:
    """Return the fill colour of a path or picture; None for one too small to hide a word or be its background."""
    _, handle, box, _, _, alpha = each
    if box[2] - box[0] < _THIN or box[3] - box[1] < _THIN:
        return None
    if each.kind != _PATH:
        return MANY
    if not raw.FPDFPath_GetDrawMode(handle, *_MODE) or not _fills.value or _is_frame(handle, box):
        return None
    return colour(handle, alpha) or MANY


def colour(handle: Any, alpha: float) -> Colour | None:
    """Return the fill colour of an object in groups of this `alpha`; None for a pattern."""
    if not raw.FPDFPageObj_GetFillColor(handle, *_COLOUR):
        return None
    return _red.value, _green.value, _blue.value, int(_alpha.value * alpha)


def _is_frame(path: Any, box: Box) -> bool:
    """Return whether a path is only an outline, such as a border: its second part begins at its corner."""
    count = raw.FPDFPath_CountSegments(path)
    if not _FRAME <= count <= 4 * _FRAME:
        return False
    for at in (count // 2, count // 2 - 1, count // 2 + 1):  # a close may count as a segment, and so may a final move
        segment = raw.FPDFPath_GetPathSegment(path, at)
        if raw.FPDFPathSegment_GetType(segment) == raw.FPDF_SEGMENT_MOVETO:
            raw.FPDFPathSegment_GetPoint(segment, *_POINT)
            across = min(_l.value - box[0], box[2] - _l.value)
            up = min(_b.value - box[1], box[3] - _b.value)
            return across < _EDGE * (box[2] - box[0]) and up < _EDGE * (box[3] - box[1])
    return False


def is_invisible(text: Any) -> bool:
    """Return whether a text is searchable but not painted, as on scans."""
    return bool(raw.FPDFTextObj_GetTextRenderMode(text) == raw.FPDF_TEXTRENDERMODE_INVISIBLE)


def shared(one: Box, other: Box) -> Box:
    """Return the intersection of two boxes; if it is empty, right is less than left, or top less than bottom."""
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _around(points: list[tuple[float, float]]) -> Box:
    if not points:
        return 0.0, 0.0, 0.0, 0.0
    across, up = zip(*points, strict=True)
    return min(across), min(up), max(across), max(up)


def _at(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _moved(box: Box, matrix: Matrix) -> Box:
    return _around([_at(matrix, x, y) for x in (box[0], box[2]) for y in (box[1], box[3])])


def _product(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    oa, ob, oc, od, oe, of = outer
    return (
        a * oa + b * oc, a * ob + b * od, c * oa + d * oc, c * ob + d * od, e * oa + f * oc + oe, e * ob + f * od + of,
    )  # fmt: skip
