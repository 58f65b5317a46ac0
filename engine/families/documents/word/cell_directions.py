"""Cells whose lines run up or down (ECMA-376, part 1, 17.4.72)."""

from __future__ import annotations

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import W, pt

MODES = {
    "tbRl": "vertical-rl", "tb": "vertical-rl", "tbRlV": "vertical-rl", "tbV": "vertical-rl", "rl": "vertical-rl",
    "btLr": "sideways-lr", "lr": "sideways-lr", "tbLrV": "vertical-lr", "lrV": "vertical-lr",
}  # fmt: skip
"""The writing modes of CSS by text direction; the others are lines from left to right (17.18.93)."""
_SIDES = {"vertical-rl": ("right", "left")}
"""Where the first and the last line is; at the left and the right side for other modes."""
_LETTER = 6.5
_LONGEST = 200.0


def length(cell: Element) -> float:
    """The length of the lines of a cell whose row has no height, in points."""
    longest = max((sum(len(t.text or "") for t in each.iter(W + "t")) for each in cell.iter(W + "p")), default=0)
    return min(max(longest, 2) * _LETTER, _LONGEST)


def turned(content: str, mode: str, long: float, align: str) -> str:
    """The content of a cell with lines of this length in a writing mode, aligned as the cell says."""
    first, last = _SIDES.get(mode, ("left", "right"))
    side = {"center": "center", "bottom": last}.get(align, first)
    margin = {"center": "0 auto", "right": "0 0 0 auto", "left": "0"}[side]
    return f'<div style="writing-mode:{mode};height:{pt(long)};width:fit-content;margin:{margin}">{content}</div>'
