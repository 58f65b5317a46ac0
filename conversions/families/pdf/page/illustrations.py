"""Illustrations: what a page shows beside its text and tables, each as one picture however many it is made of."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as raw

from conversions.families.pdf.page.collages import Found, around, collages_in, part_inside, seen
from conversions.families.pdf.page.drawing import Drawn
from conversions.families.pdf.page.figures import LETTERS, figures_of
from conversions.families.pdf.page.glyphs import Glyph
from conversions.families.pdf.page.pieces import Picture
from conversions.families.pdf.page.stacks import stacks_of
from conversions.families.pdf.page.view import Box, View

_WHOLE = 0.85
"""Part of the page: a picture below its text that is as large is a scan, or the paper's colour."""

_INSIDE = 0.5
"""Part of a picture or a drawing that is inside the other one, where both are one."""

SavePicture = Callable[[Any, Box, View], str | None]
"""Takes PDFium's picture and its box, and gives the name of the file that it is in, None where it is left out."""


@dataclass(slots=True)
class Region:
    """A part of the page to be drawn, `dots` an inch, with its `letters` or without those that are text beside it."""

    box: Box
    dots: float = 0.0
    letters: bool = False


DrawRegions = Callable[[list[Region], View], list[str]]
"""Takes parts of the page, and gives the names of the files that they are in."""


@dataclass(slots=True)
class Illustrations:
    """The pictures of a page, whether one is behind all of its text, and the shapes that are in none."""

    pictures: list[Picture]
    background: bool
    shapes: list[Box] = field(default_factory=list)


def illustrations_of(
    drawn: Drawn,
    glyphs: Sequence[Glyph],
    tables: Iterable[Box],
    view: View,
    *,
    save: SavePicture,
    draw: DrawRegions | None,
) -> Illustrations:
    """The pictures and drawings of a page; `draw` is None where they are only counted."""
    pictures = [each for each in drawn.pictures if not (glyphs and _is_whole(each[0], view))]
    background = len(pictures) < len(drawn.pictures)
    collages, single = collages_in(pictures)
    behind = [each for each in collages if _is_behind(each, glyphs, view)]
    collages = [each for each in collages if each not in behind]
    if 2 * drawn.hidden > drawn.texts:  # a scan in strips, with the text that was read of it
        background = background or bool(behind)
    else:
        single += [each for parts in behind for each in parts]
    stacks = stacks_of(single, view)
    single = [each for stack in stacks if len(stack.items) == 1 for each in stack.items]
    collages += [stack.items for stack in stacks if len(stack.items) > 1]
    regions = [Region(seen(around([box for box, _ in each]), view), _dots(each)) for each in collages]
    shapes = drawn.shapes
    if draw is None:
        found = [Picture(box, save(item, box, view)) for box, item in single]
        return Illustrations(found + [Picture(each.box, None) for each in regions], background, shapes)
    if shapes:
        boxes = [box for box, _ in single] + [each.box for each in regions]
        for box in figures_of(shapes, drawn.paths, tables, glyphs, view, pictures=boxes):
            regions, single = _with_figure(box, regions, single, glyphs)
        shapes = [each for each in shapes if not any(part_inside(each, region.box) > 0 for region in regions)]
    moved = {*drawn.moved}
    regions += [Region(seen(each[0], view), _dots([each])) for each in single if each[0] in moved]
    found = [Picture(box, save(item, box, view)) for box, item in single if box not in moved]
    files = draw(regions, view)
    found += [Picture(each.box, file) for each, file in zip(regions, files, strict=True)]
    return Illustrations(found, background, shapes)


def _with_figure(
    figure: Box, regions: list[Region], single: list[Found], glyphs: Sequence[Glyph]
) -> tuple[list[Region], list[Found]]:
    """The regions with one for a drawing, which has what lies on it and what it lies on."""

    def is_one(box: Box) -> bool:
        return part_inside(box, figure) > _INSIDE or part_inside(figure, box) > _INSIDE

    joined = [each for each in regions if is_one(each.box)]
    taken = [each for each in single if is_one(each[0])]
    box = around([figure, *(each.box for each in joined), *(each for each, _ in taken)])
    dots = max([_dots(taken), *(each.dots for each in joined)])
    whole = Region(box, dots, letters=box == figure or _letters_in(box, glyphs) <= LETTERS)
    return [each for each in regions if each not in joined] + [whole], [each for each in single if each not in taken]


def _is_behind(collage: Sequence[Found], glyphs: Sequence[Glyph], view: View) -> bool:
    """Whether a page's text is on it, which says more than it does."""
    box = around([each for each, _ in collage])
    return _is_whole(box, view) and _letters_in(box, glyphs) > LETTERS


def _is_whole(box: Box, view: View) -> bool:
    x0, y0, x1, y1 = seen(box, view)
    return min(x1 - x0, y1 - y0) > 0 and (x1 - x0) * (y1 - y0) > _WHOLE * view.width * view.height


def _letters_in(box: Box, glyphs: Sequence[Glyph]) -> int:
    return sum(box[0] <= each.x0 <= box[2] and box[1] <= each.base <= box[3] for each in glyphs)


def _dots(found: Iterable[Found]) -> float:
    """How many pixels an inch the sharpest of the pictures has."""
    width, height = ctypes.c_uint(), ctypes.c_uint()
    sharpest = 0.0
    for (x0, y0, x1, y1), item in found:
        if raw.FPDFImageObj_GetImagePixelSize(item, width, height):
            area = max((x1 - x0) * (y1 - y0), 1.0)
            sharpest = max(sharpest, 72 * math.sqrt(width.value * height.value / area))
    return sharpest
