"""Rate limits: django-ratelimit's counters, with the seconds until the window ends."""

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

# Catch only the errors of the cache in use: the other one's library need not be installed.
CACHE_ERRORS: tuple[type[Exception], ...] = import_module(
    settings.CACHES["default"]["BACKEND"].rpartition(".")[0]
).UNREACHABLE
"""Raised while the shared cache is unreachable."""


@dataclass(frozen=True)
class Usage:
    """One counter before or after a request: `resets_in` is in whole seconds, at least 1."""

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
    """The counter of `key` in `group`, including this request if `count`; `rate` is for example `60/m`.

    Raises one of CACHE_ERRORS if the shared cache is unreachable; the caller decides what that means.
    """
    counters: Any = cache
    with counters.counting():
        found = get_usage(request, group=group, key=lambda group, request: key, rate=rate, increment=count)
    if found is None:
        raise RuntimeError("django-ratelimit is switched off")
    # A window still counts during the second in which it ends.
    return Usage(limit=found["limit"], count=found["count"], resets_in=max(1, found["time_left"] + 1))
