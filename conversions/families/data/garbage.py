"""The search for cycles of objects, left out where there are none and millions of short-lived values would start it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def left_lying() -> Iterator[None]:
    """Without the search for cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
