"""Between the password and the code: who has given the one and owes the other, and who of the staff needs both."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from accounts import sureness
from accounts.models import User

_WAITING, _FACTOR = "login_waiting", "login_factor"


@dataclass(frozen=True)
class Waiting:
    """Somebody who has given the password; `next` is where the log-in is to lead."""

    user: User
    next: str


def begin(request: HttpRequest, user: User, target: str | None) -> None:
    """Note in the session of a stranger that the password was right."""
    request.session.cycle_key()
    request.session[_WAITING] = [str(user.pk), user.generation, target or "", time.time()]


def waiting(request: HttpRequest) -> Waiting | None:
    """Who owes a code; None where it took too long, or the password was changed meanwhile."""
    pk, generation, target, at = request.session.get(_WAITING) or ("", 0, "", 0.0)
    if not 0 <= time.time() - at < sureness.LASTS:
        return None
    user = User.objects.select_related("plan", "override").filter(pk=pk, generation=generation, is_active=True).first()
    return Waiting(user, target) if user else None


def forget(request: HttpRequest) -> None:
    request.session.pop(_WAITING, None)


def note_factor(request: HttpRequest) -> None:
    """Keep that this login was proven by a second factor, too."""
    request.session[_FACTOR] = True


def must_have_factor(user: Any) -> bool:
    """Whether the admin stays shut for this member of the staff without a second factor."""
    return bool(settings.STAFF_SECOND_FACTOR and user.is_staff)


def may_enter_admin(request: HttpRequest) -> bool:
    """Whether this login is proven enough for the admin, where the right to enter it is there."""
    return not must_have_factor(request.user) or bool(request.session.get(_FACTOR))
