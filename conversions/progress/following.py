"""Progress of conversions, stored briefly for the client, under an id that it chose."""

from __future__ import annotations

import hashlib
import logging
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.credits.counters import CACHE_ERRORS
from accounts.credits.payers import Payer
from engine.toolkit.progress import OnProgress, Progress

log = logging.getLogger("service.progress")

HEADER = "X-Progress-Id"
PATTERN = "[A-Za-z0-9_-]{16,64}"
EVERY = 0.5
"""Seconds between two writes for one conversion."""
_BEGAN = "began"
"""When the request began whose progress is stored, in nanoseconds; readers are not told."""
_WORKING_KEPT = 900
_ENDED_KEPT = 120

State = Literal["working", "done", "failed"]
Found = dict[str, Any]
"""`state`, and `done` of `total` in `unit`; the last three are None until the converter reports them."""


@contextmanager
def followed(request: Request, payer: Payer) -> Iterator[OnProgress | None]:
    """Store the progress of the work in the block if the request has the header; raises ValidationError for a bad id.

    Without the header nothing is stored.
    """
    given = request.headers.get(HEADER)
    if given is None:
        yield None
        return
    if not re.fullmatch(PATTERN, given):
        raise ValidationError({HEADER: _("Send 16 to 64 characters of A-Z, a-z, 0-9, _ and -.")})
    kept = _Kept(_owners(request, payer)[0] + given)
    try:
        yield kept.on_progress
    except BaseException:
        kept.end("failed")
        raise
    kept.end("done")


def find(request: Request, payer: Payer, given: str) -> Found | None:
    """The progress of the caller's own conversion with this id; raises one of CACHE_ERRORS."""
    if not re.fullmatch(PATTERN, given):
        return None
    names = [owner + given for owner in _owners(request, payer)]
    kept = cache.get_many(names)
    found: Found | None = next((kept[each] for each in names if each in kept), None)
    return found and {name: value for name, value in found.items() if name != _BEGAN}


def _owners(request: HttpRequest | Request, payer: Payer) -> list[str]:
    """The owners to look under: the account, else the guest's session, else the guest's address.

    A session may begin while a guest converts, so the address is tried, too.
    """
    owners = [f"progress:{payer.key}:"]
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if payer.owner is None and session:
        owners.insert(0, f"progress:session:{hashlib.sha256(session.encode()).hexdigest()}:")
    return owners


class _Kept:
    """Stored progress of one conversion, which never goes back; after a cache error it stops writing, as the conversion
    matters more.

    Of several conversions with one id readers see the last that began: a client sends a request again whose connection
    was lost, and both may be running.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._found: Found = {"state": "working", "done": None, "total": None, "unit": None}
        self._began = time.time_ns()
        self._reached: Progress | None = None
        self._next = 0.0
        self._broken = False
        self._continue()
        self._write(_WORKING_KEPT)

    def _continue(self) -> None:
        """Go on from what the id has reached."""
        try:
            found: Found | None = cache.get(self._name)
        except CACHE_ERRORS:
            return  # the first write reports it
        if found is not None:
            self._began = max(self._began, found.get(_BEGAN, 0) + 1)  # clocks of several machines differ
        if found is not None and found["state"] == "working" and found["done"] is not None:
            self._found = found
            self._reached = Progress(found["done"], found["total"], found["unit"])

    def on_progress(self, progress: Progress) -> None:
        if self._reached is not None and not progress.goes_on(self._reached):
            return
        self._reached = progress
        self._found |= {"done": progress.done, "total": progress.total, "unit": progress.unit}
        now = time.monotonic()
        if now >= self._next:
            self._next = now + EVERY
            self._write(_WORKING_KEPT)

    def end(self, state: State) -> None:
        self._found["state"] = state
        if state == "done" and self._found["total"] is not None:
            self._found["done"] = self._found["total"]
        self._write(_ENDED_KEPT)

    def _write(self, seconds: int) -> None:
        if self._broken:
            return
        try:
            stored: Found = cache.get(self._name) or {}
            if stored.get(_BEGAN, 0) <= self._began:
                cache.set(self._name, self._found | {_BEGAN: self._began}, timeout=seconds)
        except CACHE_ERRORS as error:
            self._broken = True
            log.error("progress not kept", extra={"error": str(error)})
