"""Reauthentication: what can't be undone asks for a proof of identity no older than ten minutes."""

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
"""Seconds for which a password or a second factor counts as recent."""
_AT = "sure_at"

Page = Callable[..., HttpResponseBase]


def record(sender: Any, request: HttpRequest, **kwargs: Any) -> None:
    """Record that the user has just proved who they are; a receiver of user_logged_in."""
    request.session[_AT] = time.time()


def recently_authenticated(request: HttpRequest) -> bool:
    """Whether the last proof is recent; one from the future, left by a clock that was set back, is not."""
    at = request.session.get(_AT)
    return isinstance(at, float) and 0 <= time.time() - at < LASTS


def redirect_to_proof(path: str) -> HttpResponseBase:
    """Redirect to the page that asks for a proof, and from there back to `path`."""
    return redirect(f"{reverse('confirm-identity')}?{urlencode({'next': path})}")


def required(page: Page) -> Page:
    """Require a recent proof to see the page; place it below `login_required`."""

    @functools.wraps(page)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return page(request, *args, **kwargs) if recently_authenticated(request) else redirect_to_proof(request.path)

    return checked
