"""Limits on concurrent jobs: slots in the shared cache, taken atomically, which expire if their process dies."""

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

from accounts import metrics
from accounts.credits import budgets, leases
from accounts.credits.counters import CACHE_ERRORS
from accounts.credits.payers import Payer
from accounts.errors import TooManyRequests
from accounts.shortage import NoSpace, is_full

log = logging.getLogger("service.jobs")


@dataclass(frozen=True)
class _Slot:
    """`taken` is wall-clock time, `since` this process's monotonic time, `seconds` the job's longest duration."""

    name: str
    token: str
    taken: float
    seconds: float
    since: float

    @property
    def value(self) -> list[Any]:
        return [self.token, self.taken, self.seconds]


def _names(payer: Payer) -> Iterator[str]:
    return (f"slot:{payer.key}:{number}" for number in range(payer.job_limit))


@contextmanager
def acquire(payer: Payer, *, seconds: float) -> Iterator[None]:
    """Hold one of the payer's job slots during the block; failed work in it counts on the payer's budget.

    `seconds` is the longest that the job may take. Raises TooManyRequests if the budget is used up or all slots are
    taken, with the time until the first one ends, at most a lease's length. Without the cache accounts proceed and
    guests are refused.
    """
    with budgets.counted_on(payer), _slot(payer, seconds):
        yield


@contextmanager
def _slot(payer: Payer, seconds: float) -> Iterator[None]:
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
    # One at a time: nearly always the first is free, and a plan may have hundreds.
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
    limit = payer.job_limit
    ends = [start + length - now for _, start, length in taken.values()]
    raise TooManyRequests(
        _("You already have %(limit)s conversions running. Wait until one finishes.") % {"limit": limit},
        wait=min(max(1.0, min(ends, default=1.0)), leases.LEASE_SECONDS),
        limit=limit,
    )


def _add(slot: _Slot) -> bool:
    return bool(cache.add(slot.name, slot.value, timeout=leases.LEASE_SECONDS))


def _is_stale(value: list[Any]) -> bool:
    """Whether the clock was set back after the slot was taken: the cache would keep it too long."""
    return bool(value[1] > time.time() + leases.SKEW)


def _take_over(slot: _Slot, found: list[Any]) -> bool:
    """Take over a stale slot; of concurrent callers one succeeds."""
    if not cache.add(f"{slot.name}:{found[0]}", 1, timeout=leases.SKEW):
        return False
    cache.set(slot.name, slot.value, timeout=leases.LEASE_SECONDS)
    return True


def _free(slot: _Slot) -> None:
    # A process that was suspended may have lost its slot to another.
    sure = time.monotonic() - slot.since < leases.LEASE_SECONDS - leases.RENEW_EVERY
    if sure or _is_ours(slot):
        cache.delete(slot.name)


def _is_ours(slot: _Slot) -> bool:
    return bool((cache.get(slot.name) or [None])[0] == slot.token)


def _renew(slots: list[_Slot]) -> None:
    for slot in slots:
        # If it expired because the process or the clock jumped, take it again if it is free. A job that ends meanwhile
        # has freed it before it was added, or frees it afterwards.
        if cache.touch(slot.name, leases.LEASE_SECONDS) or not _keeper.holds(slot):
            continue
        if _add(slot) and not _keeper.holds(slot) and _is_ours(slot):
            cache.delete(slot.name)


_keeper: leases.Keeper[_Slot] = leases.Keeper("job slots", _renew)


def running(payer: Payer) -> int:
    """How many of the slots that the payer may use are taken, by anybody in their organisation."""
    return sum(not _is_stale(each) for each in cache.get_many(_names(payer)).values())
