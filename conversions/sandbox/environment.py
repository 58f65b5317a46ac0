"""The environment of zygotes: nothing of the service's own but for what they need to do as it says."""

from __future__ import annotations

from collections.abc import Mapping

ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    # Without it the C library reads /etc/localtime, which a child may not; and results must not depend on the machine.
    "TZ": "UTC",
    # One job, one processor; and a library that starts threads on import would make the fork after it unsafe.
    "RAYON_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "VIPS_CONCURRENCY": "1",
    # Of one thread, what is read and what is written meanwhile would wait for each other.
    "POLARS_MAX_THREADS": "2",
    # A child can't see how much memory there is; polars, taking it for none, would try to put every frame on a disk.
    "POLARS_OVERRIDE_TOTAL_MEMORY_MB": "2000",
    "POLARS_OOC_MEMORY_BUDGET_MB": "2000",
    # Each arena reserves 64 MB of the address space that is limited.
    "MALLOC_ARENA_MAX": "2",
}
"""All of a zygote's environment, but for what it is passed on."""

PASSED_ON = ("HTML_PDF_ENGINE", "TESSDATA_PREFIX")
"""Variables that a zygote has as the service has them: which engine takes part is decided where it is declared,
and where the models are that recognise text."""
