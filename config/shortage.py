"""The answer to an error of any kind that says that there is no room left, for all that answers errors."""

from __future__ import annotations

import logging

from accounts.shortage import NoSpace, is_full

log = logging.getLogger("service.api")


def shortage(error: Exception) -> NoSpace | None:
    """What to answer if this error says that there is no room left, which is logged, else None."""
    if not is_full(error):
        return None
    log.error("no room left", extra={"error": str(error)})
    return NoSpace()
