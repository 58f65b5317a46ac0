"""The line on top of every page, known to each process and asked for anew now and then, never once a request."""

from __future__ import annotations

import logging
import threading
import time
from datetime import datetime, timedelta

from django.db import DatabaseError
from django.utils import timezone

from backoffice.models import Announcement

FRESH = 20.0
"""Seconds for which what is known is good; so long a change takes to be seen everywhere."""

log = logging.getLogger("service.announcements")
_lock = threading.Lock()
_known: tuple[Announcement, ...] = ()
_asked_at: float | None = None


def now_shown() -> list[Announcement]:
    """Those that are on now, the latest first; what was known before where the database does not answer."""
    now = timezone.now()
    return [each for each in _soon(now) if each.starts_at <= now < each.ends_at]


def forget() -> None:
    """Ask the database at the next page."""
    global _asked_at
    _asked_at = None


def _soon(now: datetime) -> tuple[Announcement, ...]:
    """The announcements of the next minute, from memory; one thread asks, and the others go on with what is known."""
    global _known, _asked_at
    moment = time.monotonic()
    if (_asked_at is None or moment - _asked_at >= FRESH) and _lock.acquire(blocking=False):
        try:
            _asked_at = moment
            begun = now + timedelta(seconds=2 * FRESH)
            _known = tuple(Announcement.objects.filter(ends_at__gt=now, starts_at__lte=begun)[:5])
        except DatabaseError as error:
            # A page that needs no database is shown without one.
            log.warning("announcements are not known", extra={"error": str(error)})
        finally:
            _lock.release()
    return _known
