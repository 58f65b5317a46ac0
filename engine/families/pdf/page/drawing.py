"""Find the straight rules and pictures of a page, including those in nested forms."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pypdfium2
import pypdfium2.raw as raw

from engine.families.pdf.page.panels import Panel, panels_of
from engine.families.pdf.page.scattered import scattered
from engine.families.pdf.page.view import Box, View

MAX_OBJECTS = 100_000
MAX_RULES = 20_000
_MAX_DEPTH = 5
_MAX_SEGMENTS = 20_000
_THIN = 3.0
"""Points: the maximum thickness of a filled area that is a rule."""

_SHORTEST = 4.0
_SMALLEST = 9.0
"""Points a side: a smaller shape is a bullet, a tick or the round corner of a box."""

_TICK = (5.0, 17.0)
"""Points a side of a tick box and of its tick."""

_RECTANGLE = 5
"""The most segments of a rectangle: four lines, and one closing it."""

_SIDES, _SQUARE = 3, 0.15
"""The sides that make a square, and its maximum aspect ratio."""

Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line along `at`, from `start` to `end`: `at` is a height if it is horizontal, else an x coordinate.

    `thick` is the width of the pen, if a pen drew it. `drawn` is what draws it: the place in painting order, the path
    and the matrix around it.
    """

    start: float
    end: float
    at: float
    thick: float = 0.0
    drawn: tuple[int, Any, Matrix] | None = field(default=None, compare=False, repr=False)


@dataclass(slots=True)
class Drawn:
    """The page content other than text.

    `pictures` are PDFium's objects with their boxes, `moved` the boxes of those that a form rotates or mirrors, which
    PDFium does not report. `paths` are the boxes of all lines and areas, `dots` those of small round ones, `shapes`
    those with more than straight rules and filled areas, or of the points of a chart. `texts` is the number of text
    objects, `hidden` of invisible ones. `squares` are small and empty, `marks` small and not upright. `panels` are
    painted by upright rectangles and lines, in painting order. `areas` are the boxes of opaque areas, with their places
    in painting order.
    """

    lying: list[Rule] = field(default_factory=list)
    standing: list[Rule] = field(default_factory=list)
    pictures: list[tuple[Box, Any]] = field(default_factory=list)
    moved: list[Box] = field(default_factory=list)
    shapes: list[Box] = field(default_factory=list)
    paths: list[Box] = field(default_factory=list)
    dots: list[Box] = field(default_factory=list)
    squares: list[Box] = field(default_factory=list)
    marks: list[Box] = field(default_factory=list)
    panels: list[Panel] = field(default_factory=list)
    areas: list[tuple[int, Box]] = field(default_factory=list)
    texts: int = 0
    hidden: int = 0
    complete: bool = True


def drawn_on(page: pypdfium2.PdfPage, view: View, *, painted: bool = False) -> Drawn:
    """The rules and pictures of a page, and its panels if `painted`.

    Beyond MAX_OBJECTS and MAX_RULES they are left out, and `complete` is false.
    """
    drawn = Drawn()
    left = MAX_OBJECTS
    for item, matrix in objects_of(page.raw):
        left -= 1
        if left < 0 or len(drawn.lying) + len(drawn.standing) > MAX_RULES:
            drawn.complete = False
            break
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            box = _box(item, matrix, view)
            if box is not None:
                drawn.pictures.append((box, item))
                if not _is_straight(matrix):
                    drawn.moved.append(box)
        elif kind == raw.FPDF_PAGEOBJ_PATH:
            _path(item, matrix, view, drawn, MAX_OBJECTS - left, painted=painted)
        elif kind == raw.FPDF_PAGEOBJ_TEXT:
            drawn.texts += 1
            drawn.hidden += raw.FPDFTextObj_GetTextRenderMode(item) == raw.FPDF_TEXTRENDERMODE_INVISIBLE
    drawn.shapes += scattered(drawn.dots)
    return drawn


def objects_of(page: Any, *, deepest: int = _MAX_DEPTH) -> Iterator[tuple[Any, Matrix]]:
    """The objects of a page, those in nested forms included, with their transformation matrix."""
    for at in range(raw.FPDFPage_CountObjects(page)):
        yield from _with_inner(raw.FPDFPage_GetObject(page, at), _IDENTITY, deepest)


def _with_inner(item: Any, matrix: Matrix, deepest: int) -> Iterator[tuple[Any, Matrix]]:
    if not item:
        return
    if raw.FPDFPageObj_GetType(item) != raw.FPDF_PAGEOBJ_FORM:
        yield item, matrix
    elif deepest:
        inner = _times(_matrix_of(item), matrix)
        for at in range(raw.FPDFFormObj_CountObjects(item)):
            yield from _with_inner(raw.FPDFFormObj_GetObject(item, at), inner, deepest - 1)


def runs_to_left(text: Any, matrix: Matrix) -> bool:
    """Whether text runs right to left under its own matrix and the one around it."""
    return placed(text, matrix)[0] < 0


def placed(item: Any, matrix: Matrix) -> Matrix:
    """The matrix of an object under the one around it."""
    return _times(_matrix_of(item), matrix)


def _is_straight(matrix: Matrix) -> bool:
    a, b, c, d, _, _ = matrix
    return a > 0 and d > 0 and abs(b) + abs(c) < 0.01 * (a + d)


def _matrix_of(item: Any) -> Matrix:
    found = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(item, found):
        return _IDENTITY
    return found.a, found.b, found.c, found.d, found.e, found.f


def _times(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def _box(item: Any, matrix: Matrix, view: View) -> Box | None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not raw.FPDFPageObj_GetBounds(item, left, bottom, right, top):
        return None
    corners = [(x, y) for x in (left.value, right.value) for y in (bottom.value, top.value)]
    if matrix is not _IDENTITY:
        corners = [moved(x, y, matrix) for x, y in corners]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return view.rectangle(min(xs), min(ys), max(xs), max(ys))


def moved(x: float, y: float, matrix: Matrix) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _path(item: Any, matrix: Matrix, view: View, drawn: Drawn, order: int, *, painted: bool) -> None:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(item, fill, stroke)
    if not fill.value and not stroke.value:
        return
    box = _box(item, matrix, view)
    if box is None:
        return
    drawn.paths.append(box)
    count = raw.FPDFPath_CountSegments(item)
    whole = _times(_matrix_of(item), matrix)
    scale = abs(whole[0] * whole[3] - whole[1] * whole[2]) ** 0.5
    if painted and count <= _RECTANGLE:
        edges = [
            (view.point(*moved(*start, whole)), view.point(*moved(*end, whole)), straight)
            for start, end, straight in _edges(item, count)
        ]
        drawn.panels += panels_of(item, box, edges, scale, filled=bool(fill.value), stroked=bool(stroke.value))
    x0, y0, x1, y1 = box
    if fill.value and min(x1 - x0, y1 - y0) > _THIN and not raw.FPDFPageObj_HasTransparency(item):
        drawn.areas.append((order, box))
    if y1 - y0 <= _THIN and x1 - x0 >= _SHORTEST:
        drawn.lying.append(Rule(x0, x1, (y0 + y1) / 2, drawn=(order, item, matrix)))
        return
    if x1 - x0 <= _THIN and y1 - y0 >= _SHORTEST:
        drawn.standing.append(Rule(y0, y1, (x0 + x1) / 2))
        return
    if not stroke.value and count <= _RECTANGLE:  # a filled area
        return
    curved = slanted = False
    upright = 0
    pen = ctypes.c_float()
    raw.FPDFPageObj_GetStrokeWidth(item, pen)
    thick = pen.value * scale if stroke.value else 0.0
    for start, end, straight in _edges(item, min(count, _MAX_SEGMENTS)):
        if not straight:
            curved = True
            continue
        ax, ay = view.point(*moved(*start, whole))
        bx, by = view.point(*moved(*end, whole))
        upright += (abs(ay - by) < 1) != (abs(ax - bx) < 1)
        if abs(ay - by) < 1 and abs(ax - bx) >= _SHORTEST:
            drawn.lying.append(Rule(min(ax, bx), max(ax, bx), (ay + by) / 2, thick, (order, item, matrix)))
        elif abs(ax - bx) < 1 and abs(ay - by) >= _SHORTEST:
            drawn.standing.append(Rule(min(ay, by), max(ay, by), (ax + bx) / 2))
        else:
            slanted = slanted or min(abs(ax - bx), abs(ay - by)) >= _SMALLEST
    small, large = sorted((x1 - x0, y1 - y0))
    if small >= _TICK[0] and large <= _TICK[1]:
        if upright >= _SIDES and not curved and large <= (1 + _SQUARE) * small:
            drawn.squares.append(box)
        elif upright < _SIDES:
            drawn.marks.append(box)
    if slanted or (curved and min(x1 - x0, y1 - y0) >= _SMALLEST):
        drawn.shapes.append(box)
    elif curved:
        drawn.dots.append(box)


def _edges(item: Any, count: int) -> Iterator[tuple[tuple[float, float], tuple[float, float], bool]]:
    """The segments of a path from point to point, closing ones included, and whether each is straight."""
    x, y = ctypes.c_float(), ctypes.c_float()
    first = at = (0.0, 0.0)
    for number in range(count):
        segment = raw.FPDFPath_GetPathSegment(item, number)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        point = (x.value, y.value)
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            first = point
        elif kind == raw.FPDF_SEGMENT_LINETO:
            yield at, point, True
        elif kind == raw.FPDF_SEGMENT_BEZIERTO:
            yield at, point, False
        at = point
        if raw.FPDFPathSegment_GetClose(segment):
            yield at, first, True
            at = first
