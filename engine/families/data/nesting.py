"""Limit the nesting of lists and objects, and reserve the stack that writing them needs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from engine.families.data.values import Value
from engine.toolkit.json_values import MAX_DEPTH

_FRAMES = 12 * MAX_DEPTH
"""Recursion limit for the most demanding writer at MAX_DEPTH levels, plus the frames before it."""


@contextmanager
def room() -> Iterator[None]:
    """Raise the recursion limit to what the deepest document needs."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def too_deep(value: Value) -> bool:
    """Whether lists and objects are nested more than MAX_DEPTH deep."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for each in level
            for child in (each.values() if type(each) is dict else each)
            if type(child) in (dict, list)
        ]
        if not level:
            return False
    return True
