"""Which views take as long as a conversion, and what they release meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connections
from django.urls import Resolver404, resolve

View = Callable[..., Any]


def converts(*methods: str) -> Callable[[View], View]:
    """Mark a view whose requests with these methods wait for a conversion, or take as long as one: they must not occupy
    the threads of the pages."""

    def mark(view: View) -> View:
        view.converts = frozenset(methods)  # type: ignore[attr-defined]
        return view

    return mark


def waits(method: str, path: str) -> bool:
    """Whether a request waits for a conversion, or takes as long."""
    try:
        view = resolve(path).func
    except Resolver404:
        return False
    return method in getattr(view, "converts", ())


def give_back_connections() -> None:
    """Return this thread's pooled database connections, so that waiting requests hold none."""
    for connection in connections.all(initialized_only=True):
        if connection.settings_dict["CONN_MAX_AGE"] == 0 and not connection.in_atomic_block:
            connection.close()
