"""The banner on every page, cached by each process and refreshed now and then, not per request."""

from __future__ import annotations

import logging
import threading
import time
from datetime import datetime, timedelta

from django.db import DatabaseError
from django.utils import timezone

from backoffice.models import Announcement

FRESH = 20.0
"""Seconds for which the cache is valid, and so for a change to appear everywhere."""

log = logging.getLogger("service.announcements")
_lock = threading.Lock()
_known: tuple[Announcement, ...] = ()
_asked_at: float | None = None


def now_shown() -> list[Announcement]:
    """Current announcements, latest first; the cached ones if the database is unreachable."""
    now = timezone.now()
    return [each for each in _soon(now) if each.starts_at <= now < each.ends_at]


def forget() -> None:
    """Discard the cached announcements, so that the next page reads them again."""
    global _asked_at
    _asked_at = None


def _soon(now: datetime) -> tuple[Announcement, ...]:
    """The announcements of the next minute, from the cache; one thread refreshes it, others use the old one."""
    global _known, _asked_at
    moment = time.monotonic()
    if (_asked_at is None or moment - _asked_at >= FRESH) and _lock.acquire(blocking=False):
        try:
            _asked_at = moment
            begun = now + timedelta(seconds=2 * FRESH)
            _known = tuple(Announcement.objects.filter(ends_at__gt=now, starts_at__lte=begun)[:5])
        except DatabaseError as error:
            # A page that needs no database is shown without announcements.
            log.warning("announcements are not known", extra={"error": str(error)})
        finally:
            _lock.release()
    return _known
