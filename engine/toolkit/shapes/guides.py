"""Evaluate the guide formulas of DrawingML shapes (ECMA-376, part 1, 20.1.9.11)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

MOST = 5_000
"""Guides of a shape; the standard's own shapes have up to 160."""
_DEGREE = 60_000.0
"""Angles are in 60,000ths of a degree."""


class Faulty(ValueError):
    """A formula or place can't be understood."""


def radians(angle: float) -> float:
    return math.radians(angle / _DEGREE)


def _angle(x: float, y: float) -> float:
    return math.degrees(math.atan2(y, x)) * _DEGREE


_FORMULAS: dict[str, tuple[int, Callable[..., float]]] = {
    "val": (1, lambda x: x),
    "*/": (3, lambda x, y, z: x * y / z if z else 0.0),
    "+-": (3, lambda x, y, z: x + y - z),
    "+/": (3, lambda x, y, z: (x + y) / z if z else 0.0),
    "?:": (3, lambda x, y, z: y if x > 0 else z),
    "abs": (1, abs),
    "at2": (2, _angle),
    "cat2": (3, lambda x, y, z: x * math.cos(math.atan2(z, y))),
    "sat2": (3, lambda x, y, z: x * math.sin(math.atan2(z, y))),
    "cos": (2, lambda x, y: x * math.cos(radians(y))),
    "sin": (2, lambda x, y: x * math.sin(radians(y))),
    "tan": (2, lambda x, y: x * math.tan(radians(y))),
    "max": (2, max),
    "min": (2, min),
    "mod": (3, lambda x, y, z: math.sqrt(x * x + y * y + z * z)),
    "pin": (3, lambda x, y, z: x if y < x else z if y > z else y),
    "sqrt": (1, lambda x: math.sqrt(max(x, 0.0))),
}


def _built_in(width: float, height: float) -> dict[str, float]:
    """The guides that every shape has (20.1.10.56)."""
    short = min(width, height)
    found = {
        "l": 0.0, "t": 0.0, "r": width, "b": height, "w": width, "h": height, "hc": width / 2, "vc": height / 2,
        "ss": short, "ls": max(width, height), "cd2": 180.0, "cd4": 90.0, "cd8": 45.0, "3cd4": 270.0, "3cd8": 135.0,
        "5cd8": 225.0, "7cd8": 315.0,
    }  # fmt: skip
    for name in ("cd2", "cd4", "cd8", "3cd4", "3cd8", "5cd8", "7cd8"):
        found[name] *= _DEGREE
    for name, length in (("wd", width), ("hd", height), ("ssd", short)):
        found |= {f"{name}{part}": length / part for part in (2, 3, 4, 5, 6, 8, 10, 12, 16, 32)}
    return found


class Guides:
    """The values of a shape's guides by name, for a width and a height in any unit. Raises Faulty."""

    def __init__(
        self, width: float, height: float, formulas: Iterable[tuple[str, str]], adjusted: Mapping[str, float]
    ) -> None:
        self._values = _built_in(width, height)
        for at, (name, formula) in enumerate(formulas):
            if at >= MOST:
                raise Faulty
            self._values[name] = adjusted[name] if name in adjusted else self._calculated(formula)

    def value(self, text: str) -> float:
        """The value of a guide, or of a number."""
        found = self._values.get(text)
        if found is not None:
            return found
        try:
            number = float(text)
        except ValueError:
            raise Faulty from None
        return _finite(number)

    def _calculated(self, formula: str) -> float:
        kind, *given = formula.split()
        count, calculate = _FORMULAS.get(kind, (0, _nothing))
        if not count or len(given) < count:
            raise Faulty
        return _finite(calculate(*map(self.value, given[:count])))


def _nothing(*_: float) -> float:
    raise Faulty


def _finite(number: float) -> float:
    return number if math.isfinite(number) else 0.0
