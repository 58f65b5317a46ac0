"""Liveness, readiness and metrics."""

from __future__ import annotations

import ipaddress
import secrets
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.files.storage import default_storage
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from config import tallies
from conversions.work import listing, runner
from remote_calls import remote_call

WITHIN = 2.0
"""Timeout of the storage check in seconds; database and cache have their own."""


def alive(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"status": "ok"})


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _cache() -> None:
    key = f"ready:{secrets.token_hex(8)}"
    cache.set(key, 1, timeout=10)
    if cache.get(key) != 1:
        raise OSError("the cache does not keep what it is given")
    cache.delete(key)


def _storage() -> None:
    # The storage may be slow to return a file, but not to answer that it exists.
    asking = ThreadPoolExecutor(1)
    try:
        with remote_call():
            asking.submit(default_storage.exists, "ready").result(WITHIN)
    finally:
        asking.shutdown(wait=False)
    with tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR, buffering=0) as file:
        file.write(bytes(4096))  # a file name takes up no space


def _converters() -> None:
    if not runner.canary().confined and not settings.DEBUG:
        raise OSError("the sandbox does not confine")


CHECKS: dict[str, Callable[[], None]] = {
    "database": _database,
    "cache": _cache,
    "storage": _storage,
    "converters": _converters,
}


def readiness() -> tuple[list[str], dict[str, str], str | None]:
    """The dependencies that fail, programs with their versions, and what limits the processes of one job, if known."""
    failing = []
    for name, check in CHECKS.items():
        try:
            check()
        except Exception:  # whatever the failure, readers only need to know what failed
            failing.append(name)
    isolation = None if "converters" in failing else runner.canary().isolation
    return failing, listing.programs(), isolation


def ready(request: HttpRequest) -> HttpResponse:
    """200 if all dependencies respond, else 503 with the names of those that don't.

    `isolation` names what limits the number of processes of one job.
    """
    failing, programs, isolation = readiness()
    body: dict[str, Any] = {"status": "unavailable" if failing else "ok", "failing": failing}
    if programs:
        body["programs"] = programs
    if isolation is not None:
        body["isolation"] = {"processes": isolation}
    return JsonResponse(body, status=503 if failing else 200)


def metrics(request: HttpRequest) -> HttpResponse:
    address = ipaddress.ip_address(request.client_address)  # type: ignore[attr-defined]
    forwarded = settings.TRUSTED_PROXY_COUNT and "X-Forwarded-For" in request.headers
    # A proxy that doesn't see its clients' addresses names one of its own network for everybody.
    hidden = forwarded and not address.is_global
    if hidden or not any(address in network for network in settings.METRICS_ALLOWED_IPS):
        return HttpResponse("Not for this address.\n", status=403, content_type="text/plain")
    return HttpResponse(generate_latest(tallies.registry()), content_type=CONTENT_TYPE_LATEST)
