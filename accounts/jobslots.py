"""Jobs at once: slots in the shared cache, taken atomically, that free themselves where a process dies."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.utils.translation import gettext as _

from accounts import leases, metrics
from accounts.counters import CACHE_ERRORS
from accounts.errors import TooManyRequests
from accounts.payers import Payer
from accounts.shortage import NoSpace, is_full

log = logging.getLogger("service.jobs")


@dataclass(frozen=True)
class _Slot:
    """`taken` is a moment of the wall clock, `since` one of this process's own, `seconds` what the job can take."""

    name: str
    token: str
    taken: float
    seconds: float
    since: float

    @property
    def value(self) -> list[Any]:
        return [self.token, self.taken, self.seconds]


def _names(payer: Payer) -> Iterator[str]:
    return (f"slot:{payer.key}:{number}" for number in range(payer.limits.concurrent_jobs))


@contextmanager
def hold(payer: Payer, *, seconds: float) -> Iterator[None]:
    """Hold one slot of the payer's for the block, however long it takes.

    `seconds` is the longest that a job is expected to take. Whoever finds all slots taken is told to wait for the first
    to end, and never longer than a slot outlives a process that has died. Raises TooManyRequests. Without the cache
    accounts go on and guests have to wait.
    """
    try:
        slot = _take(payer, seconds)
    except CACHE_ERRORS as error:
        metrics.CACHE_ERRORS.labels("jobs").inc()
        log.error("job slots unavailable", extra={"error": str(error)})
        if payer.owner is None and is_full(error):
            raise NoSpace() from error
        if payer.owner is None:
            raise TooManyRequests(_("The service is busy. Try again in a few seconds."), wait=5) from error
        yield
        return
    try:
        with _keeper.held(slot):
            yield
    finally:
        try:
            _free(slot)
        except CACHE_ERRORS as error:
            log.error("job slot not freed, it will expire", extra={"error": str(error)})


def _take(payer: Payer, seconds: float) -> _Slot:
    token, now, since = secrets.token_hex(8), time.time(), time.monotonic()
    # One by one: nearly always the first is free, and a plan may have hundreds.
    for name in _names(payer):
        slot = _Slot(name, token, now, seconds, since)
        if _add(slot):
            return slot
    taken = cache.get_many(_names(payer))
    for name in _names(payer):
        slot, found = _Slot(name, token, now, seconds, since), taken.get(name)
        if _add(slot) if found is None else _is_stale(found) and _take_over(slot, found):
            return slot
    metrics.JOB_SLOTS_FULL.inc()
    limit = payer.limits.concurrent_jobs
    ends = [start + length - now for _, start, length in taken.values()]
    raise TooManyRequests(
        _("You already have %(limit)s conversions running. Wait until one of them is done.") % {"limit": limit},
        wait=min(max(1.0, min(ends, default=1.0)), leases.LASTS),
        limit=limit,
    )


def _add(slot: _Slot) -> bool:
    return bool(cache.add(slot.name, slot.value, timeout=leases.LASTS))


def _is_stale(value: list[Any]) -> bool:
    """Whether the clock has been set back since: the cache would keep it until the moment comes again."""
    return bool(value[1] > time.time() + leases.SKEW)


def _take_over(slot: _Slot, found: list[Any]) -> bool:
    """Take a stale slot from whoever held it; of several that see it, one does."""
    if not cache.add(f"{slot.name}:{found[0]}", 1, timeout=leases.SKEW):
        return False
    cache.set(slot.name, slot.value, timeout=leases.LASTS)
    return True


def _free(slot: _Slot) -> None:
    # A process that was stopped meanwhile may have lost its slot to another.
    sure = time.monotonic() - slot.since < leases.LASTS - leases.EVERY
    if sure or (cache.get(slot.name) or [None])[0] == slot.token:
        cache.delete(slot.name)


def _renew(slots: list[_Slot]) -> None:
    for slot in slots:
        # One that expired meanwhile, because this process or the clock made a jump, is taken again if it is free.
        if not cache.touch(slot.name, leases.LASTS):
            _add(slot)


_keeper: leases.Keeper[_Slot] = leases.Keeper("job slots", _renew)


def running(payer: Payer) -> int:
    """How many of the payer's slots are taken now."""
    return sum(not _is_stale(each) for each in cache.get_many(_names(payer)).values())
