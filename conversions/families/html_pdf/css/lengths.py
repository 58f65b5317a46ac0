"""CSS lengths in the units that the layout engine reads."""

from __future__ import annotations

from typing import Any

_UNITS = frozenset(("pt", "px", "cm", "mm", "in", "pc", "em", "rem", "ex"))
_CONVERTED_UNITS = {"q": (0.25, "mm"), "ch": (0.5, "em"), "ic": (1.0, "em"), "lh": (1.2, "em"), "rlh": (1.2, "rem")}
MOST = 1e6


class Unsupported(Exception):
    """A value that the layout engine can't read."""


def length(token: Any) -> str:
    """A dimension token as the engine reads it; raises Unsupported."""
    unit = token.lower_unit
    if unit in _CONVERTED_UNITS:
        factor, other = _CONVERTED_UNITS[unit]
        return f"{token.value * factor:g}{other}"
    if unit not in _UNITS or abs(token.value) > MOST:
        raise Unsupported
    return str(token.serialize())
