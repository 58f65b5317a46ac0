"""The progress of a conversion, as its converter counts it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

Unit = Literal["pages", "bytes", "files", "pictures", "frames", "rows", "sheets", "chapters", "seconds", "percent"]
"""The units progress can be counted in."""
UNITS: frozenset[str] = frozenset(get_args(Unit))


@dataclass(frozen=True)
class Progress:
    """`done` of `total` units; `total` is None while it is unknown."""

    done: int
    total: int | None
    unit: Unit

    def goes_on(self, before: Progress) -> bool:
        """Whether a reader who has seen `before` sees this as progress: neither the share nor a count goes back.

        Phases of a conversion count from 0 again, often in another unit, and totals grow while they are found out.
        """
        if self.unit == before.unit and self.done < before.done:
            return False
        if self.total is None or before.total is None:
            return before.total is None
        return self.done * before.total >= before.done * self.total


OnProgress = Callable[[Progress], None]
