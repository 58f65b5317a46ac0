"""Log-in steps: the password, the second factor, and who needs both."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.credits import known_devices, ledger
from accounts.login import factors, passkeys, reauthentication
from accounts.models import User

_WAITING, _FACTOR = "login_waiting", "login_factor"
RESTORING = "leaver"
"""Session key of a deactivated account that may be restored, and when its owner proved who they are."""


@dataclass(frozen=True)
class Waiting:
    """Somebody who has given the password; `next` is where the log-in leads."""

    user: User
    next: str


def enter(request: HttpRequest, user: User, target: str | None) -> HttpResponse:
    """Log in after the password, or an equivalent, or ask for the second factor if there is one.

    A deactivated account is offered to be restored instead, after the same proofs.
    """
    if not factors.has_factor(user):
        return _let_in(request, user, target)
    request.session.cycle_key()
    request.session[_WAITING] = [str(user.pk), user.generation, target or "", time.time()]
    return redirect("login-key" if passkeys.has_passkey(user) else "login-code")


def finish(request: HttpRequest, user: User, target: str | None) -> HttpResponse:
    """Log in after the second factor."""
    request.session.pop(_WAITING, None)
    response = _let_in(request, user, target)
    if user.is_active:
        record_second_factor(request)
    return response


def waiting(request: HttpRequest) -> Waiting | None:
    """Whoever has yet to give a second factor; None if it took too long or the password has changed."""
    pk, generation, target, at = request.session.get(_WAITING) or ("", 0, "", 0.0)
    if not 0 <= time.time() - at < reauthentication.LASTS:
        return None
    user = User.objects.select_related("plan", "override").filter(pk=pk, generation=generation).first()
    return Waiting(user, target) if user and (user.is_active or user.is_restorable) else None


def record_second_factor(request: HttpRequest) -> None:
    """Record that this login passed a second factor."""
    request.session[_FACTOR] = True


def must_have_factor(user: Any) -> bool:
    """Whether this staff member needs a second factor to enter the admin."""
    return bool(settings.STAFF_SECOND_FACTOR and user.is_staff)


def may_enter_admin(request: HttpRequest) -> bool:
    """Whether this login may enter the admin, given the permission."""
    return not must_have_factor(request.user) or bool(request.session.get(_FACTOR))


def _let_in(request: HttpRequest, user: User, target: str | None) -> HttpResponse:
    if user.is_restorable:
        request.session[RESTORING] = [str(user.pk), time.time()]
        return redirect("restore-account")
    login(request, user, "accounts.login.backends.EmailBackend")
    ledger.top_up(user)
    response = redirect(target or settings.LOGIN_REDIRECT_URL)
    known_devices.remember(request, response, user.email)
    return response
