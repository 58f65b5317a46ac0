"""Return freed pixel buffers to the system at once, to avoid fragmentation."""

from __future__ import annotations

import ctypes

_MMAP_THRESHOLD = -3
"""mallopt(3): the size from which a buffer is mapped separately. Once set, glibc no longer raises it."""

_LARGE = 1_000_000


def return_large() -> None:
    """Release free memory now, and from now on each large buffer when it is freed; only glibc needs this."""
    library = ctypes.CDLL(None)
    for name, values in (("mallopt", (_MMAP_THRESHOLD, _LARGE)), ("malloc_trim", (0,))):
        call = getattr(library, name, None)
        if call is not None:
            call(*values)
