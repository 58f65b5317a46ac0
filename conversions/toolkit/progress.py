"""Progress: how far a conversion is, as its converter counts it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

Unit = Literal["pages", "bytes", "files", "pictures", "frames", "rows", "sheets", "chapters", "seconds", "percent"]
"""What a conversion can be counted in."""
UNITS: frozenset[str] = frozenset(get_args(Unit))


@dataclass(frozen=True)
class Progress:
    """`done` of `total` units, of which `total` is None where nobody knows it yet."""

    done: int
    total: int | None
    unit: Unit


Tell = Callable[[Progress], None]
