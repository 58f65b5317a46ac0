"""Which requests take as long as a conversion, and what they release meanwhile."""

from __future__ import annotations

from django.db import connections
from django.urls import Resolver404, resolve

from accounts.lanes import is_slow
from storage.remote import is_remote


def waits(method: str, path: str) -> bool:
    """Whether a request waits for a conversion, or may take as long."""
    try:
        found = resolve(path)
    except Resolver404:
        return False
    # In S3, which may be slow or silent, a file takes longer than on disk.
    return is_slow(found.func, method) or (found.url_name == "file" and is_remote())


def give_back_connections() -> None:
    """Return this thread's pooled database connections, so that waiting requests hold none."""
    for connection in connections.all(initialized_only=True):
        if connection.settings_dict["CONN_MAX_AGE"] == 0 and not connection.in_atomic_block:
            connection.close()
