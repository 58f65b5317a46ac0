"""Known devices and addresses of an account, which other people's failed log-ins must not lock out."""

from __future__ import annotations

import secrets
from contextlib import suppress

from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from accounts.credits.counters import CACHE_ERRORS
from accounts.credits.guests import guest_id
from accounts.credits.payers import address_of

COOKIE = "known_device"
LASTS = 180 * 24 * 3600
"""Seconds for which a browser stays known after its last log-in."""
ADDRESS_LASTS = 30 * 24 * 3600
"""Seconds for which an address stays known; addresses are reassigned."""
_SALT = "accounts.places"


def remember(request: HttpRequest, response: HttpResponse, email: str) -> None:
    """Set a cookie by which the browser is known as one that logged in to this account."""
    response.set_cookie(
        COOKIE,
        signing.dumps([_digest(email), secrets.token_urlsafe(12)], salt=_SALT),
        max_age=LASTS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def remember_address(request: HttpRequest, email: str) -> None:
    """Remember the address of a correct log-in, because programs keep no cookies."""
    with suppress(*CACHE_ERRORS):
        cache.set(_address_key(request, email), 1, ADDRESS_LASTS)


def device_of(request: HttpRequest, email: str) -> str:
    """The id of this browser if it has logged in to the account before, else empty."""
    try:
        owner, device = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=LASTS)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    return str(device) if owner == _digest(email) else ""


def knows_address(request: HttpRequest, email: str) -> bool:
    """Whether somebody logged in to the account from this address recently; raises one of CACHE_ERRORS."""
    return cache.get(_address_key(request, email)) is not None


def _address_key(request: HttpRequest, email: str) -> str:
    return f"login-known:{_digest(email)}:{guest_id(address_of(request))}"


def _digest(email: str) -> str:
    return salted_hmac(_SALT, email, algorithm="sha256").hexdigest()[:32]
