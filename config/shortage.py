"""Detects errors caused by a full disk, for all error handlers."""

from __future__ import annotations

import logging

from accounts.shortage import NoSpace, is_full

log = logging.getLogger("service.api")


def shortage(error: BaseException) -> NoSpace | None:
    """The error for the response if no space is left, which is logged, else None."""
    if not is_full(error):
        return None
    log.error("no room left", extra={"error": str(error)})
    return NoSpace()
