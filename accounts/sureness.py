"""Being sure who sits there: what can't be undone asks for a proof that is no older than ten minutes."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

LASTS = 600.0
"""Seconds for which a password or a second factor is proof enough."""
_AT = "sure_at"

Page = Callable[..., HttpResponseBase]


def note(sender: Any, request: HttpRequest, **kwargs: Any) -> None:
    """Keep that a proof was given just now; a receiver of user_logged_in."""
    request.session[_AT] = time.time()


def is_sure(request: HttpRequest) -> bool:
    """Whether the last proof is fresh; one from the future, before the clock was set back, is none."""
    at = request.session.get(_AT)
    return isinstance(at, float) and 0 <= time.time() - at < LASTS


def ask(path: str) -> HttpResponseBase:
    """Send the browser to the page that asks for a proof, and then back to `path`."""
    return redirect(f"{reverse('confirm-identity')}?{urlencode({'next': path})}")


def required(page: Page) -> Page:
    """A page that nobody sees without a fresh proof; goes below `login_required`."""

    @functools.wraps(page)
    def sure(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return page(request, *args, **kwargs) if is_sure(request) else ask(request.path)

    return sure
