"""The environment variables of zygotes, of which only a few come from the service."""

from __future__ import annotations

from collections.abc import Mapping

ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    # Otherwise the C library reads /etc/localtime, which a child may not; and results must not depend on the machine.
    "TZ": "UTC",
    # One processor per job; and a library that starts threads on import would make forking unsafe.
    "RAYON_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "VIPS_CONCURRENCY": "1",
    # With one thread, reading and writing would wait for each other.
    "POLARS_MAX_THREADS": "2",
    # A child can't see how much memory there is; polars would assume none and spill every frame to disk.
    "POLARS_OVERRIDE_TOTAL_MEMORY_MB": "2000",
    "POLARS_OOC_MEMORY_BUDGET_MB": "2000",
    # Each arena reserves 64 MB of the limited address space.
    "MALLOC_ARENA_MAX": "2",
    # pyarrow's own allocator reserves 1 GB of it at once: 1.7 of the 2 GB were taken by an ORC file of one row.
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}
"""The complete environment of a zygote, except for what is PASSED_ON."""

PASSED_ON = ("HTML_PDF_ENGINE", "TESSDATA_PREFIX", "FONTS_DIR")
"""Variables that a zygote inherits: those that choose engines, as these are declared in the zygote too, and the folders
of OCR models and of the operator's fonts."""
