"""Find the ruled lines of tables in a picture: straight runs of ink that cross each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import filterfalse
from statistics import median

from PIL import Image, ImageChops, ImageFilter

from engine.families.ocr.page import Box, is_upright

_SIDE = 2_400
"""The longer side in pixels of the analysed picture: 200 dots per inch of A4."""
_CELL = 8
"""Pixels that are ink together, as a step of a rule."""
_RUN = re.compile(rb"[\xe0-\xff]{5,}")
_THICK = 9
"""Pixels: the most of a level rule."""
_SLOPE = 0.006
"""How much thicker a rule may be for its length, as scans are not quite level."""
_NEAR = 12
"""Pixels: rules this close meet, or are one."""
_DARKER = 24
"""How much darker than the paper around it ink is, of 255."""
_MOST, _MOST_PAIRS = 20_000, 250_000
"""The most runs of ink, and pairs of lying and standing ones; a picture with more is taken to have no tables."""


def rules_of(image: Image.Image) -> tuple[tuple[Box, ...], ...]:
    """The lines of each ruled table in a grey, level picture: tables have two columns at least."""
    scale = min(1.0, _SIDE / max(image.size))
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    small = image.resize(size, Image.Resampling.BOX) if scale < 1.0 else image
    paper = small.filter(ImageFilter.BoxBlur(15))
    darker = ImageChops.subtract(paper, small).point([0] * _DARKER + [255] * (256 - _DARKER))
    ink = darker.filter(ImageFilter.MaxFilter(3))
    lying = _runs(ink)
    if len(lying) < 2:
        return ()
    turned = _runs(ink.transpose(Image.Transpose.TRANSPOSE))
    standing = [(top, left, bottom, right) for left, top, right, bottom in turned]
    if len(standing) < 2 or len(lying) * len(standing) > _MOST_PAIRS:
        return ()
    return tuple(
        tuple((left / scale, top / scale, right / scale, bottom / scale) for left, top, right, bottom in rules)
        for rules in _tables(lying, standing)
    )


def _runs(ink: Image.Image) -> list[Box]:
    """The thin horizontal lines."""
    width = ink.width // _CELL
    if not width:
        return []
    cells = ink.crop((0, 0, width * _CELL, ink.height)).resize((width, ink.height), Image.Resampling.BOX).tobytes()
    done: list[list[int]] = []
    active: list[list[int]] = []
    for row in range(ink.height):
        still: list[list[int]] = []
        for match in _RUN.finditer(cells, row * width, (row + 1) * width):
            start, end = match.start() - row * width, match.end() - row * width
            line = next((each for each in active if each[0] <= end and start <= each[2] and row - each[3] <= 2), None)
            if line is None:
                line = [start, row, end, row]
                active.append(line)
            else:
                line[0], line[2], line[3] = min(line[0], start), max(line[2], end), row
        for each in active:
            (still if row - each[3] < 2 else done).append(each)
        active = still
        if len(done) > _MOST:
            return []
    boxes = [(left * _CELL, top, right * _CELL, bottom + 1) for left, top, right, bottom in (*done, *active)]
    return [each for each in _joined(list(filter(_is_thin, boxes))) if _is_thin(each)]


def _is_thin(box: Sequence[float]) -> bool:
    return box[3] - box[1] <= _THICK + _SLOPE * (box[2] - box[0])


def _joined(lines: Sequence[Sequence[int]]) -> Iterator[Box]:
    """The lines with the pieces of each put together."""
    growing: list[list[int]] = []
    for box in sorted(lines, key=lambda each: (each[1], each[0])):
        for each in [each for each in growing if box[1] - each[3] > _NEAR / 2]:
            growing.remove(each)
            yield (each[0], each[1], each[2], each[3])
        near = next((each for each in growing if each[0] - 3 * _CELL <= box[2] and box[0] <= each[2] + 3 * _CELL), None)
        if near is None:
            growing.append(list(box))
        else:
            near[0], near[2], near[3] = min(near[0], box[0]), max(near[2], box[2]), max(near[3], box[3])
    for each in growing:
        yield (each[0], each[1], each[2], each[3])


def _tables(lying: Sequence[Box], standing: Sequence[Box]) -> Iterator[list[Box]]:
    """The lines that cross each other, table by table."""
    crossed: dict[int, list[int]] = {at: [] for at in range(len(lying) + len(standing))}
    for at, (left, top, right, bottom) in enumerate(lying):
        for number, (x, start, x_end, end) in enumerate(standing, len(lying)):
            if left - _NEAR <= x_end and x <= right + _NEAR and start - _NEAR <= bottom and top <= end + _NEAR:
                crossed[at].append(number)
                crossed[number].append(at)
    # What touches one line only is the edge of a letter beside it.
    while loose := [each for each, others in crossed.items() if len(others) < 2]:
        for each in loose:
            for other in crossed.pop(each):
                if other in crossed:
                    crossed[other].remove(each)
    seen: set[int] = set()
    every = [*lying, *standing]
    for first in range(len(lying)):
        if first in seen or first not in crossed:
            continue
        waiting, group = [first], []
        seen.add(first)
        while waiting:
            group.append(waiting.pop())
            fresh = [each for each in crossed[group[-1]] if each not in seen]
            seen.update(fresh)
            waiting += fresh
        xs, ys = grid([every[each] for each in group], _NEAR)
        if len(ys) >= 2 and len(xs) >= 3:
            yield [every[each] for each in group]


def grid(lines: Sequence[Box], near: float) -> tuple[list[float], list[float]]:
    """The edges of the columns and rows of a table with these lines, which may have none at its sides."""
    standing = list(filter(is_upright, lines))
    lying = list(filterfalse(is_upright, lines))
    xs = _edges([(left + right) / 2 for left, _, right, _ in standing], near)
    ys = _edges([(top + bottom) / 2 for _, top, _, bottom in lying], near)
    if not xs or not ys:
        return xs, ys
    left, right = median(each[0] for each in lying), median(each[2] for each in lying)
    top, bottom = median(each[1] for each in standing), median(each[3] for each in standing)
    xs = [left] * (left < xs[0] - 2 * near) + xs + [right] * (right > xs[-1] + 2 * near)
    ys = [top] * (top < ys[0] - 2 * near) + ys + [bottom] * (bottom > ys[-1] + 2 * near)
    return xs, ys


def _edges(places: Sequence[float], near: float) -> list[float]:
    """The places without those that are near the one before."""
    found: list[float] = []
    for each in sorted(places):
        if not found or each - found[-1] > near:
            found.append(each)
    return found
