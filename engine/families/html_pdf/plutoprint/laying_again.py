"""Bound the time for a page that is laid out again and again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, ParamSpec, TypeVar

import plutoprint

MOST_LAID_OUT = 250_000
"""The boxes of all layouts together, as `exponential_layout.size` counts them: up to 20 microseconds each."""

_Asked = ParamSpec("_Asked")
_Laid = TypeVar("_Laid")


@dataclass
class Work(Generic[_Asked, _Laid]):
    """Lays out a page in its current state, and counts the boxes of all layouts; each has `size`."""

    lay: Callable[_Asked, _Laid]
    size: int
    left: int = MOST_LAID_OUT

    def __call__(self, *args: _Asked.args, **named: _Asked.kwargs) -> _Laid:
        self.left -= self.size
        return self.lay(*args, **named)

    def affords(self, times: int = 1) -> bool:
        """Whether so many layouts more are worth the time."""
        return self.left >= times * self.size


PageWork = Work[[], plutoprint.Book]
