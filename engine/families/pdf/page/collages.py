"""Merge touching or overlapping pictures, such as tiles and layers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.families.pdf.page.view import Box, View

Found = tuple[Box, Any]
"""A PDFium image with its box."""

_NEAR = 1.0
"""Points: the maximum gap between tiles."""

_BESIDE = 0.5
"""The minimum overlap of two adjacent sides, as a share of the shorter one."""

_OVER = 0.02
"""The minimum share of the smaller picture that the other one covers."""

_ALONE = 1.05
"""Times the area of the largest picture: if all together take no more, that one contains the others."""

_LEAST = 9.0
"""Points a side: anything smaller is not a visible picture."""

_MOST, _MOST_NEAR = 5_000, 100
"""The maximum pictures of a page, and of those at one height, that are compared: beyond it, each is separate."""


def collages_in(pictures: Sequence[Found]) -> tuple[list[list[Found]], list[Found]]:
    """The groups of pictures that form one each, and those that are separate or stacked."""
    if len(pictures) > _MOST:
        return [], [*pictures]
    collages: list[list[Found]] = []
    alone: set[int] = set()
    for group in _groups([box for box, _ in pictures]):
        x0, y0, x1, y1 = bounding_box([pictures[at][0] for at in group])
        if len(group) == 1 or min(x1 - x0, y1 - y0) < _LEAST or _are_stacked([pictures[at][0] for at in group]):
            alone.update(group)
        else:
            collages.append([pictures[at] for at in group])
    return collages, [each for at, each in enumerate(pictures) if at in alone]


def visible_part(box: Box, view: View) -> Box:
    """The visible part of a box."""
    return max(box[0], 0), max(box[1], 0), min(box[2], view.width), min(box[3], view.height)


def bounding_box(boxes: Sequence[Box]) -> Box:
    """The bounding box of boxes."""
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def part_inside(one: Box, other: Box) -> float:
    """The share of one box that lies inside the other."""
    width, height = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0) * max(height, 0) / max(_area(one), 1e-6)


def _groups(boxes: Sequence[Box]) -> Iterator[list[int]]:
    """The indexes of boxes, in groups of adjacent ones."""
    order = sorted(range(len(boxes)), key=lambda at: boxes[at][1])
    group_of = [*range(len(boxes))]

    def first(at: int) -> int:
        while group_of[at] != at:
            group_of[at] = at = group_of[group_of[at]]
        return at

    live: list[int] = []
    for at in order:
        live = [other for other in live[-_MOST_NEAR:] if boxes[other][3] + _NEAR >= boxes[at][1]]
        for other in live:
            if _belong(boxes[at], boxes[other]):
                group_of[first(at)] = first(other)
        live.append(at)
    groups: dict[int, list[int]] = {}
    for at in range(len(boxes)):
        groups.setdefault(first(at), []).append(at)
    yield from groups.values()


def _belong(one: Box, other: Box) -> bool:
    across, down = (min(one[at + 2], other[at + 2]) - max(one[at], other[at]) for at in (0, 1))
    if across > 0 and down > 0 and across * down >= _OVER * min(_area(one), _area(other)):
        return True
    width, height = (min(one[at + 2] - one[at], other[at + 2] - other[at]) for at in (0, 1))
    return (across >= -_NEAR and down >= _BESIDE * height) or (down >= -_NEAR and across >= _BESIDE * width)


def _are_stacked(boxes: Sequence[Box]) -> bool:
    """Whether they are stacked, all of about the same size."""
    largest = max(map(_area, boxes))
    return _area(bounding_box(boxes)) <= _ALONE * largest and all(2 * _area(box) > largest for box in boxes)


def _area(box: Box) -> float:
    return max(box[2] - box[0], 0) * max(box[3] - box[1], 0)
