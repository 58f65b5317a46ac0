"""Lines: whose job is next, where several clients wait for one zygote."""

from __future__ import annotations

import collections
from typing import Generic, TypeVar

T = TypeVar("T")


class Line(Generic[T]):
    """What waits, by whom it belongs to: of each in the order of its coming, and of one after the other in turn."""

    def __init__(self) -> None:
        self._of: dict[object, collections.deque[T]] = {}

    def join(self, whose: object, one: T) -> None:
        self._of.setdefault(whose, collections.deque()).append(one)

    def next(self) -> T:
        """The one whose turn it is; raises StopIteration if nobody waits."""
        whose = next(iter(self._of))
        theirs = self._of.pop(whose)
        one = theirs.popleft()
        if theirs:
            self._of[whose] = theirs
        return one

    def length(self, whose: object) -> int:
        return len(self._of.get(whose, ()))

    def __bool__(self) -> bool:
        return bool(self._of)
