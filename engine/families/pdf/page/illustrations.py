"""Combine what a page shows besides text and tables into pictures."""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as raw

from engine.families.pdf.page.collages import Found, bounding_box, collages_in, part_inside, visible_part
from engine.families.pdf.page.drawing import Drawn
from engine.families.pdf.page.figures import MAX_CHARACTERS, figures_of
from engine.families.pdf.page.glyphs import Glyph
from engine.families.pdf.page.pieces import Picture
from engine.families.pdf.page.stacks import stacks_of
from engine.families.pdf.page.view import Box, View

_WHOLE = 0.85
"""The share of the page from which on a picture behind its text is a scan or the paper's colour."""

_INSIDE = 0.5
"""The share of a picture or drawing inside another from which on both are one."""

SavePicture = Callable[[Any, Box, View], str | None]
"""Saves a PDFium image with its box, and returns the file name; None if it is left out."""


@dataclass(slots=True)
class Region:
    """A part of the page to be drawn at `dots` per inch; `with_text` is whether its text is included."""

    box: Box
    dots: float = 0.0
    with_text: bool = False


DrawRegions = Callable[[list[Region], View], list[str]]
"""Saves parts of the page, and returns the file names."""


@dataclass(slots=True)
class Illustrations:
    """The pictures of a page, whether one is behind all of its text, and the shapes in none of them.

    `figures` is the number of drawings that are only counted.
    """

    pictures: list[Picture]
    background: bool
    shapes: list[Box] = field(default_factory=list)
    figures: int = 0


def illustrations_of(
    drawn: Drawn,
    glyphs: Sequence[Glyph],
    tables: Iterable[Box],
    view: View,
    *,
    save: SavePicture,
    draw: DrawRegions | None,
) -> Illustrations:
    """The pictures and drawings of a page; without `draw` they are only counted."""
    pictures = [each for each in drawn.pictures if not (glyphs and _is_whole(each[0], view))]
    background = len(pictures) < len(drawn.pictures)
    collages, single = collages_in(pictures)
    behind = [each for each in collages if _is_behind(each, glyphs, view)]
    collages = [each for each in collages if each not in behind]
    if 2 * drawn.hidden > drawn.texts:  # a scan in strips, with its recognised text
        background = background or bool(behind)
    else:
        single += [each for parts in behind for each in parts]
    stacks = stacks_of(single, view)
    single = [each for stack in stacks if len(stack.items) == 1 for each in stack.items]
    collages += [stack.items for stack in stacks if len(stack.items) > 1]
    regions = [Region(visible_part(bounding_box([box for box, _ in each]), view), _dots(each)) for each in collages]
    shapes, figures = drawn.shapes, list[Box]()
    if shapes:
        boxes = [box for box, _ in single] + [each.box for each in regions]
        characters_in = functools.partial(_count_in, glyphs=[each for each in glyphs if not each.style.turn])
        figures = figures_of(shapes, drawn.paths, tables, view, characters_in=characters_in, pictures=boxes)
    if draw is None:
        found = [Picture(box, save(item, box, view)) for box, item in single]
        found += [Picture(each.box, None) for each in regions]
        return Illustrations(found, background, shapes, len(figures))
    if shapes:
        for box in figures:
            regions, single = _with_figure(box, regions, single, glyphs)
        shapes = [each for each in shapes if not any(part_inside(each, region.box) > 0 for region in regions)]
    moved = {*drawn.moved}
    regions += [Region(visible_part(each[0], view), _dots([each])) for each in single if each[0] in moved]
    found = [Picture(box, save(item, box, view)) for box, item in single if box not in moved]
    files = draw(regions, view)
    found += [Picture(each.box, file) for each, file in zip(regions, files, strict=True)]
    return Illustrations(found, background, shapes)


def counted(drawn: Drawn, view: View, characters_in: Callable[[Box], int]) -> tuple[int, int]:
    """The number of pictures that a page shows, and of its drawings beside them, for a reader of the text alone."""
    collages, single = collages_in(drawn.pictures)
    boxes = [each.box for each in stacks_of(single, view)]
    boxes += [visible_part(bounding_box([box for box, _ in each]), view) for each in collages]
    found = figures_of(drawn.shapes, drawn.paths, (), view, characters_in=characters_in, pictures=boxes)
    return len(boxes), sum(not any(part_inside(each, box) > _INSIDE for box in boxes) for each in found)


def _with_figure(
    figure: Box, regions: list[Region], single: list[Found], glyphs: Sequence[Glyph]
) -> tuple[list[Region], list[Found]]:
    """The regions with one added for a drawing, merged with the pictures that it overlaps."""

    def is_one(box: Box) -> bool:
        return part_inside(box, figure) > _INSIDE or part_inside(figure, box) > _INSIDE

    joined = [each for each in regions if is_one(each.box)]
    taken = [each for each in single if is_one(each[0])]
    box = bounding_box([figure, *(each.box for each in joined), *(each for each, _ in taken)])
    dots = max([_dots(taken), *(each.dots for each in joined)])
    whole = Region(box, dots, with_text=box == figure or _count_in(box, glyphs) <= MAX_CHARACTERS)
    return [each for each in regions if each not in joined] + [whole], [each for each in single if each not in taken]


def _is_behind(collage: Sequence[Found], glyphs: Sequence[Glyph], view: View) -> bool:
    """Whether a page's text lies on the picture and matters more than it."""
    box = bounding_box([each for each, _ in collage])
    return _is_whole(box, view) and _count_in(box, glyphs) > MAX_CHARACTERS


def _is_whole(box: Box, view: View) -> bool:
    x0, y0, x1, y1 = visible_part(box, view)
    return min(x1 - x0, y1 - y0) > 0 and (x1 - x0) * (y1 - y0) > _WHOLE * view.width * view.height


def _count_in(box: Box, glyphs: Sequence[Glyph]) -> int:
    return sum(box[0] <= each.x0 <= box[2] and box[1] <= each.base <= box[3] for each in glyphs)


def _dots(found: Iterable[Found]) -> float:
    """The resolution of the sharpest picture, in pixels per inch."""
    width, height = ctypes.c_uint(), ctypes.c_uint()
    sharpest = 0.0
    for (x0, y0, x1, y1), item in found:
        if raw.FPDFImageObj_GetImagePixelSize(item, width, height):
            area = max((x1 - x0) * (y1 - y0), 1.0)
            sharpest = max(sharpest, 72 * math.sqrt(width.value * height.value / area))
    return sharpest
