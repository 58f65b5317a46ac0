"""Is the process up, can it work, and what has it counted."""

from __future__ import annotations

import ipaddress
import secrets
import tempfile
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.files.storage import default_storage
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from config import tallies
from conversions import listing, runner


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
    default_storage.exists("ready")
    with tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR, buffering=0) as file:
        file.write(bytes(4096))  # a name takes no room


def _converters() -> None:
    if not runner.canary().confined and not settings.DEBUG:
        raise OSError("the sandbox does not confine")


CHECKS: dict[str, Callable[[], None]] = {
    "database": _database,
    "cache": _cache,
    "storage": _storage,
    "converters": _converters,
}


def ready(request: HttpRequest) -> HttpResponse:
    """200 where everything answers, else 503 with the names of what does not."""
    failing = []
    for name, check in CHECKS.items():
        try:
            check()
        except Exception:  # whatever it is that fails, the answer is its name
            failing.append(name)
    body: dict[str, Any] = {"status": "unavailable" if failing else "ok", "failing": failing}
    if programs := listing.programs():
        body["programs"] = programs
    return JsonResponse(body, status=503 if failing else 200)


def metrics(request: HttpRequest) -> HttpResponse:
    address = ipaddress.ip_address(request.client_address)  # type: ignore[attr-defined]
    if not any(address in network for network in settings.METRICS_ALLOWED_IPS):
        return HttpResponse("Not for this address.\n", status=403, content_type="text/plain")
    return HttpResponse(generate_latest(tallies.registry()), content_type=CONTENT_TYPE_LATEST)
