"""Write numbers of pixels shortly."""

from __future__ import annotations


def number(value: float) -> str:
    """A number of pixels with two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"
