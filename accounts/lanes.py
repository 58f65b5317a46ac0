"""Marks views that wait for somebody else, so that the web server gives them other threads than the pages have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

View = Callable[..., Any]


def slow(*methods: str) -> Callable[[View], View]:
    """Mark a view whose requests with these methods wait for another service, or for work: a few of them must not
    occupy all threads of the pages."""

    def mark(view: View) -> View:
        view.slow = frozenset(methods)  # type: ignore[attr-defined]
        return view

    return mark


def is_slow(view: View, method: str) -> bool:
    return method in getattr(view, "slow", ())
