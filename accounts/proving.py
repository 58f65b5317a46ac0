"""Between the password and the second factor: who has given the one and owes the other, and who needs both."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts import factors, ledger, passkeys, sureness
from accounts.models import User

_WAITING, _FACTOR = "login_waiting", "login_factor"


@dataclass(frozen=True)
class Waiting:
    """Somebody who has given the password; `next` is where the log-in is to lead."""

    user: User
    next: str


def enter(request: HttpRequest, user: User, target: str | None) -> HttpResponse:
    """Log in whoever has given the password, or something as good, or ask for the second factor that is there."""
    if not factors.has_factor(user):
        return _let_in(request, user, target)
    request.session.cycle_key()
    request.session[_WAITING] = [str(user.pk), user.generation, target or "", time.time()]
    return redirect("login-key" if passkeys.are_there(user) else "login-code")


def finish(request: HttpRequest, user: User, target: str | None) -> HttpResponse:
    """Log in whoever has given a second factor, too."""
    request.session.pop(_WAITING, None)
    response = _let_in(request, user, target)
    note_factor(request)
    return response


def waiting(request: HttpRequest) -> Waiting | None:
    """Who owes a second factor; None where it took too long, or the password was changed meanwhile."""
    pk, generation, target, at = request.session.get(_WAITING) or ("", 0, "", 0.0)
    if not 0 <= time.time() - at < sureness.LASTS:
        return None
    user = User.objects.select_related("plan", "override").filter(pk=pk, generation=generation, is_active=True).first()
    return Waiting(user, target) if user else None


def note_factor(request: HttpRequest) -> None:
    """Keep that this login was proven by a second factor, too."""
    request.session[_FACTOR] = True


def must_have_factor(user: Any) -> bool:
    """Whether the admin stays shut for this member of the staff without a second factor."""
    return bool(settings.STAFF_SECOND_FACTOR and user.is_staff)


def may_enter_admin(request: HttpRequest) -> bool:
    """Whether this login is proven enough for the admin, where the right to enter it is there."""
    return not must_have_factor(request.user) or bool(request.session.get(_FACTOR))


def _let_in(request: HttpRequest, user: User, target: str | None) -> HttpResponse:
    login(request, user, "accounts.backends.EmailBackend")
    ledger.top_up(user)
    return redirect(target or settings.LOGIN_REDIRECT_URL)
