"""Find the texts and pictures of a page that may be invisible, from their boxes and colours alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pypdfium2

from engine.families.html_pdf.visibility import objects
from engine.families.html_pdf.visibility.objects import IMAGE, MANY, TEXT, Box, Colour

_CLEAR, _OPAQUE = 12, 250
"""Alpha, of 255, up to which a colour is invisible, and from which it hides everything behind it."""
_NEAR = 24
"""Largest difference, of 255, between colours that may look alike; the pixels decide."""
_SLACK = 1.0
"""Points that letters may extend beyond an edge and remain visible."""
_STRIPS = 40
"""Horizontal strips of a page in which objects are compared; on A4, each is about a line high."""
_MOST_IN_STRIP = 100
"""Most recent objects of a strip that others are compared with; tables of 30 columns have as many."""
_WHITE: Colour = (255, 255, 255, 255)
_PAPER = (_WHITE,)


@dataclass(frozen=True)
class Suspect:
    """A text that may be invisible, or a picture behind another object; `handle` is valid while the page is open."""

    handle: Any
    box: Box
    is_text: bool


@dataclass(frozen=True)
class Found:
    """The suspects of a page and its counts; `pictures_gone` are outside the page or their clip."""

    suspects: list[Suspect]
    objects: int
    pictures: int
    pictures_gone: int


class _Bands:
    """Boxes and their colours in painting order, grouped by the strips of the page that they overlap."""

    def __init__(self, within: Box) -> None:
        self._strips: list[list[tuple[Box, Colour]]] = [[] for _ in range(_STRIPS)]
        self._bottom, self._high = within[1], max(within[3] - within[1], 1.0) / _STRIPS
        self._is_empty = True

    def _at(self, y: float) -> int:
        return int(min(max((y - self._bottom) / self._high, 0), _STRIPS - 1))

    def add(self, box: Box, colour: Colour) -> None:
        self._is_empty = False
        for strip in range(self._at(box[1]), self._at(box[3]) + 1):
            self._strips[strip].append((box, colour))

    def at(self, box: Box) -> Sequence[Colour]:
        """Return the colours behind both ends of a line of text; its middle may be a gap between two cells."""
        y = (box[1] + box[3]) / 2
        strip = None if self._is_empty else self._strips[self._at(y)]
        if not strip:
            return _PAPER
        found = []
        for x in (box[0] + 1, box[2] - 1):
            for (left, bottom, right, top), colour in reversed(strip[-_MOST_IN_STRIP:]):
                if left <= x <= right and bottom <= y <= top:
                    found.append(colour)
                    break
            else:
                found.append(_WHITE)
        return found

    def overlap(self, box: Box) -> bool:
        """Return whether any box overlaps `box`."""
        if self._is_empty:
            return False
        left, bottom, right, top = box
        high = max((top - bottom) * 0.25, 1.0)
        for strip in range(self._at(bottom), self._at(top) + 1):
            for other, _ in self._strips[strip][-_MOST_IN_STRIP:]:
                across = min(right, other[2]) - max(left, other[0])
                if across > _SLACK and min(top, other[3]) - max(bottom, other[1]) > high:
                    return True
        return False

    def cover(self, box: Box) -> bool:
        """Return whether a single box may cover all of `box`."""
        middle = self._strips[self._at((box[1] + box[3]) / 2)]
        return any(not _reaches_over(box, other) for other, _ in middle[-_MOST_IN_STRIP:])


def found(page: pypdfium2.PdfPage, within: Box) -> Found:
    """Return the suspects of a page whose visible area is `within`."""
    behind, above = _Bands(within), _Bands(within)
    seen: list[tuple[objects.Painted, bool, Colour | None]] = []
    count = pictures = 0
    left, bottom, right, top = within[0] - _SLACK, within[1] - _SLACK, within[2] + _SLACK, within[3] + _SLACK
    for each in objects.painted(page):
        count += 1
        box = each.box
        cut = box[0] < left or box[1] < bottom or box[2] > right or box[3] > top
        cut = cut or (each.clip is not None and (each.shaped or _reaches_over(box, each.clip)))
        if each.kind == TEXT:
            seen.append((each, cut or _hardly_differs(each, behind), None))
            continue
        pictures += each.kind == IMAGE
        colour = objects.fill(each)
        if colour is not None and colour[3] > _CLEAR:
            behind.add(box if each.clip is None else objects.shared(box, each.clip), colour)
            seen.append((each, cut, colour))
    suspects: list[Suspect] = []
    gone = 0
    for each, doubtful, colour in reversed(seen):
        if each.kind == TEXT:
            if (doubtful or above.overlap(each.box)) and not objects.is_invisible(each.handle):
                suspects.append(Suspect(each.handle, each.box, True))
        elif each.kind == IMAGE and _is_gone(each, within):
            gone += 1
        elif each.kind == IMAGE and above.cover(each.box):
            suspects.append(Suspect(each.handle, each.box, False))
        if colour is not None and colour[3] >= _OPAQUE:
            above.add(each.box if each.clip is None else objects.shared(each.box, each.clip), colour)
    suspects.reverse()
    return Found(suspects, count, pictures, gone)


def _reaches_over(box: Box, clip: Box) -> bool:
    return (
        box[0] < clip[0] - _SLACK or box[1] < clip[1] - _SLACK or box[2] > clip[2] + _SLACK or box[3] > clip[3] + _SLACK
    )


def _is_gone(each: objects.Painted, within: Box) -> bool:
    box = objects.shared(each.box, within)
    if each.clip is not None:
        box = objects.shared(box, each.clip)
    return box[0] >= box[2] or box[1] >= box[3]


def _hardly_differs(each: objects.Painted, behind: _Bands) -> bool:
    """Return whether a text may have the colour of its background."""
    own = objects.colour(each.handle, each.alpha)
    if own is None or own[3] <= _CLEAR:
        return True
    red, green, blue, alpha = own
    for ground in behind.at(each.box):
        if ground is MANY:
            return True
        if max(abs(red - ground[0]), abs(green - ground[1]), abs(blue - ground[2])) * alpha < _NEAR * 255:
            return True
    return False
