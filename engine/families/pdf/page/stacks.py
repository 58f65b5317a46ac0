"""Stacked pictures that are only visible as one."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as raw

from engine.families.pdf.page.view import Box, View

_LEAST = 9.0
"""Points a side: anything smaller is not a visible picture."""

_OVER = 0.9
_ALIKE = 0.25
"""The minimum share of the smaller of two pictures that the other one covers, and its minimum relative size."""

_MOST = 200
"""The maximum pictures of a page that are compared: beyond it, each is separate."""


@dataclass(slots=True)
class Stack:
    """PDFium images within `box`, each with its own box, the lowest first; duplicates appear once."""

    box: Box
    items: list[tuple[Box, Any]] = field(default_factory=list)


def stacks_of(found: Iterable[tuple[Box, Any]], view: View) -> list[Stack]:
    """The visible pictures of a page."""
    stacks: list[Stack] = []
    for box, item in found:
        x0, y0, x1, y1 = box
        if min(min(x1, view.width) - max(x0, 0), min(y1, view.height) - max(y0, 0)) < _LEAST:
            continue
        below = None
        if len(stacks) < _MOST:
            below = next((stack for stack in stacks if _lies_over(stack.box, box)), None)
        if below is None:
            stacks.append(Stack(box, [(box, item)]))
            continue
        if not any(_is_same(each, item) for _, each in below.items):
            below.items.append((box, item))
        left, top, right, bottom = below.box
        below.box = min(left, x0), min(top, y0), max(right, x1), max(bottom, y1)
    return stacks


def _lies_over(one: Box, other: Box) -> bool:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    small, large = sorted((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return width > 0 and height > 0 and width * height >= _OVER * small and small >= _ALIKE * large


def _is_same(one: Any, other: Any) -> bool:
    """Whether two pictures have the same data in the document."""
    length = raw.FPDFImageObj_GetImageDataRaw(one, None, 0)
    if raw.FPDFImageObj_GetImageDataRaw(other, None, 0) != length:
        return False
    return _bytes(one, length) == _bytes(other, length)


def _bytes(item: Any, length: int) -> bytes:
    buffer = ctypes.create_string_buffer(length)
    raw.FPDFImageObj_GetImageDataRaw(item, buffer, length)
    return buffer.raw
