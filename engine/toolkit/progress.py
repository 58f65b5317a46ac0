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


OnProgress = Callable[[Progress], None]
