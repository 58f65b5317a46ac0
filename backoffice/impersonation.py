"""View the site as a customer: read-only, for superusers, and marked on every page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import get_user
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from accounts.models import User
from backoffice import audit
from backoffice.models import AuditEntry

LASTS = timedelta(minutes=30)
STOP = "/stop-looking"
_LOOK = "looking_as"
_SAFE = ("GET", "HEAD", "OPTIONS")
_CLOSED = ("/api/v1/files/", "/glimpse/", "/admin/", "/account/", "/download-all", "/mcp")
"""Pages that stay hidden: files are private, and others may show secrets or change something."""


@dataclass(frozen=True)
class Impersonation:
    """`by` views the site as `user` until a time."""

    by: User
    user: User
    until: datetime


def begin(request: HttpRequest, user: User, *, reason: str) -> None:
    """Start viewing as an account, from the next request on; raises PermissionDenied."""
    if not allowed(request.user, user):
        raise PermissionDenied
    until = timezone.now() + LASTS
    details = {"reason": reason, "until": until.isoformat()}
    audit.record(request, AuditEntry.Action.LOOK_AS, obj=user, details=details)
    request.session[_LOOK] = {"user": str(user.pk), "until": until.timestamp()}


def end(request: HttpRequest, *, why: str) -> None:
    """Stop viewing as a customer."""
    found = request.session.pop(_LOOK, None)
    by = getattr(request, "staff_user", request.user)
    if found and isinstance(by, User):
        user = User.objects.filter(pk=found["user"]).first()
        audit.record(request, AuditEntry.Action.LOOK_AS_END, obj=user, details={"why": why}, actor=by)


def allowed(by: Any, user: User | None) -> bool:
    superuser = isinstance(by, User) and by.is_active and by.is_superuser
    return superuser and user is not None and user.is_active and not (user.is_staff or user.is_superuser)


class ImpersonationMiddleware:
    """Replaces the superuser by the customer for safe requests.

    The session stays the superuser's. Requests without a session cookie cost nothing here.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            if request.method not in _SAFE or request.path_info.startswith(_CLOSED):
                _refuse(request)
            request.user = SimpleLazyObject(lambda: _seen(request))  # type: ignore[assignment]
        return self.get_response(request)


def active(request: HttpRequest) -> Impersonation | None:
    """Return the impersonation that this request is part of, None if it is none."""
    found: Impersonation | None = getattr(request, "impersonation", None)
    return found


def _refuse(request: HttpRequest) -> None:
    if _LOOK not in request.session or request.path_info == STOP:
        return
    found = _current(request, get_user(request))
    if found is None:
        return
    details = {"method": request.method, "route": _route_of(request)}
    audit.record(request, AuditEntry.Action.LOOK_AS_REFUSED, obj=found.user, details=details, actor=found.by)
    request.impersonation = found  # type: ignore[attr-defined]
    request.staff_user = found.by  # type: ignore[attr-defined]
    request.user = found.user
    raise PermissionDenied(_("You can't change anything or open files while you view the site as a customer."))


def _route_of(request: HttpRequest) -> str:
    """The route to log; not the path: the log is permanent, and a path may contain a file key or a mailed code."""
    try:
        return str(resolve(request.path_info).route)
    except Resolver404:
        return "none"


def _seen(request: HttpRequest) -> Any:
    """The request's user: the customer if a superuser views the site as one, else the session's account."""
    own = get_user(request)
    found = _current(request, own) if _LOOK in request.session else None
    if found is None:
        return own
    request.impersonation = found  # type: ignore[attr-defined]
    request.staff_user = found.by  # type: ignore[attr-defined]
    return found.user


def _current(request: HttpRequest, own: Any) -> Impersonation | None:
    """The session's view-as state; ends when expired or no longer allowed."""
    state = request.session[_LOOK]
    until = datetime.fromtimestamp(state["until"], UTC)
    by = own if isinstance(own, User) else None
    user = User.objects.select_related("plan", "override").filter(pk=state["user"]).first()
    if by is None or not allowed(by, user) or until <= timezone.now():
        end(request, why="time" if until <= timezone.now() else "no longer allowed")
        return None
    assert user is not None
    return Impersonation(by, user, until)
