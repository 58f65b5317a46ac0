"""Rates: django-ratelimit's counters, asked for a verdict and a true time to wait."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django_ratelimit.core import get_usage
from rest_framework.request import Request

log = logging.getLogger("service.rates")

# Only the module of the cache that is used knows them: the other one's library need not be imported.
CACHE_ERRORS: tuple[type[Exception], ...] = import_module(
    settings.CACHES["default"]["BACKEND"].rpartition(".")[0]
).UNREACHABLE
"""What the shared cache raises while it can't be reached."""


@dataclass(frozen=True)
class Usage:
    """One counter after (or before) a request: `resets_in` is in whole seconds, at least 1."""

    limit: int
    count: int
    resets_in: int

    @property
    def exceeded(self) -> bool:
        return self.count > self.limit

    @property
    def remaining(self) -> int:
        return max(0, self.limit - self.count)


def usage(request: HttpRequest | Request | None, *, group: str, key: str, rate: str, count: bool) -> Usage:
    """The counter of `key` in `group`, with this request counted if `count`; `rate` is such as `60/m`.

    Raises one of CACHE_ERRORS where the shared cache can't be reached: the caller decides what that means.
    """
    counters: Any = cache
    with counters.counting():
        found = get_usage(request, group=group, key=lambda group, request: key, rate=rate, increment=count)
    if found is None:
        raise RuntimeError("django-ratelimit is switched off")
    # A window still counts in the very second in which it ends.
    return Usage(limit=found["limit"], count=found["count"], resets_in=max(1, found["time_left"] + 1))
