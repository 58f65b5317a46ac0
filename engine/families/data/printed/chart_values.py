"""The values and texts in the XML of charts (ECMA-376, part 1, 21.2.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.toolkit.xml_elements import child, local, number

MOST_POINTS = 4_000


def every(element: Any, name: str) -> list[Any]:
    """All elements of a name below one that may be missing."""
    return [] if element is None else [each for each in element.iter() if local(each) == name]


def points(element: Any, values_of: Callable[[str], list[str]]) -> dict[int, str]:
    """The stored points of a series by number; those of its cells if it stores none."""
    found: dict[int, str] = {}
    for each in every(element, "pt")[:MOST_POINTS]:
        at = int(number(each.get("idx"), -1))
        if 0 <= at < MOST_POINTS:
            stored = child(each, "v")
            found[at] = (stored.text or "") if stored is not None else ""
    formula = next(iter(every(element, "f")), None)
    if not found and formula is not None:
        found = dict(enumerate(values_of(formula.text or "")[:MOST_POINTS]))
    return found


def value(text: str | None) -> float | None:
    """A point as a number; None if it is none."""
    try:
        found = float(text or "")
    except ValueError:
        return None
    return found if abs(found) < 1e15 else None
