"""The OpenID Connect log-in: each code is bound to this browser, one use, ten minutes and one purpose."""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import secrets
import time
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import links
from accounts.login import provider
from accounts.login.provider import Claims, Unusable

LASTS = 600.0
"""Seconds that somebody may stay at the provider."""
_SESSION_KEY = "openid"
_log = logging.getLogger("service.openid")


class Failed(ValueError):
    """The log-in at the provider failed; the message says what to do next."""


@dataclass(frozen=True)
class Return:
    """A completed log-in. `purpose` is what it was started for; `next` and `invitation` were given then."""

    claims: Claims
    purpose: str
    next: str
    invitation: str


def is_on() -> bool:
    """Whether a provider is configured."""
    return bool(settings.OIDC_ISSUER)


def name() -> str:
    """The provider's name for buttons, if there is one."""
    return settings.OIDC_NAME if is_on() else ""


def begin(request: HttpRequest, purpose: str, *, target: str = "", invitation: str = "") -> str:
    """The provider's URL to redirect to; raises Failed."""
    state, nonce, verifier = (secrets.token_urlsafe(32) for _each in range(3))
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    try:
        found = provider.discover()
    except Unusable as error:
        raise _failed(error) from error
    request.session[_SESSION_KEY] = [state, nonce, verifier, purpose, target, invitation, time.time()]
    return found.page(
        response_type="code",
        client_id=settings.OIDC_CLIENT_ID,
        redirect_uri=_callback_url(),
        scope="openid email profile",
        state=state,
        nonce=nonce,
        code_challenge=challenge,
        code_challenge_method="S256",
    )


def finish(request: HttpRequest) -> Return:
    """Complete the log-in with the provider's response; its state is deleted in any case. Raises Failed."""
    kept = request.session.pop(_SESSION_KEY, None) or ("",) * 6 + (0.0,)
    state, nonce, verifier, purpose, target, invitation, at = kept
    # Deleted before the provider is asked, also from the database: of two concurrent responses one finds it.
    request.session.save()
    given = request.GET
    ours = state and hmac.compare_digest(given.get("state", "").encode(), state.encode())
    if not ours or not 0 <= time.time() - at < LASTS:
        raise Failed(_("This took too long or was started in another window. Try again."))
    if given.get("iss", settings.OIDC_ISSUER) != settings.OIDC_ISSUER or not given.get("code"):
        raise Failed(_("You weren't logged in there. Try again, or log in with your password."))
    try:
        claims = provider.discover().claims(given["code"], verifier=verifier, nonce=nonce, back=_callback_url())
    except Unusable as error:
        raise _failed(error) from error
    return Return(claims, purpose, target, invitation)


def _failed(error: Unusable) -> Failed:
    _log.warning("log-in by the provider failed", extra={"error": str(error)})
    message = _("%(name)s isn't available at the moment. Try again, or log in with your password.")
    return Failed(message % {"name": settings.OIDC_NAME})


def _callback_url() -> str:
    return links.absolute(reverse("openid-back"))
