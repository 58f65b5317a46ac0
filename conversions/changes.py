"""That what is offered has changed: written with the change, and told to every process."""

from __future__ import annotations

import logging
import uuid

from django.core.cache import cache
from django.db import transaction
from django.db.models import F, Max

from accounts.counters import CACHE_ERRORS
from accounts.models import Plan

log = logging.getLogger("service.conversions")

_KEY = "offer"

_here = 0


def here() -> int:
    """How many changes this process has made itself."""
    return _here


def version() -> int:
    """The number of changes so far, as every plan carries it."""
    return Plan.objects.aggregate(newest=Max("offer_version"))["newest"] or 0


def told() -> str | None:
    """The mark of the last change that the shared cache knows of; None where it knows none."""
    try:
        mark: str | None = cache.get(_KEY)
    except CACHE_ERRORS:
        return None  # the next conversion finds out by its plan
    return mark


def note() -> None:
    """Count a change, in the transaction that makes it, and tell of it at its end."""
    Plan.objects.update(offer_version=F("offer_version") + 1)
    # The rows are ours until the end of the transaction: one number for all, those of new plans too.
    Plan.objects.update(offer_version=version())
    forget()
    transaction.on_commit(_tell)


def forget() -> None:
    """Have this process read what is offered anew."""
    global _here
    _here += 1


def _tell() -> None:
    forget()
    try:
        cache.set(_KEY, uuid.uuid4().hex, timeout=None)
    except CACHE_ERRORS as error:
        log.error("lists of other processes are old until their next conversion", extra={"error": str(error)})
