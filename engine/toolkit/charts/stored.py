"""The values and texts that a chart part stores (ECMA-376, part 1, 21.2.2), within a limit for all charts of a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine.toolkit.xml_elements import child, children, local

MOST_POINTS = 50_000
"""The points in all charts of a file, each of which counts for at least LEAST_POINTS: 50,000 take up to 5 s to draw."""
LEAST_POINTS = 100
_DAYS_TO_1904 = 1462

ValuesOf = Callable[[str], list[str]]
"""Gives the values of cells by reference, for charts that store none."""


class TooManyPoints(Exception):
    """The charts that were read before left no room for the points of this one."""


@dataclass
class Allowance:
    """How many points may still be read."""

    left: int = MOST_POINTS

    def take(self, count: int) -> None:
        """Use some of it up. Raises TooManyPoints if there are not as many left."""
        if count > self.left:
            raise TooManyPoints
        self.left -= count


@dataclass(frozen=True)
class Stored:
    """The points of one reference by number: their texts, their number format, and single ones' own."""

    texts: dict[int, str] = field(default_factory=dict)
    code: str = "General"
    codes: dict[int, str] = field(default_factory=dict)
    levels: tuple[dict[int, str], ...] = ()
    """Further levels of categories, where their groups begin."""
    numeric: bool = False
    length: int = 0

    def numbers(self, length: int, offset: float = 0.0) -> tuple[float | None, ...]:
        """The points as numbers; None for those that are none."""
        found = (value(self.texts.get(at)) for at in range(length))
        return tuple(None if each is None else each + offset for each in found)


class Reader:
    """Reads what is stored in one chart."""

    def __init__(self, allowance: Allowance, values_of: ValuesOf, *, from_1904: bool) -> None:
        self._allowance, self._values_of = allowance, values_of
        self.offset = _DAYS_TO_1904 if from_1904 else 0

    def read(self, element: Any) -> Stored:
        """The points below an element such as `val`, `cat` or `tx`; none if it is missing.

        Raises TooManyPoints.
        """
        for each in children(element):
            kind = local(each)
            if kind in ("strRef", "numRef", "multiLvlStrRef"):
                cache = next(children(each, "strCache", "numCache", "multiLvlStrCache"), None)
                found = self._cached(cache, numeric=kind == "numRef")
                return found if found.texts else self._referred(child(each, "f"), kind == "numRef") or found
            if kind in ("strLit", "numLit", "strCache", "numCache"):
                return self._cached(each, numeric=kind.startswith("num"))
            if kind == "v":
                return Stored({0: each.text or ""}, length=1)
        return Stored()

    def _cached(self, cache: Any, *, numeric: bool) -> Stored:
        levels = list(children(cache, "lvl"))
        first, *others = [self._points(each) for each in levels] or [self._points(cache)]
        texts, codes = first
        code = child(cache, "formatCode")
        count = child(cache, "ptCount")
        declared = whole(None if count is None else count.get("val")) or 0
        length = max([*texts, -1]) + 1
        if declared > length:
            length = min(declared, length + self._allowance.left)
        self._allowance.take(max(length, *(len(each) for each, _ in others)) if others else length)
        named = (code.text or "").strip() if code is not None else ""
        return Stored(texts, named or "General", codes, tuple(each for each, _ in others), numeric, length)

    def _points(self, parent: Any) -> tuple[dict[int, str], dict[int, str]]:
        texts: dict[int, str] = {}
        codes: dict[int, str] = {}
        for each in children(parent, "pt"):
            at = whole(each.get("idx"))
            if at is None or at > self._allowance.left or len(texts) > self._allowance.left:
                raise TooManyPoints
            stored = child(each, "v")
            texts[at] = (stored.text or "") if stored is not None else ""
            if own := each.get("formatCode"):
                codes[at] = own
        return texts, codes

    def _referred(self, formula: Any, numeric: bool) -> Stored | None:
        found = self._values_of((formula.text or "").strip()) if formula is not None else []
        self._allowance.take(len(found))
        return Stored(dict(enumerate(found)), numeric=numeric, length=len(found)) if found else None


def whole(text: str | None) -> int | None:
    """A number from 0 as written; None if it is none."""
    return int(text) if text and len(text) < 10 and text.isascii() and text.isdigit() else None


def value(text: str | None) -> float | None:
    """A point as a number; None if it is none."""
    try:
        found = float(text or "")
    except ValueError:
        return None
    return found if abs(found) < 1e300 else None


def setting(parent: Any, name: str) -> str | None:
    """The value of a child such as `<c:gapWidth val="150"/>`; None without one."""
    found = child(parent, name)
    return None if found is None else found.get("val") or ""
