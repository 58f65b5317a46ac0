"""Jobs at once: slots in the shared cache, taken atomically, that free themselves where a process dies."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.cache import cache

from accounts import metrics
from accounts.counters import CACHE_ERRORS
from accounts.errors import TooManyRequests
from accounts.payers import Payer

log = logging.getLogger("service.jobs")


def _names(payer: Payer) -> Iterator[str]:
    return (f"job:{payer.key}:{number}" for number in range(payer.limits.concurrent_jobs))


@contextmanager
def hold(payer: Payer, *, seconds: float) -> Iterator[None]:
    """Hold one slot of the payer's for the block; `seconds` is the longest that a job can take.

    A slot's value is the moment when it expires at the latest, so that whoever finds all of them taken can be told a
    time to wait that is true. Raises TooManyRequests. Without the cache accounts go on and guests have to wait.
    """
    try:
        name = _take(payer, seconds)
    except CACHE_ERRORS as error:
        metrics.CACHE_ERRORS.labels("jobs").inc()
        log.error("job slots unavailable", extra={"error": str(error)})
        if payer.owner is None:
            raise TooManyRequests("The service is busy. Try again in a few seconds.", wait=5) from error
        yield
        return
    try:
        yield
    finally:
        try:
            cache.delete(name)
        except CACHE_ERRORS as error:
            log.error("job slot not freed, it will expire", extra={"error": str(error)})


def _take(payer: Payer, seconds: float) -> str:
    expires = time.time() + seconds
    for name in _names(payer):
        if cache.add(name, expires, timeout=seconds):
            return name
    names = list(_names(payer))
    taken = cache.get_many(names)
    if len(taken) < len(names):
        name = next(each for each in names if each not in taken)
        if cache.add(name, expires, timeout=seconds):
            return name
    metrics.JOB_SLOTS_FULL.inc()
    wait = min(taken.values(), default=expires) - time.time()
    limit = payer.limits.concurrent_jobs
    raise TooManyRequests(
        f"You already have {limit} conversions running. Wait until one of them is done.", wait=wait, limit=limit
    )


def running(payer: Payer) -> int:
    """How many of the payer's slots are taken now."""
    return len(cache.get_many(_names(payer)))
