"""Buffers of pixels that are freed go back to the system at once, instead of lying between others until the end."""

from __future__ import annotations

import ctypes

_MMAP_THRESHOLD = -3
"""mallopt(3): the size from which a buffer is mapped by itself. Once set, glibc raises it no more by itself."""

_LARGE = 1_000_000


def return_large() -> None:
    """Give back what is free now, and from now on each large buffer when it is freed; only glibc has to be told."""
    library = ctypes.CDLL(None)
    for name, values in (("mallopt", (_MMAP_THRESHOLD, _LARGE)), ("malloc_trim", (0,))):
        call = getattr(library, name, None)
        if call is not None:
            call(*values)
