"""Find vector drawings that are not tables, as regions of the page."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import pypdfium2
import pypdfium2.raw as raw
from PIL import Image, ImageOps

from engine.families.pdf.page.collages import part_inside
from engine.families.pdf.page.drawing import objects_of
from engine.families.pdf.page.view import Box, View

_NEAR = 6.0
"""Points: the maximum gap within one figure."""

_SMALLEST = 12.0
_PAGE = 0.85
"""The share of the page from which on a drawing is its background."""

_MOST = 40
_MOST_PATHS = 6_000
MAX_CHARACTERS = 400
"""The maximum characters in a drawing; with more it is a frame around text."""

_PICTURES, _SPARSE = 2, 200
"""From _PICTURES pictures on, a drawing may have one character for every _SPARSE square points."""

_LARGEST = 12_000_000
"""The maximum pixels of a page that is drawn for its figures."""


def figures_of(
    shapes: Sequence[Box],
    paths: Sequence[Box],
    taken: Iterable[Box],
    view: View,
    *,
    characters_in: Callable[[Box], int],
    pictures: Sequence[Box],
) -> list[Box]:
    """The boxes of the figures that `shapes` and nearby `paths` form; none overlaps `taken` table boxes.

    With `pictures` in them they may have more characters, counted by `characters_in`.
    """
    if len(paths) > _MOST_PATHS:
        return []
    tables = list(taken)
    found = []
    marked = {*shapes}
    # The paper's own colour would join all that is on it.
    paths = [each for each in paths if each in marked or _area(each) <= _PAGE * view.width * view.height]
    for box, kernel in _grouped(paths, shapes):
        x0, y0, x1, y1 = max(box[0], 0), max(box[1], 0), min(box[2], view.width), min(box[3], view.height)
        if not kernel or min(x1 - x0, y1 - y0) < _SMALLEST or (x1 - x0) * (y1 - y0) > _PAGE * view.width * view.height:
            continue
        if any(_meet((x0, y0, x1, y1), table, 0) for table in tables):
            continue
        most = MAX_CHARACTERS
        if sum(part_inside(each, box) > 0.5 for each in pictures) >= _PICTURES:
            most = max(MAX_CHARACTERS, round((x1 - x0) * (y1 - y0) / _SPARSE))
        if characters_in((x0, y0, x1, y1)) <= most:
            found.append((x0, y0, x1, y1))
    return found if len(found) <= _MOST else []


def _grouped(paths: Sequence[Box], shapes: Sequence[Box]) -> list[tuple[Box, bool]]:
    """The paths in groups of adjacent ones, and whether each group has a shape."""
    marked = {*shapes}
    groups: list[tuple[Box, bool]] = []
    for path in sorted({*paths, *marked}, key=lambda box: box[1]):
        box, kernel = path, path in marked
        again = True
        while again:
            again = False
            apart = []
            for other, has in groups:
                if _meet(box, other, _NEAR):
                    box = min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3])
                    kernel, again = kernel or has, True
                else:
                    apart.append((other, has))
            groups = apart
        groups.append((box, kernel))
    return groups


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _meet(one: Box, other: Box, near: float) -> bool:
    return (
        one[0] - near <= other[2]
        and other[0] - near <= one[2]
        and one[1] - near <= other[3]
        and other[1] - near <= one[3]
    )


def drawn(
    page: pypdfium2.PdfPage, boxes: Sequence[Box], view: View, *, dots: float, with_text: bool
) -> list[Image.Image]:
    """The parts of a page as pictures; without `with_text`, the page's own text is removed for good."""
    if not with_text:
        for item, _ in objects_of(page.raw):
            if raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_TEXT:
                raw.FPDFTextObj_SetTextRenderMode(item, raw.FPDF_TEXTRENDERMODE_INVISIBLE)
    scale = min(dots / 72, math.sqrt(_LARGEST / max(1, view.width * view.height)))
    bitmap = page.render(scale=scale, rev_byteorder=True)
    whole: Image.Image = bitmap.to_pil().convert("RGB")
    bitmap.close()
    if turn := (page.get_rotation() - view.turn) % 360:
        whole = whole.rotate(turn, expand=True)
    if view.mirrored:
        whole = ImageOps.mirror(whole)
    pad = 1.0
    return [
        whole.crop(
            (
                max(0, math.floor((x0 - pad) * scale)),
                max(0, math.floor((y0 - pad) * scale)),
                min(whole.width, math.ceil((x1 + pad) * scale)),
                min(whole.height, math.ceil((y1 + pad) * scale)),
            )
        )
        for x0, y0, x1, y1 in boxes
    ]
