"""Nesting: how deeply lists and objects may lie in each other, and the room that writing them takes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from conversions.families.data.values import Value

MAX_DEPTH = 512
"""Every reader and writer was tried with twice as many."""

_FRAMES = 12 * MAX_DEPTH
"""Calls within calls that the writer which needs most of them makes for MAX_DEPTH levels, and what it is called by."""


@contextmanager
def room() -> Iterator[None]:
    """Allow as many calls within calls as the deepest document needs."""
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
