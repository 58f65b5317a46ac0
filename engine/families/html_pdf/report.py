"""Pass warnings from deep inside the layout to the conversion."""

from __future__ import annotations

from typing import Any


def report(canvas: Any, code: str, message: str) -> None:
    """Issue a warning while a page is laid out or drawn on `canvas`."""
    warn = getattr(getattr(canvas, "_doctemplate", None), "warn", None)
    if warn is not None:
        warn(code, message)
