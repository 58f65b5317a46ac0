"""Lengths that mix a share of the room with other units (CSS Values 4, 10)."""

from __future__ import annotations

import re

NAMES = (
    "width", "min-width", "max-width", "flex", "flex-basis", "text-indent",
    "margin", "margin-left", "margin-right", "padding", "padding-left", "padding-right",
)  # fmt: skip
"""Properties whose percentages refer to the width of the containing block."""
MARK = "fc-"
"""Before the name of a property that keeps its length as written, until the room is known."""
_FUNCTIONS = ("calc", "min", "max", "clamp")
_FUNCTION = re.compile(r"(?:calc|min|max|clamp)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")

_OF_ROWS = frozenset(("width", "max-width", "min-width", "inline-size", "flex", "flex-basis"))
_FINE = re.compile(r"(?<![\w.#-])(\d++\.\d{3,16}+)%")
_LESS = 0.001
"""What browsers leave out at most, in percent: they round boxes to 1/64 of a pixel, downwards."""


def fitting(name: str, value: str) -> str:
    """A length whose shares are rounded ones, such as thirds, with these a little smaller."""
    if name not in _OF_ROWS or "%" not in value:
        return value
    return _FINE.sub(lambda match: f"{max(float(match[1]) - _LESS, 0.0):.6f}%", value)


def is_mixed(value: str) -> bool:
    """Whether a value in small letters has a function with a percentage in it."""
    return "%" in value and any(f"{each}(" in value for each in _FUNCTIONS)


def as_percentage(value: str) -> str:
    """A value with the first percentage of each function in its place; unchanged where there is none."""
    return _FUNCTION.sub(_percentage, value)


def _percentage(match: re.Match[str]) -> str:
    found = re.search(r"-?[\d.]+%", match[0])
    return found[0] if found else match[0]
