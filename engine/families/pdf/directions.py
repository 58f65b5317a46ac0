"""The visual order of a line with left-to-right and right-to-left scripts (UAX #9).

The rules without explicit marks of direction and without pairs of brackets.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TypeVar

_Part = TypeVar("_Part")
_NUMBERS = ("EN", "AN")
_STRONG = ("L", "R")


def levels_of(text: str) -> list[int]:
    """The embedding level of each character: odd if right-to-left."""
    kinds = [unicodedata.bidirectional(letter) or "L" for letter in text]
    base = next((0 if kind == "L" else 1 for kind in kinds if kind in ("L", "R", "AL")), 0)
    _weak(kinds, "RL"[base == 0])
    _neutral(kinds, "RL"[base == 0])
    return [base + _rise(kind, base) for kind in kinds]


def visual_order(parts: Sequence[_Part], levels: Sequence[int]) -> list[_Part]:
    """Level runs in visual order, from left to right (rule L2)."""
    ordered = list(zip(parts, levels, strict=True))
    for level in range(max(levels, default=0), 0, -1):
        at = 0
        while at < len(ordered):
            end = at
            while end < len(ordered) and ordered[end][1] >= level:
                end += 1
            ordered[at:end] = ordered[at:end][::-1]
            at = max(end, at + 1)
    return [part for part, _ in ordered]


def _rise(kind: str, base: int) -> int:
    """Rules I1 and I2."""
    if kind == "L":
        return base
    if kind == "R":
        return 1 - base
    return 2 - base


def _weak(kinds: list[str], around: str) -> None:
    """Rules W1 to W7: weak types."""
    last = around
    for at, kind in enumerate(kinds):
        if kind in ("NSM", "BN"):
            kinds[at] = kinds[at - 1] if at else around
        elif kind == "EN" and last == "AL":
            kinds[at] = "AN"
        if kind in ("L", "R", "AL"):
            last = kind
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]
    for at in range(1, len(kinds) - 1):
        before, after = kinds[at - 1], kinds[at + 1]
        if before == after and ((kinds[at] == "ES" and before == "EN") or (kinds[at] == "CS" and before in _NUMBERS)):
            kinds[at] = before
    for order in (range(1, len(kinds)), range(len(kinds) - 2, -1, -1)):
        step = -1 if order.step > 0 else 1
        for at in order:
            if kinds[at] == "ET" and kinds[at + step] == "EN":
                kinds[at] = "EN"
    last = around
    for at, kind in enumerate(kinds):
        if kind in ("ES", "CS", "ET"):
            kinds[at] = "ON"
        elif kind == "EN" and last == "L":
            kinds[at] = "L"
        if kind in _STRONG:
            last = kind


def _neutral(kinds: list[str], around: str) -> None:
    """Rules N1 and N2: neutrals between two strong characters of one direction take it, others that of the line."""
    at, before = 0, around
    while at < len(kinds):
        if kinds[at] in (*_STRONG, *_NUMBERS):
            before = "L" if kinds[at] == "L" else "R"
            at += 1
            continue
        end = at
        while end < len(kinds) and kinds[end] not in (*_STRONG, *_NUMBERS):
            end += 1
        after = around if end == len(kinds) else "L" if kinds[end] == "L" else "R"
        kinds[at:end] = [before if before == after else around] * (end - at)
        at = end
