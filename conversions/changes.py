"""The version of the offer: changed with it, and announced to every process."""

from __future__ import annotations

import logging
import uuid

from django.core.cache import cache
from django.db import transaction
from django.db.models import F, Max

from accounts.credits.counters import CACHE_ERRORS
from accounts.models import Plan

log = logging.getLogger("service.conversions")

_KEY = "offer"

_here = 0


def here() -> int:
    """How many changes this process has made."""
    return _here


def version() -> int:
    """The number of changes so far, as stored with every plan."""
    return Plan.objects.aggregate(newest=Max("offer_version"))["newest"] or 0


def announced() -> str | None:
    """The id of the last change in the shared cache; None if it has none."""
    try:
        mark: str | None = cache.get(_KEY)
    except CACHE_ERRORS:
        return None  # the next conversion notices by its plan
    return mark


def record() -> None:
    """Count a change, in the transaction that makes it, and announce it on commit."""
    Plan.objects.update(offer_version=F("offer_version") + 1)
    # The rows stay locked until the transaction ends: all plans get the same number, new ones too.
    Plan.objects.update(offer_version=version())
    forget()
    transaction.on_commit(_notify)


def forget() -> None:
    """Make this process reload the offer."""
    global _here
    _here += 1


def _notify() -> None:
    forget()
    try:
        cache.set(_KEY, uuid.uuid4().hex, timeout=None)
    except CACHE_ERRORS as error:
        log.error("lists of other processes are old until their next conversion", extra={"error": str(error)})
