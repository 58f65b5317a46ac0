"""Bound the time for a page that is laid out again and again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import plutoprint

_MOST_LAID_OUT = 250_000
"""The boxes of all layouts together, as `exponential_layout.size` counts them: up to 20 microseconds each."""


@dataclass
class Work:
    """Lays out a page in its current state, and counts the boxes of all layouts; each has `size`."""

    lay: Callable[[], plutoprint.Book]
    size: int
    left: int = _MOST_LAID_OUT

    def __call__(self) -> plutoprint.Book:
        self.left -= self.size
        return self.lay()

    def affords(self, times: int = 1) -> bool:
        """Whether so many layouts more are worth the time."""
        return self.left >= times * self.size
